//! How long pictures are kept, and when one that did not come is tried again.

use planroom::clock::{DAY, HOUR, MINUTE};
use serde_json::json;

use super::hosted;
use crate::support::{
    Stage,
    pictures::{GIF, PNG, Said},
};

impl Stage {
    /// What a timer does. Answers how many pictures were tried again.
    async fn catch_up(&self) -> usize {
        self.app.images().catch_up().await.unwrap()
    }

    /// How many pictures are noted, and how many are here.
    fn pictures(&self) -> (i64, i64) {
        self.sql(|conn| {
            let count =
                |table: &str| conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap();
            (count("image"), count("image_content"))
        })
    }
}

#[tokio::test]
async fn what_did_not_come_is_tried_again_by_a_timer_and_not_by_looking() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    ada.add_person("grace", &host.at("grace.png")).await;
    ada.photo("grace").await.refused(404, "its server answers 404");
    host.says("grace.png", Said::Bytes(PNG.into()));
    ada.photo("grace").await.refused(404, "its server answers 404");
    assert_eq!((stage.catch_up().await, host.asked("grace.png")), (0, 1), "not at once");
    stage.clock.advance(10 * MINUTE);
    assert_eq!(stage.catch_up().await, 1);
    let ada = stage.sign_in("ada").await;
    assert_eq!(ada.photo("grace").await.bytes, PNG);
    assert_eq!((stage.catch_up().await, host.asked("grace.png")), (0, 2));
}

#[tokio::test]
async fn what_goes_on_failing_is_tried_less_and_less_often() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    ada.add_person("grace", &host.at("grace.png")).await;
    ada.photo("grace").await.refused(404, "");
    for (tries, wait) in [10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 7 * DAY].into_iter().enumerate() {
        stage.clock.advance(wait - 1);
        assert_eq!(stage.catch_up().await, 0, "after {tries} more tries");
        stage.clock.advance(1);
        assert_eq!(stage.catch_up().await, 1, "after {tries} more tries");
    }
    assert_eq!(host.asked("grace.png"), 7);
}

#[tokio::test]
async fn a_picture_is_looked_at_again_after_a_month_and_stays_when_it_does_not_come() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    ada.add_person("grace", &host.says("grace.png", Said::Bytes(PNG.into()))).await;
    let first = ada.photo("grace").await;
    host.says("grace.png", Said::Status(500));
    stage.clock.advance(30 * DAY);
    assert_eq!(stage.catch_up().await, 1);
    assert_eq!(stage.sign_in("ada").await.photo("grace").await.bytes, PNG);
    host.says("grace.png", Said::Bytes(GIF.into()));
    stage.clock.advance(10 * MINUTE);
    assert_eq!(stage.catch_up().await, 1);
    let second = stage.sign_in("ada").await.photo("grace").await;
    assert_eq!(second.bytes, GIF);
    assert_ne!(first.header("etag"), second.header("etag"));
}

#[tokio::test]
async fn another_address_is_another_picture_and_the_old_one_goes_after_a_week() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    let (old, new) = (host.says("old", Said::Bytes(PNG.into())), host.says("new", Said::Bytes(GIF.into())));
    ada.add_person("grace", &old).await;
    ada.add_person("alan", &old).await;
    assert_eq!(ada.photo("grace").await.bytes, PNG);
    ada.patch("/api/people/grace", json!({ "photoUrl": new })).await.ok();
    assert_eq!(ada.photo("grace").await.bytes, GIF);
    stage.clock.advance(7 * DAY + 1);
    stage.sweep().await;
    assert_eq!(stage.pictures(), (2, 2), "somebody has the old one yet");
    stage.sign_in("ada").await.delete("/api/people/alan").await.ok();
    assert_eq!(stage.sweep().await.images, 1);
    assert_eq!(stage.pictures(), (1, 1));
    assert_eq!(stage.sign_in("ada").await.photo("grace").await.bytes, GIF);
}

#[tokio::test]
async fn what_nobody_uses_any_more_is_not_tried_again() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    ada.add_person("grace", &host.at("gone")).await;
    ada.photo("grace").await.refused(404, "");
    ada.delete("/api/people/grace").await.ok();
    stage.clock.advance(DAY);
    assert_eq!((stage.catch_up().await, host.asked("gone")), (0, 1));
}

#[tokio::test]
async fn the_same_picture_at_two_addresses_is_kept_once() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    for id in ["a", "b"] {
        ada.add_person(id, &host.says(id, Said::Bytes(PNG.into()))).await;
        assert_eq!(ada.photo(id).await.bytes, PNG);
    }
    assert_eq!(stage.pictures(), (2, 1));
}

#[tokio::test]
async fn pictures_are_here_after_a_restart_and_in_a_copy_of_the_data() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    ada.add_person("grace", &host.says("grace", Said::Bytes(PNG.into()))).await;
    ada.photo("grace").await;
    // The restarted one may not ask the host at all.
    let stage = stage.restart();
    assert_eq!(stage.sign_in("ada").await.photo("grace").await.bytes, PNG);
    assert_eq!(host.asked("grace"), 1);
}

#[tokio::test]
async fn an_organization_has_room_for_so_many_pictures_and_no_more() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    stage.sql(|conn| {
        let sql = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 5000)
                   INSERT INTO image (organization_id, address, failures, tried_at, due_at)
                   SELECT id, 'https://example.org/' || n, 1, 1, 9000000000000 FROM n, organization";
        conn.execute(sql, []).unwrap();
    });
    ada.add_person("grace", &host.says("grace", Said::Bytes(PNG.into()))).await;
    ada.photo("grace").await.refused(404, "as many pictures as it may");
    assert_eq!(host.asked("grace"), 0);
    stage.sweep().await;
    assert_eq!(ada.photo("grace").await.bytes, PNG);
}
