//! The definitions of views: what is accepted, and how it is returned.

use serde_json::{Value, json};

use super::PATH;
use crate::support::TestServer;

#[tokio::test]
async fn a_definition_is_returned_with_its_defaults() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let full = json!({
        "include": [
            { "ids": ["a", "deleted long ago"], "types": ["service"], "kinds": ["ledger"], "lifecycle": ["live"],
              "tags": ["pci"], "within": ["team/api"], "owners": ["grace"], "teams": ["t"], "roles": ["owner"],
              "text": "pay", "properties": { "tier": 1, "pci": true, "region": "eu" },
              "around": { "of": ["a"], "direction": "up", "depth": 10, "relationTypes": ["calls"] } },
            { "tags": ["x"] },
        ],
        "exclude": [{ "types": ["person"] }],
        "relationTypes": ["calls", "reads"],
        "outside": "stubs",
        "collapsed": ["team/api"],
        "colorBy": "owner",
        "show": { "description": true, "owner": false, "technology": true, "lifecycle": false, "labels": true },
    });
    let definition = async |definition: Value| {
        let new = json!({ "name": "V", "definition": definition });
        ada.create_view(new).await["definition"].clone()
    };
    assert_eq!(definition(full.clone()).await, full);
    let given = json!({ "include": [{ "around": { "of": ["a"] } }], "relationTypes": [], "show": { "labels": false } });
    let expected = json!({
        "include": [{ "around": { "of": ["a"], "direction": "both", "depth": 1, "relationTypes": null } }], "exclude": [],
        "relationTypes": [], "outside": "hidden", "collapsed": [], "colorBy": null, "show": { "labels": false },
    });
    assert_eq!(definition(given).await, expected);
    // As everywhere, null means absent.
    let nulls = json!({
        "include": [{ "ids": ["a"], "types": null, "text": null, "properties": null, "around": null }], "exclude": null,
        "outside": null, "collapsed": null, "colorBy": null, "show": null,
    });
    assert_eq!(definition(nulls).await["include"], json!([{ "ids": ["a"] }]));
}

#[tokio::test]
async fn what_is_wrong_with_a_definition_is_named() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_view(json!({ "id": "v1", "name": "V" })).await;
    let selector = |selector: Value| json!({ "include": [selector] });
    let many = |count: usize| json!((0..count).map(|at| format!("c{at}")).collect::<Vec<_>>());
    let one = json!({ "ids": ["a"] });
    let long = json!((0..1_000).map(|at| format!("{at:0>100}")).collect::<Vec<_>>());
    let deep = json!({ "ids": ["a"], "properties": { "a": { "b": 1 } } });
    for (definition, field, text) in [
        (json!({ "includes": [] }), "definition.includes", "has no such field"),
        (selector(json!({})), "definition.include[0]", "must have at least one field"),
        (selector(json!({ "ids": ["a"], "id": "a" })), "definition.include[0].id", "has no such field"),
        (selector(json!("a")), "definition.include[0]", "expected an object"),
        (selector(json!({ "ids": [] })), "definition.include[0].ids", "must have 1 to 1000 items"),
        (selector(json!({ "ids": many(1_001) })), "definition.include[0].ids", "must have at most 1000 items"),
        (selector(json!({ "ids": ["a", ""] })), "definition.include[0].ids[1]", "must have 1 to 128 characters"),
        (
            selector(json!({ "types": ["service", "robot"] })),
            "definition.include[0].types[1]",
            "unknown component type",
        ),
        (selector(json!({ "lifecycle": ["dead"] })), "definition.include[0].lifecycle[0]", "unknown lifecycle state"),
        (selector(json!({ "text": " " })), "definition.include[0].text", "must have 1 to 200 characters"),
        (selector(json!({ "properties": {} })), "definition.include[0].properties", "must have 1 to 50 properties"),
        (
            selector(json!({ "properties": { "a": null } })),
            "definition.include[0].properties",
            "the value of `a` must be",
        ),
        (selector(deep), "definition.include[0].properties", "the value of `a` must be"),
        (selector(json!({ "around": {} })), "definition.include[0].around.of", "is required"),
        (
            selector(json!({ "around": { "of": ["a"], "direction": "left" } })),
            "definition.include[0].around.direction",
            "must be one of `up`, `down`, `both`, not `left`",
        ),
        (
            selector(json!({ "around": { "of": ["a"], "depth": 0 } })),
            "definition.include[0].around.depth",
            "must be 1 to 10",
        ),
        (
            selector(json!({ "around": { "of": ["a"], "depth": 11 } })),
            "definition.include[0].around.depth",
            "must be 1 to 10",
        ),
        (
            selector(json!({ "around": { "of": ["a"], "relationTypes": ["likes"] } })),
            "definition.include[0].around.relationTypes[0]",
            "unknown relation type",
        ),
        (
            json!({ "exclude": [one, { "types": ["robot"] }] }),
            "definition.exclude[1].types[0]",
            "unknown component type",
        ),
        (json!({ "relationTypes": ["likes"] }), "definition.relationTypes[0]", "unknown relation type"),
        (json!({ "outside": "faint" }), "definition.outside", "must be `hidden` or `stubs`, not `faint`"),
        (json!({ "show": { "name": true } }), "definition.show.name", "has no such field"),
        (json!({ "include": vec![one.clone(); 51] }), "definition.include", "must have at most 50 items"),
        (
            json!({ "include": vec![one.clone(); 26], "exclude": vec![one.clone(); 25] }),
            "definition",
            "at most 50 selectors",
        ),
        (selector(json!({ "ids": long })), "definition", "must have at most 65536 bytes of JSON"),
    ] {
        let new = json!({ "name": "V", "definition": definition });
        assert_eq!(ada.post(PATH, new).await.expect_error(400, text)["field"], field, "{definition}");
        let patch = json!({ "definition": definition });
        assert_eq!(ada.patch(&format!("{PATH}/v1"), patch.clone()).await.expect_error(400, text)["field"], field);
        let operation = json!({ "op": "update", "kind": "view", "id": "v1", "fields": patch });
        let refused = ada.post("/api/workspaces/w/operations", json!({ "operations": [operation] })).await;
        assert_eq!(refused.expect_error(400, text)["field"], format!("operations[0].fields.{field}"));
    }
    let most = json!({ "include": vec![one.clone(); 25], "exclude": vec![one; 25] });
    ada.create_view(json!({ "name": "V", "definition": most })).await;
}
