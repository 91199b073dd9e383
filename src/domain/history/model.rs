//! Past changes and named versions.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    describe::ToSchema,
    domain::{
        core::{Change, Entity},
        input::{Input, objects},
        values::{Name, Text, words},
    },
    error::{Error, Problem, Result},
};

/// Maximum number of changes per page.
pub const MAX_CHANGES_PER_PAGE: usize = 200;
/// Maximum length of a filter, in characters.
pub const MAX_FILTER_CHARS: usize = 128;

/// Default number of changes per page.
pub(in crate::domain) const DEFAULT_CHANGES_PER_PAGE: i64 = 50;

words! {
    /// Kind of row that a change in a workspace concerns.
    ChangedKind {
        /// The workspace's own fields.
        Workspace = "workspace",
        /// A member.
        Member = "member",
        /// A component.
        Component = "component",
        /// A relationship.
        Relationship = "relationship",
        /// A stakeholder.
        Stakeholder = "stakeholder",
        /// An external link.
        Link = "link",
        /// A process.
        Process = "process",
        /// A note, frame or image on the map.
        Note = "note",
        /// A view.
        View = "view",
        /// The position of a component in a view.
        ViewPlace = "view-place",
        /// How a relationship is drawn in a view.
        ViewLine = "view-line",
        /// A tour.
        Tour = "tour",
        /// A decision.
        Decision = "decision",
    }
}

impl ChangedKind {
    /// The kind of rows of a workspace; none for those of the directory, which are in no workspace.
    pub(in crate::domain) fn of(entity: Entity) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == entity.as_str())
    }

    /// The kind in the change log, which has the same name.
    pub(in crate::domain) fn entity(self) -> Result<Entity> {
        self.as_str().parse().map_err(Error::internal)
    }
}

/// A page request for changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeQuery {
    pub(in crate::domain) limit: usize,
    pub(in crate::domain) before: Option<i64>,
    pub(in crate::domain) entity: Option<ChangedKind>,
    pub(in crate::domain) entity_id: Option<String>,
    pub(in crate::domain) actor: Option<i64>,
    pub(in crate::domain) batch: Option<String>,
    pub(in crate::domain) change_set: Option<String>,
    pub(in crate::domain) after_revision: Option<i64>,
    pub(in crate::domain) since: Option<i64>,
}

impl ChangeQuery {
    /// Requests up to `limit` changes (1 to 200, default 50) with ids below `before`, optionally of one kind of row,
    /// one row of that kind, one user, one batch id or one change set.
    pub fn new(
        limit: Option<i64>,
        before: Option<i64>,
        (entity, entity_id): (Option<ChangedKind>, Option<String>),
        actor: Option<i64>,
        (batch, change_set): (Option<String>, Option<String>),
    ) -> Result<Self> {
        let limit = limit.unwrap_or(DEFAULT_CHANGES_PER_PAGE);
        let limit = usize::try_from(limit).ok().filter(|limit| (1..=MAX_CHANGES_PER_PAGE).contains(limit));
        let limit = limit.ok_or_else(|| Error::invalid("limit", Problem::range(1, MAX_CHANGES_PER_PAGE)))?;
        if before.is_some_and(|id| id < 1) {
            return Err(Error::invalid("before", "must be the id of a change, 1 or more"));
        }
        if actor.is_some_and(|id| id < 1) {
            return Err(Error::invalid("actor", "must be the id of a user, 1 or more"));
        }
        for (field, text) in [("entityId", &entity_id), ("batch", &batch), ("changeSetId", &change_set)] {
            let checked = text.as_ref().map_or(Ok(()), |text| Problem::check_length(text, 1, MAX_FILTER_CHARS));
            checked.map_err(|problem| Error::invalid(field, problem))?;
        }
        Ok(Self { limit, before, entity, entity_id, actor, batch, change_set, after_revision: None, since: None })
    }

    /// Only changes after this revision and from this time on, in Unix milliseconds.
    #[must_use]
    pub fn since(self, after_revision: Option<i64>, since: Option<i64>) -> Self {
        Self { after_revision, since, ..self }
    }
}

/// A past change: the change as reported to followers, and the row before it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PastChange {
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// The row before the change; null if it did not exist.
    #[schema(required, value_type = Option<Object>)]
    pub before: Option<Map<String, Value>>,
    /// For an update, the names of the changed fields, without the fields that change with every write (`revision`,
    /// `updatedAt`, `updatedBy`). Includes `seq` if the row's order changed.
    #[schema(example = json!(["name"]))]
    pub fields: Vec<String>,
}

/// A page of the history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct History {
    /// Changes, newest first.
    pub changes: Vec<PastChange>,
    /// Value of `before` for the next page; null on the last page.
    #[schema(required)]
    pub next: Option<i64>,
    /// Oldest revision at which the workspace can be read with `?at=`.
    pub oldest_revision: i64,
}

/// A named version of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// Version id. Ids are never reused, not even after deletion.
    pub id: i64,
    /// Display name.
    #[schema(example = "As approved")]
    pub name: String,
    /// Description; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Workspace revision of the version; send it in `If-Match`.
    #[schema(example = 12)]
    pub revision: i64,
    /// Creation time in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub created_at: i64,
    /// User id of the creator; absent for the system.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub created_by: Option<i64>,
}

/// A version to save from the current state.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewVersion {
    /// Display name; does not need to be unique.
    #[schema(example = "As approved")]
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
}

objects!(NewVersion);

impl Input for NewVersion {
    const READ_ONLY: &'static [&'static str] = &["id", "revision", "createdAt", "createdBy"];
}
