//! The sources of a workspace.

use import::Format;
use serde_json::json;

use super::{
    model::{
        claims::{Acceptance, Claim, ListedClaim, ListedSource, Source},
        decisions::SourceRowPatch,
        kinds::RowWas,
        request::SyncKind,
    },
    now::settle_undone,
    stale, store,
};
use crate::{
    domain::{
        core::{self, Audience, EditTx, Entity, Reads, ViewTx},
        paging::{Page, Paging},
    },
    error::{Error, Problem, Result},
};

const NOT_FOUND: Error = Error::NotFound("source");

/// Lists the sources of a workspace, by id.
pub fn list(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<ListedSource>> {
    let page = store::sources::page(tx.core().conn, tx.pk(), &paging.window("sources")?)?;
    let stale_until = stale::synced_until(tx.core())?;
    page.try_map(|(source, by)| listed(tx, source, by, stale_until))
}

/// Reads a source, with a page of its claims by kind and key.
pub fn read(tx: &ViewTx<'_>, id: &str, paging: &Paging) -> Result<(ListedSource, Page<ListedClaim>)> {
    let (source, by) = store::sources::find(tx.core().conn, tx.pk(), id)?.ok_or(NOT_FOUND)?;
    let claims = store::claims::page(tx.core().conn, tx.pk(), id, &paging.window("claims")?)?;
    let claims = claims.try_map(|(mut claim, by)| {
        settle(tx, &mut claim)?;
        Ok(ListedClaim::new(claim, by))
    })?;
    Ok((listed(tx, source, by, stale::synced_until(tx.core())?)?, claims))
}

/// Deletes a source with its claims. The rows stay, as the map's own.
pub fn delete(tx: &mut EditTx<'_>, id: &str) -> Result<()> {
    store::sources::find(tx.core().conn, tx.pk(), id)?.ok_or(NOT_FOUND)?;
    tx.step_draft()?;
    let (conn, pk) = (tx.core().conn, tx.pk());
    store::claims::delete_of_source(conn, pk, id)?;
    store::sources::delete(conn, pk, id, tx.core().now)?;
    notify_followers(tx, "delete", id);
    tx.core().audit("source.delete", tx.core().actor(), &json!({ "workspacePk": pk, "source": id }))
}

/// Records a decision about a row of a source. Returns the row.
pub fn decide(tx: &mut EditTx<'_>, id: &str, patch: SourceRowPatch) -> Result<ListedClaim> {
    let SourceRowPatch { kind, key, accepted, reason, split } = patch;
    // A protected workspace may lack what a draft has, so the answer is that it is protected.
    let lacking = |tx: &mut EditTx<'_>, error: Error| tx.change_source().err().unwrap_or(error);
    let (conn, pk) = (tx.core().conn, tx.pk());
    if store::sources::find(conn, pk, id)?.is_none() {
        return Err(lacking(tx, NOT_FOUND));
    }
    let Some(mut claim) = store::claims::find(conn, pk, id, (kind, key.as_str()))? else {
        return Err(lacking(tx, Error::NotFound("row of the source")));
    };
    settle(tx, &mut claim)?;
    let row = claim.row_id.clone();
    let is_drawn = match &row {
        Some(row) => is_on_map(tx, kind, row)?,
        None => false,
    };
    match (accepted, split) {
        (Some(true), false) if is_drawn => {
            let text = "the map has the row; only rows that it does not have are accepted";
            return Err(lacking(tx, Error::invalid("accepted", text)));
        }
        (Some(accepted), false) => {
            let (at, by) = (tx.core().now, tx.core().actor());
            claim.accepted = accepted.then(|| Acceptance { at, by, reason: reason.map(String::from) });
        }
        (None, true) => match row.filter(|_| is_drawn && kind == SyncKind::Component) {
            Some(row) => {
                let has_others = store::claims::has_others(tx.core().conn, tx.pk(), &claim, &row)?;
                if claim.row_was == Some(RowWas::New) && !has_others {
                    let text = "only this source describes the component, so there is nothing to split it off from";
                    return Err(Error::invalid("split", text));
                }
                claim.separate.0.insert(row);
                (claim.row_id, claim.is_home, claim.row_was, claim.merged_from) = (None, false, None, None);
            }
            None => {
                let text = "only a component that is on the map can be split off";
                return Err(lacking(tx, Error::invalid("split", text)));
            }
        },
        (None, false) => return Err(Error::invalid("accepted", Problem::required(", or `split` instead"))),
        (Some(_), true) => return Err(Error::invalid("split", "must be left out where `accepted` is given")),
    }
    tx.change_source()?;
    let (conn, pk) = (tx.core().conn, tx.pk());
    store::claims::put(conn, pk, &claim)?;
    notify_followers(tx, "update", id);
    let details = json!({ "workspacePk": pk, "source": id, "kind": claim.kind.as_str(), "key": claim.key,
                          "accepted": claim.accepted.is_some() });
    tx.core().audit("source.update", tx.core().actor(), &details)?;
    let by = match claim.accepted.as_ref().and_then(|accepted| accepted.by) {
        Some(by) => core::author(conn, by)?.map(|author| author.display_name),
        None => None,
    };
    Ok(ListedClaim::new(claim, by))
}

/// Gives a claim back to the row that was merged, if the map has it again.
fn settle(tx: &ViewTx<'_>, claim: &mut Claim) -> Result<()> {
    let Some(merged) = &claim.merged_from else { return Ok(()) };
    let table = match claim.kind {
        SyncKind::Component => Entity::Component.table(),
        SyncKind::Relationship => Entity::Relationship.table(),
        _ => return Ok(()),
    };
    let created_at = store::sources::created_at(tx.core().conn, tx.pk(), table, &merged.id)?;
    settle_undone(std::iter::once(claim), |_, _| created_at);
    Ok(())
}

/// Whether the map has a row.
fn is_on_map(tx: &ViewTx<'_>, kind: SyncKind, id: &str) -> Result<bool> {
    let number = || id.parse::<i64>().unwrap_or_default();
    let entity = match kind {
        SyncKind::Component => Entity::Component,
        SyncKind::Relationship => Entity::Relationship,
        SyncKind::Stakeholder => Entity::Stakeholder,
        SyncKind::Link => Entity::Link,
        SyncKind::Process => Entity::Process,
        SyncKind::View => Entity::View,
    };
    let (conn, pk) = (tx.core().conn, tx.pk());
    match kind {
        SyncKind::Stakeholder | SyncKind::Link => store::sources::has_number(conn, pk, entity.table(), number()),
        _ => store::sources::has_id(conn, pk, entity.table(), id),
    }
}

/// Tells followers of the workspace that a source was synchronized or deleted, even if no row of the map has changed.
pub(super) fn notify_followers(tx: &ViewTx<'_>, op: &str, source: &str) {
    let event = json!({ "op": op, "sourceId": source });
    tx.core().notify_after_commit(tx.pk(), Audience::Everyone, "sources", event.to_string());
}

fn listed(
    tx: &ViewTx<'_>,
    source: Source,
    last_sync_by: Option<String>,
    stale_until: Option<i64>,
) -> Result<ListedSource> {
    let counts = store::sources::counts(tx.core().conn, tx.pk(), &source.id)?;
    let kind_name = Format::of_id(&source.kind).map_or_else(|| source.kind.clone(), |format| format.name().to_owned());
    Ok(ListedSource {
        is_observed: source.is_observed(),
        kind_name,
        last_sync_at: source.synced_at,
        last_sync_by,
        is_stale: stale_until.is_some_and(|until| source.synced_at <= until),
        missing: counts.iter().map(|(_, _, missing)| missing).sum(),
        claims: counts.into_iter().map(|(kind, count, _)| (kind.as_str(), count)).collect(),
        id: source.id,
        kind: source.kind,
        name: source.name,
        repository: source.repository,
        origin: source.origin,
        configuration: source.configuration,
        revision: source.revision,
        url: source.url,
        not_read: source.not_read.0,
    })
}
