//! The files of a source: named contents that the caller provides.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

/// Maximum number of files.
pub const MAX_FILES: usize = 2_000;
/// Maximum size of a file.
pub const MAX_FILE_BYTES: usize = 8 << 20;
/// Maximum number of names that [`Files::missing`] remembers.
const MAX_MISSING: usize = 1_000;
/// Maximum size of all files together.
pub const MAX_BYTES: usize = 32 << 20;

/// A set of text files. Includes and other references are resolved only inside the set.
#[derive(Debug, Clone, Default)]
pub struct Files {
    list: Vec<File>,
    /// File indexes by name.
    by_name: BTreeMap<String, usize>,
    bytes: usize,
    missing: Arc<Mutex<BTreeSet<String>>>,
    /// The indexes of the files that were read or referred to.
    read: Arc<Mutex<HashSet<usize>>>,
}

/// A text file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    name: String,
    text: String,
    is_reference: bool,
}

impl Files {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// A set of one file.
    pub fn of(name: &str, bytes: impl Into<Vec<u8>>) -> Result<Self, Refusal> {
        let mut files = Self::new();
        files.add(name, bytes)?;
        Ok(files)
    }

    /// Adds a file. `name` is its path in the source, with `/` between folders.
    ///
    /// UTF-8 is accepted with and without a byte order mark, and UTF-16 with one.
    pub fn add(&mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Result<(), Refusal> {
        self.add_file(name, bytes.into(), false)
    }

    /// Adds a file that is only read because another one refers to it.
    pub fn add_reference(&mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Result<(), Refusal> {
        self.add_file(name, bytes.into(), true)
    }

    fn add_file(&mut self, name: &str, bytes: Vec<u8>, is_reference: bool) -> Result<(), Refusal> {
        let name = normalized(&name.replace('\\', "/"));
        let refused = |text: String| Err(Refusal { file: Some(name.clone()), line: None, text });
        if self.list.len() == MAX_FILES {
            return refused(format!("there are more than {MAX_FILES} files; import a part of them"));
        }
        if bytes.len() > MAX_FILE_BYTES {
            return refused(format!("the file is larger than {} MiB", MAX_FILE_BYTES >> 20));
        }
        self.bytes += bytes.len();
        if self.bytes > MAX_BYTES {
            return refused(format!(
                "the files are larger than {} MiB together; import a part of them",
                MAX_BYTES >> 20
            ));
        }
        if self.position(&name).is_some() {
            return refused("the file was given twice".into());
        }
        match decoded(bytes) {
            Ok(text) => {
                self.by_name.insert(name.clone(), self.list.len());
                self.list.push(File { name, text, is_reference });
                Ok(())
            }
            Err(text) => refused(text.into()),
        }
    }

    /// All files, in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &File> {
        self.list.iter()
    }

    /// The total size of the files, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The names of files and folders that readers looked for, but did not find. A caller with access to them can add them
    /// and read again.
    pub fn missing(&self) -> BTreeSet<String> {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The names of the files that were read, or that files which were read refer to.
    pub fn read_names(&self) -> Vec<String> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let files = self.list.iter().enumerate().filter(|(at, _)| read.contains(at));
        files.map(|(_, file)| file.name.clone()).collect()
    }

    /// The indexes of the files that were given, but neither read nor referred to.
    pub(super) fn unread(&self) -> Vec<usize> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        (0..self.list.len()).filter(|at| !read.contains(at) && !self.list[*at].is_reference).collect()
    }

    /// Notes that files are read or referred to.
    pub(super) fn note_read(&self, files: &[usize]) {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).extend(files);
    }

    /// The index of a file with this name.
    pub(super) fn named(&self, name: &str) -> Option<usize> {
        let found = self.position(name);
        match found {
            Some(file) => self.note_read(&[file]),
            None => self.note_missing(name),
        }
        found
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    fn note_missing(&self, name: &str) {
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        if missing.len() < MAX_MISSING && !name.is_empty() {
            missing.insert(name.to_owned());
        }
    }

    /// The file at an index that this set returned.
    pub(super) fn at(&self, index: usize) -> &File {
        &self.list[index]
    }

    /// The indexes of the files that a path refers to when it is written in the file `from`: a file, or all files in a
    /// folder and its folders, by name. None for addresses and for paths outside of the set.
    pub(super) fn resolve(&self, from: usize, path: &str) -> Vec<usize> {
        let path = path.replace('\\', "/");
        if path.contains("://") || path.starts_with('/') {
            return Vec::new();
        }
        let folder = self.list[from].name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let path = normalized(&format!("{folder}/{path}"));
        if let Some(file) = self.position(&path) {
            self.note_read(&[file]);
            return vec![file];
        }
        let folder = if path.is_empty() { String::new() } else { format!("{path}/") };
        let inside = self.by_name.range(folder.clone()..).take_while(|(name, _)| name.starts_with(&folder));
        let inside: Vec<usize> = inside.map(|(_, at)| *at).collect();
        if inside.is_empty() {
            self.note_missing(&path);
        }
        self.note_read(&inside);
        inside
    }
}

