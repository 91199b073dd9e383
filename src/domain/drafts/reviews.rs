//! Reviews of drafts.

use super::{
    model::{Draft, NewReview, ReviewState},
    rules::{Shown, has_changed_map, notify_author, queue_webhooks, record, stored},
    store,
    store::drafts::StoredDraft,
    wrong_state,
};
use crate::{
    clock::MINUTE,
    domain::{
        comments::{self, MAX_MESSAGES_PER_MINUTE},
        core::{DraftTx, Reads, WebhookEvent},
        notifications::{self, Notice, NotificationKind, Subject},
        values::CommentText,
    },
    error::{DraftRefusal, Error, Problem, Result},
};

/// Maximum number of reviews of a draft by one user.
const MAX_REVIEWS_OF_USER: i64 = 200;

/// Fails if the map of a draft has another revision than the caller has seen.
pub(super) fn expect_revision(draft: &StoredDraft, expected: Option<i64>) -> Result<()> {
    if expected.is_none_or(|expected| Some(expected) == draft.revision) {
        return Ok(());
    }
    let message = "the draft has changed since you read it; compare it again".into();
    Err(Error::Draft(Box::new(DraftRefusal { code: "stale", message, ..DraftRefusal::default() })))
}

/// Reviews a draft: its author and everyone who can comment in the base can comment; editors who have not changed it approve
/// and request changes.
pub fn review(tx: &mut DraftTx<'_>, new: &NewReview) -> Result<Draft> {
    let draft = stored(tx)?;
    let (core, user_id) = (tx.core(), tx.user_id()?);
    if new.verdict == ReviewState::Comment {
        if new.text.is_none() {
            return Err(Error::invalid("text", Problem::required(" for a comment")));
        }
        if !tx.is_author()? {
            comments::expect_may_comment(tx)?;
        }
    } else {
        if !tx.is_base_editor() {
            let text =
                "approving and requesting changes needs the access level editor in the workspace; comment instead";
            return Err(Error::Forbidden(text));
        }
        if tx.is_author()? {
            return Err(Error::Forbidden("your own draft needs the review of another editor"));
        }
        if has_changed_map(core.conn, &draft, user_id)? {
            return Err(Error::Forbidden(
                "you have changed this draft; it needs the review of an editor who has not, and you can comment",
            ));
        }
        if draft.end_state.is_some() {
            return Err(wrong_state("this draft was merged or closed"));
        }
        if draft.submitted_at.is_none() {
            return Err(wrong_state("this draft is not submitted for review yet; comment instead"));
        }
    }
    expect_revision(&draft, new.expected_revision)?;
    if let Some(at) = store::reviews::nth_last(core.conn, user_id, core.now - MINUTE, MAX_MESSAGES_PER_MINUTE)? {
        let wait = u64::try_from(at + MINUTE - core.now).unwrap_or_default();
        return Err(Error::RateLimited { retry_after: std::time::Duration::from_millis(wait) });
    }
    let count = store::reviews::count(core.conn, draft.pk, user_id)?;
    if count >= MAX_REVIEWS_OF_USER {
        let (limit, actual) = (MAX_REVIEWS_OF_USER, count + 1);
        let message =
            format!("you have written {count} reviews of this draft, which is the limit; use comments on its map");
        return Err(Error::LimitReached { limit, actual, message });
    }
    let text = new.text.as_ref().map(CommentText::as_str);
    let revision = draft.revision.unwrap_or(draft.base_revision);
    let others = store::reviews::authors(core.conn, draft.pk)?;
    let review_id = store::reviews::insert(core.conn, (draft.pk, user_id), (new.verdict, text), revision, core.now)?;
    store::drafts::update(core.conn, &draft, core.now)?;
    notifications::review_written(core, tx.pk(), &draft.id, user_id)?;
    let subject = Subject::Review { draft_id: &draft.id, review_id };
    let mut notice = Notice { kind: NotificationKind::Mention, workspace_pk: tx.pk(), subject, actor: Some(user_id) };
    let mentioned = text.map_or(Ok(Vec::new()), |text| comments::mentioned_in(tx, text))?;
    notifications::notify(core, &notice, &mentioned)?;
    if !mentioned.contains(&draft.author_id) {
        notify_author(tx, &draft, NotificationKind::ReviewRequest, subject)?;
    }
    // Other reviewers are notified of texts, as in a thread.
    if text.is_some() {
        let is_told = |user_id: &i64| *user_id == draft.author_id || mentioned.contains(user_id);
        let others: Vec<i64> = others.into_iter().filter(|user_id| !is_told(user_id)).collect();
        notice.kind = NotificationKind::ReviewRequest;
        notifications::notify(core, &notice, &others)?;
    }
    match new.verdict {
        ReviewState::Approved => queue_webhooks(tx, &draft.id, WebhookEvent::DraftApproved)?,
        ReviewState::ChangesRequested => queue_webhooks(tx, &draft.id, WebhookEvent::DraftChangesRequested)?,
        ReviewState::Comment => {}
    }
    record(tx, &draft, "review")?;
    Shown::new(tx).draft(stored(tx)?, true)
}
