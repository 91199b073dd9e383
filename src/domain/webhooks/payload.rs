//! What a webhook sends: read when it is sent, from what exists and can be reported at that moment.

use jiff::Timestamp;
use serde_json::json;
use url::Url;

use super::{
    PING, changes, drafts,
    messages::{Message, Report, named},
    model::WebhookFormat,
    secret_purpose,
    store::{self, deliveries::StoredDelivery, webhooks::StoredWebhook},
    url_purpose,
};
use crate::{
    domain::{
        comments::threads,
        core::{Core, Reads, SystemTx, ViewTx, WebhookEvent, Workspace},
        inbox,
        organizations::members,
        users,
        values::Visibility,
    },
    error::{Author, Error, Result},
    secret::Secret,
    webhooks::{SignedRequest, sign},
};

/// The request of a try, or why there is none.
pub(super) enum Built {
    /// The request.
    Request(Box<SignedRequest>),
    /// There is nothing to send. Says why.
    Nothing(&'static str),
    /// The delivery no longer waits.
    Ended,
}

/// Why nothing is sent about a private workspace, or one that the webhook does not select.
const NOT_REPORTED: &str = "the webhook does not report this workspace";
/// Why nothing is sent about what was deleted.
const DELETED: &str = "what the event is about was deleted";

/// Builds the request for the next try of a delivery.
pub(super) fn build(tx: &SystemTx<'_>, id: i64) -> Result<Built> {
    let core = tx.core();
    let Some(delivery) = store::queue::pending(core.conn, id)? else { return Ok(Built::Ended) };
    let webhook = store::webhooks::by_id(core.conn, &delivery.webhook_id)?;
    let webhook = webhook.ok_or_else(|| Error::internal("a delivery has no webhook"))?;
    let report = match report(tx, &webhook, &delivery)? {
        Ok(report) => report,
        Err(why) => return Ok(Built::Nothing(why)),
    };
    let body = match webhook.format {
        WebhookFormat::Standard => {
            let at = Timestamp::from_millisecond(delivery.created_at).unwrap_or(Timestamp::UNIX_EPOCH);
            json!({ "type": delivery.event, "timestamp": at.to_string(), "data": report.data })
        }
        WebhookFormat::Slack => report.message.slack(),
        WebhookFormat::Teams => report.message.teams(),
    };
    let keys = &core.shared.keys;
    let url = keys.open(&url_purpose(&webhook.id), &webhook.url)?;
    let old = webhook.old_secret.iter().filter(|_| webhook.old_secret_until.is_some_and(|until| until > core.now));
    let secrets = std::iter::once(&webhook.secret).chain(old).map(|sealed| {
        let opened = keys.open(&secret_purpose(&webhook.id), sealed)?;
        Ok(Secret::new(String::from_utf8(opened).map_err(Error::internal)?))
    });
    let (timestamp, body) = (core.now / crate::clock::SECOND, serde_json::to_vec(&body)?);
    Ok(Built::Request(Box::new(SignedRequest {
        url: Url::parse(&String::from_utf8(url).map_err(Error::internal)?).map_err(Error::internal)?,
        signature: sign(&secrets.collect::<Result<Vec<_>>>()?, &delivery.message_id, timestamp, &body),
        id: delivery.message_id,
        timestamp,
        body,
    })))
}

fn report(
    tx: &SystemTx<'_>,
    webhook: &StoredWebhook,
    delivery: &StoredDelivery,
) -> Result<std::result::Result<Report, &'static str>> {
    let core = tx.core();
    if delivery.event == PING {
        return Ok(Ok(ping(core, webhook)?));
    }
    let event = webhook.events.iter().find(|event| event.as_str() == delivery.event);
    let Some(event) = event else { return Ok(Err("the webhook does not report this event")) };
    let actor = actor(core, delivery.actor_id)?;
    let Some(pk) = delivery.workspace_pk else {
        return Ok(member(core, *event, delivery, actor.as_ref())?.ok_or(DELETED));
    };
    let Some(workspace) = reported(core, webhook, pk)? else { return Ok(Err(NOT_REPORTED)) };
    let link = link(core, &webhook.organization_id, &workspace)?;
    let report = match (event, delivery.changes) {
        (WebhookEvent::WorkspaceChanged, Some(range)) => changes::report(core, &workspace, range, link)?,
        _ => match tx.view_workspace(pk)? {
            Some(view) if event.as_str().starts_with("draft.") => {
                drafts::report(&view, *event, delivery, actor.as_ref(), &link)?
            }
            Some(view) => comment(&view, *event, delivery, actor.as_ref(), link)?,
            None => None,
        },
    };
    Ok(report.ok_or(DELETED))
}

