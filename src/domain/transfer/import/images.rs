//! The images in a file: decoded and encoded again before any row is read or written.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use crate::{
    domain::{
        core::{EditTx, Gate, image_bytes},
        map::{
            note_images,
            notes::{ImageId, NewNote, Note},
        },
        transfer::document::{DocumentImage, MAX_DATA_CHARS},
        values::Id,
    },
    error::{Error, FieldPath, Problem, Result},
    images::{self, EncodedImage},
    settings::Quotas,
};

/// Number of pixels in a file for each byte of the image quota. With the default quota, this allows the maximum number of
/// stored images of the maximum size, so every exported map can be imported.
const PIXELS_PER_BYTE: usize = 200;

/// The images that notes in a file refer to, before they are encoded.
pub(super) struct UnencodedImages(Vec<UnencodedImage>);

/// An image, and the ids that the file has for it.
struct UnencodedImage {
    /// Position of the first one in the file.
    index: usize,
    ids: Vec<ImageId>,
    bytes: Vec<u8>,
}

impl UnencodedImages {
    /// Reads the images that `notes` refer to. Images with the same data are read once.
    pub(super) fn new<'n>(images: Vec<DocumentImage>, notes: impl Iterator<Item = &'n NewNote>) -> Result<Self> {
        let used: BTreeSet<&ImageId> = notes.filter_map(|note| note.image_id.as_ref()).collect();
        let (mut seen, mut found) = (BTreeSet::new(), Vec::<UnencodedImage>::new());
        let mut by_content = HashMap::new();
        for (index, DocumentImage { id, media_type: _, data }) in images.into_iter().enumerate() {
            let at = |field: &str| FieldPath::item("images", index).field(field);
            if !seen.insert(id.clone()) {
                return Err(Error::invalid(at("id"), format!("the id `{}` is repeated", id.as_str())));
            }
            if !used.contains(&id) {
                continue;
            }
            if data.len() > MAX_DATA_CHARS {
                let problem = Problem::TooLarge { max: MAX_DATA_CHARS, actual: data.len(), unit: "characters" };
                return Err(Error::invalid(at("data"), problem));
            }
            let bytes = STANDARD.decode(data).map_err(|_| Error::invalid(at("data"), "must be base64"))?;
            let same = *by_content.entry(Sha256::digest(&bytes)).or_insert(found.len());
            match found.get_mut(same) {
                Some(same) => same.ids.push(id),
                None => found.push(UnencodedImage { index, ids: vec![id], bytes }),
            }
        }
        Ok(Self(found))
    }

    /// Rejects more bytes or pixels than the quota for images of a workspace allows.
    fn check(&self, quotas: &Quotas) -> Result<()> {
        let sum = |of: fn(&[u8]) -> usize| self.0.iter().map(|image| of(&image.bytes)).fold(0, usize::saturating_add);
        image_bytes(quotas, i64::try_from(sum(<[u8]>::len)).unwrap_or(i64::MAX))?;
        let (mib, million) = (quotas.image_mib, 1_000_000);
        let limit = usize::try_from(mib << 20).unwrap_or(usize::MAX).saturating_mul(PIXELS_PER_BYTE);
        let pixels = sum(images::pixels);
        if mib == 0 || pixels <= limit {
            return Ok(());
        }
        let (limit, actual) = (limit / million, pixels / million);
        let message = format!(
            "the images in the file have {actual} million pixels, and the limit is {limit} million; remove images, or ask \
             the operator to raise `quotas.image_mib`"
        );
        let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        Err(Error::LimitReached { limit: number(limit), actual: number(actual), message })
    }

    /// Decodes and encodes the images, each as a job of its own, so that those of other users are encoded in between.
    pub(super) async fn encode(self, gate: &Gate) -> Result<FileImages> {
        self.check(gate.quotas())?;
        let mut encoded = BTreeMap::new();
        for UnencodedImage { index, ids, bytes } in self.0 {
            let field = FieldPath::item("images", index).field("data");
            let image = Arc::new(note_images::encode(gate, bytes, field).await?);
            let own = note_images::id_of(&image);
            encoded.extend(ids.into_iter().map(|id| (id, (own.clone(), Arc::clone(&image)))));
        }
        Ok(FileImages(encoded))
    }
}

/// The images that notes in a file refer to, by the id in the file, each with the id of its content. Both are the same
/// for an image that this version exported.
#[derive(Default)]
pub(super) struct FileImages(BTreeMap<ImageId, (ImageId, Arc<EncodedImage>)>);

impl FileImages {
    /// Converts notes in a file to rows. An image that is not in the file must be in the existing workspace.
    pub(super) fn note_rows(
        &self,
        existing: Option<&EditTx<'_>>,
        workspace_id: &str,
        wanted: Vec<NewNote>,
    ) -> Result<Vec<Note>> {
        let rows = wanted.into_iter().enumerate().map(|(index, mut one)| {
            let mut size = None;
            if let Some(id) = one.image_id.take() {
                let (id, found) = match self.0.get(&id) {
                    Some((own, image)) => (own.clone(), Some((image.width, image.height))),
                    None => {
                        let found = existing.map(|tx| note_images::size(tx, &id)).transpose()?.flatten();
                        (id, found)
                    }
                };
                let missing = || {
                    let field = FieldPath::item("notes", index).field("imageId");
                    Error::invalid(field, format!("there is no image `{}` in the file", id.as_str()))
                };
                size = Some(found.ok_or_else(missing)?);
                one.image_id = Some(id);
            }
            let id = one.id.take().as_ref().map(Id::as_str).unwrap_or_default().to_owned();
            Ok(one.into_row(workspace_id, id, size))
        });
        rows.collect()
    }

    /// Stores the images that the workspace does not have.
    pub(super) fn store(&self, tx: &EditTx<'_>) -> Result<()> {
        self.0.values().try_for_each(|(id, image)| note_images::add(tx, id, image))
    }
}
