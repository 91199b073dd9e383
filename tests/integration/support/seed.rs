//! Data that tests need but no endpoint creates.

use argon2::{Algorithm, Argon2, Params, Version, password_hash::PasswordHasher};
use planroom::{
    domain::values::OrgRole,
    operator::{AdminOperation, OrgOperation},
};
use rusqlite::{Connection, params};

use super::{PASSWORD, TestServer, wiki::INTERNAL_TOKEN};

fn weak_hash(password: &str) -> String {
    let weak = Argon2::new(Algorithm::default(), Version::default(), Params::new(8, 1, 1, None).unwrap());
    weak.hash_password(password.as_bytes()).unwrap().to_string()
}

impl TestServer {
    /// Creates an instance administrator with an organization, as `planroom admin create` does.
    pub async fn seed_admin(&self, login: &str, org: &str) {
        let operation = AdminOperation::CreateAdmin {
            login: login.into(),
            name: login.into(),
            org: org.into(),
            password: PASSWORD.into(),
        };
        operation.perform(&self.app).await.unwrap();
        self.weaken_passwords();
    }

    /// Replaces the password hashes by ones that are verified a thousand times faster.
    pub fn weaken_passwords(&self) {
        self.sql(|conn| conn.execute("UPDATE user SET password_hash = ?", [weak_hash(PASSWORD)]).unwrap());
    }

    /// Like [`Self::weaken_passwords`], for the share links that have a password, which is `password` for all of them.
    pub fn weaken_share_passwords(&self, password: &str) {
        let sql = "UPDATE share_link SET password_hash = ? WHERE password_hash IS NOT NULL";
        self.sql(|conn| conn.execute(sql, [weak_hash(password)]).unwrap());
    }

    /// Creates a user without an organization. Returns the ID.
    pub fn seed_user(&self, login: &str) -> i64 {
        self.sql(|conn| {
            conn.execute(
                "INSERT INTO user (login, display_name, password_hash, created_at)
                 SELECT ?1, ?1, password_hash, 1 FROM user WHERE password_hash IS NOT NULL LIMIT 1",
                [login],
            )
            .unwrap();
            conn.last_insert_rowid()
        })
    }

    /// Creates a member of an existing organization; `role` is `org:admin` or `org:member`. Returns the user's ID.
    pub fn seed_member(&self, login: &str, org: &str, role: &str) -> i64 {
        let user = self.seed_user(login);
        self.join(user, org, role);
        user
    }

    /// Connects an organization to the wiki with the token of an internal integration.
    pub fn connect_wiki(&self, slug: &str) {
        self.sql(|conn| {
            let of = "SELECT id FROM organization WHERE slug = ?";
            let id: String = conn.query_row(of, [slug], |row| row.get(0)).unwrap();
            let token = self.app.keys().seal(&format!("wiki access {id}"), INTERNAL_TOKEN.as_bytes()).unwrap();
            let sql = "INSERT OR REPLACE INTO wiki_connection (organization_id, kind, access_token, workspace_icon, connected_at)
                       VALUES (?, 'token', ?, 'https://example.org/picture', 1)";
            conn.execute(sql, params![id, token]).unwrap();
        });
    }

    /// Makes a user a member of an organization.
    pub fn join(&self, user: i64, org: &str, role: &str) {
        self.sql(|conn| {
            let sql = "INSERT INTO organization_member (organization_id, user_id, role, created_at)
                       SELECT id, ?1, ?2, 1 FROM organization WHERE slug = ?3";
            assert_eq!(conn.execute(sql, params![user, role, org]).unwrap(), 1);
        });
    }

    /// Creates an organization with one ordinary member. Returns the user's ID.
    pub fn seed_org(&self, slug: &str, member: &str) -> i64 {
        self.sql(|conn| {
            let sql = "INSERT INTO organization (id, slug, name, created_at) VALUES ('org_' || ?1, ?1, ?1, 1)";
            conn.execute(sql, [slug]).unwrap();
        });
        self.seed_member(member, slug, "org:member")
    }

    /// Creates an organization with one admin, as the operator does. Returns the user's ID.
    pub async fn create_org(&self, slug: &str, admin: &str) -> i64 {
        let (org, login) = (slug.to_owned(), admin.to_owned());
        let create = OrgOperation::Create { slug: org.clone(), name: org.clone() };
        AdminOperation::Orgs(create).perform(&self.app).await.unwrap();
        let user = self.seed_user(admin);
        let join = OrgOperation::AddMember { org, login, role: OrgRole::Admin };
        AdminOperation::Orgs(join).perform(&self.app).await.unwrap();
        user
    }

