//! The sources of a workspace.

use import::Format;
use serde_json::json;

use super::{
    model::claims::{ListedClaim, ListedSource, Source},
    store,
};
use crate::{
    domain::{
        core::{Audience, EditTx, Reads, ViewTx},
        paging::{Page, Paging},
    },
    error::{Error, Result},
};

const NOT_FOUND: Error = Error::NotFound("source");

/// Lists the sources of a workspace, by id.
pub fn list(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<ListedSource>> {
    let page = store::sources::page(tx.core().conn, tx.pk(), &paging.window("sources")?)?;
    page.try_map(|(source, by)| listed(tx, source, by))
}

/// Reads a source, with a page of its claims by kind and key.
pub fn read(tx: &ViewTx<'_>, id: &str, paging: &Paging) -> Result<(ListedSource, Page<ListedClaim>)> {
    let (source, by) = store::sources::find(tx.core().conn, tx.pk(), id)?.ok_or(NOT_FOUND)?;
    let claims = store::claims::page(tx.core().conn, tx.pk(), id, &paging.window("claims")?)?;
    Ok((listed(tx, source, by)?, claims))
}

/// Deletes a source with its claims. The rows stay, as the map's own.
pub fn delete(tx: &mut EditTx<'_>, id: &str) -> Result<()> {
    store::sources::find(tx.core().conn, tx.pk(), id)?.ok_or(NOT_FOUND)?;
    tx.step_draft()?;
    let (conn, pk) = (tx.core().conn, tx.pk());
    store::claims::delete_of_source(conn, pk, id)?;
    store::sources::delete(conn, pk, id)?;
    notify_followers(tx, "delete", id);
    tx.core().audit("source.delete", tx.core().actor(), &json!({ "workspacePk": pk, "source": id }))
}

/// Tells followers of the workspace that a source was synchronized or deleted, even if no row of the map has changed.
pub(super) fn notify_followers(tx: &ViewTx<'_>, op: &str, source: &str) {
    let event = json!({ "op": op, "sourceId": source });
    tx.core().notify_after_commit(tx.pk(), Audience::Everyone, "sources", event.to_string());
}

fn listed(tx: &ViewTx<'_>, source: Source, last_sync_by: Option<String>) -> Result<ListedSource> {
    let counts = store::sources::counts(tx.core().conn, tx.pk(), &source.id)?;
    let kind_name = Format::of_id(&source.kind).map_or_else(|| source.kind.clone(), |format| format.name().to_owned());
    Ok(ListedSource {
        is_observed: source.is_observed(),
        kind_name,
        last_sync_at: source.synced_at,
        last_sync_by,
        missing: counts.iter().map(|(_, _, missing)| missing).sum(),
        claims: counts.into_iter().map(|(kind, count, _)| (kind.as_str(), count)).collect(),
        id: source.id,
        kind: source.kind,
        name: source.name,
        repository: source.repository,
        origin: source.origin,
        revision: source.revision,
        url: source.url,
    })
}
