//! Quotas: writes that exceed them are rejected.
//!
//! The change log records every row write here, and quotas are checked once at the end of the transaction, so no kind
//! of write can bypass them: single writes, bulk, import, undo, MCP. Existing data beyond a quota can be read, edited
//! and deleted.

use std::collections::HashMap;

use rusqlite::Connection;

pub(in crate::domain) use super::bounds::Bounds;
use super::{
    call::Via,
    record::Entity,
    scope::Scope,
    shared::Shared,
    store::{self},
};
use crate::{
    error::{Error, Result},
    settings::Quotas,
};

/// Maximum number of images that the notes of a workspace show.
pub(in crate::domain) const MAX_IMAGES: usize = 1_000;

/// The growth caused by a transaction.
#[derive(Debug, Default)]
pub(in crate::domain) struct Usage {
    /// By scope and kind of row.
    rows: Vec<(Scope, Entity, Growth)>,
    /// Notes that show an image after the transaction minus those before, by key of the workspace and id of the image.
    images: HashMap<i64, HashMap<String, i64>>,
}

#[derive(Debug, Default)]
struct Growth {
    /// Rows created minus rows deleted.
    rows: i64,
    /// Growth of the rows in bytes.
    bytes: i64,
    /// Bytes added to the change log.
    logged: i64,
}

impl Usage {
    /// Records a row write with the sizes of its images before and after, if they exist.
    pub(in crate::domain) fn add(
        &mut self,
        scope: &Scope,
        entity: Entity,
        before: Option<usize>,
        after: Option<usize>,
    ) {
        let size = |image: Option<usize>| i64::try_from(image.unwrap_or_default()).unwrap_or(i64::MAX);
        let growth = self.growth(scope, entity);
        growth.rows += i64::from(after.is_some()) - i64::from(before.is_some());
        growth.bytes += size(after) - size(before);
        growth.logged += size(after) + size(before);
    }

    /// Records a text that the change log stores beside the row writes of this kind.
    pub(in crate::domain) fn add_text(&mut self, scope: &Scope, entity: Entity, text: &str) {
        self.growth(scope, entity).logged += i64::try_from(text.len()).unwrap_or(i64::MAX);
    }

    /// The growth of a kind of row in a scope.
    fn growth(&mut self, scope: &Scope, entity: Entity) -> &mut Growth {
        let at = self.rows.iter().position(|(known, kind, _)| *kind == entity && known == scope).unwrap_or_else(|| {
            self.rows.push((scope.clone(), entity, Growth::default()));
            self.rows.len() - 1
        });
        &mut self.rows[at].2
    }

    /// Records a row write with the uploaded images that the row shows before and after.
    pub(in crate::domain) fn show(&mut self, scope: &Scope, before: Option<&str>, after: Option<&str>) {
        let Some(pk) = scope.workspace_pk().filter(|_| before != after) else { return };
        let of_workspace = self.images.entry(pk).or_default();
        for (image, more) in [(before, -1), (after, 1)] {
            if let Some(image) = image {
                *of_workspace.entry(image.to_owned()).or_default() += more;
            }
        }
    }
}

/// A quota: its configuration key, a description of what it limits, and where it applies.
struct Quota {
    key: &'static str,
    what: &'static str,
    place: &'static str,
    limit: i64,
}

