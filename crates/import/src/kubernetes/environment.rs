//! Hosts in the environment, arguments and configuration of containers.
//!
//! Config maps are read, because addresses are often there. Secrets are not.

use std::collections::{HashMap, HashSet};

use super::object::Object;
use crate::{builder::Builder, files::Refusal, hosts, node::Node};

/// Maximum length of all values that are searched for hosts, in bytes.
const MAX_SEARCHED_BYTES: usize = 2 << 20;
/// Steps for a variable, and bytes of its name that are looked up in a step.
const VARIABLE_STEPS: usize = 3;
const NAME_BYTES_PER_STEP: usize = 64;
/// Maximum length of a value after variables are replaced, in bytes.
const MAX_VALUE_BYTES: usize = 4 << 10;

/// The data of config maps, by namespace and name.
pub(super) struct Environment<'o> {
    maps: HashMap<(&'o str, &'o str), &'o [(String, Node)]>,
    /// The values of config maps, by namespace, name and key.
    values: HashMap<(&'o str, &'o str, &'o str), &'o Node>,
    searched: usize,
}

/// A host, and the variable that names it.
pub(super) struct Found<'o> {
    pub(super) host: String,
    pub(super) variable: Option<&'o str>,
    pub(super) line: u32,
}

impl<'o> Environment<'o> {
    pub(super) fn new(objects: &'o [Object]) -> Self {
        let maps = objects.iter().filter(|object| object.kind == "ConfigMap");
        let maps = maps.map(|map| ((map.namespace.as_str(), map.name.as_str()), map.node.entries("data")));
        let maps: HashMap<_, _> = maps.collect();
        let entries = maps.iter().flat_map(|((namespace, name), data)| {
            data.iter().map(|(key, value)| ((*namespace, *name, key.as_str()), value))
        });
        Self { values: entries.collect(), maps, searched: 0 }
    }

    /// Whether the values are too large to search all of them.
    pub(super) fn is_exhausted(&self) -> bool {
        self.searched > MAX_SEARCHED_BYTES
    }

    /// The hosts that a workload names.
    pub(super) fn hosts(&mut self, builder: &Builder<'_>, workload: &'o Object) -> Result<Vec<Found<'o>>, Refusal> {
        let mut found = Vec::new();
        for container in workload.containers() {
            let own = self.variables(builder, workload, container)?;
            let values: HashMap<&str, &str> = own.iter().map(|(name, value, _)| (*name, *value)).collect();
            for (name, value, line) in &own {
                let value = replaced(value, &values);
                if self.count(value.len()) {
                    return Ok(found);
                }
                let hosts = hosts::in_value(name, &value).into_iter();
                found.extend(hosts.map(|host| Found { host, variable: Some(*name), line: *line }));
            }
            for field in ["command", "args"] {
                let words: Vec<String> = container.texts(field).map(|word| replaced(word, &values)).collect();
                builder.charge_steps(words.len(), workload.at)?;
                if self.count(words.iter().map(String::len).sum()) {
                    return Ok(found);
                }
                let line = container.get(field).map_or(container.line, |node| node.line);
                let hosts = hosts::in_command(words.iter().map(String::as_str)).into_iter();
                found.extend(hosts.map(|host| Found { host, variable: None, line }));
            }
        }
        for volume in workload.pod().get("spec").map_or(&[][..], |spec| spec.items("volumes")) {
            let projected = volume.at(&["projected", "sources"]).map_or(&[][..], Node::as_list).iter();
            let maps = projected.filter_map(|source| source.at(&["configMap", "name"]));
            for name in maps.chain(volume.at(&["configMap", "name"])).filter_map(Node::as_text) {
                for (_, value) in self.map(workload, name) {
                    builder.charge_steps(1, workload.at)?;
                    let text = value.as_text().unwrap_or_default();
                    if self.count(text.len()) {
                        return Ok(found);
                    }
                    let hosts = hosts::in_text(text).into_iter();
                    found.extend(hosts.map(|host| Found { host, variable: None, line: volume.line }));
                }
            }
        }
        Ok(found)
    }

    fn map(&self, workload: &'o Object, name: &'o str) -> &'o [(String, Node)] {
        self.maps.get(&(workload.namespace.as_str(), name)).copied().unwrap_or_default()
    }

    /// The variables of a container with their value and line. The value of a secret is unknown.
    fn variables(
        &self,
        builder: &Builder<'_>,
        workload: &'o Object,
        container: &'o Node,
    ) -> Result<Vec<(&'o str, &'o str, u32)>, Refusal> {
        let mut variables = Vec::new();
        let mut maps = HashSet::new();
        for source in container.items("envFrom") {
            builder.charge_steps(VARIABLE_STEPS, workload.at)?;
            let Some(name) = source.at(&["configMapRef", "name"]).and_then(Node::as_text) else { continue };
            if !maps.insert(name) {
                continue;
            }
            for (name, value) in self.map(workload, name) {
                builder.charge_steps(VARIABLE_STEPS + name.len() / NAME_BYTES_PER_STEP, workload.at)?;
                variables.extend(value.scalar().map(|value| (name.as_str(), value, source.line)));
            }
        }
        for variable in container.items("env") {
            builder.charge_steps(VARIABLE_STEPS, workload.at)?;
            let Some(name) = variable.text("name") else { continue };
            let value = match variable.at(&["valueFrom", "configMapKeyRef"]) {
                Some(reference) => reference.text("name").zip(reference.text("key")).and_then(|(map, key)| {
                    self.values.get(&(workload.namespace.as_str(), map, key)).and_then(|value| value.scalar())
                }),
                None => variable.get("value").and_then(Node::scalar),
            };
            variables.extend(value.map(|value| (name, value, variable.line)));
        }
        Ok(variables)
    }

    /// Counts searched bytes. Returns whether the search must end.
    fn count(&mut self, bytes: usize) -> bool {
        self.searched += bytes;
        self.is_exhausted()
    }
}

/// A text with the values of `$(NAME)` and, for shells, `${NAME}`.
fn replaced(text: &str, values: &HashMap<&str, &str>) -> String {
    let (mut out, mut rest) = (String::new(), &text[..text.floor_char_boundary(16 * MAX_VALUE_BYTES)]);
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let close = match rest.as_bytes().get(1) {
            Some(b'(') => ')',
            Some(b'{') => '}',
            _ => '\0',
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let length = rest.get(2..).map_or(0, |name| name.find(|c| !is_name(c)).unwrap_or(name.len()));
        let value = match rest.get(2..2 + length) {
            Some(name) if rest[2 + length..].starts_with(close) => values.get(name),
            _ => None,
        };
        match value {
            Some(value) if out.len() + value.len() <= 16 * MAX_VALUE_BYTES => {
                out.push_str(value);
                rest = &rest[2 + length + 1..];
            }
            _ => {
                out.push('$');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_replaced_once() {
        let values = HashMap::from([("HOST", "db"), ("LOOP", "$(LOOP)$(HOST)")]);
        for (text, value) in [
            ("$(HOST):5432", "db:5432"),
            ("http://${HOST}/", "http://db/"),
            ("$(LOOP)", "$(LOOP)$(HOST)"),
            ("$(NONE) $$ $ $(HOST $(", "$(NONE) $$ $ $(HOST $("),
            ("$ü $(ü)", "$ü $(ü)"),
        ] {
            assert_eq!(replaced(text, &values), value, "{text}");
        }
    }
}
