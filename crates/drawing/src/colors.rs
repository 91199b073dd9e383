//! Derives the colors of a card, for both themes, from one color of the catalog. The parameters are those of the web client.

use std::sync::LazyLock;

use serde::Deserialize;

use super::Theme;

#[derive(Deserialize)]
struct Parameters {
    contrast: Contrast,
    light: Values,
    dark: Values,
}

#[derive(Deserialize)]
struct Contrast {
    text: f64,
    edge: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Values {
    paper: String,
    sheet: String,
    ink: String,
    fill: f64,
    note_fill: f64,
    soft: f64,
    edge: f64,
}

static PARAMETERS: LazyLock<Parameters> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../assets/web/src/core/drawing/colors.json")).expect("the file is valid")
});

/// The colors of a card, each `#rrggbb`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CardColors {
    pub fill: String,
    /// Outlines and icons.
    pub edge: String,
    /// Names.
    pub ink: String,
    /// Smaller text.
    pub soft: String,
}

/// The colors of the surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Palette {
    pub paper: &'static str,
    pub sheet: &'static str,
    pub ink: &'static str,
    pub warn: &'static str,
}

impl Palette {
    pub(super) fn of(theme: Theme) -> Self {
        let Values { paper, sheet, ink, .. } = values(theme);
        let warn = match theme {
            Theme::Light => "#8a5a00",
            Theme::Dark => "#f2c26b",
        };
        Self { paper, sheet, ink, warn }
    }
}

type Rgb = [f64; 3];

/// Number of steps in which a color is adjusted until its contrast is sufficient.
const STEPS: u32 = 20;
const GRAY: Rgb = [122.0, 130.0, 140.0];

fn values(theme: Theme) -> &'static Values {
    match theme {
        Theme::Light => &PARAMETERS.light,
        Theme::Dark => &PARAMETERS.dark,
    }
}

/// The colors of a card. Invalid colors are treated as gray.
pub(super) fn card_colors(color: &str, theme: Theme) -> CardColors {
    derived(color, theme, values(theme).fill)
}

/// The colors of a note, whose fill is stronger than that of a card.
pub(super) fn note_colors(color: &str, theme: Theme) -> CardColors {
    derived(color, theme, values(theme).note_fill)
}

/// A valid color in a form that needs no escaping; gray for others.
pub(super) fn plain(color: &str) -> String {
    format(parse(color))
}

/// The color of a line: lightened by a third on dark backgrounds.
pub(super) fn line_color(color: &str, theme: Theme) -> String {
    match theme {
        Theme::Light => plain(color),
        Theme::Dark => format(parse(color).map(|part| (part + (255.0 - part) / 3.0 + 0.5).floor())),
    }
}

fn derived(color: &str, theme: Theme, share: f64) -> CardColors {
    let (Contrast { text, edge: least }, values) = (&PARAMETERS.contrast, values(theme));
    let color = parse(color);
    let [paper, sheet, ink] = [&values.paper, &values.sheet, &values.ink].map(|color| parse(color));
    let fill = approach(mix(sheet, color, share), sheet, |one| ratio(ink, one) >= *text);
    let soft = approach(mix(fill, ink, values.soft), ink, |one| ratio(one, fill) >= *text);
    let is_visible = |one| ratio(one, fill) >= *least && ratio(one, paper) >= *least;
    let edge = approach(mix(ink, color, values.edge), ink, is_visible);
    CardColors { fill: format(fill), edge: format(edge), ink: format(ink), soft: format(soft) }
}

/// Moves a color toward another one, step by step, until `is_good` accepts it.
fn approach(from: Rgb, to: Rgb, is_good: impl Fn(Rgb) -> bool) -> Rgb {
    let mut steps = (0..STEPS).map(|step| mix(from, to, f64::from(step) / f64::from(STEPS)));
    steps.find(|color| is_good(*color)).unwrap_or(to)
}

/// Mixes `share` of the second color into the first, in sRGB.
fn mix(one: Rgb, other: Rgb, share: f64) -> Rgb {
    std::array::from_fn(|at| (one[at] + (other[at] - one[at]) * share + 0.5).floor())
}

/// The WCAG contrast ratio of two colors.
fn ratio(one: Rgb, other: Rgb) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(color: Rgb) -> f64 {
    let [r, g, b] = color.map(|part| {
        let value = part / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn parse(color: &str) -> Rgb {
    let digits = color.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii());
    let part = |at: usize| Some(f64::from(u8::from_str_radix(digits?.get(at..at + 2)?, 16).ok()?));
    match (part(0), part(2), part(4)) {
        (Some(r), Some(g), Some(b)) => [r, g, b],
        _ => GRAY,
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the parts are from 0 to 255")]
fn format(color: Rgb) -> String {
    let [r, g, b] = color.map(|part| part as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}