/// The quota for a kind of row, if there is one.
fn of(quotas: &Quotas, entity: Entity) -> Option<Quota> {
    let (key, limit, what, place) = match entity {
        Entity::Component => ("components", quotas.components, "components", "workspace"),
        Entity::Relationship => ("relationships", quotas.relationships, "relationships", "workspace"),
        Entity::Stakeholder => ("stakeholders", quotas.stakeholders, "stakeholders", "workspace"),
        Entity::Link => ("links", quotas.links, "links", "workspace"),
        Entity::Process => ("processes", quotas.processes, "processes", "workspace"),
        Entity::Note => ("notes", quotas.notes, "notes", "workspace"),
        Entity::View => ("views", quotas.views, "views", "workspace"),
        Entity::ViewPlace => ("view_places", quotas.view_places, "positions in views", "workspace"),
        Entity::ViewLine => ("view_lines", quotas.view_lines, "lines in views", "workspace"),
        Entity::Tour => ("tours", quotas.tours, "tours", "workspace"),
        Entity::Decision => ("decisions", quotas.decisions, "decisions", "workspace"),
        Entity::Workspace => ("workspaces", quotas.workspaces, "workspaces", "organization"),
        Entity::Person => ("people", quotas.people, "people", "organization"),
        Entity::Team => ("teams", quotas.teams, "teams", "organization"),
        Entity::Role => ("roles", quotas.roles, "roles", "organization"),
        Entity::Kind => ("kinds", quotas.kinds, "kinds", "organization"),
        // Bounded by the number of users of the organization, or by its people and teams.
        Entity::Member | Entity::TeamMember => return None,
    };
    (limit > 0).then_some(Quota { key, what, place, limit })
}

/// Checks quotas at the end of a transaction, and rejects growth beyond them.
pub(in crate::domain) fn check(conn: &Connection, shared: &Shared, via: Via, usage: Usage) -> Result<()> {
    let mut logged: Vec<(&str, i64, i64)> = Vec::new();
    for (pk, changed) in &usage.images {
        shown_images(conn, &shared.quotas, *pk, changed)?;
    }
    for (scope, entity, growth) in &usage.rows {
        rows(conn, shared, via, scope, *entity, growth.rows)?;
        if growth.bytes > 0 {
            texts(conn, &shared.quotas, scope, *entity)?;
        }
        let organization = scope.organization_id();
        match logged.iter_mut().find(|(known, ..)| *known == organization) {
            Some((_, bytes, content)) => (*bytes, *content) = (*bytes + growth.logged, *content + growth.bytes),
            None => logged.push((organization, growth.logged, growth.bytes)),
        }
    }
    logged
        .into_iter()
        .try_for_each(|(organization, bytes, content)| storage(conn, &shared.quotas, organization, bytes, content))
}

/// Adds `logged` bytes to the storage of an organization and checks its quota. Rows grew by `content` bytes.
///
/// Beyond the quota, only edits that shrink rows are allowed, although they are logged too.
pub(in crate::domain) fn storage(
    conn: &Connection,
    quotas: &Quotas,
    organization: &str,
    logged: i64,
    content: i64,
) -> Result<()> {
    let stored = store::usage::add(conn, organization, logged)?;
    let mib = quotas.organization_mib;
    if mib == 0 || stored <= mib << 20 || content < 0 {
        return Ok(());
    }
    let (limit, actual) = (mib, (stored >> 20) + 1);
    let message = format!(
        "history, saved versions and images of this organization take {actual} MiB, and the limit is {mib} MiB; delete \
         saved versions that you do not need, or ask the operator to raise `quotas.organization_mib` or, if history or \
         deleted images take the space, to lower `history.days`"
    );
    Err(Error::LimitReached { limit, actual, message })
}

fn rows(conn: &Connection, shared: &Shared, via: Via, scope: &Scope, entity: Entity, more: i64) -> Result<()> {
    let Some(quota) = of(&shared.quotas, entity).filter(|_| more > 0) else { return Ok(()) };
    // Workspaces are counted per organization.
    let is_workspace = entity == Entity::Workspace;
    let organization = || Scope::Directory { organization_id: scope.organization_id().to_owned() };
    let counted = if is_workspace { organization() } else { scope.clone() };
    let key = (counted, entity);
    if shared.bounds.fits(&key, more, quota.limit) {
        return Ok(());
    }
    let actual = store::usage::count(conn, entity, &key.0)?;
    shared.bounds.set(key, actual);
    // Background jobs are exempt: writes at startup must not prevent the server from starting.
    if actual > quota.limit && via != Via::Job {
        return Err(refusal(&quota, actual));
    }
    Ok(())
}

