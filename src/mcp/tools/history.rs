//! Tools for the history of a workspace: undo, the list of changes, and named versions.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    results::{
        NextPage, Table,
        collaboration::{Changes, SavedVersion, Undone},
        writes::WriteResult,
    },
    tool::arguments,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{
            Call, Change, Gate,
            access::{Editor, EditorBesideMap, Viewer},
        },
        history::{self, ChangeQuery, NewVersion, PastChange, Version},
        input::at_most,
        map::change_set::Outcome,
        values::{ChangeReason, Id, Name},
    },
    error::{Error, FieldPath, Problem, Result},
    mcp::{
        results::{SpaceLeft, page, position},
        services::Site,
    },
};

/// Maximum number of change sets of a call.
const MAX_CHANGE_SETS: usize = 50;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_CHANGE_SETS == 50);

/// The change sets to undo.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct UndoArguments {
    /// Id of the workspace.
    workspace_id: String,
    /// All of them or none.
    #[serde(deserialize_with = "at_most::<MAX_CHANGE_SETS, _, _>")]
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 50)]
    change_set_ids: Vec<Id>,
    /// Why.
    #[schema(value_type = String, nullable = false, required = false)]
    reason: Option<ChangeReason>,
}

/// Which changes to list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ListChanges {
    /// Id of the workspace.
    workspace_id: String,
    /// RFC 3339 time or date.
    #[schema(nullable = false)]
    since: Option<String>,
    /// Only later ones.
    #[schema(nullable = false)]
    since_revision: Option<i64>,
    /// `me`, a user's id or name.
    #[schema(nullable = false)]
    actor: Option<String>,
    /// Id of a component, relationship, …
    #[schema(nullable = false)]
    entity_id: Option<String>,
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// A version to save.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SaveVersion {
    /// Id of the workspace.
    workspace_id: String,
    /// Name of the version.
    #[schema(value_type = String)]
    name: Name,
}

arguments!(
    UndoArguments: "Undo your own tool calls by the `changeSetId` of their results (list_changes has them too); \
            refused with names if someone has changed the same things since. To redo, undo the `changeSetId` of \
            the result.",
    ListChanges: "Who changed what in a workspace, newest first: one row per changed thing. Use it for \"what happened \
            since …\", and to find the `changeSetId` for undo. compare shows the values.",
    SaveVersion: "Save the current state of a workspace as a named version, which users can view and restore. Do \
            so before large changes.",
);

/// The columns of a list of changes.
const COLUMNS: [&str; 9] = ["time", "who", "via", "entity", "id", "op", "fields", "changeSetId", "reason"];

/// Undoes tool calls of the caller.
pub async fn undo(site: Site, mut call: Call<Editor>, request: UndoArguments) -> Result<WriteResult<Undone>> {
    let UndoArguments { workspace_id, change_set_ids, reason } = request;
    call.reason = reason;
    if change_set_ids.is_empty() {
        return Err(Error::invalid("changeSetIds", Problem::items(MAX_CHANGE_SETS)));
    }
    if let Some(index) = change_set_ids.iter().position(|id| id.as_str() == call.batch()) {
        return Err(Error::invalid(FieldPath::item("changeSetIds", index), "is the change set of this call"));
    }
    let links = site.links(&call).await?;
    let url = Some(links.workspace(&workspace_id));
    let undone = change_set_ids.iter().map(|id| id.as_str().to_owned()).collect();
    let ids = change_set_ids.clone();
    let whole = site.gate.whole_map(&call, workspace_id.clone(), move |tx| history::weigh_tool_calls(tx, &ids)).await?;
    let (undo, outcome) = site
        .gate
        .write(call.large(), workspace_id, move |tx| history::undo_tool_calls(tx, &change_set_ids, &whole))
        .await?;
    let Outcome { change_set_id, revision } = outcome;
    Ok(WriteResult { result: Undone { undone, rows: undo.rows }, change_set_id, revision: Some(revision), url, links })
}

/// Lists the changes of a workspace, newest first.
pub async fn list_changes(gate: Gate, call: Call<Viewer>, request: ListChanges) -> Result<Changes> {
    let ListChanges { workspace_id, since, since_revision, actor, entity_id, cursor } = request;
    let since = since.map(|text| {
        let invalid = || Error::invalid("since", "must be a time or date, as in 2026-11-22T10:00:00Z or 2026-11-22");
        history::time(text.trim()).ok_or_else(invalid)
    });
    let since = since.transpose()?;
    let before = i64::try_from(position(cursor.as_deref())?).ok().filter(|id| *id > 0);
    gate.read(call.large(), workspace_id, move |tx| {
        let actor = actor.as_deref().map(|text| history::user_named(tx, text)).transpose()?;
        let limit = i64::try_from(history::MAX_CHANGES_PER_PAGE).ok();
        let query = ChangeQuery::new(limit, before, (None, entity_id), actor, (None, None))?;
        let found = history::read(tx, &query.since(since_revision, since))?;
        let ids: Vec<i64> = found.changes.iter().map(|past| past.change.id).collect();
        // Only the newest change of a change set has its reason.
        let mut last = String::new();
        let rows = found.changes.into_iter().map(|mut past| {
            if last == past.change.change_set_id {
                past.change.reason = None;
            }
            last.clone_from(&past.change.change_set_id);
            row(past)
        });
        let (rows, next) = page(rows, None, &mut SpaceLeft::after(&()))?;
        let next = match next {
            // Not all changes that were read fit on the page.
            Some(_) => ids.get(rows.len() - 1).copied(),
            None => found.next,
        };
        let (revision, next) = (Some(tx.workspace().metadata.revision), NextPage::from(next.map(|id| id.to_string())));
        let table = Table { revision, columns: COLUMNS[..].into(), rows, next };
        Ok(Changes { table, oldest_revision: found.oldest_revision })
    })
    .await
}

/// The values of [`COLUMNS`] of a change.
fn row(past: PastChange) -> Value {
    let PastChange { change, fields, .. } = past;
    let actor = change.actor.map(|actor| actor.display_name);
    let Change { ts, via, entity, entity_id, op, batch, reason, .. } = change;
    json!([rfc_3339(ts), actor, via, entity.as_str(), entity_id, op, fields, batch, reason])
}

/// A time in RFC 3339 format, without fractions of a second.
fn rfc_3339(ms: i64) -> String {
    Timestamp::from_second(ms.div_euclid(1_000)).map(|time| time.to_string()).unwrap_or_default()
}

/// Saves the current state as a version.
pub async fn save_version(site: Site, call: Call<EditorBesideMap>, request: SaveVersion) -> Result<SavedVersion> {
    let SaveVersion { workspace_id, name } = request;
    let url = site.links(&call).await?.history(&workspace_id);
    let (version, is_new) =
        history::keep(&site.gate, call, workspace_id, NewVersion { name, description: None }).await?;
    let Version { id: version_id, name, revision, .. } = version;
    Ok(SavedVersion { version_id, name, revision, unchanged: !is_new, url })
}
