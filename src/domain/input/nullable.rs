//! Fields that `null` clears.

use serde::{Deserialize, Deserializer};

/// The new value of a field that `null` clears and that stays unchanged when absent. Needs `#[serde(default)]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Nullable<T> {
    /// The field is absent.
    #[default]
    Absent,
    /// The field is `null`.
    Null,
    /// The field has a value.
    Value(T),
}

impl<T> Nullable<T> {
    /// The field after the write; `stored` is its value before.
    pub(in crate::domain) fn or(self, stored: Option<T>) -> Option<T> {
        match self {
            Self::Absent => stored,
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }

    /// Like [`Self::or`], for a field that is stored as another type.
    pub(in crate::domain) fn into_or<S: From<T>>(self, stored: Option<S>) -> Option<S> {
        match self {
            Self::Absent => stored,
            Self::Null => None,
            Self::Value(value) => Some(value.into()),
        }
    }
}

impl<T> From<Option<T>> for Nullable<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Nullable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self::from)
    }
}
