//! The fonts of PNG and PDF images: those in the program, and those of the machine in configured directories.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use resvg::usvg::{self, FontResolver, fontdb};

use super::{
    Cancellation, Refused,
    embedded::{FACES, decompressed},
};

/// Maximum number of fonts for one text, because each of them lays out the text again. Characters of further fonts are drawn as boxes.
const MAX_FONTS_IN_A_TEXT: usize = 8;
/// Maximum work for parsing an SVG, laying out its texts, and drawing its pixels. A step takes about a nanosecond.
const MAX_STEPS: usize = 3_300_000_000;
/// Maximum number of characters in a PNG or PDF, because the outline of each of them is kept until the image is finished: up to a
/// kilobyte.
pub const MAX_CHARACTERS: usize = 300_000;
/// Steps for a character in a text, for an element, and for comparing an element with a rule of the style sheet.
const STEPS_OF_CHARACTER: usize = 4_000;
const STEPS_OF_ELEMENT: usize = 6_000;
const STEPS_OF_RULE: usize = 15;
/// Steps for a byte of an attribute.
const STEPS_OF_BYTE: usize = 50;

/// The fonts that images are drawn with. Clones share them.
#[derive(Debug, Clone)]
pub struct Fonts {
    database: Arc<fontdb::Database>,
    /// Whether a missing face has been logged.
    is_reported: Arc<AtomicBool>,
}

impl Default for Fonts {
    fn default() -> Self {
        Self::load(&[])
    }
}

impl Fonts {
    /// The fonts in the program, and all fonts in `directories` and the directories in them. Directories that cannot be
    /// read are skipped. Only the headers of their fonts are read; a font is read when an image needs it.
    ///
    /// # Panics
    /// Never: the fonts in the program are valid.
    pub fn load(directories: &[PathBuf]) -> Self {
        let mut database = fontdb::Database::new();
        for compressed in FACES {
            database.load_font_data(decompressed(compressed));
        }
        Self::with_directories(database, directories)
    }

    /// Only the fonts in `directories`.
    #[cfg(test)]
    pub(super) fn only(directories: &[PathBuf]) -> Self {
        Self::with_directories(fontdb::Database::new(), directories)
    }

    /// A font file.
    #[cfg(test)]
    pub(super) fn face_for_tests() -> Vec<u8> {
        decompressed(FACES[1])
    }

    fn with_directories(mut database: fontdb::Database, directories: &[PathBuf]) -> Self {
        let mut found = fontdb::Database::new();
        for directory in directories {
            found.load_fonts_dir(directory);
        }
        // The first face that has a character is used.
        let mut faces: Vec<&fontdb::FaceInfo> = found.faces().collect();
        faces.sort_by_cached_key(|face| preference(face));
        for face in faces {
            database.push_face_info(face.clone());
        }
        database.set_sans_serif_family("Barlow Condensed");
        Self { database: Arc::new(database), is_reported: Arc::default() }
    }

    /// Parses an SVG with these fonts. Also returns the remaining steps for its pixels.
    pub(super) fn tree(&self, svg: &str, cancellation: &Cancellation) -> Result<(usvg::Tree, usize), Refused> {
        let left = left_of(MAX_STEPS, svg).ok_or(Refused::TooMuchWork)?;
        let fallback = FontResolver::default_fallback_selector();
        let is_reported = Arc::clone(&self.is_reported);
        // One character can require reading every font on the machine.
        let known = Mutex::new(HashMap::new());
        let resolver = FontResolver {
            select_font: FontResolver::default_font_selector(),
            select_fallback: Box::new(move |character, tried, database| {
                if tried.len() >= MAX_FONTS_IN_A_TEXT {
                    return None;
                }
                let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
                let search = || fallback(character, tried, database);
                let found = *known.entry((character, tried.to_vec())).or_insert_with(search);
                if found.is_none() && !is_reported.swap(true, Ordering::Relaxed) {
                    let character = format!("U+{:04X}", u32::from(character));
                    tracing::warn!(
                        character,
                        "no font for a character in an image, so it is drawn as a box; see `fonts` in the configuration"
                    );
                }
                found
            }),
        };
        let options = usvg::Options {
            fontdb: Arc::clone(&self.database),
            font_family: "Barlow Condensed".to_owned(),
            font_resolver: resolver,
            ..usvg::Options::default()
        };
        let tree = usvg::Tree::from_str(svg, &options).map_err(|error| Refused::Failed(error.to_string()))?;
        cancellation.check()?;
        Ok((tree, left))
    }
}

/// The rest of `most` steps after parsing an SVG of this program, by an estimate. `None` if it must not be parsed.
fn left_of(most: usize, svg: &str) -> Option<usize> {
    let (styles, drawing) = svg.split_once("</style>").unwrap_or(("", svg));
    let rules = styles.matches('{').count();
    let (mut elements, mut characters) = (0, 0);
    for part in drawing.split('>') {
        let (text, tag) = part.split_once('<').unwrap_or((part, "/"));
        elements += usize::from(!tag.starts_with('/'));
        characters += text.chars().count();
    }
    if characters > MAX_CHARACTERS {
        return None;
    }
    let of_elements = elements.saturating_mul(STEPS_OF_ELEMENT.saturating_add(rules.saturating_mul(STEPS_OF_RULE)));
    let of_texts = characters.saturating_mul(STEPS_OF_CHARACTER);
    most.checked_sub(of_elements.saturating_add(of_texts).saturating_add(svg.len().saturating_mul(STEPS_OF_BYTE)))
}

/// The order of fonts of the machine: sans-serif like the fonts in the program before others, then medium weights, then by
/// name, so that the order does not depend on the file system.
fn preference(face: &fontdb::FaceInfo) -> (bool, u16, String) {
    let name = &face.post_script_name;
    let is_other = face.monospaced || ["Serif", "Mono", "Mincho", "Ming"].iter().any(|part| name.contains(part));
    (is_other, face.weight.0.abs_diff(fontdb::Weight::MEDIUM.0), name.clone())
}
