//! The provider's metadata, as `OpenID` Connect Discovery 1.0 defines it.

use serde::{Deserialize, Deserializer, de};
use url::Url;

/// The metadata of the provider.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Discovery {
    pub(super) issuer: String,
    #[serde(deserialize_with = "url")]
    pub(super) authorization_endpoint: Url,
    #[serde(deserialize_with = "url")]
    pub(super) token_endpoint: Url,
    #[serde(default, deserialize_with = "optional_url")]
    pub(super) userinfo_endpoint: Option<Url>,
    #[serde(default)]
    pub(super) end_session_endpoint: Option<String>,
    #[serde(deserialize_with = "url")]
    pub(super) jwks_uri: Url,
    #[serde(default)]
    pub(super) token_endpoint_auth_methods_supported: Vec<String>,
}

fn url<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Url, D::Error> {
    Url::parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
}

fn optional_url<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Option<Url>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| Url::parse(&text).map_err(de::Error::custom)).transpose()
}
