//! Values that are validated while a request body is parsed.
//!
//! Each type rejects invalid input in its own deserializer. The error names the field and the limit, and the code
//! behind can rely on valid values. Nothing has been read or written at that time.

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeMap};
use serde_json::{Value, value::RawValue};

mod json;
mod keywords;
mod lines;
mod photos;
mod sizes;
mod texts;
mod web_address;

use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ObjectBuilder, RefOr, Schema, extensions::Extensions, schema::AdditionalProperties, schema::Type},
    },
    error::{Problem, reject},
};

pub(in crate::domain) use self::texts::{is_blank, without_hidden};
pub use self::{
    keywords::Keywords,
    lines::{Color, ContactEmail, FieldKey, FilePath, KebabId, Label, Line, Logo, PhotoUrl, RowKey, SourceId, Term},
    photos::{PhotoPatch, UploadedPhoto},
    sizes::Size,
    texts::{ChangeReason, CommentText, Email, Id, Login, Message, Name, OptionalId, Slug, StopText, Text},
    web_address::WebAddress,
};

/// A coordinate on the canvas: a finite number within ±1,000,000,000.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Coordinate(f64);

impl Coordinate {
    /// The largest coordinate.
    pub const MAX: f64 = 1e9;

    /// The coordinate closest to this number.
    pub(in crate::domain) fn nearest(number: f64) -> Self {
        Self(number.clamp(-Self::MAX, Self::MAX))
    }

    /// The coordinate as a number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Coordinate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match f64::deserialize(deserializer)? {
            number if number.abs() <= Self::MAX => Ok(Self(number)),
            number => Err(reject(format!("must be within ±1,000,000,000, is {number}").into())),
        }
    }
}

impl PartialSchema for Coordinate {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Number).minimum(Some(-Self::MAX)).maximum(Some(Self::MAX)).into()
    }
}
impl ToSchema for Coordinate {}

/// Free-form properties: a JSON object of at most 64 KiB and 32 levels, without repeated keys. Stored and returned as
/// compact JSON text in the original key order. The server does not interpret it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Properties(String);

impl Properties {
    /// Maximum length of the compact text, in bytes.
    pub const MAX_BYTES: usize = 64 << 10;
    /// Maximum nesting depth; the object itself is the first level.
    pub const MAX_DEPTH: usize = 32;

    /// All properties. Parses the text on each call.
    pub fn entries(&self) -> serde_json::Map<String, Value> {
        serde_json::from_str(&self.0).unwrap_or_default()
    }

    /// Replaces a property that exists. Parses the text.
    pub(super) fn replace(&mut self, key: &str, value: &str) {
        let mut entries = self.entries();
        if let Some(old) = entries.get_mut(key) {
            *old = value.into();
            self.0 = Value::Object(entries).to_string();
        }
    }

    /// These properties with `changes`: null removes a property, and those that are not named stay.
    pub fn merged(&self, changes: serde_json::Map<String, Value>) -> Result<Self, Problem> {
        let mut entries = self.entries();
        for (key, value) in changes {
            if value.is_null() {
                entries.shift_remove(&key);
            } else {
                entries.insert(key, value);
            }
        }
        let text = Value::Object(entries).to_string();
        match text.len() {
            ..=Self::MAX_BYTES => Ok(Self(text)),
            actual => Err(Problem::TooLarge { max: Self::MAX_BYTES, actual, unit: "bytes of JSON" }),
        }
    }

    /// A single property. Parses the text on each call.
    pub fn get(&self, key: &str) -> Option<Value> {
        // Most objects do not have the key, and searching the text is cheaper than parsing it.
        if !self.0.contains(&format!("\"{key}\"")) {
            return None;
        }
        self.entries().remove(key)
    }
}

impl Default for Properties {
    fn default() -> Self {
        Self("{}".into())
    }
}

impl Serialize for Properties {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 == "{}" {
            return SerializeMap::end(serializer.serialize_map(Some(0))?);
        }
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let object = json::checked_object(deserializer, Self::MAX_DEPTH)?;
        let text = serde_json::to_string(&object).map_err(de::Error::custom)?;
        if text.len() > Self::MAX_BYTES {
            let (max, actual) = (Self::MAX_BYTES, text.len());
            return Err(reject(Problem::TooLarge { max, actual, unit: "bytes of JSON" }));
        }
        Ok(Self(text))
    }
}

impl PartialSchema for Properties {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .additional_properties(Some(AdditionalProperties::FreeForm(true)))
            .description(Some("Free-form: at most 64 KiB of JSON, 32 levels deep"))
            // One extension, because utoipa writes several in random order.
            .extensions(Some(
                Extensions::builder()
                    .add("x-limits", serde_json::json!({ "maxBytes": Self::MAX_BYTES, "maxDepth": Self::MAX_DEPTH }))
                    .build(),
            ))
            .into()
    }
}
impl ToSchema for Properties {}

impl ToSql for Properties {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for Properties {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        String::column_result(value).map(Self)
    }
}

