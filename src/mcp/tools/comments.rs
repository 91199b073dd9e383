//! Tools for comments: an assistant that finds an error in the map can report it instead of changing the map.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    results::{
        Either, Table,
        collaboration::{CommentMessage, CommentThread, SavedComment},
    },
    tool::arguments,
};
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
        results::{SpaceLeft, page, truncate},
        services::Site,
    },
};

/// Which comments to list.
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
            `inaccurate` are about errors in the map.",
    AddComment: "Comment on a component, relationship, process, view or workspace, or reply in a thread. If you find \
            an error in the map and are not asked to change it, use the kind `inaccurate`. Example: \
            {\"workspaceId\": \"web-shop\", \"anchorType\": \"component\", \"anchorId\": \"payments\", \"kind\": \
            \"inaccurate\", \"text\": \"The code calls Stripe directly.\"}",
    ResolveComment: "Resolve a comment thread. Only do so when its request is fulfilled, or when the user says so.",
);

/// The columns of a list of threads.
const COLUMNS: [&str; 9] =
    ["threadId", "kind", "state", "anchorType", "anchorId", "anchorName", "messages", "author", "text"];

/// Lists the threads of a workspace, or the messages of one.
pub async fn list_comments(
    gate: Gate,
    call: Call<Viewer>,
    request: ListComments,
) -> Result<Either<Table, Box<CommentThread>>> {
    let ListComments { workspace_id, thread_id, anchor_type, anchor_id, state, kind, cursor } = request;
    gate.read(call.large(), workspace_id, move |tx| {
        if let Some(id) = thread_id {
            let mut thread = threads::read(tx, &id)?;
            let messages = thread.messages.take().unwrap_or_default().into_iter().map(CommentMessage::from);
            let page = page(messages, cursor.as_deref(), &mut SpaceLeft::after(&()))?;
            return Ok(Either::Right(Box::new(CommentThread::new(thread, page))));
        }
        let state = Some(state.unwrap_or(ThreadState::Open));
        let filter = ThreadFilter { anchor_type, anchor_id, state, kind, detached: None };
        let found = threads::list(tx, &filter, &Paging::default())?.items;
        Table::page(None, &COLUMNS, found.into_iter().map(row), cursor.as_deref()).map(Either::Left)
    })
    .await
}

/// The values of [`COLUMNS`] of a thread.
fn row(thread: Thread) -> Value {
    let Thread { id, kind, state, anchor, message_count, first_message, .. } = thread;
    let author = first_message.author.map(|author| author.display_name).or(first_message.imported_author);
    let text = truncate(&first_message.text);
    json!([id, kind, state, anchor.anchor_type, anchor.id, anchor.name, message_count, author, text])
}

/// Creates a thread, or a message in a thread.
pub async fn add_comment(site: Site, call: Call<Commenter>, request: AddComment) -> Result<SavedComment> {
    let AddComment { workspace_id, thread_id, anchor_type, anchor_id, kind, text } = request;
    let links = site.links(&call).await?;
    let id = workspace_id.clone();
    if let Some(thread_id) = thread_id {
        for (field, is_present) in
            [("anchorType", anchor_type.is_some()), ("anchorId", anchor_id.is_some()), ("kind", kind.is_some())]
        {
            if is_present {
                return Err(Error::invalid(field, "must be left out where `threadId` is given"));
            }
        }
        let write = move |tx: &mut CommentTx<'_>| {
            let message = messages::create(tx, &thread_id, &NewMessage { text })?;
            Ok((threads::read(tx, &thread_id)?, message))
        };
        let (thread, message) = site.gate.write(call, workspace_id, write).await?;
        return Ok(SavedComment::new(thread, Some(message), &links, &id));
    }
    let anchor_type = anchor_type.unwrap_or(AnchorType::Workspace);
    if anchor_type == AnchorType::Workspace && anchor_id.is_some() {
        return Err(Error::invalid("anchorType", Problem::required(" with `anchorId`")));
    }
    let anchor = NewAnchor { anchor_type, id: anchor_id, step: None, x: None, y: None };
    let new = NewThread { anchor, kind, text };
    let thread = site.gate.write(call, workspace_id, |tx| threads::create(tx, new)).await?;
    let first = thread.first_message.clone();
    Ok(SavedComment::new(thread, Some(first), &links, &id))
}

/// Resolves or reopens a thread.
pub async fn resolve_comment(site: Site, call: Call<Commenter>, request: ResolveComment) -> Result<SavedComment> {
    let ResolveComment { workspace_id, thread_id, reopen } = request;
    let (links, id) = (site.links(&call).await?, workspace_id.clone());
    let state = if reopen == Some(true) { ThreadState::Open } else { ThreadState::Resolved };
    let thread = site.gate.write(call, workspace_id, move |tx| threads::set_state(tx, &thread_id, state)).await?;
    Ok(SavedComment::new(thread, None, &links, &id))
}
