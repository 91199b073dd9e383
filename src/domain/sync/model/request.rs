//! Requests to synchronize a workspace with a source.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use super::kinds::{SyncKind, SyncPreference};
use super::{
    claims::{MAX_NOT_READ, MAX_SOURCES, NotRead},
    decisions::{SelectedRow, SyncResolution},
    reading::{MAX_COMPONENTS, MAX_RELATIONSHIPS, Reading},
};
use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, empty_or_at_most, objects, optional_at_most, or_default},
        values::{Id, Keywords, Line, Name, RowKey, SourceId, WebAddress, words},
    },
};

/// Maximum number of rows that a request selects.
pub const MAX_SELECTED: usize = 100_000;

/// Maximum number of decisions about conflicts in a request.
pub const MAX_RESOLUTIONS: usize = 10_000;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_SELECTED == 100_000 && MAX_SELECTED > MAX_COMPONENTS + MAX_RELATIONSHIPS);
const _: () = assert!(MAX_RESOLUTIONS == 10_000 && MAX_SOURCES == 200 && MAX_NOT_READ == 100);

/// A source: files in another place that describe parts of a map.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewSource {
    /// Id of the source, chosen by the client and the same in each sync.
    pub id: SourceId,
    /// Id of the format, as in `compose`.
    #[schema(example = "compose")]
    pub kind: Line,
    /// Display name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Revision of the files, for example a commit id.
    #[schema(nullable = false)]
    pub revision: Option<Line>,
    /// Address of the files.
    #[schema(nullable = false)]
    pub url: Option<WebAddress>,
    /// What the files have that was not read, by reason. It is shown with the source. Default: nothing.
    #[serde(default, deserialize_with = "empty_or_at_most::<MAX_NOT_READ, _, _>")]
    #[schema(max_items = 100)]
    pub not_read: Vec<NotRead>,
}

/// A repository: the sources in it name the same things by the same names.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct NewRepository {
    /// Id of the repository, the same in each sync. Another repository must not use it.
    #[schema(example = "github.com/acme/shop")]
    pub id: SourceId,
    /// Where the repository is, without credentials. A sync from another place is rejected.
    #[schema(nullable = false, example = "github.com/acme/shop")]
    pub origin: Option<Line>,
    /// The configuration that lists the sources: where it is. Default: none, for files that are named for this sync.
    #[schema(nullable = false, example = "github.com/acme/shop/planroom.yaml")]
    pub configuration: Option<Line>,
    /// Whether the repository has moved to `origin`. Default: `false`.
    #[serde(default, deserialize_with = "or_default")]
    pub moved: bool,
    /// Whether it is another repository, although it has the components of a known one in the same files. Default: `false`,
    /// which rejects it.
    #[serde(default, deserialize_with = "or_default")]
    pub copy: bool,
    /// Ids of sources of the repository that it no longer has, because their configuration no longer lists them. Their rows are gone, unless other sources have them; a source
    /// of the request with most of their components takes them over. Default: none.
    #[serde(default, deserialize_with = "empty_or_at_most::<MAX_SOURCES, _, _>")]
    #[schema(max_items = 200)]
    pub gone: Vec<SourceId>,
}

/// A source of a repository, with all its rows.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct RepositorySource {
    /// The source.
    pub source: NewSource,
    /// All rows of the source.
    pub reading: Reading,
    /// How its rows are matched and written. Default: as the request says.
    #[schema(nullable = false)]
    pub options: Option<SourceOptions>,
}

/// How the rows of a source are matched and written.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct SourceOptions {
    /// As `adopt` of the request.
    #[schema(nullable = false)]
    pub adopt: Option<bool>,
    /// As `draw` of the request.
    #[schema(nullable = false)]
    pub draw: Option<bool>,
    /// As `prune` of the request.
    #[schema(nullable = false)]
    pub prune: Option<bool>,
    /// Whether components of the source are never those of other sources with the same name. Default: `false`.
    #[serde(default, deserialize_with = "or_default")]
    pub separate: bool,
    /// Values of sources with lower ranks count first. Default: catalogs and models 100, diagrams and tables 200,
    /// deployment files 300, traces 400.
    #[schema(nullable = false)]
    pub rank: Option<u32>,
}

