//! The comparison of a draft with its base: what a merge would change, and where both have changed the same.

use std::io::{Read, Write};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    merge::{
        ConflictKind, Decisions, Merge, MergeInput, MergedField, MergedRow, RowId, RowIds, is_position, json_of,
        name_of, needs,
    },
    rules::stored,
    store::{self, drafts::StoredDraft},
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{DraftTx, Entity, Reads, WholeMap},
        history::{read_compressed, uncompressed_size},
        state::WorkspaceState,
        values::words,
    },
    error::{Error, Result},
};

/// The `kind` of sources in comparisons.
const SOURCE: &str = "source";
/// Maximum number of rows that a comparison lists of the draft.
const MAX_CHANGES: usize = 5_000;
/// Maximum number of rows that a comparison lists of the base.
const MAX_BASE_CHANGES: usize = 2_000;

words! {
    /// How a row changes.
    DraftChangeKind {
        /// It is added.
        Added = "added",
        /// Its fields change.
        Changed = "changed",
        /// It is deleted.
        Removed = "removed",
        /// Only where it is drawn or listed changes.
        Moved = "moved",
    }
}
words! {
    /// Why a row needs a decision.
    DraftConflict {
        /// Both sides have changed a field.
        Fields = "fields",
        /// One side has deleted the row, the other has changed it.
        Removed = "removed",
        /// One side has deleted the row, and rows of the other side need it.
        Reference = "reference",
        /// With the changes of both sides, a component would be part of two others or of itself.
        Structure = "structure",
    }
}

/// The comparison of a draft with its base.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftComparison {
    /// Id of the draft.
    #[schema(example = "draft-3f6k2m9qx0ab")]
    pub draft_id: String,
    /// Id of the base.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Revision of the base from which the draft was started or last updated.
    pub branch_revision: i64,
    /// Compared revision of the base.
    pub base_revision: i64,
    /// Compared revision of the draft's map.
    pub draft_revision: i64,
    /// Whether the draft was merged or closed: the comparison is as it was then.
    pub is_final: bool,
    /// Number of rows, also of those that are not listed.
    pub counts: DraftCounts,
    /// What a merge changes in the base, at most 5,000 rows: conflicts first, then sources, then by kind.
    pub changes: Vec<DraftChange>,
    /// What only the base has changed since, at most 2,000 rows.
    pub base_changes: Vec<DraftChange>,
}

/// Number of rows of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DraftCounts {
    /// Added rows.
    pub added: usize,
    /// Changed rows.
    pub changed: usize,
    /// Deleted rows.
    pub removed: usize,
    /// Rows that only move.
    pub moved: usize,
    /// Rows with conflicts. These are counted above, too.
    pub conflicting: usize,
    /// Rows that only the base has changed.
    pub base: usize,
}

impl DraftCounts {
    fn of(&mut self, change: DraftChangeKind) -> &mut usize {
        match change {
            DraftChangeKind::Added => &mut self.added,
            DraftChangeKind::Changed => &mut self.changed,
            DraftChangeKind::Removed => &mut self.removed,
            DraftChangeKind::Moved => &mut self.moved,
        }
    }
}

/// A row of a comparison.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftChange {
    /// Kind of row, as in the history, or `source`.
    #[schema(example = "component")]
    pub kind: String,
    /// Id of the row in the base as text; of a row that only the draft has, its id there.
    #[schema(example = "checkout")]
    pub id: String,
    /// Id of the row in the draft as text, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub draft_row_id: Option<String>,
    /// Display name.
    #[schema(example = "Checkout")]
    pub name: String,
    /// How it changes. Everything about the places and lines of views is `moved`.
    pub change: DraftChangeKind,
    /// Why it needs a decision; absent without a conflict.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub conflict: Option<DraftConflict>,
    /// The conflict as a sentence.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub why: Option<String>,
    /// The fields that are not the same in the three states.
    pub fields: Vec<DraftField>,
    /// The row as in the draft, or as in the base if the draft has deleted it.
    #[schema(required, value_type = Option<Object>)]
    pub row: Option<Map<String, Value>>,
    /// With a conflict, the row as in the base; absent if the base has deleted it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<Object>, nullable = false)]
    pub base_row: Option<Map<String, Value>>,
}

