//! Creates the client for the identity provider from the configuration.

use ureq::tls::Certificate;
use url::Url;

use super::authorities;
use crate::{
    auth::oidc::{ClaimPaths, Provider, ProviderOptions},
    blocking::BlockingPool,
    clock::{Clock, HOUR},
    config::Oidc,
    db::OpenError,
    domain::core::ExternalSettings,
    outbound::{Outbound, Rules},
};

/// Path of the redirect URI.
const CALLBACK: &str = "/api/auth/oidc/callback";
/// Path of the post-logout redirect URI.
const SIGNED_OUT: &str = "/sign-in";

/// The rules for linking and memberships of the provider's users.
pub(super) fn external(oidc: &Oidc) -> Option<ExternalSettings> {
    let host = Url::parse(&oidc.issuer).ok().and_then(|issuer| issuer.host_str().map(str::to_owned));
    oidc.is_on().then(|| ExternalSettings {
        name: if oidc.name.is_empty() { host.unwrap_or_default() } else { oidc.name.clone() },
        signs_in: !oidc.client_id.is_empty(),
        sso_only: oidc.sso_only,
        session_lifetime: oidc.session_hours * HOUR,
        default_org: Some(oidc.default_org.clone()).filter(|slug| !slug.is_empty()),
        groups: oidc.groups.clone(),
        admin_groups: oidc.admin_groups.clone(),
        instance_admin_groups: oidc.instance_admin_groups.clone(),
    })
}

/// The client for the provider.
pub(super) fn provider(
    oidc: &Oidc,
    public_url: &str,
    pool: BlockingPool,
    clock: Clock,
) -> Result<Option<Provider>, OpenError> {
    // The configuration has validated the issuer.
    let Some(mut issuer) = Url::parse(&oidc.issuer).ok().filter(|_| oidc.is_on()) else { return Ok(None) };
    let origin = Url::parse(public_url).ok().map(|url| url.origin().ascii_serialization());
    let client = Some(oidc.client_id.clone()).filter(|id| !id.is_empty());
    let options = ProviderOptions {
        issuer: oidc.issuer.clone(),
        client_id: oidc.client_id.clone(),
        client_secret: oidc.client_secret.clone(),
        redirect_uri: format!("{public_url}{CALLBACK}"),
        signed_out_uri: oidc.sign_out.then(|| format!("{public_url}{SIGNED_OUT}")),
        scopes: oidc.scopes.clone(),
        audience: oidc.audience.clone(),
        parties: oidc.authorized_parties.iter().cloned().chain(origin).chain(client).collect(),
        public_url: public_url.to_owned(),
        claims: ClaimPaths {
            org_id: oidc.org_id_claims.clone(),
            org_role: oidc.org_role_claims.clone(),
            org_slug: oidc.org_slug_claims.clone(),
            org_name: oidc.org_name_claims.clone(),
            organizations: oidc.organizations_claims.clone(),
            groups: oidc.groups_claims.clone(),
        },
        needs_groups: [&oidc.groups, &oidc.admin_groups, &oidc.instance_admin_groups].iter().any(|all| !all.is_empty()),
    };
    // If the issuer is http, all endpoints on its host may be http.
    issuer.set_path("");
    let rules = Rules { allow_private: oidc.allow_private, trusted: vec![issuer] };
    let outbound = match authorities(oidc)? {
        None => Outbound::new(rules),
        Some(certificates) => Outbound::trusting(rules, certificates),
    };
    Ok(Some(Provider::new(options, outbound, pool, clock)))
}

/// The CA certificates to trust for the provider; none: the public CAs.
pub(super) fn authorities(oidc: &Oidc) -> Result<Option<Vec<Certificate<'static>>>, OpenError> {
    if oidc.is_on() { authorities::read(&oidc.ca_file, "identity.oidc", "provider") } else { Ok(None) }
}
