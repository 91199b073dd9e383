//! Tests of the rules that all formats share.

use serde_json::json;

use super::*;
use crate::{Reading, processes::Event, testing};

const AT: At = At { file: 0, line: 3 };

/// What a builder makes of rows.
fn build(add: impl FnOnce(&mut Builder<'_>) -> Result<(), Refusal>) -> Reading {
    let files = Files::of("maps/shop.v1.txt", "").unwrap();
    let options = Options::default();
    let mut builder = Builder::new(&files, &options);
    add(&mut builder).unwrap();
    builder.finish()
}

fn draft(key: &str, name: &str) -> Draft {
    Draft::new(key, name, "service", AT)
}

#[test]
fn a_component_has_one_whole_and_there_are_no_cycles() {
    let reading = build(|builder| {
        let [a, b, c] = ["a", "b", "c"].map(|key| builder.component(draft(key, key)).unwrap());
        builder.contain(a, b, AT)?;
        builder.contain(a, b, AT)?;
        builder.contain(b, c, AT)?;
        builder.contain(c, a, AT)?;
        builder.contain(a, c, AT)?;
        builder.contain(a, a, AT)
    });
    assert_eq!(testing::components(&reading), ["service a", "service b in a", "service c in b"]);
    assert_eq!(testing::relationships(&reading), ["c related-to a: contains", "a related-to c: contains"]);
    assert_eq!(reading.diagnostic_count, 3);
    let keys: Vec<&str> = reading.relationships.iter().map(|one| one.origin.key.as_str()).collect();
    assert_eq!(keys, ["contains:b", "contains:c", "c->a:contains", "a->c:contains"]);
}

#[test]
fn nesting_is_limited() {
    let reading = build(|builder| {
        let mut last = builder.component(draft("0", "0"))?;
        for n in 1..200 {
            let next = builder.component(draft(&n.to_string(), &n.to_string()))?;
            builder.contain(last, next, AT)?;
            last = next;
        }
        Ok(())
    });
    let contains = reading.relationships.iter().filter(|one| one.type_id == "contains").count();
    assert_eq!(reading.relationships.len(), 199);
    assert!((150..199).contains(&contains), "{contains}");
}

#[test]
fn the_same_pair_type_and_label_is_one_relationship() {
    let reading = build(|builder| {
        let [a, b] = ["a", "b"].map(|key| builder.component(draft(key, key)).unwrap());
        let arrow = |label: &str, technology: &str| Arrow {
            label: label.into(),
            technology: vec![technology.into()],
            ..Arrow::new(a, b, AT)
        };
        builder.arrow(arrow("uses\n it", "SMTP"))?;
        builder.arrow(arrow("uses it", "IMAP"))?;
        builder.arrow(arrow("uses", "SMTP"))?;
        builder.arrow(arrow("uses it", "HTTP"))?;
        builder.arrow(Arrow { from: b, to: a, ..arrow("uses it", "SMTP") })
    });
    assert_eq!(
        testing::relationships(&reading),
        [
            "a uses b: uses it (SMTP, IMAP)",
            "a uses b: uses (SMTP)",
            "a calls b: uses it (HTTP)",
            "b uses a: uses it (SMTP)"
        ]
    );
    let ids: Vec<&str> = reading.relationships.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, ["a-uses-b", "a-uses-b-2", "a-calls-b", "b-uses-a"]);
    let keys: Vec<&str> = reading.relationships.iter().map(|one| one.origin.key.as_str()).collect();
    assert_eq!(keys, ["a->b:uses it", "a->b:uses", "a->b:uses it#2", "b->a:uses it"]);
}

#[test]
fn ids_follow_from_names_and_from_keys_if_names_are_repeated() {
    let make = |order: [usize; 5]| {
        let rows = [
            draft("shop.db", "Database"),
            draft("mail.db", "Database"),
            draft("x", "Größe (neu)"),
            draft("y", "???"),
            Draft { properties: vec![("planroom.id".into(), "my/id".into())], ..draft("z", "Z") },
        ];
        let reading = build(|builder| order.iter().try_for_each(|at| builder.component(rows[*at].clone()).map(drop)));
        let mut ids: Vec<String> = reading.components.into_iter().map(|one| one.id).collect();
        ids.sort();
        ids
    };
    let expected = ["größe-neu", "mail-db", "my/id", "shop-db", "y"];
    assert_eq!(make([0, 1, 2, 3, 4]), expected);
    assert_eq!(make([4, 3, 2, 1, 0]), expected);
}

