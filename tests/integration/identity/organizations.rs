//! Organizations and groups in claims, and leaving.

use serde_json::{Value, json};

use super::{bearer, org, server, server_with, sign_in_as};
use crate::support::TestClient;

#[tokio::test]
async fn an_organization_in_claims_is_mirrored() {
    let (server, idp) = server().await;
    let mut said = org("org_1", "org:admin");
    (said["org_slug"], said["org_name"]) = (json!("acme"), json!("Acme over there"));
    let grace = bearer(&server, &idp, said.clone());
    let listed = grace.get("/api/orgs").await.ok();
    let expected = json!([{ "id": "org_1", "name": "Acme over there", "slug": "acme-2", "role": "org:admin" }]);
    assert_eq!(listed["organizations"], expected, "the slug was taken");
    assert_eq!(grace.get("/api/stakeholder-link-types").await.ok()["types"].as_array().unwrap().len(), 3);
    said["org_name"] = json!("Acme");
    let listed = bearer(&server, &idp, said).get("/api/orgs").await.ok();
    assert_eq!(listed["organizations"][0]["name"], "Acme");
    let bob = bearer(&server, &idp, json!({ "sub": "user_bob", "org_id": "org_1" }));
    assert_eq!(bob.get("/api/me").await.ok()["session"]["orgRole"], "org:member", "no role is the least");
}

#[tokio::test]
async fn the_role_follows_the_provider_with_the_next_token() {
    let (server, idp) = server().await;
    let admin = bearer(&server, &idp, org("org_1", "org:admin"));
    admin.get("/api/orgs/org_1/members").await.ok();
    let member = bearer(&server, &idp, org("org_1", "org:member"));
    member.get("/api/orgs/org_1/members").await.expect_error(403, "");
    admin.get("/api/orgs/org_1/members").await.expect_error(403, "");
}

#[tokio::test]
async fn no_token_gives_access_to_a_local_organization() {
    let (server, idp) = server().await;
    let id: String = server.sql(|conn| conn.query_row("SELECT id FROM organization", [], |row| row.get(0)).unwrap());
    bearer(&server, &idp, org(&id, "org:admin")).get("/api/me").await.expect_error(401, "is kept here");
    assert_eq!(server.count("SELECT count(*) FROM organization_member"), 1);
    assert_eq!(server.count("SELECT count(*) FROM user"), 1, "nothing was written");
    idp.state().claims = org(&id, "org:admin");
    let browser = super::start_sign_in(&server, "").await;
    let reply = super::follow_callback(&server, &browser, &idp.authorize("user_grace", &browser.location)).await;
    assert_eq!(reply.header("location"), "/sign-in?problem=untrue");
}

#[tokio::test]
async fn a_user_removed_at_the_provider_loses_the_organization_with_the_next_token() {
    let (server, idp) = server().await;
    let both = json!({ "organization": { "acme-there": { "id": "o1" }, "beta": { "id": "o2" } } });
    idp.state().people.insert("user_grace".into(), both.clone());
    let grace = sign_in_as(&server, &idp, "user_grace").await;
    assert_eq!(grace.get("/api/me").await.ok()["session"]["orgId"], "o1");
    let workspace = grace.post("/api/workspaces", json!({ "name": "Plan" })).await.created();
    let id = workspace["workspace"]["id"].as_str().unwrap_or("plan").to_owned();
    let minted = grace.post("/api/me/tokens", json!({ "name": "script" })).await.created();
    let script = server.with(minted["token"].as_str().unwrap());
    // Charles remains as an admin.
    let charles = bearer(&server, &idp, json!({ "sub": "user_charles", "org_id": "o1", "org_role": "admin" }));
    charles.get("/api/me").await.ok();
    let token = bearer(&server, &idp, both);
    token.get("/api/workspaces").await.ok();
    idp.state().people.insert("user_grace".into(), json!({ "organization": { "beta": { "id": "o2" } } }));
    let again = sign_in_as(&server, &idp, "user_grace").await;
    assert_eq!(again.get("/api/orgs").await.ok()["organizations"][0]["id"], "o2");
    for client in [grace, script, token] {
        client.get("/api/workspaces").await.expect_error(401, "");
    }
    assert_eq!(charles.get(&format!("/api/workspaces/{id}")).await.ok()["workspace"]["myRole"], "owner");
    let owners = "SELECT group_concat(i.subject) FROM workspace_member m JOIN user_identity i ON i.user_id = m.user_id";
    assert_eq!(server.sql(|conn| conn.query_row(owners, [], |row| row.get::<_, String>(0)).unwrap()), "user_charles");
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'organization.leave'"), 1);
    // A missing claim means that the last organization was left only if the organizations scope was requested.
    let last = bearer(&server, &idp, json!({ "organization": [] }));
    last.get("/api/me").await.ok();
    assert_eq!(server.count("SELECT count(*) FROM organization_member WHERE organization_id = 'o2'"), 0);
}

