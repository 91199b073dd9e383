//! Settings of the instance.

use axum::{Json, extract::State};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    api::Api,
    error::Result,
    extract::{Asked, Write},
    route::IN_TABLE,
};
use crate::domain::settings::{self, ListedSetting, SettingsPatch};

/// Settings.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettingsAnswer {
    /// All of them.
    settings: Vec<ListedSetting>,
}

/// List settings
///
/// With what each holds now and who said so. Secrets are not shown.
#[utoipa::path(get, path = IN_TABLE, tag = "Administration", operation_id = "listSettings",
    responses((status = 200, description = "The settings", body = SettingsAnswer)))]
pub async fn list(State(api): State<Api>, Asked(call): Asked) -> Result<Json<SettingsAnswer>> {
    Ok(Json(SettingsAnswer { settings: api.gate.admin_view(call, settings::list).await? }))
}

/// Change settings
///
/// All that are named, or none when one of them cannot be. What the configuration decides is locked: 409 says where it
/// can be changed.
#[utoipa::path(patch, path = IN_TABLE, tag = "Administration", operation_id = "updateSettings",
    request_body = SettingsPatch, responses((status = 200, description = "All settings", body = SettingsAnswer)))]
pub async fn update(
    State(api): State<Api>,
    Write { call, body, .. }: Write<SettingsPatch>,
) -> Result<Json<SettingsAnswer>> {
    Ok(Json(SettingsAnswer { settings: api.gate.admin(call, |tx| settings::update(tx, body)).await? }))
}
