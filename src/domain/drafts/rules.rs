//! Reading, submitting and closing drafts, and their state.

use std::{cell::RefCell, collections::HashMap};

use rusqlite::Connection;
use serde_json::json;

use super::{
    MAX_UNFINISHED, MAX_UNFINISHED_OF_USER,
    model::{Draft, DraftFilter, DraftPatch, DraftReview, DraftState, RequestedState, ReviewState},
    notify_followers,
    store::{self, drafts::StoredDraft},
    wrong_state,
};
use crate::{
    domain::{
        core::{DraftTx, Reads, ViewTx, WebhookEvent, WebhookNotice},
        notifications::{self, Notice, NotificationKind, Subject},
        paging::{Page, Paging},
        users,
        values::{AccessLevel, Text},
    },
    error::{Error, Result},
};

/// Maximum number of reviews of a draft in a response.
const MAX_SHOWN_REVIEWS: i64 = 100;

const NOT_FOUND: Error = Error::NotFound("draft");

/// Reads a draft.
pub fn read(tx: &DraftTx<'_>) -> Result<Draft> {
    Shown::new(tx).draft(stored(tx)?, true)
}

/// Lists drafts of a workspace, newest first.
pub fn list(tx: &ViewTx<'_>, filter: &DraftFilter, paging: &Paging) -> Result<Page<Draft>> {
    let states = filter.state.as_deref().map(read_states).transpose()?;
    let author = filter.author.as_deref().map(|id| read_user(tx, "author", id)).transpose()?;
    let reviewer = filter.reviewer.as_deref().map(|id| read_user(tx, "reviewer", id)).transpose()?;
    let shown = Shown::new(tx);
    store::drafts::list(tx.core().conn, tx.pk(), &paging.window("drafts")?, |draft| {
        tx.core().check_alive()?;
        if author.is_some_and(|author| author != draft.author_id) {
            return Ok(None);
        }
        let (state, _) = shown.state(&draft)?;
        if states.as_ref().is_some_and(|states| !states.contains(&state)) {
            return Ok(None);
        }
        if let Some(reviewer) = reviewer
            && !waits_for(tx, &draft, reviewer)?
        {
            return Ok(None);
        }
        shown.draft(draft, false).map(Some)
    })
}

fn read_user(tx: &ViewTx<'_>, parameter: &'static str, id: &str) -> Result<i64> {
    match id {
        "me" => tx.user_id(),
        id => id.parse().map_err(|_| Error::invalid(parameter, "must be the id of a user, or `me`")),
    }
}

/// Whether a draft waits for a review by a user. Comments do not replace an earlier verdict.
fn waits_for(tx: &ViewTx<'_>, draft: &StoredDraft, user_id: i64) -> Result<bool> {
    let conn = tx.core().conn;
    let is_in_review = draft.submitted_at.is_some() && draft.end_state.is_none();
    if !is_in_review || !store::drafts::is_reviewer(conn, draft.pk, user_id)? {
        return Ok(false);
    }
    if has_changed_map(conn, draft, user_id)? {
        return Ok(false);
    }
    let last = store::reviews::last_of(conn, draft.pk, user_id)?;
    Ok(last.is_none_or(|last| match last.verdict {
        ReviewState::Approved => Some(last.revision) != draft.revision,
        ReviewState::ChangesRequested | ReviewState::Comment => Some(last.created_at) < draft.submitted_at,
    }))
}

fn read_states(list: &str) -> Result<Vec<DraftState>> {
    let read = |word: &str| DraftState::ALL.iter().copied().find(|state| state.as_str() == word);
    let states: Option<Vec<DraftState>> = list.split(',').map(read).collect();
    states.ok_or_else(|| {
        let known: Vec<&str> = DraftState::ALL.iter().map(|state| state.as_str()).collect();
        Error::invalid("state", format!("must be states separated by commas: {}", known.join(", ")))
    })
}

