//! Restores a workspace to a named version, or to any revision in the history.

use std::{
    collections::{HashMap, HashSet},
    convert::Infallible,
    mem,
};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    state::weigh_at,
    store,
    versions::{self, NOT_FOUND},
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, EditTx, Gate, Reads, WholeMap, access::Editor, draft_updated_revision},
        input::{Input, objects},
        map::{stakeholders, workspaces::Workspace},
        state::{ByKind, KindVisitor, MapRow, RowStep, RowsOf, Steps, StepsOf, WorkspaceState, each_kind},
    },
    error::{Error, Result},
};

/// A request to restore a workspace to a revision.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct RestoreRequest {
    /// Workspace revision, from `oldestRevision` of the history to the current revision.
    #[schema(minimum = 1, example = 12)]
    pub revision: i64,
}

objects!(RestoreRequest);
impl Input for RestoreRequest {}

/// The result of restoring a workspace.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RestoreResult {
    /// Change set id of the restore. Undo this change set to undo the restore. Absent if no row changed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub change_set_id: Option<String>,
    /// `X-Batch-Id` of the restore; defaults to its change set id.
    pub batch_id: String,
    /// Workspace revision after the restore.
    pub revision: i64,
    /// Number of rows that changed.
    pub rows: usize,
    /// Stakeholders that could not be restored.
    pub skipped: Vec<SkippedRow>,
}

/// A row of a past state that could not be restored.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkippedRow {
    /// Kind of row, as in the history.
    #[schema(example = "stakeholder")]
    pub entity: String,
    /// Row id as text, unique among rows of its kind.
    #[schema(example = "7")]
    pub entity_id: String,
    /// Display name.
    #[schema(example = "grace-hopper of checkout")]
    pub name: String,
    /// Reason: the person, team or role that no longer exists.
    #[schema(example = "the person `grace-hopper` no longer exists")]
    pub why: String,
}

/// Restores a workspace to a named version: rows, name, description and properties.
///
/// Visibility, the access of the organization and members are unchanged. Stakeholders whose person, team or role no longer exists are skipped and
/// reported.
pub async fn to_version(gate: &Gate, call: Call<Editor>, workspace_id: String, id: i64) -> Result<RestoreResult> {
    // The error for a deleted version is returned inside the write transaction, so that a repeated request gets its
    // first response.
    let weigh = move |tx: &EditTx<'_>| weigh(tx, versions::weigh_version(tx, id)?);
    let whole = gate.whole_map(&call, workspace_id.clone(), weigh).await?;
    let reservation = whole.clone();
    let read = move |tx: &EditTx<'_>| Ok(versions::decompress(tx, id, &reservation)?.map(|then| (tx.pk(), then)));
    let found = gate.read(call.clone().large(), workspace_id.clone(), read).await?;
    let restore = move |tx: &mut EditTx<'_>| {
        let version = store::versions::find(tx.core().conn, tx.pk(), id)?.ok_or(NOT_FOUND)?;
        let (_, then) = found.filter(|(pk, _)| *pk == tx.pk()).ok_or(NOT_FOUND)?;
        let restored = apply_state(tx, then, &whole)?;
        versions::audit(tx, "version.restore", &version)?;
        Ok(restored)
    };
    gate.write(call, workspace_id, restore).await
}

/// Restores a workspace to a revision, like [`to_version`].
pub async fn to_revision(
    gate: &Gate,
    call: Call<Editor>,
    workspace_id: String,
    request: RestoreRequest,
) -> Result<RestoreResult> {
    let RestoreRequest { revision } = request;
    if revision < 1 {
        return Err(Error::invalid("revision", "must be a revision, 1 or more"));
    }
    // As above: a repeated request gets its first response even if the history no longer covers the revision.
    let weigh = move |tx: &EditTx<'_>| weigh(tx, weigh_at(tx, revision)?);
    let whole = gate.whole_map(&call, workspace_id.clone(), weigh).await?;
    let reservation = whole.clone();
    let read = move |tx: &EditTx<'_>| Ok(WorkspaceState::at(tx, revision, &reservation).map(|then| (tx.pk(), then)));
    let found = gate.read(call.clone().large(), workspace_id.clone(), read).await?;
    let restore = move |tx: &mut EditTx<'_>| {
        let (pk, then) = found?;
        if pk != tx.pk() {
            return Err(Error::NotFound("workspace"));
        }
        let restored = apply_state(tx, then, &whole)?;
        let core = tx.core();
        core.audit("history.restore", core.actor(), &json!({ "workspacePk": tx.pk(), "revision": revision }))?;
        Ok(restored)
    };
    gate.write(call, workspace_id, restore).await
}

