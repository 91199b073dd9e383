//! Share links as administrators of organizations and the operator see and revoke them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    links,
    model::{OrgShareDetails, OrgShareLink, origins::EmbedOrigin},
    rules, store,
};
use crate::{
    domain::{
        core::{Core, OrgAdminTx, OrgViewTx, Reach, Reads, SystemTx, insert_audit_event, workspace_level},
        map::workspaces,
        organizations,
        paging::{Page, Paging, Window},
        values::Visibility,
    },
    error::{Error, Result},
};

/// Lists the links of all workspaces of an organization, oldest first. Of private workspaces of which the caller is not a
/// member, only id, owner, expiry and state.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<OrgShareLink>> {
    let (core, user_id) = (tx.core(), tx.user_id()?);
    let Reach::Organization(organization_id) = tx.reach() else { return Err(Error::NoActiveOrganization) };
    let rules = rules::in_organization(core, organization_id)?;
    let links = store::links::list_all(core.conn, Some(organization_id), &paging.window("org-shares")?)?;
    links.try_map(|(link, workspace, owner)| {
        let is_visible =
            workspace.visibility != Visibility::Private || workspace_level(core.conn, workspace.pk, user_id)?.is_some();
        let details = OrgShareDetails {
            workspace_id: workspace.id.clone(),
            workspace_name: workspace.name.clone(),
            name: link.name.clone(),
            scope: link.target.scope,
            has_password: link.password_hash.is_some(),
            embed_origins: link.embed_origins.clone(),
            uses: link.uses,
            last_used_day: link.last_used_day.clone(),
        };
        Ok(OrgShareLink {
            state: links::state_in(core, &workspace, rules, &link)?,
            expires_at: rules.expiry(link.expires_at, link.renewed_at),
            id: link.id,
            owner,
            details: is_visible.then_some(details),
        })
    })
}

/// Revokes a link of any workspace of the organization, also of private ones.
pub fn revoke(tx: &mut OrgAdminTx<'_>, id: &str) -> Result<()> {
    let (core, organization_id) = (tx.core(), tx.organization_id()?);
    let links = store::links::matching(core.conn, None, Some(organization_id))?;
    let link = links.into_iter().find(|(link, ..)| link == id).ok_or(Error::NotFound("share link"))?;
    end(core, &link)
}

/// Which links an operation is about.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShareSelection {
    /// The link with this id.
    Link(String),
    /// The links of the workspace with this id.
    Workspace(String),
    /// The links of the organization with this slug.
    Organization(String),
    /// All links of the instance.
    All,
}

/// Lists links for the operator, oldest first.
pub fn list_selected(tx: &SystemTx<'_>, selection: &ShareSelection) -> Result<Vec<Value>> {
    let core = tx.core();
    let ids = selected(core, selection)?;
    let all = store::links::list_all(core.conn, None, &Window::whole())?.items;
    let rows = all.into_iter().filter(|(link, ..)| ids.iter().any(|(id, ..)| *id == link.id));
    rows.map(|(link, workspace, owner)| {
        let rules = rules::in_organization(core, workspace.org_id.as_deref().unwrap_or_default())?;
        let state = links::state_in(core, &workspace, rules, &link)?;
        let origins: Vec<&str> = link.embed_origins.iter().map(EmbedOrigin::as_str).collect();
        Ok(json!({
            "id": link.id, "workspace": workspace.id, "name": link.name, "scope": link.target.scope, "state": state,
            "owner": owner.login, "expiresAt": rules.expiry(link.expires_at, link.renewed_at), "uses": link.uses,
            "lastUsedDay": link.last_used_day, "embedOrigins": origins.join(" "),
        }))
    })
    .collect()
}

/// Revokes links for the operator. Returns their number.
pub fn revoke_selected(tx: &mut SystemTx<'_>, selection: &ShareSelection) -> Result<usize> {
    let links = selected(tx.core(), selection)?;
    if let (ShareSelection::Link(id), true) = (selection, links.is_empty()) {
        return Err(Error::invalid("id", format!("there is no share link `{id}`")));
    }
    links.iter().try_for_each(|link| end(tx.core(), link))?;
    Ok(links.len())
}

/// Id of a link, key of its workspace, and id of its organization.
type Link = (String, i64, String);

fn selected(core: &Core<'_>, selection: &ShareSelection) -> Result<Vec<Link>> {
    match selection {
        ShareSelection::Link(id) => {
            let links = store::links::matching(core.conn, None, None)?;
            Ok(links.into_iter().filter(|(link, ..)| link == id).collect())
        }
        ShareSelection::Workspace(id) => {
            let found = workspaces::living(core.conn, id)?.ok_or(Error::NotFound("workspace"))?;
            store::links::matching(core.conn, Some(found.workspace.pk), None)
        }
        ShareSelection::Organization(slug) => {
            let id = organizations::id_by_slug(core.conn, slug)?
                .ok_or_else(|| Error::invalid("org", format!("there is no organization `{slug}`")))?;
            store::links::matching(core.conn, None, Some(&id))
        }
        ShareSelection::All => store::links::matching(core.conn, None, None),
    }
}

fn end(core: &Core<'_>, (id, workspace_pk, organization_id): &Link) -> Result<()> {
    store::links::delete(core.conn, id)?;
    let details = json!({ "shareId": id, "workspacePk": workspace_pk });
    insert_audit_event(core.conn, core.origin(), "share.revoke", core.actor(), Some(organization_id), &details)
}

/// Records that the key of share links was replaced.
pub fn key_rotated(tx: &mut SystemTx<'_>) -> Result<()> {
    tx.core().audit("share.rotate-key", None, &json!({}))
}
