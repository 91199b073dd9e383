//! Notes, frames and images on the map.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
    },
    domain::{
        core::RowMetadata,
        input::{Input, Nullable, objects, stamped},
        values::{Coordinate, Id, Size, Text, words},
    },
    error::reject,
};

words! {
    /// What a note is.
    NoteKind {
        /// A text in Markdown.
        Note = "note",
        /// A titled area behind the components.
        Frame = "frame",
        /// An uploaded image.
        Image = "image",
    }
}

words! {
    /// Color of a note. Clients choose shades that are readable in their theme.
    NoteColor {
        /// Yellow.
        Yellow = "yellow",
        /// Orange.
        Orange = "orange",
        /// Red.
        Red = "red",
        /// Pink.
        Pink = "pink",
        /// Purple.
        Purple = "purple",
        /// Blue.
        Blue = "blue",
        /// Green.
        Green = "green",
        /// Gray.
        Gray = "gray",
    }
}

/// Drawing order: an integer from -1,000 to 1,000. Negative layers are drawn under the components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Layer(i64);

impl Layer {
    /// The lowest layer.
    pub const MIN: i64 = -1_000;
    /// The highest layer.
    pub const MAX: i64 = 1_000;

    /// The number.
    pub(in crate::domain) fn get(self) -> i64 {
        self.0
    }

    /// The layer of a new note of this kind.
    pub(in crate::domain) fn default_of(kind: NoteKind) -> Self {
        Self(if kind == NoteKind::Frame { -1 } else { 0 })
    }
}

impl<'de> Deserialize<'de> for Layer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match i64::deserialize(deserializer)? {
            number if (Self::MIN..=Self::MAX).contains(&number) => Ok(Self(number)),
            number => Err(reject(format!("must be from -1,000 to 1,000, is {number}").into())),
        }
    }
}

impl PartialSchema for Layer {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(Self::MIN))
            .maximum(Some(Self::MAX))
            .description(Some("Drawing order. Negative layers are drawn under the components"))
            .into()
    }
}
impl ToSchema for Layer {}

impl ToSql for Layer {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for Layer {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(Self)
    }
}

/// Id of an uploaded image: 32 hexadecimal digits of the SHA-256 of its content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ImageId(String);

impl ImageId {
    /// Number of digits.
    pub const CHARS: usize = 32;
    const PATTERN: &'static str = "^[0-9a-f]{32}$";

    /// The id of an image with this SHA-256.
    pub(in crate::domain) fn of_hash(hash: &[u8]) -> Self {
        let first_half = hash.iter().take(Self::CHARS / 2);
        Self(first_half.fold(String::with_capacity(Self::CHARS), |id, byte| id + &format!("{byte:02x}")))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for ImageId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == Self::CHARS && text.bytes().all(is_digit) {
            Ok(Self(text))
        } else {
            Err(reject("must be the id of an uploaded image: 32 hexadecimal digits".into()))
        }
    }
}

impl PartialSchema for ImageId {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(Self::PATTERN))
            .examples([Value::from("9f86d081884c7d659a2feaa0c55ad015")])
            .into()
    }
}
impl ToSchema for ImageId {}

impl ToSql for ImageId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for ImageId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value.as_str()? {
            text if text.len() == Self::CHARS => Ok(Self(text.to_owned())),
            text => Err(FromSqlError::Other(format!("`{text}` is not an image id").into())),
        }
    }
}

