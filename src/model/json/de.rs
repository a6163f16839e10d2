//! A [`Node`] read as a type of ours, by way of serde.

use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

use super::error::{Error, one_of};
use super::node::{Kind, Member, Node, Number, WHOLE_MAX};

/// The same bound with a sign.
const SIGNED_MAX: i64 = WHOLE_MAX.cast_signed();

impl<'de> Node<'_> {
    /// Adds this node's place to an error about it.
    fn here<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        result.map_err(|error| error.or_at(|| self.place()))
    }

    fn refuse<T>(&self, allowed: &str) -> Result<T, Error> {
        Err(self.refused(allowed))
    }

    fn visit_array<V: Visitor<'de>>(&'de self, items: &'de [Node<'de>], visitor: V) -> Result<V::Value, Error> {
        let mut access = Items { items, next: 0 };
        let value = self.here(visitor.visit_seq(&mut access))?;
        if access.next < items.len() {
            let allowed = format!("{} of them", access.next);
            return self.here(Err(Error::found(format_args!("{} of them", items.len()), allowed)));
        }
        Ok(value)
    }

    fn visit_object<V: Visitor<'de>>(&'de self, members: &'de [Member<'de>], visitor: V) -> Result<V::Value, Error> {
        self.here(visitor.visit_map(Members { object: self, rest: members.iter(), value: None }))
    }

    fn whole(&self, min: i64, max: i64) -> Result<i64, Error> {
        match self.kind {
            Kind::Number(Number::Whole(number), _) if (min..=max).contains(&number) => Ok(number),
            Kind::Number(Number::Float(_), _) if min == -SIGNED_MAX && max == SIGNED_MAX => {
                self.refuse("a whole number")
            }
            _ => self.refuse(&format!("a whole number from {min} to {max}")),
        }
    }
}

/// Whole numbers: the range of the type, as far as double precision holds every one.
macro_rules! whole_numbers {
    ($($method:ident $visit:ident $type:ty),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let min = i64::try_from(<$type>::MIN).unwrap_or(-SIGNED_MAX).max(-SIGNED_MAX);
            let max = i64::try_from(<$type>::MAX).unwrap_or(SIGNED_MAX).min(SIGNED_MAX);
            let number = self.whole(min, max)?;
            let number = <$type>::try_from(number).map_err(Error::custom);
            self.here(number.and_then(|number| visitor.$visit(number)))
        }
    )*};
}

/// Text in any of the forms that serde asks for.
macro_rules! strings {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match &self.kind {
                Kind::String(text) => self.here(visitor.visit_borrowed_str(text)),
                _ => self.refuse("a string"),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for &'de Node<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &self.kind {
            Kind::Null => self.here(visitor.visit_unit()),
            Kind::Bool(value) => self.here(visitor.visit_bool(*value)),
            Kind::Number(Number::Whole(number), _) => self.here(match u64::try_from(*number) {
                Ok(number) => visitor.visit_u64(number),
                Err(_) => visitor.visit_i64(*number),
            }),
            Kind::Number(Number::Float(number), _) => self.here(visitor.visit_f64(*number)),
            Kind::String(text) => self.here(visitor.visit_borrowed_str(text)),
            Kind::Array(items) => self.visit_array(items, visitor),
            Kind::Object(members) => self.visit_object(members, visitor),
        }
    }

    whole_numbers! {
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64, deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32, deserialize_u64 visit_u64 u64
    }

    strings! { deserialize_str deserialize_string deserialize_char deserialize_bytes deserialize_byte_buf deserialize_identifier }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.kind {
            Kind::Bool(value) => self.here(visitor.visit_bool(value)),
            _ => self.refuse("true or false"),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.kind {
            Kind::Number(..) => self.deserialize_any(visitor),
            _ => self.refuse("a number"),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.kind {
            Kind::Null => self.here(visitor.visit_none()),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.kind {
            Kind::Null => self.here(visitor.visit_unit()),
            _ => self.refuse("null"),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.here(visitor.visit_newtype_struct(self))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &self.kind {
            Kind::Array(items) => self.visit_array(items, visitor),
            _ => self.refuse("an array"),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &self.kind {
            Kind::Object(members) => self.visit_object(members, visitor),
            _ => self.refuse("an object"),
        }
    }

    /// Every name must be one of `fields`, whether or not the type says `deny_unknown_fields`.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let Kind::Object(members) = &self.kind {
            for member in members {
                if !fields.contains(&member.name.as_str()) {
                    let error = Error::unknown_field(&member.name, fields);
                    return Err(error.or_at(|| self.place_of_name(member)));
                }
            }
        }
        self.deserialize_map(visitor)
    }

    /// A variant is its name, or an object with that one name and what the variant holds.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (name, content) = match &self.kind {
            Kind::String(name) => (name.as_str(), None),
            Kind::Object(members) if members.len() == 1 => (members[0].name.as_str(), Some(&members[0].value)),
            _ => return self.refuse(&one_of(variants)),
        };
        if !variants.contains(&name) {
            return self.here(Err(Error::unknown_name(name, variants, None)));
        }
        self.here(visitor.visit_enum(Variant { name, content }))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
}

/// The values of an array, one after the other; errors in one get its index.
struct Items<'de> {
    items: &'de [Node<'de>],
    next: usize,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(item) = self.items.get(self.next) else { return Ok(None) };
        let index = self.next;
        self.next += 1;
        item.here(seed.deserialize(item)).map(Some).map_err(|error| error.under_index(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len() - self.next)
    }
}

/// The members of an object, one after the other; errors in a value get its name.
struct Members<'de> {
    object: &'de Node<'de>,
    rest: std::slice::Iter<'de, Member<'de>>,
    value: Option<&'de Member<'de>>,
}

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some(member) = self.rest.next() else { return Ok(None) };
        self.value = Some(member);
        let key = seed.deserialize(BorrowedStrDeserializer::new(&member.name));
        key.map(Some).map_err(|error: Error| error.or_at(|| self.object.place_of_name(member)))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let Some(Member { name, value, .. }) = self.value.take() else {
            return Err(Error::custom("a value was asked for before its name"));
        };
        value.here(seed.deserialize(value)).map_err(|error| error.under_name(name))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// The name of a variant and, where it stands in an object, what the variant holds.
struct Variant<'de> {
    name: &'de str,
    content: Option<&'de Node<'de>>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name: StrDeserializer<'_, Error> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> Variant<'de> {
    fn content<T>(self, read: impl FnOnce(&'de Node<'de>) -> Result<T, Error>) -> Result<T, Error> {
        let name = self.name;
        match self.content {
            Some(node) => node.here(read(node)).map_err(|error| error.under_name(name)),
            None => Err(Error::found(format_args!("\"{name}\""), format_args!("an object {{\"{name}\": ..}}"))),
        }
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.content {
            None => Ok(()),
            Some(_) => Err(Error::found("an object", format_args!("just \"{}\"", self.name))),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        self.content(|node| seed.deserialize(node))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.content(|node| node.deserialize_seq(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.content(|node| node.deserialize_struct("", fields, visitor))
    }
}
