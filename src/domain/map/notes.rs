//! Notes, frames and images on the map. They are rows like components, and search finds their texts, but they are never
//! components: impact and tables do not include them.

pub use super::model::notes::{ImageId, Layer, NewNote, Note, NoteColor, NoteKind, NotePatch};
use super::store;
use crate::{
    domain::{
        core::{EditTx, Reads, RowMetadata, ViewTx},
        input::same,
        paging::{Page, Paging},
        slug,
        values::{Coordinate, Size},
    },
    error::{Error, Problem, Result},
};

/// Size of a new frame.
const FRAME_SIZE: (f64, f64) = (480.0, 320.0);
/// Longer side of a new image on the canvas, unless the image is smaller.
const MAX_NEW_IMAGE_SIDE: f64 = 480.0;

/// Lists the notes of a workspace, in their order.
pub fn list(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<Note>> {
    tx.page(paging)
}

/// Reads a note.
pub fn find(tx: &ViewTx<'_>, id: &str) -> Result<Note> {
    tx.existing(id)
}

/// Creates a note.
pub fn create(tx: &mut EditTx<'_>, new: NewNote) -> Result<Note> {
    new.check()?;
    let image = image_size(tx, new.image_id.as_ref())?;
    let taken = |id: &str| tx.has::<Note>(id);
    let id = slug::chosen("note", new.id.clone(), || new.kind().as_str().to_owned(), taken)?;
    let row = Note { seq: tx.next_position::<Note>()?, ..new.into_row(&tx.workspace().id, id, image) };
    tx.create(row)
}

/// Updates a note.
pub fn update(tx: &mut EditTx<'_>, id: &str, patch: NotePatch) -> Result<Note> {
    let before: Note = tx.expected(id)?;
    same("id", patch.id.as_deref(), &before.id)?;
    same("kind", patch.kind.map(NoteKind::as_str), before.kind.as_str())?;
    let old = before.clone();
    let image_id = patch.image_id.or(old.image_id);
    check_image(old.kind, image_id.as_ref())?;
    let image = image_size(tx, image_id.as_ref())?;
    let sizes = sizes(old.kind, patch.width.or(old.width), patch.height.or(old.height), image);
    let after = Note {
        text: patch.text.map_or(old.text, String::from),
        color: patch.color.or(old.color),
        x: patch.x.map_or(old.x, Coordinate::get),
        y: patch.y.map_or(old.y, Coordinate::get),
        width: sizes.0,
        height: sizes.1,
        layer: patch.layer.unwrap_or(old.layer),
        image_id,
        ..old
    };
    tx.update(&before, after)
}

/// Deletes a note. An image that it shows is still stored, so that undo can restore the note.
pub fn delete(tx: &mut EditTx<'_>, id: &str) -> Result<()> {
    let note = find(tx, id)?;
    tx.expect(&note)?;
    tx.delete(&note)
}

impl NewNote {
    /// The kind of the new note.
    pub(in crate::domain) fn kind(&self) -> NoteKind {
        self.kind.unwrap_or(NoteKind::Note)
    }

    /// Checks the rules that need no other row.
    pub(in crate::domain) fn check(&self) -> Result<()> {
        check_image(self.kind(), self.image_id.as_ref())
    }

    /// Converts the request to a row without an order value. `image` is the size of its image in pixels.
    pub(in crate::domain) fn into_row(self, workspace_id: &str, id: String, image: Option<(u32, u32)>) -> Note {
        let kind = self.kind();
        let (width, height) = sizes(kind, self.width.or(None), self.height.or(None), image);
        Note {
            seq: 0,
            id,
            workspace_id: workspace_id.to_owned(),
            kind,
            text: self.text.map(String::from).unwrap_or_default(),
            color: self.color.or(None),
            x: self.x.get(),
            y: self.y.get(),
            width,
            height,
            layer: self.layer.unwrap_or_else(|| Layer::default_of(kind)),
            image_id: self.image_id,
            metadata: RowMetadata::default(),
        }
    }
}

/// Checks that images, and only they, refer to an uploaded image.
fn check_image(kind: NoteKind, image: Option<&ImageId>) -> Result<()> {
    match (kind, image) {
        (NoteKind::Image, None) => {
            Err(Error::invalid("imageId", Problem::required(" for an image; upload the image first")))
        }
        (NoteKind::Note | NoteKind::Frame, Some(_)) => {
            Err(Error::invalid("imageId", "must be left out unless `kind` is `image`"))
        }
        _ => Ok(()),
    }
}

/// The size in pixels of an image of the workspace. Fails if the workspace does not have the image.
fn image_size(tx: &ViewTx<'_>, id: Option<&ImageId>) -> Result<Option<(u32, u32)>> {
    let Some(id) = id else { return Ok(None) };
    let found = store::note_images::size(tx.core().conn, tx.pk(), id)?;
    let missing = || {
        let text = format!("there is no image `{}` in this workspace; upload it first", id.as_str());
        Error::invalid("imageId", text)
    };
    found.ok_or_else(missing).map(Some)
}

/// Whether the workspace has the image that a note shows, if it shows one.
pub(in crate::domain) fn has_image(tx: &ViewTx<'_>, note: &Note) -> Result<bool> {
    let Some(id) = &note.image_id else { return Ok(true) };
    Ok(store::note_images::size(tx.core().conn, tx.pk(), id)?.is_some())
}

/// The size of a note on the canvas. Frames and images always have one: the missing part is the default, or in
/// proportion to the image.
fn sizes(
    kind: NoteKind,
    width: Option<Size>,
    height: Option<Size>,
    image: Option<(u32, u32)>,
) -> (Option<Size>, Option<Size>) {
    let (default_width, default_height) = match (kind, image) {
        (NoteKind::Note, _) => return (width, height),
        (NoteKind::Image, Some((w, h))) => {
            let (w, h) = (f64::from(w.max(1)), f64::from(h.max(1)));
            let scale = match (width, height) {
                (Some(width), _) => width.get() / w,
                (None, Some(height)) => height.get() / h,
                (None, None) => (MAX_NEW_IMAGE_SIDE / w.max(h)).min(1.0),
            };
            ((w * scale).round(), (h * scale).round())
        }
        _ => FRAME_SIZE,
    };
    (Some(width.unwrap_or(Size::nearest(default_width))), Some(height.unwrap_or(Size::nearest(default_height))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_and_images_always_have_a_size() {
        let size = |number: f64| Some(Size::nearest(number));
        let photo = Some((2_000, 1_000));
        for (kind, width, height, image, expected) in [
            (NoteKind::Note, None, None, None, (None, None)),
            (NoteKind::Note, size(9.0), None, None, (size(9.0), None)),
            (NoteKind::Frame, None, size(9.0), None, (size(480.0), size(9.0))),
            (NoteKind::Image, None, None, photo, (size(480.0), size(240.0))),
            (NoteKind::Image, size(100.0), None, photo, (size(100.0), size(50.0))),
            (NoteKind::Image, None, size(100.0), photo, (size(200.0), size(100.0))),
            (NoteKind::Image, size(7.0), size(100.0), photo, (size(7.0), size(100.0))),
            (NoteKind::Image, None, None, Some((40, 30)), (size(40.0), size(30.0))),
            (NoteKind::Image, None, None, Some((2_048, 1)), (size(480.0), size(1.0))),
        ] {
            assert_eq!(sizes(kind, width, height, image), expected, "{kind:?} {width:?} {height:?} {image:?}");
        }
    }
}