/// Which value a field gets when the source and the map have changed it.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct SyncPolicy {
    /// Names. Default: `source`.
    #[schema(nullable = false)]
    pub name: Option<SyncPreference>,
    /// Types. Default: `source`.
    #[serde(rename = "type")]
    #[schema(nullable = false)]
    pub type_id: Option<SyncPreference>,
    /// The component that contains a component. Default: `source`.
    #[schema(nullable = false)]
    pub parent: Option<SyncPreference>,
    /// Technologies. Default: `source`.
    #[schema(nullable = false)]
    pub technology: Option<SyncPreference>,
    /// Descriptions. Default: `map`.
    #[schema(nullable = false)]
    pub description: Option<SyncPreference>,
    /// Lifecycle states. Default: `map`.
    #[schema(nullable = false)]
    pub lifecycle: Option<SyncPreference>,
    /// Tags. Default: `source`.
    #[schema(nullable = false)]
    pub tags: Option<SyncPreference>,
    /// Labels of relationships. Default: `source`.
    #[schema(nullable = false)]
    pub label: Option<SyncPreference>,
    /// Properties that the source has. Default: `source`.
    #[schema(nullable = false)]
    pub properties: Option<SyncPreference>,
}

impl SyncPolicy {
    /// What the request says about a field, if anything.
    pub(in crate::domain) fn requested(&self, field: &str) -> Option<SyncPreference> {
        match field {
            "name" => self.name,
            "type" => self.type_id,
            "parent" => self.parent,
            "technology" => self.technology,
            "description" => self.description,
            "lifecycle" => self.lifecycle,
            "tags" => self.tags,
            "label" => self.label,
            field if field.starts_with("properties.") => self.properties,
            _ => None,
        }
    }
}

words! {
    /// A kind of directory entry that a component can have as its owner.
    HolderKind {
        /// A team.
        Team = "team",
        /// A person.
        Person = "person",
    }
}

/// A person or team of the organization.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct HolderRef {
    /// Whether it is a person or a team.
    pub kind: HolderKind,
    /// Its id.
    pub id: Id,
}

