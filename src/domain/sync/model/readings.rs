//! Converting files of other tools.

use std::collections::BTreeMap;

use import::{Diagnostic, MAX_FILES};
use serde::{Deserialize, Serialize};

use super::{claims::NotRead, reading::Reading};
use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, at_most, objects, or_default},
        values::{FilePath, Line, Name},
    },
};

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_FILES == 2_000);

/// Files to convert.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewReading {
    /// The files. References to others are reported, not followed.
    #[serde(deserialize_with = "at_most::<MAX_FILES, _, _>")]
    #[schema(min_items = 1, max_items = 2_000)]
    pub files: Vec<ReadFile>,
    /// Id of the format, as in `compose`. Default: recognized by the contents of the files.
    #[schema(nullable = false, example = "compose")]
    pub format: Option<Line>,
    /// Options, where a format leaves a choice.
    #[schema(nullable = false)]
    pub options: Option<ReadingOptions>,
}

/// A file to convert. Exactly one of `content` and `contentBase64` is given.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ReadFile {
    /// Path of the file, with `/` between folders.
    #[schema(example = "deploy/compose.yaml")]
    pub name: FilePath,
    /// Content as text, at most 8 MiB.
    #[schema(nullable = false)]
    pub content: Option<String>,
    /// Content in base64, at most 8 MiB when decoded.
    #[schema(nullable = false, content_encoding = "base64")]
    pub content_base64: Option<String>,
}

/// Options of a conversion.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct ReadingOptions {
    /// Name of the workspace. Default: the name in the files, or that of the first file.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Deployment environments to read: `single`, the only one; `none`; `all`; or the name of one. Default: `single`.
    #[schema(nullable = false, example = "Production")]
    pub deployment: Option<Name>,
    /// Whether to read the elements of an `ArchiMate` model that state goals and reasons. Default: `false`.
    #[serde(default, deserialize_with = "or_default")]
    pub motivation: bool,
    /// Whether to draw a system around the services of each Compose project. Default: `false`.
    #[serde(default, deserialize_with = "or_default")]
    pub systems: bool,
    /// Name of the repository: that of a Compose project in its root which has no other.
    #[schema(nullable = false)]
    pub repository: Option<Name>,
    /// Headings of the columns of CSV files, by what the columns contain: `id`, `name`, `type`, `description`, `partOf`,
    /// `owner`, `technology`, `tags`, `lifecycle`, `x`, `y`, `url`, `dependsOn`, `source`, `target`, or `label`. Other
    /// columns are recognized by usual headings.
    #[serde(default, deserialize_with = "or_default")]
    pub columns: BTreeMap<String, Line>,
}

objects!(NewReading, ReadFile, ReadingOptions);
impl Input for NewReading {
    const LARGE: bool = true;
}

/// Something that the user should know about the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadingDiagnostic {
    /// How serious it is: `info`, `warning`, or `error`.
    #[schema(example = "warning")]
    pub severity: String,
    /// Path of the file.
    pub file: String,
    /// Line in the file, from 1.
    pub line: u32,
    /// What is wrong, and what to do.
    pub text: String,
}

impl From<Diagnostic> for ReadingDiagnostic {
    fn from(from: Diagnostic) -> Self {
        let severity = from.severity.id().to_owned();
        Self { severity, file: from.file.to_string(), line: from.line, text: from.text }
    }
}

/// Converted files.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConvertedFiles {
    /// Id of the format.
    #[schema(example = "compose")]
    pub format: String,
    /// Name of the format.
    #[schema(example = "Docker Compose")]
    pub format_name: String,
    /// Whether the files say what was seen in operation, such as calls between services. Others say what is declared.
    pub is_observed: bool,
    /// Paths of the files that were read, or that these refer to. A diagnostic names each other file.
    pub files: Vec<String>,
    /// The rows.
    pub reading: Reading,
    /// What the user should know, at most 200 items.
    pub diagnostics: Vec<ReadingDiagnostic>,
    /// Number of all diagnostics.
    pub diagnostic_count: usize,
    /// Number of items that have no counterpart on a map, by their name in the source.
    pub ignored: BTreeMap<String, usize>,
    /// What was not read, by reason, the most frequent first: these items, and warnings. Send it with the source of a sync.
    #[schema(max_items = 100)]
    pub not_read: Vec<NotRead>,
    /// Number of rows.
    pub counts: ReadingCounts,
}

/// Number of rows of a reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadingCounts {
    /// Components.
    pub components: usize,
    /// Relationships, including those of the type `contains`.
    pub relationships: usize,
    /// People.
    pub people: usize,
    /// Teams.
    pub teams: usize,
    /// People and teams of components.
    pub stakeholders: usize,
    /// External links.
    pub links: usize,
    /// Processes.
    pub processes: usize,
    /// Views.
    pub views: usize,
}
