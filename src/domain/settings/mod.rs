//! Reading and updating instance settings.

mod store;

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Value, json};

pub(in crate::domain) use self::store::{delete, get};
use super::{
    core::{AdminTx, Core, Reads, SelfTx},
    input::Input,
};
use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ObjectBuilder, RefOr, Schema},
    },
    error::{Error, Problem, Remedy, Result},
    settings::{
        AUDIT_DAYS, CLI_DOWNLOAD, Fixed, HISTORY_DAYS, INSTANCE_NAME, ORGANIZATIONS_CREATION, REGISTRY,
        SHARING_MAX_DAYS, SHARING_MODE, SHARING_PASSWORD_REQUIRED, SOURCES_STALE_AFTER_DAYS, Setting, SettingSource,
        SettingType, WAITLIST_OPEN, WEBHOOKS_ENABLED, WIKI_CLIENT_ID, WIKI_CLIENT_SECRET, find,
    },
    wiki::{OauthClient, Secret},
};

/// A setting as administrators see it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedSetting {
    /// Key of the setting, in the API and in the configuration.
    #[schema(example = "instance.name")]
    pub key: String,
    /// Name of the setting, for administrators.
    #[serde(default)]
    #[schema(required, example = "Instance name")]
    pub name: String,
    /// Current value; null for a secret.
    #[schema(required, value_type = Option<Value>, example = "Planroom")]
    pub value: Value,
    /// Default value; null for a secret.
    #[schema(required, value_type = Option<Value>, example = "Planroom")]
    pub default: Value,
    /// Where the current value comes from.
    pub source: SettingSource,
    /// Whether the configuration sets the value. A locked setting cannot be changed here.
    pub locked: bool,
    /// For a locked setting: where it can be changed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "PLANROOM_INSTANCE_NAME")]
    pub locked_by: Option<String>,
    /// Whether the value is never shown.
    pub secret: bool,
    /// For a secret: whether a value is set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub is_set: Option<bool>,
    /// Description of the setting.
    pub description: String,
    /// `text`, `secret`, `flag`, `choice` or `number`.
    #[schema(example = "text")]
    pub kind: String,
    /// For a choice: the allowed values.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub choices: Option<Vec<String>>,
}

/// Settings to update, by key. `null` resets a setting to its default.
#[derive(Clone)]
pub struct SettingsPatch(Vec<(String, Value)>);

impl Input for SettingsPatch {}

