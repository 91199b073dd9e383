//! The key of session JWTs, replaced.

use planroom::{clock::MINUTE, operator::Operation};
use serde_json::Value;

use super::browser::Browser;
use crate::support::Stage;

async fn kids(stage: &Stage) -> Vec<String> {
    let jwks = stage.anonymous().get("/.well-known/jwks.json").await.ok();
    jwks["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

fn kid(answer: &Value) -> String {
    jsonwebtoken::decode_header(answer["token"].as_str().unwrap()).unwrap().kid.unwrap()
}

#[tokio::test]
async fn a_new_key_signs_at_once_and_ends_no_session_also_over_a_restart() {
    let mut stage = Stage::new().await;
    let (browser, answer) = Browser::of(&stage, "ada").await;
    let (token, old) = (answer["token"].as_str().unwrap().to_owned(), kid(&answer));
    Operation::RotateKey.perform(&stage.app).await.unwrap();
    let jar = browser.jar.clone();
    for _ in 0..2 {
        let kids = kids(&stage).await;
        assert_eq!(kids.len(), 2);
        assert_eq!(kids[1], old);
        stage.with(&token).get("/api/me").await.ok();
        let browser = Browser::new(&stage);
        *browser.jar.borrow_mut() = jar.borrow().clone();
        let renewed = browser.refresh().await.ok();
        assert_eq!(kid(&renewed), kids[0]);
        *jar.borrow_mut() = browser.jar.borrow().clone();
        stage = stage.restart();
    }
    stage.clock.advance(62 * MINUTE);
    assert_eq!(kids(&stage).await.len(), 1, "nothing that it signed is still good");
    stage.with(&token).get("/api/me").await.refused(401, "not a token of this instance");
}

#[tokio::test]
async fn keys_may_be_replaced_twice_within_the_hour() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    for _ in 0..2 {
        Operation::RotateKey.perform(&stage.app).await.unwrap();
    }
    assert_eq!(kids(&stage).await.len(), 3);
    ada.get("/api/me").await.ok();
    assert_eq!(stage.count("SELECT count(*) FROM audit WHERE kind = 'key.rotate'"), 2);
}
