//! Addresses of photos: of images on other servers, and of uploaded photos.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{PhotoUrl, texts::text};
use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
    },
    error::{Problem, reject},
};

text! {
    /// URL of an image, or `""`. The path of an uploaded photo is accepted if it is the current value.
    PhotoPatch, 0..=2_048,
    pattern = r"^\s*(([hH][tT][tT][pP][sS]?://[^\s\\\x00-\x1f\x7f-\x9f]+|/api/users/[1-9][0-9]{0,17}/photo\?v=[0-9a-f]{32})\s*)?$",
    "https://example.org/grace.jpg",
    |text| {
        let text = text.trim();
        if UploadedPhoto::parse(text).is_some() { Ok(text) } else { PhotoUrl::new(text).map(|_| text) }
    }
}

/// A photo that a user has uploaded, as the address of a photo names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UploadedPhoto<'a> {
    /// The user who uploaded it.
    pub user_id: i64,
    /// Its entity tag.
    pub tag: &'a str,
}

impl<'a> UploadedPhoto<'a> {
    /// Number of characters of an entity tag.
    const TAG_CHARS: usize = 32;

    /// Parses the address of a photo. None for any other address.
    pub fn parse(address: &'a str) -> Option<Self> {
        let (user, tag) = address.strip_prefix("/api/users/")?.split_once("/photo?v=")?;
        let is_id = !user.starts_with('0') && user.len() <= 18 && user.bytes().all(|byte| byte.is_ascii_digit());
        let is_tag = tag.len() == Self::TAG_CHARS && tag.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let user_id = user.parse().ok().filter(|_| is_id && is_tag)?;
        Some(Self { user_id, tag })
    }

    /// The address: the path of the photo, which differs for each photo of a user.
    pub fn address(&self) -> String {
        format!("/api/users/{}/photo?v={}", self.user_id, self.tag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAG: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn the_address_of_an_uploaded_photo_is_parsed() {
        let photo = UploadedPhoto { user_id: 7, tag: TAG };
        assert_eq!(UploadedPhoto::parse(&photo.address()), Some(photo));
        for other in [
            "",
            "https://example.org/api/users/7/photo?v=0123456789abcdef0123456789abcdef",
            "/api/users/07/photo?v=0123456789abcdef0123456789abcdef",
            "/api/users/+7/photo?v=0123456789abcdef0123456789abcdef",
            "/api/users//photo?v=0123456789abcdef0123456789abcdef",
            "/api/users/1234567890123456789/photo?v=0123456789abcdef0123456789abcdef",
            "/api/users/7/photo?v=0123456789ABCDEF0123456789abcdef",
            "/api/users/7/photo?v=0123456789abcdef0123456789abcdef0",
            "/api/users/7/photo?v=",
            "/api/users/7/photo",
        ] {
            assert_eq!(UploadedPhoto::parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_patch_accepts_addresses_of_uploaded_photos() {
        let uploaded = UploadedPhoto { user_id: 7, tag: TAG }.address();
        assert_eq!(PhotoPatch::new(&format!(" {uploaded} ")).unwrap().as_str(), uploaded);
        for good in ["", " ", "https://example.org/a.png"] {
            assert_eq!(PhotoPatch::new(good).unwrap().as_str(), good.trim());
        }
        for bad in ["/api/users/7/photo", "/api/people/7/photo", "javascript:alert(1)", "x"] {
            assert!(PhotoPatch::new(bad).is_err(), "{bad}");
        }
        assert!(PhotoUrl::new(&uploaded).is_err());
    }
}