#[tokio::test]
async fn missing_organization_claims_remove_no_memberships() {
    let (server, idp) = server_with(|config| config.identity.oidc.scopes.push("organization:*".into())).await;
    idp.state().people.insert("user_grace".into(), json!({ "organization": ["beta"] }));
    sign_in_as(&server, &idp, "user_grace").await.get("/api/workspaces").await.ok();
    // A bearer token without the claim changes nothing.
    bearer(&server, &idp, json!({})).get("/api/me").await.ok();
    assert_eq!(server.count("SELECT count(*) FROM organization_member WHERE organization_id = 'beta'"), 1);
    idp.state().people.insert("user_grace".into(), json!({}));
    let grace = sign_in_as(&server, &idp, "user_grace").await;
    assert_eq!(grace.get("/api/me").await.ok()["session"]["orgId"], Value::Null);
    assert_eq!(server.count("SELECT count(*) FROM organization_member WHERE organization_id = 'beta'"), 0);
}

#[tokio::test]
async fn every_user_joins_the_default_organization() {
    let (server, idp) = server_with(|config| config.identity.oidc.default_org = "engines".into()).await;
    let grace = sign_in_as(&server, &idp, "user_grace").await;
    let session = grace.get("/api/me").await.ok()["session"].clone();
    assert_eq!((&session["orgSlug"], &session["orgRole"]), (&json!("engines"), &json!("org:member")));
    let bob = bearer(&server, &idp, json!({ "sub": "user_bob" }));
    assert_eq!(bob.get("/api/me").await.ok()["session"]["orgSlug"], "engines");
    // A role assigned here is kept if the provider does not send one.
    server.sql(|conn| {
        conn.execute("UPDATE organization_member SET role = 'org:admin' WHERE mirrored_until IS NOT NULL", []).unwrap()
    });
    let again = sign_in_as(&server, &idp, "user_grace").await;
    assert_eq!(again.get("/api/me").await.ok()["session"]["orgRole"], "org:admin");
}

#[tokio::test]
async fn groups_determine_membership_and_administration() {
    let (server, idp) = server_with(|config| {
        let oidc = &mut config.identity.oidc;
        oidc.default_org = "acme".into();
        oidc.groups = vec!["architects".into()];
        oidc.admin_groups = vec!["admins".into()];
    })
    .await;
    let role = async |groups: Value| {
        idp.state().people.insert("user_grace".into(), groups);
        sign_in_as(&server, &idp, "user_grace").await.get("/api/me").await.ok()["session"]["orgRole"].clone()
    };
    assert_eq!(role(json!({ "groups": ["/architects"] })).await, "org:member", "Keycloak begins with a slash");
    assert_eq!(role(json!({ "groups": ["architects", "admins"] })).await, "org:admin");
    assert_eq!(role(json!({ "groups": "architects" })).await, "org:member");
    // A bearer token without groups changes nothing.
    let script = bearer(&server, &idp, json!({}));
    assert_eq!(script.get("/api/me").await.ok()["session"]["orgRole"], "org:member");
    for none in [json!({ "groups": ["architect"] }), json!({}), json!({ "groups": [] })] {
        assert_eq!(role(none).await, Value::Null);
        script.get("/api/me").await.expect_error(401, "");
    }
    assert_eq!(role(json!({ "groups": ["admins"] })).await, "org:admin", "and back again");
    // Ada was invited here, so the provider does not remove her.
    let sql = "UPDATE user SET email = 'ada@example.org' WHERE login = 'ada'";
    server.sql(|conn| conn.execute(sql, []).unwrap());
    idp.state().people.insert("user_ada".into(), json!({ "email": "ada@example.org", "email_verified": true }));
    let ada = sign_in_as(&server, &idp, "user_ada").await;
    assert_eq!(ada.get("/api/me").await.ok()["session"]["orgRole"], "org:admin");
}