/// Defines an enumeration whose values are the same words in SQL, Rust, JSON, and TypeScript.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $word)] $variant),+
        }

        impl $name {
            /// All values, in declaration order.
            #[allow(dead_code, reason = "not every enumeration is enumerated")]
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The value as a word.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        // A derived implementation would also accept `{"word": null}`.
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
                match &*<String as serde::Deserialize>::deserialize(deserializer)? {
                    $($word => Ok(Self::$variant),)+
                    other => Err(serde::de::Error::unknown_variant(other, &[$($word),+])),
                }
            }
        }

        impl crate::describe::PartialSchema for $name {
            fn schema() -> crate::describe::openapi::RefOr<crate::describe::openapi::Schema> {
                crate::describe::openapi::ObjectBuilder::new()
                    .schema_type(crate::describe::openapi::schema::Type::String)
                    .enum_values(Some([$($word),+])).into()
            }
        }
        impl crate::describe::ToSchema for $name {}

        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                match value.as_str()? {
                    $($word => Ok(Self::$variant),)+
                    other => Err(rusqlite::types::FromSqlError::Other(format!("unknown word {other}").into())),
                }
            }
        }
    };
}

pub(super) use words;

/// Stores a type in SQLite as JSON text.
macro_rules! json_column {
    ($name:ty) => {
        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                let text = serde_json::to_string(self)
                    .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
                Ok(text.into())
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                serde_json::from_str(value.as_str()?)
                    .map_err(|error| rusqlite::types::FromSqlError::Other(error.into()))
            }
        }
    };
}
pub(super) use json_column;

words! {
    /// Who can access a workspace in addition to its members.
    Visibility {
        /// All members of the organization.
        Org = "org",
        /// Only members of the workspace and admins of the organization.
        Members = "members",
        /// Only members of the workspace.
        Private = "private",
    }
}
words! {
    /// What members of the organization can do in a workspace that is visible to the organization.
    #[derive(Default)]
    OrganizationAccess {
        /// Can read.
        #[default]
        View = "view",
        /// Can edit.
        Edit = "edit",
    }
}
words! {
    /// Access level in a workspace. Each level includes the previous ones.
    AccessLevel {
        /// Can read.
        Viewer = "viewer",
        /// Can edit.
        Editor = "editor",
        /// Can manage visibility, the access of the organization and members, and delete the workspace.
        Owner = "owner",
    }
}
words! {
    /// Access level that a user can request in a workspace.
    #[derive(Default)]
    RequestedLevel {
        /// Can edit.
        #[default]
        Editor = "editor",
    }
}
words! {
    /// Role of a person in a team.
    TeamRole {
        /// Team lead.
        Lead = "lead",
        /// Team member.
        Member = "member",
    }
}
words! {
    /// Role of a user in an organization.
    OrgRole {
        /// Can create workspaces, people, and teams.
        Member = "org:member",
        /// Can administer the organization.
        Admin = "org:admin",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(text: &str) -> Result<Properties, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn ids_are_any_line_that_a_url_can_name() {
        for good in ["a", "libstdc++6", "team/api", "100%", "a b", "заказ", "...", &"x".repeat(128)] {
            assert_eq!(Id::new(good).unwrap().as_str(), good);
        }
        for bad in ["", " a", "a ", "a\nb", "a\u{0}", ".", "..", "\u{a0}a", &"x".repeat(129)] {
            assert!(Id::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn names_are_trimmed_first_and_counted_in_characters() {
        assert_eq!(Name::new("  Checkout ").unwrap().as_str(), "Checkout");
        assert!(Name::new("   ").is_err());
        assert!(Name::new(&"ü".repeat(200)).is_ok());
        assert_eq!(Name::new(&"ü".repeat(201)).unwrap_err().to_string(), "must have 1 to 200 characters, has 201");
    }

    #[test]
    fn properties_keep_order_and_numbers_and_lose_white_space() {
        let kept = properties(r#" { "b" : [1, 1.0, -0.5, 18446744073709551615], "a" : { "ü" : null } } "#).unwrap();
        assert_eq!(serde_json::to_string(&kept).unwrap(), r#"{"b":[1,1.0,-0.5,18446744073709551615],"a":{"ü":null}}"#);
        assert_eq!(kept.get("a").unwrap()["ü"], Value::Null);
        assert_eq!(kept.get("c"), None);
    }

    #[test]
    fn properties_are_limited() {
        let deep = |levels: usize| format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
        assert!(properties(&deep(32)).is_ok());
        assert!(properties(&deep(33)).unwrap_err().contains("32 levels"));
        assert!(properties(r#"{"a":1,"a":2}"#).unwrap_err().contains("`a`"));
        assert!(properties(r#"{"a":{"b":1,"b":2}}"#).unwrap_err().contains("`b`"));
        assert!(properties(r#"{"a":1e999}"#).is_err());
        assert!(properties(r#"{"a":NaN}"#).is_err());
        assert!(properties(r#"{"a":"\ud800"}"#).is_err(), "half a surrogate pair");
        assert!(properties("[]").is_err());
        assert!(properties(&format!(r#"{{"a":"{}"}}"#, "x".repeat(65_528))).is_ok());
        assert!(properties(&format!(r#"{{"a":"{}"}}"#, "x".repeat(65_529))).unwrap_err().contains("65536"));
    }
}
