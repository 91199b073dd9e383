//! A private CA, and a TLS listener with one of its certificates.

use std::{io, net::SocketAddr, sync::Arc};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::{
    ServerConfig,
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, PrivateKeyDer},
};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// A CA that no browser trusts.
pub struct Authority {
    /// Its certificate in PEM.
    pub pem: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    pub fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new([]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = params.self_signed(&key).unwrap().pem();
        Self { pem, issuer: Issuer::new(params, key) }
    }

    /// Issues a certificate for `localhost` that expires in this year. Returns the certificate and its key in PEM.
    pub fn issue(&self, year: i32) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
        params.not_after = date_time_ymd(year, 1, 31);
        (params.signed_by(&key, &self.issuer).unwrap().pem(), key.serialize_pem())
    }

    /// Issues a certificate for the address of a listener.
    pub fn listen(&self, listener: TcpListener) -> TlsListener {
        let acceptor = self.acceptor(&listener);
        TlsListener { listener, acceptor }
    }

    /// Accepts TLS connections with a certificate for the address of a listener.
    pub fn acceptor(&self, listener: &TcpListener) -> TlsAcceptor {
        let key = KeyPair::generate().unwrap();
        let host = listener.local_addr().unwrap().ip().to_string();
        let certificate = CertificateParams::new([host]).unwrap().signed_by(&key, &self.issuer).unwrap();
        let chain = vec![CertificateDer::from(certificate)];
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()));
        let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let config = config.with_single_cert(chain, key).unwrap();
        TlsAcceptor::from(Arc::new(config))
    }
}

/// A TLS listener.
pub struct TlsListener {
    listener: TcpListener,
    acceptor: TlsAcceptor,
}

impl axum::serve::Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let (stream, address) = self.listener.accept().await.unwrap();
            // Clients that do not trust the certificate abort the handshake.
            if let Ok(stream) = self.acceptor.accept(stream).await {
                return (stream, address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}
