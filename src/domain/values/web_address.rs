//! URLs of external pages.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use url::Url;

use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
    },
    error::{Problem, reject},
};

/// An `http` or `https` URL of at most 2,048 characters, stored unchanged.
///
/// Browsers follow it, so everything that a browser could interpret differently is rejected: white space and control
/// characters, which browsers remove; `\`, which they replace by `/`; and a URL without `//`, which they treat as
/// relative. A user name before the host is rejected too, because it is a secret or makes a host look like another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebAddress {
    text: String,
    url: Url,
}

impl WebAddress {
    /// Maximum length, in characters.
    pub const MAX_CHARS: usize = 2_048;

    /// Validates a URL.
    pub fn new(text: &str) -> Result<Self, Problem> {
        Problem::check_length(text, 0, Self::MAX_CHARS)?;
        if let Some(strange) = text.chars().find(|c| c.is_control() || c.is_whitespace() || *c == '\\') {
            return Err(format!("must not contain {strange:?}; percent-encode it").into());
        }
        let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        if !matches!(scheme.as_deref(), Some("http" | "https")) {
            return Err("must begin with `https://` or `http://`".into());
        }
        let url = Url::parse(text).map_err(|error| Problem::from(format!("is no address: {error}")))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not contain a user name or password: everyone who sees it could use them".into());
        }
        Ok(Self { text: text.to_owned(), url })
    }

    /// The parsed URL.
    pub fn url(&self) -> &Url {
        &self.url
    }
}

impl From<WebAddress> for String {
    fn from(address: WebAddress) -> Self {
        address.text
    }
}

impl Serialize for WebAddress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for WebAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&String::deserialize(deserializer)?).map_err(reject)
    }
}

impl PartialSchema for WebAddress {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .max_length(Some(Self::MAX_CHARS))
            .pattern(Some(r"^[hH][tT][tT][pP][sS]?://[^\s\\\x00-\x1f\x7f-\x9f]+$"))
            .description(Some("An `http` or `https` address, without a name or password in it"))
            .examples([Value::from("https://example.org/runbook")])
            .into()
    }
}
impl ToSchema for WebAddress {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_kept_as_they_were_written() {
        for good in [
            "https://example.org",
            "HTTP://Example.ORG:8080/a/../b?c=d&e=%20#f",
            "https://пример.рф/путь?é#漢",
            "http://[::1]/",
            "http://localhost/a@b:c",
            "https://@example.org/",
        ] {
            assert_eq!(String::from(WebAddress::new(good).unwrap()), good);
        }
    }

    #[test]
    fn what_browsers_could_read_differently_is_no_address() {
        let cases = [
            ("", "must begin with"),
            ("example.org", "must begin with"),
            ("//example.org", "must begin with"),
            ("https:example.org", "must begin with"),
            ("https:/example.org", "must begin with"),
            ("javascript:alert(1)", "must begin with"),
            ("javascript://example.org/%0Aalert(1)", "must begin with"),
            ("ftp://example.org", "must begin with"),
            ("data:text/html,https://example.org", "must begin with"),
            ("https://", "is no address: empty host"),
            ("https:///", "is no address: empty host"),
            ("https://exa<mple.org", "is no address"),
            ("https://example.org:99999/", "is no address"),
            ("https://1.2.3.256/", "is no address"),
            ("https://[::1/", "is no address"),
            (" https://example.org", "must not contain ' '"),
            ("https://example.org\n", "must not contain '\\n'"),
            ("java\tscript://example.org", "must not contain '\\t'"),
            ("https://example.org/a b", "must not contain ' '"),
            ("https://example.org\\@example.net", "must not contain '\\\\'"),
            ("https://ada:secret@example.org/", "must not contain a user name"),
            ("https://ada@example.org/", "must not contain a user name"),
            ("https://:secret@example.org/", "must not contain a user name"),
        ];
        for (bad, why) in cases {
            let error = WebAddress::new(bad).unwrap_err().to_string();
            assert!(error.contains(why), "{bad}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn the_limit_counts_characters() {
        let address = |length: usize| format!("https://example.org/{}", "ü".repeat(length - 20));
        assert!(WebAddress::new(&address(2_048)).is_ok());
        assert_eq!(
            WebAddress::new(&address(2_049)).unwrap_err().to_string(),
            "must have at most 2048 characters, has 2049"
        );
    }
}
