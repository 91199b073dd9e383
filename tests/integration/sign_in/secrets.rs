//! Sign-in secrets are not in the database and not in responses.

use std::fs;

use serde_json::json;

use super::{browser::Browser, second_factor};
use crate::support::{PASSWORD, TestServer};

const NEXT: &str = "wrong stapler donkey";

#[tokio::test]
async fn no_secret_is_on_disk_or_in_later_responses() {
    let server = TestServer::empty(|_| {});
    let set_up = server.app.offer_setup().await.unwrap().unwrap();
    let browser = Browser::new(&server);
    let form = json!({ "token": set_up, "login": "ada", "displayName": "Ada", "password": PASSWORD,
                       "organization": "Acme" });
    let answer = browser.post("/api/auth/setup", form).await.ok();
    let mut secrets = vec![PASSWORD.to_owned(), NEXT.to_owned(), set_up, browser.token()];
    secrets.extend(browser.jar.borrow().values().cloned());
    let jwt = answer["token"].as_str().unwrap().to_owned();
    let ada = server.with(&jwt).header("idempotency-key", "kept answers are sealed");
    let (totp, codes) = second_factor::enable(&server, &server.with(&jwt)).await;
    ada.post("/api/me/password", json!({ "current": PASSWORD, "next": NEXT })).await.ok();
    let renewed = browser.refresh().await.ok();
    secrets.push(browser.token());
    let challenge = browser.sign_in("ada", NEXT).await.ok()["challenge"]["id"].as_str().unwrap().to_owned();
    let recovery = json!({ "challengeId": challenge, "method": "recovery-code", "code": codes[0] });
    let verified = browser.post("/api/auth/login/verify", recovery).await.ok();
    secrets.push(browser.token());
    for answer in [&renewed, &verified] {
        secrets.push(answer["token"].as_str().unwrap().to_owned());
    }
    secrets.extend([jwt.clone(), totp.clone(), challenge]);
    secrets.extend(codes.iter().cloned());
    let raw_totp = base32::decode(base32::Alphabet::Rfc4648 { padding: false }, &totp).unwrap();

    let mut needles: Vec<Vec<u8>> = secrets.iter().map(|secret| secret.clone().into_bytes()).collect();
    needles.push(raw_totp);
    needles.extend(codes.iter().map(|code| code.replace('-', "").into_bytes()));
    for name in ["planroom.db", "planroom.db-wal"] {
        let bytes = fs::read(server.dir.path().join(name)).unwrap();
        for needle in &needles {
            let found = bytes.windows(needle.len()).any(|window| window == needle);
            assert!(!found, "{} is in {name}", String::from_utf8_lossy(needle));
        }
    }
    let ada = server.with(&jwt);
    for path in ["/api/me", "/api/auth/me", "/api/me/sessions", "/api/me/second-factor", "/api/me/tokens"] {
        let reply = ada.get(path).await;
        reply.ok();
        let text = String::from_utf8_lossy(&reply.bytes);
        assert!(secrets.iter().all(|secret| !text.contains(secret.as_str())), "{text}");
    }
    // The refresh token is only in the cookie.
    let reply = browser.refresh().await;
    let text = String::from_utf8_lossy(&reply.bytes).into_owned();
    assert!(!text.contains(&browser.token()), "{text}");
}
