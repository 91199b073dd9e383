//! The shapes of cards, as paths whose coordinates are relative to the size of the card.

use std::{collections::HashMap, fmt::Write, sync::LazyLock};

use serde::Deserialize;

/// The shape of components whose type has no other.
const DEFAULT: &str = "rectangle";

#[derive(Deserialize)]
struct Data {
    shapes: HashMap<String, Shape>,
    types: HashMap<String, String>,
}

/// A shape.
#[derive(Debug, Deserialize)]
pub(super) struct Shape {
    pub outline: String,
    /// Lines inside the outline.
    #[serde(default)]
    pub detail: String,
    /// A filled symbol in the outline color, shown instead of the icon.
    #[serde(default)]
    pub figure: String,
    #[serde(default)]
    pub dash: Vec<f64>,
    /// The margins of the text area.
    pub inset: Inset,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Inset {
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
    pub left: f64,
}

static DATA: LazyLock<Data> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../assets/web/src/core/drawing/shapes.json")).expect("the file is valid")
});

/// The shape of a component that is not drawn as a group.
pub(super) fn shape_of(type_id: &str) -> &'static Shape {
    let name = DATA.types.get(type_id).map_or(DEFAULT, String::as_str);
    &DATA.shapes[name]
}

/// Resolves path data at the given size. Coordinates that cannot be read are zero.
pub(super) fn resolved(path: &str, width: f64, height: f64) -> String {
    let (mut out, mut is_x) = (String::with_capacity(path.len()), true);
    for token in path.split(' ') {
        if !out.is_empty() {
            out.push(' ');
        }
        if token.starts_with(|first: char| first.is_ascii_alphabetic()) {
            out.push_str(token);
            continue;
        }
        let whole = if is_x { width } else { height };
        is_x = !is_x;
        let (share, distance) = token.split_once('%').map_or((0.0, token), |(share, rest)| (number(share), rest));
        let value = ((share / 100.0 * whole + number(distance)) * 100.0 + 0.5).floor() / 100.0 + 0.0;
        let _ = write!(out, "{value}");
    }
    out
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_shares_distances_or_sums() {
        assert_eq!(resolved("M 0 7 L 100%-9 50%+1.5 Z", 180.0, 64.0), "M 0 7 L 171 33.5 Z");
        assert_eq!(resolved("Q 22% -3", 100.0, 10.0), "Q 22 -3");
    }

    #[test]
    fn all_paths_start_with_a_move_and_have_pairs_of_coordinates() {
        for shape in DATA.shapes.values() {
            for path in [&shape.outline, &shape.detail, &shape.figure].into_iter().filter(|path| !path.is_empty()) {
                let resolved = resolved(path, 180.0, 64.0);
                assert!(resolved.starts_with("M "), "{resolved}");
                assert_eq!(resolved.split(' ').filter(|token| token.parse::<f64>().is_ok()).count() % 2, 0);
            }
        }
        assert!(DATA.types.values().all(|name| DATA.shapes.contains_key(name)));
    }
}
