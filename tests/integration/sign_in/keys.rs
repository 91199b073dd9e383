//! Rotation of the key that signs session JWTs.

use planroom::{clock::MINUTE, operator::AdminOperation};
use serde_json::Value;

use super::browser::Browser;
use crate::support::TestServer;

async fn kids(server: &TestServer) -> Vec<String> {
    let jwks = server.anonymous().get("/.well-known/jwks.json").await.ok();
    jwks["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

fn kid(answer: &Value) -> String {
    jsonwebtoken::decode_header(answer["token"].as_str().unwrap()).unwrap().kid.unwrap()
}

#[tokio::test]
async fn a_new_key_signs_immediately_and_keeps_sessions_across_a_restart() {
    let mut server = TestServer::new().await;
    let (browser, answer) = Browser::of(&server, "ada").await;
    let (token, old) = (answer["token"].as_str().unwrap().to_owned(), kid(&answer));
    AdminOperation::RotateKey.perform(&server.app).await.unwrap();
    let jar = browser.jar.clone();
    for _ in 0..2 {
        let kids = kids(&server).await;
        assert_eq!(kids.len(), 2);
        assert_eq!(kids[1], old);
        server.with(&token).get("/api/me").await.ok();
        let browser = Browser::new(&server);
        *browser.jar.borrow_mut() = jar.borrow().clone();
        let renewed = browser.refresh().await.ok();
        assert_eq!(kid(&renewed), kids[0]);
        *jar.borrow_mut() = browser.jar.borrow().clone();
        server = server.restart();
    }
    server.clock.advance(62 * MINUTE);
    assert_eq!(kids(&server).await.len(), 1, "nothing that it signed is still good");
    server.with(&token).get("/api/me").await.expect_error(401, "not a token of this instance");
}

#[tokio::test]
async fn keys_can_be_rotated_twice_within_an_hour() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for _ in 0..2 {
        AdminOperation::RotateKey.perform(&server.app).await.unwrap();
    }
    assert_eq!(kids(&server).await.len(), 3);
    ada.get("/api/me").await.ok();
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'key.rotate'"), 2);
}