/// The workspace, if the webhook can report it at this moment. It can be deleted.
fn reported(core: &Core<'_>, webhook: &StoredWebhook, pk: i64) -> Result<Option<Workspace>> {
    let found = crate::domain::map::workspaces::by_pk(core.conn, pk)?.map(|found| found.workspace);
    let workspace = found.filter(|workspace| {
        let is_of_organization = workspace.org_id.as_ref() == Some(&webhook.organization_id);
        is_of_organization && workspace.visibility != Visibility::Private && workspace.base_pk.is_none()
    });
    if workspace.is_none() || !store::webhooks::reports(core.conn, &webhook.id, pk)? {
        return Ok(None);
    }
    Ok(workspace)
}

fn ping(core: &Core<'_>, webhook: &StoredWebhook) -> Result<Report> {
    let title = format!("Test of the webhook {}", webhook.name);
    let url = store::webhooks::organization_slug(core.conn, &webhook.organization_id)?
        .map(|slug| format!("{}/o/{slug}/settings/webhooks", core.shared.sessions.issuer));
    Ok(Report {
        data: json!({ "webhook": { "id": webhook.id, "name": webhook.name } }),
        message: Message { title, lines: Vec::new(), link: url.map(|url| ("Open webhooks", url)) },
    })
}

fn member(
    core: &Core<'_>,
    event: WebhookEvent,
    delivery: &StoredDelivery,
    actor: Option<&Author>,
) -> Result<Option<Report>> {
    let Some(user_id) = delivery.subject.as_ref().and_then(|id| id.parse::<i64>().ok()) else { return Ok(None) };
    if event == WebhookEvent::MemberLeft {
        let message = Message { title: "A member left the organization".into(), lines: Vec::new(), link: None };
        return Ok(Some(Report { data: json!({ "userId": user_id, "actor": actor }), message }));
    }
    let Some(member) = members::by_user(core.conn, &delivery.organization_id, user_id)? else { return Ok(None) };
    let name = &member.user.display_name;
    let title = match event {
        WebhookEvent::MemberJoined => format!("{name} joined the organization"),
        _ => format!("The role of {name} was changed"),
    };
    let message = Message { title, lines: Vec::new(), link: None };
    Ok(Some(Report { data: json!({ "user": member.user, "role": member.role, "actor": actor }), message }))
}

fn comment(
    view: &ViewTx<'_>,
    event: WebhookEvent,
    delivery: &StoredDelivery,
    actor: Option<&Author>,
    link: String,
) -> Result<Option<Report>> {
    /// Maximum length of an excerpt in a message, in characters.
    const EXCERPT: usize = 500;
    let thread_id = delivery.subject.as_deref().unwrap_or_default();
    let mut data = json!({ "workspace": named(view.workspace(), &link), "actor": actor });
    let by = actor.map_or("Someone", |actor| &actor.display_name);
    let place = &view.workspace().name;
    if event == WebhookEvent::CommentDeleted {
        data["threadId"] = json!(thread_id);
        if let Some(message) = delivery.part {
            data["messageId"] = json!(message);
        }
        let title = format!("{by} deleted a comment in {place}");
        return Ok(Some(Report {
            data,
            message: Message { title, lines: Vec::new(), link: Some(("Open map", link)) },
        }));
    }
    let Some((thread, message)) = threads::now(view, thread_id, delivery.part)? else { return Ok(None) };
    let verb = match event {
        WebhookEvent::CommentResolved => "resolved a comment",
        WebhookEvent::CommentReopened => "reopened a comment",
        WebhookEvent::CommentUpdated => "edited a comment",
        _ => "commented",
    };
    let title = format!("{by} {verb} on {} in {place}", thread.anchor.name);
    let text = message.as_ref().map_or(&thread.first_message.text, |message| &message.text);
    let lines = vec![text.chars().take(EXCERPT).collect()];
    data["thread"] = serde_json::to_value(&thread)?;
    if let Some(message) = &message {
        data["message"] = serde_json::to_value(message)?;
    }
    Ok(Some(Report { data, message: Message { title, lines, link: Some(("Open map", link)) } }))
}

/// The address of a workspace in the web client.
fn link(core: &Core<'_>, organization_id: &str, workspace: &Workspace) -> Result<String> {
    let slug = store::webhooks::organization_slug(core.conn, organization_id)?.unwrap_or_default();
    Ok(inbox::workspace_url(&core.shared.sessions.issuer, &slug, &workspace.id))
}

fn actor(core: &Core<'_>, id: Option<i64>) -> Result<Option<Author>> {
    let Some(id) = id else { return Ok(None) };
    let user = users::by_id(core.conn, id)?;
    Ok(user.map(|user| Author { id: user.id, display_name: user.display_name }))
}
