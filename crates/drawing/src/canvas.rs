//! The text of an SVG while it is written.

use std::fmt::Write;

use super::{
    MAX_SVG_BYTES, Refused,
    geometry::{Point, Rect},
    styles::Styles,
    text::{Face, text_width},
    work::Cancellation,
    xml::{Num, Xml},
};

/// Share of the font size between the center of a line of text and its baseline.
const BASELINE: f64 = 0.34;

/// Elements in drawing order, and the colors that they use.
#[derive(Debug)]
pub(super) struct Canvas<'a> {
    pub out: String,
    pub styles: Styles,
    cancellation: &'a Cancellation,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(cancellation: &'a Cancellation) -> Self {
        Self { out: String::new(), styles: Styles::default(), cancellation }
    }

    /// Fails if the elements are too large, or the request is canceled. Call it for each row of the map.
    pub(super) fn check(&self) -> Result<(), Refused> {
        if self.out.len() > MAX_SVG_BYTES {
            return Err(Refused::TooLarge(MAX_SVG_BYTES));
        }
        self.cancellation.check()
    }

    /// Appends markup. Texts in it must be [`Xml`].
    pub(super) fn push(&mut self, markup: std::fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(markup);
    }

    /// A rectangle with rounded corners.
    pub(super) fn rect(&mut self, Rect { x, y, width, height }: Rect, radius: f64, class: &str) {
        self.push(format_args!(
            r#"<rect x="{}" y="{}" width="{}" height="{}""#,
            Num(x),
            Num(y),
            Num(width.max(0.0)),
            Num(height.max(0.0))
        ));
        if radius > 0.0 {
            self.push(format_args!(r#" rx="{}""#, Num(radius)));
        }
        self.push(format_args!(r#" class="{class}"/>"#));
    }

    /// A line of text whose vertical center is the `y` of `at`. Empty texts are not written. Programs that do not have its font
    /// draw it as wide as it is in that font, so that it stays in its place.
    pub(super) fn text(&mut self, text: &str, at: Point, size: f64, class: &str) {
        if !text.is_empty() {
            let baseline = at.y + size * BASELINE;
            let face = match class.as_bytes() {
                [b't', ..] => Face::Name,
                [b'q', ..] => Face::Medium,
                _ => Face::Text,
            };
            self.push(format_args!(
                r#"<text x="{}" y="{}" font-size="{size}" textLength="{}" lengthAdjust="spacingAndGlyphs" class="{class}">{}</text>"#,
                Num(at.x),
                Num(baseline),
                Num(text_width(text, size, face)),
                Xml(text)
            ));
        }
    }

    /// Starts a group for a row. With `key`, it has the attribute `data-id`. Close it with [`Canvas::close`].
    pub(super) fn open(&mut self, key: Option<&str>, more: &str) {
        match key {
            Some(key) => self.push(format_args!(r#"<g data-id="{}"{more}>"#, Xml(key))),
            None => self.push(format_args!("<g{more}>")),
        }
    }

    /// Ends a group.
    pub(super) fn close(&mut self) {
        self.out.push_str("</g>");
    }
}