/// Checks the total size of the texts of a kind of row in a workspace.
fn texts(conn: &Connection, quotas: &Quotas, scope: &Scope, entity: Entity) -> Result<()> {
    let limited = [
        (Entity::Process, "mermaid", quotas.process_mib, "process_mib", "processes"),
        (Entity::Decision, "body", quotas.decision_mib, "decision_mib", "decisions"),
    ];
    let Some((_, column, mib, key, what)) = limited.into_iter().find(|(kind, ..)| *kind == entity) else {
        return Ok(());
    };
    let Some(pk) = scope.workspace_pk().filter(|_| mib > 0) else { return Ok(()) };
    let bytes = store::usage::text_bytes(conn, entity, column, pk)?;
    if bytes > mib << 20 {
        return Err(Error::LimitReached {
            limit: mib,
            actual: (bytes >> 20) + 1,
            message: format!(
                "the texts of the {what} of this workspace would take {} KiB, and the limit is {} KiB; shorten or delete \
                 {what}, or ask the operator to raise `quotas.{key}`",
                bytes >> 10,
                mib << 10
            ),
        });
    }
    Ok(())
}

/// Checks the images that notes of a workspace show, if these are more or larger than before. `changed` are the images
/// that more or fewer notes show.
fn shown_images(conn: &Connection, quotas: &Quotas, pk: i64, changed: &HashMap<String, i64>) -> Result<()> {
    let (mut more, mut more_bytes) = (0, 0);
    for (image, difference) in changed.iter().filter(|(_, difference)| **difference != 0) {
        let (notes, bytes) = store::usage::image(conn, pk, image)?;
        let sign = i64::from(notes > 0) - i64::from(notes - difference > 0);
        (more, more_bytes) = (more + sign, more_bytes + sign * bytes);
    }
    if more <= 0 && more_bytes <= 0 {
        return Ok(());
    }
    let shown = store::usage::images(conn, pk, i64::MAX)?.shown;
    if more > 0 {
        image_count(shown.count)?;
    }
    if more_bytes > 0 { image_bytes(quotas, shown.bytes) } else { Ok(()) }
}

/// Rejects too many images of a workspace. The limit is that of exported files.
pub(in crate::domain) fn image_count(actual: i64) -> Result<()> {
    let limit = i64::try_from(MAX_IMAGES).unwrap_or(i64::MAX);
    if actual <= limit {
        return Ok(());
    }
    let message =
        format!("this workspace would have {actual} images, and it can have {limit} images; delete some first");
    Err(Error::LimitReached { limit, actual, message })
}

/// Rejects images of a workspace that take `bytes` in all.
pub(in crate::domain) fn image_bytes(quotas: &Quotas, bytes: i64) -> Result<()> {
    let mib = quotas.image_mib;
    if mib == 0 || bytes <= mib << 20 {
        return Ok(());
    }
    Err(Error::LimitReached {
        limit: mib,
        actual: (bytes >> 20) + 1,
        message: format!(
            "the images of this workspace would take {} KiB, and the limit is {} KiB; delete images, or ask the operator \
             to raise `quotas.image_mib`",
            bytes >> 10,
            mib << 10
        ),
    })
}

/// Rejects another row of a kind that is not in the change log, if `actual` rows reach the limit.
pub(in crate::domain) fn one_more(key: &'static str, what: &'static str, limit: i64, actual: i64) -> Result<()> {
    if limit > 0 && actual >= limit {
        let place = match key {
            "versions" => "workspace",
            "invitations" => "organization",
            "tokens" => "account",
            _ => "instance",
        };
        return Err(refusal(&Quota { key, what, place, limit }, actual + 1));
    }
    Ok(())
}

fn refusal(Quota { key, what, place, limit }: &Quota, actual: i64) -> Error {
    Error::LimitReached {
        limit: *limit,
        actual,
        message: format!(
            "this {place} would have {actual} {what}, and the limit is {limit}; delete some first, or ask the operator to \
             raise `quotas.{key}`"
        ),
    }
}
