//! The path of the public URL, if this instance shares a host with other services.

use std::sync::Arc;

use axum::{
    Router,
    http::{Request, Uri, uri::PathAndQuery},
};
use tower::ServiceExt;
use url::Url;

/// The path of the public URL without a trailing slash: `/planroom` for `https://example.org/planroom`, empty for
/// `https://example.org`. Everything that the server refers to has this prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BasePath(Arc<str>);

impl BasePath {
    /// The path of this URL.
    pub fn of(public_url: &str) -> Self {
        let url = Url::parse(public_url).ok();
        Self(url.as_ref().map_or("", |url| url.path().trim_end_matches('/')).into())
    }

    /// The prefix.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A path of this server with the prefix.
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// Serves `router` with and without the prefix, because some reverse proxies remove it from requests and others do
    /// not.
    pub fn serve(&self, router: Router) -> Router {
        if self.0.is_empty() {
            return router;
        }
        let base = self.clone();
        // A layer of the router would run after its routing.
        Router::new().fallback_service(router.map_request(move |request| base.remove_from(request)))
    }

    fn remove_from<B>(&self, mut request: Request<B>) -> Request<B> {
        if let Some(uri) = self.removed(request.uri()) {
            *request.uri_mut() = uri;
        }
        request
    }

    /// The URI without the prefix. None if it does not have it.
    fn removed(&self, uri: &Uri) -> Option<Uri> {
        let rest = uri.path().strip_prefix(self.as_str())?;
        if !(rest.is_empty() || rest.starts_with('/')) {
            return None;
        }
        let path = if rest.is_empty() { "/" } else { rest };
        let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        let mut parts = uri.clone().into_parts();
        parts.path_and_query = Some(PathAndQuery::try_from(format!("{path}{query}")).ok()?);
        Uri::from_parts(parts).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_is_the_path_of_the_public_url() {
        assert_eq!(BasePath::of("https://example.org").as_str(), "");
        assert_eq!(BasePath::of("https://example.org/tools/planroom").join("/docs"), "/tools/planroom/docs");
    }

    #[test]
    fn only_the_whole_prefix_is_removed_and_only_once() {
        let base = BasePath::of("https://example.org/plans");
        for (uri, rest) in [
            ("/plans/api/me?a=%2Fplans", Some("/api/me?a=%2Fplans")),
            ("/plans", Some("/")),
            ("/plans?x", Some("/?x")),
            ("/plans/", Some("/")),
            ("/plans/plans/a", Some("/plans/a")),
            ("http://example.org/plans/a", Some("http://example.org/a")),
            ("/plansx/a", None),
            ("/Plans/a", None),
            ("/api/plans", None),
        ] {
            let removed = base.removed(&uri.parse().unwrap()).map(|uri| uri.to_string());
            assert_eq!(removed.as_deref(), rest, "{uri}");
        }
    }
}
