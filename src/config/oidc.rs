//! `[identity.oidc]`: an identity provider outside.

use std::path::PathBuf;

use serde::Deserialize;

use crate::secret::Secret;

/// Who says who people are.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// A provider that speaks `OpenID` Connect.
    pub oidc: Oidc,
}

/// A provider that speaks `OpenID` Connect. Lists of claims are tried in order, each as a name first and then as a path.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oidc {
    /// The `iss` of its tokens, exactly; empty: there is no provider.
    pub issuer: String,
    /// What people call it; empty: the name of its host.
    pub name: String,
    /// This instance, as it knows it; empty: nobody signs in there, its tokens alone are accepted.
    pub client_id: String,
    /// The secret of this instance there; empty: it has none.
    pub client_secret: Secret,
    /// What is asked for at sign-in.
    pub scopes: Vec<String>,
    /// Whether passwords are refused.
    pub sso_only: bool,
    /// Longest time in hours, 1 to 2160, until who signed in there does so again.
    pub session_hours: i64,
    /// Whether who signs out here is sent there to sign out too, when the session began there.
    pub sign_out: bool,
    /// One of these must be in the `aud` of a token; empty: the client id or the public URL, if it has any.
    pub audience: Vec<String>,
    /// Whom a token may have been issued to (`azp`), beside the client id and our own origin.
    pub authorized_parties: Vec<String>,
    /// Slug of the organization that its people are members of; empty: of none but those that it names.
    pub default_org: String,
    /// Groups of which one makes a member of `default_org`; empty: everybody is one.
    pub groups: Vec<String>,
    /// Groups of which one makes an admin of `default_org`; empty: admins are made here.
    pub admin_groups: Vec<String>,
    /// Groups of which one makes an administrator of the instance; empty: those are made here.
    pub instance_admin_groups: Vec<String>,
    /// Claims with the id of the active organization.
    pub org_id_claims: Vec<String>,
    /// Claims with the role in it.
    pub org_role_claims: Vec<String>,
    /// Claims with its slug.
    pub org_slug_claims: Vec<String>,
    /// Claims with its name.
    pub org_name_claims: Vec<String>,
    /// Claims with all organizations: names, or an object by name.
    pub organizations_claims: Vec<String>,
    /// Claims with groups.
    pub groups_claims: Vec<String>,
    /// File with the certificates of the authorities that vouch for it; empty: Mozilla's list.
    pub ca_file: PathBuf,
    /// Whether it may have an address of this machine or of a private network.
    pub allow_private: bool,
}

impl Oidc {
    /// Whether there is a provider.
    pub fn is_on(&self) -> bool {
        !self.issuer.is_empty()
    }

    /// What cannot be as it is because of what else is set: the key, and what it must be.
    pub(super) fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        if self.is_on() && self.sso_only && self.client_id.is_empty() {
            return Some(("identity.oidc.sso_only", "false while client_id is empty: nobody could sign in"));
        }
        if !self.is_on() && self.sso_only {
            return Some(("identity.oidc.sso_only", "false while issuer is empty: nobody could sign in"));
        }
        if self.sign_out && (!self.is_on() || self.client_id.is_empty()) {
            return Some(("identity.oidc.sign_out", "false while issuer or client_id is empty: nobody signs in there"));
        }
        if self.default_org.is_empty() && !(self.groups.is_empty() && self.admin_groups.is_empty()) {
            return Some(("identity.oidc.default_org", "the slug of an organization, for groups are set"));
        }
        (self.is_on() && !self.scopes.iter().any(|scope| scope == "openid"))
            .then_some(("identity.oidc.scopes", "a list with \"openid\" in it"))
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
    fn a_section_within_a_section_is_read_from_files_and_variables() {
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
    fn what_would_lock_everybody_out_is_refused() {
        let issuer = ("ISSUER", "https://id.example.org");
        for (pairs, text) in [
            (&[("SSO_ONLY", "true")][..], "sso_only is true; it must be false while issuer is empty"),
            (&[issuer, ("SSO_ONLY", "true")], "sso_only is true; it must be false while client_id is empty"),
            (&[issuer, ("SIGN_OUT", "true")], "sign_out is true; it must be false while issuer or client_id is empty"),
            (&[issuer, ("GROUPS", "staff")], "default_org is \"\"; it must be the slug of an organization"),
            (&[issuer, ("SCOPES", "profile")], "it must be a list with \"openid\" in it"),
            (&[("ISSUER", "id.example.org")], "the issuer exactly as its tokens name it"),
            (&[issuer, ("SESSION_HOURS", "0")], "a whole number from 1 to 2160"),
        ] {
            let error = env(pairs).unwrap_err();
            assert!(error.contains(text), "{error}");
        }
        assert!(env(&[issuer, ("CLIENT_ID", "planroom"), ("SSO_ONLY", "true")]).unwrap().identity.oidc.sso_only);
    }
}
