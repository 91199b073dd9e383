//! Pictures from elsewhere: fetched under the guards of [`outbound`](crate::outbound), and looked at before they are kept.
//!
//! What a picture is, its bytes say: neither the name in the address nor what its server calls it is believed. It is passed
//! on as it came, without being drawn here: a picture of at most 1 MiB and 16 million pixels harms no browser, and a decoder
//! for six formats would be the larger risk. SVG, which the wiki's own icons are, can hold programs; it is taken only when
//! there is nothing in it but shapes (`svg`).

mod size;
mod svg;

use std::time::{Duration, Instant};

use imagesize::{Compression, ImageType};
use url::Url;

use crate::{
    outbound::{Asked, Method, Outbound, Problem, Rules},
    secret::Secret,
};

/// Largest picture, in bytes.
pub const LARGEST: u64 = 1 << 20;
/// Longest time for a picture to come.
pub const PATIENCE: Duration = Duration::from_secs(6);
/// Most pixels, and most of them on one side: what a browser makes of them takes four bytes each.
const PIXELS: usize = 1 << 24;
const SIDE: usize = 8_192;
/// Most pixels of what moves, which a browser draws again and again.
const MOVING: usize = 1 << 20;
/// What is asked for.
const KINDS: &str = "image/avif,image/webp,image/png,image/jpeg,image/gif,image/svg+xml";

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// What it is, for `Content-Type`.
    pub media_type: &'static str,
    /// As they came.
    pub bytes: Vec<u8>,
}

/// Why a picture did not come: the end of a sentence, for people. It says no more of the address than they know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// Its server answers with this status.
    #[error("its server answers {0}")]
    Status(u16),
    /// Anything else.
    #[error("{0}")]
    Otherwise(String),
}

impl From<String> for Missing {
    fn from(why: String) -> Self {
        Self::Otherwise(why)
    }
}

/// Where pictures come from.
#[derive(Debug, Clone)]
pub struct Source {
    /// For addresses of the internet.
    open: Outbound,
    /// For those that the operator has configured.
    own: Outbound,
    bases: Vec<Url>,
}

impl Source {
    /// Takes pictures from the internet over https, and from below `bases`, which may be plain http and in a private
    /// network.
    pub fn new(bases: Vec<Url>) -> Self {
        let own = Rules { allow_private: true, trusted: bases.clone() };
        Self { open: Outbound::new(Rules::default()), own: Outbound::new(own), bases }
    }

    /// Fetches a picture. It blocks.
    pub fn fetch(&self, address: &str) -> Result<Picture, Missing> {
        self.fetch_and_tell(address, further)
    }

    /// The same from an address that nobody is told, nor where it leads.
    pub fn fetch_secret(&self, address: &Secret) -> Result<Picture, Missing> {
        self.fetch_and_tell(address.reveal(), |_, _| String::new())
    }

    fn fetch_and_tell(
        &self,
        address: &str,
        further: impl Fn(&Url, Option<&str>) -> String,
    ) -> Result<Picture, Missing> {
        let url = Url::parse(address).map_err(|error| format!("it is no address: {error}"))?;
        let deadline = Instant::now() + PATIENCE;
        let headers = [("Accept", KINDS)];
        let asked = Asked { method: Method::Get, url: &url, headers: &headers, body: None, deadline, largest: LARGEST };
        let through =
            if self.bases.iter().any(|base| crate::outbound::begins_with(&url, base)) { &self.own } else { &self.open };
        let answer = through.ask(&asked).map_err(|problem| why(&url, &problem))?;
        match answer.status {
            200 => Ok(look_at(answer.body)?),
            300..400 => {
                let further = further(&url, answer.header("location"));
                Err(format!("the address leads on to another, which is not followed{further}").into())
            }
            status => Err(Missing::Status(status)),
        }
    }
}

/// Where a redirect leads, for people to use instead.
fn further(url: &Url, location: Option<&str>) -> String {
    let to = location.and_then(|to| url.join(to).ok()).filter(|to| to.scheme() == "https" && to.as_str().len() <= 200);
    to.map_or_else(String::new, |to| format!("; give that one instead: {to}"))
}

