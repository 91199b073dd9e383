//! Dynamic client registration (RFC 7591): a client declares its name and redirect URIs. Registration is public and
//! grants no access.

use serde_json::json;
use url::{Host, Url};
use uuid::Uuid;

use super::{OauthError, OauthResult};
pub use crate::domain::accounts::model::connectors::{NewClient, OAuthClient};
use crate::{
    domain::{
        accounts::{
            model::connectors::{MAX_CLIENT_NAME_CHARS, MAX_REDIRECT_URIS},
            store,
        },
        core::{Core, PublicTx, Reads},
    },
    error::Result,
};

/// Maximum length of a redirect URI, in bytes.
const MAX_URI_BYTES: usize = 2_048;

/// Registers a client.
pub fn register(tx: &mut PublicTx<'_>, new: NewClient) -> Result<OauthResult<OAuthClient>> {
    let core = tx.core();
    let (name, redirect_uris) = match validated(new, &core.shared.sessions.native_redirects) {
        Ok(validated) => validated,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let id = format!("mcp_{}", Uuid::now_v7().simple());
    store::connectors::insert_client(core.conn, &id, &name, &redirect_uris, core.now)?;
    if core.shared.quotas.registrations > 0 {
        store::connectors::remove_oldest_registrations(core.conn, core.shared.quotas.registrations)?;
    }
    core.audit_repeated("connector.register", "", None, &json!({ "clientId": id, "name": name }))?;
    Ok(Ok(OAuthClient {
        client_id: id,
        client_id_issued_at: core.now / 1_000,
        client_name: name,
        redirect_uris,
        token_endpoint_auth_method: "none".into(),
        grant_types: vec!["authorization_code".into(), "refresh_token".into()],
        response_types: vec!["code".into()],
    }))
}

/// Validates the metadata and returns the client's name and redirect URIs.
///
/// A private-use URI scheme can be claimed by any app on the machine, so only such URIs listed in `native` are
/// accepted. Others are dropped if another redirect URI remains (RFC 7591, 3.2.1).
fn validated(new: NewClient, native: &[String]) -> OauthResult<(String, Vec<String>)> {
    let metadata = |text| OauthError { code: "invalid_client_metadata", text };
    let redirect = |text| OauthError { code: "invalid_redirect_uri", text };
    if new.token_endpoint_auth_method.as_deref().is_some_and(|method| method != "none") {
        return Err(metadata("token_endpoint_auth_method must be none: there are public clients here only"));
    }
    if new.redirect_uris.is_empty() || new.redirect_uris.len() > MAX_REDIRECT_URIS {
        return Err(redirect("redirect_uris must name 1 to 10 addresses"));
    }
    let is_listed = |uri: &String| native.contains(uri);
    let registered: Vec<String> =
        new.redirect_uris.into_iter().filter(|uri| is_listed(uri) || !has_private_scheme(uri)).collect();
    if registered.is_empty() || !registered.iter().all(|uri| is_listed(uri) || is_allowed(uri)) {
        return Err(redirect(
            "redirect_uris must be https, http on localhost, 127.0.0.1 or [::1], or listed in oauth.native_redirects of \
             the server's configuration, without a fragment or a password",
        ));
    }
    // The consent page shows the name, so it must not contain characters that could disguise it.
    let name: String = new.client_name.as_deref().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    if name.chars().count() > MAX_CLIENT_NAME_CHARS || name.contains(import::is_hidden) {
        return Err(metadata("client_name must be one line of at most 200 characters, without invisible characters"));
    }
    Ok((if name.is_empty() { "A program without a name".into() } else { name }, registered))
}

/// Whether a URI uses a private-use scheme that an app on the user's machine claims (RFC 8252, 7.1).
pub(super) fn has_private_scheme(uri: &str) -> bool {
    Url::parse(uri).is_ok_and(|url| !matches!(url.scheme(), "http" | "https"))
}

/// Whether a redirect URI is allowed: https on any host, http only on the local machine.
fn is_allowed(uri: &str) -> bool {
    let Ok(url) = Url::parse(uri) else { return false };
    // Browsers ignore or rewrite these characters, so that the browser could go to another address than the one
    // checked.
    let unclear = |letter: char| letter.is_whitespace() || letter.is_control() || letter == '\\';
    let plain = uri.len() <= MAX_URI_BYTES && url.fragment().is_none() && !uri.contains(unclear);
    let anonymous = url.username().is_empty() && url.password().is_none();
    plain && anonymous && (url.scheme() == "https" && url.host().is_some() || is_loopback(&url))
}

fn is_loopback(url: &Url) -> bool {
    url.scheme() == "http"
        && match url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        }
}

