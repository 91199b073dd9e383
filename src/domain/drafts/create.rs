//! Starting a draft.
//!
//! The rows of a large map are copied in several transactions, so that other writers need not wait for all of them. The
//! draft is hidden until they are complete. If the base changes in between, the copy starts again.

use super::{
    model::{Draft, NewDraft},
    notify_followers,
    rules::{Shown, expect_room_for_unfinished, notify, queue_webhooks, reviewers, set_reviewers},
    store::{
        self,
        copy::{self, Position},
        drafts::NewDraftRow,
    },
};
use crate::{
    domain::{
        core::{Call, Gate, ProposerTx, Reads, ViewTx, WebhookEvent, WholeMap, access::Proposer},
        history::{SAVED_COPIES, compress},
        notifications::NotificationKind,
        state::WorkspaceState,
        values::{SourceId, Text},
    },
    error::{Error, Result},
};

/// How often a copy in several transactions starts again because the base has changed. After that, one transaction copies all.
const ATTEMPTS: usize = 4;
/// Maximum number of maps of drafts of a workspace that one user has created and that still exist, also of ended drafts.
const MAX_MAPS_OF_USER: i64 = 200;

/// The base of a new draft.
struct Branch {
    revision: i64,
    state: Vec<u8>,
    rows: usize,
}

impl Branch {
    fn of(tx: &ViewTx<'_>, whole: &WholeMap) -> Result<Self> {
        let state = compress(WorkspaceState::now(tx, whole)?)?;
        Ok(Self { revision: tx.workspace().metadata.revision, state, rows: copy::count(tx.core().conn, tx.pk())? })
    }
}

/// Starts a draft of a workspace that the caller can view. A sync continues the unfinished draft of its source.
pub async fn create(gate: &Gate, call: Call<Proposer>, base_id: String, new: NewDraft) -> Result<Draft> {
    if let Some(answer) = gate.first_answer(call.clone(), base_id.clone()).await? {
        return Ok(answer);
    }
    let weigh = |tx: &ProposerTx<'_>| Ok(tx.weight()?.saturating_mul(SAVED_COPIES));
    let whole = gate.whole_map(&call, base_id.clone(), weigh).await?;
    for attempt in 0..=ATTEMPTS {
        let (source, reservation) = (new.source_id.clone(), whole.clone());
        let read = move |tx: &ProposerTx<'_>| match of_source(tx, source.as_ref())? {
            Some(draft) => Ok(Err(draft)),
            None => Branch::of(tx, &reservation).map(Ok),
        };
        let branch = match gate.read(call.clone().large(), base_id.clone(), read).await? {
            Ok(branch) => branch,
            Err(draft) => return Ok(draft),
        };
        let new = new.clone();
        let done = if branch.rows <= copy::MAX_ROWS {
            gate.write(call.clone().large(), base_id.clone(), move |tx| at_once(tx, &branch, &new)).await
        } else if attempt == ATTEMPTS {
            let reservation = whole.clone();
            let copy = move |tx: &mut ProposerTx<'_>| at_once(tx, &Branch::of(tx, &reservation)?, &new);
            gate.write(call.clone().large(), base_id.clone(), copy).await
        } else {
            in_parts(gate, &call, &base_id, branch, new).await
        };
        match done {
            Err(Error::Cancelled) => {}
            done => return done,
        }
    }
    Err(Error::Conflict("the workspace is being changed; try again in a moment".into()))
}

/// The unfinished draft of the caller that a sync of this source has started.
fn of_source(tx: &ViewTx<'_>, source: Option<&SourceId>) -> Result<Option<Draft>> {
    let Some(source) = source else { return Ok(None) };
    let found = store::drafts::of_source(tx.core().conn, tx.pk(), tx.user_id()?, source.as_str())?;
    found.map(|draft| Shown::new(tx).draft(draft, true)).transpose()
}

/// Copies all rows in this transaction.
fn at_once(tx: &mut ProposerTx<'_>, branch: &Branch, new: &NewDraft) -> Result<Draft> {
    let (id, map_pk) = begin(tx)?;
    let conn = tx.core().conn;
    let mut next = Some(Position::default());
    while let Some(position) = next {
        tx.core().check_alive()?;
        next = copy::part(conn, (tx.pk(), map_pk), position, copy::MAX_ROWS)?;
    }
    finish(tx, branch, new, (&id, map_pk))
}

