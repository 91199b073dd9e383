//! Signatures by the Standard Webhooks specification: HMAC-SHA256 over ID, time and body.

use aws_lc_rs::hmac;
use base64::{Engine, engine::general_purpose::STANDARD};

use crate::secret::Secret;

/// The prefix of secrets.
const PREFIX: &str = "whsec_";

/// The text of a secret: the prefix, and the key in base64.
pub fn secret_of(key: &[u8; 32]) -> Secret {
    Secret::new(format!("{PREFIX}{}", STANDARD.encode(key)))
}

/// Signs a message with all `secrets`. `timestamp` is in Unix seconds. Secrets that are not base64 are skipped.
pub fn sign(secrets: &[Secret], id: &str, timestamp: i64, body: &[u8]) -> String {
    let signed = [id.as_bytes(), b".", timestamp.to_string().as_bytes(), b".", body].concat();
    let signatures = secrets.iter().filter_map(|secret| {
        let text = secret.reveal();
        let key = STANDARD.decode(text.strip_prefix(PREFIX).unwrap_or(text)).ok()?;
        let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), &signed);
        Some(format!("v1,{}", STANDARD.encode(signature)))
    });
    signatures.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example that the reference implementations of the specification use.
    #[test]
    fn the_example_of_the_specification_has_its_signature() {
        let secret = Secret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let signature = sign(&[secret], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn each_secret_signs_the_same_message() {
        let (new, old) = (secret_of(&[1; 32]), secret_of(&[2; 32]));
        let both = sign(&[new.clone(), old.clone()], "msg_1", 7, b"{}");
        assert_eq!(
            both,
            format!("{} {}", sign(std::slice::from_ref(&new), "msg_1", 7, b"{}"), sign(&[old], "msg_1", 7, b"{}"))
        );
        assert_ne!(
            sign(std::slice::from_ref(&new), "msg_2", 7, b"{}"),
            sign(std::slice::from_ref(&new), "msg_1", 7, b"{}")
        );
        assert_eq!(new.reveal(), "whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=");
    }
}
