//! Runs: all sources of a repository are compared together.

use serde_json::{Value, json};

use super::{component, contents, fields, keys, path, preview, read, shop, sync};
use crate::support::{TestClient, TestServer};

/// The same five services in a compose file, without those that are left out.
pub(super) fn compose(without: &[&str]) -> String {
    let services = ["web", "pay", "mail", "cart", "db"].into_iter().filter(|name| !without.contains(name));
    let image = |name: &str| if name == "db" { "postgres:17".to_owned() } else { format!("acme/{name}:1.0") };
    let rows: Vec<String> = services.map(|name| format!("  {name}:\n    image: {}\n", image(name))).collect();
    format!("services:\n{}", rows.concat())
}

/// The same services in a catalog, with their system.
pub(super) fn catalog(without: &[&str], system: Option<&str>) -> String {
    let services = ["web", "pay", "mail", "cart", "db"].into_iter().filter(|name| !without.contains(name));
    let of = system.map(|system| format!("  system: {system}\n")).unwrap_or_default();
    let rows = services.map(|name| {
        format!(
            "---\napiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: {name}\nspec:\n  type: service\n  \
             lifecycle: production\n  owner: team-a\n{of}"
        )
    });
    let system = system.map(|system| {
        format!(
            "---\napiVersion: backstage.io/v1alpha1\nkind: System\nmetadata:\n  name: {system}\nspec:\n  owner: team-a\n"
        )
    });
    rows.chain(system).collect()
}

/// A source of a run: its id, and its rows.
pub async fn source(client: &TestClient<'_>, id: &str, file: &str, content: &str) -> Value {
    let found = read(client, file, content).await;
    json!({ "source": { "id": id, "kind": found["format"] }, "reading": found["reading"] })
}

/// A run of a repository.
pub fn run(repository: &str, sources: &[Value]) -> Value {
    json!({ "repository": { "id": repository, "origin": format!("github.com/acme/{repository}") }, "sources": sources })
}

/// The run of a repository with a compose file and a catalog.
pub(super) async fn both(client: &TestClient<'_>, repository: &str, compose: &str, catalog: &str) -> Value {
    let sources = [
        source(client, &format!("{repository}:compose.yaml"), "compose.yaml", compose).await,
        source(client, &format!("{repository}:catalog.yaml"), "catalog.yaml", catalog).await,
    ];
    run(repository, &sources)
}

/// The names of the components of the map, in order.
pub(super) async fn names(client: &TestClient<'_>) -> Vec<String> {
    let all = contents(client).await;
    let rows = all["components"].as_array().unwrap().iter();
    let mut names: Vec<String> = rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// The texts of the diagnostics of a report.
pub fn notes(report: &Value) -> String {
    let rows = report["diagnostics"].as_array().unwrap().iter();
    rows.map(|row| row["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_service_in_two_sources_of_a_repository_is_one_component_of_one_change_set() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let first = both(&ada, "shop", &compose(&[]), &catalog(&[], None)).await;
    let report = sync(&ada, &first).await;
    assert_eq!(keys(&report, "added", "component").len(), 5, "{report}");
    assert_eq!(names(&ada).await, ["cart", "db", "mail", "pay", "web"]);
    // The catalog states that the database is a service, and the image of the compose file is only a sign.
    assert_eq!((&report["repository"], &report["sources"][1]["id"]), (&json!("shop"), &json!("shop:catalog.yaml")));
    let again = sync(&ada, &first).await;
    assert_eq!((&again["isInStep"], &again["changeSetId"]), (&json!(true), &Value::Null), "{again}");
    ada.post("/api/workspaces/shop/undo", json!({ "changeSetId": report["changeSetId"] })).await.ok();
    assert_eq!(names(&ada).await, [""; 0], "one undo step takes back the run");
}

#[tokio::test]
async fn a_report_says_from_which_source_a_component_is_already_on_the_map() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let first = source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&[])).await;
    sync(&ada, &run("shop", &[first])).await;
    let second = source(&ada, "shop:catalog.yaml", "catalog.yaml", &catalog(&["cart", "db"], None)).await;
    let request = run("shop", std::slice::from_ref(&second));
    let known = |name: &str| {
        let key = format!("component:default/{name}");
        format!("`{name}` is already on the map from `shop:compose.yaml`; if it is another one, split off `{key}`")
    };
    assert_eq!(notes(&preview(&ada, &request).await), [known("web"), known("pay"), known("mail")].join("\n"));
    sync(&ada, &request).await;
    let alone = json!({ "source": second["source"], "reading": second["reading"] });
    let again = preview(&ada, &alone).await;
    assert_eq!(
        (notes(&again), &again["repository"]),
        (String::new(), &json!("shop")),
        "a source stays in its repository"
    );
}

