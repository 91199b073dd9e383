//! Notes, frames and images on the map.

use axum::{extract::State, response::Response};

use super::{
    access::{Editor, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json, NoteList, NoteResponse, json, large_read},
    route::IN_TABLE,
};
use crate::domain::{
    core::ViewTx,
    map::notes::{self, NewNote, NotePatch},
    paging::{Page, Paging},
};

/// List the notes of a workspace
///
/// Lists notes, frames, and images in their order.
#[crate::describe::path(get, path = IN_TABLE, tag = "Notes", operation_id = "listNotes", params(Paging),
    responses((status = 200, description = "The notes", body = NoteList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let read = move |tx: &ViewTx<'_>| {
        let Page { items: notes, next_cursor } = notes::list(tx, &paging)?;
        Ok(NoteList { notes, next_cursor })
    };
    Ok(json(large_read(&api, call, id, read).await?))
}

/// Create a note
///
/// Creates a note, a frame, or an image, depending on `kind`. To create an image, upload its file first
/// (`POST …/images`).
#[crate::describe::path(post, path = IN_TABLE, tag = "Notes", operation_id = "createNote",
    request_body = NewNote, responses((status = 201, description = "The created note", body = NoteResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Editor, NewNote>,
) -> Result<Created<NoteResponse>> {
    let note = api.gate.write(call, id, |tx| notes::create(tx, body)).await?;
    Ok(Created(NoteResponse { note }))
}

/// Get a note
#[crate::describe::path(get, path = IN_TABLE, tag = "Notes", operation_id = "getNote",
    responses((status = 200, description = "The note", body = NoteResponse)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, note_id)): Path<(String, String)>,
) -> Result<Json<NoteResponse>> {
    let note = api.gate.read(call, id, move |tx| notes::find(tx, &note_id)).await?;
    Ok(Json(NoteResponse { note }))
}

/// Update a note
///
/// The kind of a note cannot be changed.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Notes", operation_id = "updateNote",
    request_body = NotePatch, responses((status = 200, description = "The updated note", body = NoteResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, note_id)): Path<(String, String)>,
    Write { call, body, .. }: Write<Editor, NotePatch>,
) -> Result<Json<NoteResponse>> {
    let note = api.gate.write(call, id, move |tx| notes::update(tx, &note_id, body)).await?;
    Ok(Json(NoteResponse { note }))
}

/// Delete a note
///
/// The file of an image is stored as long as the history or a version refers to it, so that undo can restore the image.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Notes", operation_id = "deleteNote",
    responses((status = 200, description = "Note deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Editor>,
    Path((id, note_id)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| notes::delete(tx, &note_id)).await?;
    Ok(DONE)
}
