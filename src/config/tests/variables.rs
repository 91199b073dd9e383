//! Environment variables: which are keys, and which are ignored.

use super::*;

#[test]
fn unknown_variables_are_errors_too() {
    assert_eq!(
        env_error("PLANROOM_LOGFORMAT", "json"),
        "unknown environment variable PLANROOM_LOGFORMAT; did you mean PLANROOM_LOG_FORMAT?"
    );
    assert_eq!(
        env_error("PLANROOM_LIMITS_ANYTHING", "x"),
        "unknown environment variable PLANROOM_LIMITS_ANYTHING; config.example.toml lists all keys"
    );
}

#[test]
fn unrelated_variables_are_named_and_ignored() {
    let unknown = ["PLANROOM_VERSION", "PLANROOM_BIN", "PLANROOM_SECRET", "PLANROOM_DB_PORT"];
    let variables: Vec<_> = unknown.iter().map(|name| (*name, "5432")).collect();
    let loaded = load(&Flags::default(), &env(&variables)).unwrap();
    let mut expected: Vec<_> = unknown.iter().map(|name| Notice::UnknownVariable((*name).to_owned())).collect();
    expected.sort_by_key(|notice| format!("{notice:?}"));
    assert_eq!(loaded.notices, expected);
    assert_eq!(loaded.config.listen, load(&Flags::default(), &BTreeMap::new()).unwrap().config.listen);
}

#[test]
fn service_links_of_kubernetes_and_docker_are_ignored() {
    // Those of a service `planroom` with a port named `http`, of `planroom-db`, and of `planroom-log`.
    let variables = [
        ("PLANROOM_SERVICE_HOST", "10.96.12.7"),
        ("PLANROOM_SERVICE_PORT", "8420"),
        ("PLANROOM_SERVICE_PORT_HTTP", "8420"),
        ("PLANROOM_PORT", "tcp://10.96.12.7:8420"),
        ("PLANROOM_PORT_8420_TCP", "tcp://10.96.12.7:8420"),
        ("PLANROOM_PORT_8420_TCP_PROTO", "tcp"),
        ("PLANROOM_PORT_8420_TCP_PORT", "8420"),
        ("PLANROOM_PORT_8420_TCP_ADDR", "10.96.12.7"),
        ("PLANROOM_DB_PORT", "tcp://10.96.12.8:5432"),
        ("PLANROOM_DB_PORT_53_UDP_ADDR", "10.96.12.8"),
        ("PLANROOM_LOG_SERVICE_HOST", "10.96.12.9"),
    ];
    let loaded = load(&Flags::default(), &env(&variables)).unwrap();
    assert_eq!(loaded.notices.len(), variables.len());
    assert!(loaded.notices.iter().all(|notice| matches!(notice, Notice::ServiceLink(_))), "{:?}", loaded.notices);
    // A key stays a key.
    assert!(env_error("PLANROOM_LISTEN", "tcp://127.0.0.1:8420").contains("it must be an IP address"));
}

#[test]
fn a_secret_can_come_from_a_file() {
    const NAME: &str = "PLANROOM_WIKI_CLIENT_SECRET_FILE";
    let (_dir, path) = file("s3cret\n");
    let path = path.to_str().unwrap();
    let loaded = load(&Flags::default(), &env(&[(NAME, path)])).unwrap();
    assert_eq!(fixed(&loaded), [("wiki.client_secret", "s3cret".into(), NAME.to_owned())]);
    assert_eq!(
        env_error(NAME, "/nowhere/secret"),
        "PLANROOM_WIKI_CLIENT_SECRET_FILE: cannot read the file /nowhere/secret: No such file or directory \
         (os error 2); check its path and permissions"
    );
    let both = env(&[(NAME, path), ("PLANROOM_WIKI_CLIENT_SECRET", "s3cret")]);
    assert_eq!(
        load(&Flags::default(), &both).unwrap_err().to_string(),
        "PLANROOM_WIKI_CLIENT_SECRET_FILE: wiki.client_secret is \"(hidden)\"; it must be set by either \
         PLANROOM_WIKI_CLIENT_SECRET or PLANROOM_WIKI_CLIENT_SECRET_FILE, not both"
    );
    // Only secrets can be read from files.
    assert!(env_error("PLANROOM_INSTANCE_NAME_FILE", path).starts_with("unknown environment variable"));
}