#[tokio::test]
async fn a_source_that_says_nothing_of_a_field_keeps_that_of_another_one() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let first = both(&ada, "shop", &compose(&[]), &catalog(&[], Some("money"))).await;
    sync(&ada, &first).await;
    let money = component(&ada, "money").await["id"].clone();
    let inside = async || {
        let bundle = ada.bundle("shop").await;
        let rows = bundle["relationships"].as_array().unwrap().iter();
        rows.filter(|row| row["typeId"] == "contains" && row["sourceId"] == money).count()
    };
    assert_eq!(inside().await, 5);
    // The compose file alone, which knows no system.
    let only = source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&[])).await;
    let report = sync(&ada, &run("shop", &[only])).await;
    assert_eq!((&report["isInStep"], inside().await), (&json!(true), 5), "{report}");
    // The catalog no longer has the services: nothing states the system anymore.
    let report = sync(&ada, &both(&ada, "shop", &compose(&[]), &catalog(&["pay"], Some("money"))).await).await;
    assert_eq!(
        (fields(&report, "changed", "pay"), inside().await),
        (vec!["lifecycle".to_owned(), "parent".to_owned()], 4)
    );
    assert_eq!(report["conflicts"], json!([]), "a change of another source is no change on the map: {report}");
}

#[tokio::test]
async fn the_same_name_in_another_repository_stays_apart_until_the_configuration_says_otherwise() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let bank = source(&ada, "bank:compose.yaml", "compose.yaml", &compose(&["mail", "cart"])).await;
    sync(&ada, &run("bank", &[bank])).await;
    let mut own = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&["pay", "db"])).await]);
    let told = preview(&ada, &own).await;
    assert!(notes(&told).contains("`web` has the same name as `web` in `bank`, and is kept apart"), "{told}");
    assert_eq!(keys(&told, "added", "component").len(), 3);
    own["same"] = json!({ "web": "bank/web" });
    let report = sync(&ada, &own).await;
    assert_eq!(keys(&report, "added", "component"), ["mail", "cart"], "{report}");
    assert_eq!(names(&ada).await, ["cart", "db", "mail", "pay", "web"]);
    own["same"] = json!({});
    assert_eq!(sync(&ada, &own).await["isInStep"], true, "the claim remembers it");
    // It was a mistake: the component is split off, and never matched with the other one again.
    let split = json!({ "kind": "component", "key": "web", "split": true });
    ada.patch("/api/workspaces/shop/sources/shop%3Acompose.yaml", split).await.ok();
    let report = sync(&ada, &own).await;
    assert_eq!(keys(&report, "added", "component"), ["web"], "{report}");
    assert_eq!(sync(&ada, &own).await["isInStep"], true);
    assert_eq!(names(&ada).await, ["cart", "db", "mail", "pay", "web", "web"]);
}

#[tokio::test]
async fn what_someone_drew_becomes_the_component_of_the_source_and_keeps_its_name() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    for (id, name, kind) in [("w", "Web", "web-app"), ("payments", "Pay Service", "service")] {
        let new = json!({ "id": id, "name": name, "typeId": kind, "description": "Ours" });
        ada.post("/api/workspaces/shop/components", new).await.created();
    }
    let own = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&[])).await]);
    let report = sync(&ada, &own).await;
    assert_eq!(keys(&report, "adopted", "component"), ["web", "pay"], "{report}");
    let web = component(&ada, "Web").await;
    assert_eq!((&web["id"], &web["typeId"], &web["description"]), (&json!("w"), &json!("web-app"), &json!("Ours")));
    assert_eq!(sync(&ada, &own).await["isInStep"], true);
}

#[tokio::test]
async fn a_name_that_several_components_have_is_told_and_drawn_apart() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    for id in ["front-1", "front-2"] {
        let new = json!({ "id": id, "name": "pay", "typeId": "service" });
        ada.post("/api/workspaces/shop/components", new).await.created();
    }
    let own = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&["web", "db"])).await]);
    let report = sync(&ada, &own).await;
    assert!(notes(&report).contains("`pay` can be `pay` (front-1) or `pay` (front-2)"), "{report}");
    assert_eq!(names(&ada).await, ["cart", "mail", "pay", "pay", "pay"]);
}

