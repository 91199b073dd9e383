//! Parses URLs: whether they belong to the wiki, and which page or database they refer to.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use url::{Host, Url};

/// Domains of the wiki, including their subdomains.
const HOSTS: [&str; 3] = ["notion.so", "notion.com", "notion.site"];
/// Number of digits of an id.
const DIGITS: usize = 32;
/// Positions of the dashes in an id that is written with dashes.
const DASHES: [usize; 4] = [8, 13, 18, 23];

/// The meaning of a URL for the wiki.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A URL of another site.
    Elsewhere,
    /// A URL of the wiki without the id of a page or database.
    WithoutId,
    /// A page or a database; the URL does not tell which.
    Target {
        /// Id: 32 lowercase hexadecimal digits, without dashes.
        id: String,
    },
}

/// Parses a URL. A page in a peek view (`?p=`) takes precedence, then the path, from its end, then `page_id` and
/// `database_id`. `?v=` is a view of a database and the fragment is a block of a page; both are ignored.
pub fn read(url: &Url) -> Address {
    if !is_ours(url) {
        return Address::Elsewhere;
    }
    let parameter = |name: &str| url.query_pairs().find_map(|(key, value)| (key == name).then(|| whole(&value))?);
    let in_path = || url.path_segments()?.rev().find_map(|segment| at_end(&decoded(segment)));
    parameter("p")
        .or_else(in_path)
        .or_else(|| parameter("page_id"))
        .or_else(|| parameter("database_id"))
        .map_or(Address::WithoutId, |id| Address::Target { id })
}

/// Whether the host is a domain of the wiki or a subdomain: `evilnotion.so` and `notion.so.evil.com` are not.
fn is_ours(url: &Url) -> bool {
    let Some(Host::Domain(host)) = url.host() else { return false };
    // A trailing dot denotes the same host.
    let host = host.strip_suffix('.').unwrap_or(host);
    HOSTS.iter().any(|ours| host.strip_suffix(ours).is_some_and(|below| below.is_empty() || below.ends_with('.')))
}

fn decoded(segment: &str) -> Cow<'_, str> {
    percent_decode_str(segment).decode_utf8_lossy()
}

/// The id, if `text` is one.
pub(super) fn whole(text: &str) -> Option<String> {
    at_end(text).filter(|_| matches!(text.len(), DIGITS | 36))
}

/// The id at the end of `text`. The last 32 digits of a longer run of digits are something else, such as a checksum.
fn at_end(text: &str) -> Option<String> {
    let end = |length: usize| text.len().checked_sub(length).and_then(|at| text.split_at_checked(at));
    let dashed = |id: &str| id.char_indices().all(|(at, c)| DASHES.contains(&at) == (c == '-'));
    let (before, id) = end(DIGITS + DASHES.len())
        .filter(|(_, id)| dashed(id))
        .or_else(|| end(DIGITS))
        .map(|(before, id)| (before, id.replace('-', "")))?;
    let is_id = id.len() == DIGITS && id.bytes().all(|digit| digit.is_ascii_hexdigit());
    let is_alone = !before.ends_with(|last: char| last.is_ascii_hexdigit());
    (is_id && is_alone).then(|| id.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One URL per line, preceded by the expected result.
    const TABLE: &str = include_str!("addresses.txt");

    #[test]
    fn every_url_of_the_table_is_parsed_as_expected() {
        let mut count = 0;
        for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (expected, address) = line.split_once(' ').unwrap_or_else(|| panic!("what is it? {line}"));
            let expected = match expected {
                "elsewhere" => Address::Elsewhere,
                "without-id" => Address::WithoutId,
                id => Address::Target { id: id.to_owned() },
            };
            let url = Url::parse(address.trim()).unwrap_or_else(|error| panic!("{address}: {error}"));
            assert_eq!(read(&url), expected, "{line}");
            count += 1;
        }
        assert!(count >= 40, "{count} are not many");
    }

    #[test]
    fn no_url_causes_a_panic() {
        for text in ["ä".repeat(20), "a".repeat(33), "é".to_owned() + &"0".repeat(32), "-".repeat(36), String::new()]
        {
            at_end(&text);
            whole(&text);
        }
    }
}
