//! What all pages of share links need.

use std::sync::Arc;

use url::form_urlencoded;

use crate::{base_path::BasePath, bodies::Bodies, domain::sharing::Shares, web::viewer::share_script};

/// What the pages need.
#[derive(Debug, Clone)]
pub(super) struct Pages {
    pub(super) shares: Shares,
    /// Reads forms.
    pub(super) bodies: Bodies,
    pub(super) public_url: Arc<str>,
    base: BasePath,
    /// Path of the script that makes the map explorable. None if the binary was built without it.
    pub(super) script: Option<Arc<str>>,
}

impl Pages {
    pub(super) fn new(shares: Shares, bodies: Bodies, public_url: &str) -> Self {
        let base = BasePath::of(public_url);
        let script = share_script().map(|path| base.join(&path).into());
        Self { shares, bodies, public_url: public_url.into(), base, script }
    }

    /// The address of the description of a link for other sites.
    pub(super) fn oembed_url(&self, token: &str) -> String {
        let query: String =
            form_urlencoded::Serializer::new(String::new()).append_pair("url", &self.url(token)).finish();
        format!("{}/oembed?{query}", self.public_url)
    }

    /// The address of a link, without a host.
    pub(super) fn path(&self, token: &str) -> String {
        self.base.join(&format!("/s/{token}"))
    }

    /// The address of a link.
    pub(super) fn url(&self, token: &str) -> String {
        format!("{}/s/{token}", self.public_url)
    }
}
