//! Random sequences of membership changes, applied to the server and to the model.

use proptest::prelude::*;
use rusqlite::params;
use serde_json::json;

use super::model::{Action, Level, Model, actions};
use crate::support::{TestClient, TestResponse, TestServer};

/// The users with their sessions, signed in once, and the path of their organization.
struct TestUsers<'s> {
    server: &'s TestServer,
    actors: Vec<TestClient<'s>>,
    ids: Vec<i64>,
    org: String,
}

impl TestUsers<'_> {
    /// The initial state of [`Model::new`], with a workspace of this ID.
    fn reset(&self, workspace: &str) {
        self.server.sql(|conn| {
            conn.execute("UPDATE user SET is_suspended = 0", []).unwrap();
            conn.execute("UPDATE workspace SET deleted_at = 1 WHERE deleted_at IS NULL", []).unwrap();
            conn.execute("DELETE FROM organization_member", []).unwrap();
        });
        for (user, role) in self.ids.iter().zip(["org:admin", "org:member", "org:member"]) {
            self.server.join(*user, "acme", role);
        }
        self.server.sql(|conn| {
            conn.execute(
                "INSERT INTO workspace (id, organization_id, name, visibility, owner_user_id, revision, created_at,
                                        updated_at) SELECT ?, id, 'W', 'org', ?, 1, 1, 1 FROM organization",
                params![workspace, self.ids[0]],
            )
            .unwrap();
        });
        self.server.grant(workspace, self.ids[0], "owner");
    }

    async fn send(&self, workspace: &str, action: &Action) -> Option<TestResponse> {
        let (ids, org) = (&self.ids, &self.org);
        let path = format!("/api/workspaces/{workspace}");
        let role = |admin: bool| if admin { "org:admin" } else { "org:member" };
        Some(match action {
            Action::Read { by } => self.actors[*by].get(&path).await,
            Action::Write { by } => {
                let component = json!({ "typeId": "service", "name": "C" });
                self.actors[*by].post(&format!("{path}/components"), component).await
            }
            Action::Show { by, visibility } => self.actors[*by].patch(&path, json!({ "visibility": visibility })).await,
            Action::Open { by, access } => self.actors[*by].patch(&path, json!({ "organizationAccess": access })).await,
            Action::Give { by, to, level } => {
                let body = json!({ "userId": ids[*to], "role": level.as_str() });
                self.actors[*by].post(&format!("{path}/members"), body).await
            }
            Action::Take { by, from } => self.actors[*by].delete(&format!("{path}/members/{}", ids[*from])).await,
            Action::Promote { by, whom, admin } => {
                let path = format!("{org}/members/{}", ids[*whom]);
                self.actors[*by].patch(&path, json!({ "role": role(*admin) })).await
            }
            Action::Remove { by, whom, heir } => {
                let heir = heir.map(|heir| format!("?transferTo={}", ids[heir])).unwrap_or_default();
                self.actors[*by].delete(&format!("{org}/members/{}{heir}", ids[*whom])).await
            }
            Action::Join { whom, admin } => {
                let sql = "INSERT OR IGNORE INTO organization_member (organization_id, user_id, role, created_at)
                           SELECT id, ?, ?, 1 FROM organization";
                self.server.sql(|conn| conn.execute(sql, params![ids[*whom], role(*admin)]).unwrap());
                return None;
            }
            Action::Suspend { whom, is } => {
                let sql = "UPDATE user SET is_suspended = ? WHERE id = ?";
                self.server.sql(|conn| conn.execute(sql, params![is, ids[*whom]]).unwrap());
                return None;
            }
        })
    }

    /// Compares access levels and owner in the database with the model.
    fn assert_matches(&self, workspace: &str, model: &Model) {
        let level = |user: i64| {
            let sql = "SELECT m.role FROM workspace_member m JOIN workspace w ON w.pk = m.workspace_pk
                       WHERE w.id = ? AND w.deleted_at IS NULL AND m.user_id = ?";
            self.server.sql(|conn| conn.query_row(sql, params![workspace, user], |row| row.get::<_, String>(0)).ok())
        };
        let levels: Vec<_> = self.ids.iter().map(|user| level(*user)).collect();
        let expected: Vec<_> = model.level.iter().map(|level| level.map(|level| level.as_str().to_owned())).collect();
        assert_eq!(levels, expected);
        let sql = "SELECT owner_user_id FROM workspace WHERE id = ? AND deleted_at IS NULL";
        let owner: i64 = self.server.sql(|conn| conn.query_row(sql, [workspace], |row| row.get(0)).unwrap());
        let owner = self.ids.iter().position(|user| *user == owner).unwrap();
        assert_eq!(model.level[owner], Some(Level::Owner), "the owner of record is one");
        assert!(model.admin.contains(&Some(true)), "somebody is admin");
    }
}

#[test]
fn random_histories_match_the_permission_model() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let server = runtime.block_on(TestServer::new());
    server.seed_member("bob", "acme", "org:member");
    server.seed_member("cy", "acme", "org:member");
    let users = runtime.block_on(async {
        let (mut actors, mut ids, mut org) = (Vec::new(), Vec::new(), String::new());
        for login in ["ada", "bob", "cy"] {
            let client = server.sign_in(login).await;
            let me = client.get("/api/me").await.ok();
            ids.push(me["id"].as_i64().unwrap());
            org = format!("/api/orgs/{}", me["session"]["orgId"].as_str().unwrap());
            actors.push(client);
        }
        TestUsers { server: &server, actors, ids, org }
    });
    let round = std::cell::Cell::new(0);
    proptest!(ProptestConfig::with_cases(40), |(history in actions())| {
        round.set(round.get() + 1);
        let workspace = format!("w-{}", round.get());
        runtime.block_on(run(&users, &workspace, &history));
    });
}

async fn run(users: &TestUsers<'_>, workspace: &str, history: &[Action]) {
    users.reset(workspace);
    let mut model = Model::new();
    for action in history {
        let expected = model.expect(action);
        let Some(reply) = users.send(workspace, action).await else { continue };
        assert_eq!(reply.status.as_u16(), expected, "{action:?}: {reply}");
        users.assert_matches(workspace, &model);
        if let (Action::Read { by }, 200) = (action, expected) {
            assert_eq!(reply.json()["workspace"]["myRole"].as_str(), model.strongest(*by).map(Level::as_str));
        }
    }
}
