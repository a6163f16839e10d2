//! A preset's name, or the object that it stands for: how strategies, faults and contracts stand in a file.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::json;

/// What has presets.
pub trait Preset: Sized + PartialEq + 'static {
    /// The names of all presets.
    const NAMES: &'static [&'static str];
    /// What may stand where no preset's name stands, for error messages.
    const OTHERWISE: &'static str;

    /// All presets, in the order of their names.
    fn all() -> Vec<Self>;

    /// The preset of that name.
    #[must_use]
    fn named(name: &str) -> Option<Self> {
        let place = Self::NAMES.iter().position(|known| *known == name)?;
        Self::all().into_iter().nth(place)
    }

    /// The name of the preset that this is; none where it is another value, whatever its name.
    #[must_use]
    fn known_as(&self) -> Option<&'static str> {
        let place = Self::all().iter().position(|preset| preset == self)?;
        Self::NAMES.get(place).copied()
    }
}

/// Writes a preset by its name, and anything else out.
///
/// # Errors
///
/// As the serializer.
pub fn serialize<T: Preset + Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    match value.known_as() {
        Some(name) => serializer.serialize_str(name),
        None => value.serialize(serializer),
    }
}

/// Reads a preset's name, or what it stands for.
///
/// # Errors
///
/// Where the name is unknown, or the value is none that is allowed.
pub fn deserialize<'de, T: Preset + Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    json::preset_or::<D, T, T>(deserializer, T::NAMES, T::OTHERWISE, T::named)
}

/// The same for a field that may be left out.
pub mod option {
    use super::{Deserialize, Deserializer, Preset, Serialize, Serializer};

    /// Writes a preset by its name.
    ///
    /// # Errors
    ///
    /// As the serializer.
    pub fn serialize<T: Preset + Serialize, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => super::serialize(value, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a preset's name, or what it stands for.
    ///
    /// # Errors
    ///
    /// Where the name is unknown, or the value is none that is allowed; `null` is none.
    pub fn deserialize<'de, T: Preset + Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        super::deserialize(deserializer).map(Some)
    }
}

/// The schema of a `T` by name or written out.
#[derive(Debug)]
pub struct Named<T>(PhantomData<T>);

impl<T: Preset + JsonSchema> JsonSchema for Named<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}ByName", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let written_out = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [{ "type": "string", "enum": T::NAMES }, written_out] })
    }
}

/// Whether a value is what it would be if it were left out.
pub(crate) fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Reads a field that may be left out, but where it is there stands for nothing else than a `T`: no `null`.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
