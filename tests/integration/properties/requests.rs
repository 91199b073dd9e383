//! Random requests of two organizations, compared with a model.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    Fixture,
    actions::{Action, action, send},
    log::{Replayed, replay},
    world::World,
};
use crate::support::TestClient;

/// Workspaces per case; every second one belongs to the other organization.
const WORKSPACES: usize = 4;

/// The links of all components, in order of creation.
pub async fn links(client: &TestClient<'_>, bundle: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    for component in bundle["components"].as_array().unwrap() {
        let (workspace, id) = (bundle["workspace"]["id"].as_str().unwrap(), component["id"].as_str().unwrap());
        let list = client.get(&format!("/api/workspaces/{workspace}/components/{id}/links")).await.ok();
        all.extend(list["links"].as_array().unwrap().clone());
    }
    all.sort_by_key(|link| link["id"].as_i64().unwrap());
    all
}

#[test]
fn random_requests_of_two_organizations_match_the_model_and_the_log() {
    let fixture = Fixture::new();
    // Mostly by users with permission.
    let actions = prop::collection::vec((0..WORKSPACES, prop::bool::weighted(0.1), action()), 1..50);
    fixture.check(30, actions, async |case, actions| {
        let ids: Vec<String> = (0..WORKSPACES).map(|n| format!("{case}-{n}")).collect();
        let mut worlds = vec![World { name: "W".into(), ..World::default() }; WORKSPACES];
        for (n, id) in ids.iter().enumerate() {
            // Visible to members only: admins of the other organization have no access either.
            let visibility = if n < 2 { "org" } else { "private" };
            let new = json!({ "id": id, "name": "W", "visibility": visibility });
            fixture.client(n % 2).post("/api/workspaces", new).await.created();
        }
        for (n, stranger, action) in &actions {
            let (world, client) = (&mut worlds[*n], fixture.client((n + usize::from(*stranger)) % 2));
            if world.deleted && matches!(action, Action::Bulk { .. }) {
                continue; // it would found another workspace under the id, which is free
            }
            let reply = send(&client, &ids[*n], action).await;
            match (action, reply) {
                (Action::RestoreWorkspace, reply) if *stranger || !world.deleted => {
                    assert!(reply.is_none(), "{reply:?} was not to be restored");
                }
                (_, reply) if *stranger => {
                    reply.unwrap().expect(404);
                }
                (_, reply) => {
                    let expected = world.perform(action);
                    reply.unwrap().expect(expected);
                }
            }
        }
        for (n, id) in ids.iter().enumerate() {
            let (owner, stranger) = (fixture.client(n % 2), fixture.client((n + 1) % 2));
            let path = format!("/api/workspaces/{id}");
            stranger.get(&path).await.expect_error(404, "workspace");
            let listed = |list: Value| list["workspaces"].as_array().unwrap().iter().any(|row| row["id"] == **id);
            assert!(!listed(stranger.get("/api/workspaces").await.ok()));
            assert_eq!(listed(owner.get("/api/workspaces").await.ok()), !worlds[n].deleted);
            if worlds[n].deleted {
                owner.get(&path).await.expect_error(404, "workspace");
                send(&owner, id, &Action::RestoreWorkspace).await.unwrap().ok();
            }
            let bundle = owner.get(&format!("{path}?include=notes")).await.ok();
            let links = links(&owner, &bundle).await;
            worlds[n].is(&bundle, &links);
            assert_eq!(replay(&fixture.server, id), Replayed::of(&bundle, &links));
        }
    });
}
