//! Markdown for a comment on a pull request.

use std::fmt::Write as _;

use super::{lines, model::Outcome};

/// Maximum length of a comment. GitHub accepts 65,536 characters.
const MAX_CHARS: usize = 60_000;
/// Maximum number of problems.
const MAX_PROBLEMS: usize = 20;

pub(in crate::cli::sync) fn markdown(outcome: &Outcome<'_>) -> String {
    let state = match (outcome.is_in_step(), outcome.is_preview) {
        _ if !outcome.problems.is_empty() => "was not completely compared with the code",
        (true, _) => "is in step with the code",
        (false, true) => "differs from the code",
        (false, false) => "was brought in step with the code",
    };
    let map = outcome.workspace.map_or_else(String::new, |id| format!(" `{}`", lines::plain(id)));
    let mut out = format!("### The map{map} {state}\n");
    for problem in outcome.problems.iter().take(MAX_PROBLEMS) {
        let _ = write!(out, "\n⚠️ {}\n", escaped(&lines::plain(&problem.text)));
    }
    for report in outcome.reports {
        let _ = write!(out, "\n**`{}`**: {}\n\n", lines::title(report), lines::summary(report, outcome));
        for line in lines::of(report, outcome.is_preview) {
            let place = if line.place.is_empty() { String::new() } else { format!(" (`{}`)", line.place) };
            let mark = if line.sign == '!' { "⚠️ " } else { "" };
            let item = format!("- {mark}{}{place}\n", escaped(&line.text));
            if out.chars().count() + item.chars().count() > MAX_CHARS {
                out.push_str("- The rest does not fit into a comment.\n");
                return out;
            }
            out.push_str(&item);
        }
    }
    out
}

/// A text outside of code spans without markup. Names and values are in code spans, which have no markup.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut is_code = false;
    for c in text.chars() {
        match c {
            '`' => is_code = !is_code,
            '*' | '_' | '[' | ']' | '<' | '>' | '#' | '\\' | '!' | '|' | '~' | '@' | '&' if !is_code => out.push('\\'),
            _ => {}
        }
        out.push(c);
    }
    // A code span that is not closed would hide the rest of the comment.
    if is_code {
        out.push('`');
    }
    out
}
