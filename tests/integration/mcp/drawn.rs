//! Where components are drawn, computed from what REST returns.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::TestClient;

/// Left, top, right, bottom.
pub type Rect = (f64, f64, f64, f64);

/// Where a component is drawn.
fn rect(id: &str, at: &BTreeMap<String, (f64, f64)>, parents: &BTreeMap<String, String>) -> Rect {
    let parts: Vec<Rect> =
        parents.iter().filter(|(_, group)| *group == id).map(|(part, _)| rect(part, at, parents)).collect();
    let Some(all) = parts.into_iter().reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3))) else {
        let (x, y) = at[id];
        return (x, y, x + 180.0, y + 64.0);
    };
    (all.0 - 20.0, all.1 - 60.0, all.2 + 20.0, all.3 + 20.0)
}

/// Where the components of a workspace are drawn: cards of the smallest size, groups around their contents. And the groups
/// that contain them.
pub async fn drawn(client: &TestClient<'_>, workspace: &str) -> (BTreeMap<String, Rect>, BTreeMap<String, String>) {
    let bundle = client.bundle(workspace).await;
    let rows = |part: &str| bundle[part].as_array().unwrap().clone();
    let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
    let contains = rows("relationships").into_iter().filter(|row| row["typeId"] == "contains");
    let parents: BTreeMap<String, String> =
        contains.map(|row| (text(&row, "targetId"), text(&row, "sourceId"))).collect();
    let at: BTreeMap<String, (f64, f64)> = rows("components")
        .iter()
        .map(|row| (text(row, "id"), (row["x"].as_f64().unwrap(), row["y"].as_f64().unwrap())))
        .collect();
    (at.keys().map(|id| (id.clone(), rect(id, &at, &parents))).collect(), parents)
}
