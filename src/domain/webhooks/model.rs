//! Webhooks, their deliveries, and the requests that write them.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        core::WebhookEvent,
        input::{Input, Nullable, at_most, objects, optional_at_most},
        values::{Name, WebAddress, words},
    },
};

/// Maximum number of event types of a webhook.
pub const MAX_EVENTS: usize = 20;
/// Maximum number of workspaces that a webhook selects.
pub const MAX_WORKSPACES: usize = 100;

words! {
    /// What a webhook sends.
    #[derive(Default)]
    WebhookFormat {
        /// JSON with type, time and data of an event.
        #[default]
        Standard = "standard",
        /// A message for an incoming webhook of Slack.
        Slack = "slack",
        /// A message for an incoming webhook of Microsoft Teams.
        Teams = "teams",
    }
}
words! {
    /// Why the server has disabled a webhook.
    DisabledReason {
        /// All deliveries failed for a week.
        Failing = "failing",
        /// The receiver answered 410.
        Gone = "gone",
        /// Its URL and secret cannot be decrypted, because the keys of the instance were lost.
        Keys = "keys",
    }
}
words! {
    /// The state of a delivery.
    DeliveryState {
        /// It waits for its first try or for a retry.
        Pending = "pending",
        /// The receiver has accepted it.
        Delivered = "delivered",
        /// It is not tried again.
        Failed = "failed",
        /// There was nothing to send: the workspace is private, or what the event is about was deleted.
        Skipped = "skipped",
    }
}

/// A webhook of an organization.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Id.
    #[schema(example = "AZq3r0c5dGKfV3mX0aQ1Zw")]
    pub id: String,
    /// Name for the administrators.
    #[schema(example = "Deployment portal")]
    pub name: String,
    /// URL of the receiver. Of the formats `slack` and `teams`, whose URLs are secrets, only the host and `…`.
    #[schema(example = "https://portal.example.org/planroom")]
    pub url: String,
    /// What the webhook sends.
    pub format: WebhookFormat,
    /// The events that it sends.
    pub events: Vec<WebhookEvent>,
    /// Ids of the workspaces whose events it sends, without those that are now private or deleted; null: all. Private
    /// workspaces are never reported.
    #[schema(required)]
    pub workspace_ids: Option<Vec<String>>,
    /// Whether it sends events.
    pub enabled: bool,
    /// Why the server has disabled it; absent unless it did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub disabled_reason: Option<DisabledReason>,
    /// When the server has disabled it, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub disabled_at: Option<i64>,
    /// Time of the first failed try after the last successful one, in Unix milliseconds; absent if the last try was
    /// successful.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub failing_since: Option<i64>,
    /// HTTP status of the last try; absent without a response.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = 500)]
    pub last_status: Option<i64>,
    /// Why the last try failed; absent if it was successful.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "the server answered 500")]
    pub last_error: Option<String>,
    /// Time of the last successful try, in Unix milliseconds; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub delivered_at: Option<i64>,
    /// Number of deliveries that wait.
    pub pending: i64,
    /// Until when the previous secret signs too, in Unix milliseconds; absent if it does not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub old_secret_until: Option<i64>,
    /// Creation time in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub created_at: i64,
    /// User id of the author; null for the system.
    #[schema(required)]
    pub created_by: Option<i64>,
    /// Time of the last change by an administrator or the server, in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub updated_at: i64,
}

/// A webhook with a new secret, which is shown only once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WebhookSecret {
    /// The webhook.
    pub webhook: Webhook,
    /// The secret that verifies signatures: `whsec_` and 32 bytes in base64.
    #[schema(example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")]
    pub secret: String,
}

/// Ids of workspaces.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct WorkspaceIds(#[serde(deserialize_with = "at_most::<MAX_WORKSPACES, _, _>")] pub(super) Vec<String>);

