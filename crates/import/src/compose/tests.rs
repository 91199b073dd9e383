//! Tests of compose files.

use std::fmt::Write;

use proptest::{prelude::*, sample::Index};

use crate::{Files, Format, Options, read, sets};

const SHOP: [(&str, &str); 5] = [
    ("compose.yaml", include_str!("../../../../tests/imports/compose/compose.yaml")),
    ("compose.override.yaml", include_str!("../../../../tests/imports/compose/compose.override.yaml")),
    ("base/queue.yaml", include_str!("../../../../tests/imports/compose/base/queue.yaml")),
    (".env", include_str!("../../../../tests/imports/compose/.env")),
    ("docs.env", include_str!("../../../../tests/imports/compose/docs.env")),
];

#[test]
fn services_get_their_type_from_images_and_labels() {
    let reading = sets::reading(Format::Compose, &SHOP);
    assert_eq!(reading.workspace.name, "web-shop");
    assert_eq!(
        sets::components(&reading),
        [
            "web: gateway",
            "api: service",
            "db: database",
            "store: cache",
            "Handbook: web-app",
            "mailer: service",
            "reporter: service",
            "queue: queue",
            "worker: service",
        ]
    );
    let by_name = |name: &str| reading.components.iter().find(|one| one.name == name).unwrap();
    assert_eq!(by_name("web").properties["image"], "${REGISTRY:-registry.example.org:5000}/nginx:${NGINX_VERSION}");
    assert_eq!(by_name("web").technology, ["nginx"]);
    assert_eq!(by_name("api").properties["instances"], 3);
    assert_eq!(by_name("Handbook").id, "manual");
    assert_eq!(by_name("Handbook").properties["profiles"], serde_json::json!(["docs"]));
    assert_eq!(sets::owners(&reading), ["web: shop-team"]);
    assert_eq!(sets::ignored(&reading), ["networks: 1", "volumes: 1"]);
}

#[test]
fn labels_with_variables_are_not_read_as_owners_types_and_ids() {
    let text = "services:\n  web:\n    image: nginx\n    labels:\n      planroom.owner: $TEAM\n      planroom.type: ${TYPE}\n  \
                pay:\n    image: nginx\n    labels:\n      planroom.owner: team $${x}\n";
    let reading = sets::reading(Format::Compose, &[("compose.yaml", text)]);
    assert_eq!(sets::owners(&reading), ["pay: team-x"]);
    let texts: Vec<&str> = reading.diagnostics.iter().map(|one| &*one.text).collect();
    assert_eq!(
        texts,
        [
            "the label `planroom.owner` was not read, because `$TEAM` contains a variable",
            "the label `planroom.type` was not read, because `${TYPE}` contains a variable",
        ]
    );
}

#[test]
fn dependencies_are_drawn_once_and_hosts_are_inferred() {
    let reading = sets::reading(Format::Compose, &SHOP);
    assert_eq!(
        sets::relationships(&reading),
        [
            "web depends-on api",
            "api depends-on db",
            "api depends-on mailer",
            "web uses Handbook",
            "api uses store",
            "api uses Handbook",
            "api uses queue",
            "Handbook uses store",
            "mailer uses queue",
            "reporter uses queue",
            "reporter uses db",
            "worker uses queue",
        ]
    );
    let inferred = reading.relationships.iter().filter(|one| one.properties.contains_key("inferred"));
    assert_eq!(inferred.clone().count(), 9);
    let from = inferred.filter_map(|one| one.properties.get("inferredFrom")?.as_str()).collect::<Vec<_>>();
    assert_eq!(from, ["CACHE_HOST", "SEARCH_URL", "QUEUE", "QUEUE_ADDR", "QUEUE_ADDR", "QUEUE_ADDR"]);
}

#[test]
fn values_of_variables_are_not_kept() {
    let reading = sets::reading(Format::Compose, &SHOP);
    let document = serde_json::to_string(&reading).unwrap() + &sets::diagnostics(&reading).join("\n");
    assert!(!document.contains("s3cret") && !document.contains("info"), "{document}");
    assert_eq!(reading.links[0].url, "https://example.org/web");
}

