//! Sizes and distances on the map. They are read from the files that the web client reads, so that the server leaves room
//! for what is drawn.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

/// Top left corner.
pub(in crate::domain) type Point = (f64, f64);
/// Width and height.
pub(in crate::domain) type Extent = (f64, f64);

/// A rectangle of the map; y points down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::domain) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Rect {
    pub(super) fn new((x, y): Point, (width, height): Extent) -> Self {
        Self { left: x, top: y, right: x + width, bottom: y + height }
    }

    pub(super) fn corner(&self) -> Point {
        (self.left, self.top)
    }

    pub(super) fn center(&self) -> Point {
        (f64::midpoint(self.left, self.right), f64::midpoint(self.top, self.bottom))
    }

    pub(super) fn extent(&self) -> Extent {
        (self.right - self.left, self.bottom - self.top)
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    pub(super) fn contains(&self, other: &Self) -> bool {
        self.left <= other.left && self.top <= other.top && self.right >= other.right && self.bottom >= other.bottom
    }

    pub(super) fn expanded(&self, by: f64) -> Self {
        Self { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    pub(super) fn union(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The frame of a group around these contents.
    pub(super) fn framed(&self) -> Self {
        let (padding, title) = (SIZES.group.padding, SIZES.group.title);
        let right = (self.right + padding).max(self.left - padding + SIZES.card.width.min);
        Self { left: self.left - padding, top: self.top - padding - title, right, bottom: self.bottom + padding }
    }

    /// The area for the contents of a group with this frame.
    pub(super) fn inside(&self) -> Self {
        let (padding, title) = (SIZES.group.padding, SIZES.group.title);
        Self {
            left: self.left + padding,
            top: self.top + padding + title,
            right: self.right - padding,
            bottom: self.bottom - padding,
        }
    }
}

/// The smallest rectangle around all.
pub(super) fn bounds(rects: impl IntoIterator<Item = Rect>) -> Option<Rect> {
    rects.into_iter().reduce(|all, one| all.union(&one))
}

#[derive(Deserialize)]
struct Steps {
    min: f64,
    max: f64,
    step: f64,
}

#[derive(Deserialize)]
struct TextStyle {
    line: f64,
    #[serde(default)]
    size: f64,
    #[serde(default)]
    gap: f64,
    #[serde(default)]
    lines: f64,
}

#[derive(Deserialize)]
struct Icon {
    size: f64,
    gap: f64,
}

#[derive(Deserialize)]
struct CardFile {
    width: Steps,
    height: Steps,
    icon: Icon,
    name: TextStyle,
    note: TextStyle,
    description: TextStyle,
}

#[derive(Deserialize)]
struct Empty {
    width: f64,
    height: f64,
}

#[derive(Deserialize)]
struct GroupFile {
    grid: f64,
    title: f64,
    padding: f64,
    empty: Empty,
}

#[derive(Deserialize)]
struct Span {
    min: f64,
    max: f64,
}

#[derive(Deserialize)]
struct SpacingFile {
    layer: Span,
    node: f64,
    block: f64,
}

#[derive(Deserialize)]
struct Face {
    fallback: f64,
    /// Thousandths of the font size, and the characters that are that wide.
    advances: HashMap<String, String>,
}

#[derive(Deserialize)]
struct NoteFile {
    sizes: NoteSizes,
    padding: f64,
    gap: f64,
    text: TextStyle,
}

#[derive(Deserialize)]
struct NoteSizes {
    note: Empty,
    image: Empty,
}

struct Sizes {
    card: CardFile,
    note: NoteFile,
    group: GroupFile,
    spacing: SpacingFile,
    /// The font of names and labels, and that of notes.
    label: Font,
    text: Font,
}

const CHECKED: &str = "a test reads the file";

/// Widths of characters, relative to the font size.
struct Font {
    advances: HashMap<char, f64>,
    fallback: f64,
}

impl Font {
    fn new(Face { fallback, advances }: Face) -> Self {
        let widths = advances.iter().map(|(width, text)| (width.parse::<f64>().expect(CHECKED) / 1_000.0, text));
        let advances = widths.flat_map(|(width, text)| text.chars().map(move |one| (one, width))).collect();
        Self { advances, fallback: fallback / 1_000.0 }
    }

    fn width(&self, text: impl Iterator<Item = char>) -> f64 {
        let wide = |one| if one > '\u{2e7f}' { 1.0 } else { self.fallback };
        text.map(|one| self.advances.get(&one).copied().unwrap_or_else(|| wide(one))).sum()
    }
}

static SIZES: LazyLock<Sizes> = LazyLock::new(|| {
    let card = include_str!("../../../../assets/web/src/core/drawing/card.json");
    let group = include_str!("../../../../assets/web/src/core/scene/group.json");
    let note = include_str!("../../../../assets/web/src/core/notes/note.json");
    let spacing = include_str!("../../../../assets/web/src/core/layout/spacing.json");
    let advances = include_str!("../../../../assets/web/src/core/drawing/advances.json");
    let mut faces: HashMap<String, Face> = serde_json::from_str(advances).expect(CHECKED);
    let mut font = |name| Font::new(faces.remove(name).expect(CHECKED));
    Sizes {
        card: serde_json::from_str(card).expect(CHECKED),
        note: serde_json::from_str(note).expect(CHECKED),
        group: serde_json::from_str(group).expect(CHECKED),
        spacing: serde_json::from_str(spacing).expect(CHECKED),
        label: font("label-600"),
        text: font("text"),
    }
});

/// The smallest size of a card. Cards grow into free room only.
pub(super) fn card() -> Extent {
    (SIZES.card.width.min, SIZES.card.height.min)
}

/// The size of a group without contents.
pub(super) fn empty_group() -> Extent {
    (SIZES.group.empty.width, SIZES.group.empty.height)
}

/// The size of a group around contents of this size.
pub(super) fn framed((width, height): Extent) -> Extent {
    Rect::new((0.0, 0.0), (width, height)).framed().extent()
}

/// The position of the contents of a group, relative to its frame.
pub(super) fn inset() -> Point {
    (SIZES.group.padding, SIZES.group.padding + SIZES.group.title)
}

/// Spacing of the grid of positions.
pub(super) fn grid() -> f64 {
    SIZES.group.grid
}

/// Distance between neighbors.
pub(super) fn node_gap() -> f64 {
    SIZES.spacing.node
}

/// Distance between parts of a map without relationships between them.
pub(super) fn block_gap() -> f64 {
    SIZES.spacing.block
}

/// Distance between layers with labels of these widths between them, as in the web client.
pub(super) fn layer_gap(mut labels: Vec<f64>) -> f64 {
    let Span { min, max } = SIZES.spacing.layer;
    labels.sort_by(f64::total_cmp);
    let usual = labels.get(labels.len() * 3 / 4).copied().unwrap_or(0.0);
    up(min.max(usual + 2.0 * grid()).min(max))
}

/// Rounds to the grid.
pub(super) fn snap(value: f64) -> f64 {
    (value / grid()).round() * grid()
}

/// Rounds up to the grid.
pub(super) fn up(value: f64) -> f64 {
    (value / grid()).ceil() * grid()
}

/// Width of a text in the font of names, at this font size.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    /// Longer texts are not shown as a whole.
    const MAX_CHARS: usize = 400;
    SIZES.label.width(text.chars().take(MAX_CHARS)) * size
}

/// Width of the label of a relationship.
pub(in crate::domain) fn label_width(text: &str) -> f64 {
    text_width(text, SIZES.card.note.size)
}

/// The size that a card takes for its texts if there is room around it. Words are not broken into lines here, so it is an
/// estimate.
pub(in crate::domain) fn card_size(name: &str, description: Option<&str>) -> Extent {
    /// Space for the outlines of all shapes, at both sides together.
    const OUTLINE: f64 = 20.0;
    /// Share of a line that remains empty where a text is broken.
    const BROKEN: f64 = 1.15;
    let CardFile { width, height, icon, name: face, note, description: below } = &SIZES.card;
    let text = text_width(name, face.size);
    let room = |width: f64| width - OUTLINE - icon.size - icon.gap;
    let widths = || steps(width);
    let (wide, lines) = match widths().find(|wide| text <= room(*wide)) {
        Some(wide) => (wide, 1.0),
        None => (widths().find(|wide| text * BROKEN <= 2.0 * room(*wide)).unwrap_or(width.max), face.lines),
    };
    let rows = match description.map(str::trim).filter(|text| !text.is_empty()) {
        None => 0.0,
        Some(text) => {
            let lines = (text_width(text, below.size) / (wide - OUTLINE)).ceil().min(below.lines);
            below.gap + lines * below.line
        }
    };
    let needed = OUTLINE + lines * face.line + note.line + rows;
    (wide, steps(height).find(|high| *high >= needed).unwrap_or(height.max))
}

/// The size of a note as it is drawn. Its text is not broken into lines here, so the height of a note without one is an
/// estimate.
pub(in crate::domain) fn note_size(text: &str, width: Option<f64>, height: Option<f64>) -> Extent {
    /// Share of a line that remains empty where a text is broken.
    const BROKEN: f64 = 1.1;
    let NoteFile { sizes: NoteSizes { note, .. }, padding, gap, text: style } = &SIZES.note;
    let width = width.unwrap_or(note.width);
    let room = (width - 2.0 * padding).max(style.size);
    let rows = |line: &str| (SIZES.text.width(line.chars()) * style.size * BROKEN / room).ceil().max(1.0) * style.line;
    let paragraphs = text.split("\n\n").map(|part| part.lines().map(rows).sum::<f64>());
    let needed = paragraphs.reduce(|all, one| all + gap + one).unwrap_or(0.0) + 2.0 * padding;
    (width, height.unwrap_or_else(|| up(needed).max(note.height)))
}

/// The size of an image as it is drawn.
pub(in crate::domain) fn image_size(width: Option<f64>, height: Option<f64>) -> Extent {
    let image = &SIZES.note.sizes.image;
    (width.unwrap_or(image.width), height.unwrap_or(image.height))
}

fn steps(of: &Steps) -> impl Iterator<Item = f64> {
    std::iter::successors(Some(of.min), |at| Some(at + of.step)).take_while(|at| *at <= of.max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_web_client() {
        assert_eq!((card(), empty_group(), inset()), ((180.0, 64.0), (280.0, 180.0), (20.0, 60.0)));
        assert_eq!((grid(), node_gap(), block_gap()), (20.0, 60.0, 80.0));
        let around = Rect::new((20.0, 60.0), (180.0, 64.0)).framed();
        assert_eq!(around, Rect::new((0.0, 0.0), (220.0, 144.0)));
        assert_eq!(around.inside(), Rect::new((20.0, 60.0), (180.0, 64.0)));
    }

    #[test]
    fn a_card_with_long_texts_needs_more_room() {
        assert_eq!(card_size("Orders", None), (180.0, 64.0));
        let (width, height) = card_size("Orders and returns of shops", Some("Takes orders and returns of all shops"));
        assert!(width > 180.0 && height > 64.0, "{width} × {height}");
        assert_eq!(card_size(&"Orders ".repeat(20), Some(&"text ".repeat(99))), (260.0, 124.0));
        assert_eq!(card_size("", None), (180.0, 64.0));
    }

    #[test]
    fn a_note_is_as_high_as_its_text() {
        assert_eq!(note_size("", None, None), (200.0, 120.0));
        assert_eq!(note_size("A remark", Some(300.0), Some(80.0)), (300.0, 80.0));
        let (width, height) = note_size(&"Ask the team before. ".repeat(30), None, None);
        assert_eq!((width, height > 400.0), (200.0, true), "{height}");
        assert!(note_size(&"one\n\n".repeat(8), None, None).1 > 200.0);
        assert_eq!(image_size(None, None), (320.0, 240.0));
    }

    #[test]
    fn layers_with_labels_are_farther_apart() {
        let gap = |widths: &[f64]| Some(layer_gap(widths.to_vec()));
        assert_eq!(gap(&[]), Some(100.0));
        assert_eq!(gap(&[10.0, 110.0, 5.0, 120.0]), Some(160.0));
        assert_eq!(gap(&[900.0]), Some(200.0));
    }
}
