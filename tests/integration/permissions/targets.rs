//! Targets of the requests: each request has its own workspace, token, member and invitation.

use planroom::auth::{PAT_PREFIX, tokens};
use rusqlite::{Connection, params};

use super::{
    callers::{Caller, keep_token},
    rows::Row,
};

/// The target of one request, which no other request uses.
pub struct Target {
    pub id: String,
    pub pk: i64,
    /// Key of the workspace.
    pub revision: i64,
    pub token: i64,
    /// A user of acme who can read the workspace.
    pub colleague: i64,
    pub invitation: Option<i64>,
    pub session: i64,
    /// An entry of the waitlist.
    pub entry: i64,
    /// A link of the component `web`.
    pub link: i64,
    /// A version of the workspace, in rows about versions.
    pub version: Option<i64>,
    /// The stakeholder link of a component of the workspace, in rows about stakeholders.
    pub stakeholder: Option<i64>,
}

/// Creates targets as copies of one workspace that was created through the API.
pub struct Copier<'c> {
    conn: &'c Connection,
}

/// Tables with rows of a workspace, and their column with its key.
const COPIED: [(&str, &str); 10] = [
    ("workspace", "pk"),
    ("workspace_member", "workspace_pk"),
    ("component", "workspace_pk"),
    ("relationship", "workspace_pk"),
    ("process", "workspace_pk"),
    ("note_image", "workspace_pk"),
    ("note", "workspace_pk"),
    ("view", "workspace_pk"),
    ("tour", "workspace_pk"),
    ("decision", "workspace_pk"),
];

/// URL of every photo and icon.
pub const IMAGE_TABLES: &str = "https://example.org/picture";

/// A route whose plain use is about the caller.
pub const OWN_PHOTO: &str = "/api/users/{userId}/photo";

/// Path prefixes of routes about people, teams, roles and kinds.
pub const DIRECTORY: [&str; 4] = ["/api/people/", "/api/teams/", "/api/stakeholder-link-types/", "/api/kinds/"];

impl<'c> Copier<'c> {
    pub fn new(conn: &'c Connection) -> Self {
        for (table, key) in COPIED {
            let template = "SELECT pk FROM workspace WHERE id = 'template'";
            let earlier = format!("DROP TABLE IF EXISTS temp.{table}_copy");
            let copy = format!("CREATE TEMP TABLE {table}_copy AS SELECT * FROM {table} WHERE {key} = ({template})");
            conn.execute_batch(&format!("{earlier}; {copy}")).unwrap();
        }
        conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        Self { conn }
    }

    /// A source with a row that was deleted on the map.
    fn source(&self, pk: i64) {
        let sql = "INSERT INTO source (workspace_pk, id, kind, synced_at) VALUES (?, 'compose', 'compose', 1)";
        self.insert(sql, &[&pk]);
        let sql = "INSERT INTO claim (workspace_pk, source_id, kind, key, row_id, base, file, line, seen_at)
                   VALUES (?, 'compose', 'component', 'gone', 'gone', '{}', 'compose.yaml', 1, 1)";
        self.insert(sql, &[&pk]);
    }

