//! Organizations that come with claims, groups, and leaving.

use serde_json::{Value, json};

use super::{bearer, org, signs_in, stage, stage_with};
use crate::support::Actor;

#[tokio::test]
async fn an_organization_that_comes_with_claims_is_mirrored() {
    let (stage, double) = stage().await;
    let mut said = org("org_1", "org:admin");
    (said["org_slug"], said["org_name"]) = (json!("acme"), json!("Acme over there"));
    let grace = bearer(&stage, &double, said.clone());
    let listed = grace.get("/api/orgs").await.ok();
    let expected = json!([{ "id": "org_1", "name": "Acme over there", "slug": "acme-2", "role": "org:admin" }]);
    assert_eq!(listed["organizations"], expected, "the slug was taken");
    assert_eq!(grace.get("/api/stakeholder-link-types").await.ok()["types"].as_array().unwrap().len(), 3);
    said["org_name"] = json!("Acme");
    let listed = bearer(&stage, &double, said).get("/api/orgs").await.ok();
    assert_eq!(listed["organizations"][0]["name"], "Acme");
    let bob = bearer(&stage, &double, json!({ "sub": "user_bob", "org_id": "org_1" }));
    assert_eq!(bob.get("/api/me").await.ok()["session"]["orgRole"], "org:member", "no role is the least");
}

#[tokio::test]
async fn the_role_at_the_provider_is_the_role_here_from_the_next_token_on() {
    let (stage, double) = stage().await;
    let admin = bearer(&stage, &double, org("org_1", "org:admin"));
    admin.get("/api/orgs/org_1/members").await.ok();
    let member = bearer(&stage, &double, org("org_1", "org:member"));
    member.get("/api/orgs/org_1/members").await.refused(403, "");
    admin.get("/api/orgs/org_1/members").await.refused(403, "");
}

#[tokio::test]
async fn no_token_opens_an_organization_that_is_kept_here() {
    let (stage, double) = stage().await;
    let id: String = stage.sql(|conn| conn.query_row("SELECT id FROM organization", [], |row| row.get(0)).unwrap());
    bearer(&stage, &double, org(&id, "org:admin")).get("/api/me").await.refused(401, "is kept here");
    assert_eq!(stage.count("SELECT count(*) FROM organization_member"), 1);
    assert_eq!(stage.count("SELECT count(*) FROM user"), 1, "nothing was written");
    double.state().claims = org(&id, "org:admin");
    let browser = super::departs(&stage, "").await;
    let reply = super::returns(&stage, &browser, &double.agrees("user_grace", &browser.location)).await;
    assert_eq!(reply.header("location"), "/sign-in?problem=untrue");
}

#[tokio::test]
async fn whoever_leaves_an_organization_at_the_provider_loses_it_with_the_next_token() {
    let (stage, double) = stage().await;
    let both = json!({ "organization": { "acme-there": { "id": "o1" }, "beta": { "id": "o2" } } });
    double.state().people.insert("user_grace".into(), both.clone());
    let grace = signs_in(&stage, &double, "user_grace").await;
    assert_eq!(grace.get("/api/me").await.ok()["session"]["orgId"], "o1");
    let workspace = grace.post("/api/workspaces", json!({ "name": "Plan" })).await.created();
    let id = workspace["workspace"]["id"].as_str().unwrap_or("plan").to_owned();
    let minted = grace.post("/api/me/tokens", json!({ "name": "script" })).await.created();
    let script = stage.with(minted["token"].as_str().unwrap());
    // Charles stays, and administers.
    let charles = bearer(&stage, &double, json!({ "sub": "user_charles", "org_id": "o1", "org_role": "admin" }));
    charles.get("/api/me").await.ok();
    let token = bearer(&stage, &double, both);
    token.get("/api/workspaces").await.ok();
    double.state().people.insert("user_grace".into(), json!({ "organization": { "beta": { "id": "o2" } } }));
    let again = signs_in(&stage, &double, "user_grace").await;
    assert_eq!(again.get("/api/orgs").await.ok()["organizations"][0]["id"], "o2");
    for actor in [grace, script, token] {
        actor.get("/api/workspaces").await.refused(401, "");
    }
    assert_eq!(charles.get(&format!("/api/workspaces/{id}")).await.ok()["workspace"]["myRole"], "owner");
    let owners = "SELECT group_concat(i.subject) FROM workspace_member m JOIN user_identity i ON i.user_id = m.user_id";
    assert_eq!(stage.sql(|conn| conn.query_row(owners, [], |row| row.get::<_, String>(0)).unwrap()), "user_charles");
    assert_eq!(stage.count("SELECT count(*) FROM audit WHERE kind = 'organization.leave'"), 1);
    // To leave the last one is told by its absence only to whoever asks for organizations.
    let last = bearer(&stage, &double, json!({ "organization": [] }));
    last.get("/api/me").await.ok();
    assert_eq!(stage.count("SELECT count(*) FROM organization_member WHERE organization_id = 'o2'"), 0);
}

