//! The language of user-facing text: phrases that must not occur in documentation, messages and comments, with their
//! replacements, are in `tests/words.json`. The web client's tests read it, too (`assets/web/src/texts.test.ts`).

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Files and directories that are checked. Extend the list when a part of the project has been reworded.
const CHECKED: [&str; 13] = [
    ".ci/run",
    "CHANGELOG.md",
    "Cargo.toml",
    "Makefile",
    "README.md",
    "build.rs",
    "clippy.toml",
    "config.example.toml",
    "crates",
    "docs",
    "src",
    "systemd",
    "tests/integration/command_line",
];

#[test]
fn text_uses_plain_technical_english() {
    let phrases: BTreeMap<&str, &str> = serde_json::from_str(include_str!("../words.json")).unwrap();
    let mut found = Vec::new();
    for (name, text) in CHECKED.iter().flat_map(|path| files(&home().join(path))) {
        let extension = std::path::Path::new(&name).extension().and_then(|extension| extension.to_str());
        let is_code = matches!(extension, Some("rs" | "ts" | "tsx"));
        let (words, lines) = words(&text);
        for (phrase, replacement) in &phrases {
            for at in occurrences(&words, phrase) {
                found.push(format!("{name}:{}: \"{phrase}\"; write \"{replacement}\"", lines[at]));
            }
        }
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !is_code && has_spaced_percent(line)) {
            found.push(format!("{name}:{}: a space before %: {}", number + 1, line.trim()));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn phrases_are_found_across_lines_and_as_whole_words_only() {
    let (words, lines) =
        words("fn renewed() {}\n    /// It begins\n    /// anew, and whoever's\n    /// connection is let\n    /// go");
    let found = |phrase: &str| occurrences(&words, phrase).into_iter().map(|at| lines[at]).collect::<Vec<_>>();
    assert_eq!(found("anew"), [3]);
    assert_eq!(found("whoever"), [3]);
    assert_eq!(found("is let go"), [4]);
    assert_eq!(found("new"), [0; 0]);
    assert!(has_spaced_percent("at 50 % of it") && !has_spaced_percent("at 50% of it"));
}

/// The words of a text in lowercase, and the line of each. Punctuation separates words, except hyphens.
fn words(text: &str) -> (Vec<String>, Vec<usize>) {
    let is_word = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let lines = text.lines().zip(1..).flat_map(|(line, number)| {
        let words = line.split(move |c| !is_word(c)).map(|word| word.trim_matches('-'));
        words.filter(|word| !word.is_empty()).map(move |word| (word.to_lowercase(), number))
    });
    lines.unzip()
}

/// The positions at which a phrase begins.
fn occurrences(words: &[String], phrase: &str) -> Vec<usize> {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    let windows = words.windows(phrase.len()).enumerate();
    windows.filter(|(_, window)| window.iter().eq(&phrase)).map(|(at, _)| at).collect()
}

fn has_spaced_percent(line: &str) -> bool {
    line.match_indices(" %").any(|(at, _)| line[..at].ends_with(|c: char| c.is_ascii_digit()))
}

fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text files at a path, with their names relative to the repository.
fn files(path: &Path) -> Vec<(String, String)> {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        return entries.iter().flat_map(|entry| files(entry)).collect();
    }
    if path.extension().is_some_and(|extension| extension == "png" || extension == "ttf") {
        return Vec::new();
    }
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    vec![(path.strip_prefix(home()).unwrap().display().to_string(), text)]
}