/// A webhook to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewWebhook {
    /// Name for the administrators.
    pub name: Name,
    /// URL of the receiver: https, to a public address. The operator can allow other base URLs.
    pub url: WebAddress,
    /// What the webhook sends; defaults to `standard`.
    #[schema(nullable = false)]
    pub format: Option<WebhookFormat>,
    /// The events that it sends.
    #[serde(deserialize_with = "at_most::<MAX_EVENTS, _, _>")]
    #[schema(min_items = 1, max_items = 20)]
    pub events: Vec<WebhookEvent>,
    /// Ids of the workspaces whose events it sends; null or absent: all that are not private.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, min_items = 1, max_items = 100)]
    pub workspace_ids: Nullable<WorkspaceIds>,
    /// Whether it sends events; defaults to true.
    #[schema(nullable = false)]
    pub enabled: Option<bool>,
}

/// Fields of a webhook to update; absent fields are unchanged.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct WebhookPatch {
    /// Name for the administrators.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// URL of the receiver.
    #[schema(nullable = false)]
    pub url: Option<WebAddress>,
    /// What the webhook sends. Another format needs `url` too.
    #[schema(nullable = false)]
    pub format: Option<WebhookFormat>,
    /// The events that it sends.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_EVENTS, _, _>")]
    #[schema(nullable = false, min_items = 1, max_items = 20)]
    pub events: Option<Vec<WebhookEvent>>,
    /// Ids of the workspaces whose events it sends; null: all that are not private.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, min_items = 1, max_items = 100)]
    pub workspace_ids: Nullable<WorkspaceIds>,
    /// Whether it sends events. Events while it is disabled are not sent later.
    #[schema(nullable = false)]
    pub enabled: Option<bool>,
}

objects!(NewWebhook, WebhookPatch);

/// Fields of a webhook that clients cannot write.
const READ: &[&str] = &[
    "id",
    "disabledReason",
    "disabledAt",
    "failingSince",
    "lastStatus",
    "lastError",
    "deliveredAt",
    "pending",
    "oldSecretUntil",
    "createdAt",
    "createdBy",
    "updatedAt",
];

impl Input for NewWebhook {
    const READ_ONLY: &'static [&'static str] = READ;
}

impl Input for WebhookPatch {
    const READ_ONLY: &'static [&'static str] = READ;
}

/// A delivery of an event to a webhook. What was sent is not stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// Id. Later deliveries have higher ids.
    pub id: i64,
    /// Id of the message, which receivers get as `webhook-id`. It is the same for all tries.
    #[schema(example = "msg_019ac1d0e4b87c53a1f2c3d4e5f60718")]
    pub message_id: String,
    /// Type of the event, or `ping` for a test.
    #[schema(example = "workspace.changed")]
    pub event: String,
    /// Id of the workspace; null for an event of the organization, and if the workspace is now private or deleted.
    #[schema(required, example = "web-shop")]
    pub workspace_id: Option<String>,
    /// State.
    pub state: DeliveryState,
    /// Time of the event in Unix milliseconds.
    pub created_at: i64,
    /// Number of tries.
    pub tries: i64,
    /// Time of the next try in Unix milliseconds; absent unless it waits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub next_try_at: Option<i64>,
    /// Time of the last try in Unix milliseconds; absent without a try.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub tried_at: Option<i64>,
    /// HTTP status of the last try; absent without a response.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = 200)]
    pub status: Option<i64>,
    /// Time until the response of the last try, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = 84)]
    pub duration_ms: Option<i64>,
    /// Why the last try failed, or why nothing was sent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "no response within 15 s")]
    pub error: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_lists_are_those_of_the_document() {
        // The attributes of the schema accept only literals.
        assert_eq!((MAX_EVENTS, MAX_WORKSPACES), (20, 100));
        assert!(WebhookEvent::ALL.len() <= MAX_EVENTS);
        let all: Vec<&str> = WebhookEvent::ALL.iter().map(|event| event.as_str()).collect();
        assert!(!all.contains(&"ping"));
    }

    #[test]
    fn a_list_of_workspaces_is_limited() {
        let read = |count: usize| serde_json::from_value::<WorkspaceIds>(serde_json::json!(vec!["a"; count]));
        assert!(read(MAX_WORKSPACES).is_ok());
        assert!(read(MAX_WORKSPACES + 1).is_err());
    }
}
