//! The envelopes of the API: `{component}`, `{ok}`, 201.

use std::time::Duration;

use axum::{
    Json,
    body::{Body, Bytes},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{api::Api, error::Result};
use crate::{
    bodies::{Held, Unread},
    budget::{Budget, Holder, Reservation},
    domain::{
        access::{AdminTx, Call, OrgViewTx, ViewTx},
        bundle::{self, Form, Read},
        components::Component,
        links::Link,
        processes::ProcessReading,
        relationships::Relationship,
        workspaces::Workspace,
    },
    error,
};

/// A resource that came into being: 201.
pub struct Created<T>(pub T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Json(self.0)).into_response()
    }
}

/// How long a large answer waits for memory before the client is told to try again.
const PATIENCE: Duration = Duration::from_secs(20);

/// The answer to a write with a large body, which is `held`, serialized by the threads for heavy work. It is counted, and sent
/// even if the budget is exceeded: the write is done.
pub async fn large_result<T: Serialize + Send + 'static>(api: &Api, held: Option<Held>, answer: T) -> Result<Response> {
    let bytes = api.gate.heavy_work(move || Ok(serde_json::to_vec(&answer)?)).await?;
    let reservation = held.as_ref().map(|held| api.answers.hold(held.holder(), bytes.len()));
    Ok(json(reserved(bytes.into(), reservation)))
}

/// A large read of a workspace, serialized in the transaction that reads it: only bytes wait for the client, and no more of
/// them than the budget for answers has room for.
pub async fn large_view<T, F>(api: &Api, call: Call, id: String, work: F) -> Result<Bytes>
where
    T: Serialize,
    F: Fn(&ViewTx<'_>) -> error::Result<T> + Clone + Send + 'static,
{
    within_budget(api, |answers| {
        let (call, id, work) = (call.clone(), id.clone(), work.clone());
        api.gate.view_all(call, id, move |tx: &ViewTx<'_>| serialized(&answers, tx.user_id()?, || work(tx)))
    })
    .await
}

/// The same of the active organization, or of all organizations for an instance administrator.
pub async fn large_org_view<T, F>(api: &Api, call: Call, work: F) -> Result<Bytes>
where
    T: Serialize,
    F: Fn(&OrgViewTx<'_>) -> error::Result<T> + Clone + Send + 'static,
{
    within_budget(api, |answers| {
        let (call, work) = (call.clone(), work.clone());
        api.gate.org_view_all(call, move |tx: &OrgViewTx<'_>| serialized(&answers, tx.user_id()?, || work(tx)))
    })
    .await
}

/// The same of the instance, for its administrators.
pub async fn large_admin_view<T, F>(api: &Api, call: Call, work: F) -> Result<Bytes>
where
    T: Serialize,
    F: Fn(&AdminTx<'_>) -> error::Result<T> + Clone + Send + 'static,
{
    within_budget(api, |answers| {
        let (call, work) = (call.clone(), work.clone());
        let read = move |tx: &AdminTx<'_>| serialized(&answers, tx.own()?.caller().user_id, || work(tx));
        api.gate.admin_view_all(call, read)
    })
    .await
}

/// A read that was serialized; or, when there was no room for it, the user who must wait.
type Attempt = std::result::Result<(Vec<u8>, Reservation), Holder>;

/// Repeats a large read until the budget for answers has room for it.
async fn within_budget<R>(api: &Api, read: impl Fn(Budget) -> R) -> Result<Bytes>
where
    R: Future<Output = error::Result<Attempt>>,
{
    loop {
        match read(api.answers.clone()).await? {
            Ok((bytes, reservation)) => return Ok(reserved(bytes.into(), Some(reservation))),
            Err(holder) => api.answers.room(holder, PATIENCE).await.map_err(Unread::Full)?,
        }
    }
}

/// Reads and serializes, if the budget has room for a user's answer.
fn serialized<T: Serialize>(
    answers: &Budget,
    user_id: i64,
    work: impl FnOnce() -> error::Result<T>,
) -> error::Result<Attempt> {
    let holder = Holder::User(user_id);
    if answers.check(holder).is_err() {
        return Ok(Err(holder));
    }
    let bytes = serde_json::to_vec(&work()?)?;
    let reservation = answers.hold(holder, bytes.len());
    Ok(Ok((bytes, reservation)))
}

/// The tag of a bundle and, unless the reader has it, its bytes, as soon as there is room for them.
pub async fn bundle(
    api: &Api,
    call: Call,
    id: String,
    known: Vec<String>,
    form: Form,
) -> Result<(String, Option<Bytes>)> {
    loop {
        match bundle::read(&api.gate, &api.bundles, call.clone(), id.clone(), known.clone(), form, &api.answers).await?
        {
            Read::Unchanged(tag) => return Ok((tag, None)),
            Read::Bundle(bundle, reservation) => {
                return Ok((bundle.tag(), Some(reserved(bundle.bytes(), reservation))));
            }
            Read::Wait(holder) => api.answers.room(holder, PATIENCE).await.map_err(Unread::Full)?,
        }
    }
}

/// Bytes that count until they are sent.
fn reserved(bytes: Bytes, reservation: Option<Reservation>) -> Bytes {
    match reservation {
        None => bytes,
        reservation => Bytes::from_owner(Reserved { bytes, _reservation: reservation }),
    }
}

/// JSON that is written already.
pub fn json(bytes: impl Into<Body>) -> Response {
    let headers = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (headers, bytes.into()).into_response()
}

/// Bytes of an answer that count against the budget until they are sent.
struct Reserved {
    bytes: Bytes,
    _reservation: Option<Reservation>,
}

impl AsRef<[u8]> for Reserved {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// It was done, and there is nothing to show.
#[derive(Debug, Serialize, ToSchema)]
pub struct Done {
    /// Always true.
    ok: bool,
}

/// It was done.
pub const DONE: Json<Done> = Json(Done { ok: true });

/// One workspace.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorkspaceAnswer {
    /// The workspace.
    pub workspace: Workspace,
}

/// One component.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComponentAnswer {
    /// The component.
    pub component: Component,
}

/// Several components.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComponentsAnswer {
    /// The components, in the order in which they were named.
    pub components: Vec<Component>,
}

/// One relationship.
#[derive(Debug, Serialize, ToSchema)]
pub struct RelationshipAnswer {
    /// The relationship.
    pub relationship: Relationship,
}

/// One external link.
#[derive(Debug, Serialize, ToSchema)]
pub struct LinkAnswer {
    /// The link.
    pub link: Link,
}

/// External links.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinksAnswer {
    /// The links, in order of creation.
    pub links: Vec<Link>,
    /// Where the next page begins; absent at the end, and when no `limit` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}

/// An external link that was looked up again.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefreshedLink {
    /// The link.
    pub link: Link,
    /// Whether it is as it was.
    pub unchanged: bool,
}

/// One process.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProcessAnswer {
    /// The process, with what its text says.
    pub process: ProcessReading,
}

/// Processes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessesAnswer {
    /// The processes, in order of creation.
    pub processes: Vec<ProcessReading>,
    /// Where the next page begins; absent at the end, and when no `limit` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}
