//! Photos that users upload for their account.

use axum::{extract::State, response::Response};
use serde::Deserialize;

use super::{
    access::{SessionUser, User},
    api::Api,
    auth::Me,
    error::Result,
    extract::{Authenticated, IfNoneMatch, ImageUpload, Path, Query},
    images::respond_cached,
    note_images::{ImageFile, UNCHANGING},
    responses::Json,
    route::IN_TABLE,
};
use crate::{
    describe::IntoParams,
    domain::{accounts::profile, images::user_photos},
    images::ImageResponse,
};

/// A path without the tag of the photo leads to another photo after the next upload.
const CHANGING: &str = "private, no-cache";

/// Selects a photo.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PhotoQuery {
    /// Entity tag of the photo. The response with this photo can be cached forever. Another tag is ignored.
    #[param(max_length = 64)]
    v: Option<String>,
}

/// Upload my photo
///
/// Replaces the photo of the caller's account. The body is the file: PNG, JPEG, WebP, or GIF, of which the first frame is
/// used. The image is cut to a square around its center, scaled down to at most 256 × 256 pixels, and encoded again as PNG
/// or JPEG, without metadata. Limits: 2 MiB, 16 million pixels, and 8,192 pixels per side.
///
/// The photo becomes the photo of the people that the user is in their organizations, unless they have a photo of their
/// own. 409 if the identity provider manages the profile of this account.
#[crate::describe::path(put, path = IN_TABLE, tag = "Me", operation_id = "uploadMyPhoto",
    request_body(content(
        (ImageFile = "image/png"), (ImageFile = "image/jpeg"), (ImageFile = "image/webp"), (ImageFile = "image/gif")),
        description = "The image file, at most 2 MiB"),
    responses((status = 200, description = "The updated profile", body = Me)))]
pub async fn upload(State(api): State<Api>, ImageUpload { call, bytes }: ImageUpload<SessionUser>) -> Result<Json<Me>> {
    let user = profile::upload_photo(&api.gate, call, bytes).await?;
    Ok(Json(Me { authenticated: true, user: Some(user) }))
}

/// Remove my photo
///
/// Removes an uploaded photo and the URL of a photo. If the identity provider manages the profile of this account, only an
/// uploaded photo can be removed, which is from before the provider managed the profile; otherwise 409.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Me", operation_id = "removeMyPhoto",
    responses((status = 200, description = "The updated profile", body = Me)))]
pub async fn remove(State(api): State<Api>, Authenticated(call): Authenticated<SessionUser>) -> Result<Json<Me>> {
    let user = api.gate.write(call, (), profile::remove_photo).await?;
    Ok(Json(Me { authenticated: true, user: Some(user) }))
}

/// Get the photo of a user
///
/// Returns the photo that the user has uploaded. Users can read their own photo, and those of the members of the active
/// organization. Instance administrators can read the photos of all users. A photo at a URL is returned by
/// `GET /api/people/{personId}/photo`.
#[crate::describe::path(get, path = IN_TABLE, tag = "Me", operation_id = "getUserPhoto", params(PhotoQuery),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "image/*")))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<User>,
    Path(id): Path<i64>,
    Query(PhotoQuery { v }): Query<PhotoQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let photo = api.gate.read(call, (), move |tx| user_photos::read(tx, id, &known)).await?;
    let (ImageResponse::Unchanged(tag) | ImageResponse::Image { tag, .. }) = &photo;
    let cache_control = if v.as_ref() == Some(tag) { UNCHANGING } else { CHANGING };
    Ok(respond_cached(photo, cache_control))
}
