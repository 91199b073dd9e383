//! Text measurement and line breaking from the advance widths of the fonts, as in the web client.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

#[derive(Deserialize)]
struct Advances {
    fallback: f64,
    advances: HashMap<String, String>,
}

struct Table {
    fallback: f64,
    widths: HashMap<char, f64>,
}

/// A font face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) enum Face {
    /// Labels on lines.
    #[serde(rename = "label-500")]
    Medium,
    /// Names.
    #[serde(rename = "label-600")]
    Name,
    /// Small text.
    #[serde(rename = "text")]
    Text,
}

static TABLES: LazyLock<[Table; 3]> = LazyLock::new(|| {
    let text = include_str!("../../../assets/web/src/core/drawing/advances.json");
    let mut faces: HashMap<String, Advances> = serde_json::from_str(text).expect("the file is valid");
    ["label-500", "label-600", "text"].map(|face| {
        let Advances { fallback, advances } = faces.remove(face).expect("the file has all faces");
        let widths = advances.iter().flat_map(|(width, characters)| {
            let width = width.parse::<f64>().expect("widths are numbers") / 1000.0;
            characters.chars().map(move |character| (character, width))
        });
        Table { fallback: fallback / 1000.0, widths: widths.collect() }
    })
});

/// Longer texts are truncated before they are measured, in UTF-16 units.
const MAX_LENGTH: usize = 400;

/// Whether a character is as wide as the font is high: Chinese, Japanese, Korean, emoji.
fn is_wide(character: char) -> bool {
    matches!(character,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{9fff}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}'
        | '\u{1f300}'..='\u{1faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The width of a character at size 1.
fn advance(character: char, face: Face) -> f64 {
    let table = &TABLES[face as usize];
    let other = if is_wide(character) { 1.0 } else { table.fallback };
    table.widths.get(&character).copied().unwrap_or(other)
}

/// The width of a text in map units.
pub(super) fn text_width(text: &str, size: f64, face: Face) -> f64 {
    text.chars().map(|character| advance(character, face)).sum::<f64>() * size
}

/// The widths of a growing text at size 1, with and without the space at its end.
#[derive(Clone, Copy, Default)]
struct Growing {
    whole: f64,
    trimmed: f64,
}

impl Growing {
    fn with(mut self, text: &str, face: Face) -> Self {
        for character in text.chars() {
            self.whole += advance(character, face);
            if !character.is_whitespace() {
                self.trimmed = self.whole;
            }
        }
        self
    }
}

/// Breaks a text into at most `most` lines no wider than `width`: between words, after hyphens and slashes, and inside
/// words that are wider than a line. If the text does not fit, the last line ends with “…”.
pub(super) fn wrap(text: &str, size: f64, width: f64, most: usize, face: Face) -> Vec<String> {
    let is_long = text.encode_utf16().nth(MAX_LENGTH).is_some();
    let is_tidy = text.trim() == text && !text.contains("  ") && !text.contains(['\n', '\t', '\r']);
    if !is_long && is_tidy && text_width(text, size, face) <= width {
        return vec![text.to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    let (mut line, mut measured) = (String::new(), Growing::default());
    for piece in pieces(text, size, width, face) {
        let longer = measured.with(&piece, face);
        if line.is_empty() || longer.trimmed * size <= width {
            line.push_str(&piece);
            measured = longer;
            continue;
        }
        measured = Growing::default().with(&piece, face);
        lines.push(std::mem::replace(&mut line, piece));
        if lines.len() > most {
            break;
        }
    }
    lines.push(line);
    let is_cut = lines.len() > most || is_long;
    lines.truncate(most);
    let mut shown: Vec<String> = lines.into_iter().map(|line| line.trim_end().to_owned()).collect();
    if let Some(last) = shown.last_mut().filter(|_| is_cut) {
        *last = cut_to_width(&format!("{last}…"), size, width, face);
    }
    shown
}

/// Splits a text at possible line breaks.
fn pieces(text: &str, size: f64, width: f64, face: Face) -> Vec<String> {
    let mut units = 0;
    let kept: String = text
        .chars()
        .take_while(|character| {
            units += character.len_utf16();
            units <= MAX_LENGTH
        })
        .collect();
    let plain = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut pieces = Vec::new();
    for word in words(&plain) {
        if text_width(word.trim_end(), size, face) <= width {
            pieces.push(word);
            continue;
        }
        let (mut part, mut measured) = (String::new(), 0.0);
        for character in word.chars() {
            let advance = advance(character, face);
            if !part.is_empty() && (measured + advance) * size > width {
                pieces.push(std::mem::take(&mut part));
                measured = 0.0;
            }
            part.push(character);
            measured += advance;
        }
        pieces.push(part);
    }
    pieces
}

/// Words, each with the space, hyphens or slashes after it.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        word.push(character);
        let is_joint = |character: char| matches!(character, '-' | '/');
        let ends = if is_joint(character) {
            !characters.peek().copied().is_some_and(is_joint)
        } else {
            character.is_whitespace()
        };
        if ends {
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn cut_to_width(text: &str, size: f64, width: f64, face: Face) -> String {
    if text_width(text, size, face) <= width {
        return text.to_owned();
    }
    let mut used = text_width("…", size, face);
    let mut buffer = [0; 4];
    let fits = |character: &char| {
        used += text_width(character.encode_utf8(&mut buffer), size, face);
        used <= width
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}
