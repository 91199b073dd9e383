//! Tests of the types.

use super::*;

#[test]
fn the_strongest_hint_decides() {
    let tags = |list: &[&str]| list.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
    let (database, planroom) = (tags(&["Core", "Database"]), tags(&["planroom:ml-model", "Database"]));
    let kafka = tags(&["Apache Kafka 3.7"]);
    let mut hints = Hints { level: "service", ..Hints::default() };
    assert_eq!(component(&hints), "service");
    hints.technology = &kafka;
    assert_eq!(component(&hints), "queue");
    hints.tags = &database;
    assert_eq!(component(&hints), "database");
    hints.shape = Some("WebBrowser");
    assert_eq!(component(&hints), "web-app");
    hints.tags = &planroom;
    assert_eq!(component(&hints), "ml-model");
    hints.explicit = Some("Search index");
    assert_eq!(component(&hints), "search-index");
    hints.explicit = Some("spaceship");
    assert_eq!(component(&hints), "ml-model", "an unknown type is no hint");
    let levels = tags(&["System", "Component"]);
    assert_eq!(component(&Hints { level: "service", tags: &levels, ..Hints::default() }), "service");
}

#[test]
fn products_are_recognized_in_technologies_and_images() {
    for (text, id) in [
        ("PostgreSQL 15", Some("database")),
        ("bitnami/postgresql:15", Some("database")),
        ("registry:5000/library/redis@sha256:abc", Some("cache")),
        ("Amazon S3", Some("storage")),
        ("Azure Event Hubs", Some("topic")),
        ("AWS API Gateway", Some("gateway")),
        ("confluentinc/cp-kafka:7", Some("queue")),
        ("Oracle Database Schema", Some("database")),
        ("provectuslabs/kafka-ui", None),
        ("prometheuscommunity/postgres-exporter", None),
        ("Java and Spring MVC", None),
        ("Java, Kafka", None),
        ("", None),
    ] {
        assert_eq!(technology(text), id, "{text}");
    }
}

#[test]
fn relationships_get_their_type_from_ends_label_and_technology() {
    for (source, target, label, used, id) in [
        ("service", "database", "Reads from and writes to", "", "uses"),
        ("service", "database", "Reads from", "SQL", "reads"),
        ("service", "cache", "Stores sessions", "", "writes"),
        ("service", "search-index", "", "HTTP", "uses"),
        ("service", "queue", "Sends orders", "HTTP", "publishes"),
        ("service", "topic", "Subscribes to", "", "subscribes"),
        ("queue", "service", "", "", "streams-to"),
        ("queue", "database", "writes", "", "writes"),
        ("service", "service", "Makes API calls to", "JSON/HTTPS", "calls"),
        ("service", "service", "gRPC", "", "calls"),
        ("service", "service", "Uses", "async, JSON/HTTPS", "calls"),
        ("service", "service", "the rest of the way to anywhere", "", "uses"),
        ("service", "service", "", "SMTP", "uses"),
    ] {
        let used: Vec<String> = if used.is_empty() { vec![] } else { vec![used.into()] };
        assert_eq!(relationship(source, target, label, &used), id, "{source} {target} {label} {used:?}");
    }
}

#[test]
fn the_tables_name_known_types() {
    let pairs = SHAPES.iter().chain(TAGS).map(|(_, id)| *id);
    for id in pairs.chain(TECHNOLOGIES.iter().map(|(id, _)| *id)).chain(LEVELS) {
        assert!(COMPONENT_TYPES.contains(&id), "{id}");
    }
}
