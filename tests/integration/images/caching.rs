//! How long images are cached, and when failed ones are retried.

use planroom::clock::{DAY, HOUR, MINUTE};
use serde_json::json;

use super::server_with_host;
use crate::support::{
    TestServer,
    image_host::{GIF, HostBehavior, PNG},
};

impl TestServer {
    /// Runs the image job. Returns the number of retried images.
    async fn run_image_job(&self) -> usize {
        self.app.images().fetch_due().await.unwrap()
    }

    /// The number of known images and of stored ones.
    fn pictures(&self) -> (i64, i64) {
        self.sql(|conn| {
            let count =
                |table: &str| conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap();
            (count("image"), count("image_content"))
        })
    }
}

#[tokio::test]
async fn a_failed_image_is_retried_by_the_timer_and_not_on_read() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    ada.add_person("grace", &host.at("grace.png")).await;
    ada.photo("grace").await.expect_error(404, "its server responded 404");
    host.respond_with("grace.png", HostBehavior::Bytes(PNG.into()));
    ada.photo("grace").await.expect_error(404, "its server responded 404");
    assert_eq!((server.run_image_job().await, host.request_count("grace.png")), (0, 1), "not at once");
    server.clock.advance(10 * MINUTE);
    assert_eq!(server.run_image_job().await, 1);
    let ada = server.sign_in("ada").await;
    assert_eq!(ada.photo("grace").await.bytes, PNG);
    assert_eq!((server.run_image_job().await, host.request_count("grace.png")), (0, 2));
}

#[tokio::test]
async fn retries_of_a_failing_image_become_less_frequent() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    ada.add_person("grace", &host.at("grace.png")).await;
    ada.photo("grace").await.expect_error(404, "");
    for (tries, wait) in [10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 7 * DAY].into_iter().enumerate() {
        server.clock.advance(wait - 1);
        assert_eq!(server.run_image_job().await, 0, "after {tries} more tries");
        server.clock.advance(1);
        assert_eq!(server.run_image_job().await, 1, "after {tries} more tries");
    }
    assert_eq!(host.request_count("grace.png"), 7);
}

#[tokio::test]
async fn an_image_is_refreshed_after_a_month_and_kept_on_failure() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    ada.add_person("grace", &host.respond_with("grace.png", HostBehavior::Bytes(PNG.into()))).await;
    let first = ada.photo("grace").await;
    host.respond_with("grace.png", HostBehavior::Status(500));
    server.clock.advance(30 * DAY);
    assert_eq!(server.run_image_job().await, 1);
    assert_eq!(server.sign_in("ada").await.photo("grace").await.bytes, PNG);
    host.respond_with("grace.png", HostBehavior::Bytes(GIF.into()));
    server.clock.advance(10 * MINUTE);
    assert_eq!(server.run_image_job().await, 1);
    let second = server.sign_in("ada").await.photo("grace").await;
    assert_eq!(second.bytes, GIF);
    assert_ne!(first.header("etag"), second.header("etag"));
}

#[tokio::test]
async fn a_changed_url_is_a_new_image_and_the_old_one_is_removed_after_a_week() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    let (old, new) = (
        host.respond_with("old", HostBehavior::Bytes(PNG.into())),
        host.respond_with("new", HostBehavior::Bytes(GIF.into())),
    );
    ada.add_person("grace", &old).await;
    ada.add_person("alan", &old).await;
    assert_eq!(ada.photo("grace").await.bytes, PNG);
    ada.patch("/api/people/grace", json!({ "photoUrl": new })).await.ok();
    assert_eq!(ada.photo("grace").await.bytes, GIF);
    server.clock.advance(7 * DAY + 1);
    server.clean_up().await;
    assert_eq!(server.pictures(), (2, 2), "somebody has the old one yet");
    server.sign_in("ada").await.delete("/api/people/alan").await.ok();
    assert_eq!(server.clean_up().await.images, 1);
    assert_eq!(server.pictures(), (1, 1));
    assert_eq!(server.sign_in("ada").await.photo("grace").await.bytes, GIF);
}

#[tokio::test]
async fn unused_images_are_not_retried() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    ada.add_person("grace", &host.at("gone")).await;
    ada.photo("grace").await.expect_error(404, "");
    ada.delete("/api/people/grace").await.ok();
    server.clock.advance(DAY);
    assert_eq!((server.run_image_job().await, host.request_count("gone")), (0, 1));
}

#[tokio::test]
async fn identical_images_at_two_urls_are_stored_once() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    for id in ["a", "b"] {
        ada.add_person(id, &host.respond_with(id, HostBehavior::Bytes(PNG.into()))).await;
        assert_eq!(ada.photo(id).await.bytes, PNG);
    }
    assert_eq!(server.pictures(), (2, 1));
}

#[tokio::test]
async fn images_survive_a_restart_and_a_backup() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    ada.add_person("grace", &host.respond_with("grace", HostBehavior::Bytes(PNG.into()))).await;
    ada.photo("grace").await;
    // The restarted server cannot reach the host at all.
    let server = server.restart();
    assert_eq!(server.sign_in("ada").await.photo("grace").await.bytes, PNG);
    assert_eq!(host.request_count("grace"), 1);
}

#[tokio::test]
async fn images_of_an_organization_are_limited() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    server.sql(|conn| {
        let sql = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 5000)
                   INSERT INTO image (organization_id, address, failures, tried_at, due_at)
                   SELECT id, 'https://example.org/' || n, 1, 1, 9000000000000 FROM n, organization";
        conn.execute(sql, []).unwrap();
    });
    ada.add_person("grace", &host.respond_with("grace", HostBehavior::Bytes(PNG.into()))).await;
    ada.photo("grace").await.expect_error(404, "as many pictures as it may");
    assert_eq!(host.request_count("grace"), 0);
    server.clean_up().await;
    assert_eq!(ada.photo("grace").await.bytes, PNG);
}
