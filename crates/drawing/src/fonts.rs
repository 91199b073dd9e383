//! The fonts of PNG and PDF images: those in the program, and those of the machine in configured directories.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use resvg::usvg::{self, FontResolver, fontdb};

use super::embedded::{FACES, decompressed};

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

    /// Parses an SVG with these fonts.
    pub(super) fn parse(&self, svg: &str) -> Result<usvg::Tree, usvg::Error> {
        let fallback = FontResolver::default_fallback_selector();
        let is_reported = Arc::clone(&self.is_reported);
        let resolver = FontResolver {
            select_font: FontResolver::default_font_selector(),
            select_fallback: Box::new(move |character, tried, database| {
                let found = fallback(character, tried, database);
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
        usvg::Tree::from_str(svg, &options)
    }
}

/// The order of fonts of the machine: sans-serif like the fonts in the program before others, then medium weights, then by
/// name, so that the order does not depend on the file system.
fn preference(face: &fontdb::FaceInfo) -> (bool, u16, String) {
    let name = &face.post_script_name;
    let is_other = face.monospaced || ["Serif", "Mono", "Mincho", "Ming"].iter().any(|part| name.contains(part));
    (is_other, face.weight.0.abs_diff(fontdb::Weight::MEDIUM.0), name.clone())
}
