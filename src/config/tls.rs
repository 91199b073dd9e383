//! The section `[tls]`.

use std::path::PathBuf;

use serde::Deserialize;

/// TLS without a reverse proxy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    /// PEM file with the certificate and its chain; empty: no TLS.
    pub certificate: PathBuf,
    /// PEM file with the private key.
    pub key: PathBuf,
}

impl Tls {
    /// Whether the server uses TLS.
    pub fn is_on(&self) -> bool {
        !self.certificate.as_os_str().is_empty()
    }

    /// A key that contradicts another one, and what it must be.
    pub(super) fn contradiction(&self, public_url: &str) -> Option<(&'static str, &'static str)> {
        let Self { certificate, key } = self;
        match (certificate.as_os_str().is_empty(), key.as_os_str().is_empty()) {
            (false, true) => Some(("tls.key", "the path of the private key, because tls.certificate is set")),
            (true, false) => Some(("tls.certificate", "the path of the certificate, because tls.key is set")),
            (false, false) if public_url.starts_with("http:") => {
                Some(("public_url", "an https URL or empty, because tls.certificate is set"))
            }
            _ => None,
        }
    }
}
