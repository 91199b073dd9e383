//! Threads in workspace files: authors are names, because a file has nothing of the instance that it comes from.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{
    MAX_MESSAGES, expect_bytes, expect_threads,
    model::{Anchor, AnchorType, ThreadKind, ThreadMessage},
    store::{self, threads::StoredThread},
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{EditTx, Reads, ViewTx},
        input::{at_most, objects, serialized_objects},
        values::{CommentText, Coordinate, Id, OptionalId, Text},
    },
    error::{Error, FieldPath, Result},
};

/// Maximum number of messages of a thread in a file.
const MAX_FILE_MESSAGES: usize = 200;
/// The last millisecond of the year 9999.
const MAX_TIME: i64 = 253_402_300_799_999;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_FILE_MESSAGES == 200 && MAX_MESSAGES == 200);

/// A thread of comments in a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentThread {
    /// Id. An import leaves a thread of the workspace with this id unchanged.
    pub id: Id,
    /// What the thread is about. It does not need to be in the file.
    pub anchor: DocumentAnchor,
    /// What the thread is for.
    pub kind: ThreadKind,
    /// Creation time in Unix milliseconds.
    pub created_at: i64,
    /// When it was resolved, in Unix milliseconds; absent if it is open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub resolved_at: Option<i64>,
    /// Name of the user who resolved it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub resolved_by: Option<Text>,
    /// Messages, oldest first.
    #[serde(deserialize_with = "at_most::<MAX_FILE_MESSAGES, _, _>")]
    #[schema(min_items = 1, max_items = 200)]
    pub messages: Vec<DocumentMessage>,
}

/// What a thread in a file is about.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentAnchor {
    /// Type of the anchor.
    #[serde(rename = "type")]
    pub anchor_type: AnchorType,
    /// Id of the component, relationship, process or view; absent for a workspace.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub id: Option<OptionalId>,
    /// Last known name.
    pub name: Text,
    /// Index of a message of a process.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub step: Option<i64>,
    /// Text of this message.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub step_text: Option<Text>,
    /// Horizontal position of a point.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub x: Option<Coordinate>,
    /// Vertical position of a point.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub y: Option<Coordinate>,
}

/// A message of a thread in a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentMessage {
    /// Name of the author.
    pub author: Text,
    /// The text, in Markdown.
    #[serde(deserialize_with = "cleaned")]
    pub text: CommentText,
    /// Creation time in Unix milliseconds.
    pub created_at: i64,
    /// Time of the last edit in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub edited_at: Option<i64>,
}

serialized_objects!(DocumentThread, DocumentAnchor, DocumentMessage);
objects!(DocumentThread, DocumentAnchor, DocumentMessage);

/// All threads of a workspace, oldest first.
pub(in crate::domain) fn export(tx: &ViewTx<'_>) -> Result<Vec<DocumentThread>> {
    let threads = store::threads::rows(tx.core().conn, tx.pk())?;
    threads.into_iter().map(|thread| exported(tx, thread)).collect()
}

fn exported(tx: &ViewTx<'_>, thread: StoredThread) -> Result<DocumentThread> {
    tx.core().check_alive()?;
    let messages = store::messages::of_thread(tx.core().conn, tx.pk(), &thread.id)?;
    let Anchor { anchor_type, id, name, step, step_text, x, y } = thread.anchor;
    Ok(DocumentThread {
        id: valid(Id::new(&thread.id))?,
        anchor: DocumentAnchor {
            anchor_type,
            id: id.map(|id| valid(OptionalId::new(&id))).transpose()?,
            name: valid(Text::new(&name))?,
            step,
            step_text: step_text.map(|text| valid(Text::new(&text))).transpose()?,
            x: x.map(Coordinate::nearest),
            y: y.map(Coordinate::nearest),
        },
        kind: thread.kind,
        created_at: thread.created_at,
        resolved_at: thread.resolved_at,
        resolved_by: thread.resolver.map(|name| valid(Text::new(&name))).transpose()?,
        messages: messages.into_iter().map(exported_message).collect::<Result<_>>()?,
    })
}

fn exported_message(message: ThreadMessage) -> Result<DocumentMessage> {
    let author = message.author.map(|author| author.display_name).or(message.imported_author).unwrap_or_default();
    Ok(DocumentMessage {
        author: valid(Text::new(&author))?,
        text: valid(CommentText::cleaned(&message.text))?,
        created_at: message.created_at,
        edited_at: message.edited_at,
    })
}

