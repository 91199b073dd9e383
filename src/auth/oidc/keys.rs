//! Public keys of an identity provider.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::Value;

/// Minimum size of an RSA key, in bytes.
const MIN_RSA_BYTES: usize = 256;

/// A key set (RFC 7517). Unsupported keys are ignored.
#[derive(Debug, Deserialize)]
struct JwkSet {
    keys: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// A verification key.
#[derive(Clone)]
pub(super) struct VerificationKey {
    kid: Option<String>,
    pub algorithm: Algorithm,
    pub decoding: DecodingKey,
}

/// Reads the supported keys; none if `bytes` is not a key set.
pub(super) fn read(bytes: &[u8]) -> Option<Vec<VerificationKey>> {
    let set: JwkSet = serde_json::from_slice(bytes).ok()?;
    Some(set.keys.into_iter().filter_map(|key| usable(serde_json::from_value(key).ok()?)).collect())
}

/// Converts a supported key. The algorithm follows from the key, never from a token: otherwise a public key could be
/// used as an HMAC secret.
fn usable(jwk: Jwk) -> Option<VerificationKey> {
    let (algorithm, name, decoding) = match (jwk.kty.as_str(), jwk.crv.as_deref()) {
        ("RSA", _) => {
            let modulus = jwk.n.as_deref()?;
            if URL_SAFE_NO_PAD.decode(modulus).ok()?.len() < MIN_RSA_BYTES {
                return None;
            }
            (Algorithm::RS256, "RS256", DecodingKey::from_rsa_components(modulus, jwk.e.as_deref()?))
        }
        ("EC", Some("P-256")) => {
            let key = DecodingKey::from_ec_components(jwk.x.as_deref()?, jwk.y.as_deref()?);
            (Algorithm::ES256, "ES256", key)
        }
        ("OKP", Some("Ed25519")) => (Algorithm::EdDSA, "EdDSA", DecodingKey::from_ed_components(jwk.x.as_deref()?)),
        _ => return None,
    };
    let signs = jwk.usage.is_none_or(|usage| usage == "sig");
    let fits = jwk.alg.is_none_or(|alg| alg == name || (name == "EdDSA" && alg == "Ed25519"));
    (signs && fits).then_some(VerificationKey { kid: jwk.kid, algorithm, decoding: decoding.ok()? })
}

/// The key with this id for an algorithm; keys of different types may share an id (RFC 7517, section 4.5). Without an
/// id, the only key of the set, if there is exactly one.
pub(super) fn find<'k>(
    keys: &'k [VerificationKey],
    kid: Option<&str>,
    algorithm: Algorithm,
) -> Option<&'k VerificationKey> {
    match (kid, keys) {
        (Some(kid), keys) => keys.iter().find(|key| key.kid.as_deref() == Some(kid) && key.algorithm == algorithm),
        (None, [only]) => Some(only),
        (None, _) => None,
    }
}
