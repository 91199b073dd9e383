//! Reports of what was changed or would change.

mod github;
mod lines;
mod markdown;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::lines::Line;
pub(super) use self::{github::github, markdown::markdown};
use crate::import::{Diagnostic, Severity};

/// Maximum number of rows that are listed of each group.
const MAX_LISTED: usize = 100;

/// The result of all sources.
pub(super) struct Outcome<'r> {
    pub(super) workspace: &'r str,
    pub(super) is_preview: bool,
    pub(super) reports: &'r [Report],
}

impl Outcome<'_> {
    /// Whether the map is what all sources say.
    pub(super) fn is_in_step(&self) -> bool {
        self.reports.iter().all(|report| report.is_in_step)
    }
}

/// The server's report about a source. Fields that this version does not know are ignored.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Report {
    pub(super) source: ReportSource,
    #[serde(rename = "changeSetId")]
    pub(super) change_set: Option<String>,
    pub(super) is_in_step: bool,
    pub(super) added: Vec<Row>,
    pub(super) changed: Vec<Row>,
    pub(super) conflicts: Vec<Row>,
    pub(super) vanished: Vec<Row>,
    pub(super) returned: Vec<Row>,
    pub(super) removed: Vec<Row>,
    pub(super) adopted: Vec<Row>,
    pub(super) deleted_on_map: Vec<Row>,
    pub(super) rename_candidates: Vec<Rename>,
    pub(super) unchanged: usize,
    pub(super) diagnostics: Vec<ReportDiagnostic>,
    pub(super) mass_removal: Option<MassRemoval>,
    pub(super) counts: Counts,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ReportSource {
    pub(super) id: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Row {
    pub(super) kind: String,
    pub(super) key: String,
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) file: String,
    pub(super) line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) missing_since: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) fields: Vec<Field>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Field {
    pub(super) field: String,
    pub(super) base: Value,
    pub(super) source: Value,
    pub(super) map: Value,
    pub(super) taken: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Rename {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) name: String,
    pub(super) new_name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ReportDiagnostic {
    pub(super) severity: String,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct MassRemoval {
    pub(super) vanishing: usize,
    pub(super) claimed: usize,
    pub(super) is_allowed: bool,
}

/// Complete numbers of rows; the lists may be cut.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Counts {
    pub(super) added: usize,
    pub(super) changed: usize,
    pub(super) conflicts: usize,
    pub(super) vanished: usize,
    pub(super) returned: usize,
    pub(super) removed: usize,
    pub(super) adopted: usize,
    pub(super) deleted_on_map: usize,
}

impl From<&Diagnostic> for ReportDiagnostic {
    fn from(one: &Diagnostic) -> Self {
        let severity = match one.severity {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        Self { severity: severity.to_owned(), file: one.file.to_string(), line: one.line, text: one.text.clone() }
    }
}

/// JSON: the reports of the server, and the result of the command.
pub(super) fn json(outcome: &Outcome<'_>) -> String {
    let value = json!({
        "workspace": outcome.workspace,
        "preview": outcome.is_preview,
        "inStep": outcome.is_in_step(),
        "sources": outcome.reports,
    });
    format!("{value:#}\n")
}

/// Text for a terminal.
pub(super) fn text(outcome: &Outcome<'_>) -> String {
    let mut out = String::new();
    for report in outcome.reports {
        out.push_str(&format!("{} → {}\n", report.source.id, outcome.workspace));
        for Line { sign, text, place, .. } in lines::of(report, outcome.is_preview) {
            let place = if place.is_empty() { String::new() } else { format!("  ({place})") };
            out.push_str(&format!("  {sign} {text}{place}\n"));
        }
        out.push_str(&format!("  {}\n", lines::summary(report, outcome.is_preview)));
    }
    out
}
