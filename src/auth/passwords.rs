//! Password hashing with Argon2id, and the rules for new passwords.
//!
//! Parameters follow the OWASP Password Storage Cheat Sheet: 19 MiB, two passes, parallelism 1.

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use zxcvbn::{Score, feedback::Feedback, zxcvbn};

use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, schema::Type},
    },
    error::{Error, Problem, Result, reject},
};

/// How many characters of a password are checked for strength. The work grows faster than the length, and a password
/// with a strong beginning is strong.
const STRENGTH_PREFIX: usize = 64;

/// A new password: 8 to 128 characters, no other rule. Never printed.
#[derive(Clone)]
pub struct NewPassword(String);

impl NewPassword {
    /// Minimum length, in characters.
    pub const MIN_CHARS: usize = 8;
    /// Maximum length, in characters.
    pub const MAX_CHARS: usize = 128;

    /// Checks the length.
    pub fn new(password: String) -> std::result::Result<Self, Problem> {
        Problem::check_length(&password, Self::MIN_CHARS, Self::MAX_CHARS)?;
        Ok(Self(password))
    }

    /// Why the password is easy to guess and what to choose instead; none if it is strong enough. `known` is what an
    /// attacker knows about the user: login and name. Takes some milliseconds.
    pub fn weakness(&self, known: &[&str]) -> Option<String> {
        let beginning = |text: &str| text.chars().take(STRENGTH_PREFIX).collect::<String>();
        let known: Vec<String> = known.iter().map(|text| beginning(text)).chain(["planroom".to_owned()]).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let judged = zxcvbn(&beginning(&self.0), &known);
        if judged.score() > Score::Zero {
            return None;
        }
        let why = judged.feedback().and_then(Feedback::warning).map(|why| why.to_string());
        let why = why.unwrap_or_else(|| "It is a very common password.".into());
        Some(format!(
            "this password is easy to guess. {why} Choose several uncommon words, or generate one with a password \
             manager"
        ))
    }

    /// The Argon2id hash as a PHC string. Takes about 20 ms of CPU time and 19 MiB, so it must not run on an
    /// asynchronous thread.
    pub fn hash(&self) -> Result<String> {
        let hash = Argon2::default().hash_password(self.0.as_bytes()).map_err(Error::internal)?;
        Ok(hash.to_string())
    }
}

impl std::fmt::Debug for NewPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NewPassword(…)")
    }
}

impl<'de> Deserialize<'de> for NewPassword {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        Self::new(String::deserialize(deserializer)?).map_err(reject)
    }
}

impl PartialSchema for NewPassword {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Password)))
            .description(Some("A new password: 8 to 128 characters, no other rule. Never printed."))
            .min_length(Some(Self::MIN_CHARS))
            .max_length(Some(Self::MAX_CHARS))
            .examples([Value::from("correct horse battery")])
            .into()
    }
}
impl ToSchema for NewPassword {}

/// The hash that passwords of unknown users are compared with: as much work as a real hash, but of no user.
const DUMMY_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$cGxhbnJvb20tbm9ib2R5$qMzHZPwQ5XUZFv3mXW+8Ubxyv0XzOf0F0q3S8Yy9bXk";

/// Whether `password` matches `hash`. Without a hash (unknown user, or a user without a password) the same work is
/// done, so that the response time reveals nothing.
pub fn verify(password: &str, hash: Option<&str>) -> bool {
    let Ok(parsed) = PasswordHash::new(hash.unwrap_or(DUMMY_HASH)) else {
        return false;
    };
    let same = Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok();
    same && hash.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_verified_by_its_hash() {
        let hash = NewPassword::new("correct horse".into()).unwrap().hash().unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(verify("correct horse", Some(&hash)));
        assert!(!verify("correct horse ", Some(&hash)));
        assert!(!verify("correct horse", None));
    }

    #[test]
    fn unknown_users_cost_the_same_work() {
        let (real, nobodys) = (NewPassword::new("12345678".into()).unwrap().hash().unwrap(), DUMMY_HASH);
        let cost = |hash: &str| PasswordHash::new(hash).unwrap().params.to_string();
        assert_eq!(cost(&real), cost(nobodys));
    }

    #[test]
    fn common_passwords_are_rejected_with_advice() {
        let weakness = |text: &str| NewPassword::new(text.into()).unwrap().weakness(&["ada.lovelace", "Ada Lovelace"]);
        for weak in ["password", "12345678", "qwertyui", "ada.lovelace", "aaaaaaaa", "planroom"] {
            let told = weakness(weak).unwrap_or_else(|| panic!("{weak} is not weak"));
            assert!(told.contains("easy to guess") && told.contains("uncommon words"), "{told}");
        }
        for good in ["correct horse battery", "jx8Kd02m", "ünterwegs im zug"] {
            assert_eq!(weakness(good), None, "{good}");
        }
    }

    #[test]
    fn only_the_beginning_of_a_password_is_rated() {
        let strong = "jx8Kd02mQ!vT5z#Lw9";
        let weakness = |text: String| NewPassword::new(text).unwrap().weakness(&[]);
        assert!(weakness(format!("{}{strong}", "a".repeat(STRENGTH_PREFIX))).is_some());
        assert_eq!(weakness(format!("{strong}{}", "a".repeat(100))), None);
    }

    #[test]
    fn too_short_and_too_long_passwords_are_rejected() {
        assert!(NewPassword::new("1234567".into()).is_err());
        assert!(NewPassword::new("ü".repeat(128)).is_ok());
        assert!(NewPassword::new("x".repeat(129)).is_err());
    }
}
