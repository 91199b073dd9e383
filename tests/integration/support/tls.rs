//! Certificates of an authority of one's own, and a listener that shows one.

use std::{io, net::SocketAddr, sync::Arc};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::{
    ServerConfig,
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, PrivateKeyDer},
};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// An authority that no browser knows.
pub struct Authority {
    /// Its certificate, in PEM.
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

    /// Vouches for whoever listens there.
    pub fn vouch(&self, listener: TcpListener) -> Vouched {
        let key = KeyPair::generate().unwrap();
        let host = listener.local_addr().unwrap().ip().to_string();
        let certificate = CertificateParams::new([host]).unwrap().signed_by(&key, &self.issuer).unwrap();
        let chain = vec![CertificateDer::from(certificate)];
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()));
        let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let config = config.with_single_cert(chain, key).unwrap();
        Vouched { listener, acceptor: TlsAcceptor::from(Arc::new(config)) }
    }
}

/// A listener whose certificate an authority has signed.
pub struct Vouched {
    listener: TcpListener,
    acceptor: TlsAcceptor,
}

impl axum::serve::Listener for Vouched {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let (stream, address) = self.listener.accept().await.unwrap();
            // Whoever does not believe the certificate goes away in the middle.
            if let Ok(stream) = self.acceptor.accept(stream).await {
                return (stream, address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}
