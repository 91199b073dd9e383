//! Reads after changes.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Instance, SLICE};

/// Number of components that are moved before a read if the bundle of the read must be made from all rows: more than the
/// number of changes up to which rows are copied from an earlier bundle.
pub const MANY: usize = 600;

/// Reads of `path` per second for one client if each follows a write of `moved` components; the time of the writes is not
/// included.
pub async fn rate_after_writes(instance: &Instance, path: &str, moved: usize) -> f64 {
    let (mut client, mut reads, mut spent) = (instance.client(), 0, Duration::ZERO);
    while spent < SLICE {
        let positions: Vec<Value> =
            (0..moved).map(|i| json!({ "id": format!("component-{i}"), "x": reads, "y": i * 160 })).collect();
        let update = json!({ "operations": [{ "op": "move", "positions": positions }] }).to_string();
        assert_eq!(client.send("POST", "/api/workspaces/w/operations", "", &update).await.unwrap().status, 200);
        let started = Instant::now();
        assert_eq!(client.send("GET", path, "", "").await.unwrap().status, 200);
        spent += started.elapsed();
        reads += 1;
    }
    f64::from(reads) / spent.as_secs_f64()
}