/// A field in the three states.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DraftField {
    /// Name. Properties are named `properties.` and their key.
    #[schema(example = "name")]
    pub field: String,
    /// Value when the draft was started or last updated; null if not set.
    #[schema(required, value_type = Option<Value>)]
    pub branch: Value,
    /// Value in the base; null if not set.
    #[schema(required, value_type = Option<Value>)]
    pub base: Value,
    /// Value in the draft; null if not set.
    #[schema(required, value_type = Option<Value>)]
    pub draft: Value,
    /// Whether both have changed it differently.
    pub conflict: bool,
}

/// Estimated memory of [`compare`] in bytes: the three states, and the fields of the rows that differ.
pub fn weigh(tx: &DraftTx<'_>) -> Result<usize> {
    // The comparison of a merged or closed draft is stored.
    if tx.has_ended() { Ok(0) } else { Ok(weigh_states(tx)?.saturating_mul(2)) }
}

/// Estimated memory of the three states in bytes.
pub(super) fn weigh_states(tx: &DraftTx<'_>) -> Result<usize> {
    let branch = store::drafts::base_state_end(tx.core().conn, tx.draft_pk())?.unwrap_or_default();
    let draft = tx.map()?.map_or(Ok(0), |map| map.weight())?;
    Ok(tx.weight()?.saturating_add(draft).saturating_add(uncompressed_size(&branch)))
}

/// Compares a draft with its base.
pub fn compare(tx: &DraftTx<'_>, whole: &WholeMap) -> Result<DraftComparison> {
    if !tx.has_ended() {
        return now(tx, whole);
    }
    let bytes = store::drafts::comparison(tx.core().conn, tx.draft_pk())?;
    let bytes = bytes.ok_or_else(|| Error::internal("a draft that has ended has no comparison"))?;
    let mut text = Vec::new();
    GzDecoder::new(&*bytes).read_to_end(&mut text)?;
    let comparison: DraftComparison = serde_json::from_slice(&text)?;
    // The base can have got another id.
    Ok(DraftComparison { is_final: true, workspace_id: tx.workspace().id.clone(), ..comparison })
}

/// Compares a draft that has not ended.
pub(super) fn now(tx: &DraftTx<'_>, whole: &WholeMap) -> Result<DraftComparison> {
    let (merge, ids) = input(tx, whole)?.merge(&Decisions::default())?;
    of_merge(tx, &merge, &ids)
}

/// Reads what is merged.
pub(super) fn input(tx: &DraftTx<'_>, whole: &WholeMap) -> Result<MergeInput> {
    const NOT_FOUND: Error = Error::NotFound("draft");
    let map = tx.map()?.ok_or(NOT_FOUND)?;
    let branch = store::drafts::base_state(tx.core().conn, tx.draft_pk())?.ok_or(NOT_FOUND)?;
    Ok(MergeInput {
        branch: read_compressed(tx, &branch, whole)?,
        base: WorkspaceState::now(tx, whole)?,
        draft: WorkspaceState::read(&map, &tx.workspace().id, whole)?,
        ids: RowIds::stored(store::rows::ids(tx.core().conn, map.pk())?),
    })
}

