//! Random histories of memberships, played by the server and by the model side by side.

use proptest::prelude::*;
use rusqlite::params;
use serde_json::json;

use super::model::{Act, Level, Model, acts};
use crate::support::{Actor, Reply, Stage};

/// The users with their sessions, signed in once, and the path of their organization.
struct Cast<'s> {
    stage: &'s Stage,
    actors: Vec<Actor<'s>>,
    ids: Vec<i64>,
    org: String,
}

impl Cast<'_> {
    /// Everything as [`Model::new`] says, with a workspace of this id.
    fn reset(&self, workspace: &str) {
        self.stage.sql(|conn| {
            conn.execute("UPDATE user SET is_suspended = 0", []).unwrap();
            conn.execute("UPDATE workspace SET deleted_at = 1 WHERE deleted_at IS NULL", []).unwrap();
            conn.execute("DELETE FROM organization_member", []).unwrap();
        });
        for (user, role) in self.ids.iter().zip(["org:admin", "org:member", "org:member"]) {
            self.stage.join(*user, "acme", role);
        }
        self.stage.sql(|conn| {
            conn.execute(
                "INSERT INTO workspace (id, organization_id, name, visibility, owner_user_id, revision, created_at,
                                        updated_at) SELECT ?, id, 'W', 'org', ?, 1, 1, 1 FROM organization",
                params![workspace, self.ids[0]],
            )
            .unwrap();
        });
        self.stage.grant(workspace, self.ids[0], "owner");
    }

    async fn send(&self, workspace: &str, act: &Act) -> Option<Reply> {
        let (ids, org) = (&self.ids, &self.org);
        let path = format!("/api/workspaces/{workspace}");
        let role = |admin: bool| if admin { "org:admin" } else { "org:member" };
        Some(match act {
            Act::Read { by } => self.actors[*by].get(&path).await,
            Act::Write { by } => {
                let component = json!({ "typeId": "service", "name": "C" });
                self.actors[*by].post(&format!("{path}/components"), component).await
            }
            Act::Show { by, visibility } => self.actors[*by].patch(&path, json!({ "visibility": visibility })).await,
            Act::Give { by, to, level } => {
                let body = json!({ "userId": ids[*to], "role": level.word() });
                self.actors[*by].post(&format!("{path}/members"), body).await
            }
            Act::Take { by, from } => self.actors[*by].delete(&format!("{path}/members/{}", ids[*from])).await,
            Act::Promote { by, whom, admin } => {
                let path = format!("{org}/members/{}", ids[*whom]);
                self.actors[*by].patch(&path, json!({ "role": role(*admin) })).await
            }
            Act::Remove { by, whom, heir } => {
                let heir = heir.map(|heir| format!("?transferTo={}", ids[heir])).unwrap_or_default();
                self.actors[*by].delete(&format!("{org}/members/{}{heir}", ids[*whom])).await
            }
            Act::Join { whom, admin } => {
                let sql = "INSERT OR IGNORE INTO organization_member (organization_id, user_id, role, created_at)
                           SELECT id, ?, ?, 1 FROM organization";
                self.stage.sql(|conn| conn.execute(sql, params![ids[*whom], role(*admin)]).unwrap());
                return None;
            }
            Act::Suspend { whom, is } => {
                let sql = "UPDATE user SET is_suspended = ? WHERE id = ?";
                self.stage.sql(|conn| conn.execute(sql, params![is, ids[*whom]]).unwrap());
                return None;
            }
        })
    }

    /// The levels that the database knows, and the owner of record, are those of the model.
    fn hold(&self, workspace: &str, model: &Model) {
        let level = |user: i64| {
            let sql = "SELECT m.role FROM workspace_member m JOIN workspace w ON w.pk = m.workspace_pk
                       WHERE w.id = ? AND w.deleted_at IS NULL AND m.user_id = ?";
            self.stage.sql(|conn| conn.query_row(sql, params![workspace, user], |row| row.get::<_, String>(0)).ok())
        };
        let levels: Vec<_> = self.ids.iter().map(|user| level(*user)).collect();
        let expected: Vec<_> = model.level.iter().map(|level| level.map(|level| level.word().to_owned())).collect();
        assert_eq!(levels, expected);
        let sql = "SELECT owner_user_id FROM workspace WHERE id = ? AND deleted_at IS NULL";
        let owner: i64 = self.stage.sql(|conn| conn.query_row(sql, [workspace], |row| row.get(0)).unwrap());
        let owner = self.ids.iter().position(|user| *user == owner).unwrap();
        assert_eq!(model.level[owner], Some(Level::Owner), "the owner of record is one");
        assert!(model.admin.contains(&Some(true)), "somebody is admin");
    }
}

#[test]
fn whatever_happened_everybody_may_what_the_tables_say() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stage = runtime.block_on(Stage::new());
    stage.seed_member("bob", "acme", "org:member");
    stage.seed_member("cy", "acme", "org:member");
    let cast = runtime.block_on(async {
        let (mut actors, mut ids, mut org) = (Vec::new(), Vec::new(), String::new());
        for login in ["ada", "bob", "cy"] {
            let actor = stage.sign_in(login).await;
            let me = actor.get("/api/me").await.ok();
            ids.push(me["id"].as_i64().unwrap());
            org = format!("/api/orgs/{}", me["session"]["orgId"].as_str().unwrap());
            actors.push(actor);
        }
        Cast { stage: &stage, actors, ids, org }
    });
    let round = std::cell::Cell::new(0);
    proptest!(ProptestConfig::with_cases(40), |(history in acts())| {
        round.set(round.get() + 1);
        let workspace = format!("w-{}", round.get());
        runtime.block_on(play(&cast, &workspace, &history));
    });
}

async fn play(cast: &Cast<'_>, workspace: &str, history: &[Act]) {
    cast.reset(workspace);
    let mut model = Model::new();
    for act in history {
        let expected = model.expect(act);
        let Some(reply) = cast.send(workspace, act).await else { continue };
        assert_eq!(reply.status.as_u16(), expected, "{act:?}: {reply}");
        cast.hold(workspace, &model);
        if let (Act::Read { by }, 200) = (act, expected) {
            assert_eq!(reply.json()["workspace"]["myRole"].as_str(), model.strongest(*by).map(Level::word));
        }
    }
}