    /// A workspace for `caller`, with the content of the template, and a token of the caller.
    pub fn target(&self, id: String, caller: &Caller<'_>, row: Option<&Row>) -> Target {
        let conn = self.conn;
        let deleted_at = row.filter(|row| row.path == "/api/workspaces/restore").map(|_| now());
        let own =
            "UPDATE workspace_copy SET pk = NULL, id = ?, visibility = ?, organization_access = ?, deleted_at = ?";
        conn.execute(own, params![id, caller.visibility, caller.organization_access, deleted_at]).unwrap();
        conn.execute("INSERT INTO workspace SELECT * FROM workspace_copy", []).unwrap();
        let pk = conn.last_insert_rowid();
        let revision = conn.query_row("SELECT revision FROM workspace_copy", [], |row| row.get(0)).unwrap();
        for (table, _) in &COPIED[1..] {
            conn.execute(&format!("UPDATE {table}_copy SET workspace_pk = ?"), [pk]).unwrap();
            conn.execute(&format!("INSERT INTO {table} SELECT * FROM {table}_copy"), []).unwrap();
        }
        if let Some(level) = caller.level {
            let sql = "INSERT INTO workspace_member (workspace_pk, user_id, role, revision, added_at, updated_at)
                       VALUES (?, ?, ?, 1, 1, 1)";
            conn.execute(sql, params![pk, caller.user, level]).unwrap();
        }
        let fay = "SELECT id FROM user WHERE login = 'fay'";
        let another = || conn.query_row(fay, [], |row| row.get(0)).unwrap();
        let anothers = row.is_some_and(|row| row.what == "anothers");
        let user = caller.user.filter(|_| !anothers).unwrap_or_else(another);
        let token = keep_token(conn, user, Some("acme"), &tokens::generate(PAT_PREFIX));
        let (colleague, invitation) = (self.colleague(pk), row.and_then(|row| self.invitation(row, &id)));
        if row.is_some_and(|row| row.path.contains("/access-requests") && row.method != "POST") {
            let own = row.is_some_and(|row| row.what == "own");
            let sql =
                "INSERT INTO access_request (workspace_pk, user_id, role, requested_at) VALUES (?, ?, 'editor', 1)";
            self.insert(sql, &[&pk, &caller.user.filter(|_| own).unwrap_or(colleague)]);
        }
        if row.is_some_and(|row| row.path.contains("{sourceId}")) {
            self.source(pk);
        }
        if row.is_some_and(|row| row.path.contains("{shareId}")) {
            let sql =
                "INSERT INTO share_link (id, workspace_pk, generation, owner_id, name, target, options, embed_origins,
                                               renewed_at, created_at, created_by, updated_at)
                       VALUES (?1, ?2, 1, ?3, 'Link', json_object('scope', 'map'),
                               json('{\"shows\":[],\"theme\":\"auto\",\"preview\":\"title\"}'), '[]', ?4, ?4, ?3, ?4)";
            self.insert(sql, &[&id, &pk, &colleague, &now()]);
        }
        if let Some(row) = row.filter(|row| row.path.contains("{webhookId}") && "Ggh".contains(caller.letter)) {
            self.webhook(webhook_id(row, &id), pk);
        }
        if let Some(row) = row.filter(|row| row.path.contains("/threads")) {
            let author = caller.user.filter(|_| !anothers).unwrap_or(colleague);
            match row.what {
                "in-draft" => self.comments_in_draft(&id, pk, colleague, row),
                _ => self.comments(&id, pk, author, row),
            }
        }
        if row.is_some_and(|row| row.path == OWN_PHOTO) {
            let sql = "INSERT OR REPLACE INTO user_photo (user_id, tag, media_type, uploaded_at, content)
                       VALUES (?, 'tag', 'image/gif', 1, x'474946')";
            self.insert(sql, &[&colleague]);
            caller.user.map(|user| self.insert(sql, &[&user]));
        }
        if row.is_some_and(|row| row.path.contains("/personal/{viewId}")) {
            let sql = "INSERT INTO personal_view (workspace_pk, user_id, id, name, position, definition, layout, places, lines,
                                                  revision, created_at, updated_at)
                       VALUES (?, ?, 'payments', 'Payments', 1, '{}', 'shared', '[]', '[]', 1, 1, 1)";
            self.insert(sql, &[&pk, &caller.user.filter(|_| !anothers).unwrap_or(colleague)]);
        }
        if let Some(row) = row.filter(|row| row.path.starts_with("/api/drafts/")) {
            self.draft(&id, pk, caller.user.filter(|_| !anothers).unwrap_or(colleague), row);
        }
        let session = store_session(conn, user);
        if row.is_some_and(|row| row.path.starts_with("/api/me/connectors")) {
            self.oauth_client(&id, user);
        }
        let entry = self.insert("INSERT INTO waitlist (email, created_at) VALUES (? || '@example.org', 1)", &[&pk]);
        let link = self.insert(
            "INSERT INTO external_link (workspace_pk, component_id, kind, url, revision, created_at, updated_at)
             VALUES (?, 'web', 'url', 'https://example.org', 1, 1, 1)",
            &[&pk],
        );
        if row.is_some_and(|row| row.path.ends_with("/icon")) {
            self.conn.execute("UPDATE external_link SET icon = ? WHERE id = ?", params![IMAGE_TABLES, link]).unwrap();
        }
        if row.is_some_and(|row| row.path.ends_with("/undo")) {
            self.change_set(pk, caller.user);
        }
        let names_entry = |row: &Row| DIRECTORY.iter().any(|path| row.path.starts_with(path));
        if row.is_some_and(|row| names_entry(row) || row.path.ends_with("/teams/{teamId}")) {
            self.directory_entries(&id);
        }
        let version = row.filter(|row| row.path.contains("{vid}")).map(|_| {
            let sql = "INSERT INTO version (workspace_pk, name, revision, snapshot, created_at)
                       SELECT ?, name, revision, snapshot, created_at FROM version WHERE name = 'Of the template' LIMIT 1";
            self.insert(sql, &[&pk])
        });
        let about_one = row.is_some_and(|row| row.path.contains("/stakeholders"));
        let stakeholder = about_one.then(|| {
            self.directory_entries(&id);
            let sql = "INSERT INTO stakeholder (workspace_pk, component_id, organization_id, person_id, link_type,
                                                revision, created_at, updated_at)
                       SELECT ?1, 'web', id, ?2, 'owner', 1, 1, 1 FROM organization WHERE slug = 'acme'";
            self.insert(sql, &[&pk, &id])
        });
        Target { id, pk, revision, token, colleague, invitation, session, entry, link, version, stakeholder }
    }

    /// A thread of a user, or the setting that only editors can comment.
    fn comments(&self, id: &str, workspace_pk: i64, author: i64, row: &Row) {
        if row.what == "editors" {
            let sql = "INSERT INTO comment_settings (workspace_pk, commenters) VALUES (?, 'editors')";
            self.insert(sql, &[&workspace_pk]);
        }
        if row.path.contains("{threadId}") {
            let resolved_at = row.path.ends_with("/reopen").then_some(1);
            let sql = "INSERT INTO thread (workspace_pk, id, anchor_type, anchor_id, anchor_name, kind, resolved_at,
                                           last_message, revision, created_at, created_by, updated_at)
                       VALUES (?, ?, 'component', 'web', 'Web', 'comment', ?, 1, 1, 1, ?, 1)";
            self.insert(sql, &[&workspace_pk, &id, &resolved_at, &author]);
            let sql = "INSERT INTO thread_message (workspace_pk, thread_id, id, author_id, text, created_at, revision)
                       VALUES (?, ?, 1, ?, 'Text', 1, 1)";
            self.insert(sql, &[&workspace_pk, &id, &author]);
        }
    }

    /// A draft of a user, and a thread of theirs in it.
    fn comments_in_draft(&self, id: &str, base_pk: i64, author: i64, row: &Row) {
        let map = self.draft(id, base_pk, author, row);
        self.comments(&format!("draft-{id}"), map, author, row);
    }

    /// A webhook of acme with this ID, and a delivery whose ID is the key of the workspace.
    fn webhook(&self, id: &str, delivery: i64) {
        let sql =
            "INSERT OR IGNORE INTO webhook (id, organization_id, name, format, host, url, secret, events, is_filtered,
                                        is_enabled, after_change, created_at, updated_at)
                   SELECT ?, id, 'W', 'standard', 'example.org', x'00', x'00', '[\"member.left\"]', 0, 1, 0, 1, 1
                   FROM organization WHERE slug = 'acme'";
        self.insert(sql, &[&id]);
        let sql = "INSERT INTO webhook_delivery (id, webhook_id, message_id, event, created_at, state, due_at)
                   VALUES (?, ?, 'msg', 'member.left', 1, 'failed', 1)";
        self.insert(sql, &[&delivery, &id]);
    }

    /// A draft of a user with the content of the template, submitted unless it is to be submitted. Returns the key of its map.
    fn draft(&self, id: &str, base_pk: i64, author: i64, row: &Row) -> i64 {
        let own = "UPDATE workspace_copy SET pk = NULL, id = 'draft-' || ?, visibility = 'private', base_pk = ?";
        self.conn.execute(own, params![id, base_pk]).unwrap();
        let pk = self.insert("INSERT INTO workspace SELECT * FROM workspace_copy", &[]);
        self.conn.execute("UPDATE workspace_copy SET base_pk = NULL", []).unwrap();
        for (table, _) in &COPIED[2..] {
            self.conn.execute(&format!("UPDATE {table}_copy SET workspace_pk = ?"), [pk]).unwrap();
            self.conn.execute(&format!("INSERT INTO {table} SELECT * FROM {table}_copy"), []).unwrap();
        }
        let submitted_at = (row.method != "PATCH").then_some(1);
        let sql = "INSERT INTO draft (id, base_pk, workspace_pk, number, title, author_id, base_revision, base_state,
                                      updated_revision, submitted_at, created_at, updated_at)
                   SELECT 'draft-' || ?, ?, ?, 1, 'Draft', ?, revision, snapshot, 1, ?, 1, 1
                   FROM version WHERE name = 'Of the template' LIMIT 1";
        self.insert(sql, &[&id, &base_pk, &pk, &author, &submitted_at]);
        pk
    }

    /// A new member of acme who can read a workspace.
    fn colleague(&self, workspace_pk: i64) -> i64 {
        let user = self.insert(
            "INSERT INTO user (login, display_name, created_at) VALUES ('of-' || ?, 'Colleague', 1)",
            &[&workspace_pk],
        );
        self.insert(
            "INSERT INTO organization_member (organization_id, user_id, role, created_at)
             SELECT id, ?, 'org:member', 1 FROM organization WHERE slug = 'acme'",
            &[&user],
        );
        self.insert(
            "INSERT INTO workspace_member (workspace_pk, user_id, role, revision, added_at, updated_at)
             VALUES (?, ?, 'viewer', 1, 1, 1)",
            &[&workspace_pk, &user],
        );
        user
    }

    /// An invitation, for the rows that need one: to acme or, if it is accepted, to an organization without members.
    /// There can be 1,000 at a time.
    fn invitation(&self, row: &Row, secret: &str) -> Option<i64> {
        let acme = row.path.contains("{invitationId}");
        if !acme && !row.path.contains("{token}") {
            return None;
        }
        let org = if acme { "acme" } else { secret };
        if !acme {
            let sql = "INSERT INTO organization (id, slug, name, created_at) VALUES ('org_' || ?1, ?1, ?1, 1)";
            self.insert(sql, &[&secret]);
        }
        let sql = "INSERT INTO invitation (organization_id, token_hash, role, created_at, expires_at)
                   SELECT id, ?1, 'org:member', 1, 9000000000000 FROM organization WHERE slug = ?2";
        Some(self.insert(sql, &[&tokens::hash(secret), &org]))
    }

    /// A client that a user has authorized for acme, with another pending request; both have this ID.
    fn oauth_client(&self, id: &str, user: i64) {
        self.insert("INSERT INTO oauth_client (id, name, redirect_uris, created_at) VALUES (?, 'P', '[]', 1)", &[&id]);
        let sql = "INSERT INTO oauth_grant (client_id, user_id, organization_id, scope, created_at)
                   SELECT ?, ?, id, 'mcp:read', 1 FROM organization WHERE slug = 'acme'";
        self.insert(sql, &[&id, &user]);
        let sql = "INSERT INTO oauth_request (request_hash, client_id, redirect_uri, code_challenge, scope, user_id,
                                              expires_at)
                   VALUES (?, ?, 'http://localhost/', '', 'mcp:read', ?, 9000000000000)";
        self.insert(sql, &[&tokens::hash(id), &id, &user]);
    }

    /// A person of acme in a team of acme, a second person without a team, a role and a kind, named by this ID.
    fn directory_entries(&self, id: &str) {
        let acme = "SELECT id FROM organization WHERE slug = 'acme'";
        let other = format!("{id}-other");
        for person in [id, &other] {
            let sql =
                "INSERT INTO person (organization_id, id, seq, name, photo_url, revision, created_at, updated_at)";
            self.insert(&format!("{sql} VALUES (({acme}), ?, 1, 'Person', ?, 1, 1, 1)"), &[&person, &IMAGE_TABLES]);
        }
        let sql = "INSERT INTO team (organization_id, id, seq, name, revision, created_at, updated_at)";
        self.insert(&format!("{sql} VALUES (({acme}), ?, 1, 'Team', 1, 1, 1)"), &[&id]);
        let sql = "INSERT INTO team_member (organization_id, team_id, person_id, role, revision, added_at, updated_at)";
        self.insert(&format!("{sql} VALUES (({acme}), ?1, ?1, 'member', 1, 1, 1)"), &[&id]);
        let sql = "INSERT INTO role (organization_id, id, name, color, revision, created_at, updated_at)";
        self.insert(&format!("{sql} VALUES (({acme}), ?, 'Role', '#112233', 1, 1, 1)"), &[&id]);
        let sql = "INSERT INTO kind (organization_id, id, seq, name, base_type, color, icon, revision, created_at, updated_at)";
        self.insert(&format!("{sql} VALUES (({acme}), ?1, 1, ?1, 'job', '#112233', 'clock', 1, 1, 1)"), &[&id]);
    }

    /// A change set of a user that renamed the component `web`.
    fn change_set(&self, workspace_pk: i64, user: Option<i64>) {
        let image = |name: &str| {
            format!(
                "json_object('seq', c.seq, 'id', c.id, 'workspaceId', w.id, 'typeId', c.type_id, 'name', {name}, 'x', c.x,
                             'y', c.y, 'description', c.description, 'properties', json(c.properties), 'revision', 1,
                             'createdAt', 1, 'updatedAt', 1)"
            )
        };
        let sql = format!(
            "INSERT INTO change (organization_id, workspace_pk, revision, batch, actor, via, credential, entity, entity_id,
                                 op, before, after, ts)
             SELECT w.organization_id, w.pk, 1, 'gesture', ?2, 'rest', 'session:1', 'component', c.id, 'update', {}, {}, 1
             FROM component c JOIN workspace w ON w.pk = c.workspace_pk WHERE w.pk = ?1 AND c.id = 'web'",
            image("'Old'"),
            image("c.name"),
        );
        self.insert(&sql, &[&workspace_pk, &user]);
    }

    fn insert(&self, sql: &str, params: &[&dyn rusqlite::ToSql]) -> i64 {
        self.conn.execute(sql, params).unwrap();
        self.conn.last_insert_rowid()
    }

    pub fn finish(self) {
        self.conn.execute_batch("COMMIT").unwrap();
    }
}

