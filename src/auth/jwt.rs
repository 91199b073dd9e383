//! JWTs: verification for all issuers, and the session tokens that this instance issues.
//!
//! Session tokens are signed with Ed25519, last at most one hour and carry the organization claims of the API.
//!
//! A token says which organization is active, but not what the user may do there: role and membership are read from the
//! database for every request.

use std::sync::Arc;

use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::keys::Keys;
use crate::{
    clock::{HOUR, SECOND},
    error::{Error, Result},
};

/// The claims of a session JWT. Times are Unix seconds (RFC 7519).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Claims {
    /// Issuer: the public URL of this instance.
    pub iss: String,
    /// User id.
    pub sub: String,
    /// Session id.
    pub sid: i64,
    /// Active organization, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub org_id: Option<String>,
    /// The user's role in the organization when the token was issued: `org:admin` or `org:member`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub org_role: Option<String>,
    /// Slug of the organization.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub org_slug: Option<String>,
    /// Issued at.
    pub iat: i64,
    /// Expiry.
    pub exp: i64,
}

impl Claims {
    /// The user id as a number.
    pub fn user_id(&self) -> Result<i64> {
        self.sub.parse().map_err(|_| Error::Unauthenticated("the session token has no user"))
    }
}

/// Signs `claims`.
pub fn sign(claims: &Claims, keys: &Keys) -> Result<String> {
    let (kid, key) = keys.signing();
    let header = Header { kid: Some(kid), ..Header::new(Algorithm::EdDSA) };
    encode(&header, claims, &key).map_err(Error::internal)
}

/// Leeway for differing clocks, in seconds.
const LEEWAY: i64 = 5;

/// Maximum lifetime of an accepted JWT, in seconds.
pub(super) const MAX_LIFETIME: i64 = HOUR / SECOND;

/// Maximum length of the subject in bytes (`OpenID` Connect Core, section 2).
const MAX_SUBJECT_LENGTH: usize = 255;

/// Accepted signature algorithms. `none` and symmetric algorithms are excluded.
const ALGORITHMS: [Algorithm; 3] = [Algorithm::EdDSA, Algorithm::ES256, Algorithm::RS256];

const INVALID: Error = Error::Unauthenticated("the credential is not a token of this instance");
const EXPIRED: Error = Error::Unauthenticated("the session token has expired; refresh it, or sign in again");
const NOT_YET_VALID: Error = Error::Unauthenticated("the token is not valid yet; check the system clocks");
const LIFETIME_TOO_LONG: Error = Error::Unauthenticated(
    "the token is valid for more than an hour; configure a shorter lifetime at the identity provider",
);

/// The fields of a JWT header that select the key.
#[derive(Debug)]
pub(super) struct TokenHeader {
    /// Key id.
    pub kid: Option<String>,
    /// Signature algorithm.
    pub algorithm: Algorithm,
}

/// Reads the header. Rejects `crit`, because no critical extension is supported; other fields, including embedded keys,
/// are ignored.
pub(super) fn header(token: &str) -> Result<TokenHeader> {
    let header = decode_header(token).map_err(|_| INVALID)?;
    if header.crit.is_some() || !ALGORITHMS.contains(&header.alg) {
        return Err(INVALID);
    }
    Ok(TokenHeader { kid: header.kid, algorithm: header.alg })
}

/// What a JWT is checked against.
pub(super) struct Expected<'a> {
    /// Issuer, compared exactly.
    pub issuer: &'a str,
    /// Algorithm of the key.
    pub algorithm: Algorithm,
    /// Maximum lifetime in seconds; none: unlimited.
    pub max_lifetime: Option<i64>,
    /// Current time in Unix milliseconds.
    pub now: i64,
}

/// Checks signature, issuer, subject, age and lifetime. Returns the claims.
pub(super) fn check(token: &str, key: &DecodingKey, expected: &Expected<'_>) -> Result<Map<String, Value>> {
    let claims = signed_claims(token, key, expected.algorithm)?;
    check_claims(&claims, expected)?;
    Ok(claims)
}

/// Checks the signature only. Returns the claims.
fn signed_claims(token: &str, key: &DecodingKey, algorithm: Algorithm) -> Result<Map<String, Value>> {
    // Only this algorithm is accepted, regardless of the header.
    let mut validation = Validation::new(algorithm);
    validation.required_spec_claims.clear();
    validation.validate_exp = false; // checked in `check_claims` against our own clock
    validation.validate_aud = false; // checked by the caller
    Ok(decode(token, key, &validation).map_err(|_| INVALID)?.claims)
}

