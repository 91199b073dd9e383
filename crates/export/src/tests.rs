//! What the writers write. Random maps are written and read back in `import/tests/exports.rs`.

use super::{Component, Format, Map, Owner, Process, Rect, Relationship, Step, write};

fn component(id: &str, type_id: &str, name: &str) -> Component {
    let rect = Rect { x: 10.0, y: 20.5, width: 200.0, height: 80.0 };
    Component {
        id: id.into(),
        type_id: type_id.into(),
        type_name: type_id.into(),
        name: name.into(),
        rect,
        ..Component::default()
    }
}

fn relationship(source: &str, type_id: &str, target: &str, label: &str) -> Relationship {
    Relationship {
        id: format!("{source} {type_id} {target}"),
        source_id: source.into(),
        target_id: target.into(),
        type_id: type_id.into(),
        type_name: type_id.replace('-', " "),
        is_directed: type_id != "related-to",
        label: label.into(),
        ..Relationship::default()
    }
}

/// A map with all levels, a host, a process, and relationships that some formats refuse.
fn shop() -> Map {
    let step =
        |from: &str, to: &str, text: &str| Step { source_id: from.into(), target_id: to.into(), text: text.into() };
    let mut database = component("orders-db", "database", "Orders \"DB\"");
    database.technology = vec!["PostgreSQL".into(), "a,b".into()];
    database.tags = vec!["core".into(), "two words".into()];
    database.description = "Orders\nand more".into();
    let owner = |name: &str, is_person| Owner { name: name.into(), is_person };
    database.owners = vec![owner("Team A", false), owner("Ada, Countess of Lovelace", true)];
    database.links = vec!["https://example.org/?a=1&b=2".into()];
    database.properties = vec![("lifecycle".into(), "live".into()), ("my key".into(), "x".into())];
    Map {
        name: "Shop".into(),
        description: String::new(),
        components: vec![
            component("sales", "domain", "Sales"),
            component("shop", "system", "Shop"),
            component("api", "service", "API"),
            component("pricing", "component", "Pricing"),
            component("rules", "component", "Rules"),
            database,
            component("ada", "person", "Ada"),
            component("host", "host", "Host"),
            component("shop-2", "system", "Shop"),
        ],
        relationships: vec![
            relationship("sales", "contains", "shop", ""),
            relationship("sales", "contains", "shop-2", ""),
            relationship("shop", "contains", "api", ""),
            relationship("shop", "contains", "orders-db", ""),
            relationship("api", "contains", "pricing", ""),
            relationship("pricing", "contains", "rules", ""),
            relationship("api", "reads", "orders-db", "reads"),
            relationship("api", "writes", "orders-db", "reads"),
            relationship("ada", "uses", "shop", ""),
            relationship("shop", "uses", "api", "its part"),
            relationship("shop", "deployed-on", "host", ""),
        ],
        processes: vec![
            Process {
                id: "order".into(),
                name: "Order".into(),
                description: String::new(),
                steps: vec![step("api", "orders-db", "save"), step("orders-db", "api", "ok"), step("ada", "api", "?")],
            },
            Process { id: "none".into(), name: "Nothing".into(), ..Process::default() },
        ],
    }
}

#[test]
fn maps_are_written_in_all_formats() {
    for format in Format::ALL {
        insta::assert_snapshot!(format.id(), write(*format, &shop()));
        assert_eq!(Format::of_id(format.id()), Some(*format));
    }
}

#[test]
fn deep_maps_and_circles_are_written_in_linear_size() {
    const COUNT: usize = 3_000;
    for type_id in ["system", "group", "host"] {
        let mut map = Map { name: "Deep".into(), ..Map::default() };
        for at in 0..COUNT {
            map.components.push(component(&at.to_string(), type_id, "x"));
            map.relationships.push(relationship(&at.to_string(), "contains", &((at + 1) % COUNT).to_string(), ""));
        }
        map.components.push(component("app", "system", "App"));
        map.relationships.push(relationship("app", "deployed-on", "7", ""));
        for format in Format::ALL {
            let text = write(*format, &map);
            assert!(text.len() < COUNT * 2_000, "{} {type_id}: {}", format.id(), text.len());
        }
    }
}
