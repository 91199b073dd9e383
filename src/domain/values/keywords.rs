//! Lists of keywords: tags and technologies.

use std::fmt;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{SeqAccess, Visitor},
};
use serde_json::json;

use super::texts::no_control;
use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ArrayBuilder, ObjectBuilder, RefOr, Schema, schema::Type},
    },
    error::{Problem, reject},
};

/// Keywords in the order of the request. White space at both ends of a keyword is removed, and so are repeated keywords.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Keywords(Vec<String>);

impl Keywords {
    /// Maximum number of keywords, including repeated ones.
    pub const MAX_ITEMS: usize = 32;
    /// Maximum length of a keyword, in characters.
    pub const MAX_CHARS: usize = 80;

    /// The keywords, in order.
    pub(in crate::domain) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether there are no keywords.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A single keyword.
struct Keyword(String);

impl<'de> Deserialize<'de> for Keyword {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // Line breaks at the ends are white space too.
        let text = no_control(text.trim()).map_err(reject)?;
        Problem::check_length(text, 1, Keywords::MAX_CHARS).map_err(reject)?;
        Ok(Self(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for Keywords {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;

        impl<'de> Visitor<'de> for List {
            type Value = Keywords;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of strings")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Keywords, A::Error> {
                let (mut keywords, mut count) = (Vec::new(), 0);
                while let Some(Keyword(text)) = items.next_element()? {
                    if count == Keywords::MAX_ITEMS {
                        return Err(reject(Problem::Items { min: 0, max: Some(count) }));
                    }
                    count += 1;
                    if !keywords.contains(&text) {
                        keywords.push(text);
                    }
                }
                Ok(Keywords(keywords))
            }
        }

        deserializer.deserialize_seq(List)
    }
}

impl PartialSchema for Keywords {
    fn schema() -> RefOr<Schema> {
        let keyword = ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(Self::MAX_CHARS))
            .pattern(Some(r"^\s*[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?\s*$"));
        ArrayBuilder::new()
            .items(keyword)
            .max_items(Some(Self::MAX_ITEMS))
            .description(Some("Repeated items are removed"))
            .examples([json!(["Rust", "SQLite"])])
            .into()
    }
}
impl ToSchema for Keywords {}

impl ToSql for Keywords {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        if self.is_empty() {
            return Ok("[]".into());
        }
        let text =
            serde_json::to_string(self).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        Ok(text.into())
    }
}

impl FromSql for Keywords {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value.as_str()? {
            "[]" => Ok(Self::default()),
            text => serde_json::from_str(text).map_err(|error| FromSqlError::Other(error.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn read(value: &Value) -> Result<Vec<String>, String> {
        Keywords::deserialize(value).map(|keywords| keywords.0).map_err(|error| error.to_string())
    }

    #[test]
    fn keywords_are_trimmed_and_kept_once_in_order() {
        assert_eq!(read(&json!([" b ", "a", "b", "\u{3000}a\n", "A"])).unwrap(), ["b", "a", "A"]);
        assert!(read(&json!([])).unwrap().is_empty());
    }

    #[test]
    fn keywords_are_limited_in_number_and_length() {
        let many = |count: usize| Value::from((0..count).map(|n| n.to_string()).collect::<Vec<_>>());
        assert_eq!(read(&many(32)).unwrap().len(), 32);
        assert_eq!(read(&many(33)).unwrap_err(), "must have at most 32 items");
        assert_eq!(read(&json!(["ü".repeat(80)])).unwrap(), ["ü".repeat(80)]);
        assert_eq!(read(&json!(["ü".repeat(81)])).unwrap_err(), "must have 1 to 80 characters, has 81");
        assert_eq!(read(&json!([" "])).unwrap_err(), "must have 1 to 80 characters, has 0");
        for bad in [json!("a"), json!({}), json!([1]), json!([null]), json!(["a\tb"]), json!(["a\u{0}b"])] {
            assert!(read(&bad).is_err(), "{bad}");
        }
    }
}
