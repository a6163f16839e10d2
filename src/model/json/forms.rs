//! Forms that values take in our files and serde does not know: a number in a range, and a preset or what it stands for.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use serde::de::value::{BorrowedStrDeserializer, SeqAccessDeserializer, StringDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;

use super::error::{Error, one_of};

/// Reads a whole number in a range; the error reads "found 0, allowed: a whole number from 1 to 1000".
///
/// ```
/// use retryscope::model::json;
///
/// struct Attempts(u64);
///
/// impl<'de> serde::Deserialize<'de> for Attempts {
///     fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
///         json::whole(deserializer, 1..=1000).map(Attempts)
///     }
/// }
///
/// assert_eq!(json::from_str::<Attempts>("3").unwrap().0, 3);
/// let error = json::from_str::<Attempts>("0").err().unwrap();
/// assert_eq!(error.message, "found 0, allowed: a whole number from 1 to 1000");
/// ```
///
/// # Errors
/// When the value is anything else than a whole number in `range`; `3.0` is not one.
pub fn whole<'de, D: Deserializer<'de>>(deserializer: D, range: RangeInclusive<u64>) -> Result<u64, D::Error> {
    deserializer.deserialize_any(Whole(range))
}

struct Whole(RangeInclusive<u64>);

impl Visitor<'_> for Whole {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {} to {}", self.0.start(), self.0.end())
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<u64, E> {
        if self.0.contains(&number) { Ok(number) } else { Err(E::invalid_value(Unexpected::Unsigned(number), &self)) }
    }
}

/// Reads either the name of a preset or what it stands for.
///
/// A string is looked up with `preset`; `names` are the names that it knows, for the error. Anything else is read as an
/// `F` and turned into a `T`, with the strictness of this module: no unknown fields, no array for a struct. `otherwise`
/// says in the error what an `F` is, such as "an object".
///
/// ```
/// use retryscope::model::json;
///
/// #[derive(Debug)]
/// struct Network { latency: u32 }
///
/// #[derive(serde::Deserialize)]
/// struct Fields { latency: u32 }
///
/// impl From<Fields> for Network {
///     fn from(Fields { latency }: Fields) -> Self { Network { latency } }
/// }
///
/// impl<'de> serde::Deserialize<'de> for Network {
///     fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
///         let preset = |name: &str| (name == "slow").then_some(Network { latency: 2000 });
///         json::preset_or::<D, Self, Fields>(deserializer, &["slow"], "an object", preset)
///     }
/// }
///
/// assert_eq!(json::from_str::<Network>(r#""slow""#).unwrap().latency, 2000);
/// assert_eq!(json::from_str::<Network>(r#"{ "latency": 5 }"#).unwrap().latency, 5);
/// let error = json::from_str::<Network>(r#""slwo""#).unwrap_err();
/// assert_eq!(error.message, r#"found "slwo", allowed: slow or an object (did you mean "slow"?)"#);
/// ```
///
/// # Errors
/// When the name is no preset, when the value is no `F`, or when an `F` cannot become a `T`.
pub fn preset_or<'de, D, T, F>(
    deserializer: D,
    names: &[&str],
    otherwise: &str,
    preset: impl FnOnce(&str) -> Option<T>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    F: Deserialize<'de> + TryInto<T, Error: Display>,
{
    deserializer.deserialize_any(PresetOr { names, otherwise, preset, form: PhantomData::<fn() -> (T, F)> })
}

struct PresetOr<'a, P, T, F> {
    names: &'a [&'a str],
    otherwise: &'a str,
    preset: P,
    form: PhantomData<fn() -> (T, F)>,
}

impl<'de, P, T, F> Visitor<'de> for PresetOr<'_, P, T, F>
where
    P: FnOnce(&str) -> Option<T>,
    F: Deserialize<'de> + TryInto<T, Error: Display>,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choice: Vec<&str> = self.names.iter().copied().chain([self.otherwise]).collect();
        f.write_str(&one_of(&choice))
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<T, E> {
        let (names, otherwise) = (self.names, self.otherwise);
        (self.preset)(name).ok_or_else(|| E::custom(Error::unknown_name(name, names, Some(otherwise)).message))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        F::deserialize(StrictMap { map, allowed: &self })?.try_into().map_err(A::Error::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
        F::deserialize(StrictSeq { seq, allowed: &self })?.try_into().map_err(A::Error::custom)
    }
}

/// What is left of an object once it is known to be one, still with the check for unknown fields, which
/// [`MapAccessDeserializer`](serde::de::value::MapAccessDeserializer) has not.
struct StrictMap<'a, A> {
    map: A,
    allowed: &'a dyn Expected,
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for StrictMap<'_, A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_map(self.map)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor.visit_map(Known { map: self.map, fields })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, _: V) -> Result<V::Value, A::Error> {
        Err(A::Error::invalid_type(Unexpected::Map, self.allowed))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        serde::de::value::MapAccessDeserializer::new(self.map).deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct tuple
        tuple_struct map identifier ignored_any
    }
}

/// The members of an object as long as their names are known ones.
struct Known<A> {
    map: A,
    fields: &'static [&'static str],
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Known<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let fields = self.fields;
        self.map.next_key_seed(KnownName { seed, fields })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.map.size_hint()
    }
}

/// Hands a name on to `seed` when it is a known one.
struct KnownName<K> {
    seed: K,
    fields: &'static [&'static str],
}

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for KnownName<K> {
    type Value = K::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<K::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de, K: DeserializeSeed<'de>> Visitor<'de> for KnownName<K> {
    type Value = K::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<K::Value, E> {
        if self.fields.contains(&name) {
            let name: StringDeserializer<E> = name.to_owned().into_deserializer();
            self.seed.deserialize(name)
        } else {
            Err(E::unknown_field(name, self.fields))
        }
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, name: &'de str) -> Result<K::Value, E> {
        if self.fields.contains(&name) {
            self.seed.deserialize(BorrowedStrDeserializer::new(name))
        } else {
            Err(E::unknown_field(name, self.fields))
        }
    }
}

/// What is left of an array once it is known to be one. It never stands for a struct, to which serde's derive would
/// agree.
struct StrictSeq<'a, A> {
    seq: A,
    allowed: &'a dyn Expected,
}

impl<'de, A: SeqAccess<'de>> Deserializer<'de> for StrictSeq<'_, A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        SeqAccessDeserializer::new(self.seq).deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, A::Error> {
        Err(A::Error::invalid_type(Unexpected::Seq, self.allowed))
    }

    fn deserialize_map<V: Visitor<'de>>(self, _: V) -> Result<V::Value, A::Error> {
        Err(A::Error::invalid_type(Unexpected::Seq, self.allowed))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, A::Error> {
        Err(A::Error::invalid_type(Unexpected::Seq, self.allowed))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct identifier ignored_any
    }
}
