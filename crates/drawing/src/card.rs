//! The size of a card and the rows that fit on it, from its texts and the metrics of the web client.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{
    shapes::Shape,
    text::{Face, text_width, wrap},
};

/// The metrics of cards.
#[derive(Deserialize)]
pub(super) struct Metrics {
    pub width: Range,
    pub height: Range,
    pub gap: Gap,
    pub icon: Mark,
    pub name: TextMetrics,
    pub note: TextMetrics,
    pub description: TextMetrics,
    pub lifecycle: Mark,
    pub owner: Mark,
}

#[derive(Deserialize)]
pub(super) struct Range {
    pub min: f64,
    pub max: f64,
    pub step: f64,
}

impl Range {
    /// All sizes, smallest first.
    fn steps(&self) -> impl Iterator<Item = f64> {
        std::iter::successors(Some(self.min), |size| Some(size + self.step)).take_while(|size| *size <= self.max)
    }
}

#[derive(Deserialize)]
pub(super) struct Gap {
    pub x: f64,
    pub y: f64,
    pub diagonal: f64,
}

#[derive(Deserialize)]
pub(super) struct Mark {
    pub size: f64,
    pub gap: f64,
}

#[derive(Deserialize)]
pub(super) struct TextMetrics {
    pub face: Face,
    pub size: f64,
    pub line: f64,
    #[serde(default)]
    pub lines: usize,
    /// The distance to the rows above.
    #[serde(default)]
    pub gap: f64,
}

/// The metrics that the web client has too.
pub(super) static METRICS: LazyLock<Metrics> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../assets/web/src/core/drawing/card.json")).expect("the file is valid")
});

/// The texts of a card.
#[derive(Debug, Clone)]
pub(super) struct Content<'m> {
    pub shape: &'static Shape,
    pub name: &'m str,
    /// The type and the first technology.
    pub note: String,
    pub description: String,
    pub has_owner: bool,
    pub has_lifecycle: bool,
}

/// The rows that fit on a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rows {
    pub name_lines: usize,
    pub has_note: bool,
    pub description_lines: usize,
}

impl Content<'_> {
    /// Width available to the right of the icon.
    pub(super) fn room(&self, width: f64) -> f64 {
        let Shape { inset, figure, .. } = self.shape;
        let icon = if figure.is_empty() { METRICS.icon.size + METRICS.icon.gap } else { 0.0 };
        width - inset.left - inset.right - icon
    }

    fn name_lines(&self, width: f64) -> usize {
        let TextMetrics { face, size, lines, .. } = METRICS.name;
        // Wraps at one line more than allowed, to detect truncation.
        wrap(self.name, size, self.room(width), lines + 1, face).len()
    }

    fn note_fits(&self, width: f64) -> bool {
        let TextMetrics { face, size, .. } = METRICS.note;
        let mark = if self.has_lifecycle { METRICS.lifecycle.size + METRICS.lifecycle.gap } else { 0.0 };
        let owner = if self.has_owner { METRICS.owner.size + METRICS.owner.gap } else { 0.0 };
        mark + text_width(&self.note, size, face) + owner <= self.room(width)
    }

    /// The narrowest width at which the name fits on one line, else the narrowest at which it fits on two, else the
    /// maximum. Wider if the small text then fits.
    pub(super) fn preferred_width(&self) -> f64 {
        let lines: Vec<(f64, usize)> = METRICS.width.steps().map(|width| (width, self.name_lines(width))).collect();
        let least = lines.iter().map(|(_, lines)| *lines).min().unwrap_or(1);
        let allowed = least.max(1).min(METRICS.name.lines);
        let enough = || lines.iter().filter(|(_, lines)| *lines <= allowed).map(|(width, _)| *width);
        enough().find(|width| self.note_fits(*width)).or_else(|| enough().next()).unwrap_or(METRICS.width.max)
    }

    /// The height at which all rows fit on a card of this width.
    pub(super) fn preferred_height(&self, width: f64) -> f64 {
        let needed = self.shape.inset.top + self.shape.inset.bottom + rows_height(self.all_rows(width));
        METRICS.height.steps().find(|height| *height >= needed).unwrap_or(METRICS.height.max)
    }

    /// The rows that fit. Lines of the description are dropped first, then the small text, then the second line of the name.
    pub(super) fn fitting_rows(&self, width: f64, height: f64) -> Rows {
        let room = height - self.shape.inset.top - self.shape.inset.bottom;
        let mut rows = self.all_rows(width);
        while rows_height(rows) > room {
            match rows {
                Rows { description_lines: 1.., .. } => rows.description_lines -= 1,
                Rows { name_lines: 2.., has_note: true, .. } => rows.has_note = false,
                Rows { name_lines: 2.., .. } => rows.name_lines -= 1,
                _ => break,
            }
        }
        rows
    }

    fn all_rows(&self, width: f64) -> Rows {
        let Shape { inset, .. } = self.shape;
        let TextMetrics { face, size, lines, .. } = METRICS.description;
        let described = !self.description.is_empty();
        let room = width - inset.left - inset.right;
        Rows {
            name_lines: self.name_lines(width).min(METRICS.name.lines),
            has_note: !self.note.is_empty(),
            description_lines: if described { wrap(&self.description, size, room, lines, face).len() } else { 0 },
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a card has few lines")]
fn rows_height(Rows { name_lines, has_note, description_lines }: Rows) -> f64 {
    let text = name_lines as f64 * METRICS.name.line + if has_note { METRICS.note.line } else { 0.0 };
    text.max(METRICS.icon.size) + description_height(description_lines)
}

/// The height of the description with the gap above it.
#[expect(clippy::cast_precision_loss, reason = "a card has few lines")]
pub(super) fn description_height(lines: usize) -> f64 {
    if lines == 0 { 0.0 } else { METRICS.description.gap + lines as f64 * METRICS.description.line }
}