/// The comparison that a merge without decisions shows.
pub(super) fn of_merge(tx: &DraftTx<'_>, merge: &Merge, ids: &RowIds) -> Result<DraftComparison> {
    let draft = stored(tx)?;
    let base = tx.workspace();
    let sources = of_sources(tx, &draft)?;
    let (mut base_changes, mut counts) = (Vec::new(), DraftCounts::default());
    for source in &sources {
        *counts.of(source.change) += 1;
    }
    let (mut conflicts, mut others) = (Vec::new(), Vec::new());
    for (id, row) in &merge.rows {
        if row.conflict.is_some() || row.states.is_changed_by_draft() {
            *counts.of(change_by_draft(id, row)) += 1;
            counts.conflicting += usize::from(row.conflict.is_some());
            let listed = if row.conflict.is_some() { &mut conflicts } else { &mut others };
            if listed.len() < MAX_CHANGES {
                listed.push((id, row));
            }
        } else if row.states.is_changed_by_base() {
            counts.base += 1;
            if base_changes.len() < MAX_BASE_CHANGES {
                base_changes.push(of_base(id, row, ids, &base.id));
            }
        }
    }
    // Sources come before other rows, so that they are listed even if there are too many.
    let shown = |(id, row): (&RowId, &MergedRow)| of_row(id, row, ids, &base.id);
    let mut changes: Vec<DraftChange> = conflicts.into_iter().map(shown).chain(sources).collect();
    changes.extend(others.into_iter().take(MAX_CHANGES.saturating_sub(changes.len())).map(shown));
    changes.truncate(MAX_CHANGES);
    Ok(DraftComparison {
        draft_id: draft.id,
        workspace_id: base.id.clone(),
        branch_revision: draft.base_revision,
        base_revision: base.metadata.revision,
        draft_revision: draft.revision.unwrap_or_default(),
        is_final: false,
        counts,
        changes,
        base_changes,
    })
}

/// The sources that a merge adds or changes, by id. They are not rows of the map, but determine what later syncs change. Sources
/// that were synced again without a difference are omitted.
fn of_sources(tx: &DraftTx<'_>, draft: &StoredDraft) -> Result<Vec<DraftChange>> {
    let Some(map_pk) = draft.workspace_pk else { return Ok(Vec::new()) };
    let sources = store::sources::merged(tx.core().conn, (map_pk, tx.pk()), draft.created_at)?;
    let changes = sources.into_iter().map(|source| {
        let (name, row) = (source.name(), source.row());
        let different = source.fields.into_iter().filter(|(_, base, draft)| base != draft);
        let fields = different.map(|(field, base, draft)| DraftField {
            field: field.to_owned(),
            branch: base.clone(),
            base,
            draft,
            conflict: false,
        });
        DraftChange {
            kind: SOURCE.to_owned(),
            id: source.id,
            draft_row_id: None,
            name,
            change: match (source.is_new, source.is_removed) {
                (true, _) => DraftChangeKind::Added,
                (_, true) => DraftChangeKind::Removed,
                _ => DraftChangeKind::Changed,
            },
            conflict: None,
            why: None,
            fields: fields.collect(),
            row: Some(row),
            base_row: None,
        }
    });
    Ok(changes.filter(|change| change.change != DraftChangeKind::Changed || !change.fields.is_empty()).collect())
}

/// Conflicts that are not decided, at most `limit`.
pub(super) fn open(tx: &DraftTx<'_>, merge: &Merge, ids: &RowIds, limit: usize) -> Vec<DraftChange> {
    merge.open().take(limit).map(|(id, row)| of_row(id, row, ids, &tx.workspace().id)).collect()
}

/// A change by the draft, or a conflict.
fn of_row(id: &RowId, row: &MergedRow, ids: &RowIds, workspace_id: &str) -> DraftChange {
    shown(id, row, (change_by_draft(id, row), true), ids, workspace_id)
}