impl File {
    /// The path of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The content, without a byte order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the file is only read because another one refers to it.
    pub(super) fn is_reference(&self) -> bool {
        self.is_reference
    }

    /// Whether the name ends with one of these extensions, in any case.
    pub(super) fn has_extension(&self, extensions: &[&str]) -> bool {
        let extension = self.name.rsplit_once('.').map_or("", |(_, extension)| extension);
        extensions.iter().any(|known| extension.eq_ignore_ascii_case(known))
    }

    /// The beginning of the content, at most `bytes` long, for recognizing formats.
    pub(super) fn beginning(&self, bytes: usize) -> &str {
        &self.text[..self.text.floor_char_boundary(bytes)]
    }

    /// The name without folders and extension.
    pub(super) fn stem(&self) -> &str {
        let name = self.name.rsplit('/').next().unwrap_or_default();
        name.split_once('.').map_or(name, |(stem, _)| stem)
    }
}

/// Why files cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The file that cannot be read, unless all are meant.
    pub file: Option<String>,
    /// The line in the file, from 1.
    pub line: Option<u32>,
    /// What is wrong and what to do.
    pub text: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
            if let Some(line) = self.line {
                write!(f, "{line}:")?;
            }
            f.write_str(" ")?;
        }
        f.write_str(&self.text)
    }
}

impl std::error::Error for Refusal {}

impl From<String> for Refusal {
    fn from(text: String) -> Self {
        Self { file: None, line: None, text }
    }
}

/// A path without `.`, `..` and empty parts. `..` at the root stays at the root.
fn normalized(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn decoded(bytes: Vec<u8>) -> Result<String, &'static str> {
    let wide = |pair: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|two| pair([two[0], two[1]])).collect();
        String::from_utf16(&units).map_err(|_| "the file is not valid UTF-16; save it as UTF-8")
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => {
            let mut text = String::from_utf8(bytes).map_err(|_| "the file is not text in UTF-8; save it as UTF-8")?;
            if text.contains('\0') {
                return Err(
                    "the file contains NUL characters, as UTF-16 without a byte order mark does; save it as UTF-8",
                );
            }
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_recognized_by_their_byte_order_mark() {
        let text = |bytes: &[u8]| Files::of("a", bytes).map(|files| files.at(0).text().to_owned());
        assert_eq!(text("grün".as_bytes()).unwrap(), "grün");
        assert_eq!(text("\u{feff}grün".as_bytes()).unwrap(), "grün");
        let little: Vec<u8> = "\u{feff}grün".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "\u{feff}grün".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!((text(&little).unwrap(), text(&big).unwrap()), ("grün".into(), "grün".into()));
        assert!(text(&little[2..]).unwrap_err().text.contains("save it as UTF-8"));
        assert_eq!(text(b"gr\xfcn").unwrap_err().to_string(), "a: the file is not text in UTF-8; save it as UTF-8");
        assert!(text(&[0xff, 0xfe, 0x00, 0xd8]).unwrap_err().text.contains("UTF-16"));
    }

    #[test]
    fn sizes_and_counts_are_limited() {
        assert!(Files::of("a", vec![b' '; MAX_FILE_BYTES]).is_ok());
        assert!(Files::of("a", vec![b' '; MAX_FILE_BYTES + 1]).unwrap_err().text.contains("8 MiB"));
        let mut files = Files::new();
        for name in ["a", "b", "c", "d"] {
            files.add(name, vec![b' '; MAX_FILE_BYTES]).unwrap();
        }
        assert!(files.add("e", "x").unwrap_err().text.contains("32 MiB"));
        let mut files = Files::new();
        for n in 0..MAX_FILES {
            files.add(&n.to_string(), "").unwrap();
        }
        assert!(files.add("e", "").unwrap_err().text.contains("2000 files"));
        assert!(Files::of("a", "").unwrap().add("./a", "").unwrap_err().text.contains("twice"));
    }

    #[test]
    fn paths_are_resolved_inside_the_set() {
        let mut files = Files::new();
        for name in ["docs/main.dsl", "docs/parts/b.dsl", "docs\\parts\\a.dsl", "model.dsl"] {
            files.add(name, "").unwrap();
        }
        assert_eq!(files.resolve(0, "parts/b.dsl"), [1]);
        assert_eq!(files.resolve(0, "./parts"), [2, 1]);
        assert_eq!(files.resolve(0, "../model.dsl"), [3]);
        assert_eq!(files.resolve(0, "../../model.dsl"), [3], "there is nothing above the root");
        for outside in ["/etc/passwd", "https://example.org/a.dsl", "nothing"] {
            assert!(files.resolve(0, outside).is_empty(), "{outside}");
        }
        let missing: Vec<String> = files.missing().into_iter().collect();
        assert_eq!(missing, ["docs/nothing"], "only files inside of the set can be added");
    }
}