#[tokio::test]
async fn who_asks_for_organizations_is_told_of_none_by_their_absence() {
    let (stage, double) = stage_with(|config| config.identity.oidc.scopes.push("organization:*".into())).await;
    double.state().people.insert("user_grace".into(), json!({ "organization": ["beta"] }));
    signs_in(&stage, &double, "user_grace").await.get("/api/workspaces").await.ok();
    // A token of a program says nothing of it.
    bearer(&stage, &double, json!({})).get("/api/me").await.ok();
    assert_eq!(stage.count("SELECT count(*) FROM organization_member WHERE organization_id = 'beta'"), 1);
    double.state().people.insert("user_grace".into(), json!({}));
    let grace = signs_in(&stage, &double, "user_grace").await;
    assert_eq!(grace.get("/api/me").await.ok()["session"]["orgId"], Value::Null);
    assert_eq!(stage.count("SELECT count(*) FROM organization_member WHERE organization_id = 'beta'"), 0);
}

#[tokio::test]
async fn everybody_joins_the_default_organization() {
    let (stage, double) = stage_with(|config| config.identity.oidc.default_org = "engines".into()).await;
    let grace = signs_in(&stage, &double, "user_grace").await;
    let session = grace.get("/api/me").await.ok()["session"].clone();
    assert_eq!((&session["orgSlug"], &session["orgRole"]), (&json!("engines"), &json!("org:member")));
    let bob = bearer(&stage, &double, json!({ "sub": "user_bob" }));
    assert_eq!(bob.get("/api/me").await.ok()["session"]["orgSlug"], "engines");
    // Whoever is made an admin here stays one: the provider says nothing of it.
    stage.sql(|conn| {
        conn.execute("UPDATE organization_member SET role = 'org:admin' WHERE mirrored_until IS NOT NULL", []).unwrap()
    });
    let again = signs_in(&stage, &double, "user_grace").await;
    assert_eq!(again.get("/api/me").await.ok()["session"]["orgRole"], "org:admin");
}

#[tokio::test]
async fn groups_say_who_belongs_and_who_administers() {
    let (stage, double) = stage_with(|config| {
        let oidc = &mut config.identity.oidc;
        oidc.default_org = "acme".into();
        oidc.groups = vec!["architects".into()];
        oidc.admin_groups = vec!["admins".into()];
    })
    .await;
    let role = async |groups: Value| {
        double.state().people.insert("user_grace".into(), groups);
        signs_in(&stage, &double, "user_grace").await.get("/api/me").await.ok()["session"]["orgRole"].clone()
    };
    assert_eq!(role(json!({ "groups": ["/architects"] })).await, "org:member", "Keycloak begins with a slash");
    assert_eq!(role(json!({ "groups": ["architects", "admins"] })).await, "org:admin");
    assert_eq!(role(json!({ "groups": "architects" })).await, "org:member");
    // A token of a program that says nothing of groups changes nothing.
    let script = bearer(&stage, &double, json!({}));
    assert_eq!(script.get("/api/me").await.ok()["session"]["orgRole"], "org:member");
    for none in [json!({ "groups": ["architect"] }), json!({}), json!({ "groups": [] })] {
        assert_eq!(role(none).await, Value::Null);
        script.get("/api/me").await.refused(401, "");
    }
    assert_eq!(role(json!({ "groups": ["admins"] })).await, "org:admin", "and back again");
    // Ada was invited here, and is nobody's to remove.
    let sql = "UPDATE user SET email = 'ada@example.org' WHERE login = 'ada'";
    stage.sql(|conn| conn.execute(sql, []).unwrap());
    double.state().people.insert("user_ada".into(), json!({ "email": "ada@example.org", "email_verified": true }));
    let ada = signs_in(&stage, &double, "user_ada").await;
    assert_eq!(ada.get("/api/me").await.ok()["session"]["orgRole"], "org:admin");
}

