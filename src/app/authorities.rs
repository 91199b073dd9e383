//! Reads files with the CA certificates of other servers.

use std::path::Path;

use rustls::RootCertStore;
use ureq::tls::{Certificate, PemItem, parse_pem};

use crate::db::OpenError;

/// Reads the certificates in `file`, which is `ca_file` in this section of the configuration. None if the name is empty.
/// `server` says whose certificates they are.
pub(super) fn read(file: &Path, section: &str, server: &str) -> Result<Option<Vec<Certificate<'static>>>, OpenError> {
    if file.as_os_str().is_empty() {
        return Ok(None);
    }
    let wrong = |why: String| {
        OpenError::Configuration(format!(
            "{} (ca_file in [{section}]): {why}; specify a PEM file with the CA certificates of the {server}, or leave it \
             empty to use the public CAs",
            file.display()
        ))
    };
    let text = std::fs::read(file).map_err(|error| wrong(format!("cannot read the file: {error}")))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&text) {
        let item = item.map_err(|error| wrong(format!("invalid PEM: {error}")))?;
        let PemItem::Certificate(certificate) = item else { continue };
        // The client would ignore it silently.
        RootCertStore::empty()
            .add(certificate.der().into())
            .map_err(|error| wrong(format!("certificate {} is invalid: {error}", certificates.len() + 1)))?;
        certificates.push(certificate);
    }
    if certificates.is_empty() {
        Err(wrong("the file contains no certificates".into()))
    } else {
        Ok(Some(certificates))
    }
}