/// Checks issuer, subject, age and lifetime.
fn check_claims(claims: &Map<String, Value>, expected: &Expected<'_>) -> Result<()> {
    let is_theirs = claims.get("iss").and_then(Value::as_str) == Some(expected.issuer);
    let is_subject = |text: &str| (1..=MAX_SUBJECT_LENGTH).contains(&text.len()) && !text.chars().any(char::is_control);
    if !is_theirs || !claims.get("sub").and_then(Value::as_str).is_some_and(is_subject) {
        return Err(INVALID);
    }
    let now = expected.now / SECOND;
    let (issued, begins, ends) = (time(claims, "iat")?, time(claims, "nbf")?, time(claims, "exp")?.ok_or(INVALID)?);
    if ends.saturating_add(LEEWAY) < now {
        return Err(EXPIRED);
    }
    if [issued, begins].into_iter().flatten().any(|begins| begins.saturating_sub(LEEWAY) > now) {
        return Err(NOT_YET_VALID);
    }
    let lifetime = ends.saturating_sub(issued.or(begins).unwrap_or(now));
    if expected.max_lifetime.is_some_and(|max| lifetime > max) {
        return Err(LIFETIME_TOO_LONG);
    }
    Ok(())
}

/// Reads a numeric date of RFC 7519: seconds, possibly with a fraction.
#[expect(clippy::cast_possible_truncation, reason = "casts from floats saturate, and so does the arithmetic")]
fn time(claims: &Map<String, Value>, name: &str) -> Result<Option<i64>> {
    let Some(value) = claims.get(name) else { return Ok(None) };
    let seconds = value.as_i64().or_else(|| value.as_f64().map(|seconds| seconds as i64));
    seconds.map(Some).ok_or(INVALID)
}

