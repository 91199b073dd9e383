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
    /// The ways to sign in: `password`, and `oidc` for an identity provider outside.
    #[schema(example = json!(["password", "oidc"]))]
    pub methods: Vec<&'static str>,
    /// What people call the identity provider; null when one cannot sign in at one.
    #[schema(required, example = "Acme's directory")]
    pub provider_name: Option<String>,
    /// Name of the instance.
    #[schema(example = "Planroom")]
    pub instance_name: String,
    /// Whether anybody has an account. If not, the link that the server printed makes the first.
    pub has_users: bool,
    /// Whether strangers may put themselves on the waitlist.
    pub waitlist_open: bool,
}

/// What those who have not signed in yet are told of the instance.
pub fn sign_in_config(tx: &PublicTx<'_>) -> Result<SignInConfig> {
    let core = tx.core();
    let provider = core.shared.sessions.external.as_ref().filter(|external| external.signs_in);
    let passwords = !core.shared.sessions.sso_only();
    Ok(SignInConfig {
        methods: passwords.then_some("password").into_iter().chain(provider.map(|_| "oidc")).collect(),
        provider_name: provider.map(|external| external.name.clone()),
        instance_name: settings::instance_name(core)?,
        has_users: store::users::any(core.conn)?,
        waitlist_open: settings::waitlist_is_open(core)?,
    })
}

/// Notes that session JWTs are signed with another key.
pub fn key_rotated(tx: &mut SystemTx<'_>, kid: &str) -> Result<()> {
    tx.core().audit("key.rotate", None, &json!({ "kid": kid }))
}
