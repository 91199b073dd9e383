//! Workflow commands of GitHub Actions, which become annotations on the lines of a pull request.

use std::fmt::Write as _;

use super::{lines, model::Outcome};

/// Maximum number of annotations. GitHub shows ten of each kind for a step.
const MAX_ANNOTATIONS: usize = 50;

pub(in crate::cli::sync) fn github(outcome: &Outcome<'_>) -> String {
    let (mut out, mut count, mut more) = (String::new(), 0, 0);
    for report in outcome.reports {
        for line in lines::of(report, outcome.is_preview) {
            if count == MAX_ANNOTATIONS {
                more += 1;
                continue;
            }
            count += 1;
            let level = if line.sign == 'i' { "notice" } else { "warning" };
            let place = place(&line.file, line.line);
            let _ = writeln!(out, "::{level} {place}title=Planroom::{}", data(&line.text));
        }
        let summary = format!("{}: {}", lines::title(report), lines::summary(report, outcome));
        let _ = writeln!(out, "{}", data(&summary));
    }
    for problem in outcome.problems.iter().take(MAX_ANNOTATIONS) {
        let place = place(problem.file.as_deref().unwrap_or_default(), problem.line.unwrap_or_default());
        let _ = writeln!(out, "::error {place}title=Planroom::{}", data(&lines::plain(&problem.text)));
    }
    if more > 0 {
        let _ = writeln!(out, "{more} more are not shown");
    }
    out
}

/// The properties of a command that name a place.
fn place(file: &str, line: u32) -> String {
    if file.is_empty() {
        String::new()
    } else {
        format!("file={},line={},", property(&lines::plain(file)), line.max(1))
    }
}

/// The message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a command, in which `:` and `,` have a meaning too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
