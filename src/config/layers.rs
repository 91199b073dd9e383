//! The layers of the configuration. Each is parsed into leaves and merged with the layers below.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;
use toml::{
    Spanned, Table, Value,
    de::{DeTable, DeValue, ValueDeserializer},
};

use crate::settings::{self, Fixed, SettingSource};

use super::{
    Config, ConfigEntry, ConfigError, EXAMPLE, Flags, Notice, ValueSource,
    rules::{self, Rule, is_secret, shown},
};

/// The variable with the path of the file.
pub(super) const FILE_VARIABLE: &str = "PLANROOM_CONFIG";
/// Prefix of all variables.
const PREFIX: &str = "PLANROOM_";
/// Suffix of variables with the path of a file that contains a secret.
const FILE: &str = "_FILE";
/// Prefixes of variables that other code reads: tests, the first administrator, the stdio bridge.
const EXTERNAL_PREFIXES: [&str; 3] = ["PLANROOM_TEST_", "PLANROOM_ADMIN_", "PLANROOM_CLIENT_"];

/// Maximum edit distance for a suggestion.
const MAX_EDIT_DISTANCE: usize = 3;

/// One key with its value.
#[derive(Debug)]
struct Leaf {
    /// The key with its section, such as `log.format`.
    key: String,
    value: Value,
    source: ValueSource,
    /// Line in the file, from 1; 0 without a file.
    line: usize,
}

impl Leaf {
    /// The place for error messages.
    fn place(&self) -> String {
        match &self.source {
            ValueSource::Default => "default".into(),
            ValueSource::File(path) => format!("{}:{}", path.display(), self.line),
            ValueSource::Environment(name) => name.clone(),
            ValueSource::Flag(name) => (*name).into(),
        }
    }

    /// The error that this value violates `rule`.
    fn breaks(&self, rule: &Rule) -> ConfigError {
        let found = shown(&self.key, &self.value);
        ConfigError::Invalid { place: self.place(), key: self.key.clone(), found, allowed: rule.allowed() }
    }
}

/// The merged layers: a leaf for every key, in the order of the example file, and ignored variables.
#[derive(Debug)]
pub(super) struct Layers(Vec<Leaf>, Vec<Notice>);

impl Layers {
    /// The lowest layer. It contains every key and therefore defines the keys and their types.
    pub(super) fn defaults() -> Result<Self, ConfigError> {
        Ok(Self(read(EXAMPLE, &ValueSource::Default, |_| true)?, Vec::new()))
    }

    /// Merges a file.
    pub(super) fn add_file(&mut self, path: &Path) -> Result<(), ConfigError> {
        let text =
            std::fs::read_to_string(path).map_err(|cause| ConfigError::Unreadable { path: path.to_owned(), cause })?;
        for leaf in read(&text, &ValueSource::File(path.to_owned()), |name| self.is_section(name))? {
            self.add(leaf)?;
        }
        Ok(())
    }

    /// Merges the environment. A variable is parsed as the type of its key's default.
    pub(super) fn add_environment(&mut self, env: &BTreeMap<String, String>) -> Result<(), ConfigError> {
        let foreign =
            |name: &str| !name.starts_with(PREFIX) || EXTERNAL_PREFIXES.iter().any(|other| name.starts_with(other));
        for (name, text) in env.iter().filter(|(name, _)| !foreign(name) && *name != FILE_VARIABLE) {
            let is_key = self.0.iter().any(|leaf| variable(&leaf.key) == *name);
            if !is_key && is_service_link(name, text) {
                self.1.push(Notice::ServiceLink(name.clone()));
                continue;
            }
            if let Some(leaf) = self.secret_file(name, Path::new(text))? {
                self.add(leaf)?;
                continue;
            }
            let Some(old) = self.0.iter().find(|leaf| variable(&leaf.key) == *name) else {
                if self.is_for_us(name) {
                    let hint = hint(name, self.0.iter().map(|leaf| variable(&leaf.key)));
                    return Err(ConfigError::UnknownVariable { name: name.clone(), hint });
                }
                self.1.push(Notice::UnknownVariable(name.clone()));
                continue;
            };
            let value = typed(text, &old.value);
            self.add(Leaf { key: old.key.clone(), value, source: ValueSource::Environment(name.clone()), line: 0 })?;
        }
        Ok(())
    }

