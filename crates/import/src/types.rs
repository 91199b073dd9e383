//! Which type a component or relationship of a source gets.

/// What a source says about the type of a component, from the strongest hint to the weakest.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hints<'h> {
    /// A type that the author chose, such as the value of `planroom.type`.
    pub(super) explicit: Option<&'h str>,
    /// The shape in the drawing.
    pub(super) shape: Option<&'h str>,
    /// Tags and stereotypes.
    pub(super) tags: &'h [String],
    /// Technologies and container images; only the first one counts, because others are often what it connects to.
    pub(super) technology: &'h [String],
    /// The type without other hints.
    pub(super) level: &'static str,
}

/// All component types.
pub const COMPONENT_TYPES: [&str; 29] = [
    "person",
    "external-system",
    "system",
    "web-app",
    "mobile-app",
    "desktop-app",
    "service",
    "api",
    "gateway",
    "function",
    "job",
    "database",
    "cache",
    "queue",
    "topic",
    "storage",
    "search-index",
    "data-pipeline",
    "ml-model",
    "component",
    "library",
    "identity-provider",
    "network",
    "host",
    "cluster",
    "capability",
    "domain",
    "group",
    "document",
];

/// All relationship types but `contains`.
pub const RELATIONSHIP_TYPES: [&str; 14] = [
    "uses",
    "calls",
    "depends-on",
    "reads",
    "writes",
    "publishes",
    "subscribes",
    "streams-to",
    "authenticates-with",
    "deployed-on",
    "owns",
    "replicates-to",
    "monitors",
    "related-to",
];

/// Lifecycle states.
pub const LIFECYCLE_STATES: [&str; 6] = ["idea", "planned", "building", "live", "deprecated", "retired"];

/// Types that say how a component is nested instead of what it is. A tag with their name is no hint.
const LEVELS: [&str; 6] = ["system", "service", "component", "group", "domain", "person"];

const SHAPES: &[(&str, &str)] = &[
    ("cylinder", "database"),
    ("storage", "database"),
    ("database", "database"),
    ("db", "database"),
    ("pipe", "queue"),
    ("queue", "queue"),
    ("webbrowser", "web-app"),
    ("browser", "web-app"),
    ("window", "desktop-app"),
    ("mobiledeviceportrait", "mobile-app"),
    ("mobiledevicelandscape", "mobile-app"),
    ("mobile", "mobile-app"),
    ("person", "person"),
    ("robot", "person"),
    ("actor", "person"),
    ("bucket", "storage"),
    ("folder", "document"),
    ("document", "document"),
    ("component", "component"),
];

/// Tags that are not the name of a type.
const TAGS: &[(&str, &str)] = &[
    ("external", "external-system"),
    ("browser", "web-app"),
    ("web-browser", "web-app"),
    ("webapp", "web-app"),
    ("website", "web-app"),
    ("web-application", "web-app"),
    ("single-page-application", "web-app"),
    ("spa", "web-app"),
    ("mobile", "mobile-app"),
    ("mobileapp", "mobile-app"),
    ("mobile-application", "mobile-app"),
    ("desktop", "desktop-app"),
    ("db", "database"),
    ("data-store", "database"),
    ("datastore", "database"),
    ("message-queue", "queue"),
    ("message-bus", "queue"),
    ("message-broker", "queue"),
    ("broker", "queue"),
    ("bucket", "storage"),
    ("object-storage", "storage"),
    ("api-gateway", "gateway"),
    ("load-balancer", "gateway"),
    ("lambda", "function"),
    ("batch", "job"),
    ("cron", "job"),
    ("server", "host"),
];

