//! Text types, each with its own limits.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// Defines a text type: its length in characters, how it is normalized before that is checked, and the same rules as a
/// pattern for API clients. The pattern is in the ECMAScript dialect, where `\s` is white space.
macro_rules! text {
    ($(#[$doc:meta])* $name:ident, $min:literal..=$max:literal, $(pattern = $pattern:expr,)? $example:literal, $clean:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Minimum length, in characters.
            pub const MIN_CHARS: usize = $min;
            /// Maximum length, in characters.
            pub const MAX_CHARS: usize = $max;

            /// Validates a text.
            pub fn new(text: &str) -> Result<Self, Problem> {
                let clean: fn(&str) -> Result<&str, Problem> = $clean;
                let text = clean(text)?;
                Problem::check_length(text, Self::MIN_CHARS, Self::MAX_CHARS)?;
                Ok(Self(text.to_owned()))
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::new(&String::deserialize(deserializer)?).map_err(reject)
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                ObjectBuilder::new()
                    .schema_type(Type::String)
                    .min_length(Some(Self::MIN_CHARS))
                    .max_length(Some(Self::MAX_CHARS))
                    $(.pattern(Some($pattern)))?
                    .examples([Value::from($example)])
                    .into()
            }
        }
        impl ToSchema for $name {}
    };
}

pub(super) use text;

use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
    },
    error::{Problem, reject},
};

/// Rejects control characters, which a single line must not contain.
pub(super) fn no_control(text: &str) -> Result<&str, Problem> {
    if text.chars().any(char::is_control) { Err("must not contain control characters".into()) } else { Ok(text) }
}

/// Rejects invisible characters, which could disguise a single line. Joiners are accepted between visible characters because
/// some scripts and emoji need them.
pub(super) fn visible(text: &str) -> Result<&str, Problem> {
    without(no_control(text)?, import::is_hidden)?;
    if !text.is_empty() && is_blank(text) { Err("must contain visible characters".into()) } else { Ok(text) }
}

/// Rejects invisible characters and joiners, which could make an identifier look like another one.
fn plain(text: &str) -> Result<&str, Problem> {
    without(visible(text)?, import::is_joiner)
}

fn without(text: &str, is_rejected: fn(char) -> bool) -> Result<&str, Problem> {
    match text.chars().find(|c| is_rejected(*c)) {
        None => Ok(text),
        Some(c) => {
            let code = u32::from(c);
            Err(format!("must not contain the invisible character U+{code:04X}; delete it").into())
        }
    }
}

/// Whether a text shows nothing.
pub(in crate::domain) fn is_blank(text: &str) -> bool {
    text.chars().all(is_invisible)
}

/// Removes the characters that [`visible`] rejects.
pub(in crate::domain) fn without_hidden(text: &str) -> String {
    text.chars().filter(|c| !import::is_hidden(*c)).collect()
}

/// The characters that [`visible`] rejects, for a pattern. Characters above U+FFFF are omitted because not all dialects support
/// them.
macro_rules! hidden {
    () => {
        r"\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffc"
    };
}
pub(super) use hidden;

/// The characters that [`plain`] rejects, for a pattern.
macro_rules! invisible {
    () => {
        concat!(hidden!(), r"\u200c\u200d\ufe0e\ufe0f")
    };
}
pub(super) use invisible;

/// Validates an email address, as far as possible without sending a message to it.
pub(super) fn email(text: &str) -> Result<&str, Problem> {
    let text = plain(text.trim())?;
    if text.contains(char::is_whitespace) {
        return Err("must not contain white space".into());
    }
    match text.split_once('@') {
        // Mail servers rarely accept IP address literals, which have no domain whose owner could be verified.
        Some((_, host)) if host.starts_with('[') => Err("must have a domain after `@`, as in `ada@example.org`".into()),
        Some((name, host)) if !name.is_empty() && !host.is_empty() && !host.contains('@') => Ok(text),
        _ => Err("must be an email address, as in `ada@example.org`".into()),
    }
}

