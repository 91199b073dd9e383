//! Organizations from identity provider claims, memberships that follow the claims, and the instance administrator
//! role.
//!
//! A membership named in a token lasts for 30 days after the last token that named it. If a token lists all
//! organizations or groups of a user, memberships that it does not list end immediately.

use serde_json::json;

use crate::{
    auth::oidc::{Assertion, NamedOrganization},
    clock::DAY,
    domain::{
        accounts::store,
        core::{Core, ExternalSettings, Reads, SystemTx, WebhookEvent, active_organization, organization_name},
        organizations::{self, invitations, leaving, members},
        users,
        values::{Id, Name, OrgRole, Slug},
    },
    error::{Error, Result},
};

/// Who ends memberships here, in the audit log.
const PROVIDER: &str = "identity provider";
/// Lifetime of a membership after the last token that named it, in milliseconds.
const MEMBERSHIP_LIFETIME: i64 = 30 * DAY;
/// A membership is extended once its remaining lifetime is shorter by this many milliseconds: one write per day instead
/// of one per token.
const MEMBERSHIP_PRECISION: i64 = DAY;

/// Updates the user's organizations from the provider's claims. Returns the id of the active organization.
pub(super) fn update_memberships(tx: &mut SystemTx<'_>, user_id: i64, assertion: &Assertion) -> Result<Option<String>> {
    let mut named = Vec::new();
    for organization in &assertion.organizations {
        if let Some(id) = mirrored(tx.core(), &assertion.issuer, organization)? {
            let role =
                organization.role.as_deref().map(role).or(assertion.all_organizations.then_some(OrgRole::Member));
            extend_membership(tx.core(), &id, user_id, role)?;
            named.push(id);
        } else if named.is_empty() {
            // A token that names another organization must not grant access to the default one instead.
            return Err(Error::Unauthenticated(
                "the organization in the token is kept here, and not by the identity provider",
            ));
        }
    }
    if assertion.all_organizations {
        for id in store::identities::organizations_of(tx.core().conn, &assertion.issuer, user_id)? {
            if !named.contains(&id) {
                leaving::end_membership(tx, &id, user_id, PROVIDER)?;
            }
        }
    }
    let by_default = default_organization(tx, user_id, assertion)?;
    Ok(named.into_iter().next().or(by_default))
}

/// Ends memberships that no recent token has named. Returns the number of memberships.
pub(in crate::domain) fn expire_memberships(tx: &mut SystemTx<'_>, now: i64) -> Result<usize> {
    let expired = store::identities::expired(tx.core().conn, now)?;
    for (organization_id, user_id) in &expired {
        leaving::end_membership(tx, organization_id, *user_id, PROVIDER)?;
    }
    Ok(expired.len())
}

/// Maps a role of the provider. Unknown roles are mapped to member.
fn role(text: &str) -> OrgRole {
    if text == OrgRole::Admin.as_str() { OrgRole::Admin } else { OrgRole::Member }
}

/// Returns the id of the organization, which is the same as at the provider, and creates the organization if needed.
/// None if it does not belong to the issuer.
fn mirrored(core: &Core<'_>, issuer: &str, named: &NamedOrganization) -> Result<Option<String>> {
    let Ok(id) = Id::new(&named.id) else { return Ok(None) };
    let cleaned = |name: &Option<String>| name.as_deref().and_then(|name| Name::cleaned(name).ok());
    let own_name = cleaned(&named.name);
    match store::identities::is_of(core.conn, id.as_str(), issuer)? {
        Some(true) => {
            let known = organization_name(core.conn, id.as_str())?;
            // If the claim has no name, the slug is used for a new organization, but does not rename an existing one.
            if let Some(name) = own_name.as_ref().map(Name::as_str).filter(|name| known.as_deref() != Some(name)) {
                organizations::rename(core.conn, id.as_str(), name)?;
                let details = json!({ "organizationId": id.as_str(), "from": known, "to": name });
                core.audit("organization.rename", None, &details)?;
            }
        }
        Some(false) => return Ok(None),
        None => {
            let name = own_name.or_else(|| cleaned(&named.slug)).or_else(|| Name::cleaned(id.as_str()).ok());
            let name = name.map_or_else(|| Name::new("Unnamed organization"), Ok).map_err(Error::internal)?;
            organizations::mirror(core, issuer, id.as_str(), named.slug.as_deref(), &name)?;
        }
    }
    Ok(Some(id.into()))
}

/// Adds or extends a membership. The role is unchanged if the provider does not specify one; a membership that was
/// granted in Planroom is not changed at all.
fn extend_membership(core: &Core<'_>, organization_id: &str, user_id: i64, role: Option<OrgRole>) -> Result<()> {
    let until = core.now + MEMBERSHIP_LIFETIME;
    let Some(member) = members::by_user(core.conn, organization_id, user_id)? else {
        members::join(core, organization_id, user_id, role.unwrap_or(OrgRole::Member))?;
        return store::identities::mirror_until(core.conn, organization_id, user_id, until);
    };
    let mirrored = store::identities::mirrored(core.conn, user_id)?;
    let Some(mirrored) = mirrored.into_iter().find(|one| one.organization_id == organization_id) else { return Ok(()) };
    if let Some(role) = role.filter(|role| *role != member.role) {
        members::set_role(core.conn, organization_id, user_id, role)?;
        let details = json!({ "userId": user_id, "organizationId": organization_id, "from": member.role.as_str(),
                              "to": role.as_str(), "by": "identity provider" });
        core.audit("organization.role", Some(user_id), &details)?;
        invitations::end_unauthorized(core, user_id)?;
        core.settle_access_of(user_id)?;
        members::queue_webhooks(core, WebhookEvent::MemberUpdated, organization_id, user_id)?;
    }
    if mirrored.until < until - MEMBERSHIP_PRECISION {
        store::identities::mirror_until(core.conn, organization_id, user_id, until)?;
    }
    Ok(())
}

