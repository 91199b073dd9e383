//! `[identity.oidc]`: an external identity provider.

use std::path::PathBuf;

use serde::Deserialize;

use crate::secret::Secret;

/// Identity providers.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentityConfig {
    /// The `OpenID` Connect provider.
    pub oidc: Oidc,
}

/// An `OpenID` Connect provider. Claims in a list are tried in order, each first as a name and then as a path.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oidc {
    /// The `iss` of its tokens, compared exactly; empty: no provider.
    pub issuer: String,
    /// Display name; empty: the host name of the issuer.
    pub name: String,
    /// Client id of this instance; empty: no sign-in through the provider, but its tokens are accepted.
    pub client_id: String,
    /// Client secret of this instance; empty for a public client.
    pub client_secret: Secret,
    /// Scopes requested at sign-in.
    pub scopes: Vec<String>,
    /// Whether passwords are rejected.
    pub sso_only: bool,
    /// Maximum hours, 1 to 2160, until users are redirected to the provider again.
    pub session_hours: i64,
    /// Whether signing out also signs out at the provider, for sessions that began there.
    pub sign_out: bool,
    /// Accepted `aud` values; empty: the client id and the public URL, and tokens without `aud`.
    pub audience: Vec<String>,
    /// Accepted `azp` values, in addition to the client id and the server's own origin.
    pub authorized_parties: Vec<String>,
    /// Slug of the organization that all users join; empty: only the organizations in tokens.
    pub default_org: String,
    /// Groups whose members join `default_org`; empty: all users join it.
    pub groups: Vec<String>,
    /// Groups whose members are admins of `default_org`; empty: admins are managed in Planroom.
    pub admin_groups: Vec<String>,
    /// Groups whose members are administrators of the instance; empty: administrators are managed in Planroom.
    pub instance_admin_groups: Vec<String>,
    /// Claims with the id of the active organization.
    pub org_id_claims: Vec<String>,
    /// Claims with the role in the active organization.
    pub org_role_claims: Vec<String>,
    /// Claims with the slug of the active organization.
    pub org_slug_claims: Vec<String>,
    /// Claims with the name of the active organization.
    pub org_name_claims: Vec<String>,
    /// Claims with all organizations: names, or an object by name.
    pub organizations_claims: Vec<String>,
    /// Claims with groups.
    pub groups_claims: Vec<String>,
    /// PEM file with the CA certificates for the provider; empty: Mozilla's list.
    pub ca_file: PathBuf,
    /// Whether loopback and private addresses are allowed for the provider.
    pub allow_private: bool,
}

impl Oidc {
    /// Whether a provider is configured.
    pub fn is_on(&self) -> bool {
        !self.issuer.is_empty()
    }

    /// A key that is inconsistent with other keys, and its allowed values.
    pub(super) fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        if self.is_on() && self.sso_only && self.client_id.is_empty() {
            return Some(("identity.oidc.sso_only", "false while client_id is empty, because no user could sign in"));
        }
        if !self.is_on() && self.sso_only {
            return Some(("identity.oidc.sso_only", "false while issuer is empty, because no user could sign in"));
        }
        if self.sign_out && (!self.is_on() || self.client_id.is_empty()) {
            return Some(("identity.oidc.sign_out", "false while issuer or client_id is empty"));
        }
        if self.default_org.is_empty() && !(self.groups.is_empty() && self.admin_groups.is_empty()) {
            return Some(("identity.oidc.default_org", "the slug of an organization if groups are set"));
        }
        (self.is_on() && !self.scopes.iter().any(|scope| scope == "openid"))
            .then_some(("identity.oidc.scopes", "a list that contains \"openid\""))
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs};

    use crate::config::{Flags, check_file, load};

    fn env(pairs: &[(&str, &str)]) -> Result<crate::config::Config, String> {
        let name = |name: &str| format!("PLANROOM_IDENTITY_OIDC_{name}");
        let env: BTreeMap<_, _> = pairs.iter().map(|(key, value)| (name(key), (*value).to_owned())).collect();
        load(&Flags::default(), &env).map(|loaded| loaded.config).map_err(|error| error.to_string())
    }

    #[test]
    fn a_nested_section_is_read_from_files_and_variables() {
        let dir = tempfile::tempdir().unwrap();
        let (file, secret) = (dir.path().join("config.toml"), dir.path().join("secret"));
        fs::write(&file, "[identity.oidc]\nissuer = 'https://id.example.org/'\ngroups_claims = ['a', 'b.c']").unwrap();
        fs::write(&secret, "s3cret\n").unwrap();
        let variables = [
            ("PLANROOM_IDENTITY_OIDC_CLIENT_ID".to_owned(), "planroom".to_owned()),
            ("PLANROOM_IDENTITY_OIDC_CLIENT_SECRET_FILE".to_owned(), secret.display().to_string()),
            ("PLANROOM_IDENTITY_OIDC_AUDIENCE".to_owned(), "one, two".to_owned()),
        ];
        let flags = Flags { config: Some(file.clone()), ..Flags::default() };
        let loaded = load(&flags, &BTreeMap::from(variables)).unwrap();
        let oidc = &loaded.config.identity.oidc;
        assert_eq!((oidc.issuer.as_str(), oidc.client_id.as_str()), ("https://id.example.org/", "planroom"));
        assert_eq!(oidc.client_secret.reveal(), "s3cret");
        assert_eq!(
            (&oidc.audience[..], &oidc.groups_claims[..]),
            (&["one", "two"].map(String::from)[..], &["a", "b.c"].map(String::from)[..])
        );
        assert!(!format!("{loaded:?}").contains("s3cret"));
        fs::write(&file, "[identity.oidc]\nissuers = 'x'").unwrap();
        let error = check_file(&file).unwrap_err().to_string();
        assert!(
            error.contains("config.toml:2: unknown key identity.oidc.issuers; did you mean identity.oidc.issuer?"),
            "{error}"
        );
        fs::write(&file, "[identity]\noidc = 7").unwrap();
        let error = check_file(&file).unwrap_err().to_string();
        assert!(error.contains("identity.oidc is 7; it must be a section"), "{error}");
    }

    #[test]
    fn inconsistent_keys_are_rejected() {
        let issuer = ("ISSUER", "https://id.example.org");
        for (pairs, text) in [
            (&[("SSO_ONLY", "true")][..], "sso_only is true; it must be false while issuer is empty"),
            (&[issuer, ("SSO_ONLY", "true")], "sso_only is true; it must be false while client_id is empty"),
            (&[issuer, ("SIGN_OUT", "true")], "sign_out is true; it must be false while issuer or client_id is empty"),
            (&[issuer, ("GROUPS", "staff")], "default_org is \"\"; it must be the slug of an organization"),
            (&[issuer, ("SCOPES", "profile")], "it must be a list that contains \"openid\""),
            (&[("ISSUER", "id.example.org")], "the issuer exactly as in its tokens"),
            (&[issuer, ("SESSION_HOURS", "0")], "an integer from 1 to 2160"),
        ] {
            let error = env(pairs).unwrap_err();
            assert!(error.contains(text), "{error}");
        }
        assert!(env(&[issuer, ("CLIENT_ID", "planroom"), ("SSO_ONLY", "true")]).unwrap().identity.oidc.sso_only);
    }
}
