//! Tools for comments: an assistant that finds the map wrong can say so instead of changing it.

use serde::{Deserialize, Serialize};

use super::tool::arguments;
use crate::{
    describe::ToSchema,
    domain::{
        comments::{
            messages,
            model::{NewAnchor, NewMessage},
            threads::{self, AnchorType, NewThread, Thread, ThreadFilter, ThreadKind, ThreadState},
        },
        core::{
            Call, CommentTx, Gate,
            access::{Commenter, Viewer},
        },
        paging::Paging,
        values::CommentText,
    },
    error::{Error, Problem, Result},
    mcp::{
        links::Links,
        results::{SpaceLeft, page, truncate},
        services::Site,
    },
};

/// Which comments.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ListComments {
    /// Id of the workspace.
    workspace_id: String,
    /// All messages of this thread.
    #[schema(nullable = false)]
    thread_id: Option<String>,
    /// Default: all.
    #[schema(inline, nullable = false)]
    anchor_type: Option<AnchorType>,
    /// Id of the component, relationship, process or view.
    #[schema(nullable = false)]
    anchor_id: Option<String>,
    /// Default: `open`.
    #[schema(inline, nullable = false)]
    state: Option<ThreadState>,
    /// Default: all.
    #[schema(inline, nullable = false)]
    kind: Option<ThreadKind>,
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// A comment to write.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct AddComment {
    /// Id of the workspace.
    workspace_id: String,
    /// Replies in this thread, without the next three.
    #[schema(nullable = false)]
    thread_id: Option<String>,
    /// What a new thread is about. Default: `workspace`.
    #[schema(inline, nullable = false)]
    anchor_type: Option<AnchorType>,
    /// Id of the component, relationship, process or view.
    #[schema(nullable = false)]
    anchor_id: Option<String>,
    /// Default: `comment`.
    #[schema(inline, nullable = false)]
    kind: Option<ThreadKind>,
    /// Markdown; `@login` mentions a user, `#id` links a component.
    #[schema(value_type = String)]
    text: CommentText,
}

/// A thread to resolve.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ResolveComment {
    /// Id of the workspace.
    workspace_id: String,
    /// Id of the thread.
    thread_id: String,
    /// Opens it again. Default: false.
    #[serde(default)]
    #[schema(nullable = false)]
    reopen: Option<bool>,
}

arguments!(
    ListComments: "Comment threads of a workspace, newest first, or the messages of one thread. Open threads of kind \
            `inaccurate` say where users find the map wrong.",
    AddComment: "Comment on a component, relationship, process, view or workspace, or reply in a thread. If you find \
            the map wrong and were not asked to change it, say so with the kind `inaccurate`. Example: \
            {\"workspaceId\": \"web-shop\", \"anchorType\": \"component\", \"anchorId\": \"payments\", \"kind\": \
            \"inaccurate\", \"text\": \"The code calls Stripe directly.\"}",
    ResolveComment: "Resolve a comment thread. Only do so when what it asks for is done, or when the user says so.",
);

/// A row of the list: the values of [`COLUMNS`].
#[derive(Debug, Serialize)]
struct Row(String, ThreadKind, ThreadState, AnchorType, Option<String>, String, i64, Option<String>, String);

/// What the values of a row are.
const COLUMNS: [&str; 9] =
    ["threadId", "kind", "state", "anchorType", "anchorId", "anchorName", "messages", "author", "text"];

/// A page of threads.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Threads {
    columns: [&'static str; 9],
    rows: Vec<Row>,
    /// Whether more follow.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A message.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    text: String,
    created_at: i64,
}

/// A thread with its messages.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownThread {
    thread_id: String,
    kind: ThreadKind,
    state: ThreadState,
    anchor_type: AnchorType,
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor_id: Option<String>,
    anchor_name: String,
    /// Whether the anchor is deleted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    detached: bool,
    messages: Vec<Message>,
    /// Whether more follow.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// Threads, or the messages of one.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Listed {
    /// Threads.
    Threads(Threads),
    /// One thread.
    Thread(Box<ShownThread>),
}

/// A written comment.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    thread_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_id: Option<i64>,
    state: ThreadState,
    /// Logins of the users that the text mentions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mentions: Vec<String>,
    /// Where the web client shows it.
    url: String,
}