#[tokio::test]
async fn a_new_tag_of_an_image_is_no_difference_and_is_shown_with_the_source() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let own = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&[])).await]);
    sync(&ada, &own).await;
    assert_eq!(component(&ada, "pay").await["properties"]["image"], "acme/pay");
    let next = compose(&[]).replace("acme/pay:1.0", "acme/pay:1.0.1");
    let next = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &next).await]);
    let report = sync(&ada, &next).await;
    assert_eq!((&report["isInStep"], &report["changeSetId"]), (&json!(true), &Value::Null), "{report}");
    let rows = ada.get("/api/workspaces/shop/sources/shop%3Acompose.yaml").await.ok();
    let pay = rows["claims"].as_array().unwrap().iter().find(|row| row["key"] == "pay").unwrap().clone();
    assert_eq!(pay["volatile"], json!({ "image": "acme/pay:1.0.1" }));
}

#[tokio::test]
async fn a_call_satisfies_a_dependency_of_another_source() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let depends = "services:\n  web:\n    image: acme/web\n    depends_on: [pay]\n  pay:\n    image: acme/pay\n";
    let calls = json!({ "data": [{ "parent": "web", "child": "pay", "callCount": 7 }] }).to_string();
    let mut traces = source(&ada, "traces", "traces.json", &calls).await;
    traces["options"] = json!({ "draw": true });
    let compose = source(&ada, "shop:compose.yaml", "compose.yaml", depends).await;
    let kinds = async || {
        let bundle = ada.bundle("shop").await;
        let rows = bundle["relationships"].as_array().unwrap().iter();
        rows.map(|row| row["typeId"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // The dependency first, which becomes exact.
    sync(&ada, &run("shop", std::slice::from_ref(&compose))).await;
    assert_eq!(kinds().await, ["depends-on"]);
    for _ in 0..2 {
        sync(&ada, &run("shop", &[compose.clone(), traces.clone()])).await;
        assert_eq!(kinds().await, ["calls"]);
        assert_eq!(names(&ada).await, ["pay", "web"]);
    }
    let report = sync(&ada, &run("shop", &[compose])).await;
    assert_eq!((&report["isInStep"], kinds().await), (&json!(true), vec!["calls".to_owned()]), "{report}");
}

#[tokio::test]
async fn an_id_of_a_repository_belongs_to_one_place_and_sources_of_before_find_theirs() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    // Before there were repositories, and under another name.
    let one = source(&ada, "old-name", "compose.yaml", &compose(&[])).await;
    sync(&ada, &json!({ "source": one["source"], "reading": one["reading"] })).await;
    let before = contents(&ada).await;
    let own = both(&ada, "shop", &compose(&[]), &catalog(&[], None)).await;
    let report = sync(&ada, &own).await;
    assert_eq!(keys(&report, "added", "component"), [""; 0], "{report}");
    let ids =
        |all: &Value| all["components"].as_array().unwrap().iter().map(|row| row["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&contents(&ada).await), ids(&before));
    let sources = ada.get("/api/workspaces/shop/sources").await.ok();
    let listed: Vec<_> =
        sources["sources"].as_array().unwrap().iter().map(|row| (&row["id"], &row["repository"])).collect();
    let repository = json!("shop");
    assert_eq!(listed, [(&json!("shop:catalog.yaml"), &repository), (&json!("shop:compose.yaml"), &repository)]);
    let mut copied = own.clone();
    copied["repository"]["origin"] = json!("github.com/other/copy");
    let refused = ada.post("/api/workspaces/shop/sync", copied.clone()).await;
    refused.expect_error(
        409,
        "the repository `shop` is at github.com/acme/shop, and this sync comes from github.com/other/copy",
    );
    copied["repository"]["moved"] = json!(true);
    assert_eq!(sync(&ada, &copied).await["isInStep"], true);
}

#[tokio::test]
async fn a_repository_under_another_id_is_not_drawn_a_second_time() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let own = both(&ada, "shop", &compose(&[]), &catalog(&[], None)).await;
    sync(&ada, &own).await;
    let mut renamed = both(&ada, "shop-2", &compose(&[]).replace(":1.0", ":2.0"), &catalog(&[], None)).await;
    let refused = ada.post("/api/workspaces/shop/sync", renamed.clone()).await;
    refused.expect_error(409, "all 10 components are those of the repository `shop`, in the same files");
    let id = renamed["repository"]["id"].clone();
    renamed["repository"] = json!({ "id": "shop", "origin": "github.com/acme/shop-2", "moved": true });
    let report = sync(&ada, &renamed).await;
    assert_eq!((keys(&report, "added", "component"), &report["vanished"]), (vec![], &json!([])), "{report}");
    assert_eq!(ada.get("/api/workspaces/shop/sources").await.ok()["sources"].as_array().unwrap().len(), 2);
    renamed["repository"] = json!({ "id": id, "copy": true });
    let again = both(&ada, "shop-3", &compose(&[]), &catalog(&[], None)).await["sources"].clone();
    renamed["sources"] = again;
    assert_eq!(keys(&sync(&ada, &renamed).await, "added", "component").len(), 5, "it is another repository");
}

#[tokio::test]
async fn a_source_of_another_repository_is_not_taken_by_its_name() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let bank = source(&ada, "catalog", "catalog.yaml", &catalog(&["cart"], None)).await;
    sync(&ada, &run("bank", &[bank])).await;
    let before = contents(&ada).await;
    let own = run("shop", &[source(&ada, "catalog", "catalog.yaml", &catalog(&["web", "pay"], None)).await]);
    let refused = ada.post("/api/workspaces/shop/sync", own).await;
    refused
        .expect_error(409, "the source `catalog` belongs to the repository `bank`; give that of `shop` another name");
    assert_eq!(contents(&ada).await, before);
}

#[tokio::test]
async fn what_a_reader_concludes_never_replaces_what_someone_wrote() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let titled = catalog(&[], None).replace("name: pay\n", "name: pay\n  title: Payments\n");
    let request = both(&ada, "shop", &compose(&[]), &titled).await;
    sync(&ada, &request).await;
    let pay = component(&ada, "Payments").await;
    assert_eq!(sync(&ada, &request).await["isInStep"], true);
    let drift = ada.get("/api/workspaces/shop/drift").await.ok();
    assert_eq!((&drift["counts"]["differs"], &drift["counts"]["sourcesDiffer"]), (&json!(0), &json!(0)), "{drift}");
    // The catalog stops, and someone has given the component a name: the key does not replace it.
    ada.patch(&path(&pay), json!({ "name": "Checkout" })).await.ok();
    let report = sync(&ada, &both(&ada, "shop", &compose(&[]), &catalog(&["pay"], None)).await).await;
    assert_eq!(component(&ada, "Checkout").await["id"], pay["id"], "{report}");
}

