//! Draws notes, frames and images.
//!
//! The text of a note is drawn as headings, paragraphs, lists and code, in one weight each; links and emphasis inside a
//! paragraph are drawn as plain text.

use std::sync::LazyLock;

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};
use serde::Deserialize;

use super::{
    Theme,
    canvas::Canvas,
    colors::note_colors,
    geometry::{Point, Rect},
    map::{Note, NoteKind},
    text::{Face, text_width, wrap},
    xml::{Num, Xml},
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metrics {
    sizes: Sizes,
    padding: f64,
    gap: f64,
    indent: f64,
    radius: f64,
    text: RowMetrics,
    headings: Vec<RowMetrics>,
    frame_title: TitleMetrics,
}

#[derive(Deserialize)]
struct Sizes {
    frame: Extent,
}

#[derive(Deserialize)]
struct Extent {
    width: f64,
    height: f64,
}

#[derive(Clone, Copy, Deserialize)]
struct RowMetrics {
    size: f64,
    line: f64,
}

#[derive(Deserialize)]
struct TitleMetrics {
    size: f64,
    height: f64,
}

static METRICS: LazyLock<Metrics> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../assets/web/src/core/notes/note.json")).expect("the file is valid")
});

/// Longer texts of notes are cut before they are parsed.
pub const MAX_NOTE_CHARS: usize = 8_000;
/// Maximum depth of nested lists that is indented.
const MAX_DEPTH: u8 = 8;
/// Maximum number of rows of a note.
const MAX_ROWS: usize = 400;

/// A paragraph, heading, list item or line of code.
#[derive(Debug, Default)]
struct Block {
    text: String,
    /// 1 to 3 for headings, 0 for others.
    heading: usize,
    depth: u8,
    is_item: bool,
}

fn rect_of(&Note { x, y, width, height, .. }: &Note) -> Rect {
    Rect { x, y, width, height }.near()
}

/// The default width and height of a frame.
pub fn frame_size() -> (f64, f64) {
    let Extent { width, height } = METRICS.sizes.frame;
    (width, height)
}

/// The area that a note needs, including the title above a frame.
pub(super) fn area(note: &Note) -> Rect {
    let above = if note.kind == NoteKind::Frame { METRICS.frame_title.height } else { 0.0 };
    let rect = rect_of(note);
    Rect { y: rect.y - above, height: rect.height + above, ..rect }
}

/// Draws a note.
pub(super) fn draw(canvas: &mut Canvas<'_>, note: &Note, theme: Theme) {
    let (rect, colors) = (rect_of(note), note_colors(&note.color, theme));
    let Rect { x, y, width, height } = rect;
    let corners =
        format!(r#"x="{}" y="{}" width="{}" height="{}""#, Num(x), Num(y), Num(width.max(0.0)), Num(height.max(0.0)));
    match note.kind {
        NoteKind::Frame => {
            let (fill, edge) = (&colors.fill, &colors.edge);
            canvas.push(format_args!(
                r#"<rect {corners} rx="4" fill="{fill}" fill-opacity="0.2" stroke="{edge}" stroke-opacity="0.65"/>"#
            ));
            let TitleMetrics { size, height } = METRICS.frame_title;
            let title = wrap(note.text.lines().next().unwrap_or_default(), size, width, 1, Face::Name);
            let (at, text) = (Point { x, y: y - height / 2.0 }, title.first().map_or("", String::as_str));
            styled(canvas, text, at, size, "t", &colors.soft);
        }
        NoteKind::Note => {
            let (fill, edge, radius) = (&colors.fill, &colors.edge, METRICS.radius);
            canvas.push(format_args!(
                r#"<rect {corners} rx="{radius}" fill="{fill}" stroke="{edge}" stroke-opacity="0.45"/>"#
            ));
            sheet(canvas, &note.text, rect, &colors.ink);
        }
        NoteKind::Image => {
            canvas.push(format_args!("<g><title>{}</title>", Xml(&note.text)));
            canvas.rect(rect, 0.0, "z");
            canvas.close();
        }
    }
}

/// A line of text in a color that no class has.
fn styled(canvas: &mut Canvas<'_>, text: &str, at: Point, size: f64, class: &str, color: &str) {
    canvas.push(format_args!(r#"<g style="fill:{color}">"#));
    canvas.text(text, at, size, class);
    canvas.close();
}

/// The text of a note. Rows that do not fit are left out, with a mark.
fn sheet(canvas: &mut Canvas<'_>, text: &str, rect: Rect, _ink: &str) {
    let Metrics { padding, gap, indent, text: body, headings, .. } = &*METRICS;
    let (left, room) = (rect.x + padding, rect.height - 2.0 * padding);
    let width = rect.width - 2.0 * padding;
    let mut top = 0.0;
    let mut last = Point { x: left, y: rect.y + padding + body.line / 2.0 };
    let mut rows = 0;
    for block in blocks(text) {
        let (metrics, face, class) = match block.heading {
            0 => (*body, Face::Text, "x"),
            level => (headings.get(level - 1).copied().unwrap_or(*body), Face::Name, "t"),
        };
        let indented = f64::from(block.depth.min(MAX_DEPTH)) * indent;
        let mut bullet = block.is_item;
        for line in block.text.lines() {
            for row in wrap(line, metrics.size, (width - indented).max(1.0), MAX_ROWS - rows, face) {
                let middle = top + metrics.line / 2.0;
                if middle > room || rows + 1 >= MAX_ROWS {
                    canvas.text("…", last, body.size, "x");
                    return;
                }
                let at = Point { x: left + indented, y: rect.y + padding + middle };
                if std::mem::take(&mut bullet) {
                    canvas.text("•", Point { x: at.x - indent * 0.7, y: at.y }, metrics.size, class);
                }
                canvas.text(&row, at, metrics.size, class);
                last = Point { x: at.x + text_width(&row, metrics.size, face), y: at.y };
                top += metrics.line;
                rows += 1;
            }
        }
        top += gap;
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let end = text.char_indices().nth(MAX_NOTE_CHARS).map_or(text.len(), |(at, _)| at);
    let mut blocks: Vec<Block> = Vec::new();
    let (mut block, mut depth) = (Block::default(), 0_u8);
    let mut finish = |block: &mut Block, depth: u8| {
        let done = std::mem::take(block);
        if !done.text.trim().is_empty() {
            blocks.push(Block { depth, ..done });
        }
    };
    for event in Parser::new(&text[..end]) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                finish(&mut block, depth);
                block.heading = match level {
                    HeadingLevel::H1 => 1,
                    HeadingLevel::H2 => 2,
                    _ => 3,
                };
            }
            Event::Start(Tag::List(_)) => {
                finish(&mut block, depth);
                depth = depth.saturating_add(1);
            }
            Event::End(TagEnd::List(_)) => {
                finish(&mut block, depth);
                depth = depth.saturating_sub(1);
            }
            Event::Start(Tag::Item) => {
                finish(&mut block, depth);
                block.is_item = true;
            }
            Event::End(TagEnd::Heading(_) | TagEnd::Paragraph | TagEnd::Item | TagEnd::CodeBlock) | Event::Rule => {
                finish(&mut block, depth);
            }
            Event::Text(part) | Event::Code(part) | Event::Html(part) | Event::InlineHtml(part) => {
                block.text.push_str(&part);
            }
            Event::SoftBreak | Event::HardBreak => block.text.push('\n'),
            _ => {}
        }
    }
    finish(&mut block, depth);
    blocks
}
