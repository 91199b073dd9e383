//! Followers of a workspace learn of synchronizations.

use super::{COMPOSE, request, shop, sync};
use crate::support::{Event, Follower, TestServer};

const SOURCE: &str = "acme/shop:compose.yaml";

async fn next_about_sources(follower: &mut Follower) -> Event {
    loop {
        let event = follower.next_event().await;
        if event.kind == "sources" {
            return event;
        }
    }
}

#[tokio::test]
async fn followers_are_told_of_a_sync_that_only_marks_rows_and_of_a_deleted_source() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let mut follower = ada.follow("shop", "").await;
    sync(&ada, &request(&ada, COMPOSE).await).await;
    assert_eq!(next_about_sources(&mut follower).await.data["op"], "sync");
    let revision = ada.get("/api/workspaces/shop").await.ok()["workspace"]["revision"].clone();
    let without_web = COMPOSE.replace("  web:\n    image: acme/web\n    depends_on: [checkout]\n", "");
    let mut shorter = request(&ada, &without_web).await;
    shorter["allowMassRemoval"] = true.into();
    let report = sync(&ada, &shorter).await;
    assert_eq!(report["revision"], revision, "no row of the map has changed");
    ada.delete("/api/workspaces/shop/sources/acme%2Fshop:compose.yaml").await.ok();
    for op in ["sync", "delete"] {
        let event = next_about_sources(&mut follower).await;
        assert_eq!((&event.data["op"], &event.data["sourceId"]), (&op.into(), &SOURCE.into()));
    }
}