impl<'de> Deserialize<'de> for SettingsPatch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = SettingsPatch;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of settings")
            }
            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> std::result::Result<SettingsPatch, A::Error> {
                let mut changes = Vec::new();
                while let Some(change) = map.next_entry()? {
                    changes.push(change);
                }
                Ok(SettingsPatch(changes))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

impl PartialSchema for SettingsPatch {
    fn schema() -> RefOr<Schema> {
        REGISTRY
            .into_iter()
            .fold(ObjectBuilder::new(), |object, setting| object.property(setting.key, setting.schema()))
            .description(Some("By key, each with its new value; null resets one to its default"))
            .examples([json!({ "instance.name": "Plans of Acme", "waitlist.open": null })])
            .into()
    }
}
impl ToSchema for SettingsPatch {}

/// Lists all settings.
pub fn list(tx: &AdminTx<'_>) -> Result<Vec<ListedSetting>> {
    REGISTRY.into_iter().map(|setting| listed(tx.core(), setting)).collect()
}

/// Updates settings atomically: if a value is rejected, no setting changes.
pub fn update(tx: &mut AdminTx<'_>, patch: SettingsPatch) -> Result<Vec<ListedSetting>> {
    let mut seen = Vec::new();
    for (key, value) in patch.0 {
        let setting = find(&key).ok_or_else(|| unknown(&key))?;
        if seen.contains(&setting.key) {
            return Err(Error::invalid(key, Problem::Repeated));
        }
        seen.push(setting.key);
        set(tx, setting, Some(value).filter(|value| !value.is_null()))?;
    }
    list(tx)
}

/// Name of this instance.
pub(in crate::domain) fn instance_name(core: &Core<'_>) -> Result<String> {
    Ok(now(core, &INSTANCE_NAME)?.0.as_str().unwrap_or_default().to_owned())
}

/// Number of days that the change history is stored; none means forever.
pub(in crate::domain) fn history_days(core: &Core<'_>) -> Result<Option<i64>> {
    Ok(now(core, &HISTORY_DAYS)?.0.as_i64().filter(|days| *days > 0))
}

/// Number of days that audit events are stored; none means forever.
pub(in crate::domain) fn audit_days(core: &Core<'_>) -> Result<Option<i64>> {
    Ok(now(core, &AUDIT_DAYS)?.0.as_i64().filter(|days| *days > 0))
}

/// Whether every user may create organizations, not only administrators of the instance.
pub(in crate::domain) fn everyone_can_create_organizations(core: &Core<'_>) -> Result<bool> {
    Ok(now(core, &ORGANIZATIONS_CREATION)?.0 == "everyone")
}

/// The settings of share links.
pub(in crate::domain) struct Sharing {
    /// A word of the setting.
    pub mode: String,
    /// Maximum number of days until a link expires; none means forever.
    pub max_days: Option<i64>,
    /// Whether links need a password.
    pub password_required: bool,
}

/// Which share links are allowed.
pub(in crate::domain) fn sharing(core: &Core<'_>) -> Result<Sharing> {
    Ok(Sharing {
        mode: now(core, &SHARING_MODE)?.0.as_str().unwrap_or_default().to_owned(),
        max_days: now(core, &SHARING_MAX_DAYS)?.0.as_i64().filter(|days| *days > 0),
        password_required: now(core, &SHARING_PASSWORD_REQUIRED)?.0 == true,
    })
}

/// The caller, if users can download the command line.
pub fn cli_download(tx: &SelfTx<'_>) -> Result<Option<i64>> {
    let is_on = now(tx.core(), &CLI_DOWNLOAD)?.0 == true;
    Ok(is_on.then_some(tx.caller().user_id))
}

/// Number of days without a sync after which a source is stale; none means never.
pub(in crate::domain) fn stale_after_days(core: &Core<'_>) -> Result<Option<i64>> {
    Ok(now(core, &SOURCES_STALE_AFTER_DAYS)?.0.as_i64().filter(|days| *days > 0))
}

/// Whether the waitlist accepts entries.
pub(in crate::domain) fn waitlist_is_open(core: &Core<'_>) -> Result<bool> {
    Ok(now(core, &WAITLIST_OPEN)?.0 == true)
}

/// Whether organizations can have webhooks.
pub(in crate::domain) fn webhooks_are_on(core: &Core<'_>) -> Result<bool> {
    Ok(now(core, &WEBHOOKS_ENABLED)?.0 == true)
}

/// OAuth client of this instance at the wiki provider; none if not configured.
pub(in crate::domain) fn wiki_client(core: &Core<'_>) -> Result<Option<OauthClient>> {
    let text = |setting| -> Result<String> { Ok(now(core, setting)?.0.as_str().unwrap_or_default().to_owned()) };
    let (id, secret) = (text(&WIKI_CLIENT_ID)?, text(&WIKI_CLIENT_SECRET)?);
    Ok((!id.is_empty() && !secret.is_empty()).then(|| OauthClient { id, secret: Secret::new(secret) }))
}

/// Current value of a setting and its source.
fn now(core: &Core<'_>, setting: &'static Setting) -> Result<(Value, SettingSource)> {
    if let Some(fixed) = fixed(core, setting) {
        return Ok((fixed.value.clone(), fixed.source));
    }
    let stored = stored(core, setting)?.filter(|value| setting.admits(value));
    Ok(stored.map_or_else(|| (setting.default(), SettingSource::Default), |value| (value, SettingSource::Database)))
}

fn fixed<'c>(core: &'c Core<'_>, setting: &'static Setting) -> Option<&'c Fixed> {
    core.shared.settings.iter().find(|fixed| fixed.setting.key == setting.key)
}

