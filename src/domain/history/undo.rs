//! Undo: reverts the writes of change sets as one write.
//!
//! A change set contains the writes of one request or job. Undo compares whole rows: each row must be as the change set
//! left it, and if several change sets wrote a row, each must have started from the state that the previous one left.
//! Otherwise undo would overwrite another write, so nothing is undone. The undo is itself a change set; undoing it is
//! redo.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::store;
use crate::{
    describe::ToSchema,
    domain::{
        core::{
            EditTx, Entity, Reads, Via, WholeMap,
            change_log::{self, LoggedWrite},
            is_draft_update,
        },
        input::{Input, objects},
        map::{change_set::Outcome, workspaces::Workspace},
        state::{KindVisitor, MapRow, RowStep, Steps, visit_kind},
        values::Id,
    },
    error::{ChangedSince, Error, FieldPath, Problem, Remedy, Result},
};

/// A request to undo writes. Exactly one field is given.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Undo {
    /// Id of a change set of the caller. To redo, use the `changeSetId` of an undo.
    #[schema(nullable = false, example = "0193a1f0c7d87c3e9a3c5c1c2b6a7f10")]
    pub change_set_id: Option<Id>,
    /// Id of a change set of the caller, or a label that the caller sent as `X-Batch-Id`. Stands for that change set and
    /// all of the caller's change sets with this label.
    #[schema(nullable = false, example = "7d0f1c6e-5f1b-4a57-9a3a-1f0d2c9c5e11")]
    pub batch_id: Option<Id>,
}

objects!(Undo);
impl Input for Undo {}

/// The result of an undo.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndoResult {
    /// Change set id of the undo. Undo this change set to redo. Absent if no row changed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub change_set_id: Option<String>,
    /// `X-Batch-Id` of the undo; defaults to its change set id.
    pub batch_id: String,
    /// Change set id or label that was undone.
    pub undo_of: String,
    /// Workspace revision after the undo.
    pub revision: i64,
    /// Number of rows that changed.
    pub rows: usize,
}

/// Estimated memory of [`undo`] in bytes: the logged rows and the steps.
pub fn weigh_undo(tx: &EditTx<'_>, undo: &Undo) -> Result<usize> {
    weigh(tx, &undo.change_sets(tx)?)
}

/// Estimated memory of [`undo_tool_calls`] in bytes.
pub fn weigh_tool_calls(tx: &EditTx<'_>, ids: &[Id]) -> Result<usize> {
    let mut change_sets = BTreeSet::new();
    for id in ids {
        change_sets.extend(change_sets_named(tx, id)?);
    }
    weigh(tx, &change_sets)
}

fn weigh<'i>(tx: &EditTx<'_>, change_sets: impl IntoIterator<Item = &'i String>) -> Result<usize> {
    let mut change_sets = change_sets.into_iter();
    change_sets.try_fold(0_usize, |sum, id| Ok(sum.saturating_add(tx.weight_of_change_set(id)?.saturating_mul(2))))
}

impl Undo {
    /// The change sets to undo.
    fn change_sets(&self, tx: &EditTx<'_>) -> Result<Vec<String>> {
        match (&self.change_set_id, &self.batch_id) {
            (Some(id), None) => Ok(vec![id.as_str().to_owned()]),
            (None, Some(name)) => change_sets_named(tx, name),
            (None, None) => Err(Error::invalid("changeSetId", Problem::required(", or `batchId` instead"))),
            (Some(_), Some(_)) => Err(Error::invalid("batchId", "must be left out where `changeSetId` is given")),
        }
    }
}

/// The change sets of the caller that a change set id or label stands for.
fn change_sets_named(tx: &EditTx<'_>, name: &Id) -> Result<Vec<String>> {
    let core = tx.core();
    change_log::change_sets_named(core.conn, tx.pk(), core.caller()?.user_id, name.as_str())
}

/// Undoes change sets of the caller. Fails if one of their rows is no longer as they left it.
pub fn undo(tx: &mut EditTx<'_>, undo: &Undo, whole: &WholeMap) -> Result<UndoResult> {
    let core = tx.core();
    let caller = core.caller()?.user_id;
    let writes = change_log::written_by(core.conn, tx.pk(), caller, &undo.change_sets(tx)?)?;
    let id = undo.change_set_id.as_ref().or(undo.batch_id.as_ref()).map(Id::as_str).unwrap_or_default();
    if core.call.label.as_deref() == Some(id) {
        return Err(Error::invalid("x-batch-id", "must not be the label that is undone"));
    }
    if writes.is_empty() {
        return Err(nothing_to_undo(tx, id)?);
    }
    revert(tx, caller, id, writes, whole)
}