    /// Reads a secret from the file in a variable with the suffix `_FILE`. None for other variables.
    fn secret_file(&self, name: &str, path: &Path) -> Result<Option<Leaf>, ConfigError> {
        let named = |leaf: &&Leaf| is_secret(&leaf.key) && name.strip_suffix(FILE) == Some(&variable(&leaf.key));
        let Some(old) = self.0.iter().find(named) else { return Ok(None) };
        if matches!(old.source, ValueSource::Environment(_)) {
            return Err(ConfigError::Invalid {
                place: name.into(),
                key: old.key.clone(),
                found: shown(&old.key, &old.value),
                allowed: format!("set by either {} or {name}, not both", variable(&old.key)),
            });
        }
        let text = std::fs::read_to_string(path).map_err(|cause| ConfigError::UnreadableSecret {
            name: name.into(),
            path: path.to_owned(),
            cause,
        })?;
        let value = Value::from(text.trim_end_matches(['\n', '\r']));
        Ok(Some(Leaf { key: old.key.clone(), value, source: ValueSource::Environment(name.into()), line: 0 }))
    }

    /// Merges the flags.
    pub(super) fn add_flags(&mut self, flags: &Flags) -> Result<(), ConfigError> {
        let data_dir = flags.data_dir.as_deref().map(data_dir).transpose()?;
        for (key, flag, value) in [
            ("data_dir", "--data-dir", &data_dir),
            ("listen", "--listen", &flags.listen),
            ("public_url", "--public-url", &flags.public_url),
        ] {
            if let Some(value) = value {
                let value = Value::from(value.as_str());
                self.add(Leaf { key: key.into(), value, source: ValueSource::Flag(flag), line: 0 })?;
            }
        }
        Ok(())
    }

    /// The resulting configuration.
    pub(super) fn config(&self) -> Result<Config, ConfigError> {
        let config: Config = serde_path_to_error::deserialize(Value::Table(self.nested())).map_err(|error| {
            let path = error.path().to_string();
            let key = path.split('[').next();
            match self.0.iter().find(|leaf| Some(leaf.key.as_str()) == key) {
                Some(leaf) => leaf.breaks(&Rule::of(&leaf.key)),
                None => ConfigError::Defaults(error.to_string()),
            }
        })?;
        if let Some(leaf) = self.0.iter().find(|leaf| !Rule::of(&leaf.key).admits(&leaf.value)) {
            return Err(leaf.breaks(&Rule::of(&leaf.key)));
        }
        let contradiction = config.tls.contradiction(&config.public_url);
        let contradiction = contradiction.or_else(|| config.identity.oidc.contradiction());
        let contradiction = contradiction.or_else(|| config.mail.contradiction());
        let contradicts =
            contradiction.and_then(|(key, must)| Some((self.0.iter().find(|leaf| leaf.key == key)?, must)));
        match contradicts {
            Some((leaf, must)) => Err(leaf.breaks(&Rule::Type(must))),
            None => Ok(Config { settings: self.0.iter().filter_map(fixed).collect(), ..config }),
        }
    }

    /// Every key, for display.
    pub(super) fn entries(&self) -> Vec<ConfigEntry> {
        let entry = |leaf: &Leaf| ConfigEntry {
            key: leaf.key.clone(),
            value: shown(&leaf.key, &leaf.value),
            source: leaf.source.clone(),
            secret: is_secret(&leaf.key),
        };
        self.0.iter().map(entry).collect()
    }

