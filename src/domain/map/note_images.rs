//! Images that notes show: uploaded, encoded again, and stored once per workspace.
//!
//! An image is not a row of the map: it never changes, and its id is derived from its content. The notes that show it are
//! rows. An image is stored as long as a note, a saved version or a change in the history refers to it, so that undo and
//! restore can bring back its note.

use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

pub(in crate::domain) use super::store::note_images::insert_of_version;
use super::{model::notes::ImageId, store};
pub(in crate::domain) use crate::domain::core::MAX_IMAGES;
use crate::{
    cancel::Cancel,
    clock::DAY,
    describe::ToSchema,
    domain::{
        core::{
            Call, Core, EditTx, Gate, Reads, StoredImages, ViewTx, access::Editor, image_bytes, image_count, storage,
            stored_images,
        },
        map::bundle,
    },
    error::{Error, FieldPath, Result},
    images::{self, EncodedImage, ImageResponse},
};

/// How long an unused image is stored after its upload, in milliseconds: its note may be created later.
const UNUSED_RETENTION: i64 = DAY;

/// An uploaded image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoteImage {
    /// Image id, derived from the content: the same image has the same id.
    pub id: ImageId,
    /// Width in pixels, at most 2,048.
    #[schema(example = 1_280)]
    pub width: u32,
    /// Height in pixels, at most 2,048.
    #[schema(example = 720)]
    pub height: u32,
    /// Media type of the stored image: `image/png` or `image/jpeg`.
    #[schema(example = "image/png")]
    pub media_type: String,
    /// Size of the stored image in bytes.
    #[schema(example = 48_213)]
    pub bytes: usize,
}

/// Size of the images that notes show, in bytes.
pub(in crate::domain) fn bytes_shown(tx: &ViewTx<'_>) -> Result<usize> {
    store::note_images::bytes_shown(tx.core().conn, tx.pk())
}

/// The id of an image.
pub(in crate::domain) fn id_of(image: &EncodedImage) -> ImageId {
    ImageId::of_hash(&Sha256::digest(&image.bytes))
}

/// Decodes and encodes an image. `field` is the name of the input.
pub(in crate::domain) async fn encode(gate: &Gate, bytes: Vec<u8>, field: FieldPath) -> Result<EncodedImage> {
    let encode = move |cancel: &Cancel| {
        let encoded = images::encode(&bytes, cancel);
        cancel.check()?;
        encoded.map_err(|problem| Error::invalid(field, problem))
    };
    gate.long_work(encode).await
}

/// Stores an uploaded image. It is decoded and encoded before the writer thread is used.
pub async fn upload(gate: &Gate, call: Call<Editor>, workspace_id: String, bytes: Vec<u8>) -> Result<NoteImage> {
    let image = encode(gate, bytes, "image".into()).await?;
    let store = move |tx: &mut EditTx<'_>| {
        let id = id_of(&image);
        add(tx, &id, &image)?;
        let EncodedImage { media_type, width, height, bytes } = image;
        let core = tx.core();
        let details = json!({ "workspacePk": tx.pk(), "image": id, "bytes": bytes.len() });
        core.audit("image.upload", core.actor(), &details)?;
        Ok(NoteImage { id, width, height, media_type: media_type.to_owned(), bytes: bytes.len() })
    };
    gate.write(call, workspace_id, store).await
}

/// Stores an image unless the workspace has it.
///
/// The images that notes show are limited in number and size at the end of the transaction that writes the notes. Here,
/// the same limits apply to the image together with others that no note shows yet; those in the history count only as
/// storage of the organization.
pub(in crate::domain) fn add(tx: &EditTx<'_>, id: &ImageId, image: &EncodedImage) -> Result<()> {
    let (core, pk) = (tx.core(), tx.pk());
    if store::note_images::touch(core.conn, pk, id, core.now)? {
        return Ok(());
    }
    let quotas = &core.shared.quotas;
    let StoredImages { shown, unused } = stored_images(core.conn, pk, core.now - UNUSED_RETENTION)?;
    let new = i64::try_from(image.bytes.len()).unwrap_or(i64::MAX);
    image_count(shown.count.max(unused.count) + 1)?;
    image_bytes(quotas, shown.bytes.max(unused.bytes).saturating_add(new))?;
    store::note_images::insert(core.conn, pk, id, image, core.now)?;
    // A trigger counts the image among the stored bytes of the organization.
    storage(core.conn, quotas, tx.workspace().org_id.as_deref().unwrap_or_default(), 0, 0)
}

/// Copies the images that notes show to another workspace.
pub(in crate::domain) fn copy(from: &ViewTx<'_>, to: &EditTx<'_>) -> Result<()> {
    let core = to.core();
    store::note_images::copy(core.conn, from.pk(), to.pk(), core.now)?;
    storage(core.conn, &core.shared.quotas, to.workspace().org_id.as_deref().unwrap_or_default(), 0, 0)
}

/// Copies images of another workspace that this one does not have.
pub(in crate::domain) fn copy_some<'i>(
    to: &EditTx<'_>,
    from_pk: i64,
    ids: impl Iterator<Item = &'i ImageId>,
) -> Result<()> {
    let core = to.core();
    for id in ids {
        store::note_images::copy_one(core.conn, from_pk, to.pk(), id, core.now)?;
    }
    storage(core.conn, &core.shared.quotas, to.workspace().org_id.as_deref().unwrap_or_default(), 0, 0)
}

/// Width and height of an image in pixels; none if the workspace does not have it.
pub(in crate::domain) fn size(tx: &ViewTx<'_>, id: &ImageId) -> Result<Option<(u32, u32)>> {
    store::note_images::size(tx.core().conn, tx.pk(), id)
}

/// Media type and content of an image that a note shows.
pub(in crate::domain) fn content(tx: &ViewTx<'_>, id: &ImageId) -> Result<(String, Vec<u8>)> {
    let found = store::note_images::content(tx.core().conn, tx.pk(), id)?;
    found.ok_or_else(|| Error::internal("a note shows an image that is not stored"))
}

/// Reads an image. `known` contains the entity tags that the caller has.
pub fn read(tx: &ViewTx<'_>, id: &ImageId, known: &[String]) -> Result<ImageResponse> {
    const NOT_FOUND: Error = Error::NotFound("image");
    let (conn, pk) = (tx.core().conn, tx.pk());
    let tag = id.as_str().to_owned();
    if bundle::is_known(known, &tag) {
        let found = store::note_images::size(conn, pk, id)?;
        return found.map(|_| ImageResponse::Unchanged(tag)).ok_or(NOT_FOUND);
    }
    let (media_type, bytes) = store::note_images::content(conn, pk, id)?.ok_or(NOT_FOUND)?;
    Ok(ImageResponse::Image { tag, media_type, bytes, is_gzip: false })
}

/// Deletes images that were uploaded more than a day ago and that no note, version or change refers to. Returns how many
/// were deleted, at most `limit`.
pub(in crate::domain) fn delete_unused(core: &Core<'_>, now: i64, limit: usize) -> Result<usize> {
    store::note_images::delete_unused(core.conn, now - UNUSED_RETENTION, limit)
}