/// How the draft changes a row.
fn change_by_draft(id: &RowId, row: &MergedRow) -> DraftChangeKind {
    let states = &row.states;
    match (&states.base, &states.draft) {
        // The other rows of a view only say where something is drawn.
        _ if needs(id.0, Entity::View) => DraftChangeKind::Moved,
        (_, None) => DraftChangeKind::Removed,
        (None, Some(_)) if states.branch.is_none() => DraftChangeKind::Added,
        _ => {
            let is_by_draft = |field: &&MergedField| {
                let [branch, _, draft] = states.values(&field.name);
                draft != branch
            };
            let mut by_draft = row.fields.iter().filter(is_by_draft).peekable();
            if by_draft.peek().is_some() && by_draft.all(|field| is_position(&field.name)) {
                DraftChangeKind::Moved
            } else {
                DraftChangeKind::Changed
            }
        }
    }
}

/// A change by the base alone.
fn of_base(id: &RowId, row: &MergedRow, ids: &RowIds, workspace_id: &str) -> DraftChange {
    let states = &row.states;
    let change = match (&states.branch, &states.base) {
        _ if needs(id.0, Entity::View) => DraftChangeKind::Moved,
        (_, None) => DraftChangeKind::Removed,
        (None, Some(_)) => DraftChangeKind::Added,
        (Some(_), Some(_)) if row.fields.iter().all(|field| is_position(&field.name)) => DraftChangeKind::Moved,
        _ => DraftChangeKind::Changed,
    };
    shown(id, row, (change, false), ids, workspace_id)
}

fn shown(
    id: &RowId,
    row: &MergedRow,
    (change, is_of_draft): (DraftChangeKind, bool),
    ids: &RowIds,
    workspace_id: &str,
) -> DraftChange {
    let states = &row.states;
    let (first, second) = if is_of_draft { (&states.draft, &states.base) } else { (&states.base, &states.draft) };
    let any = first.as_ref().or(second.as_ref()).or(states.branch.as_ref());
    let (kind, key) = id;
    let draft_row_id = key.parse().ok().and_then(|key| ids.draft_of(*kind, key)).map(|id| id.to_string());
    let conflict = row.conflict.map(|conflict| match conflict {
        ConflictKind::Fields => DraftConflict::Fields,
        ConflictKind::Removed => DraftConflict::Removed,
        ConflictKind::Reference => DraftConflict::Reference,
        ConflictKind::Structure => DraftConflict::Structure,
    });
    let fields = row.fields.iter().map(|field| {
        let [branch, base, draft] = states.values(&field.name).map(|value| value.cloned().unwrap_or_default());
        DraftField { field: field.name.to_string(), branch, base, draft, conflict: field.is_conflict }
    });
    DraftChange {
        kind: kind.as_str().to_owned(),
        id: if *kind == Entity::Workspace { workspace_id.to_owned() } else { key.clone() },
        draft_row_id: draft_row_id.filter(|id| id != key),
        name: any.map(|fields| name_of(*kind, key, fields)).unwrap_or_default(),
        change,
        conflict,
        why: conflict.map(|conflict| why(conflict, row)),
        fields: fields.collect(),
        row: any.map(json_of),
        base_row: states.base.as_ref().filter(|_| conflict.is_some()).map(json_of),
    }
}

fn why(conflict: DraftConflict, row: &MergedRow) -> String {
    let side = if row.states.base.is_none() { ("the workspace", "the draft") } else { ("the draft", "the workspace") };
    match conflict {
        DraftConflict::Fields => {
            let fields = row.fields.iter().filter(|field| field.is_conflict).map(|field| format!("`{}`", field.name));
            format!("both have changed {}", fields.collect::<Vec<_>>().join(", "))
        }
        DraftConflict::Removed => format!("{} has deleted it, and {} has changed it", side.0, side.1),
        DraftConflict::Reference => format!("{} has deleted it, and {} uses it", side.0, side.1),
        DraftConflict::Structure => {
            "with the changes of both, a component would be part of two others or of itself".to_owned()
        }
    }
}

/// Serializes a comparison to be stored.
pub(super) fn compressed(comparison: &DraftComparison) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&serde_json::to_vec(comparison)?)?;
    Ok(encoder.finish()?)
}
