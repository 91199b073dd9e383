//! Merging a draft into its base, and updating it from its base.
//!
//! The merge is computed before the write transaction begins, to keep the writer thread free. If one of the maps has changed in
//! between, it is computed again.

use std::collections::HashMap;

use super::{
    comparison,
    merge::{Decisions, Merge, RowIds, Side, Target},
    model::{Draft, DraftMerge, DraftMergeResult, DraftState, DraftUpdate, DraftUpdateResult, MergeSide, Resolution},
    reviews::expect_revision,
    rules::{Shown, notify, notify_author, queue_webhooks, record, reviewers, stored},
    store::{self, drafts::StoredDraft},
    wrong_state,
};
use crate::{
    domain::{
        core::{
            Call, DraftTx, Entity, Gate, Reads, WebhookEvent, WholeMap,
            access::{DraftMerger, Drafter},
        },
        history::compress,
        notifications::{NotificationKind, Subject},
        state::WorkspaceState,
        values::ChangeReason,
    },
    error::{DraftRefusal, Error, Result},
};

/// How often a merge is computed again because a map has changed.
const ATTEMPTS: usize = 5;
/// Maximum number of conflicts in an error.
const MAX_SHOWN_CONFLICTS: usize = 200;

/// What was computed before the write.
struct Plan {
    /// Revisions of the base and of the draft.
    revisions: (i64, i64),
    merge: Merge,
    ids: RowIds,
    /// For a merge, the comparison to be stored; for an update, the state of the base.
    stored: Vec<u8>,
    /// Reason of the change set if the request has none.
    reason: Option<ChangeReason>,
    /// Reserves the memory until the rows are written.
    _whole: WholeMap,
}

/// Merges a draft into its base as one change set.
pub async fn merge(gate: &Gate, call: Call<DraftMerger>, id: String, request: DraftMerge) -> Result<DraftMergeResult> {
    let DraftMerge { resolutions, otherwise, expected_revision } = request;
    let decisions = decisions(&resolutions, otherwise)?;
    let work = move |tx: &mut DraftTx<'_>, plan: Plan| apply_merge(tx, plan, expected_revision);
    // The write opens the base for editing, which requires the permission again.
    attempt(gate, call.retyped(), id, decisions, (stored_comparison, merge_reason), work).await
}

/// Brings the changes of the base into a draft, as one change set of the draft.
pub async fn update_from_base(
    gate: &Gate,
    call: Call<Drafter>,
    id: String,
    request: DraftUpdate,
) -> Result<DraftUpdateResult> {
    let decisions = decisions(&request.resolutions, request.otherwise)?;
    let store = |tx: &DraftTx<'_>, _: &Merge, _: &RowIds, whole: &WholeMap| compress(WorkspaceState::now(tx, whole)?);
    attempt(gate, call, id, decisions, (store, no_reason), apply_update).await
}

/// Closes a draft without merging it.
pub async fn close(gate: &Gate, call: Call<Drafter>, id: String) -> Result<Draft> {
    attempt(gate, call, id, Decisions::default(), (stored_comparison, no_reason), apply_close).await
}

/// Sets the reason that the history of the base shows.
fn merge_reason(draft: &StoredDraft) -> Option<ChangeReason> {
    ChangeReason::new(&format!("Draft #{}: {}", draft.number, draft.title)).ok()
}

fn no_reason(_: &StoredDraft) -> Option<ChangeReason> {
    None
}

fn stored_comparison(tx: &DraftTx<'_>, merge: &Merge, ids: &RowIds, _: &WholeMap) -> Result<Vec<u8>> {
    comparison::compressed(&comparison::of_merge(tx, merge, ids)?)
}

