//! Events of drafts, as a webhook sends them: that a draft of a workspace was submitted, reviewed or ended. Its map is
//! never sent.

use serde_json::json;

use super::{
    messages::{Message, Report, named},
    store::{self, deliveries::StoredDelivery},
};
use crate::{
    domain::{
        core::{Reads, ViewTx, WebhookEvent},
        inbox, users,
    },
    error::{Author, Result},
};

/// A draft of the workspace as it is now. None if it does not exist.
pub(super) fn report(
    view: &ViewTx<'_>,
    event: WebhookEvent,
    delivery: &StoredDelivery,
    actor: Option<&Author>,
    link: &str,
) -> Result<Option<Report>> {
    let (conn, id) = (view.core().conn, delivery.subject.as_deref().unwrap_or_default());
    let Some(draft) = store::drafts::find(conn, view.pk(), id)? else { return Ok(None) };
    let author = users::by_id(conn, draft.author_id)?;
    let author = author.map(|user| Author { id: user.id, display_name: user.display_name });
    let url = inbox::draft_url(link, id);
    let mut data = json!({
        "workspace": named(view.workspace(), link),
        "draft": { "id": id, "number": draft.number, "title": draft.title, "url": url, "author": author },
        "actor": actor,
    });
    if event == WebhookEvent::DraftMerged {
        data["changeSetId"] = json!(draft.change_set);
    }
    let verb = match event {
        WebhookEvent::DraftSubmitted => "submitted",
        WebhookEvent::DraftApproved => "approved",
        WebhookEvent::DraftChangesRequested => "requested changes to",
        WebhookEvent::DraftMerged => "merged",
        _ => "closed",
    };
    let by = actor.map_or("Someone", |actor| &actor.display_name);
    let title = format!("{by} {verb} draft {} of {}", draft.number, view.workspace().name);
    let message = Message { title, lines: vec![draft.title], link: Some(("Open draft", url)) };
    Ok(Some(Report { data, message }))
}