fn why(url: &Url, problem: &Problem) -> String {
    tracing::info!(host = url.host_str(), %problem, "a picture did not come");
    match problem {
        Problem::Refused(why) => why.clone(),
        Problem::TimedOut => format!("its server does not answer within {} s", PATIENCE.as_secs()),
        Problem::TooLarge(most) => format!("it is larger than {} KiB", most >> 10),
        // What went wrong between two servers is for the log.
        Problem::Failed(_) => "its server cannot be reached".into(),
    }
}

/// What a kind of picture is called; none when it is not shown.
fn media_type(kind: ImageType) -> Option<&'static str> {
    match kind {
        ImageType::Png => Some("image/png"),
        ImageType::Jpeg => Some("image/jpeg"),
        ImageType::Gif => Some("image/gif"),
        ImageType::Webp => Some("image/webp"),
        ImageType::Heif(Compression::Av1) => Some("image/avif"),
        _ => None,
    }
}

/// Finds out what came, and refuses what is no picture.
fn look_at(bytes: Vec<u8>) -> Result<Picture, String> {
    let kind = imagesize::image_type(&bytes).ok();
    let (Some(kind), Some(media_type)) = (kind, kind.and_then(media_type)) else {
        svg::check(&bytes)?;
        return Ok(Picture { media_type: "image/svg+xml; charset=utf-8", bytes });
    };
    let size = size::of(kind, &bytes).ok_or_else(|| "it is broken: it does not say how large it is".to_owned())?;
    let (pixels, what) = if size.moves { (MOVING, ", and moves") } else { (PIXELS, "") };
    if size.width > SIDE || size.height > SIDE || size.width.saturating_mul(size.height) > pixels {
        return Err(format!("it has too many pixels: {} × {}{what}", size.width, size.height));
    }
    Ok(Picture { media_type, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The beginning of a PNG of this size.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend([8, 6, 0, 0, 0]);
        bytes
    }

    fn said(bytes: &[u8]) -> Result<&'static str, String> {
        look_at(bytes.to_vec()).map(|picture| picture.media_type)
    }

    #[test]
    fn what_a_picture_is_its_bytes_say() {
        let webp = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\x01\x40\0\0\0\0\0\0\0\0\0\0\0";
        let jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x0b\x08\0\x02\0\x03\x01\x01\x11\0\xff\xd9";
        for (bytes, kind) in [
            (&png(3, 2)[..], "image/png"),
            (jpeg, "image/jpeg"),
            (b"GIF89a\x03\0\x02\0\0\0\0", "image/gif"),
            (webp, "image/webp"),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml; charset=utf-8"),
        ] {
            assert_eq!(said(bytes), Ok(kind));
        }
    }

    #[test]
    fn what_is_no_picture_or_a_huge_one_is_refused() {
        for (bytes, why) in [
            (&b"<!doctype html><img src=x onerror=alert(1)>"[..], "no picture"),
            (b"", "no picture"),
            (b"%PDF-1.7", "no picture"),
            (b"BM\x1e\0\0\0", "no picture"),
            (&png(3, 2)[..20], "broken"),
            (&png(8_193, 1), "too many pixels"),
            (&png(8_000, 8_000), "too many pixels"),
            (&png(u32::MAX, u32::MAX), "too many pixels"),
            (b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x70\x17\x70\x17\0", "too many pixels: 6000 × 6000"),
            (b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\0\0\0\0\x16\0\0\0", "no picture"),
            (&[&png(2_000, 2_000)[..], b"cccc\0\0\0\x08acTL"].concat(), "too many pixels: 2000 × 2000, and moves"),
        ] {
            let told = said(bytes).unwrap_err();
            assert!(told.contains(why), "{told}");
        }
    }

    #[test]
    fn where_a_redirect_leads_is_told_when_it_could_be_used() {
        let url = Url::parse("https://a.org/x").unwrap();
        assert_eq!(further(&url, Some("/y.png")), "; give that one instead: https://a.org/y.png");
        for useless in [None, Some("http://a.org/"), Some("javascript:alert(1)"), Some(&*"x".repeat(300))] {
            assert_eq!(further(&url, useless), "");
        }
    }
}