/// Updates a draft: its texts, its reviewers, and whether it is submitted.
pub fn update(tx: &mut DraftTx<'_>, patch: &DraftPatch) -> Result<Draft> {
    tx.expect_manager()?;
    let mut draft = stored(tx)?;
    let now = tx.core().now;
    let is_reopened = patch.state == Some(RequestedState::Draft) && draft.end_state.is_some();
    if let Some(title) = &patch.title {
        title.as_str().clone_into(&mut draft.title);
    }
    if let Some(description) = &patch.description {
        draft.description = Some(Text::as_str(description)).filter(|text| !text.trim().is_empty()).map(str::to_owned);
    }
    match patch.state {
        Some(RequestedState::Open) if draft.end_state.is_some() => {
            return Err(wrong_state("this draft was merged or closed; reopen it with the state `draft` first"));
        }
        Some(RequestedState::Open) => {
            draft.submitted_at = Some(now);
            // Requests for changes of the map as it still is are not answered.
            let revision = draft.revision.unwrap_or_default();
            draft.last_ignored_review = store::reviews::last_before(tx.core().conn, draft.pk, revision)?;
        }
        Some(RequestedState::Draft) => {
            if draft.workspace_pk.is_none() {
                return Err(wrong_state("the map of this draft was removed 30 days after its end; start a new draft"));
            }
            draft.submitted_at = None;
            if draft.end_state.take().is_some() {
                expect_room_for_unfinished(tx, draft.author_id)?;
                (draft.ended_at, draft.ended_by, draft.change_set) = (None, None, None);
                store::drafts::set_comparison(tx.core().conn, draft.pk, None)?;
            }
        }
        None => {}
    }
    let asked_before = reviewers(tx, &draft)?;
    if let Some(reviewers) = &patch.reviewers {
        set_reviewers(tx, draft.pk, reviewers)?;
    }
    store::drafts::update(tx.core().conn, &draft, now)?;
    if is_reopened {
        invalidate_approvals(tx, &draft)?;
    }
    let is_submitted = patch.state == Some(RequestedState::Open);
    if draft.submitted_at.is_some() && draft.end_state.is_none() {
        let mut asked = reviewers(tx, &draft)?;
        asked.retain(|user_id| is_submitted || !asked_before.contains(user_id));
        if is_submitted {
            let authors = store::reviews::authors(tx.core().conn, draft.pk)?;
            asked.extend(authors.into_iter().filter(|user_id| *user_id != draft.author_id));
        }
        notify(tx, &draft, NotificationKind::ReviewRequest, &asked)?;
    }
    // Requests for a review end with the submission, and for users who are no longer reviewers.
    if patch.state.is_some() || patch.reviewers.is_some() {
        tx.core().tell_inboxes(asked_before);
    }
    if is_submitted {
        queue_webhooks(tx, &draft.id, WebhookEvent::DraftSubmitted)?;
    }
    let op = if is_submitted { "submit" } else { "update" };
    record(tx, &draft, op)?;
    // The end of the draft may have changed, on which the caller's permissions depend.
    Shown::new(tx).draft(stored(tx)?, true)
}

/// Gives the map of a reopened draft a new revision: what its approvals allowed has been done or given up. Its requests for
/// changes stay, because its map has not changed.
fn invalidate_approvals(tx: &DraftTx<'_>, draft: &StoredDraft) -> Result<()> {
    tx.edit_map()?.step_revision()?;
    let (before, now) = (draft.revision, stored(tx)?.revision);
    store::reviews::move_requests(tx.core().conn, draft.pk, (before, now))
}

/// Fails if the workspace, or this author, has as many unfinished drafts as are allowed.
pub(super) fn expect_room_for_unfinished(base: &ViewTx<'_>, author_id: i64) -> Result<()> {
    let (all, own) = store::drafts::count_unfinished(base.core().conn, base.pk(), author_id)?;
    let whose = if base.core().actor() == Some(author_id) { "you have" } else { "the author of this draft has" };
    let limits = [
        (all, MAX_UNFINISHED, "this workspace has", "unfinished drafts"),
        (own, MAX_UNFINISHED_OF_USER, whose, "unfinished drafts of this workspace"),
    ];
    for (count, limit, whose, what) in limits {
        if count >= limit {
            let message = format!("{whose} {count} {what}; close some first");
            return Err(Error::LimitReached { limit, actual: count + 1, message });
        }
    }
    Ok(())
}

/// Stores the users who are asked for a review. They must be able to view the base.
pub(super) fn set_reviewers(tx: &ViewTx<'_>, draft_pk: i64, reviewers: &[i64]) -> Result<()> {
    for (index, user_id) in reviewers.iter().enumerate() {
        if tx.core().level_of(tx.workspace(), *user_id)?.is_none() {
            let path = crate::error::FieldPath::item("reviewers", index);
            return Err(Error::invalid(path, format!("user {user_id} cannot view this workspace")));
        }
    }
    store::drafts::set_reviewers(tx.core().conn, draft_pk, reviewers)
}