/// Value of a setting in the database. A secret that was encrypted with other keys counts as missing.
fn stored(core: &Core<'_>, setting: &Setting) -> Result<Option<Value>> {
    let Some(text) = store::get(core.conn, setting.key)? else { return Ok(None) };
    let value: Value = serde_json::from_str(&text)?;
    if !setting.is_secret() {
        return Ok(Some(value));
    }
    let sealed = STANDARD.decode(value.as_str().unwrap_or_default()).unwrap_or_default();
    let opened = core.shared.keys.open(&purpose(setting), &sealed).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    if opened.is_none() {
        tracing::warn!(
            key = setting.key,
            "cannot decrypt a secret setting, because it was encrypted with other keys; set it again"
        );
    }
    Ok(opened.map(Value::from))
}

/// Writes a setting. Without a value, deletes the stored value.
fn set(tx: &mut AdminTx<'_>, setting: &'static Setting, value: Option<Value>) -> Result<()> {
    let (core, by) = (tx.core(), tx.caller().map(|caller| caller.user_id));
    if let Some(fixed) = fixed(core, setting) {
        return Err(Error::Conflict(format!(
            "{} is locked: it is set by {}; change it there",
            setting.key, fixed.place
        )));
    }
    if value.as_ref().is_some_and(|value| !setting.admits(value)) {
        return Err(Error::invalid(setting.key, format!("must be {}", setting.allowed())));
    }
    if let Some(Value::String(text)) = value.as_ref().filter(|_| !setting.is_secret())
        && text.contains(import::is_hidden)
    {
        return Err(Error::invalid(setting.key, "must not contain invisible characters; type the text again"));
    }
    let before = stored(core, setting)?;
    if before == value {
        return Ok(());
    }
    match &value {
        None => store::delete(core.conn, setting.key)?,
        Some(Value::String(secret)) if setting.is_secret() => {
            let sealed = STANDARD.encode(core.shared.keys.seal(&purpose(setting), secret.as_bytes())?);
            store::put(core.conn, setting.key, &json!(sealed), by, core.now)?;
        }
        Some(value) => store::put(core.conn, setting.key, value, by, core.now)?,
    }
    let details = if setting.is_secret() {
        json!({ "key": setting.key, "secret": true, "isSet": value.is_some_and(|value| value != "") })
    } else {
        json!({ "key": setting.key, "from": before, "to": value })
    };
    core.audit("setting.update", by, &details)
}

fn listed(core: &Core<'_>, setting: &'static Setting) -> Result<ListedSetting> {
    let (value, source) = now(core, setting)?;
    let locked_by = fixed(core, setting).map(|fixed| fixed.place.clone());
    let secret = setting.is_secret();
    let (kind, choices) = match setting.setting_type {
        SettingType::Text(..) => ("text", None),
        SettingType::Secret(_) => ("secret", None),
        SettingType::Flag(_) => ("flag", None),
        SettingType::Whole(..) => ("number", None),
        SettingType::Choice(words) => ("choice", Some(words.iter().map(|word| (*word).to_owned()).collect())),
    };
    Ok(ListedSetting {
        key: setting.key.into(),
        name: setting.name.into(),
        is_set: secret.then(|| value != ""),
        value: if secret { Value::Null } else { value },
        default: if secret { Value::Null } else { setting.default() },
        source,
        locked: locked_by.is_some(),
        locked_by,
        secret,
        description: setting.description.into(),
        kind: kind.into(),
        choices,
    })
}

fn unknown(key: &str) -> Error {
    // The client chooses the key, so its length is unlimited.
    let key: String = key.chars().take(60).collect();
    let near = REGISTRY.into_iter().map(|setting| (strsim::osa_distance(&key, setting.key), setting.key)).min();
    let problem = match near {
        Some((0..=3, near)) => format!("there is no such setting; did you mean `{near}`?").into(),
        _ => Problem::Solvable("there is no such setting".into(), Remedy::ListSettings),
    };
    Error::invalid(key, problem)
}

/// Encryption purpose of a secret setting.
pub(in crate::domain) fn purpose(setting: &Setting) -> String {
    format!("setting {}", setting.key)
}
