//! What is reported: the server's report about each source.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use import::{Diagnostic, Refusal};

/// Maximum number of rows that are listed of each group.
pub(in crate::cli::sync) const MAX_LISTED: usize = 100;

/// The result of all sources.
pub(in crate::cli::sync) struct Outcome<'r> {
    /// The workspace, unless nothing named it.
    pub(in crate::cli::sync) workspace: Option<&'r str>,
    pub(in crate::cli::sync) is_preview: bool,
    pub(in crate::cli::sync) reports: &'r [Report],
    /// Why sources were not synchronized or compared, if something failed.
    pub(in crate::cli::sync) problems: &'r [Problem],
}

impl Outcome<'_> {
    /// Whether the map is what all sources say.
    pub(in crate::cli::sync) fn is_in_step(&self) -> bool {
        self.problems.is_empty() && self.reports.iter().all(|report| report.is_in_step)
    }

    /// Why the command failed, in one line.
    pub(in crate::cli::sync) fn reason(&self) -> Option<String> {
        let texts: Vec<&str> = self.problems.iter().map(|problem| problem.text.as_str()).collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }
}

/// Why a source was not synchronized.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::cli::sync) struct Problem {
    /// The file that is wrong, if it is one.
    pub(in crate::cli::sync) file: Option<String>,
    pub(in crate::cli::sync) line: Option<u32>,
    /// What is wrong, with file and line.
    pub(in crate::cli::sync) text: String,
}

impl Problem {
    pub(in crate::cli::sync) fn of(failure: &(dyn std::error::Error + 'static)) -> Self {
        let place = failure.downcast_ref::<Refusal>();
        Self {
            file: place.and_then(|refusal| refusal.file.clone()),
            line: place.and_then(|refusal| refusal.line),
            text: failure.to_string(),
        }
    }
}

/// The server's report about a source. Fields that this version does not know are ignored.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::cli::sync) struct Report {
    pub(in crate::cli::sync) source: ReportSource,
    pub(in crate::cli::sync) repository: Option<String>,
    pub(in crate::cli::sync) sources: Vec<ReportSource>,
    #[serde(rename = "changeSetId")]
    pub(in crate::cli::sync) change_set: Option<String>,
    pub(in crate::cli::sync) is_in_step: bool,
    pub(in crate::cli::sync) added: Vec<Row>,
    pub(in crate::cli::sync) changed: Vec<Row>,
    pub(in crate::cli::sync) conflicts: Vec<Row>,
    pub(in crate::cli::sync) vanished: Vec<Row>,
    pub(in crate::cli::sync) returned: Vec<Row>,
    pub(in crate::cli::sync) removed: Vec<Row>,
    pub(in crate::cli::sync) adopted: Vec<Row>,
    pub(in crate::cli::sync) deleted_on_map: Vec<Row>,
    pub(in crate::cli::sync) rename_candidates: Vec<Rename>,
    pub(in crate::cli::sync) unchanged: usize,
    pub(in crate::cli::sync) diagnostics: Vec<ReportDiagnostic>,
    pub(in crate::cli::sync) mass_removal: Option<MassRemoval>,
    pub(in crate::cli::sync) counts: Counts,
    /// The draft that was changed instead of a protected workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli::sync) draft: Option<ReportDraft>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::cli::sync) struct ReportDraft {
    pub(in crate::cli::sync) id: String,
    pub(in crate::cli::sync) number: i64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::cli::sync) struct ReportSource {
    pub(in crate::cli::sync) id: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::cli::sync) struct Row {
    pub(in crate::cli::sync) kind: String,
    pub(in crate::cli::sync) key: String,
    pub(in crate::cli::sync) id: Option<String>,
    pub(in crate::cli::sync) name: String,
    pub(in crate::cli::sync) file: String,
    pub(in crate::cli::sync) line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli::sync) missing_since: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::cli::sync) fields: Vec<FieldChange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli::sync) source: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::cli::sync) dependents: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli::sync) moved_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli::sync) merged_into: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::cli::sync) also_in: Vec<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli::sync) accepted_at: Option<i64>,
}

/// Where another source has a row.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::cli::sync) struct Place {
    pub(in crate::cli::sync) source: String,
    pub(in crate::cli::sync) key: String,
    pub(in crate::cli::sync) file: String,
    pub(in crate::cli::sync) line: u32,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::cli::sync) struct FieldChange {
    pub(in crate::cli::sync) field: String,
    pub(in crate::cli::sync) base: Value,
    pub(in crate::cli::sync) source: Value,
    pub(in crate::cli::sync) map: Value,
    pub(in crate::cli::sync) taken: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::cli::sync) struct Rename {
    pub(in crate::cli::sync) from: String,
    pub(in crate::cli::sync) to: String,
    pub(in crate::cli::sync) name: String,
    pub(in crate::cli::sync) new_name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::cli::sync) struct ReportDiagnostic {
    pub(in crate::cli::sync) severity: String,
    pub(in crate::cli::sync) file: String,
    pub(in crate::cli::sync) line: u32,
    pub(in crate::cli::sync) text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::cli::sync) struct MassRemoval {
    pub(in crate::cli::sync) vanishing: usize,
    pub(in crate::cli::sync) claimed: usize,
    pub(in crate::cli::sync) is_allowed: bool,
}

/// Complete numbers of rows; the lists may be cut.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::cli::sync) struct Counts {
    pub(in crate::cli::sync) added: usize,
    pub(in crate::cli::sync) changed: usize,
    pub(in crate::cli::sync) conflicts: usize,
    pub(in crate::cli::sync) vanished: usize,
    pub(in crate::cli::sync) returned: usize,
    pub(in crate::cli::sync) removed: usize,
    pub(in crate::cli::sync) adopted: usize,
    pub(in crate::cli::sync) deleted_on_map: usize,
}

impl From<&Diagnostic> for ReportDiagnostic {
    fn from(one: &Diagnostic) -> Self {
        Self {
            severity: one.severity.id().to_owned(),
            file: one.file.to_string(),
            line: one.line,
            text: one.text.clone(),
        }
    }
}