/// The ids of users with these logins or user ids, to ask them for a review. The error is the same for a user that does not
/// exist.
pub fn reviewers_named<'n>(base: &ViewTx<'_>, named: impl Iterator<Item = &'n str>) -> Result<Vec<i64>> {
    let core = base.core();
    let find = |(index, name): (usize, &str)| {
        let of_login = users::by_login(core.conn, name)?.map(|(user, _)| user.id);
        for user_id in of_login.into_iter().chain(name.parse().ok()) {
            if core.level_of(base.workspace(), user_id)?.is_some() {
                return Ok(user_id);
            }
        }
        let problem = format!("no user with the login or id `{name}` can view this workspace");
        Err(Error::invalid(crate::error::FieldPath::item("reviewers", index), problem))
    };
    named.enumerate().map(find).collect()
}

/// Notifies users of a draft of this workspace.
pub(super) fn notify(base: &ViewTx<'_>, draft: &StoredDraft, kind: NotificationKind, users: &[i64]) -> Result<()> {
    let (core, subject) = (base.core(), Subject::Draft(&draft.id));
    notifications::notify(core, &Notice { kind, workspace_pk: base.pk(), subject, actor: core.actor() }, users)
}

/// Notifies the author of a draft of this workspace who can still view the workspace.
pub(super) fn notify_author(
    base: &ViewTx<'_>,
    draft: &StoredDraft,
    kind: NotificationKind,
    subject: Subject<'_>,
) -> Result<()> {
    let core = base.core();
    if core.level_of(base.workspace(), draft.author_id)?.is_none() {
        return Ok(());
    }
    let notice = Notice { kind, workspace_pk: base.pk(), subject, actor: core.actor() };
    notifications::notify(core, &notice, &[draft.author_id])
}

/// Users who were asked to review a draft.
pub(super) fn reviewers(base: &ViewTx<'_>, draft: &StoredDraft) -> Result<Vec<i64>> {
    let reviewers = store::drafts::reviewers(base.core().conn, draft.pk)?;
    Ok(reviewers.iter().map(|reviewer| reviewer.id).collect())
}

/// Queues an event about a draft of this workspace for the webhooks of the organization.
pub(super) fn queue_webhooks(base: &ViewTx<'_>, draft_id: &str, event: WebhookEvent) -> Result<()> {
    base.core().queue_webhooks(&WebhookNotice {
        event,
        organization_id: base.workspace().org_id.as_deref().unwrap_or_default(),
        workspace_pk: Some(base.pk()),
        subject: draft_id.to_owned(),
        part: None,
    })
}

/// Records an action in the audit log, and tells followers.
pub(super) fn record(tx: &DraftTx<'_>, draft: &StoredDraft, op: &str) -> Result<()> {
    let core = tx.core();
    let details = json!({ "workspacePk": tx.pk(), "draft": draft.id, "title": draft.title });
    core.audit(&format!("draft.{op}"), core.actor(), &details)?;
    let op = if op == "submit" { "update" } else { op };
    notify_followers(core, tx.pk(), Some((&draft.id, draft.workspace_pk)), op);
    Ok(())
}

/// Whether a user has changed the map or the sources of a draft, as far back as its history and the audit log reach.
pub(super) fn has_changed_map(conn: &Connection, draft: &StoredDraft, user_id: i64) -> Result<bool> {
    draft.workspace_pk.map_or(Ok(false), |pk| store::drafts::has_changed(conn, pk, user_id))
}

/// The stored draft.
pub(super) fn stored(tx: &DraftTx<'_>) -> Result<StoredDraft> {
    store::drafts::find(tx.core().conn, tx.draft_pk())?.ok_or(NOT_FOUND)
}

/// What drafts of one base look like to the caller. The access of reviewers is read once.
pub(super) struct Shown<'t, 'c> {
    base: &'t ViewTx<'c>,
    editors: RefCell<HashMap<i64, bool>>,
}

/// Approvals and requests for changes that count.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    /// Number of approvals.
    pub(super) approvals: i64,
    /// Whether an editor has requested changes.
    pub(super) has_requests: bool,
    /// Ids of the reviews that count.
    ids: Vec<i64>,
}

impl<'t, 'c> Shown<'t, 'c> {
    pub(super) fn new(base: &'t ViewTx<'c>) -> Self {
        Self { base, editors: RefCell::default() }
    }

    fn is_editor(&self, user_id: i64) -> Result<bool> {
        if let Some(known) = self.editors.borrow().get(&user_id) {
            return Ok(*known);
        }
        let level = self.base.core().level_of(self.base.workspace(), user_id)?;
        let is_editor = level >= Some(AccessLevel::Editor);
        self.editors.borrow_mut().insert(user_id, is_editor);
        Ok(is_editor)
    }