/// The default organization for the provider's users, if the user is a member.
pub(super) fn default_of(tx: &SystemTx<'_>, user_id: i64) -> Result<Option<String>> {
    let core = tx.core();
    let Some(ExternalSettings { default_org: Some(slug), .. }) = &core.shared.sessions.external else {
        return Ok(None);
    };
    let id = organizations::id_by_slug(core.conn, slug)?.unwrap_or_default();
    Ok(active_organization(core.conn, &id, user_id)?.map(|organization| organization.id))
}

/// Updates the user's membership in the default organization from their groups. A token without a groups claim changes
/// nothing.
fn default_organization(tx: &mut SystemTx<'_>, user_id: i64, assertion: &Assertion) -> Result<Option<String>> {
    let Some(external) = &tx.core().shared.sessions.external else { return Ok(None) };
    let ExternalSettings { default_org: Some(slug), groups, admin_groups, .. } = external else { return Ok(None) };
    let slug = Slug::new(slug).map_err(Error::internal)?;
    let requires_groups = !groups.is_empty() || !admin_groups.is_empty();
    let is_member = groups.is_empty() || is_in(assertion, groups) || is_in(assertion, admin_groups);
    let role = match admin_groups.as_slice() {
        [] => None,
        admins => Some(if is_in(assertion, admins) { OrgRole::Admin } else { OrgRole::Member }),
    };
    let id = organizations::id_by_slug(tx.core().conn, slug.as_str())?;
    if requires_groups && assertion.groups.is_none() {
        return default_of(tx, user_id);
    }
    if is_member {
        let name = Name::new(slug.as_str()).map_err(Error::internal)?;
        let id = id.map_or_else(|| organizations::find_or_create(tx.core(), slug, name), Ok)?;
        extend_membership(tx.core(), &id, user_id, role)?;
        return Ok(Some(id));
    }
    let mirrored = store::identities::mirrored(tx.core().conn, user_id)?;
    if let Some(id) = id.filter(|id| mirrored.iter().any(|one| one.organization_id == *id)) {
        leaving::end_membership(tx, &id, user_id, PROVIDER)?;
    }
    Ok(None)
}

/// Grants or removes the instance administrator role according to the user's groups. A token without a groups claim
/// changes nothing.
pub(super) fn administer(core: &Core<'_>, user_id: i64, assertion: &Assertion) -> Result<()> {
    let Some(ExternalSettings { instance_admin_groups: admin_groups, .. }) = &core.shared.sessions.external else {
        return Ok(());
    };
    if admin_groups.is_empty() || assertion.groups.is_none() {
        return Ok(());
    }
    let user = users::by_id(core.conn, user_id)?.ok_or(Error::NotFound("user"))?;
    let is_admin = is_in(assertion, admin_groups);
    // The last administrator is never demoted, so that an administrator remains if the groups are misconfigured.
    let is_last = !is_admin && !users::another_admin(core.conn, user_id)?;
    if user.is_admin == is_admin || is_last {
        return Ok(());
    }
    let is_email_confirmed = user.email.is_none() || user.email_confirmed;
    let email = (user.email.as_deref(), is_email_confirmed);
    users::decide(core.conn, user_id, (is_admin, user.is_suspended), email)?;
    let details = json!({ "userId": user_id, "login": user.login, "by": "identity provider" });
    core.audit(if is_admin { "user.promote" } else { "user.demote" }, Some(user_id), &details)?;
    invitations::end_unauthorized(core, user_id).map(drop)
}

/// Removes groups that have no effect in the configuration.
pub(super) fn retain_relevant_groups(core: &Core<'_>, assertion: &mut Assertion) {
    let Some(ExternalSettings { groups, admin_groups, instance_admin_groups, .. }) = &core.shared.sessions.external
    else {
        return;
    };
    let relevant = |group: &String| {
        let mut configured = groups.iter().chain(admin_groups).chain(instance_admin_groups);
        configured.any(|configured| plain(configured) == plain(group))
    };
    if let Some(groups) = &mut assertion.groups {
        groups.retain(relevant);
    }
}

/// Whether the user is in one of these groups.
fn is_in(assertion: &Assertion, configured: &[String]) -> bool {
    let groups = assertion.groups.as_deref().unwrap_or_default();
    configured.iter().any(|configured| groups.iter().any(|group| plain(group) == plain(configured)))
}

/// Removes the leading slash that Keycloak adds to group names.
fn plain(group: &str) -> &str {
    group.strip_prefix('/').unwrap_or(group)
}
