//! Icons: the text that is stored for an icon, and the current URL of an uploaded one.
//!
//! The provider returns a signed URL for uploads that is valid for about an hour. The URL is a secret: it is cached for
//! a short time, and never stored, returned or logged. Instead, a text is stored that depends only on the location of
//! the upload: it stays the same when the URL is signed again, and changes when another image is uploaded.

use serde_json::Value;
use sha2::{Digest, Sha256};
use url::Url;

use crate::secret::Secret;

/// Maximum length of a stored text in characters: a URL.
const MAX_LENGTH: usize = 2_048;
/// Maximum length of a signed URL in bytes; with a session token they have about 1,600.
const MAX_SIGNED_LENGTH: usize = 8_192;
/// Prefix of the text of an upload.
const UPLOAD: &str = "upload:";
/// Number of hexadecimal digits after the prefix.
const DIGITS: usize = 32;

/// An icon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Icon {
    /// The stored text: an emoji, a permanent URL, or `upload:` and 32 hexadecimal digits.
    pub text: String,
    /// The current signed URL of an upload.
    pub signed: Option<Secret>,
}

/// Whether the text of an icon denotes an upload.
pub fn is_upload(text: &str) -> bool {
    let digits = text.strip_prefix(UPLOAD).unwrap_or_default();
    digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit))
}

/// Parses an icon in the provider's format: <https://developers.notion.com/reference/emoji-object> and
/// <https://developers.notion.com/reference/file-object>.
pub(super) fn read(icon: &Value) -> Option<Icon> {
    let text = |path: &str| icon.pointer(path).and_then(Value::as_str).map(str::to_owned);
    match icon["type"].as_str()? {
        "emoji" => lasting(text("/emoji")?),
        "external" => address(text("/external/url")?),
        "custom_emoji" => address(text("/custom_emoji/url")?),
        "file" => upload(&text("/file/url")?),
        "icon" => {
            let plain = |word: &String| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
            let (name, color) = (text("/icon/name").filter(plain)?, text("/icon/color").filter(plain));
            let color = color.unwrap_or_else(|| "gray".into());
            lasting(format!("https://www.notion.so/icons/{name}_{color}.svg"))
        }
        _ => None,
    }
}

/// The icon at a URL. A signed URL is an upload, whatever type the provider declares.
fn address(address: String) -> Option<Icon> {
    if is_signed(&address) { upload(&address) } else { lasting(address) }
}

/// Whether a URL expires.
fn is_signed(address: &str) -> bool {
    address.contains("X-Amz-Signature=") || address.contains("X-Amz-Expires=")
}

fn lasting(text: String) -> Option<Icon> {
    lasts(&text).then_some(Icon { text, signed: None })
}

/// Whether a text can be stored for an icon: a single line that is not too long, is not a URL that expires, and cannot
/// be mistaken for an upload.
pub(super) fn lasts(text: &str) -> bool {
    let fits = !text.is_empty() && text.chars().count() <= MAX_LENGTH && !text.chars().any(char::is_control);
    fits && !is_signed(text) && !text.starts_with(UPLOAD)
}

/// An upload, identified by its URL without query and fragment.
fn upload(address: &str) -> Option<Icon> {
    let signed = (address.len() <= MAX_SIGNED_LENGTH).then(|| Url::parse(address).ok()).flatten()?;
    let mut place = signed.clone();
    place.set_query(None);
    place.set_fragment(None);
    let hash: [u8; 32] = Sha256::digest(place.as_str()).into();
    let half = u128::from_be_bytes(*hash.first_chunk()?);
    Some(Icon { text: format!("{UPLOAD}{half:0DIGITS$x}"), signed: Some(Secret::new(signed)) })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(icon: &Value) -> Option<String> {
        read(icon).map(|icon| icon.text)
    }

    fn file(url: &str) -> Value {
        json!({ "type": "file", "file": { "url": url, "expiry_time": "2026-03-11T11:00:00.000Z" } })
    }

    #[test]
    fn permanent_icons_are_stored_unchanged() {
        for (icon, kept) in [
            (json!(null), None),
            (json!({ "type": "emoji", "emoji": "🛒" }), Some("🛒")),
            (json!({ "type": "emoji", "emoji": "" }), None),
            (json!({ "type": "external", "external": { "url": "https://a.org/i.png" } }), Some("https://a.org/i.png")),
            (
                json!({ "type": "custom_emoji", "custom_emoji": { "id": "x", "name": "n", "url": "https://a.org/e" } }),
                Some("https://a.org/e"),
            ),
            (
                json!({ "type": "icon", "icon": { "name": "shopping-cart", "color": "blue" } }),
                Some("https://www.notion.so/icons/shopping-cart_blue.svg"),
            ),
            (json!({ "type": "icon", "icon": { "name": "../x" } }), None),
            (json!({ "type": "something new" }), None),
        ] {
            assert_eq!(read(&icon), kept.map(|kept| Icon { text: kept.into(), signed: None }), "{icon}");
        }
    }

    #[test]
    fn an_upload_is_identified_by_its_path_and_its_url_stays_secret() {
        let first = "https://files.example.org/space/one/cart.png?X-Amz-Signature=1#x";
        let icon = read(&file(first)).unwrap();
        assert!(is_upload(&icon.text), "{}", icon.text);
        assert_eq!(icon.signed.as_ref().map(Secret::reveal), Some(first));
        assert!(!format!("{icon:?}").contains("files.example.org"));
        // Signing the URL again gives the same text; another location gives another text.
        let again = text(&file("https://files.example.org/space/one/cart.png?X-Amz-Signature=2"));
        assert_eq!(again.as_deref(), Some(icon.text.as_str()));
        for other in ["https://files.example.org/space/two/cart.png", "https://example.org/space/one/cart.png"] {
            let other = text(&file(other)).unwrap();
            assert!(is_upload(&other) && other != icon.text, "{other}");
        }
        for kind in ["external", "custom_emoji"] {
            assert_eq!(text(&json!({ "type": kind, kind: { "url": first } })), Some(icon.text.clone()), "{kind}");
        }
        for none in ["", "cart.png", &format!("https://a.org/{}", "x".repeat(9_000))] {
            assert_eq!(read(&file(none)), None);
        }
    }

    #[test]
    fn only_upload_urls_are_treated_as_uploads() {
        for text in ["", "🛒", "upload:", "https://a.org/", "upload:0123", &format!("upload:{}", "G".repeat(32))] {
            assert!(!is_upload(text), "{text}");
        }
        let pretended = format!("upload:{}", "0".repeat(32));
        assert_eq!(read(&json!({ "type": "external", "external": { "url": pretended } })), None);
    }
}