/// Whether a client with the redirect URIs `known` may be redirected to `requested`, and the configuration still allows
/// it.
pub(super) fn may_redirect_to(core: &Core<'_>, known: &[String], requested: &str) -> bool {
    let is_listed = core.shared.sessions.native_redirects.iter().any(|listed| listed == requested);
    (is_listed || !has_private_scheme(requested)) && is_registered(known, requested)
}

/// Whether a client registered a redirect URI. For loopback addresses the port may differ (RFC 8252, 7.3), because
/// native apps listen on any free port; otherwise the URIs must be identical.
fn is_registered(known: &[String], requested: &str) -> bool {
    known.iter().any(|known| known == requested || is_other_port(known, requested))
}

fn is_other_port(known: &str, requested: &str) -> bool {
    let (Ok(mut known), Ok(mut requested)) = (Url::parse(known), Url::parse(requested)) else { return false };
    let both_loopback = is_loopback(&known) && is_loopback(&requested);
    both_loopback && known.set_port(None).is_ok() && requested.set_port(None).is_ok() && known == requested
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_uris_must_be_https_or_loopback() {
        for good in [
            "https://claude.example/callback",
            "https://app.example:8443/a?b=c",
            "http://localhost/cb",
            "http://localhost:3000/cb",
            "http://127.0.0.1:33418/oauth/callback",
            "http://[::1]:9000/",
        ] {
            assert!(is_allowed(good), "{good}");
        }
        for bad in [
            "http://127.0.0.1.evil.example/cb",
            "http://localhost.evil.example/cb",
            "http://localhost@evil.example/cb",
            "https://user:word@good.example/cb",
            "http://app.example/cb",
            "https://good.example/cb#fragment",
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "com.example.app:/callback",
            "//evil.example/cb",
            "/cb",
            "",
            "http://",
            "http://0.0.0.0/cb",
            "http://10.0.0.1/cb",
            "http://localhost./cb",
            "http://[::ffff:127.0.0.1]/cb",
            "http:\\\\localhost\\@evil.example/cb",
            "https://good.example\\@evil.example/cb",
            " https://good.example/cb",
            "https://good.exam\tple/cb",
        ] {
            assert!(!is_allowed(bad), "{bad}");
        }
        assert!(!is_allowed(&format!("https://good.example/{}", "x".repeat(MAX_URI_BYTES))));
    }

    #[test]
    fn a_redirect_uri_must_match_a_registered_one_except_for_the_loopback_port() {
        let known = ["http://127.0.0.1:3000/cb".to_owned(), "https://good.example/cb".to_owned()];
        for good in
            ["http://127.0.0.1:3000/cb", "http://127.0.0.1:50123/cb", "http://127.0.0.1/cb", "https://good.example/cb"]
        {
            assert!(is_registered(&known, good), "{good}");
        }
        for bad in [
            "http://127.0.0.1:3000/other",
            "http://localhost:3000/cb",
            "http://127.0.0.1:3000/cb?x=1",
            "https://good.example:444/cb",
            "https://good.example/cb/",
            "https://good.example/cb?next=evil",
            "https://good.example.evil.example/cb",
            "https://evil.example/cb",
            "http://127.0.0.1:3000@evil.example/cb",
            "",
        ] {
            assert!(!is_registered(&known, bad), "{bad}");
        }
    }
}