#[tokio::test]
async fn a_request_names_either_a_source_or_sources() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let one = source(&ada, "a", "compose.yaml", &compose(&[])).await;
    let reject = async |wrong: Value, text: &str| {
        ada.post("/api/workspaces/shop/sync/preview", wrong).await.expect_error(400, text);
    };
    reject(json!({ "sources": [] }), "sources: ").await;
    reject(json!({ "source": one["source"] }), "reading: is required").await;
    reject(
        json!({ "source": one["source"], "reading": one["reading"], "sources": [one] }),
        "sources: must be left out",
    )
    .await;
    reject(json!({ "sources": [one, one] }), "sources[1].source.id: ").await;
    let mut wrong = one.clone();
    wrong["reading"]["components"][0]["typeId"] = json!("x");
    reject(
        json!({ "sources": [one, { "source": { "id": "b", "kind": "compose" }, "reading": wrong["reading"] }] }),
        "sources[1].reading.components[0].typeId: ",
    )
    .await;
    reject(json!({ "sources": [one], "group": "nowhere" }), "group: there is no component `nowhere` on the map").await;
}

#[tokio::test]
async fn owners_that_another_repository_states_are_no_change_of_the_component() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let table = "Name,Type,Owner\nPay,service,model team\n";
    let mut model = run("model", &[source(&ada, "model:m.csv", "m.csv", table).await]);
    model["same"] = json!({ "Pay": "bank/pay" });
    let bank = both(&ada, "bank", &compose(&[]), &catalog(&["cart", "db", "mail", "web"], None)).await;
    sync(&ada, &bank).await;
    assert_eq!(keys(&sync(&ada, &model).await, "adopted", "component").len(), 1);
    for request in [&bank, &model, &bank] {
        let report = preview(&ada, request).await;
        assert_eq!((&report["isInStep"], &report["changed"]), (&json!(true), &json!([])), "{report}");
        sync(&ada, request).await;
    }
}