/// Verifies a session JWT of this instance. `now` is in Unix milliseconds.
///
/// The signature of a token is checked once while the token stays in the cache, because this check takes longer than
/// all others together. Whether the key is still accepted, and everything about time, is checked for every request.
pub(super) fn verify(token: &str, keys: &Keys, issuer: &str, now: i64) -> Result<Claims> {
    let header = header(token)?;
    let key = header.kid.and_then(|kid| keys.verifying(&kid, now)).ok_or(INVALID)?;
    let expected = Expected { issuer, algorithm: Algorithm::EdDSA, max_lifetime: Some(MAX_LIFETIME), now };
    let digest = Sha256::digest(token).into();
    let claims = match keys.verified_claims(&digest) {
        Some(claims) => claims,
        None => {
            let claims = Arc::new(signed_claims(token, &key, expected.algorithm)?);
            keys.remember_claims(digest, Arc::clone(&claims));
            claims
        }
    };
    check_claims(&claims, &expected)?;
    Claims::deserialize(&*claims).map_err(|_| INVALID)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: i64 = 1_800_000_000;
    const ISSUER: &str = "http://test";

    fn claims(iat: i64, exp: i64) -> Claims {
        Claims { iss: ISSUER.into(), sub: "7".into(), sid: 1, org_id: None, org_role: None, org_slug: None, iat, exp }
    }

    #[test]
    fn a_token_is_valid_for_its_lifetime_and_keys_only() {
        let (home, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (keys, others) = (Keys::load(home.path()).unwrap(), Keys::load(elsewhere.path()).unwrap());
        let token = sign(&claims(NOON, NOON + 900), &keys).unwrap();
        let at = |seconds: i64| verify(&token, &keys, ISSUER, seconds * SECOND);
        assert_eq!(at(NOON).unwrap().user_id().unwrap(), 7);
        assert!(at(NOON + 900 + LEEWAY).is_ok());
        assert!(at(NOON + 901 + LEEWAY).is_err());
        assert!(at(NOON - LEEWAY - 1).is_err(), "issued in the future");
        assert!(verify(&token, &others, ISSUER, NOON * SECOND).is_err(), "signed with other keys");
        let long = sign(&claims(NOON, NOON + 3_601), &keys).unwrap();
        assert!(verify(&long, &keys, ISSUER, NOON * SECOND).is_err(), "longer than an hour");
    }

    #[test]
    fn a_token_that_was_verified_before_is_checked_again_except_for_its_signature() {
        let home = tempfile::tempdir().unwrap();
        let keys = Keys::load(home.path()).unwrap();
        let token = sign(&claims(NOON, NOON + 900), &keys).unwrap();
        let at = |seconds: i64, issuer: &str| verify(&token, &keys, issuer, seconds * SECOND);
        for _ in 0..2 {
            assert!(at(NOON, ISSUER).is_ok());
            assert!(at(NOON, "http://other").is_err());
            assert!(at(NOON + 901 + LEEWAY, ISSUER).is_err());
        }
        let forged = format!("{}{}", &token[..token.len() - 4], if token.ends_with("AAAA") { "BBBB" } else { "AAAA" });
        for _ in 0..2 {
            assert!(verify(&forged, &keys, ISSUER, NOON * SECOND).is_err());
        }
        keys.rotate(NOON * SECOND).unwrap();
        assert!(at(NOON, ISSUER).is_ok(), "signed with a key that was replaced just now");
        let elsewhere = tempfile::tempdir().unwrap();
        assert!(verify(&token, &Keys::load(elsewhere.path()).unwrap(), ISSUER, NOON * SECOND).is_err());
    }

    #[test]
    fn a_verified_token_ends_with_its_key() {
        let home = tempfile::tempdir().unwrap();
        let keys = Keys::load(home.path()).unwrap();
        let token = sign(&claims(NOON, NOON + 3_600), &keys).unwrap();
        assert!(verify(&token, &keys, ISSUER, NOON * SECOND).is_ok());
        let before = (NOON - 3_601) * SECOND;
        keys.rotate(before).unwrap();
        assert!(verify(&token, &keys, ISSUER, NOON * SECOND).is_ok());
        assert!(verify(&token, &keys, ISSUER, (NOON + 60) * SECOND).is_err(), "the key has expired");
    }

    #[test]
    fn the_issuer_of_a_token_must_match_exactly() {
        let home = tempfile::tempdir().unwrap();
        let keys = Keys::load(home.path()).unwrap();
        let token = sign(&claims(NOON, NOON + 900), &keys).unwrap();
        for issuer in ["http://test/", "https://test", "http://TEST", ""] {
            assert!(verify(&token, &keys, issuer, NOON * SECOND).is_err(), "{issuer}");
        }
    }

    #[test]
    fn a_rotated_key_only_verifies_tokens_that_it_signed() {
        let home = tempfile::tempdir().unwrap();
        let keys = Keys::load(home.path()).unwrap();
        let token = sign(&claims(NOON, NOON + 3_600), &keys).unwrap();
        let kid = keys.rotate(NOON * SECOND).unwrap();
        let later = sign(&claims(NOON + 3_600, NOON + 4_500), &keys).unwrap();
        for keys in [keys, Keys::load(home.path()).unwrap()] {
            assert_eq!(keys.signing().0, kid);
            assert_eq!(keys.jwks(NOON * SECOND).len(), 2);
            assert!(verify(&token, &keys, ISSUER, (NOON + 3_600) * SECOND).is_ok());
            assert!(verify(&later, &keys, ISSUER, (NOON + 3_661) * SECOND).is_ok());
            assert_eq!(keys.jwks((NOON + 3_661) * SECOND).len(), 1);
            assert!(keys.verifying(&decode_header(&token).unwrap().kid.unwrap(), (NOON + 3_661) * SECOND).is_none());
        }
    }

    #[test]
    fn only_our_algorithm_is_accepted() {
        let home = tempfile::tempdir().unwrap();
        let keys = Keys::load(home.path()).unwrap();
        let token = sign(&claims(NOON, NOON + 900), &keys).unwrap();
        let [_, body, signature]: [&str; 3] = token.split('.').collect::<Vec<_>>().try_into().unwrap();
        for header in [r#"{"alg":"none","kid":"KID"}"#, r#"{"alg":"HS256","kid":"KID"}"#, r#"{"alg":"EdDSA"}"#] {
            use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
            let header = URL_SAFE_NO_PAD.encode(header.replace("KID", &keys.signing().0));
            for forged in [format!("{header}.{body}.{signature}"), format!("{header}.{body}.")] {
                assert!(verify(&forged, &keys, ISSUER, NOON * SECOND).is_err(), "{forged}");
            }
        }
    }
}
