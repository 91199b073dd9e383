//! Files of decisions to import, and what became of them.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, at_most, objects},
        values::FilePath,
    },
};

/// Maximum number of files in a request.
pub const MAX_FILES: usize = 1_000;
/// Maximum number of diagnostics in a response.
pub const MAX_DIAGNOSTICS: usize = 500;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_FILES == 1_000);

/// A Markdown file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewDecisionFile {
    /// Path. The name of the file begins with the number of the decision.
    #[schema(example = "0005-use-postgresql.md")]
    pub name: FilePath,
    /// Content, at most 256 KiB.
    #[schema(example = "# Use PostgreSQL for orders\n\n## Status\n\nAccepted")]
    pub text: String,
}

/// Files of decisions.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewDecisionFiles {
    /// The files.
    #[serde(deserialize_with = "at_most::<MAX_FILES, _, _>")]
    #[schema(max_items = 1_000)]
    pub files: Vec<NewDecisionFile>,
}

/// The result of an import of decisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedDecisions {
    /// Change set id. Undo this change set to undo the import. Absent if nothing changed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub change_set_id: Option<String>,
    /// Revision of the workspace afterward.
    pub revision: i64,
    /// Ids of decisions that were created.
    pub created: Vec<String>,
    /// Ids of decisions that were updated.
    pub updated: Vec<String>,
    /// Ids of decisions that the files have as they were.
    pub unchanged: Vec<String>,
    /// What was not imported, or was read differently than it is written, at most 500.
    pub diagnostics: Vec<DecisionDiagnostic>,
}

/// A remark about a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionDiagnostic {
    /// Name of the file.
    #[schema(example = "0005-use-postgresql.md")]
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// What is wrong, and what was done.
    pub text: String,
}

objects!(NewDecisionFile, NewDecisionFiles);
impl Input for NewDecisionFiles {
    const LARGE: bool = true;
}