/// Reads the text of a message. Files of earlier versions can contain control characters, or no visible ones.
fn cleaned<'de, D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<CommentText, D::Error> {
    let text = String::deserialize(deserializer)?;
    let text = if text.trim().is_empty() { CommentText::new(&text) } else { CommentText::cleaned(&text) };
    text.map_err(crate::error::reject)
}

/// A stored value, which was valid when it was written.
fn valid<T>(value: std::result::Result<T, crate::error::Problem>) -> Result<T> {
    value.map_err(Error::internal)
}

/// Checks the rules for threads of a file that need no other data.
pub(in crate::domain) fn check(threads: &[DocumentThread]) -> Result<()> {
    let mut seen = HashSet::new();
    for (index, thread) in threads.iter().enumerate() {
        let wrong = |field: &str, text: &str| Err(Error::invalid(FieldPath::item("threads", index).field(field), text));
        if !seen.insert(thread.id.as_str()) {
            return wrong("id", "is repeated");
        }
        if thread.messages.is_empty() {
            return wrong("messages", "must have at least one item");
        }
        let times = thread.messages.iter().flat_map(|message| [Some(message.created_at), message.edited_at]);
        let mut times = times.chain([Some(thread.created_at), thread.resolved_at]).flatten();
        if !times.all(|time| (0..=MAX_TIME).contains(&time)) {
            return wrong("createdAt", "and all other times must be Unix times in milliseconds before the year 10000");
        }
        let has_id = thread.anchor.id.as_ref().is_some_and(|id| !id.as_str().is_empty());
        if has_id == (thread.anchor.anchor_type == AnchorType::Workspace) {
            return wrong("anchor", "must have an `id`, except for a workspace");
        }
    }
    Ok(())
}

/// Ids of the threads that an import would create in a workspace, or in a new one.
pub(in crate::domain) fn new_ids(tx: Option<&EditTx<'_>>, threads: &[DocumentThread]) -> Result<Vec<String>> {
    let known: HashSet<String> = match tx {
        Some(tx) if !threads.is_empty() => store::threads::ids(tx.core().conn, tx.pk())?.into_iter().collect(),
        _ => HashSet::new(),
    };
    Ok(threads.iter().map(|thread| thread.id.as_str()).filter(|id| !known.contains(*id)).map(str::to_owned).collect())
}

/// Creates the threads of a file that the workspace does not have.
pub(in crate::domain) fn import(tx: &EditTx<'_>, threads: &[DocumentThread]) -> Result<()> {
    let new: HashSet<String> = new_ids(Some(tx), threads)?.into_iter().collect();
    if new.is_empty() {
        return Ok(());
    }
    expect_threads(tx.core(), tx.pk(), new.len())?;
    let threads = threads.iter().filter(|thread| new.contains(thread.id.as_str()));
    let bytes = threads.clone().flat_map(|thread| &thread.messages).map(|message| message.text.as_str().len()).sum();
    expect_bytes(tx.core(), tx.pk(), bytes)?;
    for thread in threads {
        tx.core().check_alive()?;
        insert(tx, thread)?;
    }
    super::notify_followers(tx, "create", None);
    Ok(())
}

fn insert(tx: &EditTx<'_>, thread: &DocumentThread) -> Result<()> {
    let (conn, pk) = (tx.core().conn, tx.pk());
    let text = |text: &Text| text.as_str().to_owned();
    let anchor = &thread.anchor;
    let row = StoredThread {
        id: thread.id.as_str().to_owned(),
        anchor: Anchor {
            anchor_type: anchor.anchor_type,
            id: anchor.id.as_ref().map(|id| id.as_str().to_owned()),
            name: text(&anchor.name),
            step: anchor.step,
            step_text: anchor.step_text.as_ref().map(text),
            x: anchor.x.map(Coordinate::get),
            y: anchor.y.map(Coordinate::get),
        },
        detached: false,
        kind: thread.kind,
        resolved_at: thread.resolved_at,
        resolved_by: None,
        resolver: thread.resolved_by.as_ref().map(text),
        last_message: i64::try_from(thread.messages.len()).unwrap_or(i64::MAX),
        revision: 1,
        created_at: thread.created_at,
        created_by: None,
        updated_at: thread.messages.iter().map(|message| message.created_at).max().unwrap_or(thread.created_at),
    };
    store::threads::insert(conn, pk, &row)?;
    for (id, message) in (1..).zip(&thread.messages) {
        let row = ThreadMessage {
            id,
            author: None,
            imported_author: Some(text(&message.author)),
            text: message.text.as_str().to_owned(),
            mentions: Vec::new(),
            created_at: message.created_at,
            edited_at: message.edited_at,
            revision: 1,
        };
        store::messages::insert(conn, pk, thread.id.as_str(), &row)?;
    }
    Ok(())
}