#[tokio::test]
async fn an_older_token_brings_back_nothing_that_a_newer_one_took() {
    let (stage, double) = stage().await;
    let now = stage.clock.now() / 1_000;
    let at = |iat: i64, more: Value| {
        let mut said = more;
        (said["iat"], said["nbf"]) = (json!(iat), json!(iat));
        bearer(&stage, &double, said)
    };
    let list = |names: &[&str]| json!({ "organization": names });
    at(now - 50, list(&["o1", "o2"])).get("/api/workspaces").await.ok();
    at(now - 40, org("o2", "org:member")).get("/api/workspaces").await.ok();
    at(now - 30, list(&["o2"])).get("/api/workspaces").await.ok();
    // Never shown until now, and issued before they left.
    at(now - 45, list(&["o1"])).get("/api/workspaces").await.refused(401, "newer token");
    at(now - 45, org("o1", "org:admin")).get("/api/workspaces").await.refused(401, "newer token");
    let member = at(now - 45, org("o2", "org:admin"));
    assert_eq!(member.get("/api/me").await.ok()["session"]["orgRole"], "org:member", "the role of now");
    at(now - 45, json!({})).get("/api/me").await.ok();
    assert_eq!(stage.count("SELECT count(*) FROM organization_member WHERE organization_id = 'o1'"), 0);
    at(now - 20, list(&["o1"])).get("/api/workspaces").await.ok();
}

#[tokio::test]
async fn whoever_the_provider_removes_does_not_come_back_by_a_link_from_before() {
    let (stage, double) = stage_with(|config| {
        let oidc = &mut config.identity.oidc;
        (oidc.default_org, oidc.admin_groups) = ("acme".into(), vec!["bosses".into()]);
        oidc.groups = vec!["staff".into()];
    })
    .await;
    let comes = async |groups: Value| {
        double.state().people.insert("user_boss".into(), json!({ "groups": groups }));
        signs_in(&stage, &double, "user_boss").await
    };
    let boss = comes(json!(["bosses"])).await;
    let org = boss.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let invite = async |author: &Actor<'_>| {
        let invited = author.post(&format!("/api/orgs/{org}/invitations"), json!({ "role": "org:admin" })).await;
        format!("/api/auth/invitations/{}", invited.created()["token"].as_str().unwrap())
    };
    let (own, others) = (invite(&boss).await, invite(&stage.sign_in("ada").await).await);
    let gone = comes(json!([])).await;
    assert_eq!(gone.get("/api/me").await.ok()["session"]["orgId"], Value::Null);
    gone.post(&own, json!({})).await.refused(404, "invitation");
    gone.post(&others, json!({})).await.refused(403, "ask an admin for a new invitation");
    // Demotion by the provider ends invitations too.
    let boss = comes(json!(["bosses"])).await;
    let own = invite(&boss).await;
    comes(json!(["staff"])).await;
    stage.anonymous().get(&own).await.refused(404, "invitation");
}

#[tokio::test]
async fn a_workspace_that_was_deleted_when_its_owner_was_removed_is_restored_with_an_owner() {
    let (stage, double) = stage_with(|config| {
        let oidc = &mut config.identity.oidc;
        (oidc.default_org, oidc.groups) = ("acme".into(), vec!["staff".into()]);
    })
    .await;
    double.state().people.insert("user_grace".into(), json!({ "groups": ["staff"] }));
    let grace = signs_in(&stage, &double, "user_grace").await;
    for (id, visibility) in [("open", "org"), ("hidden", "private")] {
        let new = json!({ "id": id, "name": id, "visibility": visibility });
        grace.post("/api/workspaces", new).await.created();
        grace.delete(&format!("/api/workspaces/{id}")).await.ok();
    }
    double.state().people.insert("user_grace".into(), json!({ "groups": [] }));
    signs_in(&stage, &double, "user_grace").await;
    let ada = stage.sign_in("ada").await;
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
async fn whoever_restores_a_workspace_whose_owner_has_left_the_organization_owns_it() {
    let (stage, _) = stage().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let bobs = stage.sign_in("bob").await;
    bobs.post("/api/workspaces", json!({ "id": "old", "name": "old", "visibility": "org" })).await.created();
    bobs.delete("/api/workspaces/old").await.ok();
    // As an earlier version left it: the owner is still a member of the workspace, and no longer of the organization.
    stage.sql(|conn| conn.execute("DELETE FROM organization_member WHERE user_id = ?", [bob]).unwrap());
    let ada = stage.sign_in("ada").await;
    let pk = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["pk"].clone();
    let restored = ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.ok();
    assert_eq!(restored["workspace"]["ownerUserId"], ada.get("/api/me").await.ok()["id"]);
}
