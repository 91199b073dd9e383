//! Webhooks of an organization.

use axum::extract::State;
use serde::Serialize;

use super::{
    access::{OrgAdmin, OrganizationScope},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::OrgAdminTx,
        paging::{Page, Paging},
        webhooks::{
            deliveries::{self, WebhookDelivery},
            manage::{self, NewWebhook, Webhook, WebhookPatch, WebhookSecret},
        },
    },
};

/// The webhooks of an organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookList {
    /// Oldest first.
    webhooks: Vec<Webhook>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One webhook.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookResponse {
    /// The webhook.
    webhook: Webhook,
}

/// The deliveries of a webhook.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDeliveryList {
    /// Newest first.
    deliveries: Vec<WebhookDelivery>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One delivery of a webhook.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookDeliveryResponse {
    /// The delivery.
    delivery: WebhookDelivery,
}

/// List webhooks
#[crate::describe::path(get, path = IN_TABLE, tag = "Webhooks", operation_id = "listWebhooks", params(Paging),
    responses((status = 200, description = "The webhooks of the organization, without their secrets", body = WebhookList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdmin>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Json<WebhookList>> {
    let list = move |tx: &OrgAdminTx<'_>| manage::list(tx, &paging);
    let Page { items: webhooks, next_cursor } = api.gate.read(call, OrganizationScope::Id(id), list).await?;
    Ok(Json(WebhookList { webhooks, next_cursor }))
}

/// Create a webhook
///
/// Sends events of the organization to a URL, signed by the Standard Webhooks specification. The secret is shown only in
/// this response. Private workspaces are never reported. An organization can have up to 20 webhooks.
#[crate::describe::path(post, path = IN_TABLE, tag = "Webhooks", operation_id = "createWebhook", request_body = NewWebhook,
    responses((status = 201, description = "The created webhook with its secret", body = WebhookSecret)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<OrgAdmin, NewWebhook>,
) -> Result<Created<WebhookSecret>> {
    api.webhooks.check(&body.url).await?;
    Ok(Created(api.gate.write(call, OrganizationScope::Id(id), |tx| manage::create(tx, body)).await?))
}

/// Get a webhook
#[crate::describe::path(get, path = IN_TABLE, tag = "Webhooks", operation_id = "getWebhook",
    responses((status = 200, description = "The webhook", body = WebhookResponse)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdmin>,
    Path((id, webhook_id)): Path<(String, String)>,
) -> Result<Json<WebhookResponse>> {
    let read = move |tx: &OrgAdminTx<'_>| manage::read(tx, &webhook_id);
    Ok(Json(WebhookResponse { webhook: api.gate.read(call, OrganizationScope::Id(id), read).await? }))
}

/// Update a webhook
///
/// What happens while a webhook is disabled is not sent later.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Webhooks", operation_id = "updateWebhook", request_body = WebhookPatch,
    responses((status = 200, description = "The updated webhook", body = WebhookResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, webhook_id)): Path<(String, String)>,
    Write { call, body, .. }: Write<OrgAdmin, WebhookPatch>,
) -> Result<Json<WebhookResponse>> {
    if let Some(url) = &body.url {
        api.webhooks.check(url).await?;
    }
    let update = move |tx: &mut OrgAdminTx<'_>| manage::update(tx, &webhook_id, body);
    Ok(Json(WebhookResponse { webhook: api.gate.write(call, OrganizationScope::Id(id), update).await? }))
}

/// Delete a webhook
///
/// Deletes it with the log of its deliveries. What waits is not sent.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Webhooks", operation_id = "deleteWebhook",
    responses((status = 200, description = "Webhook deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdmin>,
    Path((id, webhook_id)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.write(call, OrganizationScope::Id(id), move |tx| manage::delete(tx, &webhook_id)).await?;
    Ok(DONE)
}

/// Rotate the secret of a webhook
///
/// The new secret is shown only in this response. For 24 hours, messages are signed with the previous secret too.
#[crate::describe::path(post, path = IN_TABLE, tag = "Webhooks", operation_id = "rotateWebhookSecret",
    responses((status = 200, description = "The webhook with its new secret", body = WebhookSecret)))]
pub async fn rotate(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdmin>,
    Path((id, webhook_id)): Path<(String, String)>,
) -> Result<Json<WebhookSecret>> {
    let rotate = move |tx: &mut OrgAdminTx<'_>| manage::rotate(tx, &webhook_id);
    Ok(Json(api.gate.write(call, OrganizationScope::Id(id), rotate).await?))
}

/// Test a webhook
///
/// Sends an event of the type `ping`, once. The webhook can be disabled. The response does not wait for the receiver: read
/// the delivery until it is no longer `pending`.
#[crate::describe::path(post, path = IN_TABLE, tag = "Webhooks", operation_id = "testWebhook",
    responses((status = 201, description = "The delivery of the test", body = WebhookDeliveryResponse)))]
pub async fn test(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdmin>,
    Path((id, webhook_id)): Path<(String, String)>,
) -> Result<Created<WebhookDeliveryResponse>> {
    let test = move |tx: &mut OrgAdminTx<'_>| deliveries::test(tx, &webhook_id);
    Ok(Created(WebhookDeliveryResponse { delivery: api.gate.write(call, OrganizationScope::Id(id), test).await? }))
}

/// List the deliveries of a webhook
///
/// Those of the last 30 days: the newest 500, and all that wait. What was sent is not stored.
#[crate::describe::path(get, path = IN_TABLE, tag = "Webhooks", operation_id = "listWebhookDeliveries", params(Paging),
    responses((status = 200, description = "The deliveries", body = WebhookDeliveryList)))]
pub async fn deliveries(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdmin>,
    Path((id, webhook_id)): Path<(String, String)>,
    Query(paging): Query<Paging>,
) -> Result<Json<WebhookDeliveryList>> {
    let list = move |tx: &OrgAdminTx<'_>| deliveries::list(tx, &webhook_id, &paging);
    let Page { items: deliveries, next_cursor } = api.gate.read(call.large(), OrganizationScope::Id(id), list).await?;
    Ok(Json(WebhookDeliveryList { deliveries, next_cursor }))
}

/// Redeliver a message
///
/// Sends a delivery again, with the same message id and all retries. It contains what exists at that time.
#[crate::describe::path(post, path = IN_TABLE, tag = "Webhooks", operation_id = "redeliverWebhook",
    responses((status = 200, description = "The delivery, which waits again", body = WebhookDeliveryResponse)))]
pub async fn redeliver(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdmin>,
    Path((id, webhook_id, delivery_id)): Path<(String, String, i64)>,
) -> Result<Json<WebhookDeliveryResponse>> {
    let redeliver = move |tx: &mut OrgAdminTx<'_>| deliveries::redeliver(tx, &webhook_id, delivery_id);
    Ok(Json(WebhookDeliveryResponse { delivery: api.gate.write(call, OrganizationScope::Id(id), redeliver).await? }))
}
