//! Changes of a workspace, as a webhook sends them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    messages::{Message, Report, named},
    store,
};
use crate::{
    domain::core::{Change, Core, Entity, Workspace},
    error::Result,
};

/// Maximum number of changes that are sent individually.
const MAX_CHANGES: u32 = 200;
/// Maximum size of the changes that are sent individually, in bytes of JSON.
const MAX_BYTES: usize = 256 << 10;
/// Maximum number of changes that a message for people names.
const MAX_NAMED: usize = 8;

/// The changes in a range of the log. None if the workspace was deleted by other changes, or if the log no longer has
/// them.
pub(super) fn report(
    core: &Core<'_>,
    workspace: &Workspace,
    range: (i64, i64),
    link: String,
) -> Result<Option<Report>> {
    let (conn, pk) = (core.conn, workspace.pk);
    let logged = store::changes::in_range(conn, pk, range, MAX_CHANGES)?;
    let mut total = store::changes::count(conn, pk, range)?;
    let mut changes = Vec::new();
    for logged in logged {
        core.check_alive()?;
        changes.push(now(core, pk, logged.read()?)?);
    }
    if workspace.deleted_at.is_some() {
        // Nothing of a deleted workspace is sent but that it was deleted.
        changes.retain(|change| change.entity == Entity::Workspace && change.op == "delete");
        total = i64::try_from(changes.len()).unwrap_or_default();
    }
    if changes.is_empty() {
        return Ok(None);
    }
    let message = message(workspace, &changes, total, &link);
    let mut sent: Vec<Value> = Vec::new();
    let mut bytes = 0;
    for change in &changes {
        let value = serde_json::to_value(change)?;
        bytes += value.to_string().len();
        if bytes > MAX_BYTES {
            break;
        }
        sent.push(value);
    }
    let is_complete = i64::try_from(sent.len()).is_ok_and(|count| count == total);
    let place = match workspace.deleted_at {
        None => named(workspace, &link),
        Some(_) => json!({ "id": workspace.id }),
    };
    let data = json!({ "workspace": place, "changeCount": total, "isComplete": is_complete, "changes": sent });
    Ok(Some(Report { data, message }))
}

/// A change with its row as it is now: null if the row was deleted since.
fn now(core: &Core<'_>, workspace_pk: i64, change: Change) -> Result<Change> {
    let newest = store::changes::newest(core.conn, workspace_pk, change.entity, &change.entity_id)?;
    let newest = newest.map(crate::domain::core::LoggedChange::read).transpose()?;
    let (seq, row) = newest.map_or((None, None), |newest| (newest.seq, newest.row));
    Ok(Change { seq, row, ..change })
}

fn message(workspace: &Workspace, changes: &[Change], total: i64, link: &str) -> Message {
    if workspace.deleted_at.is_some() {
        return Message { title: "A workspace was deleted".into(), lines: Vec::new(), link: None };
    }
    let mut authors: Vec<&str> = Vec::new();
    for change in changes {
        let author = change.actor.as_ref().map_or("Planroom", |author| author.display_name.as_str());
        if !authors.contains(&author) {
            authors.push(author);
        }
    }
    let by = match authors.as_slice() {
        [] => "Planroom".to_owned(),
        [one] => (*one).to_owned(),
        [one, other] => format!("{one} and {other}"),
        [one, others @ ..] => format!("{one} and {} others", others.len()),
    };
    let mut lines: Vec<String> = changes.iter().find_map(|change| change.reason.clone()).into_iter().collect();
    lines.push(counted(changes));
    let names = changes.iter().filter_map(|change| {
        let name = change.row.as_ref()?.get("name")?.as_str()?;
        Some(format!("{} {} {name}", done(&change.op), kind(change.entity.as_str())))
    });
    lines.extend(names.take(MAX_NAMED));
    let shown = i64::try_from(changes.len()).unwrap_or_default();
    if total > shown {
        lines.push(format!("{} more changes", total - shown));
    }
    Message { title: format!("{by} changed {}", workspace.name), lines, link: Some(("Open map", link.to_owned())) }
}

/// Counts changes by kind and operation, as in `2 components created, 1 relationship deleted`.
fn counted(changes: &[Change]) -> String {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for change in changes {
        *counts.entry((change.entity.as_str(), &change.op)).or_default() += 1;
    }
    let texts = counts.into_iter().map(|((entity, op), count)| {
        let noun = if count == 1 { kind(entity) } else { plural(&kind(entity)) };
        format!("{count} {noun} {}", done(op).to_lowercase())
    });
    texts.collect::<Vec<_>>().join(", ")
}

fn kind(entity: &str) -> String {
    entity.replace('-', " ")
}

fn plural(noun: &str) -> String {
    if noun.ends_with('s') { format!("{noun}es") } else { format!("{noun}s") }
}

fn done(op: &str) -> &'static str {
    match op {
        "create" => "Created",
        "delete" => "Deleted",
        _ => "Updated",
    }
}