/// Copies the rows in several transactions.
async fn in_parts(gate: &Gate, call: &Call<Proposer>, base_id: &str, branch: Branch, new: NewDraft) -> Result<Draft> {
    let part_call = call.clone().without_retry().without_body().large();
    let revision = branch.revision;
    let start = move |tx: &mut ProposerTx<'_>| {
        expect_unchanged(tx, revision)?;
        begin(tx)
    };
    let (id, map_pk) = gate.write(part_call.clone(), base_id.to_owned(), start).await?;
    let mut next = Some(Position::default());
    while let Some(position) = next {
        let copy = move |tx: &mut ProposerTx<'_>| {
            expect_unchanged(tx, revision)?;
            copy::part(tx.core().conn, (tx.pk(), map_pk), position, copy::MAX_ROWS)
        };
        next = gate.write(part_call.clone(), base_id.to_owned(), copy).await?;
    }
    let end = move |tx: &mut ProposerTx<'_>| finish(tx, &branch, &new, (&id, map_pk));
    gate.write(call.clone().large(), base_id.to_owned(), end).await
}

fn expect_unchanged(tx: &ProposerTx<'_>, revision: i64) -> Result<()> {
    if tx.workspace().metadata.revision == revision { Ok(()) } else { Err(Error::Cancelled) }
}

/// Creates the hidden workspace of a draft. Returns its id and key.
fn begin(tx: &mut ProposerTx<'_>) -> Result<(String, i64)> {
    if tx.workspace().base_pk.is_some() {
        return Err(Error::Conflict("a draft cannot have drafts; edit it, or start a draft of its workspace".into()));
    }
    let (conn, user_id) = (tx.core().conn, tx.user_id()?);
    expect_room_for_unfinished(tx, user_id)?;
    let maps = store::drafts::count_maps(conn, tx.pk(), user_id)?;
    if maps >= MAX_MAPS_OF_USER {
        let message =
            format!("you have {maps} drafts of this workspace, also merged and closed ones; try again in some days");
        return Err(Error::LimitReached { limit: MAX_MAPS_OF_USER, actual: maps + 1, message });
    }
    // Its last digits are random.
    let random: String = uuid::Uuid::now_v7().simple().to_string().chars().skip(20).collect();
    let id = format!("draft-{random}");
    let map_pk = tx.create_map(id.clone())?;
    Ok((id, map_pk))
}

/// Shows the draft, whose rows are complete.
fn finish(tx: &mut ProposerTx<'_>, branch: &Branch, new: &NewDraft, (id, map_pk): (&str, i64)) -> Result<Draft> {
    expect_unchanged(tx, branch.revision)?;
    let (core, author_id) = (tx.core(), tx.user_id()?);
    let row = NewDraftRow {
        id,
        base_pk: tx.pk(),
        workspace_pk: map_pk,
        title: new.title.as_str(),
        description: new.description.as_ref().map(Text::as_str).filter(|text| !text.trim().is_empty()),
        author_id,
        source_id: new.source_id.as_ref().map(SourceId::as_str),
        base_revision: branch.revision,
        base_state: &branch.state,
        submitted_at: (new.submit == Some(true)).then_some(core.now),
        now: core.now,
    };
    let pk = store::drafts::insert(core.conn, &row)?;
    if let Some(reviewers) = &new.reviewers {
        set_reviewers(tx, pk, reviewers)?;
    }
    let details = serde_json::json!({ "workspacePk": tx.pk(), "draft": id, "title": new.title.as_str() });
    core.audit("draft.create", core.actor(), &details)?;
    // The draft itself has no followers yet.
    notify_followers(core, tx.pk(), Some((id, None)), "create");
    let stored = store::drafts::find(core.conn, pk)?.ok_or(Error::NotFound("draft"))?;
    if stored.submitted_at.is_some() {
        notify(tx, &stored, NotificationKind::ReviewRequest, &reviewers(tx, &stored)?)?;
        queue_webhooks(tx, id, WebhookEvent::DraftSubmitted)?;
    }
    tx.show_map(map_pk)?;
    Shown::new(tx).draft(stored, true)
}