#[test]
fn what_is_missing_is_reported() {
    let reading = sets::reading(Format::Compose, &SHOP);
    assert_eq!(
        sets::diagnostics(&reading),
        [
            "compose.yaml:5: `base/missing.yaml`, which is included, is not among the files; add it",
            "compose.yaml:30: `api` depends on `unlisted`, which is no service",
        ]
    );
}

const PROJECTS: [(&str, &str); 2] = [
    ("shop/compose.yaml", "services:\n  db: { image: mysql }\n  app: { depends_on: [db] }\n"),
    ("crm/compose.yaml", "name: customers\nservices:\n  db: { image: redis }\n"),
];

#[test]
fn each_folder_is_a_project() {
    let reading = sets::reading(Format::Compose, &PROJECTS);
    assert_eq!(sets::components(&reading), ["db: cache", "db: database", "app: service"]);
    assert_eq!(sets::relationships(&reading), ["app depends-on db"]);
    let keys: Vec<&str> = reading.components.iter().map(|one| one.origin.key.as_str()).collect();
    assert_eq!(keys, ["crm/db", "shop/db", "app"], "only keys that several projects have begin with the project");
}

#[test]
fn projects_are_systems_on_request() {
    let options = Options { systems: true, ..Options::default() };
    let reading = read(Format::Compose, &sets::files(&PROJECTS), &options).unwrap();
    assert_eq!(
        sets::components(&reading),
        ["customers: system", "customers / db: cache", "shop: system", "shop / db: database", "shop / app: service"]
    );
    let reading = read(Format::Compose, &sets::files(&PROJECTS[..1]), &options).unwrap();
    assert_eq!(sets::components(&reading), ["shop: system", "shop / db: database", "shop / app: service"]);
}

#[test]
fn owners_are_teams_or_people() {
    let text = "services:\n  a: { labels: { planroom.owner: 'team:Web' } }\n  b: { labels: [planroom.owner=person:Ada King] }\n  \
                c: { labels: { planroom.owner: web, org.opencontainers.image.vendor: Acme } }\n";
    let reading = sets::reading(Format::Compose, &[("compose.yaml", text)]);
    assert_eq!(sets::owners(&reading), ["a: web", "b: ada-king", "c: web"]);
    assert_eq!((reading.teams.len(), reading.people.len()), (1, 1));
}

#[test]
fn files_that_others_extend_are_read_for_their_services_only() {
    let mut files = sets::files(&[(
        "compose.yaml",
        "services:\n  web: { extends: { file: common.yaml, service: base } }\n  db: { image: postgres }\n",
    )]);
    let common = "services:\n  base: { depends_on: [db] }\n  unused: { image: redis }\n";
    files.add_reference("common.yaml", common).unwrap();
    let reading = read(Format::Compose, &files, &Options::default()).unwrap();
    assert_eq!(sets::components(&reading), ["web: service", "db: database"]);
    assert_eq!(sets::relationships(&reading), ["web depends-on db"]);
}

#[test]
fn circles_end() {
    let text = "services:\n  a: { extends: b }\n  b:\n    extends: { service: a }\n  c: { extends: { file: compose.yaml, service: c } }\n";
    let reading = sets::reading(Format::Compose, &[("compose.yaml", text)]);
    assert_eq!(reading.components.len(), 3);
    assert!(sets::diagnostics(&reading).iter().any(|text| text.contains("circle")));
}

#[test]
fn large_values_are_not_searched_forever() {
    let mut text = "x: &x ".to_owned() + &"a:8080,".repeat(500) + "\nservices:\n";
    for n in 0..200 {
        write!(text, "  s{n}:\n    environment: [{}]\n", "\"A=$A\",".repeat(100)).unwrap();
    }
    let env = format!("A={}\n", "b:8080,".repeat(500));
    let files = sets::files(&[("compose.yaml", &text), (".env", &env)]);
    let reading = read(Format::Compose, &files, &Options::default()).unwrap();
    assert!(sets::diagnostics(&reading).iter().any(|text| text.contains("too large")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(files) = Files::of("compose.yaml", bytes) {
            sets::consistent(Format::Compose, &files);
        }
    }

    #[test]
    fn changed_samples_are_read_or_refused(which in any::<Index>(), changes in sets::changes()) {
        sets::read_changed(Format::Compose, &SHOP, which, &changes);
    }
}
