//! The metrics `traces_service_graph_*`.

use super::call::Call;
use crate::{
    builder::{At, Builder},
    files::{File, Refusal},
    node::Node,
};

/// Maximum number of labels of a sample. Additional labels are ignored.
const MAX_LABELS: usize = 100;
/// Bytes that are parsed in a step.
const BYTES_PER_STEP: usize = 8;

const PREFIX: &str = "traces_service_graph_";

/// Whether a file is in the text format of Prometheus.
pub(super) fn is_text_format(file: &File) -> bool {
    !file.has_extension(&["json", "yaml", "yml"]) && file.text().lines().any(|line| line.starts_with(PREFIX))
}

/// The calls in a file in the text format.
pub(super) fn text_format(builder: &Builder<'_>, file: usize) -> Result<Vec<Call>, Refusal> {
    let mut calls = Vec::new();
    for (number, line) in (1..).zip(builder.files.at(file).text().lines()) {
        let at = At::new(file, number);
        builder.charge_steps(1 + line.len() / BYTES_PER_STEP, at)?;
        let Some((name, rest)) = line.split_once('{').filter(|(name, _)| name.starts_with(PREFIX)) else { continue };
        let Some((labels, rest)) = labels(rest) else { continue };
        let value = rest.split_whitespace().next().and_then(|value| value.parse().ok());
        let labels = labels.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        add(builder, name, labels, value, at, &mut calls)?;
    }
    Ok(calls)
}

/// Labels up to the closing brace, and what follows.
fn labels(mut rest: &str) -> Option<(Vec<(String, String)>, &str)> {
    let mut labels = Vec::new();
    loop {
        rest = rest.trim_start_matches([',', ' ']);
        if let Some(after) = rest.strip_prefix('}') {
            return Some((labels, after));
        }
        let (name, after) = rest.split_once('=')?;
        let mut value = String::new();
        let mut chars = after.strip_prefix('"')?.char_indices();
        rest = loop {
            match chars.next()? {
                (_, '"') => break chars.as_str(),
                (_, '\\') => match chars.next()?.1 {
                    'n' => value.push('\n'),
                    c => value.push(c),
                },
                (_, c) => value.push(c),
            }
        };
        if labels.len() < MAX_LABELS {
            labels.push((name.trim().to_owned(), value));
        }
    }
}

/// Adds the calls in the result of a query, or in OTLP.
pub(super) fn document(
    builder: &Builder<'_>,
    file: usize,
    document: &Node,
    calls: &mut Vec<Call>,
) -> Result<(), Refusal> {
    let results = document.at(&["data", "result"]).map_or(&[][..], Node::as_list);
    for result in results {
        let labels = result.entries("metric");
        let name = result.at(&["metric", "__name__"]).and_then(Node::as_text).unwrap_or_default();
        let sample = result.get("value").or_else(|| result.items("values").last());
        let value = sample.and_then(|sample| sample.as_list().get(1)?.as_number());
        let labels = labels.iter().filter_map(|(name, value)| Some((name.as_str(), value.scalar()?)));
        // A query such as `sum by (client, server) (rate(…))` has no name.
        let name = if name.is_empty() { "traces_service_graph_request_total" } else { name };
        add(builder, name, labels, value, At::new(file, result.line), calls)?;
    }
    for resource in document.items("resourceMetrics") {
        for metric in resource.items("scopeMetrics").iter().flat_map(|scope| scope.items("metrics")) {
            let name = metric.text("name").unwrap_or_default();
            let kinds = ["sum", "gauge", "histogram", "exponentialHistogram"];
            let data = kinds.into_iter().filter_map(|kind| metric.get(kind));
            for point in data.flat_map(|data| data.items("dataPoints")) {
                let labels = point.items("attributes").iter().filter_map(|attribute| {
                    let value = attribute.get("value")?;
                    let kinds = ["stringValue", "boolValue", "intValue"].into_iter();
                    Some((attribute.text("key")?, kinds.filter_map(|kind| value.get(kind)).find_map(Node::scalar)?))
                });
                let value = point.number("asInt").or_else(|| point.number("asDouble"));
                add(builder, name, labels, value, At::new(file, point.line), calls)?;
            }
        }
    }
    Ok(())
}

/// Adds the call that a sample of a metric tells of.
fn add<'n>(
    builder: &Builder<'_>,
    metric: &str,
    labels: impl Iterator<Item = (&'n str, &'n str)>,
    value: Option<f64>,
    at: At,
    calls: &mut Vec<Call>,
) -> Result<(), Refusal> {
    let Some(metric) = metric.strip_prefix(PREFIX) else { return Ok(()) };
    let mut call = Call { line: at.line, ..Call::default() };
    for (name, value) in labels {
        // Names with dots are written with underscores in Prometheus.
        match name.replace('.', "_").as_str() {
            "client" => value.clone_into(&mut call.client),
            "server" => value.clone_into(&mut call.server),
            "client_service_namespace" => value.clone_into(&mut call.client_namespace),
            "server_service_namespace" => value.clone_into(&mut call.server_namespace),
            "connection_type" => value.clone_into(&mut call.connection),
            "client_db_system" | "server_db_system" | "client_messaging_system" | "server_messaging_system"
                if call.system.is_empty() =>
            {
                value.clone_into(&mut call.system);
            }
            _ => {}
        }
    }
    let count = value.filter(|value| value.is_finite() && *value > 0.0).unwrap_or_default();
    match metric {
        "request_total" | "request" => call.calls = count,
        "request_failed_total" | "request_failed" => call.errors = count,
        _ => {}
    }
    if call.connection != "virtual_node" {
        builder.charge(call.estimated_bytes(), at)?;
        calls.push(call);
    }
    Ok(())
}
