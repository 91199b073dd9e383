//! Tests of Backstage catalogs.

use proptest::{prelude::*, sample::Index};

use crate::{Files, Format, sets};

const CATALOG: &str = include_str!("../../../../tests/imports/backstage/catalog-info.yaml");
const PARTS: &str = include_str!("../../../../tests/imports/backstage/parts/more.yaml");
const ENTITIES: &str = include_str!("../../../../tests/imports/backstage/entities.json");
const SHOP: [(&str, &str); 2] = [("catalog-info.yaml", CATALOG), ("parts/more.yaml", PARTS)];

#[test]
fn entities_are_components_people_and_teams() {
    let reading = sets::reading(Format::Backstage, &SHOP);
    assert_eq!(
        sets::components(&reading),
        [
            "storefront / Orders: service",
            "Web shop / orders: api",
            "commerce: domain",
            "commerce / retail: domain",
            "retail / Web shop: system",
            "Web shop / storefront: desktop-app",
            "orders-db: database",
            "payments: api",
        ]
    );
    assert_eq!(
        sets::relationships(&reading),
        [
            "Orders calls payments",
            "Orders calls storefront",
            "Orders depends-on orders-db",
            "orders depends-on Orders: provided by",
            "storefront depends-on orders-db",
        ]
    );
    assert_eq!(
        sets::owners(&reading),
        [
            "Orders: team-a",
            "orders: ada",
            "retail: team-a",
            "Web shop: user-guests-guest",
            "storefront: user-default-guest",
            "orders-db: team-a",
            "payments: team-a",
        ]
    );
    let members: Vec<&str> = reading.teams[0].members.iter().map(|one| one.person_id.as_str()).collect();
    assert_eq!(members, ["ada", "user-guests-guest"]);
    assert_eq!(reading.teams[0].properties["parent"], "engineering");
    assert_eq!(reading.people[0].email.as_deref(), Some("ada@example.org"));
}

#[test]
fn keys_are_references_in_full() {
    let reading = sets::reading(Format::Backstage, &SHOP);
    let keys: Vec<&str> = reading.components.iter().map(|one| one.origin.key.as_str()).collect();
    assert_eq!(keys[..2], ["component:default/orders", "api:default/orders"]);
    assert_eq!(reading.components[5].id, "front");
    assert_eq!((&*reading.components[0].origin.file, reading.components[0].origin.line), ("catalog-info.yaml", 13));
}

#[test]
fn lifecycle_links_and_annotations_are_kept_without_secrets() {
    let reading = sets::reading(Format::Backstage, &SHOP);
    let orders = &reading.components[0];
    assert_eq!(orders.properties["lifecycle"], "building");
    assert_eq!(orders.properties["github.com/project-slug"], "example/orders");
    assert_eq!(reading.components[5].properties["backstage.lifecycle"], "someday");
    assert_eq!(orders.tags, ["database", "java"]);
    assert!(orders.description.as_ref().unwrap().contains("\"kind\": \"Template\""));
    assert_eq!(reading.links.len(), 1);
    assert_eq!(reading.links[0].url, "https://example.org/runbook");
    assert_eq!(reading.components[1].technology, ["grpc"]);
    let document = serde_json::to_string(&reading).unwrap();
    assert!(!document.contains("t0k3n") && !document.contains("s3cret"), "{document}");
}

#[test]
fn what_is_missing_is_reported() {
    let reading = sets::reading(Format::Backstage, &SHOP);
    assert_eq!(
        sets::diagnostics(&reading),
        [
            "catalog-info.yaml:3: `./missing.yaml` is not among the files; add it if its entities belong on the map",
            "catalog-info.yaml:3: `https://example.org/other/catalog-info.yaml` is not among the files; add it if its \
             entities belong on the map",
            "catalog-info.yaml:13: `component:unknown`, which `component:default/orders` refers to, is not among the \
             entities",
            "catalog-info.yaml:13: the property `example.org/api-token` was not imported, because it may be a secret",
            "catalog-info.yaml:58: `component:default/orders` is already in catalog-info.yaml:13; this one was not \
             imported",
            "parts/more.yaml:1: `user:team-a`, which `domain:default/commerce` refers to, is not among the entities",
        ]
    );
    assert_eq!(sets::ignored(&reading), ["Template: 1", "documents that are no entities: 1"]);
}

#[test]
fn entities_of_the_api_are_read() {
    let reading = sets::reading(Format::Backstage, &[("entities.json", ENTITIES)]);
    assert_eq!(sets::components(&reading), ["orders: library", "clock: service"]);
    assert_eq!(sets::relationships(&reading), ["orders depends-on clock"]);
    assert_eq!(sets::owners(&reading), ["orders: team-a"]);
    assert_eq!(reading.components[1].properties["backstage.type"], "cron-thing");
    let list = ENTITIES.trim_start().strip_prefix("{\n  \"items\":").unwrap().trim_end().strip_suffix('}').unwrap();
    assert_eq!(sets::reading(Format::Backstage, &[("entities.json", list)]).components.len(), 2);
}

#[test]
fn an_owner_is_a_team_without_its_entity() {
    let entity = |name: &str, owner: &str| {
        format!(
            "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {{ name: {name} }}\nspec: {{ owner: '{owner}' }}\n---\n"
        )
    };
    let text = entity("a", "group:default/Platform")
        + &entity("b", "platform")
        + &entity("c", "group:other/platform")
        + &entity("d", "user:ada")
        + &entity("e", "component:x");
    let reading = sets::reading(Format::Backstage, &[("catalog-info.yaml", &text)]);
    assert_eq!(
        sets::owners(&reading),
        ["a: group-default-platform", "b: group-default-platform", "c: group-other-platform"]
    );
    assert_eq!(reading.teams[0].name, "Platform");
    assert_eq!(reading.diagnostic_count, 2);
    let reading = sets::reading(Format::Backstage, &[("catalog-info.yaml", &entity("a", "Platform"))]);
    assert_eq!(sets::owners(&reading), ["a: platform"], "the id under which the directory may have the team");
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(files) = Files::of("catalog-info.yaml", bytes) {
            sets::consistent(Format::Backstage, &files);
        }
    }

    #[test]
    fn changed_samples_are_read_or_refused(which in any::<Index>(), changes in sets::changes()) {
        sets::read_changed(Format::Backstage, &SHOP, which, &changes);
        sets::read_changed(Format::Backstage, &[("entities.json", ENTITIES)], which, &changes);
    }
}