    /// The verdicts that count. Approvals lapse when the map of the draft changes, and those of users who have changed it do
    /// not count.
    pub(super) fn verdicts(&self, draft: &StoredDraft) -> Result<Verdicts> {
        let mut verdicts = Verdicts::default();
        let conn = self.base.core().conn;
        for last in store::reviews::last_verdicts(conn, draft.pk)? {
            let counts = match last.verdict {
                ReviewState::Approved => {
                    Some(last.revision) == draft.revision && !has_changed_map(conn, draft, last.reviewer_id)?
                }
                ReviewState::ChangesRequested => last.id > draft.last_ignored_review,
                ReviewState::Comment => false,
            };
            if !counts || last.reviewer_id == draft.author_id || !self.is_editor(last.reviewer_id)? {
                continue;
            }
            verdicts.ids.push(last.id);
            match last.verdict {
                ReviewState::Approved => verdicts.approvals += 1,
                _ => verdicts.has_requests = true,
            }
        }
        Ok(verdicts)
    }

    fn required_approvals(&self) -> i64 {
        self.base.workspace().protection.map_or(0, |protection| protection.required_approvals)
    }

    fn state(&self, draft: &StoredDraft) -> Result<(DraftState, Verdicts)> {
        let verdicts = self.verdicts(draft)?;
        let state = match draft.end_state.as_deref() {
            Some("merged") => DraftState::Merged,
            Some(_) => DraftState::Closed,
            None if draft.submitted_at.is_none() => DraftState::Draft,
            None if verdicts.has_requests => DraftState::ChangesRequested,
            None if verdicts.approvals >= self.required_approvals().max(1) => DraftState::Approved,
            None => DraftState::Open,
        };
        Ok((state, verdicts))
    }

    /// Whether the approvals suffice for the caller to merge.
    pub(super) fn has_approvals(&self, verdicts: &Verdicts) -> bool {
        let workspace = self.base.workspace();
        let Some(protection) = workspace.protection else { return true };
        let is_exempt = protection.owners_exempt && workspace.my_role == Some(AccessLevel::Owner);
        is_exempt || verdicts.approvals >= protection.required_approvals && !verdicts.has_requests
    }

    /// A draft as the caller sees it.
    pub(super) fn draft(&self, draft: StoredDraft, with_reviews: bool) -> Result<Draft> {
        let (core, base) = (self.base.core(), self.base.workspace());
        let (state, verdicts) = self.state(&draft)?;
        let has_ended = draft.end_state.is_some();
        // An administrator of the instance who reads all organizations has no level.
        let is_author = base.my_role.is_some() && core.actor() == Some(draft.author_id);
        let is_editor = base.my_role >= Some(AccessLevel::Editor);
        let mut reviews = Vec::new();
        if with_reviews {
            reviews = store::reviews::newest(core.conn, draft.pk, MAX_SHOWN_REVIEWS)?;
            let mark = |review: DraftReview| DraftReview { is_current: verdicts.ids.contains(&review.id), ..review };
            reviews = reviews.into_iter().map(mark).collect();
        }
        let ended_at = |wanted: DraftState| draft.ended_at.filter(|_| state == wanted);
        let can_review = !has_ended
            && draft.submitted_at.is_some()
            && is_editor
            && !is_author
            && !has_changed_map(core.conn, &draft, core.actor().unwrap_or_default())?;
        Ok(Draft {
            number: draft.number,
            workspace_id: base.id.clone(),
            state,
            author: users::profile_of(core, draft.author_id)?,
            reviewers: store::drafts::reviewers(core.conn, draft.pk)?,
            reviews,
            approvals: verdicts.approvals,
            required_approvals: self.required_approvals(),
            is_behind: !has_ended && base.metadata.revision > draft.base_revision,
            revision: draft.revision.unwrap_or(draft.base_revision),
            base_revision: draft.base_revision,
            can_edit: !has_ended && (is_author || is_editor),
            can_review,
            can_merge: !has_ended && draft.submitted_at.is_some() && is_editor && self.has_approvals(&verdicts),
            merged_at: ended_at(DraftState::Merged),
            closed_at: ended_at(DraftState::Closed),
            ended_by: draft.ended_by.map(|id| users::profile_of(core, id)).transpose()?,
            change_set_id: draft.change_set,
            has_map: draft.workspace_pk.is_some(),
            source_id: draft.source_id,
            created_at: draft.created_at,
            updated_at: draft.updated_at,
            id: draft.id,
            title: draft.title,
            description: draft.description,
        })
    }
}
