//! What the readers make of samples: `LikeC4`, `IcePanel` and `ArchiMate`.

use crate::{
    Format, Options,
    testing::{components, diagnostics, read_files, relationships, sample, steps},
};

#[test]
fn the_likec4_sample() {
    let reading = sample("shop.likec4.json");
    assert_eq!(
        components(&reading),
        [
            "person Customer",
            "system Shop",
            "web-app Web in Shop (TypeScript) #core version=1.0 teams=a, b",
            "service API in Shop",
            "cache Cache in API (in memory of course)",
            "database Database in Shop (PostgreSQL)",
            "external-system Stripe",
            "cluster Production deployment=node",
            "host VM in Production (Linux) deployment=node",
        ]
    );
    assert_eq!(
        relationships(&reading),
        [
            "Customer uses Web: buys",
            "Web calls API (REST)",
            "Web uses API",
            "API writes Database: stores orders",
            "Cache uses Stripe: pays with",
            "Web deployed-on VM",
            "Database deployed-on VM",
            "VM uses Database: mounts",
        ]
    );
    assert_eq!(
        steps(&reading),
        [
            "Customer->>Web: chooses",
            "Note over Web: In the browser",
            "par",
            "Web->>API: orders",
            "and",
            "Web->>Stripe: pays",
            "end",
            "API-->>Web: …",
        ]
    );
    assert_eq!(
        diagnostics(&reading),
        [
            "10: the property `apiKey` was not imported, because it may be a secret",
            "22: a relationship was not imported, because one of its ends is not in the project",
        ]
    );
    let ignored: Vec<(&str, usize)> = reading.ignored.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert_eq!(ignored, [("dynamic views", 1), ("links of relationships", 1), ("relative links", 1)]);
}

#[test]
fn the_icepanel_sample() {
    let reading = sample("shop.icepanel.json");
    assert_eq!(
        components(&reading),
        [
            "domain Sales",
            "domain Logistics",
            "person Shopper in Sales lifecycle=live",
            "system Shop in Sales",
            "service Orders app in Shop (Go) #High lifecycle=retired",
            "queue Events in Shop (Apache Kafka)",
            "component Pricing in Orders app",
            "external-system Mail in Logistics lifecycle=planned",
        ]
    );
    assert_eq!(
        relationships(&reading),
        [
            "Shopper calls Orders app: uses (REST)",
            "Orders app publishes Events: publishes",
            "Events streams-to Mail",
            "Orders app uses Mail both ways: talks to",
        ]
    );
    assert_eq!(
        steps(&reading),
        [
            "Shopper->>OrdersApp: Orders",
            "OrdersApp-->>Shopper: Accepted",
            "par mail",
            "OrdersApp->>Mail: Sends",
            "and price",
            "OrdersApp->>OrdersApp: Computes",
            "end",
            "Note over OrdersApp: Done",
        ]
    );
    assert_eq!(
        diagnostics(&reading),
        [
            "8: there is no team `t9` in the export",
            "19: the connection `k4` was not imported, because one of its ends is not in the export",
        ]
    );
    let ignored: Vec<(&str, usize)> = reading.ignored.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert_eq!(ignored, [("diagrams", 1), ("hologram", 1), ("steps without objects", 1)]);
}

#[test]
fn the_archimate_sample() {
    let reading = sample("shop.archimate.xml");
    assert_eq!(
        components(&reading),
        [
            "person Customer",
            "service Shop owner=Team Shop",
            "service Shop in Shop",
            "document Order",
            "host Server",
            "group Online",
            "document Sell more",
        ]
    );
    assert_eq!(
        relationships(&reading),
        [
            "Shop related-to Shop: contains",
            "Online related-to Shop: contains",
            "Customer uses Shop",
            "Shop reads Order: looks up",
            "Shop writes Order",
            "Server related-to Shop: realizes",
            "Sell more related-to Shop: influences",
            "Shop streams-to Server",
        ]
    );
    assert_eq!(
        diagnostics(&reading),
        [
            "8: the property `accessToken` was not imported, because it may be a secret",
            "26: `Shop` is already part of another component; it is drawn as related to `Online`",
            "28: `Shop` cannot be part of `Shop`, which is part of it; they are drawn as related",
        ]
    );
    let ignored: Vec<(&str, usize)> = reading.ignored.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert_eq!(ignored, [("Wormhole", 1), ("relationships of relationships", 1)]);
}

