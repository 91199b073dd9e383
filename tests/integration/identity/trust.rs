//! A provider in one's own network, whose certificate no browser knows.

use std::path::Path;

use serde_json::json;

use super::{bearer, lands, stage_of};
use crate::support::{Stage, oidc::OidcDouble, tls::Authority};

async fn stage_trusting(double: &OidcDouble, file: &Path) -> Stage {
    stage_of(double, |config| file.clone_into(&mut config.identity.oidc.ca_file)).await
}

#[tokio::test]
async fn a_certificate_is_believed_when_the_file_names_its_authority_and_not_otherwise() {
    let (authority, other) = (Authority::new(), Authority::new());
    let double = OidcDouble::vouched_for_by(&authority).await;
    let dir = tempfile::tempdir().unwrap();
    let (right, wrong) = (dir.path().join("right.pem"), dir.path().join("wrong.pem"));
    // A list of several, with remarks, as administrators keep them.
    std::fs::write(&right, format!("Ours\n{}\nThe other\n{}", other.pem, authority.pem)).unwrap();
    std::fs::write(&wrong, &other.pem).unwrap();

    let trusting = stage_trusting(&double, &right).await;
    assert_eq!(lands(&trusting, &double).await, "/sign-in");
    bearer(&trusting, &double, json!({})).get("/api/me").await.ok();
    double.heard();

    for file in [wrong.as_path(), Path::new("")] {
        let stage = stage_trusting(&double, file).await;
        let reply = stage.anonymous().get("/api/auth/oidc/start").await;
        assert_eq!(reply.header("location"), "/sign-in?problem=unreachable", "{}", file.display());
        bearer(&stage, &double, json!({})).get("/api/me").await.refused(503, "");
    }
    assert_eq!(double.heard(), [""; 0], "nothing is asked of somebody who is not believed");
}
