//! Response envelopes that several handlers share, and responses that count against the memory budget.

use axum::{body::Bytes, response::Response};
use serde::Serialize;

pub use super::json::{Created, Json, json};
use super::{api::Api, conditional, error::Result};
use crate::{
    bodies::{BodyError, BodyReservation},
    budget::{Budget, Holder, PATIENCE, Reservation},
    describe::ToSchema,
    domain::{
        core::{
            Call, WholeMap,
            access::{Access, Viewer},
        },
        map::{
            bundle::{self, BundleRead, BundleVariant, Content, Form},
            components::Component,
            links::Link,
            notes::Note,
            personal_views::PersonalView,
            processes::ProcessReading,
            relationships::Relationship,
            tours::Tour,
            views::View,
            workspaces::Workspace,
        },
    },
    encoding::GZIP_SUFFIX,
    error,
    schedule::{self, QueueKey},
};

/// The response to a write with a large body, serialized on the threads for heavy work.
///
/// `body_reservation` is the memory reservation for the request body. The response counts against the budget of the same user, but
/// is sent even if it exceeds the budget, because the write is committed.
pub async fn large_result<T: Serialize + Send + 'static>(
    api: &Api,
    body_reservation: Option<BodyReservation>,
    result: T,
) -> Result<Response> {
    let bytes = api.gate.heavy_work(move || Ok(serde_json::to_vec(&result)?)).await?;
    let reservation = body_reservation
        .as_ref()
        .map(|body_reservation| api.response_budget.hold(body_reservation.holder(), bytes.len()));
    Ok(json(reserved(bytes.into(), reservation)))
}

