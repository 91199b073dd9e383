//! Images that notes show: upload and download.

use axum::{extract::State, response::Response};

use super::{
    access::{Editor, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, IfNoneMatch, ImageUpload, Path},
    images::respond_cached,
    responses::Created,
    route::IN_TABLE,
};
use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, schema::Type},
    },
    domain::map::{
        note_images::{self, NoteImage},
        notes::ImageId,
    },
    images::MAX_UPLOAD_BYTES,
};

/// For an image that never changes, so a client needs to read it only once. `Vary: authorization` makes requests with another
/// credential check the permission again.
pub(super) const UNCHANGING: &str = "private, max-age=31536000, immutable";

/// The file of an image, for the OpenAPI document.
pub(super) struct ImageFile;

impl PartialSchema for ImageFile {
    fn schema() -> RefOr<Schema> {
        let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
        ObjectBuilder::new().schema_type(Type::String).format(Some(format)).max_length(Some(MAX_UPLOAD_BYTES)).into()
    }
}
impl ToSchema for ImageFile {}

/// Upload an image
///
/// Stores an image for notes of the kind `image`. The body is the file: PNG, JPEG, WebP, or GIF, of which the first frame
/// is used. The image is encoded again as PNG or JPEG, without metadata, and scaled down to at most 2,048 × 2,048 pixels.
/// Limits: 2 MiB, 16 million pixels, and 8,192 pixels per side.
///
/// The id depends on the content, so that uploading the same image again returns the same id. An image that no note uses is
/// deleted after a day.
#[crate::describe::path(post, path = IN_TABLE, tag = "Notes", operation_id = "uploadImage",
    request_body(content(
        (ImageFile = "image/png"), (ImageFile = "image/jpeg"), (ImageFile = "image/webp"), (ImageFile = "image/gif")),
        description = "The image file, at most 2 MiB"),
    responses((status = 201, description = "The stored image", body = NoteImage)))]
pub async fn upload(
    State(api): State<Api>,
    Path(id): Path<String>,
    ImageUpload { call, bytes }: ImageUpload<Editor>,
) -> Result<Created<NoteImage>> {
    Ok(Created(note_images::upload(&api.gate, call, id, bytes).await?))
}

/// Get an image
///
/// Returns the file of an uploaded image.
#[crate::describe::path(get, path = IN_TABLE, tag = "Notes", operation_id = "getImage",
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "image/*")))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, image_id)): Path<(String, ImageId)>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let image = api.gate.read(call, id, move |tx| note_images::read(tx, &image_id, &known)).await?;
    Ok(respond_cached(image, UNCHANGING))
}
