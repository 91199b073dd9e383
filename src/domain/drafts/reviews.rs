//! Reviews of drafts.

use super::{
    model::{Draft, NewReview, Verdict},
    rules::{Shown, notify_author, queue_webhooks, record, stored},
    store, wrong_state,
};
use crate::{
    domain::{
        core::{DraftTx, Reads, WebhookEvent},
        notifications::{self, NotificationKind, Subject},
        values::CommentText,
    },
    error::{Error, Problem, Result},
};

/// Maximum number of reviews of a draft by one user.
const MAX_REVIEWS_OF_USER: i64 = 200;

/// Reviews a draft: everyone who can view the base can comment; editors other than the author approve and request changes.
pub fn review(tx: &mut DraftTx<'_>, new: &NewReview) -> Result<Draft> {
    let draft = stored(tx)?;
    let (core, user_id) = (tx.core(), tx.user_id()?);
    if new.verdict == Verdict::Comment {
        if new.text.is_none() {
            return Err(Error::invalid("text", Problem::required(" for a comment")));
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
        if draft.end_state.is_some() {
            return Err(wrong_state("this draft was merged or closed"));
        }
        if draft.submitted_at.is_none() {
            return Err(wrong_state("this draft is not submitted for review yet; comment instead"));
        }
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
    let review_id = store::reviews::insert(core.conn, (draft.pk, user_id), (new.verdict, text), revision, core.now)?;
    store::drafts::update(core.conn, &draft, core.now)?;
    notifications::review_written(core, tx.pk(), &draft.id, user_id)?;
    let subject = Subject::Review { draft_id: &draft.id, review_id };
    notify_author(tx, &draft, NotificationKind::ReviewRequest, subject)?;
    match new.verdict {
        Verdict::Approved => queue_webhooks(tx, &draft.id, WebhookEvent::DraftApproved)?,
        Verdict::ChangesRequested => queue_webhooks(tx, &draft.id, WebhookEvent::DraftChangesRequested)?,
        Verdict::Comment => {}
    }
    record(tx, &draft, "review")?;
    Shown::new(tx).draft(stored(tx)?, true)
}
