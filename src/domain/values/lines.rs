//! Lines of text with a form of their own.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

text! {
    /// An id of lower-case letters, digits and dashes.
    KebabId, 2..=50, "business-owner", |text| {
        let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let ends = text.starts_with(letter) && text.ends_with(letter);
        if ends && text.chars().all(|c| letter(c) || c == '-') { Ok(text) } else {
            Err("must consist of 2 to 50 lower-case letters, digits and dashes, with no dash at either end".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kebab_ids_have_letters_digits_and_dashes_inside() {
        for good in ["ab", "business-owner", "a--b", "0x", &"a".repeat(50)] {
            assert_eq!(KebabId::new(good).unwrap().as_str(), good);
        }
        for bad in
            ["", "a", "-a", "a-", "A1", "a b", "a_b", "a/b", "a+", "a%", "\u{e9}t\u{e9}", "漢字", &"a".repeat(51)]
        {
            assert!(KebabId::new(bad).is_err(), "{bad:?}");
        }
    }
}