#[test]
fn likec4_exports_without_views_say_so() {
    let text = r#"{"projectId": "a", "specification": {}, "elements": {"a": {"kind": "system", "title": "A", "description": "plain"}},
                   "relations": {}, "views": {}}"#;
    let reading = read_files(Format::LikeC4, &[("a.json", text)], &Options::default()).unwrap();
    assert_eq!(reading.components[0].description.as_deref(), Some("plain"));
    assert!(diagnostics(&reading)[0].contains("contains no views"));
}

#[test]
fn likec4_projects_have_keys_of_their_own() {
    let project = |id: &str| {
        format!(
            r#"{{"projectId": "{id}", "elements": {{"a": {{"title": "A"}}, "b": {{"title": "B"}}}},
                    "relations": {{"{id}1": {{"source": {{"model": "a"}}, "target": {{"model": "b"}}, "title": "t"}}}}, "views": {{}}}}"#
        )
    };
    let text = format!("[{}, {}, {}]", project("x"), project("y"), project("x"));
    let reading = read_files(Format::LikeC4, &[("a.json", &text)], &Options::default()).unwrap();
    let keys: Vec<&str> = reading.components.iter().map(|one| one.origin.key.as_str()).collect();
    assert_eq!(keys, ["x/a", "x/b", "y/a", "y/b"]);
    let keys: Vec<&str> = reading.relationships.iter().map(|one| one.origin.key.as_str()).collect();
    assert_eq!(keys, ["x/a->b::t", "y/a->b::t"], "the ids of the export are not part of the keys");
}

#[test]
fn likec4_positions_need_a_layout() {
    let text = |stage: &str| {
        format!(
            r#"{{"projectId": "a", "_stage": "{stage}", "elements": {{"a": {{}}, "b": {{}}}}, "relations": {{}},
                    "views": {{"index": {{"_type": "element", "nodes": [{{"id": "a", "x": 1, "y": 2}}, {{"id": "b", "x": 3, "y": 4}}]}}}}}}"#
        )
    };
    let read = |stage: &str| read_files(Format::LikeC4, &[("a.json", &text(stage))], &Options::default()).unwrap();
    assert_eq!((read("layouted").components[1].x, read("layouted").views[0].layout), (Some(3.0), "own"));
    assert_eq!((read("computed").components[1].x, read("computed").views[0].layout), (None, "shared"));
}

#[test]
fn a_single_icepanel_domain_is_no_group() {
    let text = r#"{"domains": {"d": {"name": "Default"}}, "modelConnections": {},
                   "modelObjects": {"r": {"type": "root", "domainId": "d"}, "s": {"type": "system", "name": "S", "parentId": "r", "domainId": "d"}}}"#;
    let reading = read_files(Format::IcePanel, &[("a.json", text)], &Options::default()).unwrap();
    assert_eq!(components(&reading), ["system S"]);
}

#[test]
fn archimate_goals_are_read_only_if_asked_for() {
    let text = r#"<model xmlns="http://www.opengroup.org/xsd/archimate/3.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
        <elements><element identifier="g" xsi:type="Goal"><name>G</name></element><element identifier="a" xsi:type="ApplicationComponent"><name>A</name></element></elements>
        <relationships><relationship identifier="r" source="g" target="a" xsi:type="Influence"/></relationships></model>"#;
    let read = |motivation: bool| {
        let options = Options { motivation, ..Options::default() };
        read_files(Format::ArchiMate, &[("a.xml", text)], &options).unwrap()
    };
    assert_eq!(components(&read(true)), ["document G", "service A"]);
    let without = read(false);
    assert_eq!(components(&without), ["service A"]);
    assert_eq!((without.ignored["Goal"], without.ignored["relationships of elements that were not imported"]), (1, 1));
}
