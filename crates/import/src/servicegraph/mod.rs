//! Service graphs: who calls whom, as seen by tracing.
//!
//! Dependencies of Jaeger and Zipkin, and the metrics `traces_service_graph_*` as the result of a Prometheus query, as its
//! text format, and as OTLP. Numbers become properties and not labels, because they are different in each export.

mod call;
mod metrics;

use std::collections::{HashMap, HashSet};

use self::call::Call;
use super::{
    builder::{Arrow, At, Builder, C, Draft},
    files::{File, Refusal},
    node::Node,
};

/// Names that stand for services that send no traces.
const VIRTUAL: [&str; 3] = ["", "unknown", "user"];

/// Whether a file is a service graph.
pub(super) fn recognizes(file: &File) -> bool {
    let text = file.text();
    let has = |part: &str| text.contains(part);
    has("traces_service_graph_")
        || (file.has_extension(&["json"]) && has("\"parent\"") && has("\"child\"") && has("\"callCount\""))
}

/// Reads service graphs.
pub(super) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    builder.scope(Some(":"));
    let mut graph = Graph { builder, components: HashMap::new(), groups: HashMap::new() };
    for &file in files {
        let own = graph.builder.files.at(file);
        let calls = if metrics::is_text_format(own) {
            metrics::text_format(graph.builder, file)?
        } else {
            let mut calls = Vec::new();
            for document in graph.builder.yaml(file)? {
                metrics::document(graph.builder, file, &document, &mut calls)?;
                dependencies(graph.builder, file, &document, &mut calls)?;
            }
            calls
        };
        if calls.is_empty() {
            graph.builder.warn(At::new(file, 1), "the file contains no calls between services");
        }
        graph.add(file, calls)?;
    }
    Ok(())
}

/// The dependencies of Jaeger or Zipkin: a list, or an object with a list `data`.
fn dependencies(builder: &Builder<'_>, file: usize, document: &Node, calls: &mut Vec<Call>) -> Result<(), Refusal> {
    let items = if document.as_list().is_empty() { document.items("data") } else { document.as_list() };
    for item in items {
        let (Some(client), Some(server)) = (item.text("parent"), item.text("child")) else { continue };
        let call = Call {
            client: client.to_owned(),
            server: server.to_owned(),
            calls: item.number("callCount").unwrap_or_default(),
            errors: item.number("errorCount").unwrap_or_default(),
            line: item.line,
            ..Call::default()
        };
        builder.charge(call.estimated_bytes(), At::new(file, item.line))?;
        calls.push(call);
    }
    Ok(())
}

struct Graph<'b, 's> {
    builder: &'b mut Builder<'s>,
    components: HashMap<(String, String), C>,
    groups: HashMap<String, C>,
}

impl Graph<'_, '_> {
    fn add(&mut self, file: usize, calls: Vec<Call>) -> Result<(), Refusal> {
        // Several metrics and labels tell of one pair.
        let (mut pairs, mut order): (HashMap<_, Call>, Vec<_>) = (HashMap::new(), Vec::new());
        for call in calls {
            let ends = [&call.client, &call.server].map(|name| name.trim().to_lowercase());
            if ends.iter().any(|name| VIRTUAL.contains(&name.as_str())) {
                self.builder.ignore("calls from or to services without traces", 1);
                continue;
            }
            let from = (call.client_namespace.clone(), call.client.clone());
            let to = (call.server_namespace.clone(), call.server.clone());
            if from == to {
                self.builder.ignore("calls within a service", 1);
                continue;
            }
            let key = (from, to);
            match pairs.get_mut(&key) {
                Some(known) => {
                    known.calls += call.calls;
                    known.errors += call.errors;
                    if known.system.is_empty() {
                        known.system = call.system;
                    }
                    if known.connection.is_empty() {
                        known.connection = call.connection;
                    }
                }
                None => {
                    order.push(key.clone());
                    pairs.insert(key, call);
                }
            }
        }
        let mut drawn = HashSet::new();
        for key in order {
            let Some(call) = pairs.remove(&key).filter(|_| drawn.insert(key.clone())) else { continue };
            let at = At::new(file, call.line);
            let is_database = call.connection == "database";
            let from = self.component(&key.0, at, false, "")?;
            let to = self.component(&key.1, at, is_database, &call.system)?;
            let mut arrow =
                Arrow { type_id: Some(if is_database { "uses" } else { "calls" }), ..Arrow::new(from, to, at) };
            if !call.system.is_empty() && !is_database {
                arrow.technology.push(call.system);
            }
            if call.calls > 0.0 {
                arrow.properties.push(("callCount".into(), number(call.calls)));
                if call.errors > 0.0 {
                    let rate = (call.errors / call.calls * 10_000.0).round() / 10_000.0;
                    arrow.properties.push(("errorRate".into(), rate.into()));
                }
            }
            self.builder.arrow(arrow)?;
        }
        Ok(())
    }

    fn component(&mut self, id: &(String, String), at: At, is_database: bool, system: &str) -> Result<C, Refusal> {
        if let Some(known) = self.components.get(id) {
            return Ok(*known);
        }
        let (namespace, name) = id;
        let key = if namespace.is_empty() { name.clone() } else { format!("{namespace}/{name}") };
        let mut draft = Draft::new(key, name, if is_database { "database" } else { "service" }, at);
        if is_database && !system.is_empty() {
            draft.technology.push(system.to_owned());
        }
        let component = self.builder.component(draft)?;
        self.components.insert(id.clone(), component);
        if !namespace.is_empty() {
            let group = match self.groups.get(namespace) {
                Some(group) => *group,
                None => {
                    let draft = Draft::group(format!("namespace:{namespace}"), namespace, at);
                    let group = self.builder.component(draft)?;
                    self.groups.insert(namespace.clone(), group);
                    group
                }
            };
            self.builder.contain(group, component, at)?;
        }
        Ok(component)
    }
}

/// A whole number without a decimal point.
fn number(value: f64) -> serde_json::Value {
    let whole = format!("{value:.0}").parse::<u64>();
    whole.map_or_else(|_| value.into(), Into::into)
}

#[cfg(test)]
mod tests;
