//! The icons of types and the logos of technologies, in a 24 × 24 view box.
//!
//! `icons.json` contains the Lucide icons (ISC license) that the web client lists in `TypeIcon.tsx`. The logos are those of
//! the web client.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use super::embedded::{TECHNOLOGIES, decompressed};

/// The icon of types with an unknown icon.
const DEFAULT: &str = "box";

#[derive(Deserialize)]
struct Technology {
    names: Vec<String>,
    path: String,
}

/// The elements of icons by Lucide name. They are drawn as strokes.
static ICONS: LazyLock<HashMap<String, String>> =
    LazyLock::new(|| serde_json::from_str(include_str!("icons.json")).expect("the file is valid"));

/// The paths of logos by normalized name. They are filled.
static LOGOS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    // The order matters: a later technology replaces an earlier one with the same name, but ids replace nothing.
    let all: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(&decompressed(TECHNOLOGIES)).expect("the file is valid");
    let all: Vec<(String, Technology)> =
        all.into_iter().map(|(id, one)| (id, Technology::deserialize(one).expect("the file is valid"))).collect();
    let names = all.iter().flat_map(|(_, one)| one.names.iter().map(|name| (name.clone(), one.path.clone())));
    let mut logos: HashMap<String, String> = names.collect();
    for (id, one) in all {
        logos.entry(name_key(&id)).or_insert(one.path);
    }
    logos
});

/// The elements of an icon.
pub(super) fn icon(name: &str) -> &'static str {
    ICONS.get(name).or_else(|| ICONS.get(DEFAULT)).map_or("", String::as_str)
}

/// The path data of the first technology that has a logo. A version after a name is ignored, as in `PostgreSQL 17.2`.
pub(super) fn logo<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<&'static str> {
    names.into_iter().find_map(|name| {
        let found = LOGOS.get(&name_key(name)).or_else(|| LOGOS.get(&name_key(without_version(name))));
        found.map(String::as_str)
    })
}

fn without_version(name: &str) -> &str {
    let Some((start, version)) = name.rsplit_once(char::is_whitespace) else { return name };
    let digits = version.strip_prefix(['v', 'V']).unwrap_or(version);
    let is_version = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|part| part.is_ascii_alphanumeric() || matches!(part, '.' | '_'));
    if is_version { start } else { name }
}

/// Lowercase letters, digits, `+` and `#`.
fn name_key(name: &str) -> String {
    name.to_lowercase().chars().filter(|part| part.is_alphanumeric() || matches!(part, '+' | '#')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logos_are_found_by_name_without_the_version() {
        assert!(logo(["PostgreSQL 17.2"]).is_some());
        assert_eq!(logo(["PostgreSQL"]), logo(["nothing known", "postgre sql v17"]));
        assert_eq!(logo(["nothing known"]), None);
    }

    #[test]
    fn unknown_icons_are_boxes() {
        assert_eq!(icon("does-not-exist"), icon("box"));
        assert!(icon("server").starts_with("<rect"));
    }
}
