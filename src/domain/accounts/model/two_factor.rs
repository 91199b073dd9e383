//! Two-factor authentication.

use serde::{Deserialize, Serialize};

use crate::{describe::ToSchema, domain::values::words};

/// Two-factor authentication of the caller's account.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
    /// Whether two-factor authentication is on.
    pub enabled: bool,
    /// Time when it was turned on, in Unix milliseconds.
    #[schema(required)]
    pub confirmed_at: Option<i64>,
    /// Number of unused recovery codes.
    #[schema(example = 10)]
    pub recovery_codes_left: usize,
}

/// Setup data for an authenticator app. Shown once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewSecondFactor {
    /// Secret to type into the app.
    #[schema(example = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")]
    pub secret: String,
    /// The same secret as an `otpauth` URL, for a QR code.
    #[schema(example = "otpauth://totp/Planroom:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Planroom")]
    pub url: String,
}

/// Recovery codes in case the app is lost. Shown once; each code works once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// The codes.
    #[schema(example = json!(["4Q7X-0K9M-ZT2V-8H3D"]))]
    pub recovery_codes: Vec<String>,
}

words! {
    /// Kind of a two-factor authentication code.
    Method {
        /// A code from the authenticator app.
        Totp = "totp",
        /// A recovery code.
        RecoveryCode = "recovery-code",
    }
}

/// A stored second factor.
#[derive(Debug, Clone)]
pub(in crate::domain) struct Factor {
    /// The TOTP secret, encrypted.
    pub secret: Vec<u8>,
    pub confirmed_at: Option<i64>,
    pub last_step: Option<i64>,
    /// JSON: the SHA-256 of each unused recovery code, in hexadecimal.
    pub recovery_codes: String,
}