/// Undoes tool calls of the caller: all that belong to one of these change sets or labels, as one write. Fails if one of
/// their rows is no longer as they left it. Changes that the caller made by other means are not undone.
pub fn undo_tool_calls(tx: &mut EditTx<'_>, ids: &[Id], whole: &WholeMap) -> Result<(UndoResult, Outcome)> {
    let core = tx.core();
    let caller = core.caller()?.user_id;
    let mut writes: BTreeMap<i64, LoggedWrite> = BTreeMap::new();
    for (at, id) in ids.iter().enumerate() {
        let own = change_log::written_by(core.conn, tx.pk(), caller, &change_sets_named(tx, id)?)?;
        let is_empty = own.is_empty();
        let mut by_tools = own.into_iter().filter(|write| write.via == Via::Mcp.as_str()).peekable();
        if by_tools.peek().is_none() {
            return Err(match nothing_to_undo(tx, id.as_str())? {
                _ if !is_empty => {
                    Error::Forbidden("this was not changed by a tool; the user can undo it in the web client")
                }
                Error::NotFound(_) => {
                    let text = "no change set of this workspace has this id".into();
                    Error::invalid(FieldPath::item("changeSetIds", at), Problem::Solvable(text, Remedy::ListChanges))
                }
                error => error,
            });
        }
        writes.extend(by_tools.map(|write| (write.id, write)));
    }
    // Named after the newest, which is undone first.
    let newest = writes.values().next_back().map(|write| write.change_set.clone());
    let id = ids.iter().map(Id::as_str).find(|id| newest.as_deref() == Some(*id)).or(ids.first().map(Id::as_str));
    let done = revert(tx, caller, id.unwrap_or_default(), writes.into_values().collect(), whole)?;
    let change_set_id = done.change_set_id.as_ref().map(|_| done.batch_id.clone());
    let outcome = Outcome { change_set_id, revision: done.revision };
    Ok((done, outcome))
}

/// The error for an id under which the caller has no changes.
fn nothing_to_undo(tx: &EditTx<'_>, id: &str) -> Result<Error> {
    Ok(if change_log::is_known(tx.core().conn, tx.pk(), id)? {
        Error::Forbidden("only your own changes can be undone")
    } else {
        Error::NotFound("change set")
    })
}

/// Undoes writes of the caller, named `id` in the history.
fn revert(tx: &mut EditTx<'_>, caller: i64, id: &str, writes: Vec<LoggedWrite>, _: &WholeMap) -> Result<UndoResult> {
    let core = tx.core();
    let change_sets: HashSet<String> = writes.iter().map(|write| write.change_set.clone()).collect();
    if store::history::cut_change_set(core.conn, tx.pk())?.is_some_and(|cut| change_sets.contains(&cut)) {
        return Err(Error::Conflict("this is too old to be undone: the history may no longer have all of it".into()));
    }
    if tx.workspace().base_pk.is_some() {
        for change_set in &change_sets {
            if is_draft_update(core.conn, tx.pk(), change_set)? {
                let text =
                    "an update from the base cannot be undone in a draft: merging the draft would then revert the base";
                return Err(Error::Conflict(text.into()));
            }
        }
    }
    let mut plan = UndoPlan { tx, caller, change_sets, blocked: Vec::new() };
    let mut steps = plan.steps(writes)?;
    if !plan.blocked.is_empty() {
        return Err(Error::ChangedSince(plan.blocked));
    }
    tx.core().undoing(id);
    let rows = steps.count(tx.workspace());
    let (change_set_id, revision) = steps.apply(tx)?;
    Ok(UndoResult {
        change_set_id,
        batch_id: tx.core().call.batch().to_owned(),
        undo_of: id.to_owned(),
        revision,
        rows,
    })
}

/// The combined effect of the change sets on one row.
struct NetChange {
    entity: Entity,
    entity_id: String,
    before: Option<String>,
    after: Option<String>,
    /// For consecutive writes that do not match: the row after the first write and the row before the second.
    gaps: Vec<(Option<String>, Option<String>)>,
}

/// Combines the writes by row, in the order in which the rows were first written.
fn net(writes: Vec<LoggedWrite>) -> Vec<NetChange> {
    let mut rows: Vec<NetChange> = Vec::new();
    let mut indexes: HashMap<(Entity, String), usize> = HashMap::new();
    for LoggedWrite { entity, entity_id, before, after, .. } in writes {
        // The id of a workspace can change, but there is only one workspace.
        let key = if entity == Entity::Workspace { String::new() } else { entity_id.clone() };
        let index = *indexes.entry((entity, key)).or_insert(rows.len());
        match rows.get_mut(index) {
            Some(row) => {
                let left = std::mem::replace(&mut row.after, after);
                if left != before {
                    row.gaps.push((left, before));
                }
            }
            None => rows.push(NetChange { entity, entity_id, before, after, gaps: Vec::new() }),
        }
    }
    rows
}