#[test]
fn keys_and_ids_are_unique() {
    let reading = build(|builder| {
        for _ in 0..3 {
            builder.component(draft("same", "Same"))?;
        }
        builder.component(draft("same#2", "Same 2"))?;
        builder.component(draft(&"k".repeat(1_000), "")).map(drop)
    });
    let keys: Vec<&str> = reading.components.iter().map(|one| one.origin.key.as_str()).collect();
    assert_eq!(keys[..4], ["same", "same#2", "same#3", "same#2#2"]);
    assert_eq!(keys[4].chars().count(), 400);
    let ids: Vec<&str> = reading.components.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids[..4], ["same", "same-2", "same-3", "same-2-2"]);
    assert_eq!(reading.components[4].name.chars().count(), 200, "without a name, the key is shown");
}

#[test]
fn properties_get_their_meaning_and_lose_secrets() {
    let reading = build(|builder| {
        let mut one = draft("a", "A");
        one.technology = vec!["PostgreSQL".into()];
        for (name, value) in [
            ("planroom.type", json!("API")),
            ("lifecycle", json!("Deprecated")),
            ("url", json!("https://u:p@example.org/a")),
            ("DB_PASSWORD", json!("hunter2")),
            ("address", json!("mysql://root:hunter2@db")),
            ("nested", json!({ "token": "hunter2", "list": ["https://u:hunter2@x"] })),
            ("kind", json!("gold")),
            ("calls", json!(17)),
        ] {
            one.property(name, value);
        }
        builder.component(one)?;
        let mut two = draft("b", "B");
        for (name, value) in [("planroom.type", "spaceship"), ("lifecycle", "broken"), ("url", "docs/b.md")] {
            two.property(name, value);
        }
        builder.component(two).map(drop)
    });
    let (one, two) = (&reading.components[0], &reading.components[1]);
    assert_eq!((one.type_id, two.type_id), ("api", "service"));
    assert_eq!(
        json!(one.properties),
        json!({ "lifecycle": "deprecated", "address": "mysql://db", "nested": { "list": ["https://x"] },
                "source.kind": "gold", "calls": 17 })
    );
    assert_eq!(json!(two.properties), json!({ "url": "docs/b.md" }));
    let links: Vec<&str> = reading.links.iter().map(|link| link.url.as_str()).collect();
    assert_eq!(links, ["https://example.org/a"]);
    assert_eq!(
        testing::diagnostics(&reading),
        [
            "3: `planroom.type` is `spaceship`, which is no component type",
            "3: the lifecycle `broken` of `B` is no lifecycle state",
            "3: the property `DB_PASSWORD` was not imported, because it may be a secret",
        ]
    );
}

#[test]
fn properties_are_limited() {
    let reading = build(|builder| {
        let mut one = draft("a", "A");
        for n in 0..1_000 {
            one.property(&format!("p{n}"), "x".repeat(5_000));
        }
        builder.component(one).map(drop)
    });
    let text = serde_json::to_string(&reading.components[0].properties).unwrap();
    assert!((20_000..64 << 10).contains(&text.len()), "{}", text.len());
    assert!(reading.diagnostics[0].text.contains("too many"));
}

#[test]
fn people_and_teams_are_attached_once() {
    let reading = build(|builder| {
        let a = builder.component(draft("a", "A"))?;
        let ada = PersonDraft {
            key: "user:ada".into(),
            name: "Ada".into(),
            email: Some(" ada@example.org".into()),
            ..PersonDraft::default()
        };
        let ada = builder.person(ada)?;
        let bob = PersonDraft { key: "user:bob".into(), email: Some("none".into()), ..PersonDraft::default() };
        let bob = builder.person(bob)?;
        let team = builder.team(TeamDraft { key: "team:x".into(), name: "X".into(), ..TeamDraft::default() })?;
        builder.member(team, ada, AT)?;
        builder.member(team, ada, AT)?;
        for _ in 0..2 {
            builder.stakeholder(a, Holder::Team(team), "owner", AT)?;
            builder.stakeholder(a, Holder::Person(bob), "owner", AT)?;
        }
        assert_eq!(builder.find("a"), Some(a));
        Ok(())
    });
    let people: Vec<_> = reading.people.iter().map(|one| (one.name.as_str(), one.email.as_deref())).collect();
    assert_eq!(people, [("Ada", Some("ada@example.org")), ("user:bob", None)]);
    assert_eq!(json!(reading.people[1].properties), json!({ "email": "none" }));
    assert_eq!(reading.teams[0].members.len(), 1);
    assert_eq!(reading.stakeholders.len(), 2);
}

