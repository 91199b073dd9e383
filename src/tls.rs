//! The server's own TLS: a certificate and its key in files, which are read again when they change.

use std::{
    fmt, fs,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use rustls::{
    ServerConfig,
    crypto::{CryptoProvider, aws_lc_rs},
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use sha2::{Digest, Sha256};
use tokio_rustls::TlsAcceptor;

/// Paths of the certificate and key, both in PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFiles {
    /// The certificate of the server, followed by the intermediate certificates.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

/// Why the files cannot be used, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot serve TLS: {0}")]
pub struct CertificateError(String);

/// The certificate in use.
#[derive(Debug, Clone)]
struct Current {
    key: Arc<CertifiedKey>,
    /// In Unix milliseconds.
    expires_at: i64,
}

/// The outcome of reading the files again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reload {
    /// They are the same as before.
    Unchanged,
    /// New connections use the new certificate.
    Renewed,
    /// The new files cannot be used, and the previous certificate remains in use.
    Refused(CertificateError),
}

/// The certificate for new connections.
pub struct Certificates {
    files: CertificateFiles,
    provider: Arc<CryptoProvider>,
    current: RwLock<Current>,
    /// What was last read, to report each problem once. It is a hash, because one of the files is secret.
    seen: Mutex<Result<[u8; 32], CertificateError>>,
}

impl fmt::Debug for Certificates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificates").field("files", &self.files).finish_non_exhaustive()
    }
}

impl Certificates {
    /// Reads the files. `now` is in Unix milliseconds.
    ///
    /// # Errors
    /// The files are missing or invalid, do not belong together, or the certificate has expired.
    pub fn load(files: CertificateFiles, now: i64) -> Result<Arc<Self>, CertificateError> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let (hash, contents) = files.read()?;
        let current = files.parse(&contents, &provider, now)?;
        Ok(Arc::new(Self { files, provider, current: RwLock::new(current), seen: Mutex::new(Ok(hash)) }))
    }

    /// Reads the files again.
    pub fn reload(&self, now: i64) -> Reload {
        let read = self.files.read();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let found = read.as_ref().map(|(hash, _)| *hash).map_err(Clone::clone);
        if *seen == found {
            return Reload::Unchanged;
        }
        *seen = found;
        drop(seen);
        match read.and_then(|(_, contents)| self.files.parse(&contents, &self.provider, now)) {
            Ok(renewed) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = renewed;
                Reload::Renewed
            }
            Err(error) => Reload::Refused(error),
        }
    }

    /// When the certificate in use expires, in Unix milliseconds.
    pub fn expires_at(&self) -> i64 {
        self.current().expires_at
    }

    /// Path of the certificate.
    pub fn path(&self) -> &std::path::Path {
        &self.files.certificate
    }

    /// Accepts TLS connections with the certificate in use.
    ///
    /// # Errors
    /// The crypto provider supports no version of TLS, which is a bug.
    pub fn acceptor(self: &Arc<Self>) -> Result<TlsAcceptor, CertificateError> {
        let config = ServerConfig::builder_with_provider(Arc::clone(&self.provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| CertificateError(error.to_string()))?;
        let mut config = config.with_no_client_auth().with_cert_resolver(Arc::clone(self) as _);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }

    fn current(&self) -> Current {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current().key)
    }
}

/// The content of both files.
struct Contents {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl CertificateFiles {
    fn read(&self) -> Result<([u8; 32], Contents), CertificateError> {
        let read = |path: &PathBuf, name: &str| {
            fs::read(path).map_err(|error| {
                CertificateError(format!(
                    "cannot read {} ({name}): {error}; check its path, and that the user of the server can read it",
                    path.display()
                ))
            })
        };
        let contents =
            Contents { certificate: read(&self.certificate, "tls.certificate")?, key: read(&self.key, "tls.key")? };
        let parts = [Sha256::digest(&contents.certificate), Sha256::digest(&contents.key)];
        Ok((Sha256::digest(parts.concat()).into(), contents))
    }

