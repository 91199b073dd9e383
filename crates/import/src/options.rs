//! What to read, where a format leaves a choice.

use std::collections::BTreeMap;

/// What columns of CSV files contain, for [`Options::columns`].
pub const CSV_COLUMNS: [&str; 16] = [
    "id",
    "name",
    "type",
    "description",
    "partOf",
    "owner",
    "technology",
    "tags",
    "lifecycle",
    "x",
    "y",
    "url",
    "dependsOn",
    "source",
    "target",
    "label",
];

/// Options of readers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// Name of the workspace. Default: the name in the files, or that of the first file.
    pub name: Option<String>,
    /// Which deployment environments are read, in formats that have them.
    pub deployment: Deployment,
    /// Whether elements that state goals and reasons are read, in `ArchiMate`.
    pub motivation: bool,
    /// Whether a system is drawn around the services of each project, in Compose.
    pub systems: bool,
    /// Name of the repository that contains the files: the name of a project in its root that has no other.
    pub repository: Option<String>,
    /// Headings of the columns of CSV files, by what the columns contain ([`CSV_COLUMNS`]). Other columns are recognized
    /// by usual headings.
    pub columns: BTreeMap<String, String>,
}

/// Which deployment environments are read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Deployment {
    /// The environment, if there is only one.
    #[default]
    Single,
    /// None.
    None,
    /// All.
    All,
    /// The environment with this name.
    Environment(String),
}
