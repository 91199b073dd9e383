//! A workspace rebuilt from the change log alone.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use crate::support::Stage;

/// What a replay of the log, or a look at the bundle, shows.
#[derive(Debug, PartialEq)]
pub struct Replayed {
    revision: i64,
    workspace: [String; 4],
    components: Vec<String>,
    relationships: Vec<String>,
    processes: Vec<String>,
    links: Vec<String>,
}

impl Replayed {
    /// `links` in order of creation.
    pub fn of(bundle: &Value, links: &[Value]) -> Self {
        let rows = |kind: &str| bundle[kind].as_array().unwrap().iter().map(Value::to_string).collect();
        Self {
            revision: bundle["workspace"]["revision"].as_i64().unwrap(),
            workspace: own(&bundle["workspace"]),
            components: rows("components"),
            relationships: rows("relationships"),
            processes: rows("processes"),
            links: links.iter().map(Value::to_string).collect(),
        }
    }
}

/// A workspace's own fields: its revision and author move with every write inside, without a change of its own.
fn own(workspace: &Value) -> [String; 4] {
    ["id", "name", "visibility", "properties"].map(|key| workspace[key].to_string())
}

/// Rebuilds a workspace from its changes alone. Each must begin where the one before ended.
pub fn replay(stage: &Stage, id: &str) -> Replayed {
    type Row = (String, String, String, Option<String>, Option<String>, i64);
    let changes: Vec<Row> = stage.sql(|conn| {
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
    let mut links: Vec<&Value> = of("link").collect();
    links.sort_by_key(|link| link["id"].as_i64().unwrap());
    assert_eq!((of("workspace").count(), of("member").count()), (1, 1));
    Replayed {
        revision,
        workspace: own(of("workspace").next().unwrap()),
        components: in_order("component"),
        relationships: in_order("relationship"),
        processes: in_order("process"),
        links: links.into_iter().map(Value::to_string).collect(),
    }
}
