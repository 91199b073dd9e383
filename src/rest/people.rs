//! People.

use axum::{extract::State, response::Response};
use serde::Serialize;

use super::{
    access::{Member, OrgAdmin, OrgReader, OrganizationScope},
    api::Api,
    directory::{ForceQuery, OrganizationQuery},
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json, json, large_read},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::OrgViewTx,
        directory::people::{self, NewPerson, Person, PersonDetails, PersonPatch},
        paging::{Page, Paging},
    },
};

/// People.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonList {
    /// In order of creation.
    people: Vec<Person>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One person.
#[derive(Debug, Serialize, ToSchema)]
pub struct PersonResponse {
    /// The person.
    person: Person,
}

/// List people
///
/// Includes every member of the organization. An instance administrator without an active organization gets the people
/// of all organizations, grouped by organization.
#[crate::describe::path(get, path = IN_TABLE, tag = "People", operation_id = "listPeople", params(Paging),
    responses((status = 200, description = "The people", body = PersonList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgReader>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let list = move |tx: &OrgViewTx<'_>| {
        let Page { items: people, next_cursor } = people::list(tx, &paging)?;
        Ok(PersonList { people, next_cursor })
    };
    Ok(json(large_read(&api, call, (), list).await?))
}

/// Create a person
#[crate::describe::path(post, path = IN_TABLE, tag = "People", operation_id = "createPerson",
    request_body = NewPerson, responses((status = 201, description = "The created person", body = PersonResponse)))]
pub async fn create(
    State(api): State<Api>,
    Write { call, body, .. }: Write<Member, NewPerson>,
) -> Result<Created<PersonResponse>> {
    let person = api.gate.write(call, (), |tx| people::create(tx, body)).await?;
    Ok(Created(PersonResponse { person }))
}

/// Get a person
///
/// Includes the teams of the person.
#[crate::describe::path(get, path = IN_TABLE, tag = "People", operation_id = "getPerson", params(OrganizationQuery),
    responses((status = 200, description = "The person", body = PersonDetails)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgReader>,
    Path(id): Path<String>,
    Query(place): Query<OrganizationQuery>,
) -> Result<Json<PersonDetails>> {
    Ok(Json(api.gate.read(call, (), move |tx| people::read(tx, &id, place.org_id.as_deref())).await?))
}

/// Update a person
///
/// An empty string removes the email address, photo, title, or bio.
#[crate::describe::path(patch, path = IN_TABLE, tag = "People", operation_id = "updatePerson",
    request_body = PersonPatch, responses((status = 200, description = "The updated person", body = PersonResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Member, PersonPatch>,
) -> Result<Json<PersonResponse>> {
    let person = api.gate.write(call, (), move |tx| people::update(tx, &id, body)).await?;
    Ok(Json(PersonResponse { person }))
}

/// Delete a person
///
/// Also removes the person from all teams. If stakeholder links use the person, the response is 409 with their `count`.
/// With `force`, these links are deleted too, in all workspaces of the organization. If one of them is protected, the response
/// is 403 with the code `protected`.
#[crate::describe::path(delete, path = IN_TABLE, tag = "People", operation_id = "deletePerson", params(ForceQuery),
    responses((status = 200, description = "Person deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdmin>,
    Path(id): Path<String>,
    Query(how): Query<ForceQuery>,
) -> Result<Json<Done>> {
    api.gate.write(call, OrganizationScope::Active, move |tx| people::delete(tx, &id, how.force)).await?;
    Ok(DONE)
}
