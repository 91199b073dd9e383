//! Followers of a workspace learn of synchronizations.

use super::{COMPOSE, request, shop, sync};
use crate::support::TestServer;

const SOURCE: &str = "acme/shop:compose.yaml";

#[tokio::test]
async fn followers_are_told_of_a_sync_that_only_marks_rows_and_of_a_deleted_source() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &request(&ada, COMPOSE).await).await;
    let mut follower = ada.follow("shop", "").await;
    let revision = ada.get("/api/workspaces/shop").await.ok()["workspace"]["revision"].clone();
    let without_web = COMPOSE.replace("  web:\n    image: acme/web\n    depends_on: [checkout]\n", "");
    let mut shorter = request(&ada, &without_web).await;
    shorter["allowMassRemoval"] = true.into();
    let report = sync(&ada, &shorter).await;
    assert_eq!(report["revision"], revision, "no row of the map has changed");
    ada.delete("/api/workspaces/shop/sources/acme%2Fshop:compose.yaml").await.ok();
    for op in ["sync", "delete"] {
        let event = follower.next_event().await;
        assert_eq!(
            (event.kind.as_str(), &event.data["op"], &event.data["sourceId"]),
            ("sources", &op.into(), &SOURCE.into())
        );
    }
}
