//! An organization's directory: the common operations on people, teams, roles and kinds. Ids are unique in the organization.

use super::store;
pub(in crate::domain) use super::store::entries::{Entry, LinkedEntry, find as find_row};
use crate::{
    domain::{
        core::{Core, Directory, Entity, OrgAdminTx, OrgTx, OrgViewTx, Reads},
        input::same,
        paging::{Page, Paging},
        slug,
    },
    error::{Error, Problem, Remedy, Result},
};

/// Lists the entries that the caller can access, in their order.
pub(in crate::domain) fn list<E: Entry>(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<E>> {
    store::entries::list(tx.core().conn, tx.reach(), &paging.window(E::TABLE)?)
}

/// Returns the entry with this id. A caller who can access all organizations may find the id in several of them and
/// selects one with `org_id`.
pub(in crate::domain) fn read<E: Entry>(tx: &OrgViewTx<'_>, id: &str, org_id: Option<&str>) -> Result<E> {
    let mut found: Vec<E> = store::entries::named(tx.core().conn, tx.reach(), id)?;
    found.retain(|row| org_id.is_none_or(|org_id| org_id == row.org_id()));
    match (found.pop(), found.is_empty()) {
        (None, _) => Err(Error::NotFound(E::TABLE)),
        (Some(row), true) => Ok(row),
        (Some(_), false) => {
            let text = format!("several organizations have a {} of this id", E::TABLE);
            Err(Error::invalid("orgId", Problem::Solvable(text.into(), Remedy::SelectOrganization)))
        }
    }
}

/// Returns the entry with this id, in order to update it.
pub(in crate::domain) fn find<E: Entry>(directory: &Directory<'_>, id: &str) -> Result<E> {
    let found = store::entries::find(directory.core().conn, directory.organization_id(), id)?;
    found.ok_or(Error::NotFound(E::TABLE))
}

/// Whether an entry with this id exists.
pub(in crate::domain) fn has<E: Entry>(core: &Core<'_>, organization_id: &str, id: &str) -> Result<bool> {
    has_entry(core, organization_id, E::ENTITY, id)
}

/// Rejects `id`, sent in the field `field`, if no such entry exists.
pub(in crate::domain) fn known<E: Entry>(core: &Core<'_>, organization_id: &str, field: &str, id: &str) -> Result<()> {
    if has::<E>(core, organization_id, id)? {
        return Ok(());
    }
    Err(Error::invalid(field, format!("there is no {} `{id}` in this organization", E::TABLE)))
}

/// The identity of an entry as given by the client.
pub(in crate::domain) struct EntryIds<'a> {
    pub id: Option<&'a str>,
    pub org_id: Option<&'a str>,
}

/// Creates an entry. `make` builds it from its id, its organization and an order value after all others. Without an id,
/// the id is derived from `base`.
pub(in crate::domain) fn create<E: Entry>(
    mut directory: Directory<'_>,
    given: &EntryIds<'_>,
    base: impl FnOnce() -> String,
    make: impl FnOnce(String, String, i64) -> E,
) -> Result<E> {
    let organization_id = directory.organization_id().to_owned();
    same("orgId", given.org_id, &organization_id)?;
    let core = directory.core();
    let id = slug::chosen(E::TABLE, given.id, base, |id| has::<E>(core, &organization_id, id))?;
    let place = store::entries::next_place::<E>(core.conn, &organization_id)?;
    directory.create(make(id, organization_id, place))
}

/// Whether an organization has an entry with this id.
pub(in crate::domain) fn has_entry(core: &Core<'_>, organization_id: &str, entity: Entity, id: &str) -> Result<bool> {
    store::entries::id_taken(core.conn, organization_id, entity, id)
}

/// Updates an entry to the result of `make`.
pub(in crate::domain) fn update<E: Entry>(
    mut directory: Directory<'_>,
    id: &str,
    given: &EntryIds<'_>,
    make: impl FnOnce(E) -> E,
) -> Result<E> {
    let before: E = find(&directory, id)?;
    directory.expect(&before)?;
    same("id", given.id, id)?;
    same("orgId", given.org_id, directory.organization_id())?;
    let after = make(before.clone());
    directory.update(&before, after)
}

/// Whether stakeholder links use an entry, in deleted workspaces too.
pub(in crate::domain) fn is_linked<E: LinkedEntry>(core: &Core<'_>, organization_id: &str, id: &str) -> Result<bool> {
    Ok(store::stakeholders::uses::<E>(core.conn, organization_id, id)?.count > 0)
}

/// Organizations with workspaces deleted before `before` that have stakeholder links to one of these entries.
pub(in crate::domain) fn linked_by_deleted<E: LinkedEntry>(
    core: &Core<'_>,
    ids: &[&str],
    before: i64,
) -> Result<Vec<String>> {
    store::stakeholders::organizations_using::<E>(core.conn, ids, before)
}

/// Prepares an entry for deletion and returns it.
///
/// Fails with [`Error::InUse`] while stakeholder links refer to the entry, unless `links_too` is set: then the links
/// are deleted in all workspaces, including workspaces that the caller cannot access. Fails with [`Error::Protected`] if one
/// of these workspaces is protected.
pub(in crate::domain) fn release<E: LinkedEntry>(tx: &mut OrgAdminTx<'_>, id: &str, links_too: bool) -> Result<E> {
    let directory = tx.directory()?;
    let entry: E = find(&directory, id)?;
    directory.expect(&entry)?;
    let (conn, organization_id) = (directory.core().conn, directory.organization_id().to_owned());
    if !links_too {
        let uses = store::stakeholders::uses::<E>(conn, &organization_id, id)?;
        return if uses.count == 0 { Ok(entry) } else { Err(in_use::<E>(&uses)) };
    }
    for pk in store::stakeholders::workspaces_using::<E>(conn, &organization_id, id)? {
        let mut own = tx.follow_into(pk)?;
        for link in store::stakeholders::using::<E>(conn, &own.key(), id)? {
            own.delete(&link)?;
        }
    }
    Ok(entry)
}

/// Prepares the deletion of an entry by the user who created it. Fails if another user created it, or if stakeholder links
/// use it.
pub(in crate::domain) fn release_own<E: LinkedEntry>(tx: &OrgTx<'_>, id: &str) -> Result<E> {
    let directory = tx.directory()?;
    let mut entry: E = find(&directory, id)?;
    directory.expect(&entry)?;
    let created_by = entry.metadata().created_by;
    if created_by.is_none() || created_by != directory.core().actor() {
        return Err(Error::Forbidden(
            "deleting a person or team that another user created needs an organization admin",
        ));
    }
    let uses = store::stakeholders::uses::<E>(directory.core().conn, directory.organization_id(), id)?;
    if uses.count == 0 { Ok(entry) } else { Err(in_use::<E>(&uses)) }
}

fn in_use<E: LinkedEntry>(uses: &store::stakeholders::Uses) -> Error {
    let of_deleted = match uses.of_deleted {
        0 => String::new(),
        some => format!(", {some} of them in deleted workspaces that can still be restored"),
    };
    let (code, instead, can_delete_anyway) = match E::TABLE {
        "role" => ("role_in_use", "give them another role or remove them first", false),
        "team" => ("team_in_use", "remove them first, or together with it", true),
        _ => ("person_in_use", "remove them first, or together with it", true),
    };
    let message = format!("stakeholder links use this {}: {}{of_deleted}; {instead}", E::TABLE, uses.count);
    Error::InUse { code, count: uses.count, message, can_delete_anyway }
}