/// Computes a merge and writes it, again if a map has changed in between.
async fn attempt<T: crate::domain::core::Answer>(
    gate: &Gate,
    call: Call<Drafter>,
    id: String,
    decisions: Decisions,
    (store, reason): (
        impl Fn(&DraftTx<'_>, &Merge, &RowIds, &WholeMap) -> Result<Vec<u8>> + Copy + Send + 'static,
        fn(&StoredDraft) -> Option<ChangeReason>,
    ),
    work: impl Fn(&mut DraftTx<'_>, Plan) -> Result<T> + Copy + Send + 'static,
) -> Result<T> {
    if let Some(answer) = gate.first_answer(call.clone(), id.clone()).await? {
        return Ok(answer);
    }
    // A merge also keeps the rows that it writes in memory.
    let weigh = |tx: &DraftTx<'_>| Ok(comparison::weigh_states(tx)?.saturating_mul(3));
    let whole = gate.whole_map(&call, id.clone(), weigh).await?;
    for _ in 0..ATTEMPTS {
        let (decisions, whole) = (decisions.clone(), whole.clone());
        let read = move |tx: &DraftTx<'_>| {
            tx.expect_manager()?;
            if tx.has_ended() {
                return Err(wrong_state("this draft was merged or closed; reopen it first"));
            }
            let revisions = revisions(tx)?;
            let (merge, ids) = comparison::input(tx, &whole)?.merge(&decisions)?;
            let (draft, stored) = (stored(tx)?, store(tx, &merge, &ids, &whole)?);
            Ok(Plan { revisions, merge, ids, stored, reason: reason(&draft), _whole: whole })
        };
        let mut plan = gate.read(call.clone().large(), id.clone(), read).await?;
        let mut call = call.clone().large();
        call.reason = call.reason.or(plan.reason.take());
        let write = move |tx: &mut DraftTx<'_>| {
            if tx.has_ended() || revisions(tx)? != plan.revisions {
                return Err(Error::Cancelled);
            }
            work(tx, plan)
        };
        match gate.write(call, id.clone(), write).await {
            Err(Error::Cancelled) => {}
            done => return done,
        }
    }
    Err(Error::Conflict("the workspace or the draft is being changed; try again in a moment".into()))
}

fn revisions(tx: &DraftTx<'_>) -> Result<(i64, i64)> {
    let map = tx.map()?.ok_or(Error::NotFound("draft"))?;
    Ok((tx.workspace().metadata.revision, map.workspace().metadata.revision))
}

fn apply_merge(tx: &mut DraftTx<'_>, plan: Plan, expected_revision: Option<i64>) -> Result<DraftMergeResult> {
    let mut base = tx.edit_base()?;
    let mut draft = stored(tx)?;
    if draft.submitted_at.is_none() {
        return Err(wrong_state("this draft is not submitted; set its state to `open` first"));
    }
    expect_revision(&draft, expected_revision)?;
    let shown = Shown::new(tx);
    let verdicts = shown.verdicts(&draft)?;
    if !shown.has_approvals(&verdicts) {
        return Err(approvals_missing(tx, verdicts.approvals, verdicts.has_requests));
    }
    expect_decided(tx, &plan)?;
    if tx.workspace().is_protected == Some(true) && plan.merge.has_conflicts() {
        return Err(Error::Draft(Box::new(DraftRefusal {
            code: "draft_update_required",
            message:
                "this workspace is protected and the draft conflicts with it: update the draft from the workspace, \
                      where the conflicts are decided, and have it approved again"
                    .into(),
            ..DraftRefusal::default()
        })));
    }
    let map_pk = draft.workspace_pk.unwrap_or_default();
    let target =
        Target { tx: &mut base, side: Side::Base, map_pk, other_pk: map_pk, ids: plan.ids, last_ids: Vec::new() };
    let rows = target.apply(plan.merge)?;
    let core = tx.core();
    store::sources::merge(core.conn, (map_pk, tx.pk()), draft.created_at)?;
    let change_set_id = (rows > 0).then(|| core.call.change_set.clone());
    draft.change_set.clone_from(&change_set_id);
    let draft = end(tx, draft, DraftState::Merged, &plan.stored)?;
    let revision = base.workspace_now()?.metadata.revision;
    Ok(DraftMergeResult { draft, change_set_id, revision, rows })
}

fn apply_close(tx: &mut DraftTx<'_>, plan: Plan) -> Result<Draft> {
    end(tx, stored(tx)?, DraftState::Closed, &plan.stored)
}

/// Ends a draft, with its comparison as it is now.
fn end(tx: &DraftTx<'_>, mut draft: StoredDraft, state: DraftState, comparison: &[u8]) -> Result<Draft> {
    let core = tx.core();
    draft.end_state = Some(state.as_str().to_owned());
    (draft.ended_at, draft.ended_by) = (Some(core.now), core.actor());
    store::drafts::update(core.conn, &draft, core.now)?;
    store::drafts::set_comparison(core.conn, draft.pk, Some(comparison))?;
    record(tx, &draft, if state == DraftState::Merged { "merge" } else { "close" })?;
    let mut reviewers = reviewers(tx, &draft)?;
    reviewers.retain(|user_id| *user_id != draft.author_id);
    if state == DraftState::Merged {
        notify(tx, &draft, NotificationKind::DraftMerged, &reviewers)?;
        queue_webhooks(tx, &draft.id, WebhookEvent::DraftMerged)?;
    } else {
        queue_webhooks(tx, &draft.id, WebhookEvent::DraftClosed)?;
    }
    notify_author(tx, &draft, NotificationKind::DraftMerged, Subject::Draft(&draft.id))?;
    // Their requests for a review end.
    core.tell_inboxes(reviewers);
    Shown::new(tx).draft(stored(tx)?, true)
}

