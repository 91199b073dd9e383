//! Reports files that no reader reads, with the reason.

use std::rc::Rc;

use super::{
    budget::{Budget, NEVER_CANCELED},
    builder::{At, Builder},
    files::{File, Files, Refusal},
    hints, xml, yaml,
};

/// Maximum number of files that are named.
const MAX_NAMED: usize = 20;

/// Why no file of a set has one of the formats.
pub(super) fn refusal(files: &Files, formats: &[&str]) -> Refusal {
    let budget = Budget::new(files.bytes(), NEVER_CANCELED);
    if let Some(refusal) = files.iter().find_map(|file| reason(file).or_else(|| syntax_error(file, &budget))) {
        return refusal;
    }
    let names: Vec<&str> = files.iter().map(File::name).collect();
    format!("{}: the format was not recognized; supported formats: {}", listed(&names), formats.join(", ")).into()
}

/// Reports the files of a set that were neither read nor referred to. `format` is the name of the format that was read, and
/// `format_of` tells that of another file.
pub(super) fn report(builder: &mut Builder<'_>, format: &str, format_of: impl Fn(&File) -> Option<&'static str>) {
    let files = builder.files;
    // Their own budget, so that a file that is not read cannot prevent the import of the others.
    let budget = builder.budget.for_optional_work();
    let (mut others, mut count) = (Vec::new(), 0);
    let mut more = None;
    for at in files.unread() {
        let file = files.at(at);
        // When the budget is exhausted, the remaining files are named without a reason.
        let refusal = |text: String| Refusal { file: Some(file.name().to_owned()), line: None, text };
        if budget.charge_steps(1 + file.text().len() / 4).is_err() {
            builder.unreadable.push(refusal("the files are too large to tell their formats".to_owned()));
            others.push(at);
            continue;
        }
        let (found, unreadable) = match format_of(file) {
            Some(other) => {
                let text = format!(
                    "the file was not read, because it is a file of another format ({other}); import it as a source of its own"
                );
                (Some((1, text)), Some(refusal(format!("the file has another format ({other})"))))
            }
            None => {
                let why = reason(file).or_else(|| syntax_error(file, &budget));
                let unreadable =
                    why.clone().unwrap_or_else(|| refusal(format!("the file is no file of the format {format}")));
                let why = why.map(|why| (why.line.unwrap_or(1), format!("the file was not read: {}", why.text)));
                (why, Some(unreadable).filter(|_| !is_taken_out(file)))
            }
        };
        builder.unreadable.extend(unreadable);
        match found {
            None => others.push(at),
            Some((line, text)) if count < MAX_NAMED => {
                count += 1;
                builder.warn(At::new(at, line), text);
            }
            Some(_) => more = Some((more.map_or(at, |(first, _)| first), more.map_or(0, |(_, rest)| rest) + 1)),
        }
    }
    if let Some((first, rest)) = more {
        builder.warn(At::new(first, 1), format!("{rest} more files from this one on were not read"));
    }
    if let Some(first) = others.first() {
        let names: Vec<&str> = others.iter().map(|at| files.at(*at).name()).collect();
        let text = format!("not read, because they are no files of the format {format}: {}", listed(&names));
        builder.info(At::new(*first, 1), text);
    }
}

/// What is wrong with a file that no reader recognizes, if its name or content tells what it is.
fn reason(file: &File) -> Option<Refusal> {
    let refusal = |text: &str| Refusal { file: Some(file.name().to_owned()), line: None, text: text.to_owned() };
    if file.text().trim().is_empty() {
        return Some(refusal("the file is empty"));
    }
    hints::hint(file).map(refusal)
}

/// Whether someone has taken everything in a file out: all lines of YAML are comments, or no diagram is left of a Markdown
/// file. A file without anything is more likely a mistake.
fn is_taken_out(file: &File) -> bool {
    let is_comment = |line: &str| line.is_empty() || line.starts_with('#') || line == "---";
    let is_commented = || file.text().lines().all(|line| is_comment(line.trim()));
    !file.text().trim().is_empty() && (file.has_extension(&["md", "markdown"]) || is_commented())
}

/// What is wrong with the notation of a file.
fn syntax_error(file: &File, budget: &Rc<Budget<'_>>) -> Option<Refusal> {
    syntax(file, budget).err().filter(|_| budget.check().is_ok())
}

/// Parses a file whose extension names its notation.
fn syntax(file: &File, budget: &Rc<Budget<'_>>) -> Result<(), Refusal> {
    if file.has_extension(&["yaml", "yml", "json", "jsonl", "ndjson"]) {
        let documents = yaml::documents_within(file, budget).map(drop);
        budget.release_trees();
        documents
    } else if file.has_extension(&["xml", "drawio", "dio"]) {
        xml::parse(file, budget).map(drop)
    } else {
        Ok(())
    }
}

/// Names for a sentence.
fn listed(names: &[&str]) -> String {
    const MAX_LISTED: usize = 5;
    let listed = names[..names.len().min(MAX_LISTED)].join(", ");
    match names.len().saturating_sub(MAX_LISTED) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}
