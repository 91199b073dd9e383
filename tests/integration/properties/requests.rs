//! Random requests of two organizations, beside a model of what they do.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    Theatre,
    acts::{Act, act, send},
    log::{Replayed, replay},
    world::World,
};
use crate::support::Actor;

/// How many workspaces a case has; every second is of the other organization.
const WORKSPACES: usize = 4;

/// The links of all components, in order of creation.
pub async fn links(actor: &Actor<'_>, bundle: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    for component in bundle["components"].as_array().unwrap() {
        let (workspace, id) = (bundle["workspace"]["id"].as_str().unwrap(), component["id"].as_str().unwrap());
        let list = actor.get(&format!("/api/workspaces/{workspace}/components/{id}/links")).await.ok();
        all.extend(list["links"].as_array().unwrap().clone());
    }
    all.sort_by_key(|link| link["id"].as_i64().unwrap());
    all
}

#[test]
fn random_requests_of_two_organizations_do_what_they_should_and_no_more_and_are_logged() {
    let theatre = Theatre::new();
    // Mostly by those who may.
    let acts = prop::collection::vec((0..WORKSPACES, prop::bool::weighted(0.1), act()), 1..50);
    theatre.try_on(30, acts, async |case, acts| {
        let ids: Vec<String> = (0..WORKSPACES).map(|n| format!("{case}-{n}")).collect();
        let mut worlds = vec![World { name: "W".into(), ..World::default() }; WORKSPACES];
        for (n, id) in ids.iter().enumerate() {
            // Of members alone: the other organization's admins have no say either.
            let visibility = if n < 2 { "org" } else { "private" };
            let new = json!({ "id": id, "name": "W", "visibility": visibility });
            theatre.actor(n % 2).post("/api/workspaces", new).await.created();
        }
        for (n, stranger, act) in &acts {
            let (world, actor) = (&mut worlds[*n], theatre.actor((n + usize::from(*stranger)) % 2));
            if world.deleted && matches!(act, Act::Bulk { .. }) {
                continue; // it would found another workspace under the id, which is free
            }
            let reply = send(&actor, &ids[*n], act).await;
            match (act, reply) {
                (Act::RestoreWorkspace, reply) if *stranger || !world.deleted => {
                    assert!(reply.is_none(), "{reply:?} was not to be restored");
                }
                (_, reply) if *stranger => {
                    reply.unwrap().expect(404);
                }
                (_, reply) => {
                    let expected = world.perform(act);
                    reply.unwrap().expect(expected);
                }
            }
        }
        for (n, id) in ids.iter().enumerate() {
            let (owner, stranger) = (theatre.actor(n % 2), theatre.actor((n + 1) % 2));
            let path = format!("/api/workspaces/{id}");
            stranger.get(&path).await.refused(404, "workspace");
            let listed = |list: Value| list["workspaces"].as_array().unwrap().iter().any(|row| row["id"] == **id);
            assert!(!listed(stranger.get("/api/workspaces").await.ok()));
            assert_eq!(listed(owner.get("/api/workspaces").await.ok()), !worlds[n].deleted);
            if worlds[n].deleted {
                owner.get(&path).await.refused(404, "workspace");
                send(&owner, id, &Act::RestoreWorkspace).await.unwrap().ok();
            }
            let bundle = owner.get(&path).await.ok();
            let links = links(&owner, &bundle).await;
            worlds[n].is(&bundle, &links);
            assert_eq!(replay(&theatre.stage, id), Replayed::of(&bundle, &links));
        }
    });
}
