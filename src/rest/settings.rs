//! Settings of the instance.

use axum::extract::State;
use serde::Serialize;

use super::{
    access::Admin,
    api::Api,
    error::Result,
    extract::{Authenticated, Write},
    responses::Json,
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::settings::{self, ListedSetting, SettingsPatch},
};

/// Settings.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettingList {
    /// All settings.
    settings: Vec<ListedSetting>,
}

/// List settings
///
/// Includes the current value of each setting and its source. Values of secrets are not included.
#[crate::describe::path(get, path = IN_TABLE, tag = "Administration", operation_id = "listSettings",
    responses((status = 200, description = "The settings", body = SettingList)))]
pub async fn list(State(api): State<Api>, Authenticated(call): Authenticated<Admin>) -> Result<Json<SettingList>> {
    Ok(Json(SettingList { settings: api.gate.read(call, (), settings::list).await? }))
}

/// Update settings
///
/// Updates all given settings, or none if one is invalid or locked. Settings that the configuration sets are locked:
/// the response is 409 and says where to change them.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Administration", operation_id = "updateSettings",
    request_body = SettingsPatch,
    responses((status = 200, description = "All settings after the update", body = SettingList)))]
pub async fn update(
    State(api): State<Api>,
    Write { call, body, .. }: Write<Admin, SettingsPatch>,
) -> Result<Json<SettingList>> {
    Ok(Json(SettingList { settings: api.gate.write(call, (), |tx| settings::update(tx, body)).await? }))
}
