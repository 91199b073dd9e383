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
            let place = if line.file.is_empty() {
                String::new()
            } else {
                format!("file={},line={},", property(&line.file), line.line.max(1))
            };
            let _ = writeln!(out, "::{level} {place}title=Planroom::{}", data(&line.text));
        }
        let summary = format!("{}: {}", report.source.id, lines::summary(report, outcome.is_preview));
        let _ = writeln!(out, "{}", data(&summary).trim_start_matches(':'));
    }
    if let Some(failure) = outcome.failure {
        let _ = writeln!(out, "::error title=Planroom::{}", data(&lines::plain(failure)));
    }
    if more > 0 {
        let _ = writeln!(out, "{more} more are not shown");
    }
    out
}

/// The message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a command, in which `:` and `,` have a meaning too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
