//! A provider with a certificate of a private CA.

use std::path::Path;

use serde_json::json;

use super::{bearer, server_of, sign_in_and_land};
use crate::support::{TestServer, oidc::FakeIdp, tls::Authority};

async fn server_trusting(idp: &FakeIdp, file: &Path) -> TestServer {
    server_of(idp, |config| file.clone_into(&mut config.identity.oidc.ca_file)).await
}

#[tokio::test]
async fn a_certificate_is_trusted_only_with_the_configured_ca() {
    let (authority, other) = (Authority::new(), Authority::new());
    let idp = FakeIdp::start_tls(&authority).await;
    let dir = tempfile::tempdir().unwrap();
    let (right, wrong) = (dir.path().join("right.pem"), dir.path().join("wrong.pem"));
    // A bundle of several certificates with comments.
    std::fs::write(&right, format!("Ours\n{}\nThe other\n{}", other.pem, authority.pem)).unwrap();
    std::fs::write(&wrong, &other.pem).unwrap();

    let trusting = server_trusting(&idp, &right).await;
    assert_eq!(sign_in_and_land(&trusting, &idp).await, "/sign-in");
    bearer(&trusting, &idp, json!({})).get("/api/me").await.ok();
    idp.take_requests();

    for file in [wrong.as_path(), Path::new("")] {
        let server = server_trusting(&idp, file).await;
        let reply = server.anonymous().get("/api/auth/oidc/start").await;
        assert_eq!(reply.header("location"), "/sign-in?problem=unreachable", "{}", file.display());
        bearer(&server, &idp, json!({})).get("/api/me").await.expect_error(503, "");
    }
    assert_eq!(idp.take_requests(), [""; 0], "nothing is asked of somebody who is not believed");
}
