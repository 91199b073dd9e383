//! Single-line text types. Types of clearable fields accept `""`, because `null` leaves a field unchanged.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{
    WebAddress,
    texts::{email, hidden, invisible, no_control, text, visible, without_hidden},
};
use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
    },
    error::{Problem, reject},
};

text! {
    /// An id of lowercase letters, digits, and dashes.
    KebabId, 2..=50,
    pattern = "^[a-z0-9][a-z0-9-]*[a-z0-9]$", "business-owner",
    |text| {
        let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let ends = text.starts_with(letter) && text.ends_with(letter);
        if ends && text.chars().all(|c| letter(c) || c == '-') { Ok(text) } else {
            Err("must consist of 2 to 50 lower-case letters, digits and dashes, with no dash at either end".into())
        }
    }
}
text! {
    /// A single line; may be empty. White space at both ends is removed.
    Line, 0..=200,
    pattern = concat!(r"^\s*([^\s", hidden!(), "]([^", hidden!(), r"]*[^\s", hidden!(), r"])?\s*)?$"), "Head of payments",
    |text| visible(text.trim())
}
impl Line {
    /// Creates a line without the hidden characters of a text. Earlier versions accepted these characters.
    pub fn cleaned(line: &str) -> Result<Self, Problem> {
        Self::new(&without_hidden(line))
    }
}
text! {
    /// An email address, or `""`.
    ContactEmail, 0..=254,
    pattern = concat!(r"^\s*([^\s@", invisible!(), r"]+@[^\s@\[", invisible!(), r"][^\s@", invisible!(), r"]*\s*)?$"), "grace@example.org",
    |text| if text.trim().is_empty() { Ok("") } else { email(text) }
}
text! {
    /// URL of an image, or `""`.
    PhotoUrl, 0..=2_048,
    pattern = r"^\s*([hH][tT][tT][pP][sS]?://[^\s\\\x00-\x1f\x7f-\x9f]+\s*)?$", "https://example.org/grace.jpg",
    |text| match text.trim() {
        "" => Ok(""),
        text => WebAddress::new(text).map(|_| text),
    }
}
text! {
    /// A search term: a single line. White space at both ends is removed.
    Term, 1..=200,
    pattern = r"^\s*[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?\s*$", "payments",
    |text| no_control(text.trim())
}
text! {
    /// The key of a row in its source, for example the name of a service in a file.
    RowKey, 1..=4_000, "checkout", |text| Ok(text)
}
text! {
    /// The path of a file in a source; may be empty.
    FilePath, 0..=1_000, "deploy/compose.yaml", |text| Ok(text)
}
text! {
    /// The id of a source, chosen by the client: usually a repository and a path in it.
    SourceId, 1..=200,
    pattern = r"^(?!\.\.?$)[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?$",
    "github.com/acme/shop:compose.yaml",
    |text| match no_control(text)? {
        "." | ".." => Err("must not be `.` or `..`: no URL can name it".into()),
        text if text.trim() != text => Err("must not begin or end with white space".into()),
        text => Ok(text),
    }
}
text! {
    /// A label: a single line. White space at both ends is removed.
    Label, 1..=80,
    pattern = r"^\s*[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?\s*$", "Cost center",
    |text| no_control(text.trim())
}
text! {
    /// The name of a property that is a field of a kind: ASCII letters, digits, `-` and `_`, beginning with a letter.
    FieldKey, 1..=50,
    pattern = "^[A-Za-z][A-Za-z0-9_-]*$", "costCenter",
    |text| {
        let rest = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(rest) { Ok(text) } else {
            Err("must consist of letters a to z, digits, `-` and `_`, and begin with a letter".into())
        }
    }
}
text! {
    /// Id of a technology logo, or `""`.
    Logo, 0..=50,
    pattern = "^[a-z0-9-]*$", "postgresql",
    |text| {
        let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if text.chars().all(letter) { Ok(text) } else {
            Err("must consist of lower-case letters, digits and dashes".into())
        }
    }
}
text! {
    /// A color: `#RRGGBB`.
    Color, 7..=7,
    pattern = "^#[0-9a-fA-F]{6}$", "#2563EB",
    |text| match text.strip_prefix('#') {
        Some(digits) if digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => Ok(text),
        _ => Err("must be a color of six hexadecimal digits, as in `#2563EB`".into()),
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

    #[test]
    fn what_may_be_emptied_takes_nothing_or_the_right_form() {
        for good in ["", " ", "grace@example.org"] {
            assert_eq!(ContactEmail::new(good).unwrap().as_str(), good.trim());
        }
        for bad in ["grace", "@", "a@", "@b", "a@b@c", "a b@c", "a\n@b", &format!("{}@b", "a".repeat(260))] {
            assert!(ContactEmail::new(bad).is_err(), "{bad:?}");
        }
        let long = |length: usize| format!("https://x/{}", "a".repeat(length - 10));
        for good in ["", "http://x", "HTTPS://example.org/a?b#c", &long(2_048)] {
            assert!(PhotoUrl::new(good).is_ok(), "{good:?}");
        }
        for bad in [
            "x",
            "//x",
            "ftp://x",
            "javascript:alert(1)",
            "data:image/png;base64,",
            "http://",
            "https://a b",
            &long(2_049),
        ] {
            assert!(PhotoUrl::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_colour_has_six_digits() {
        assert!(Color::new("#2563eB").is_ok());
        for bad in ["", "#256", "2563EB", "#2563EG", "#2563EB0", "#2563E ", "blue", "##2563E", "#２563E"] {
            assert!(Color::new(bad).is_err(), "{bad:?}");
        }
    }
}