/// The response to a large read, serialized in the transaction that reads it.
///
/// While the client receives the response, only its bytes are in memory, and the response budget limits their total
/// size.
pub async fn large_read<A, T, F>(api: &Api, call: Call<A>, scope: A::Scope, work: F) -> Result<Bytes>
where
    A: Access,
    A::Scope: Clone,
    T: Serialize,
    F: Fn(&A::Tx<'_>) -> error::Result<T> + Clone + Send + 'static,
{
    large(api, call, scope, move |tx| Ok(serde_json::to_vec(&work(tx)?)?)).await
}

/// Like [`large_read`], for a response that is not JSON.
pub async fn large_bytes<A, F>(api: &Api, call: Call<A>, scope: A::Scope, work: F) -> Result<Bytes>
where
    A: Access,
    A::Scope: Clone,
    F: Fn(&A::Tx<'_>) -> error::Result<Vec<u8>> + Clone + Send + 'static,
{
    large(api, call, scope, work).await
}

/// Like [`large_read`], for a read that loads a whole map. It first waits for the memory that `weigh` estimates for the map.
pub async fn whole_map_read<A, T, W, F>(api: &Api, call: Call<A>, scope: A::Scope, weigh: W, work: F) -> Result<Bytes>
where
    A: Access,
    A::Scope: Clone,
    T: Serialize,
    W: Fn(&A::Tx<'_>) -> error::Result<usize> + Clone + Send + 'static,
    F: Fn(&A::Tx<'_>, &WholeMap) -> error::Result<T> + Clone + Send + 'static,
{
    whole_map(api, call, scope, weigh, move |tx, whole| Ok(serde_json::to_vec(&work(tx, whole)?)?)).await
}

/// Like [`whole_map_read`], for a response that is not JSON.
pub async fn whole_map_text<A, W, F>(api: &Api, call: Call<A>, scope: A::Scope, weigh: W, work: F) -> Result<Bytes>
where
    A: Access,
    A::Scope: Clone,
    W: Fn(&A::Tx<'_>) -> error::Result<usize> + Clone + Send + 'static,
    F: Fn(&A::Tx<'_>, &WholeMap) -> error::Result<String> + Clone + Send + 'static,
{
    whole_map(api, call, scope, weigh, move |tx, whole| Ok(work(tx, whole)?.into_bytes())).await
}

async fn whole_map<A, W, F>(api: &Api, call: Call<A>, scope: A::Scope, weigh: W, work: F) -> Result<Bytes>
where
    A: Access,
    A::Scope: Clone,
    W: Fn(&A::Tx<'_>) -> error::Result<usize> + Clone + Send + 'static,
    F: Fn(&A::Tx<'_>, &WholeMap) -> error::Result<Vec<u8>> + Clone + Send + 'static,
{
    let (holder, call) = (holder(api, &call).await?, call.large());
    within_budget(api, |budget| {
        let (work, weigh, call, scope) = (work.clone(), weigh.clone(), call.clone(), scope.clone());
        async move {
            // Released before the wait for the response budget, so that slow clients do not delay other jobs.
            let whole = api.gate.whole_map(&call, scope.clone(), weigh).await?;
            let read = move |tx: &A::Tx<'_>| written(&budget, holder, || work(tx, &whole));
            api.gate.read(call, scope, read).await
        }
    })
    .await
}

/// The user whose share of the response budget a read counts against.
async fn holder<A: Access>(api: &Api, call: &Call<A>) -> Result<Holder> {
    Ok(Holder::User(match schedule::current() {
        QueueKey::User(user_id) => user_id,
        _ => api.gate.admit(call.clone()).await?.user_id,
    }))
}

async fn large<A, F>(api: &Api, call: Call<A>, scope: A::Scope, work: F) -> Result<Bytes>
where
    A: Access,
    A::Scope: Clone,
    F: Fn(&A::Tx<'_>) -> error::Result<Vec<u8>> + Clone + Send + 'static,
{
    let holder = holder(api, &call).await?;
    within_budget(api, |budget| {
        let work = work.clone();
        let read = move |tx: &A::Tx<'_>| written(&budget, holder, || work(tx));
        api.gate.read(call.clone().large(), scope.clone(), read)
    })
    .await
}

/// A serialized read with its reservation or, if the budget is exhausted, the user who must wait.
type BudgetedRead = std::result::Result<(Vec<u8>, Reservation), Holder>;

/// Repeats a large read until it fits in the response budget. Fails if one wait exceeds [`PATIENCE`].
async fn within_budget<R>(api: &Api, read: impl Fn(Budget) -> R) -> Result<Bytes>
where
    R: Future<Output = error::Result<BudgetedRead>>,
{
    loop {
        match read(api.response_budget.clone()).await? {
            Ok((bytes, reservation)) => return Ok(reserved(bytes.into(), Some(reservation))),
            Err(holder) => api.response_budget.wait_for_space(holder, PATIENCE).await.map_err(BodyError::Full)?,
        }
    }
}

/// Reads and writes a response if the budget allows another one to the user.
fn written(
    budget: &Budget,
    holder: Holder,
    work: impl FnOnce() -> error::Result<Vec<u8>>,
) -> error::Result<BudgetedRead> {
    if budget.check(holder).is_err() {
        return Ok(Err(holder));
    }
    let bytes = work()?;
    let reservation = budget.hold(holder, bytes.len());
    Ok(Ok((bytes, reservation)))
}

/// The response to a conditional read of a workspace or a view.
pub async fn bundled(
    api: &Api,
    call: Call<Viewer>,
    id: String,
    content: Content,
    gzip: bool,
    known: Vec<String>,
) -> Result<Response> {
    let (form, encoding, suffix) = if gzip { (Form::Gzip, Some("gzip"), GZIP_SUFFIX) } else { (Form::Json, None, "") };
    let (tag, bytes) = bundle(api, call, id, BundleVariant { form, content }, known).await?;
    // The tag names the encoding, so that caches can tell which of their copies is current.
    let tag = format!("{tag}{suffix}");
    Ok(match bytes {
        None => conditional::not_modified(&tag),
        Some(bytes) => conditional::tagged(bytes.into(), &tag, encoding),
    })
}

/// Gets the entity tag of a bundle and its bytes, waiting for the response budget.
///
/// The bytes are `None` if one of the `known` tags is current.
async fn bundle(
    api: &Api,
    call: Call<Viewer>,
    id: String,
    variant: BundleVariant,
    known: Vec<String>,
) -> Result<(String, Option<Bytes>)> {
    loop {
        let (call, id, variant, known) = (call.clone(), id.clone(), variant.clone(), known.clone());
        match bundle::read(&api.gate, &api.bundles, call, id, variant, known, &api.response_budget).await? {
            BundleRead::Unchanged(tag) => return Ok((tag, None)),
            BundleRead::Bundle(bundle, reservation) => {
                return Ok((bundle.tag(), Some(reserved(bundle.bytes(), reservation))));
            }
            BundleRead::Wait(holder) => {
                api.response_budget.wait_for_space(holder, PATIENCE).await.map_err(BodyError::Full)?;
            }
        }
    }
}

/// Makes the bytes count against the budget until they are sent.
fn reserved(bytes: Bytes, reservation: Option<Reservation>) -> Bytes {
    match reservation {
        None => bytes,
        reservation => Bytes::from_owner(ReservedBytes { bytes, _reservation: reservation }),
    }
}

/// Response bytes that count against the budget until they are dropped.
struct ReservedBytes {
    bytes: Bytes,
    _reservation: Option<Reservation>,
}

impl AsRef<[u8]> for ReservedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Success without further data.
#[derive(Debug, Serialize, ToSchema)]
pub struct Done {
    /// Always true.
    ok: bool,
}

/// The response body of a successful request without further data.
pub const DONE: Json<Done> = Json(Done { ok: true });

/// One workspace.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorkspaceResponse {
    /// The workspace.
    pub workspace: Workspace,
}

/// One component.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComponentResponse {
    /// The component.
    pub component: Component,
}

/// Several components.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComponentList {
    /// The components, in the order of the request.
    pub components: Vec<Component>,
}

/// One relationship.
#[derive(Debug, Serialize, ToSchema)]
pub struct RelationshipResponse {
    /// The relationship.
    pub relationship: Relationship,
}

/// One external link.
#[derive(Debug, Serialize, ToSchema)]
pub struct LinkResponse {
    /// The link.
    pub link: Link,
}

/// External links.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkList {
    /// The links, in order of creation.
    pub links: Vec<Link>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}

/// An external link after a refresh.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefreshedLink {
    /// The link.
    pub link: Link,
    /// Whether the refresh did not change the link.
    pub unchanged: bool,
}

/// One process.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProcessResponse {
    /// The process, with its parsed text.
    pub process: ProcessReading,
}

/// Processes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessList {
    /// The processes, in order of creation.
    pub processes: Vec<ProcessReading>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}

/// One note.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoteResponse {
    /// The note.
    pub note: Note,
}

/// Notes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoteList {
    /// The notes, in their order.
    pub notes: Vec<Note>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}

/// One view.
#[derive(Debug, Serialize, ToSchema)]
pub struct ViewResponse {
    /// The view.
    pub view: View,
}

/// Views.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewList {
    /// The views, in their order.
    pub views: Vec<View>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}

/// One tour.
#[derive(Debug, Serialize, ToSchema)]
pub struct TourResponse {
    /// The tour.
    pub tour: Tour,
}

/// Tours.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TourList {
    /// The tours, in their order.
    pub tours: Vec<Tour>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}

/// One personal view.
#[derive(Debug, Serialize, ToSchema)]
pub struct PersonalViewResponse {
    /// The view.
    pub view: PersonalView,
}

/// Personal views.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonalViewList {
    /// The views, in their order, without their positions and lines.
    pub views: Vec<PersonalView>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}