/// Names of products, as in technologies and container images.
const TECHNOLOGIES: &[(&str, &[&str])] = &[
    (
        "database",
        &[
            "postgres",
            "postgresql",
            "postgis",
            "pgvector",
            "timescaledb",
            "mysql",
            "mysql-server",
            "mariadb",
            "mongo",
            "mongodb",
            "mssql",
            "sql server",
            "oracle",
            "cassandra",
            "scylla",
            "scylladb",
            "cockroach",
            "cockroachdb",
            "clickhouse",
            "clickhouse-server",
            "dynamodb",
            "couchdb",
            "couchbase",
            "neo4j",
            "influxdb",
            "sqlite",
            "cosmos db",
            "aurora",
            "cloud sql",
            "spanner",
            "bigtable",
            "firestore",
            "documentdb",
        ],
    ),
    (
        "cache",
        &["redis", "redis-stack", "redis-stack-server", "valkey", "memcached", "memcache", "elasticache", "hazelcast"],
    ),
    (
        "queue",
        &[
            "kafka",
            "cp-kafka",
            "redpanda",
            "rabbitmq",
            "nats",
            "activemq",
            "artemis",
            "sqs",
            "pulsar",
            "service bus",
            "msk",
            "amazon mq",
        ],
    ),
    ("topic", &["sns", "eventhub", "event hub", "event hubs", "pubsub", "pub/sub", "eventbridge", "event grid"]),
    ("search-index", &["elasticsearch", "opensearch", "solr", "meilisearch", "typesense", "algolia"]),
    ("storage", &["minio", "s3", "gcs", "blob", "blob storage", "cloud storage", "seaweedfs", "ceph", "efs"]),
    (
        "gateway",
        &[
            "nginx",
            "traefik",
            "envoy",
            "haproxy",
            "caddy",
            "kong",
            "api gateway",
            "apigee",
            "application gateway",
            "load balancer",
            "cloudfront",
            "front door",
        ],
    ),
    (
        "identity-provider",
        &["keycloak", "dex", "authentik", "cognito", "entra", "entra id", "auth0", "okta", "zitadel", "azure ad"],
    ),
    ("function", &["lambda", "cloud function", "cloud functions", "azure function", "azure functions"]),
    ("data-pipeline", &["spark", "airflow", "dbt", "logstash", "flink", "glue", "dataflow", "data factory", "nifi"]),
];

/// Maximum length of a text that is searched for a product, in bytes.
const MAX_PRODUCT_BYTES: usize = 400;

/// Words before the name of a product.
const VENDORS: [&str; 11] =
    ["apache", "amazon", "aws", "azure", "google", "gcp", "microsoft", "ms", "oracle cloud", "hashicorp", "confluent"];

/// Words for which a relationship is a call.
const PROTOCOLS: [&str; 13] = [
    "http", "https", "rest", "restful", "grpc", "json", "graphql", "soap", "http/1.1", "http/2", "xml-rpc", "json-rpc",
    "odata",
];

/// The type of a component.
pub(super) fn component(hints: &Hints<'_>) -> &'static str {
    let tags = || hints.tags.iter().map(String::as_str);
    hints
        .explicit
        .and_then(component_type)
        .or_else(|| tags().find_map(|tag| component_type(tag.strip_prefix("planroom:")?)))
        .or_else(|| shape(hints.shape?))
        .or_else(|| tags().find_map(tag))
        .or_else(|| technology(hints.technology.first()?))
        .unwrap_or(hints.level)
}

/// The component type with this id or name.
pub(super) fn component_type(text: &str) -> Option<&'static str> {
    let id = dashed(text);
    COMPONENT_TYPES.into_iter().find(|known| *known == id)
}

/// The relationship type with this id or name.
pub(super) fn relationship_type(text: &str) -> Option<&'static str> {
    let id = dashed(text);
    RELATIONSHIP_TYPES.into_iter().find(|known| *known == id)
}

/// The relationship type that a tag such as `planroom:calls` names.
pub(super) fn of_tags(tags: &[String]) -> Option<&'static str> {
    tags.iter().find_map(|tag| relationship_type(tag.trim().strip_prefix("planroom:")?))
}

/// A label of a relationship; empty if it only repeats the chosen type, as exports write it where a label is required.
pub(super) fn label<'l>(label: &'l str, chosen: Option<&str>) -> &'l str {
    if chosen.is_some() && relationship_type(label) == chosen { "" } else { label }
}

/// Whether a relationship type puts its target into its source.
pub(super) fn is_contains(text: &str) -> bool {
    dashed(text) == "contains"
}