/// The ID of the webhook of a target. Requests that leave others possible share one, because an organization has a limited
/// number.
pub fn webhook_id<'a>(row: &Row, target: &'a str) -> &'a str {
    let is_once = row.method == "DELETE" || row.path.ends_with("/test") || row.path.ends_with("/redeliver");
    if is_once { target } else { "webhook" }
}

/// Stores an image for every organization, so that no request is sent.
pub fn store_image(conn: &Connection) {
    let sql = "INSERT INTO image_content (hash, media_type, size, bytes) VALUES (x'01', 'image/gif', 3, x'474946')";
    conn.execute_batch(sql).unwrap();
    let sql = "INSERT INTO image (organization_id, address, hash, failures, tried_at, due_at)
               SELECT id, ?, x'01', 0, 1, 9000000000000 FROM organization";
    conn.execute(sql, [IMAGE_TABLES]).unwrap();
}

/// Stores an active session without a known credential. Returns its ID.
fn store_session(conn: &Connection, user: i64) -> i64 {
    let sql = "INSERT INTO session (user_id, family_hash, refresh_hash, created_at, last_used_at, expires_at)
               VALUES (?, randomblob(32), randomblob(32), 1, 1, ?)";
    conn.execute(sql, params![user, i64::MAX]).unwrap();
    conn.last_insert_rowid()
}

/// The time of a server whose clock was not changed.
fn now() -> i64 {
    planroom::clock::Clock::default().now()
}