text! {
    /// An id chosen by the client: a single line of any text, because ids are often package names or paths.
    /// Percent-encode it in URLs. `.` and `..` are rejected because browsers remove them from paths, even if encoded.
    Id, 1..=128,
    pattern = r"^(?!\.\.?$)[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?$", "checkout",
    |text| match no_control(text)? {
        "." | ".." => Err("must not be `.` or `..`: no URL can name it".into()),
        text if text.trim() != text => Err("must not begin or end with white space".into()),
        text => Ok(text),
    }
}
text! {
    /// An id, or an empty text that stands for none.
    OptionalId, 0..=128,
    pattern = r"^(?!\.\.?$)([^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?)?$", "grace-hopper",
    |text| match text {
        "" => Ok(text),
        text => Id::new(text).map(|_| text),
    }
}
text! {
    /// A name: a single line. White space at both ends is removed.
    Name, 1..=200,
    pattern = concat!(r"^\s*[^\s", hidden!(), "]([^", hidden!(), r"]*[^\s", hidden!(), r"])?\s*$"), "Checkout",
    |text| visible(text.trim())
}
impl Name {
    /// Creates a name without the hidden characters of a text. Other systems send these characters, and earlier versions
    /// accepted them.
    pub fn cleaned(name: &str) -> Result<Self, Problem> {
        Self::new(&without_hidden(name))
    }

    /// The default name of a copy, cut to the maximum length.
    pub fn copy_of(name: &str) -> Result<Self, Problem> {
        let text: String = format!("Copy of {}", without_hidden(name)).chars().take(Self::MAX_CHARS).collect();
        Self::new(&text)
    }
}

text! {
    /// Text of several lines, stored unchanged.
    Text, 0..=10_000, "Takes orders and charges cards.", |text| Ok(text)
}
text! {
    /// A short message of several lines. White space at both ends is removed.
    Message, 0..=500, "I maintain the checkout service.", |text| Ok(text.trim())
}
text! {
    /// The text of a comment, in Markdown. White space at both ends is removed.
    CommentText, 1..=10_000,
    pattern = concat!(
        r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*[^\s", invisible!(), r"][^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"
    ),
    "Does this still call the old gateway?",
    |text| {
        if text.chars().any(is_control) {
            return Err("must not contain control characters other than tabs and line breaks".into());
        }
        let text = text.trim();
        if !text.is_empty() && is_blank(text) {
            return Err("must contain visible characters".into());
        }
        Ok(text)
    }
}
impl CommentText {
    /// The text without control characters, which earlier versions accepted.
    pub fn cleaned(text: &str) -> Result<Self, Problem> {
        let clean: String = text.chars().filter(|c| !is_control(*c)).collect();
        Self::new(if is_blank(&clean) { "…" } else { &clean })
    }
}

/// Whether a character controls a device, apart from tabs and line breaks.
fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\r' | '\t')
}

/// Whether a character is white space, or only directs how others are shown.
fn is_invisible(c: char) -> bool {
    c.is_whitespace() || import::is_hidden(c) || import::is_joiner(c)
}
text! {
    /// The text of a stop of a tour, of several lines.
    StopText, 0..=1_000, "Orders come in here.", |text| Ok(text)
}
text! {
    /// The reason for a change: a single line. White space at both ends is removed.
    ChangeReason, 1..=500,
    pattern = r"^\s*[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?\s*$",
    "The old server is switched off in May", |text| no_control(text.trim())
}
text! {
    /// A login name: no white space. Case is ignored for the letters a to z.
    Login, 1..=200,
    pattern = concat!(r"^\s*[^\s", invisible!(), r"]+\s*$"), "ada",
    |text| match plain(text.trim())? {
        text if text.contains(char::is_whitespace) => Err("must not contain white space".into()),
        text => Ok(text),
    }
}
impl Login {
    /// A login from a name, without the characters of names that a login cannot contain.
    pub fn of_name(name: &str) -> Result<Self, Problem> {
        let plain: String = name.chars().filter(|c| !import::is_joiner(*c)).collect();
        Self::new(&plain.split_whitespace().collect::<Vec<_>>().join("."))
    }
}
text! {
    /// An email address, validated as far as possible without sending a message to it.
    Email, 3..=254,
    pattern = concat!(r"^\s*[^\s@", invisible!(), r"]+@[^\s@\[", invisible!(), r"][^\s@", invisible!(), r"]*\s*$"), "ada@example.org",
    email
}
text! {
    /// A short name for URLs: lowercase letters, digits, and single dashes between them.
    Slug, 1..=50,
    pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", "acme",
    |text| {
        if text == crate::domain::slug::ascii(text) { Ok(text) } else {
            Err("must consist of lower-case letters, digits and dashes between them".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_from_a_name_has_no_white_space_and_no_joiners() {
        for (name, login) in [("Ada Lovelace", "Ada.Lovelace"), ("a\u{200d}da \u{2764}\u{fe0f}", "ada.\u{2764}")] {
            assert_eq!(Login::of_name(name).unwrap().as_str(), login);
            assert!(Name::new(name).is_ok() && Login::new(name).is_err());
        }
    }
}