/// Estimated memory of a restore in bytes: the past and the current state, and the steps between them.
fn weigh(tx: &EditTx<'_>, then: usize) -> Result<usize> {
    Ok(tx.weight()?.saturating_add(then).saturating_mul(2))
}

fn apply_state(tx: &mut EditTx<'_>, then: WorkspaceState, whole: &WholeMap) -> Result<RestoreResult> {
    if tx.workspace().base_pk.is_some()
        && draft_updated_revision(tx.core().conn, tx.pk())?.is_some_and(|at| then.workspace.metadata.revision < at)
    {
        let text =
            "this state is older than the last update from the base: merging the draft would then revert the base";
        return Err(Error::Conflict(text.into()));
    }
    let (mut steps, skipped) = plan(tx, then, whole)?;
    let rows = steps.count(tx.workspace());
    let (change_set_id, revision) = steps.apply(tx)?;
    let batch_id = tx.core().call.batch().to_owned();
    Ok(RestoreResult { change_set_id, batch_id, revision, rows, skipped })
}

/// The steps from the current state to the past state, and the rows that cannot be restored.
fn plan(tx: &EditTx<'_>, mut then: WorkspaceState, whole: &WholeMap) -> Result<(Steps, Vec<SkippedRow>)> {
    let mut now = WorkspaceState::now(tx, whole)?;
    let (mut skipped, mut keys) = (Vec::new(), HashSet::new());
    for link in &then.stakeholders {
        if let Some((entity, id)) = stakeholders::missing(tx, link)? {
            keys.insert(link.id);
            skipped.push(SkippedRow {
                entity: "stakeholder".into(),
                entity_id: link.id.to_string(),
                name: link.name(),
                why: format!("the {entity} `{id}` no longer exists"),
            });
        }
    }
    // A skipped stakeholder that still exists is left unchanged.
    then.stakeholders.retain(|link| !keys.contains(&link.id));
    now.stakeholders.retain(|link| !keys.contains(&link.id));
    let Workspace { name, description, properties, .. } = then.workspace;
    let workspace = Some(Workspace { name, description, properties, ..now.workspace });
    let mut planner = Planner { now: now.rows, then: then.rows, steps: ByKind::default() };
    let Ok(()) = each_kind(&mut planner);
    Ok((Steps { workspace, rows: planner.steps }, skipped))
}

/// The steps between two states. Rows are freed kind by kind.
struct Planner {
    now: ByKind<RowsOf>,
    then: ByKind<RowsOf>,
    steps: ByKind<StepsOf>,
}

impl KindVisitor for Planner {
    type Error = Infallible;

    fn visit<R: MapRow>(&mut self) -> std::result::Result<(), Infallible> {
        let (now, then) = (mem::take(R::of_mut(&mut self.now)), mem::take(R::of_mut(&mut self.then)));
        *R::of_mut(&mut self.steps) = steps_between(now, then);
        Ok(())
    }
}

fn steps_between<R: MapRow>(now: Vec<R>, then: Vec<R>) -> Vec<RowStep<R>> {
    let then_keys: HashSet<String> = then.iter().map(R::key).collect();
    let (remaining, removed): (Vec<R>, Vec<R>) = now.into_iter().partition(|row| then_keys.contains(&row.key()));
    let mut remaining: HashMap<String, R> = remaining.into_iter().map(|row| (row.key(), row)).collect();
    let written = then.into_iter().filter_map(|then| match remaining.remove(&then.key()) {
        Some(now) if now.has_same_contents(&then) => None,
        now => Some(RowStep { now, then: Some(then) }),
    });
    let mut steps: Vec<RowStep<R>> = written.collect();
    steps.extend(removed.into_iter().map(|row| RowStep { now: Some(row), then: None }));
    steps
}