/// A synchronization of a workspace: with the sources of a repository, which are compared together, or with one source.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SyncRequest {
    /// The source, unless `sources` is given.
    #[schema(nullable = false)]
    pub source: Option<NewSource>,
    /// All rows of the source.
    #[schema(nullable = false)]
    pub reading: Option<Reading>,
    /// The repository of the sources. Default: none, for files that are given by hand.
    #[schema(nullable = false)]
    pub repository: Option<NewRepository>,
    /// The sources of the repository, with at most 20,000 components and 50,000 relationships together. Rows of other
    /// sources stay as they are, unless `gone` names these.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_SOURCES, _, _>")]
    #[schema(nullable = false, max_items = 200)]
    pub sources: Option<Vec<RepositorySource>>,
    /// Which value a field gets when the source and the map have changed it.
    #[schema(nullable = false)]
    pub policy: Option<SyncPolicy>,
    /// Decisions about single rows and fields, before the policy. Resolutions of fields without a conflict are ignored.
    /// Default: none.
    #[serde(default, deserialize_with = "empty_or_at_most::<MAX_RESOLUTIONS, _, _>")]
    #[schema(max_items = 10_000)]
    pub resolutions: Vec<SyncResolution>,
    /// Decides all conflicts that `resolutions` and `policy` do not decide. Default: depends on the field.
    #[schema(nullable = false)]
    pub otherwise: Option<SyncPreference>,
    /// Whether components of the map that no source has become those of the source if they have the same name in any
    /// spelling and a fitting type. Default: only where no other repository feeds the workspace, inside `group`, or
    /// beside a component that is matched too. `true`: everywhere; `false`: nowhere.
    #[schema(nullable = false)]
    pub adopt: Option<bool>,
    /// Components of the map that are those of the sources, by key or name in the sources: the id on the map, or the id of
    /// another repository, a slash, and the key or name there.
    #[serde(default, deserialize_with = "or_default")]
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    pub same: BTreeMap<String, String>,
    /// Id of the component of the map that contains the components of the repository.
    #[schema(nullable = false)]
    pub group: Option<Id>,
    /// Names of further properties that change with each deployment: they are shown with the source, and are no difference.
    #[serde(default, deserialize_with = "or_default")]
    pub volatile: Keywords,
    /// Whether to delete rows that are gone from all sources that had them. Default: `false`, which marks them.
    #[serde(default, deserialize_with = "or_default")]
    pub prune: bool,
    /// Whether more than a third of the rows of a source or of all sources, or with `prune` more than half, may be marked or
    /// deleted. Up to 5 of fewer than 20 may be marked always. Default: `false`.
    #[serde(default, deserialize_with = "or_default")]
    pub allow_mass_removal: bool,
    /// Whether to draw what was seen in operation. Default: `false`, which records it as evidence for the drift report.
    /// Ignored for sources that declare.
    #[serde(default, deserialize_with = "or_default")]
    pub draw: bool,
    /// New keys of renamed components, by their old keys.
    #[serde(default, deserialize_with = "or_default")]
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    pub renames: BTreeMap<String, String>,
    /// The rows to synchronize. Stakeholders, links and containment follow their component. Default: all.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_SELECTED, _, _>")]
    #[schema(nullable = false, max_items = 100_000)]
    pub only: Option<Vec<SelectedRow>>,
    /// Keys of rows that were deleted on the map and are to be created again. Default: none; they stay deleted.
    #[serde(default, deserialize_with = "empty_or_at_most::<MAX_SELECTED, _, _>")]
    #[schema(value_type = Vec<RowKey>, max_items = 100_000)]
    pub restore: Vec<String>,
    /// Owners of components that this sync creates and that have none in the source, by key of the component; `*` for all
    /// others.
    #[serde(default, deserialize_with = "or_default")]
    pub owners: BTreeMap<String, HolderRef>,
    /// People and teams of the organization that stand for those of the source, by their key in the source. Others are
    /// matched by id, and created if the organization has none.
    #[serde(default, deserialize_with = "or_default")]
    pub directory: BTreeMap<String, HolderRef>,
}

impl SyncRequest {
    /// A sync with one source, without further options.
    pub(in crate::domain) fn of(source: NewSource, reading: Reading) -> Self {
        Self {
            source: Some(source),
            reading: Some(reading),
            repository: None,
            sources: None,
            policy: None,
            resolutions: Vec::new(),
            otherwise: None,
            adopt: None,
            same: BTreeMap::new(),
            group: None,
            volatile: Keywords::default(),
            prune: false,
            allow_mass_removal: false,
            draw: false,
            renames: BTreeMap::new(),
            only: None,
            restore: Vec::new(),
            owners: BTreeMap::new(),
            directory: BTreeMap::new(),
        }
    }
}

objects!(NewSource, NewRepository, RepositorySource, SourceOptions, SyncPolicy, HolderRef, SyncRequest);
impl Input for SyncRequest {
    const LARGE: bool = true;
}

/// The source of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SyncedSource {
    /// Id of the source.
    pub id: String,
    /// Id of its format.
    pub kind: String,
    /// Display name.
    pub name: Option<String>,
    /// Revision of the files.
    pub revision: Option<String>,
    /// Address of the files.
    pub url: Option<String>,
}

impl From<&NewSource> for SyncedSource {
    fn from(source: &NewSource) -> Self {
        Self {
            id: source.id.as_str().to_owned(),
            kind: source.kind.as_str().to_owned(),
            name: source.name.as_ref().map(|name| name.as_str().to_owned()),
            revision: source.revision.as_ref().map(|text| text.as_str().to_owned()),
            url: source.url.clone().map(String::from),
        }
    }
}