fn apply_update(tx: &mut DraftTx<'_>, plan: Plan) -> Result<DraftUpdateResult> {
    expect_decided(tx, &plan)?;
    let mut map = tx.edit_map()?;
    let draft = stored(tx)?;
    let (base_pk, map_pk) = (tx.pk(), map.pk());
    let target =
        Target { tx: &mut map, side: Side::Draft, map_pk, other_pk: base_pk, ids: plan.ids, last_ids: Vec::new() };
    let has_conflicts = plan.merge.has_conflicts();
    let rows = target.apply(plan.merge)?;
    if has_conflicts {
        // Decisions for the draft write no rows, but approvals of the draft without them lapse.
        map.step_revision()?;
    }
    let core = tx.core();
    let change_set_id = (rows > 0).then(|| core.call.change_set.clone());
    let state = (plan.revisions.0, plan.stored.as_slice());
    store::drafts::set_base_state(core.conn, draft.pk, state, change_set_id.as_deref())?;
    store::drafts::update(core.conn, &draft, core.now)?;
    record(tx, &draft, "rebase")?;
    Ok(DraftUpdateResult { draft: Shown::new(tx).draft(stored(tx)?, true)?, change_set_id, rows })
}

/// Fails with the conflicts that are not decided.
fn expect_decided(tx: &DraftTx<'_>, plan: &Plan) -> Result<()> {
    let count = plan.merge.open().count();
    if count == 0 {
        return Ok(());
    }
    let open = comparison::open(tx, &plan.merge, &plan.ids, MAX_SHOWN_CONFLICTS);
    let first = open.first().map(|row| format!("{} `{}`: {}", row.kind, row.id, row.why.clone().unwrap_or_default()));
    let noun = if count == 1 { "conflict" } else { "conflicts" };
    let message = format!(
        "{count} {noun} to decide; {}. Send `resolutions` with `take`: `base` or `draft`",
        crate::error::truncated(first.unwrap_or_default())
    );
    let unresolved = open.iter().map(serde_json::to_value).collect::<serde_json::Result<Vec<_>>>()?;
    Err(Error::Draft(Box::new(DraftRefusal {
        code: "draft_conflicts",
        message,
        count: i64::try_from(count).ok(),
        limit: None,
        unresolved: Some(unresolved),
    })))
}

fn approvals_missing(tx: &DraftTx<'_>, approvals: i64, has_requests: bool) -> Error {
    let required = tx.workspace().protection.map_or(0, |protection| protection.required_approvals);
    let message = if has_requests {
        "this workspace is protected and an editor has requested changes: make them, and submit the draft again".into()
    } else {
        format!("this workspace is protected: the draft has {approvals} of {required} required approvals")
    };
    Error::Draft(Box::new(DraftRefusal {
        code: "approvals_missing",
        message,
        count: Some(approvals),
        limit: Some(required),
        unresolved: None,
    }))
}

fn side(take: MergeSide) -> Side {
    match take {
        MergeSide::Base => Side::Base,
        MergeSide::Draft => Side::Draft,
    }
}

/// The decisions of a request.
fn decisions(resolutions: &[Resolution], otherwise: Option<MergeSide>) -> Result<Decisions> {
    let mut decisions = Decisions { rows: HashMap::new(), fields: HashMap::new(), otherwise: otherwise.map(side) };
    for (index, Resolution { kind, id, field, take }) in resolutions.iter().enumerate() {
        let entity = kind.entity()?;
        if entity == Entity::Member {
            let path = crate::error::FieldPath::item("resolutions", index);
            return Err(Error::invalid(path, "members are not part of a draft"));
        }
        // There is one workspace, whose id can change.
        let key = if entity == Entity::Workspace { String::new() } else { id.clone() };
        match field {
            Some(field) => drop(decisions.fields.insert(((entity, key), field.clone()), side(*take))),
            None => drop(decisions.rows.insert((entity, key), side(*take))),
        }
    }
    Ok(decisions)
}
