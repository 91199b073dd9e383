//! Rebuilds a workspace from the change log only.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use crate::support::TestServer;

/// The state after a replay of the log, or of a bundle.
#[derive(Debug, PartialEq)]
pub struct Replayed {
    revision: i64,
    workspace: [String; 5],
    components: Vec<String>,
    relationships: Vec<String>,
    processes: Vec<String>,
    notes: Vec<String>,
    links: Vec<String>,
    stakeholders: Vec<String>,
}

impl Replayed {
    /// `bundle` with notes, `links` in order of creation.
    pub fn of(bundle: &Value, links: &[Value]) -> Self {
        let rows = |kind: &str| bundle[kind].as_array().unwrap().iter().map(Value::to_string).collect();
        Self {
            revision: bundle["workspace"]["revision"].as_i64().unwrap(),
            workspace: own(&bundle["workspace"]),
            components: rows("components"),
            relationships: rows("relationships"),
            processes: rows("processes"),
            notes: rows("notes"),
            links: links.iter().map(Value::to_string).collect(),
            stakeholders: bundle["stakeholders"].as_array().unwrap().iter().map(link_alone).collect(),
        }
    }
}

/// A stakeholder link without its person or team, which its own row does not contain.
fn link_alone(stakeholder: &Value) -> String {
    let mut link = stakeholder.as_object().unwrap().clone();
    link.retain(|field, _| field != "person" && field != "team");
    Value::from(link).to_string()
}

/// The workspace's own fields: its revision and author change with every write, without a separate log row.
fn own(workspace: &Value) -> [String; 5] {
    ["id", "name", "visibility", "organizationAccess", "properties"].map(|key| workspace[key].to_string())
}

/// Rebuilds a workspace from its changes only. Each change must start with the result of the previous one.
pub fn replay(server: &TestServer, id: &str) -> Replayed {
    type Row = (String, String, String, Option<String>, Option<String>, i64);
    let changes: Vec<Row> = server.sql(|conn| {
        let sql = "SELECT entity, entity_id, op, before, after, revision FROM change
                   WHERE workspace_pk = (SELECT pk FROM workspace WHERE id = ?) ORDER BY id";
        let mut rows = conn.prepare(sql).unwrap();
        let read = |row: &rusqlite::Row<'_>| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
        };
        rows.query_map([id], read).unwrap().map(Result::unwrap).collect()
    });
    let mut replayed: BTreeMap<(String, String), Value> = BTreeMap::new();
    let mut revision = 0;
    for (entity, key, op, before, after, at) in changes {
        let parse = |image: Option<String>| image.map(|image| serde_json::from_str::<Value>(&image).unwrap());
        let (before, after) = (parse(before), parse(after));
        assert!(at >= revision, "revisions only grow");
        revision = at;
        assert_eq!((op.as_str() == "create", op.as_str() == "delete"), (before.is_none(), after.is_none()));
        let known = replayed.remove(&(entity.clone(), key.clone()));
        if entity == "workspace" {
            assert_eq!(before.as_ref().map(own), known.as_ref().map(own));
        } else {
            assert_eq!(before.map(|v| v.to_string()), known.map(|v| v.to_string()), "{op} of {entity} {key}");
        }
        if let Some(after) = after {
            assert!(entity == "workspace" || after["revision"] == at);
            replayed.insert((entity, key), after);
        }
    }
    let of = |kind: &'static str| replayed.iter().filter(move |((entity, _), _)| entity == kind).map(|(_, row)| row);
    let in_order = |kind: &'static str| {
        let mut rows: Vec<Value> = of(kind).cloned().collect();
        rows.sort_by_key(|row| row["seq"].as_i64().unwrap());
        let places: HashSet<i64> = rows.iter().map(|row| row["seq"].as_i64().unwrap()).collect();
        assert_eq!(places.len(), rows.len(), "two {kind}s have the same place");
        rows.into_iter()
            .map(|mut row| {
                row.as_object_mut().unwrap().shift_remove("seq");
                row.to_string()
            })
            .collect()
    };
    let by_id = |kind: &'static str| {
        let mut rows: Vec<&Value> = of(kind).collect();
        rows.sort_by_key(|row| row["id"].as_i64().unwrap());
        rows.into_iter().map(Value::to_string).collect()
    };
    assert_eq!((of("workspace").count(), of("member").count()), (1, 1));
    Replayed {
        revision,
        workspace: own(of("workspace").next().unwrap()),
        components: in_order("component"),
        relationships: in_order("relationship"),
        processes: in_order("process"),
        notes: in_order("note"),
        links: by_id("link"),
        stakeholders: by_id("stakeholder"),
    }
}

/// Rebuilds the directory of an organization from its changes only: the rows of each kind, in order. Each change must
/// start with the result of the previous one.
pub fn replay_directory(server: &TestServer, slug: &str) -> BTreeMap<String, Vec<Value>> {
    let mut rows: BTreeMap<(String, String), Value> = BTreeMap::new();
    let mut last = 0;
    for change in server.directory_changes(slug) {
        let mut words = change.what.splitn(3, ' ');
        let (op, entity, key) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
        assert!(change.revision == last || change.revision == last + 1, "revisions are steps");
        last = change.revision;
        let key = (entity.to_owned(), key.to_owned());
        assert_eq!(rows.remove(&key).unwrap_or_default(), change.before, "{}", change.what);
        assert_eq!((op == "create", op == "delete"), (change.before.is_null(), change.after.is_null()));
        if !change.after.is_null() {
            assert_eq!(change.after["revision"], change.revision);
            rows.insert(key, change.after);
        }
    }
    assert_eq!(last, server.directory_revision(slug));
    let mut replayed: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for ((entity, _), row) in rows {
        replayed.entry(entity).or_default().push(row);
    }
    for rows in replayed.values_mut() {
        rows.sort_by_key(|row| row["seq"].as_i64());
        for row in rows {
            row.as_object_mut().unwrap().shift_remove("seq");
        }
    }
    replayed
}