/// Threads of a workspace, or the messages of one.
pub async fn list_comments(gate: Gate, call: Call<Viewer>, ask: ListComments) -> Result<Listed> {
    let ListComments { workspace_id, thread_id, anchor_type, anchor_id, state, kind, cursor } = ask;
    gate.read(call.large(), workspace_id, move |tx| {
        if let Some(id) = thread_id {
            return Ok(Listed::Thread(Box::new(messages_of(threads::read(tx, &id)?, cursor.as_deref())?)));
        }
        let state = Some(state.unwrap_or(ThreadState::Open));
        let filter = ThreadFilter { anchor_type, anchor_id, state, kind, detached: None };
        let found = threads::list(tx, &filter, &Paging::default())?.items;
        let rows = found.into_iter().map(Row::of);
        let (rows, next_cursor) = page(rows, cursor.as_deref(), &mut SpaceLeft::after(&()))?;
        Ok(Listed::Threads(Threads { columns: COLUMNS, rows, truncated: next_cursor.is_some(), next_cursor }))
    })
    .await
}

impl Row {
    fn of(thread: Thread) -> Self {
        let Thread { id, kind, state, anchor, message_count, first_message, .. } = thread;
        let author = first_message.author.map(|author| author.display_name).or(first_message.imported_author);
        let text = truncate(&first_message.text);
        Self(id, kind, state, anchor.anchor_type, anchor.id, anchor.name, message_count, author, text)
    }
}

/// A page of the messages of a thread.
fn messages_of(thread: Thread, cursor: Option<&str>) -> Result<ShownThread> {
    let messages = thread.messages.unwrap_or_default().into_iter().map(|message| Message {
        author: message.author.map(|author| author.display_name).or(message.imported_author),
        text: message.text,
        created_at: message.created_at,
    });
    let (messages, next_cursor) = page(messages, cursor, &mut SpaceLeft::after(&()))?;
    Ok(ShownThread {
        thread_id: thread.id,
        kind: thread.kind,
        state: thread.state,
        anchor_type: thread.anchor.anchor_type,
        anchor_id: thread.anchor.id,
        anchor_name: thread.anchor.name,
        detached: thread.detached,
        messages,
        truncated: next_cursor.is_some(),
        next_cursor,
    })
}

/// Writes a comment: a new thread, or a message of one.
pub async fn add_comment(site: Site, call: Call<Commenter>, ask: AddComment) -> Result<Written> {
    let AddComment { workspace_id, thread_id, anchor_type, anchor_id, kind, text } = ask;
    let links = site.links(&call).await?;
    let at = workspace_id.clone();
    if let Some(thread_id) = thread_id {
        for (field, is_given) in
            [("anchorType", anchor_type.is_some()), ("anchorId", anchor_id.is_some()), ("kind", kind.is_some())]
        {
            if is_given {
                return Err(Error::invalid(field, "must be left out where `threadId` is given"));
            }
        }
        let write = move |tx: &mut CommentTx<'_>| {
            let message = messages::create(tx, &thread_id, &NewMessage { text })?;
            Ok((threads::read(tx, &thread_id)?, message))
        };
        let (thread, message) = site.gate.write(call, workspace_id, write).await?;
        return Ok(Written::of(thread, Some(message), &links, &at));
    }
    let anchor_type = anchor_type.unwrap_or(AnchorType::Workspace);
    if anchor_type == AnchorType::Workspace && anchor_id.is_some() {
        return Err(Error::invalid("anchorType", Problem::required(" with `anchorId`")));
    }
    let anchor = NewAnchor { anchor_type, id: anchor_id, step: None, x: None, y: None };
    let new = NewThread { anchor, kind, text };
    let thread = site.gate.write(call, workspace_id, |tx| threads::create(tx, new)).await?;
    let first = thread.first_message.clone();
    Ok(Written::of(thread, Some(first), &links, &at))
}

/// Resolves a thread, or opens it again.
pub async fn resolve_comment(site: Site, call: Call<Commenter>, ask: ResolveComment) -> Result<Written> {
    let ResolveComment { workspace_id, thread_id, reopen } = ask;
    let (links, at) = (site.links(&call).await?, workspace_id.clone());
    let state = if reopen == Some(true) { ThreadState::Open } else { ThreadState::Resolved };
    let thread = site.gate.write(call, workspace_id, move |tx| threads::set_state(tx, &thread_id, state)).await?;
    Ok(Written::of(thread, None, &links, &at))
}

impl Written {
    fn of(thread: Thread, message: Option<messages::ThreadMessage>, links: &Links, workspace_id: &str) -> Self {
        let message_id = message.as_ref().map(|message| message.id);
        let mentions = message.into_iter().flat_map(|message| message.mentions).filter_map(|user| user.login).collect();
        let url = links.thread(workspace_id, &thread.id);
        Self { thread_id: thread.id, message_id, state: thread.state, mentions, url }
    }
}