    /// Whether an unknown variable is probably a mistyped key: it resembles a key, begins with the name of a section,
    /// or has the suffix `_FILE` for a key that is not secret.
    fn is_for_us(&self, name: &str) -> bool {
        self.0.iter().any(|leaf| {
            let known = variable(&leaf.key);
            let section = leaf.key.split_once('.').map(|(section, _)| variable(section) + "_");
            strsim::osa_distance(name, &known) <= MAX_EDIT_DISTANCE
                || name.strip_suffix(FILE) == Some(known.as_str())
                || section.is_some_and(|section| name.starts_with(&section))
        })
    }

    /// Ignored environment variables.
    pub(super) fn notices(&self) -> Vec<Notice> {
        self.1.clone()
    }

    /// Whether there is a section with this name.
    fn is_section(&self, name: &str) -> bool {
        self.0.iter().any(|leaf| leaf.key.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
    }

    /// Replaces the leaf with the same key. The type must be that of the default.
    fn add(&mut self, new: Leaf) -> Result<(), ConfigError> {
        match self.0.iter().position(|old| old.key == new.key) {
            Some(at) if self.0[at].value.same_type(&new.value) => {
                self.0[at] = new;
                Ok(())
            }
            Some(_) => Err(new.breaks(&Rule::of(&new.key))),
            None if self.is_section(&new.key) => Err(new.breaks(&Rule::SECTION)),
            None => {
                let hint = hint(&new.key, self.0.iter().map(|leaf| leaf.key.clone()));
                Err(ConfigError::UnknownKey { place: new.place(), key: new.key, hint })
            }
        }
    }

    /// The leaves as a TOML document, without settings, which have their own registry.
    fn nested(&self) -> Table {
        let mut root = Table::new();
        for Leaf { key, value, .. } in self.0.iter().filter(|leaf| settings::find(&leaf.key).is_none()) {
            let (sections, name) = key.rsplit_once('.').unwrap_or(("", key));
            let mut sections = sections.split('.').filter(|section| !section.is_empty());
            let table = sections.try_fold(&mut root, |table, section| {
                table.entry(section).or_insert_with(|| Table::new().into()).as_table_mut()
            });
            if let Some(table) = table {
                table.insert(name.into(), value.clone());
            }
        }
        root
    }
}

/// The setting that this leaf fixes. None if it has its default, or is not a setting.
fn fixed(leaf: &Leaf) -> Option<Fixed> {
    let (setting, value) = (settings::find(&leaf.key)?, rules::json(&leaf.value)?);
    let source = match leaf.source {
        ValueSource::Default => return None,
        ValueSource::File(_) => SettingSource::File,
        ValueSource::Environment(_) => SettingSource::Environment,
        ValueSource::Flag(_) => SettingSource::Flag,
    };
    Some(Fixed { setting, value, source, place: leaf.place() })
}

/// Parses a TOML text into leaves, in order. A table is a section if `is_section` says so, or if it has keys, so that
/// errors name these.
fn read(text: &str, source: &ValueSource, is_section: impl Fn(&str) -> bool) -> Result<Vec<Leaf>, ConfigError> {
    let leaf = |key: String, at: usize, value: Spanned<DeValue<'_>>| {
        let value = Value::deserialize(ValueDeserializer::from(value)).map_err(|error| syntax(text, source, &error))?;
        Ok(Leaf { key, value, source: source.clone(), line: position(text, at).0 })
    };
    let root = DeTable::parse(text).map_err(|error| syntax(text, source, &error))?.into_inner();
    let mut leaves = Vec::new();
    let mut sections = vec![(String::new(), root)];
    while let Some((section, table)) = sections.pop() {
        for (name, value) in table {
            let at = name.span().start;
            let key = match section.as_str() {
                "" => part(name.get_ref()),
                section => format!("{section}.{}", part(name.get_ref())),
            };
            match value.get_ref() {
                DeValue::Table(inner) if is_section(&key) || (section.is_empty() && !inner.is_empty()) => {
                    sections.push((key, inner.clone()));
                }
                _ => leaves.push(leaf(key, at, value)?),
            }
        }
    }
    leaves.sort_by_key(|leaf| leaf.line);
    Ok(leaves)
}

