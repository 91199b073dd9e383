//! JSON Web Keys: public keys in the format for clients.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

/// A public key in the format of RFC 7517; RFC 8037 defines it for Ed25519.
#[derive(Debug, Clone, serde::Serialize, crate::describe::ToSchema)]
pub struct Jwk {
    /// Key type: `OKP`.
    kty: &'static str,
    /// Curve: `Ed25519`.
    crv: &'static str,
    /// Intended use: `sig`.
    #[serde(rename = "use")]
    usage: &'static str,
    /// Algorithm: `EdDSA`.
    alg: &'static str,
    /// Key id, as in the header of JWTs.
    kid: String,
    /// The public key, base64url.
    x: String,
}

impl Jwk {
    pub(super) fn new(kid: String, public: &[u8; 32]) -> Self {
        Self { kty: "OKP", crv: "Ed25519", usage: "sig", alg: "EdDSA", kid, x: URL_SAFE_NO_PAD.encode(public) }
    }
}