    /// Gives a user an access level in a workspace.
    pub fn grant(&self, workspace: &str, user: i64, level: &str) {
        self.sql(|conn| {
            let sql = "INSERT OR REPLACE INTO workspace_member (workspace_pk, user_id, role, revision, added_at,
                                                                updated_at)
                       SELECT pk, ?2, ?3, 1, 1, 1 FROM workspace WHERE id = ?1 AND deleted_at IS NULL";
            assert_eq!(conn.execute(sql, params![workspace, user, level]).unwrap(), 1);
        });
    }

    /// Creates this many members of the workspace's organization who have requested access to it.
    pub fn seed_access_requests(&self, workspace: &str, count: i64) {
        self.sql(|conn| {
            let users = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                         INSERT INTO user (login, display_name, created_at) SELECT 'requester-' || i, 'R', 1 FROM n";
            conn.execute(users, [count]).unwrap();
            let of = "FROM user u, workspace w WHERE u.login LIKE 'requester-%' AND w.id = ? AND w.deleted_at IS NULL";
            let members = "INSERT INTO organization_member (organization_id, user_id, role, created_at)
                           SELECT w.organization_id, u.id, 'org:member', 1";
            let requests = "INSERT INTO access_request (workspace_pk, user_id, role, requested_at)
                            SELECT w.pk, u.id, 'editor', u.id";
            for insert in [members, requests] {
                conn.execute(&format!("{insert} {of}"), [workspace]).unwrap();
            }
        });
    }

    /// Creates this many entries in the inbox of a user, about changes of a workspace.
    pub fn seed_inbox(&self, login: &str, workspace: &str, count: i64) {
        self.sql(|conn| {
            let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                       INSERT INTO notification (user_id, kind, workspace_pk, subject, subject_id, first_item, last_item, items,
                                                 count, is_listed, created_at, updated_at)
                       SELECT u.id, 'watched', w.pk, 'changes', '', 0, 0, '[]', 1, 1, i, i FROM n, user u, workspace w
                       WHERE u.login = ?2 AND w.id = ?3";
            conn.execute(sql, params![count, login, workspace]).unwrap();
        });
    }

    /// Creates this many share links of a map, owned by its first member.
    pub fn seed_share_links(&self, workspace: &str, count: i64) {
        self.sql(|conn| {
            let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                       INSERT INTO share_link (id, workspace_pk, generation, owner_id, name, target, options, embed_origins,
                                               renewed_at, created_at, created_by, updated_at)
                       SELECT 'seeded-' || i, w.pk, 1, w.owner_user_id, 'Seeded', json_object('scope', 'map'),
                              json('{\"shows\":[],\"theme\":\"auto\",\"preview\":\"title\"}'), '[]', ?2, ?2 + i,
                              w.owner_user_id, ?2
                       FROM n, workspace w WHERE w.id = ?3 AND w.deleted_at IS NULL";
            let created = conn.execute(sql, params![count, self.clock.now(), workspace]).unwrap();
            assert_eq!(i64::try_from(created).unwrap(), count);
        });
    }

    /// Creates a thread of a user about a workspace.
    pub fn seed_thread(&self, workspace_pk: i64, id: &str, author: i64) {
        self.sql(|conn| {
            let sql = "INSERT INTO thread (workspace_pk, id, anchor_type, anchor_id, anchor_name, kind, last_message, revision,
                                           created_at, created_by, updated_at)
                       VALUES (?, ?, 'workspace', '', 'W', 'comment', 1, 1, 1, ?, 1)";
            conn.execute(sql, params![workspace_pk, id, author]).unwrap();
            let sql = "INSERT INTO thread_message (workspace_pk, thread_id, id, author_id, text, created_at, revision)
                       VALUES (?, ?, 1, ?, 'Text', 1, 1)";
            conn.execute(sql, params![workspace_pk, id, author]).unwrap();
        });
    }

    /// Creates this many threads about the component `a`, each with a message by the owner of the workspace.
    pub fn seed_threads(&self, workspace: &str, count: i64) {
        self.sql(|conn| {
            let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)";
            let from = "FROM n, workspace w WHERE w.id = ?2 AND w.deleted_at IS NULL";
            let thread =
                "INSERT INTO thread (workspace_pk, id, anchor_type, anchor_id, anchor_name, kind, last_message,
                                              revision, created_at, created_by, updated_at)
                          SELECT w.pk, 'seeded-' || i, 'component', 'a', 'A', 'comment', 1, 1, i, w.owner_user_id, i";
            let created = conn.execute(&format!("{numbers} {thread} {from}"), params![count, workspace]).unwrap();
            assert_eq!(i64::try_from(created).unwrap(), count);
            let message =
                "INSERT INTO thread_message (workspace_pk, thread_id, id, author_id, text, created_at, revision)
                           SELECT w.pk, 'seeded-' || i, 1, w.owner_user_id, 'Text ' || i, i, 1";
            conn.execute(&format!("{numbers} {message} {from}"), params![count, workspace]).unwrap();
        });
    }

    /// Creates this many webhooks of each organization, each with as many deliveries.
    pub fn seed_webhooks(&self, count: i64) {
        self.sql(|conn| {
            let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)";
            let sql = "INSERT INTO webhook (id, organization_id, name, format, host, url, secret, events, is_filtered,
                                            is_enabled, after_change, created_at, updated_at)
                       SELECT 'seeded-' || i, o.id, 'W', 'standard', 'example.org', x'00', x'00', '[\"member.left\"]', 0, 1, 0,
                              i, 1 FROM n, organization o WHERE o.slug = 'acme'";
            conn.execute(&format!("{numbers} {sql}"), [count]).unwrap();
            let sql = "INSERT INTO webhook_delivery (webhook_id, message_id, event, created_at, state, due_at)
                       SELECT w.id, 'msg', 'member.left', i, 'failed', 1 FROM n, webhook w";
            conn.execute(&format!("{numbers} {sql}"), [count]).unwrap();
        });
    }

    /// Adds a stakeholder, an external link and a process to a component.
    pub fn attach_everything_to(&self, workspace: &str, component: &str) {
        self.sql(|conn| {
            let (pk, org): (i64, String) = conn
                .query_row(
                    "SELECT pk, organization_id FROM workspace WHERE id = ? AND deleted_at IS NULL",
                    [workspace],
                    |row| Ok((row.get(0)?, row.get(1)?)),
                )
                .unwrap();
            conn.execute(
                "INSERT OR IGNORE INTO person (organization_id, id, seq, name, revision, created_at, updated_at)
                 SELECT ?1, 'grace', max(seq) + 1, 'Grace', 1, 1, 1 FROM person WHERE organization_id = ?1",
                [&org],
            )
            .unwrap();
            conn.execute(
                "INSERT INTO stakeholder (workspace_pk, component_id, organization_id, person_id, link_type, revision,
                                          created_at, updated_at) VALUES (?, ?, ?, 'grace', 'owner', 1, 1, 1)",
                params![pk, component, org],
            )
            .unwrap();
            conn.execute(
                "INSERT INTO external_link (workspace_pk, component_id, kind, url, revision, created_at, updated_at)
                 VALUES (?, ?, 'url', 'https://example.org', 1, 1, 1)",
                params![pk, component],
            )
            .unwrap();
            conn.execute(
                "INSERT INTO process (workspace_pk, id, seq, name, mermaid, participants, revision, created_at,
                                      updated_at)
                 VALUES (?, 'order', 1, 'Order', 'sequenceDiagram', json_object('A', ?), 1, 1, 1)",
                params![pk, component],
            )
            .unwrap();
            conn.execute("UPDATE workspace SET revision = revision + 1 WHERE pk = ?", [pk]).unwrap();
        });
    }

    /// Accesses the database file directly.
    pub fn sql<T>(&self, work: impl FnOnce(&Connection) -> T) -> T {
        // SQLite reads the whole schema when a connection is first used, which takes longer than most statements.
        let conn = self.observer.lock().unwrap().take().unwrap_or_else(|| self.connection());
        let result = work(&conn);
        *self.observer.lock().unwrap() = Some(conn);
        result
    }

    /// A new connection of the test.
    #[expect(clippy::disallowed_methods, reason = "a test looks behind the scenes")]
    pub fn connection(&self) -> Connection {
        let conn = Connection::open(self.dir.path().join("planroom.db")).unwrap();
        conn.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
        conn.pragma_update(None, "foreign_keys", true).unwrap();
        conn
    }

    /// The result of a query for one number.
    pub fn count(&self, sql: &str) -> i64 {
        self.sql(|conn| conn.query_row(sql, [], |row| row.get(0)).unwrap())
    }
}