/// A part of a key, quoted if TOML requires it: `"log.format"` at the top level is not the key `log.format`.
fn part(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.chars().all(bare) { name.into() } else { format!("{name:?}") }
}

/// The error for invalid TOML.
fn syntax(text: &str, source: &ValueSource, error: &toml::de::Error) -> ConfigError {
    let (line, column) = position(text, error.span().map_or(0, |span| span.start));
    match source {
        ValueSource::File(path) => ConfigError::Syntax {
            place: format!("{}:{line}:{column}", path.display()),
            message: format!("{}{}", error.message(), quotes_hint(text, line)),
        },
        _ => ConfigError::Defaults(error.to_string()),
    }
}

/// A hint for a text without quotes, whose syntax error is about something else.
fn quotes_hint(text: &str, line: usize) -> &'static str {
    let line = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let value = line.split_once('=').map_or("", |(_, value)| value.trim());
    let is_bare = !value.starts_with(['"', '\'', '[', '{']);
    let is_text = value.contains([':', '/']) || value.starts_with(|c: char| c.is_alphabetic());
    if is_bare && is_text { "; texts, such as addresses and paths, must be in quotes" } else { "" }
}

/// Line and column, in characters and from 1, of the byte at `offset`.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// The path from `--data-dir` as a string. Rejects paths that are not UTF-8, because a lossy conversion would change
/// them.
fn data_dir(path: &Path) -> Result<String, ConfigError> {
    path.to_str().map(str::to_owned).ok_or_else(|| ConfigError::Invalid {
        place: "--data-dir".into(),
        key: "data_dir".into(),
        found: format!("\"{}\"", path.display()),
        allowed: Rule::Path.allowed(),
    })
}

/// Whether Kubernetes or Docker has set this variable for a service or linked container whose name begins with
/// `planroom`, such as `PLANROOM_PORT=tcp://10.0.0.1:8420`.
fn is_service_link(name: &str, text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_address = ["tcp://", "udp://", "sctp://"].iter().any(|scheme| text.starts_with(scheme));
    let service = name.ends_with("_SERVICE_HOST") || name.contains("_SERVICE_PORT");
    // Such as PLANROOM_PORT_8420_TCP, optionally with the suffix _PROTO, _PORT or _ADDR.
    let port = name.split_once("_PORT_").is_some_and(|(_, rest)| {
        let mut parts = rest.splitn(3, '_');
        parts.next().is_some_and(is_number)
            && matches!(parts.next(), Some("TCP" | "UDP" | "SCTP"))
            && matches!(parts.next(), None | Some("PROTO" | "PORT" | "ADDR"))
    });
    is_address || service || port
}

/// The environment variable for `key`.
fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "_").to_uppercase())
}

/// Parses a variable as the type of `default`. Invalid text remains a string, for the error message.
fn typed(text: &str, default: &Value) -> Value {
    match default {
        Value::String(_) => text.into(),
        Value::Array(_) => {
            let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
            Value::Array(items.map(Value::from).collect())
        }
        _ => text.parse().ok().filter(|value: &Value| value.same_type(default)).unwrap_or_else(|| text.into()),
    }
}

/// A suggestion for the unknown `name`: the nearest of `known`, if it is near enough for a typo.
fn hint(name: &str, known: impl Iterator<Item = String>) -> String {
    let near = known
        .map(|known| (strsim::osa_distance(name, &known), known))
        .filter(|(distance, _)| *distance <= MAX_EDIT_DISTANCE)
        .min();
    match near {
        Some((_, known)) => format!("did you mean {known}?"),
        None => "config.example.toml lists all keys".into(),
    }
}