/// Adds the step that reverts a row.
struct Reverted<'p, 't, 'c> {
    plan: &'p mut UndoPlan<'t, 'c>,
    steps: &'p mut Steps,
    row: Option<NetChange>,
}

impl KindVisitor for Reverted<'_, '_, '_> {
    type Error = Error;

    fn visit<R: MapRow>(&mut self) -> Result<()> {
        if let Some(row) = self.row.take() {
            R::of_mut(&mut self.steps.rows).extend(self.plan.revert(row)?);
        }
        Ok(())
    }
}

/// The writes required to undo the change sets.
struct UndoPlan<'t, 'c> {
    tx: &'t EditTx<'c>,
    caller: i64,
    change_sets: HashSet<String>,
    blocked: Vec<ChangedSince>,
}

impl UndoPlan<'_, '_> {
    fn steps(&mut self, writes: Vec<LoggedWrite>) -> Result<Steps> {
        let mut steps = Steps::default();
        for row in net(writes) {
            if row.entity == Entity::Workspace {
                steps.workspace = Some(self.own_fields(row)?);
                continue;
            }
            if row.entity == Entity::Member {
                let text = "who has access to a workspace is not undone; change it on its members' page";
                return Err(Error::Conflict(text.into()));
            }
            let kind = row.entity;
            if !visit_kind(kind, &mut Reverted { plan: self, steps: &mut steps, row: Some(row) })? {
                return Err(Error::internal(format!("the log of a workspace has a {}", kind.as_str())));
            }
        }
        Ok(steps)
    }

    /// Reverts one row if it is still as the change sets left it; none if it already has its earlier state.
    fn revert<R: MapRow>(&mut self, row: NetChange) -> Result<Option<RowStep<R>>> {
        let workspace_id = &self.tx.workspace().id;
        let read = |json: Option<String>| -> Result<Option<R>> {
            json.map(|json| R::from_logged(serde_json::from_str(&json)?, workspace_id)).transpose()
        };
        let same = |a: &Option<R>, b: &Option<R>| match (a, b) {
            (Some(a), Some(b)) => a.has_same_contents(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let mut interrupted = false;
        for (left, found) in row.gaps {
            interrupted |= !same(&read(left)?, &read(found)?);
        }
        let (left, then) = (read(row.after)?, read(row.before)?);
        let now = self.tx.find::<R>(&row.entity_id)?;
        let why = match (&now, &left) {
            _ if same(&now, &left) && !interrupted => None,
            _ if same(&now, &left) => Some("was changed in between"),
            (Some(_), None) => Some("was added since"),
            (None, _) => Some("was deleted since"),
            (Some(_), Some(_)) => Some("has changed since"),
        };
        if let Some(why) = why {
            let name = now.as_ref().or(left.as_ref()).or(then.as_ref()).map_or_else(|| row.entity_id.clone(), R::name);
            self.block(R::ENTITY, &row.entity_id, name, why)?;
            return Ok(None);
        }
        Ok(if same(&now, &then) { None } else { Some(RowStep { now, then }) })
    }

    /// The workspace's own fields before the change sets.
    fn own_fields(&mut self, row: NetChange) -> Result<Workspace> {
        let (Some(before), Some(after)) = (&row.before, &row.after) else {
            let text = "creating, deleting and restoring a workspace are not undone here; delete or restore it";
            return Err(Error::Conflict(text.into()));
        };
        let read = |json: &str| -> Result<Workspace> { Ok(serde_json::from_str(json)?) };
        let own = |of: &Workspace| (of.name.clone(), of.description.clone(), of.sharing(), of.properties.clone());
        let now = self.tx.workspace().clone();
        let mut why = (own(&now) != own(&read(after)?)).then_some("has changed since");
        for gap in &row.gaps {
            let (Some(left), Some(found)) = gap else {
                return Err(Error::Conflict("deleting and restoring a workspace are not undone here".into()));
            };
            if own(&read(left)?) != own(&read(found)?) {
                why = why.or(Some("was changed in between"));
            }
        }
        if let Some(why) = why {
            self.block(Entity::Workspace, &now.id, now.name.clone(), why)?;
        }
        let (name, description, (visibility, organization_access), properties) = own(&read(before)?);
        Ok(Workspace { name, description, visibility, organization_access, properties, ..now })
    }

    fn block(&mut self, entity: Entity, id: &str, name: String, why: &str) -> Result<()> {
        let (conn, pk) = (self.tx.core().conn, self.tx.pk());
        let beside = (self.caller, &self.change_sets);
        let last = change_log::last_write_beside(conn, pk, entity.as_str(), id, beside)?;
        self.blocked.push(ChangedSince {
            entity: entity.as_str(),
            id: id.to_owned(),
            name,
            why: why.to_owned(),
            changed_by: last.author,
            change_set_id: last.change_set,
        });
        Ok(())
    }
}