#[tokio::test]
async fn an_older_token_does_not_restore_a_membership() {
    let (server, idp) = server().await;
    let now = server.clock.now() / 1_000;
    let at = |iat: i64, more: Value| {
        let mut said = more;
        (said["iat"], said["nbf"]) = (json!(iat), json!(iat));
        bearer(&server, &idp, said)
    };
    let list = |names: &[&str]| json!({ "organization": names });
    at(now - 50, list(&["o1", "o2"])).get("/api/workspaces").await.ok();
    at(now - 40, org("o2", "org:member")).get("/api/workspaces").await.ok();
    at(now - 30, list(&["o2"])).get("/api/workspaces").await.ok();
    // An unused token that was issued before the removal.
    at(now - 45, list(&["o1"])).get("/api/workspaces").await.expect_error(401, "newer token");
    at(now - 45, org("o1", "org:admin")).get("/api/workspaces").await.expect_error(401, "newer token");
    let member = at(now - 45, org("o2", "org:admin"));
    assert_eq!(member.get("/api/me").await.ok()["session"]["orgRole"], "org:member", "the role of now");
    at(now - 45, json!({})).get("/api/me").await.ok();
    assert_eq!(server.count("SELECT count(*) FROM organization_member WHERE organization_id = 'o1'"), 0);
    at(now - 20, list(&["o1"])).get("/api/workspaces").await.ok();
}

#[tokio::test]
async fn an_older_invitation_does_not_restore_a_removed_membership() {
    let (server, idp) = server_with(|config| {
        let oidc = &mut config.identity.oidc;
        (oidc.default_org, oidc.admin_groups) = ("acme".into(), vec!["bosses".into()]);
        oidc.groups = vec!["staff".into()];
    })
    .await;
    let comes = async |groups: Value| {
        idp.state().people.insert("user_boss".into(), json!({ "groups": groups }));
        sign_in_as(&server, &idp, "user_boss").await
    };
    let boss = comes(json!(["bosses"])).await;
    let org = boss.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let invite = async |author: &TestClient<'_>| {
        let invited = author.post(&format!("/api/orgs/{org}/invitations"), json!({ "role": "org:admin" })).await;
        format!("/api/auth/invitations/{}", invited.created()["token"].as_str().unwrap())
    };
    let (own, others) = (invite(&boss).await, invite(&server.sign_in("ada").await).await);
    let gone = comes(json!([])).await;
    assert_eq!(gone.get("/api/me").await.ok()["session"]["orgId"], Value::Null);
    gone.post(&own, json!({})).await.expect_error(404, "invitation");
    gone.post(&others, json!({})).await.expect_error(403, "ask an admin for a new invitation");
    // Demotion by the provider also invalidates invitations.
    let boss = comes(json!(["bosses"])).await;
    let own = invite(&boss).await;
    comes(json!(["staff"])).await;
    server.anonymous().get(&own).await.expect_error(404, "invitation");
}

#[tokio::test]
async fn a_workspace_deleted_when_its_owner_was_removed_is_restored_with_an_owner() {
    let (server, idp) = server_with(|config| {
        let oidc = &mut config.identity.oidc;
        (oidc.default_org, oidc.groups) = ("acme".into(), vec!["staff".into()]);
    })
    .await;
    idp.state().people.insert("user_grace".into(), json!({ "groups": ["staff"] }));
    let grace = sign_in_as(&server, &idp, "user_grace").await;
    for (id, visibility) in [("open", "org"), ("hidden", "private")] {
        let new = json!({ "id": id, "name": id, "visibility": visibility });
        grace.post("/api/workspaces", new).await.created();
        grace.delete(&format!("/api/workspaces/{id}")).await.ok();
    }
    idp.state().people.insert("user_grace".into(), json!({ "groups": [] }));
    sign_in_as(&server, &idp, "user_grace").await;
    let ada = server.sign_in("ada").await;
    let deleted = ada.get("/api/workspaces?deleted=true").await.ok();
    assert_eq!(deleted["workspaces"].as_array().unwrap().len(), 2, "{deleted}");
    for workspace in deleted["workspaces"].as_array().unwrap() {
        let restored = ada.post("/api/workspaces/restore", json!({ "pk": workspace["pk"] })).await.ok();
        let path = format!("/api/workspaces/{}/members", restored["workspace"]["id"].as_str().unwrap());
        let members = ada.get(&path).await.ok();
        let owners: Vec<&Value> =
            members["members"].as_array().unwrap().iter().map(|member| &member["user"]["login"]).collect();
        assert_eq!(owners, ["ada"], "{members}");
    }
}

#[tokio::test]
async fn restoring_a_workspace_whose_owner_left_makes_the_caller_its_owner() {
    let (server, _) = server().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let bobs = server.sign_in("bob").await;
    bobs.post("/api/workspaces", json!({ "id": "old", "name": "old", "visibility": "org" })).await.created();
    bobs.delete("/api/workspaces/old").await.ok();
    // A state from an earlier version: the owner is still a workspace member but has left the organization.
    server.sql(|conn| conn.execute("DELETE FROM organization_member WHERE user_id = ?", [bob]).unwrap());
    let ada = server.sign_in("ada").await;
    let pk = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["pk"].clone();
    let restored = ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.ok();
    assert_eq!(restored["workspace"]["ownerUserId"], ada.get("/api/me").await.ok()["id"]);
}
