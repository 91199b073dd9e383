//! What the instance says of itself, and what its operator does to it.

use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::{
    access::{PublicTx, Reads, SystemTx},
    settings, store,
};
use crate::error::Result;

/// What those who have not signed in yet are told of the instance.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInConfig {
    /// The ways to sign in: `password`.
    #[schema(example = json!(["password"]))]
    pub methods: Vec<&'static str>,
    /// Name of the instance.
    #[schema(example = "Planroom")]
    pub instance_name: String,
    /// Whether anybody has an account. If not, the link that the server printed makes the first.
    pub has_users: bool,
}

/// What those who have not signed in yet are told of the instance.
pub fn sign_in_config(tx: &PublicTx<'_>) -> Result<SignInConfig> {
    let core = tx.core();
    let (instance_name, has_users) = (settings::instance_name(core)?, store::users::any(core.conn)?);
    Ok(SignInConfig { methods: vec!["password"], instance_name, has_users })
}

/// Notes that session JWTs are signed with another key.
pub fn key_rotated(tx: &mut SystemTx<'_>, kid: &str) -> Result<()> {
    tx.core().audit("key.rotate", None, &json!({ "kid": kid }))
}