/// A note, frame or image on the map. Search finds its text. It is not a component: impact and tables do not
/// include it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// Order value. Of two notes in the same layer, the one with the higher value is drawn on top.
    #[serde(skip)]
    pub seq: i64,
    /// Note id, unique in the workspace.
    #[schema(example = "note")]
    pub id: String,
    /// Workspace id.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// What the note is. Cannot be changed.
    pub kind: NoteKind,
    /// Markdown of a note, title of a frame, or description (alternative text) of an image. Stored as given. Clients
    /// render Markdown without HTML: HTML in the text is shown as text.
    #[schema(example = "Moves to the **new** cluster in May.")]
    pub text: String,
    /// Color; null for the default color of the kind.
    #[schema(required)]
    pub color: Option<NoteColor>,
    /// Horizontal canvas position of the left edge, increasing to the right.
    pub x: f64,
    /// Vertical canvas position of the top edge, increasing downward.
    pub y: f64,
    /// Width on the canvas; null for the width of the content. Frames and images always have one.
    #[schema(required)]
    pub width: Option<Size>,
    /// Height on the canvas; null for the height of the content. Frames and images always have one.
    #[schema(required)]
    pub height: Option<Size>,
    /// Drawing order: higher layers are drawn on top. Negative layers are drawn under the components.
    pub layer: Layer,
    /// Id of the uploaded image; absent for other kinds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub image_id: Option<ImageId>,
    /// Revision, timestamps and authors.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

/// A note, frame or image to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewNote {
    /// Note id. Default: the kind, with a number if needed.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// What the note is. Default: `note`.
    #[schema(nullable = false)]
    pub kind: Option<NoteKind>,
    /// Markdown of a note, title of a frame, or description (alternative text) of an image. Default: empty.
    #[schema(nullable = false)]
    pub text: Option<Text>,
    /// Color. Default: null, the default color of the kind.
    #[serde(default)]
    #[schema(value_type = Option<NoteColor>)]
    pub color: Nullable<NoteColor>,
    /// Horizontal canvas position of the left edge, increasing to the right.
    pub x: Coordinate,
    /// Vertical canvas position of the top edge, increasing downward.
    pub y: Coordinate,
    /// Width on the canvas. Default: null, the width of the content, for a note; 480 for a frame; by the size of the
    /// image, at most 480, for an image.
    #[serde(default)]
    #[schema(value_type = Option<Size>)]
    pub width: Nullable<Size>,
    /// Height on the canvas. Default: null, the height of the content, for a note; 320 for a frame; in proportion to the
    /// width for an image.
    #[serde(default)]
    #[schema(value_type = Option<Size>)]
    pub height: Nullable<Size>,
    /// Drawing order. Default: -1, under the components, for a frame; 0 for others.
    #[schema(nullable = false)]
    pub layer: Option<Layer>,
    /// Id of an image that was uploaded to the workspace. Required for an image, not allowed for other kinds.
    #[schema(nullable = false)]
    pub image_id: Option<ImageId>,
}

/// Note fields to update; absent fields are unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NotePatch {
    /// Cannot be changed; accepted if equal to the current id.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Cannot be changed; accepted if equal to the current kind.
    #[schema(nullable = false)]
    pub kind: Option<NoteKind>,
    /// Markdown of a note, title of a frame, or description (alternative text) of an image.
    #[schema(nullable = false)]
    pub text: Option<Text>,
    /// Color; null for the default color of the kind.
    #[serde(default)]
    #[schema(value_type = Option<NoteColor>)]
    pub color: Nullable<NoteColor>,
    /// Horizontal canvas position of the left edge, increasing to the right.
    #[schema(nullable = false)]
    pub x: Option<Coordinate>,
    /// Vertical canvas position of the top edge, increasing downward.
    #[schema(nullable = false)]
    pub y: Option<Coordinate>,
    /// Width on the canvas; null for the default of a new note.
    #[serde(default)]
    #[schema(value_type = Option<Size>)]
    pub width: Nullable<Size>,
    /// Height on the canvas; null for the default of a new note.
    #[serde(default)]
    #[schema(value_type = Option<Size>)]
    pub height: Nullable<Size>,
    /// Drawing order.
    #[schema(nullable = false)]
    pub layer: Option<Layer>,
    /// Id of another uploaded image. Only for images.
    #[schema(nullable = false)]
    pub image_id: Option<ImageId>,
}

/// Fields of a note in responses that a client cannot write.
const ROW: &[&str] = stamped!(""["workspaceId"]);

objects!(NewNote, NotePatch);
impl Input for NewNote {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for NotePatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}