    fn parse(&self, contents: &Contents, provider: &CryptoProvider, now: i64) -> Result<Current, CertificateError> {
        let (certificate, key) = (self.certificate.display(), self.key.display());
        let chain: Result<Vec<CertificateDer<'static>>, _> =
            CertificateDer::pem_slice_iter(&contents.certificate).collect();
        let chain = chain.map_err(|error| {
            CertificateError(format!("{certificate} (tls.certificate) is not a PEM file: {error}; write it again"))
        })?;
        let Some(first) = chain.first() else {
            return Err(CertificateError(format!(
                "{certificate} (tls.certificate) contains no certificate; it must be a PEM file with the certificate of \
                 the server, followed by the intermediate certificates"
            )));
        };
        let expires_at = expiry(first).ok_or_else(|| {
            CertificateError(format!("the first certificate in {certificate} (tls.certificate) is invalid"))
        })?;
        let private = PrivateKeyDer::from_pem_slice(&contents.key).map_err(|_| {
            CertificateError(format!(
                "{key} (tls.key) contains no private key; it must be a PEM file with the key, not encrypted"
            ))
        })?;
        let key = CertifiedKey::from_der(chain, private, provider).map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => CertificateError(format!(
                "the key in {key} (tls.key) does not belong to the first certificate in {certificate} \
                 (tls.certificate); use the files that were issued together, the certificate of the server first"
            )),
            error => {
                CertificateError(format!("{certificate} (tls.certificate) or {key} (tls.key) is invalid: {error}"))
            }
        })?;
        if expires_at <= now {
            return Err(CertificateError(format!(
                "the certificate in {certificate} (tls.certificate) expired on {}; renew it",
                date(expires_at)
            )));
        }
        Ok(Current { key: Arc::new(key), expires_at })
    }
}

/// A time as a date.
pub fn date(milliseconds: i64) -> String {
    jiff::Timestamp::from_millisecond(milliseconds).map_or_else(|_| "?".into(), |time| time.strftime("%F").to_string())
}

/// When a certificate expires, in Unix milliseconds: `notAfter` (RFC 5280, section 4.1). None if it is malformed.
fn expiry(certificate: &[u8]) -> Option<i64> {
    const SEQUENCE: u8 = 0x30;
    const INTEGER: u8 = 0x02;
    const VERSION: u8 = 0xa0;
    let (certificate, _) = element(certificate, SEQUENCE)?;
    let (mut rest, _) = element(certificate, SEQUENCE)?;
    if let Some((_, after)) = element(rest, VERSION) {
        rest = after;
    }
    // Serial number, algorithm of the signature, issuer.
    for tag in [INTEGER, SEQUENCE, SEQUENCE] {
        (_, rest) = element(rest, tag)?;
    }
    let (validity, _) = element(rest, SEQUENCE)?;
    let (_, not_after) = time(validity)?;
    time(not_after).map(|(time, _)| time)
}

/// The content of the first element of DER if it has this tag, and what follows.
fn element(der: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&[found, length], mut rest) = der.split_first_chunk::<2>()?;
    if found != tag {
        return None;
    }
    let mut size = usize::from(length);
    if length > 0x80 {
        let digits;
        (digits, rest) = rest.split_at_checked(size & 0x7f)?;
        if digits.len() > 4 {
            return None;
        }
        size = digits.iter().fold(0, |size, digit| size << 8 | usize::from(*digit));
    }
    rest.split_at_checked(size)
}

/// The time at the beginning, as `UTCTime` or `GeneralizedTime`, and what follows.
fn time(der: &[u8]) -> Option<(i64, &[u8])> {
    const UTC_TIME: u8 = 0x17;
    const GENERALIZED_TIME: u8 = 0x18;
    let (text, rest) = match element(der, UTC_TIME) {
        Some((text, rest)) => {
            // RFC 5280: years from 50 are in the 20th century.
            let century = if text.first()? >= &b'5' { "19" } else { "20" };
            (format!("{century}{}", str::from_utf8(text).ok()?), rest)
        }
        None => {
            let (text, rest) = element(der, GENERALIZED_TIME)?;
            (str::from_utf8(text).ok()?.to_owned(), rest)
        }
    };
    let part = |from: usize, to: usize| text.get(from..to);
    let written = format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0, 4)?,
        part(4, 6)?,
        part(6, 8)?,
        part(8, 10)?,
        part(10, 12)?,
        part(12, 14)?
    );
    let time: jiff::Timestamp = written.parse().ok()?;
    Some((time.as_millisecond(), rest))
}
