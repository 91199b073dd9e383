//! The style sheet of an SVG: one set of classes for each color that occurs.

use std::{collections::HashMap, fmt::Write};

use super::{
    Theme,
    colors::{Palette, card_colors, line_color, plain},
    geometry::Rect,
};

/// The fonts of the map, with similar fonts for programs that do not have them.
pub(super) const LABEL_FONTS: &str =
    "'Barlow Condensed', 'Arial Narrow', 'Liberation Sans Narrow', system-ui, sans-serif";
const TEXT_FONTS: &str = "'Source Sans 3', 'Source Sans 3 Variable', system-ui, sans-serif";
/// Opacity of what is not highlighted.
const DIMMED: f64 = 0.3;

/// Colors in the order in which they occur.
#[derive(Debug, Default)]
struct Colors {
    all: Vec<String>,
    index: HashMap<String, usize>,
}

impl Colors {
    fn index(&mut self, color: &str) -> usize {
        if let Some(at) = self.index.get(color) {
            return *at;
        }
        self.all.push(color.to_owned());
        self.index.insert(color.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }
}

/// Opacity of lines, if there are few of them, and of long lines in dense maps.
const LINE_OPACITY: f64 = 0.9;
const FAINT_OPACITY: f64 = 0.07;
/// Maximum side of an image with dashes. In larger images, dashes would be invisible and very many.
const MAX_DASHED: f64 = 40_000.0;
/// Length of arrow heads, and half their width.
const ARROW_LENGTH: f64 = 8.2;
const ARROW_WIDTH: f64 = 3.4;

/// The colors of an image, each with the number in its classes.
#[derive(Debug)]
pub(super) struct Styles {
    cards: Colors,
    lines: Colors,
    line_strength: f64,
    has_dashes: bool,
}

impl Default for Styles {
    fn default() -> Self {
        Self { cards: Colors::default(), lines: Colors::default(), line_strength: 1.0, has_dashes: true }
    }
}

impl Styles {
    /// The number of a color of cards and groups, in the classes `f` (filled outline), `b` (outline), `e` (figure),
    /// `i` (icon), `s` (small text) and `g` (group).
    pub(super) fn card(&mut self, color: &str) -> usize {
        self.cards.index(color)
    }

    /// The number of a color of lines, in the classes `l` (line) and `m` (arrow head), and in the marker `a`.
    pub(super) fn line(&mut self, color: &str) -> usize {
        self.lines.index(color)
    }

    /// Makes lines fainter, from 0 to 1, and solid if the area of the image is too large for dashes.
    pub(super) fn set_lines(&mut self, strength: f64, area: Rect) {
        self.line_strength = strength;
        self.has_dashes = area.width.max(area.height) <= MAX_DASHED;
    }

    /// The style sheet and the markers.
    pub(super) fn definitions(&self, theme: Theme) -> String {
        let Palette { paper, sheet, ink, warn } = Palette::of(theme);
        let dashes =
            |pattern: &str| if self.has_dashes { format!("stroke-dasharray:{pattern}") } else { String::new() };
        let (of_lines, of_boxes) = (dashes("6 4"), dashes("4 3"));
        let mut css = format!(
            ".paper{{fill:{paper}}}.t{{fill:{ink};font-weight:600}}.p{{fill:{paper};fill-opacity:.92}}.h{{fill:{sheet}}}.q{{fill:{ink};font-weight:500}}\
             .d,.x{{font-family:{TEXT_FONTS};font-weight:400}}.x{{fill:{ink}}}.w{{fill:none;stroke:{warn};stroke-width:1.5}}\
             .o{{opacity:{DIMMED}}}.u{{{of_lines}}}.r{{text-anchor:end}}.c{{text-anchor:middle}}\
             .z{{fill:none;stroke:{ink};stroke-opacity:.4;{of_boxes}}}\
             .y{{fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}}"
        );
        let mut markers = String::new();
        for (at, color) in self.cards.all.iter().enumerate() {
            let (colors, plain) = (card_colors(color, theme), plain(color));
            let (fill, edge, soft) = (colors.fill, colors.edge, colors.soft);
            let _ = write!(
                css,
                ".f{at}{{fill:{fill};stroke:{edge};stroke-width:1.25}}.b{at}{{fill:none;stroke:{edge};stroke-width:1.25}}\
                 .e{at}{{fill:{edge}}}.i{at}{{stroke:{edge}}}.s{at}{{fill:{soft}}}.k{at}{{fill:none;stroke:{soft};stroke-width:1.5}}\
                 .g{at}{{fill:{plain};fill-opacity:.05;stroke:{edge};stroke-opacity:.7;stroke-width:1.25}}"
            );
        }
        let opacity = (LINE_OPACITY * self.line_strength * 100.0).round() / 100.0;
        let width = if self.line_strength < 1.0 { 1.0 } else { 1.2 };
        let height = 2.0 * ARROW_WIDTH;
        for (at, color) in self.lines.all.iter().enumerate() {
            let color = line_color(color, theme);
            let _ = write!(
                css,
                ".l{at}{{fill:none;stroke:{color};stroke-width:{width};stroke-opacity:{opacity}}}.m{at}{{fill:{color};fill-opacity:{opacity}}}"
            );
            let _ = write!(
                markers,
                r#"<marker id="a{at}" viewBox="0 0 {ARROW_LENGTH} {height}" refX="{ARROW_LENGTH}" refY="{ARROW_WIDTH}" markerUnits="userSpaceOnUse" markerWidth="{ARROW_LENGTH}" markerHeight="{height}" orient="auto" overflow="visible"><path d="M0 0L{ARROW_LENGTH} {ARROW_WIDTH}L0 {height}z" class="m{at}"/></marker>"#
            );
        }
        // After the classes of lines, which it changes.
        let _ = write!(css, ".n{{stroke-width:1;stroke-opacity:{FAINT_OPACITY}}}.v{{stroke-opacity:.35}}");
        format!("<style>{css}</style><defs>{markers}</defs>")
    }
}