#[test]
fn views_and_processes_need_components_of_the_map() {
    let reading = build(|builder| {
        let a = builder.component(draft("a", "A"))?;
        for name in ["All", "All", "漢字", "Other"] {
            let components = if name == "Other" { vec![] } else { vec![a, a] };
            let positions =
                if name == "漢字" { vec![(a, 1.0, 2.0), (a, 3.0, 4.0)] } else { vec![(a, f64::NAN, 1e300)] };
            builder.view(ViewDraft {
                key: name.into(),
                name: name.into(),
                components,
                positions,
                ..ViewDraft::default()
            })?;
        }
        let events = vec![Event::Step { from: a, to: a, text: "x".into(), reply: false }];
        builder.process(ProcessDraft { key: "p".into(), name: "P".into(), events, ..ProcessDraft::default() })?;
        builder.process(ProcessDraft { key: "q".into(), name: "Q".into(), ..ProcessDraft::default() })
    });
    let views: Vec<_> =
        reading.views.iter().map(|one| (one.id.as_str(), one.layout, one.definition.include[0].ids.len())).collect();
    assert_eq!(views, [("view-all", "shared", 1), ("view-all-2", "shared", 1), ("view", "own", 1)]);
    assert_eq!(reading.view_places.len(), 1);
    assert_eq!((reading.processes.len(), reading.processes[0].id.as_str()), (1, "process-p"));
    assert_eq!(reading.diagnostics.len(), 2);
}

#[test]
fn the_workspace_is_named_by_the_options_the_source_or_the_file() {
    let named = |given: Option<&str>, source: Option<&str>| {
        let files = Files::of("maps/shop.v1.txt", "").unwrap();
        let options = Options { name: given.map(str::to_owned), ..Options::default() };
        let mut builder = Builder::new(&files, &options);
        builder.workspace(source, Some(" d "));
        builder.finish().workspace
    };
    assert_eq!(named(Some(" Mine "), Some("Source")).name, "Mine");
    assert_eq!(named(None, Some("Source")).name, "Source");
    assert_eq!(named(None, None).name, "shop");
}

#[test]
fn numbers_of_rows_are_limited() {
    let files = Files::of("a", "").unwrap();
    let options = Options::default();
    let mut builder = Builder::new(&files, &options);
    let first = builder.component(draft("a", "A")).unwrap();
    for _ in 1..MAX_COMPONENTS {
        builder.component(draft("a", "A")).unwrap();
    }
    let refusal = builder.component(draft("a", "A")).unwrap_err();
    assert_eq!(refusal.to_string(), "a:3: there are more than 20000 components; import a part of them");
    for _ in MAX_COMPONENTS..MAX_RELATIONSHIPS {
        builder.arrow(Arrow::new(first, first, AT)).unwrap();
    }
    assert!(builder.arrow(Arrow::new(first, first, AT)).unwrap_err().text.contains("50000 relationships"));
    for n in 0..1_000 {
        builder.warn(At::new(0, n), "x".repeat(1_000));
        builder.ignore(&n.to_string(), 1);
    }
    let reading = builder.finish();
    assert_eq!((reading.diagnostics.len(), reading.diagnostic_count), (MAX_DIAGNOSTICS, 1_000));
    assert_eq!((reading.ignored.len(), reading.diagnostics[0].text.chars().count()), (100, 500));
}

#[test]
fn rows_without_name_and_key_are_unnamed() {
    let reading = build(|builder| {
        builder.component(draft("", " \n"))?;
        builder.component(draft("", "")).map(drop)
    });
    let rows: Vec<_> = reading.components.iter().map(|one| (one.id.as_str(), one.name.as_str())).collect();
    assert_eq!(rows, [("unnamed", "Unnamed"), ("unnamed-2", "Unnamed")]);
}

#[test]
fn ids_that_files_name_and_components_do_not_get_are_reported() {
    let named = |key: &str, id: &str| Draft {
        properties: vec![("planroom.id".into(), id.into())],
        ..draft(key, &key.to_uppercase())
    };
    let reading = build(|builder| {
        for row in [named("a", "pay"), named("b", "pay"), named("c", ".."), named("d", "cart")] {
            builder.component(row)?;
        }
        Ok(())
    });
    let texts: Vec<&str> = reading.diagnostics.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "another component has the id `pay`, so `B` has none of its own",
            "`..` is no valid id, so `C` has none of its own; use 1 to 128 characters in one line",
        ]
    );
}