/// The lifecycle state with this id or name.
pub(super) fn lifecycle(text: &str) -> Option<&'static str> {
    let id = dashed(text);
    LIFECYCLE_STATES.into_iter().find(|known| *known == id)
}

fn shape(text: &str) -> Option<&'static str> {
    let text: String = text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    SHAPES.iter().find(|(known, _)| *known == text).map(|(_, id)| *id)
}

/// The type that a tag, a stereotype or the name of a kind stands for.
pub(super) fn tag(tag: &str) -> Option<&'static str> {
    let tag = dashed(tag);
    let own = COMPONENT_TYPES.into_iter().find(|known| *known == tag && !LEVELS.contains(known));
    own.or_else(|| TAGS.iter().find(|(known, _)| *known == tag).map(|(_, id)| *id))
}

/// A number of instances, without a fraction if it has none. Other texts stay as they are.
pub(super) fn instances(text: &str) -> serde_json::Value {
    text.trim().parse::<i64>().map_or_else(|_| text.into(), Into::into)
}

/// The type of a product: the name of a technology such as `Apache Kafka 3.7`, or an image such as `bitnami/kafka:3.7`.
pub(super) fn technology(text: &str) -> Option<&'static str> {
    known(text).map(|(id, _)| id)
}

/// The name of a product, in the spelling of the table of known ones.
pub(super) fn product(text: &str) -> Option<&'static str> {
    known(text).map(|(_, name)| name)
}

/// The type and the name of a known product.
fn known(text: &str) -> Option<(&'static str, &'static str)> {
    let text = text[..text.floor_char_boundary(MAX_PRODUCT_BYTES)].to_lowercase();
    let image = text.rsplit('/').next().unwrap_or_default();
    let image = image.split([':', '@']).next().unwrap_or_default().trim();
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = match words.as_slice() {
        [vendor, rest @ ..] if !rest.is_empty() && VENDORS.contains(vendor) => rest,
        all => all,
    };
    let begins = |name: &str| {
        let mut words = words.iter();
        name.split(' ').all(|part| words.next().is_some_and(|word| word.trim_end_matches(',') == part))
    };
    let is = |name: &str| name == image || begins(name);
    TECHNOLOGIES.iter().find_map(|(id, names)| names.iter().find(|name| is(name)).map(|name| (*id, *name)))
}

/// The type of a relationship.
pub(super) fn relationship(source: &str, target: &str, label: &str, technology: &[String]) -> &'static str {
    const READS: [&str; 8] = ["read", "get", "quer", "fetch", "select", "load", "retriev", "look"];
    const WRITES: [&str; 7] = ["writ", "stor", "updat", "sav", "insert", "persist", "delet"];
    const CONSUMES: [&str; 6] = ["consum", "subscrib", "listen", "receiv", "read", "poll"];
    let says = |stems: &[&str]| {
        let mut words = label.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        words.any(|word| stems.iter().any(|stem| word.starts_with(stem)))
    };
    match target {
        "database" | "cache" | "storage" | "search-index" => match (says(&READS), says(&WRITES)) {
            (true, false) => "reads",
            (false, true) => "writes",
            _ => "uses",
        },
        "queue" | "topic" if says(&CONSUMES) => "subscribes",
        "queue" | "topic" => "publishes",
        _ if matches!(source, "queue" | "topic") => "streams-to",
        _ if technology.iter().any(|one| is_protocol(one)) || (technology.is_empty() && is_protocol(label)) => "calls",
        _ => "uses",
    }
}

/// Whether one of the words of a technology is a protocol of calls, as in `JSON/HTTPS`.
fn is_protocol(text: &str) -> bool {
    let text = text.to_lowercase();
    let known = |word: &str| PROTOCOLS.contains(&word);
    // A label that only mentions a protocol says more than the protocol.
    text.split_whitespace().count() <= 3 && text.split([' ', ',']).any(|word| known(word) || word.split('/').any(known))
}

fn dashed(text: &str) -> String {
    text.trim().to_lowercase().replace([' ', '_'], "-")
}

#[cfg(test)]
mod tests;
