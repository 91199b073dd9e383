//! Tests of service graphs.

use proptest::{prelude::*, sample::Index};

use crate::{Files, Format, sets};

const SAMPLES: [(&str, &str); 5] = [
    ("jaeger.json", include_str!("../../../../tests/imports/servicegraph/jaeger.json")),
    ("zipkin.json", include_str!("../../../../tests/imports/servicegraph/zipkin.json")),
    ("prometheus.json", include_str!("../../../../tests/imports/servicegraph/prometheus.json")),
    ("metrics.txt", include_str!("../../../../tests/imports/servicegraph/metrics.txt")),
    ("otlp.yaml", include_str!("../../../../tests/imports/servicegraph/otlp.yaml")),
];

/// The components, relationships and properties of a sample.
fn read(sample: usize) -> (Vec<String>, Vec<String>, Vec<String>) {
    let reading = sets::reading(Format::ServiceGraph, &SAMPLES[sample..=sample]);
    assert!(reading.relationships.iter().all(|one| one.label.is_none()), "numbers are no labels");
    let own = reading.relationships.iter().filter(|one| one.type_id != "contains");
    let properties = own.map(|one| serde_json::to_string(&one.properties).unwrap() + &one.technology.join(" "));
    (sets::components(&reading), sets::relationships(&reading), properties.collect())
}

#[test]
fn dependencies_of_jaeger_and_zipkin_are_calls() {
    let (components, relationships, properties) = read(0);
    assert_eq!(
        (components.join(", "), relationships.join(", ")),
        ("web: service, orders: service".into(), "web calls orders".into())
    );
    assert_eq!(properties, ["{\"callCount\":120}"]);
    let (_, relationships, properties) = read(1);
    assert_eq!(relationships, ["web calls orders", "orders calls mailer"]);
    assert_eq!(properties, ["{\"callCount\":200,\"errorRate\":0.025}", "{\"callCount\":7}"]);
}

#[test]
fn metrics_of_prometheus_are_calls() {
    let (components, relationships, properties) = read(2);
    assert_eq!(components, ["web: service", "orders: service", "db: database"]);
    assert_eq!(relationships, ["web calls orders", "orders uses db"]);
    assert_eq!(properties, ["{\"callCount\":40,\"errorRate\":0.25}", "{\"callCount\":8}"]);
    let (components, relationships, properties) = read(3);
    assert_eq!(components, ["shop / web: service", "shop: group", "shop / or\"ders: service", "bus: service"]);
    assert_eq!(relationships, ["web calls or\"ders", "or\"ders calls bus"]);
    assert_eq!(properties, ["{\"callCount\":12}", "{}kafka"]);
}

#[test]
fn several_metrics_of_otlp_tell_of_one_pair() {
    let (components, relationships, properties) = read(4);
    assert_eq!(components, ["web: service", "shop / orders: service", "shop: group"]);
    assert_eq!(
        (relationships.join(", "), properties.join(", ")),
        ("web calls orders".into(), "{\"callCount\":4}".into())
    );
}

#[test]
fn what_is_left_out_is_counted() {
    let reading = sets::reading(Format::ServiceGraph, &SAMPLES[..1]);
    assert_eq!(sets::ignored(&reading), ["calls from or to services without traces: 1", "calls within a service: 1"]);
    let reading = sets::reading(Format::ServiceGraph, &[("a.yaml", "name: traces_service_graph_request_total\n")]);
    assert_eq!(sets::diagnostics(&reading), ["a.yaml:1: the file contains no calls between services"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for name in ["a.json", "a.txt"] {
            if let Ok(files) = Files::of(name, bytes.clone()) {
                sets::consistent(Format::ServiceGraph, &files);
            }
        }
    }

    #[test]
    fn changed_samples_are_read_or_refused(which in any::<Index>(), changes in sets::changes()) {
        sets::read_changed(Format::ServiceGraph, &SAMPLES, which, &changes);
    }
}
