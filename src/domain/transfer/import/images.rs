//! The images in a file: decoded and encoded again before any row is read or written.

use std::collections::{BTreeMap, BTreeSet};

use base64::{Engine, engine::general_purpose::STANDARD};

use crate::{
    domain::{
        core::EditTx,
        map::{
            note_images,
            notes::{ImageId, NewNote, Note},
        },
        transfer::document::{DocumentImage, MAX_DATA_CHARS},
        values::Id,
    },
    error::{Error, FieldPath, Problem, Result},
    images::{self, EncodedImage},
};

/// The images that notes in a file refer to, by the id in the file, each with the id of its content. Both are the same
/// for an image that this version exported.
#[derive(Default)]
pub(super) struct FileImages(BTreeMap<ImageId, (ImageId, EncodedImage)>);

impl FileImages {
    /// Decodes and encodes the images that `notes` refer to.
    pub(super) fn new<'n>(images: Vec<DocumentImage>, notes: impl Iterator<Item = &'n NewNote>) -> Result<Self> {
        let used: BTreeSet<&ImageId> = notes.filter_map(|note| note.image_id.as_ref()).collect();
        let (mut seen, mut encoded) = (BTreeSet::new(), BTreeMap::new());
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
            let image = images::encode(&bytes).map_err(|problem| Error::invalid(at("data"), problem))?;
            encoded.insert(id, (note_images::id_of(&image), image));
        }
        Ok(Self(encoded))
    }

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
