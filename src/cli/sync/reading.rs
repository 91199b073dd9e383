//! What is sent of a reading: its rows with their origins, changed as the configuration says.

use std::collections::HashSet;

use import::{Component, Reading};
use serde_json::{Map, Value};

use super::config::Config;
use crate::{
    cli::output::Failure,
    domain::{catalogue::CATALOGUE, sync},
};

/// The rows as JSON, and the names in the configuration that are no components of the source.
pub(super) fn rows(reading: &Reading, config: &Config) -> Result<(Map<String, Value>, Vec<String>), Failure> {
    let mut reading = reading.clone();
    let unused = apply(&mut reading, config)?;
    match serde_json::to_value(sync::Reading::of(reading)?)? {
        Value::Object(rows) => Ok((rows, unused)),
        _ => Err("a reading is no object".into()),
    }
}

/// Leaves out ignored components, and renames and retypes others. Returns what the configuration names but the source does
/// not have.
fn apply(reading: &mut Reading, config: &Config) -> Result<Vec<String>, Failure> {
    let mut used: HashSet<&str> = HashSet::new();
    let is_named = |one: &Component, name: &str| one.origin.key == name || one.name == name;
    let mut dropped: HashSet<String> = HashSet::new();
    for one in &reading.components {
        for name in config.ignore.iter().filter(|name| is_named(one, name)) {
            used.insert(name);
            dropped.insert(one.id.clone());
        }
    }
    for one in &mut reading.components {
        if let Some((name, type_id)) = config.types.iter().find(|(name, _)| is_named(one, name)) {
            let known = CATALOGUE.component_types.iter().find(|known| known.id == type_id);
            one.type_id = known.ok_or_else(|| unknown_type(name, type_id))?.id;
            one.inferred.retain(|field| *field != "type");
            used.insert(name);
        }
        if let Some((name, alias)) = config.aliases.iter().find(|(name, _)| is_named(one, name)) {
            let key_name = std::mem::replace(&mut one.name, alias.clone());
            one.code_name.get_or_insert(key_name);
            one.inferred.retain(|field| *field != "name");
            used.insert(name);
        }
        used.extend(config.same.keys().filter(|name| is_named(one, name)).map(String::as_str));
        used.extend(config.owners.keys().filter(|key| one.origin.key == **key).map(String::as_str));
    }
    drop_components(reading, &dropped);
    let named = config.ignore.iter().chain(config.types.keys()).chain(config.aliases.keys());
    let named = named.chain(config.same.keys()).chain(config.owners.keys().filter(|key| *key != "*"));
    Ok(named.filter(|name| !used.contains(name.as_str())).cloned().collect())
}

fn unknown_type(name: &str, type_id: &str) -> Failure {
    let known: Vec<&str> = CATALOGUE.component_types.iter().map(|known| known.id).collect();
    format!(
        "`{type_id}`, the type of `{name}` in the configuration, is no component type; known types: {}",
        known.join(", ")
    )
    .into()
}

/// Removes components and everything that refers to them.
fn drop_components(reading: &mut Reading, dropped: &HashSet<String>) {
    if dropped.is_empty() {
        return;
    }
    let stays = |id: &String| !dropped.contains(id);
    reading.components.retain(|one| stays(&one.id));
    reading.relationships.retain(|one| stays(&one.source_id) && stays(&one.target_id));
    reading.stakeholders.retain(|one| stays(&one.component_id));
    reading.links.retain(|one| stays(&one.component_id));
    reading.view_places.retain(|one| stays(&one.component_id));
    for one in &mut reading.processes {
        one.participants.retain(|_, id| id.as_str().is_none_or(|id| !dropped.contains(id)));
    }
    for one in &mut reading.views {
        one.definition.include[0].ids.retain(stays);
    }
    reading.views.retain(|one| !one.definition.include[0].ids.is_empty());
    let views: HashSet<&str> = reading.views.iter().map(|one| one.id.as_str()).collect();
    reading.view_places.retain(|one| views.contains(one.view_id.as_str()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use import::{Files, Format, Options};

    const COMPOSE: &str = "
services:
  web:
    image: nginx
    depends_on: [cart, otel-collector]
  cart:
    image: acme/cart
    depends_on: [otel-collector]
  otel-collector:
    image: otel/collector
";

    fn read() -> Reading {
        let files = Files::of("compose.yaml", COMPOSE).unwrap();
        import::read(Format::Compose, &files, &Options::default()).unwrap()
    }

    #[test]
    fn components_are_ignored_renamed_and_retyped() {
        let mut config = Config { ignore: vec!["otel-collector".into(), "gone".into()], ..Config::default() };
        config.aliases.insert("web".into(), "Storefront".into());
        config.types.insert("cart".into(), "cache".into());
        let mut reading = read();
        assert_eq!(apply(&mut reading, &config).unwrap(), ["gone"]);
        let found: Vec<(&str, &str)> = reading.components.iter().map(|one| (one.name.as_str(), one.type_id)).collect();
        assert!(found.contains(&("Storefront", "gateway")) && found.contains(&("cart", "cache")), "{found:?}");
        assert!(!found.iter().any(|(name, _)| *name == "otel-collector"));
        let ids: HashSet<&str> = reading.components.iter().map(|one| one.id.as_str()).collect();
        assert!(reading.relationships.iter().all(|one| ids.contains(&*one.source_id) && ids.contains(&*one.target_id)));
    }

    #[test]
    fn an_unknown_type_is_an_error() {
        let mut config = Config::default();
        config.types.insert("cart".into(), "cach".into());
        let error = apply(&mut read(), &config).unwrap_err().to_string();
        assert!(error.starts_with("`cach`, the type of `cart` in the configuration, is no component type"), "{error}");
    }

    #[test]
    fn rows_have_their_origin() {
        let (rows, _) = rows(&read(), &Config::default()).unwrap();
        let web = rows["components"].as_array().unwrap().iter().find(|one| one["name"] == "web").unwrap();
        assert_eq!(web["origin"], serde_json::json!({ "key": "web", "scope": "/", "file": "compose.yaml", "line": 3 }));
    }
}
