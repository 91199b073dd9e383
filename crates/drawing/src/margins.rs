//! The title and the date above a map, and the caption and the legend below it.

use std::collections::HashSet;

use super::{
    CARD_SIZE, Options,
    canvas::Canvas,
    geometry::{Point, Rect},
    map::Map,
    text::{Face, text_width, wrap},
};

const TITLE_HEIGHT: f64 = 44.0;
const TITLE_SIZE: f64 = 26.0;
const DATE_SIZE: f64 = 15.0;
const ROW: f64 = 26.0;
const SWATCH: f64 = 16.0;
const GAP: f64 = 10.0;
const BETWEEN: f64 = 26.0;
const SIZE: f64 = 15.0;
const CAPTION_ROW: f64 = 26.0;
const CAPTION_SIZE: f64 = 20.0;
/// Maximum number of rows of a caption.
const MAX_CAPTION_ROWS: usize = 4;
/// Width that a caption has at least.
const MIN_CAPTION: f64 = 320.0;
/// Distance to the edge of the image.
const PADDING: f64 = 24.0;
/// Maximum number of entries of a legend.
const MAX_ENTRIES: usize = 60;
/// Maximum width of the text of an entry.
const MAX_TEXT: f64 = 220.0;

/// What is drawn around a map.
#[derive(Debug)]
pub(super) struct Margins {
    entries: Vec<Entry>,
    has_title: bool,
    caption: Vec<(String, Point)>,
}

#[derive(Debug)]
struct Entry {
    is_line: bool,
    color: String,
    text: String,
    at: Point,
}

impl Margins {
    /// Places the margins around `map_area` and returns them with the area of the image.
    pub(super) fn around(map: &Map, options: &Options, map_area: Rect) -> (Self, Rect) {
        let mut area = map_area;
        let has_title = options.title || options.date.is_some();
        if has_title {
            area.y -= TITLE_HEIGHT;
            area.height += TITLE_HEIGHT;
        }
        let caption = caption(map, &mut area);
        let mut entries = if options.legend { entries(map) } else { Vec::new() };
        let (mut x, mut y) = (area.x + PADDING, area.bottom() + ROW / 2.0);
        for entry in &mut entries {
            let width = SWATCH + GAP + text_width(&entry.text, SIZE, Face::Name) + BETWEEN;
            if x + width > area.right() && x > area.x + PADDING {
                (x, y) = (area.x + PADDING, y + ROW);
            }
            entry.at = Point { x, y };
            x += width;
        }
        if !entries.is_empty() {
            area.height = y + ROW / 2.0 + PADDING / 2.0 - area.y;
        }
        let area = if options.is_card { card(area) } else { area };
        (Self { entries, has_title, caption }, area)
    }

    pub(super) fn draw(&self, canvas: &mut Canvas<'_>, map: &Map, options: &Options, area: Rect) {
        if self.has_title {
            let middle = area.y + PADDING / 2.0 + TITLE_HEIGHT / 2.0;
            let date = options.date.as_deref().unwrap_or_default();
            let date_width = text_width(date, DATE_SIZE, Face::Text);
            canvas.text(date, Point { x: area.right() - PADDING, y: middle }, DATE_SIZE, "x r");
            if options.title {
                let room = (area.width - 3.0 * PADDING - date_width).max(0.0);
                let title = wrap(&map.title, TITLE_SIZE, room, 1, Face::Name);
                let at = Point { x: area.x + PADDING, y: middle };
                canvas.text(title.first().map_or("", String::as_str), at, TITLE_SIZE, "t");
            }
        }
        for (row, at) in &self.caption {
            canvas.text(row, *at, CAPTION_SIZE, "t");
        }
        for Entry { is_line, color, text, at } in &self.entries {
            let (x, y) = (at.x, at.y);
            if *is_line {
                let class = format!("l{}", canvas.styles.line(color));
                canvas.rect(Rect { x, y, width: SWATCH, height: 0.1 }, 0.0, &class);
            } else {
                let class = format!("f{}", canvas.styles.card(color));
                canvas.rect(Rect { x, y: y - SWATCH / 2.0, width: SWATCH, height: SWATCH }, 3.0, &class);
            }
            canvas.text(text, Point { x: x + SWATCH + GAP, y }, SIZE, "q");
        }
    }
}

/// The rows of the caption with their places, below an area, which then includes them.
fn caption(map: &Map, area: &mut Rect) -> Vec<(String, Point)> {
    if map.caption.is_empty() {
        return Vec::new();
    }
    let wider = (MIN_CAPTION + 2.0 * PADDING - area.width).max(0.0);
    (area.x, area.width) = (area.x - wider / 2.0, area.width + wider);
    let rows = wrap(&map.caption, CAPTION_SIZE, area.width - 2.0 * PADDING, MAX_CAPTION_ROWS, Face::Name);
    let mut y = area.bottom();
    let place = |row| {
        let at = Point { x: area.x + PADDING, y };
        y += CAPTION_ROW;
        (row, at)
    };
    let placed: Vec<(String, Point)> = rows.into_iter().map(place).collect();
    area.height = y - area.y;
    placed
}

/// The smallest area that contains another one and has the aspect ratio of a link preview.
fn card(area: Rect) -> Rect {
    let ratio = f64::from(CARD_SIZE.0) / f64::from(CARD_SIZE.1);
    let (width, height) = (area.width.max(area.height * ratio), area.height.max(area.width / ratio));
    Rect { x: area.x - (width - area.width) / 2.0, y: area.y - (height - area.height) / 2.0, width, height }
}

/// The types in the map, those of components first, each in the order in which they occur.
fn entries(map: &Map) -> Vec<Entry> {
    let components = map.components.iter().map(|one| (false, &one.type_name, &one.color));
    let relationships = map.relationships.iter().map(|one| (true, &one.type_name, &one.color));
    let mut seen = HashSet::new();
    components
        .chain(relationships)
        .filter(|entry| seen.insert(*entry))
        .take(MAX_ENTRIES)
        .map(|(is_line, name, color)| Entry {
            is_line,
            color: color.clone(),
            text: wrap(name, SIZE, MAX_TEXT, 1, Face::Name).swap_remove(0),
            at: Point::default(),
        })
        .collect()
}
