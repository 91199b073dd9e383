//! Architecture decision records as Markdown files, `NNNN-title.md`.
//!
//! [`read()`] accepts MADR with front matter, MADR 2 with a list of metadata under the title, and the form of Michael Nygard
//! and adr-tools with a section `## Status`. [`write()`] produces MADR 4. Reading a written file returns the same record.
//!
//! Files are hostile: readers take linear time, do not recurse, and report what they do not understand with its line.

mod front_matter;
mod markdown;
mod name;
mod read;
mod sections;
mod status;
#[cfg(test)]
mod tests;
mod write;

pub use self::{
    name::{file_name, number_of},
    read::read,
    write::write,
};

/// Maximum size of a file in bytes: the text of a decision and its front matter.
pub const MAX_FILE_BYTES: usize = 256 << 10;
/// Maximum number of diagnostics about one file.
pub const MAX_DIAGNOSTICS: usize = 20;
/// Largest number of a decision.
pub const MAX_NUMBER: u32 = 999_999;

/// The state of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Proposed.
    Proposed,
    /// Accepted.
    Accepted,
    /// Replaced by another decision.
    Superseded,
    /// Rejected.
    Rejected,
}

/// A value and its line, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its line.
    pub line: u32,
}

/// A record as a file has it. Parts that a file does not mention are absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// Title, without the number.
    pub title: Option<Located<String>>,
    /// State.
    pub status: Option<Status>,
    /// Date, as in `2026-11-25`.
    pub date: Option<String>,
    /// Names of those who decided.
    pub authors: Option<Vec<Located<String>>>,
    /// Ids of the components that the decision concerns.
    pub components: Option<Vec<Located<String>>>,
    /// Numbers of the decisions that this one replaces. A complete list.
    pub supersedes: Option<Vec<Located<u32>>>,
    /// Numbers of decisions that this one replaces, from links in the text. The list may be incomplete.
    pub also_supersedes: Vec<Located<u32>>,
    /// Numbers of the decisions that replace this one.
    pub superseded_by: Vec<Located<u32>>,
    /// Markdown below the title, without metadata.
    pub body: String,
}

/// Something in a file that was not read, or was read differently than it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Line of the file, from 1.
    pub line: u32,
    /// What is wrong and what was done.
    pub text: String,
}

/// Diagnostics about one file, at most [`MAX_DIAGNOSTICS`].
#[derive(Debug, Default)]
struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    fn add(&mut self, line: usize, text: impl Into<String>) {
        if self.0.len() < MAX_DIAGNOSTICS {
            self.0.push(Diagnostic { line: u32::try_from(line).unwrap_or(u32::MAX), text: text.into() });
        }
    }
}

/// A text as it is quoted in diagnostics.
fn shown(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let shown: String = text.chars().filter(|c| !c.is_control()).take(MAX_CHARS).collect();
    if text.chars().count() > MAX_CHARS { format!("`{shown}…`") } else { format!("`{shown}`") }
}

/// Whether a text is a date of the calendar, as in `2026-11-25`.
pub fn is_date(text: &str) -> bool {
    let digits = |range: std::ops::Range<usize>| {
        let part = text.get(range).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))?;
        part.parse::<i16>().ok()
    };
    let is_separated = text.len() == 10 && text.is_char_boundary(4) && text.is_char_boundary(7);
    if !is_separated || text.as_bytes()[4] != b'-' || text.as_bytes()[7] != b'-' {
        return false;
    }
    let (Some(year), Some(month), Some(day)) = (digits(0..4), digits(5..7), digits(8..10)) else { return false };
    let part = |number: i16| i8::try_from(number).ok();
    let (Some(month), Some(day)) = (part(month), part(day)) else { return false };
    jiff::civil::Date::new(year, month, day).is_ok()
}

/// The text of a decision in the form in which it is stored: lines end with `\n`, without empty lines at the beginning and
/// white space at the end.
pub fn normalized(body: &str) -> String {
    let body = if body.contains('\r') { body.replace("\r\n", "\n").replace('\r', "\n") } else { body.to_owned() };
    body.trim_start_matches('\n').trim_end().to_owned()
}
