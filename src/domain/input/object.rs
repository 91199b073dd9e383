//! Structs that are parsed from JSON objects only.
//!
//! A deserializer derived by serde also accepts an array of the fields in declaration order: `[null, "api", "A"]` would
//! be a component, and would mean something else after a field is added.

use std::fmt;

use serde::{
    Deserializer,
    de::{self, DeserializeSeed, MapAccess, Visitor},
    forward_to_deserialize_any,
};

use crate::error::{Problem, reject_field};

/// Deserializes a struct from a map only. Does not apply to nested structs. Reports missing and repeated fields.
pub struct ObjectOnly<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for ObjectOnly<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(ObjectVisitor(visitor))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Accepts a map only. Describes what it expects as an object, because clients do not know the names of Rust types.
struct ObjectVisitor<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for ObjectVisitor<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Fields(fields)).map_err(|error| match error {
            FieldError::Inner(error) => error,
            FieldError::Missing(field) => reject_field(field, Problem::REQUIRED),
            FieldError::Repeated(field) => reject_field(field, Problem::Repeated),
            FieldError::Other(text) => de::Error::custom(text),
        })
    }
}

/// The fields of an object, with errors that tell missing and repeated fields from others.
struct Fields<A>(A);

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Fields<A> {
    type Error = FieldError<A::Error>;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Self::Error> {
        self.0.next_key_seed(seed).map_err(FieldError::Inner)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Self::Error> {
        self.0.next_value_seed(seed).map_err(FieldError::Inner)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// Why an object could not be deserialized.
#[derive(Debug)]
enum FieldError<E> {
    /// An error of the parser, or of a field's value.
    Inner(E),
    Missing(&'static str),
    Repeated(&'static str),
    Other(String),
}

impl<E: fmt::Display> fmt::Display for FieldError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inner(error) => error.fmt(f),
            Self::Missing(field) => write!(f, "{field}: {}", Problem::REQUIRED),
            Self::Repeated(field) => write!(f, "{field}: {}", Problem::Repeated),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl<E: de::Error> std::error::Error for FieldError<E> {}

impl<E: de::Error> de::Error for FieldError<E> {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Self::Other(text.to_string())
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::Repeated(field)
    }
}

/// Implements `Deserialize` for these types from objects only. They need `#[serde(remote = "Self")]`, which turns the
/// derived implementation into an inherent function.
macro_rules! objects {
    ($($name:ty),+ $(,)?) => { $(
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
                // The derived implementation, an inherent function.
                <$name>::deserialize($crate::domain::input::ObjectOnly(deserializer))
            }
        }
    )+ };
}
pub(crate) use objects;

/// Implements `Serialize` for types of [`objects`], whose derived implementation is an inherent function too.
macro_rules! serialized_objects {
    ($($name:ty),+ $(,)?) => { $(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
                <$name>::serialize(self, serializer)
            }
        }
    )+ };
}
pub(crate) use serialized_objects;
