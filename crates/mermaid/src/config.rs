//! Parses the configuration of a participant, `@{ … }`: YAML, of which one level is supported.

use super::{
    diagram::Figure,
    source::{is_space, trim},
};

/// The configuration of a participant.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Config {
    /// The symbol that it is drawn as.
    pub figure: Option<Figure>,
    /// Display name.
    pub alias: Option<String>,
}

/// Parses the configuration. The error describes the problem.
pub(super) fn config(text: &str) -> Result<Config, String> {
    let text = trim(text);
    let mut config = Config::default();
    let mut seen: Vec<String> = Vec::new();
    // Text with line breaks is a list of lines without braces; a single line is the content of braces.
    let block = text.contains('\n');
    let mut rest = text;
    while !trim(rest).is_empty() {
        let (key, value, after) = if block { line(rest) } else { entry(rest) }?;
        rest = after;
        if seen.contains(&key) || seen.len() == 20 {
            return Err(format!("`{}` is repeated", short(&key)));
        }
        match key.as_str() {
            "type" => config.figure = value.map(|value| figure(&value)).transpose()?,
            "alias" => config.alias = value,
            _ => {}
        }
        seen.push(key);
    }
    Ok(config)
}

fn figure(name: &str) -> Result<Figure, String> {
    Ok(match name {
        "participant" => Figure::Participant,
        "actor" => Figure::Actor,
        "boundary" => Figure::Boundary,
        "collections" => Figure::Collections,
        "control" => Figure::Control,
        "database" => Figure::Database,
        "entity" => Figure::Entity,
        "queue" => Figure::Queue,
        other => {
            return Err(format!(
                "unknown type `{}`; use participant, actor, boundary, collections, control, database, entity or queue",
                short(other)
            ));
        }
    })
}

/// A key, its value and the remaining text.
type Entry<'t> = (String, Option<String>, &'t str);

const FORM: &str = "must have the form `@{ \"type\": \"database\" }`";

/// Parses an entry on a shared line, up to a comma.
fn entry(text: &str) -> Result<Entry<'_>, String> {
    let (key, rest, quoted) = scalar(text, |rest| rest.starts_with([',', '}']) || colon(rest))?;
    let rest = rest.trim_start_matches(is_space);
    let (value, rest) = match rest.strip_prefix(':') {
        Some(rest) if quoted || colon(&text[text.len() - rest.len() - 1..]) => {
            let (value, rest, quoted) = scalar(rest, |rest| rest.starts_with([',', '}']) || colon(rest))?;
            ((quoted || !matches!(value.as_str(), "" | "null" | "~")).then_some(value), rest)
        }
        _ => (None, rest),
    };
    let rest = rest.trim_start_matches(is_space);
    match rest.strip_prefix(',') {
        Some(rest) => Ok((key, value, rest)),
        None if rest.is_empty() => Ok((key, value, rest)),
        None => Err(FORM.into()),
    }
}

/// Parses an entry on its own line.
fn line(text: &str) -> Result<Entry<'_>, String> {
    let text = text.trim_start_matches('\n');
    let (line, after) = text.split_once('\n').unwrap_or((text, ""));
    if line.starts_with(is_space) {
        return Err("if there are several lines, all must have the same indentation, after `@{`".into());
    }
    let (key, rest, _) = scalar(line, colon)?;
    let rest = rest.trim_start_matches(is_space).strip_prefix(':').ok_or(FORM)?;
    let (value, rest, quoted) = scalar(rest, colon)?;
    if !trim(rest).is_empty() {
        return Err("if there are several lines, do not separate them with commas".into());
    }
    Ok((key, (quoted || !matches!(value.as_str(), "" | "null" | "~")).then_some(value), after))
}

/// Whether the text begins with a colon that separates a key from its value.
fn colon(text: &str) -> bool {
    text.strip_prefix(':').is_some_and(|after| after.is_empty() || after.starts_with(is_space))
}

/// Parses a quoted or plain text. Returns it, the remaining text and whether it was quoted. A plain text ends where
/// `ends` is true.
fn scalar(text: &str, ends: impl Fn(&str) -> bool) -> Result<(String, &str, bool), String> {
    let text = text.trim_start_matches(is_space);
    match text.chars().next() {
        Some('"') => double(&text[1..]).map(|(value, rest)| (value, rest, true)).ok_or_else(|| FORM.into()),
        Some('\'') => single(&text[1..]).map(|(value, rest)| (value, rest, true)).ok_or_else(|| FORM.into()),
        Some(c) if "[]{}&*!|>%@`#,?-:".contains(c) => Err(FORM.into()),
        _ => {
            let end = text.char_indices().map(|(at, _)| at).find(|at| ends(&text[*at..])).unwrap_or(text.len());
            let (value, rest) = text.split_at(end);
            if value.contains(['[', ']', '{', '}']) || value.contains(" #") {
                return Err(FORM.into());
            }
            Ok((trim(value).to_owned(), rest, false))
        }
    }
}

fn double(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(match chars.next()?.1 {
                'n' => '\n',
                't' => '\t',
                c @ ('"' | '\\' | '/') => c,
                _ => return None,
            }),
            c => value.push(c),
        }
    }
    None
}

fn single(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut rest = text;
    loop {
        let (before, after) = rest.split_once('\'')?;
        value.push_str(before);
        match after.strip_prefix('\'') {
            Some(after) => {
                value.push('\'');
                rest = after;
            }
            None => return Some((value, after)),
        }
    }
}

/// Shortens an input text for a message.
pub(super) fn short(text: &str) -> String {
    const MAX_LENGTH: usize = 40;
    match text.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
