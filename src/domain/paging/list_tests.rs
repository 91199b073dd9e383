//! For tests of the areas: lists are read by key, in a database with long lists.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use rusqlite::Connection;
use serde_json::json;

use super::{Key, Page, Paging, Window};
use crate::{db, error::Result};

/// Number of rows in each list.
const ROWS: usize = 2_000;

/// 2,000 rows in each list, and as many of another organization, workspace, component, or user.
const SEED: &str = "
    CREATE TEMP TABLE n AS
    WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000) SELECT i FROM c;
    CREATE TEMP TABLE two AS SELECT 1 AS k, 'org_1' AS org UNION ALL SELECT 2, 'org_2';
    INSERT INTO organization (id, slug, name, created_at) SELECT org, org, 'O', 1 FROM two;
    INSERT INTO user (id, login, display_name, created_at) SELECT i, 'user' || i, 'User', 1 FROM n;
    INSERT INTO waitlist (email, created_at) SELECT 'user' || i || '@example.org', 1 FROM n;
    INSERT INTO api_token (user_id, name, prefix, token_hash, created_at) SELECT k, 'T', 'p', randomblob(16), 1 FROM n, two;
    INSERT INTO organization_member (organization_id, user_id, role, created_at) SELECT org, i, 'org:member', i FROM n, two;
    INSERT INTO invitation (organization_id, token_hash, role, created_at, expires_at)
    SELECT org, randomblob(16), 'org:member', 1, 9 FROM n, two;
    INSERT INTO person (organization_id, id, seq, name, revision, created_at, updated_at)
    SELECT org, 'person' || i, i, 'P', 1, 1, 1 FROM n, two;
    INSERT INTO team_member (organization_id, team_id, person_id, role, revision, added_at, updated_at)
    SELECT org, 'team', 'person' || i, 'member', 1, i, 1 FROM n, two;
    INSERT INTO workspace (id, organization_id, name, visibility, owner_user_id, revision, created_at, updated_at)
    SELECT org || i, org, 'W', 'org', 1, 1, 1, 1 FROM n, two;
    INSERT INTO workspace_member (workspace_pk, user_id, role, revision, added_at, updated_at)
    SELECT k, i, 'viewer', 1, i, 1 FROM n, two;
    INSERT INTO stakeholder (workspace_pk, component_id, organization_id, person_id, link_type, revision, created_at,
                             updated_at) SELECT k, 'c', org, 'person' || i, 'owner', 1, 1, 1 FROM n, two;
    INSERT INTO external_link (workspace_pk, component_id, kind, url, revision, created_at, updated_at)
    SELECT k, 'c', 'url', 'https://example.org', 1, 1, 1 FROM n, two;
    INSERT INTO process (workspace_pk, id, seq, name, mermaid, revision, created_at, updated_at)
    SELECT k, 'process' || i, i, 'P', 'sequenceDiagram', 1, 1, 1 FROM n, two;
    INSERT INTO note (workspace_pk, id, seq, kind, text, x, y, layer, revision, created_at, updated_at)
    SELECT k, 'note' || i, i, 'note', 'N', 0, 0, 0, 1, 1, 1 FROM n, two;
    INSERT INTO view (workspace_pk, id, name, position, definition, layout, revision, created_at, updated_at)
    SELECT k, 'view' || i, 'V', i, '{}', 'shared', 1, 1, 1 FROM n, two;
    INSERT INTO decision (workspace_pk, id, number, title, status, date, authors, component_ids, supersedes, body,
                          revision, created_at, updated_at)
    SELECT k, 'decision' || i, i, 'D', 'accepted', '2026-11-25', '[]', '[]', '[]', '', 1, 1, 1 FROM n, two;
    INSERT INTO tour (workspace_pk, id, name, position, stops, revision, created_at, updated_at)
    SELECT k, 'tour' || i, 'T', i, '[]', 1, 1, 1 FROM n, two;
    INSERT INTO thread (workspace_pk, id, anchor_type, anchor_id, anchor_name, kind, last_message, revision, created_at, updated_at)
    SELECT k, 'thread' || i, 'component', 'c', 'C', 'comment', 1, 1, i, 1 FROM n, two;
    INSERT INTO thread_message (workspace_pk, thread_id, id, author_id, text, created_at, revision)
    SELECT k, 'thread' || i, 1, i, 'Text', 1, 1 FROM n, two;
    INSERT INTO webhook (id, organization_id, name, format, host, url, secret, events, is_filtered, is_enabled, after_change,
                         created_at, updated_at)
    SELECT 'hook' || k || i, org, 'W', 'standard', 'example.org', x'', x'', '[]', 0, 1, 0, i, 1 FROM n, two
    UNION ALL SELECT 'hook' || k, 'org_3', 'W', 'standard', 'example.org', x'', x'', '[]', 0, 1, 0, 1, 1 FROM two;
    INSERT INTO webhook_delivery (webhook_id, message_id, event, created_at, state, due_at)
    SELECT 'hook' || k, 'msg', 'ping', i, 'delivered', 1 FROM n, two;
    INSERT INTO version (workspace_pk, name, revision, snapshot, created_at) SELECT k, 'V', 1, x'', 1 FROM n, two;
    INSERT INTO notification (user_id, kind, workspace_pk, subject, subject_id, first_item, last_item, items, count,
                              is_listed, created_at, updated_at)
    SELECT k, 'watched', w.pk, 'changes', '', 0, 0, '[]', 1, 1, i, i FROM n, two JOIN workspace w ON w.id = org || i;
    INSERT INTO watch (user_id, kind, organization_id, workspace_pk, target_id, created_at)
    SELECT k, 'workspace', org, w.pk, '', 1 FROM n, two JOIN workspace w ON w.id = org || i;";

pub(in crate::domain) fn seeded() -> Connection {
    let conn = db::empty_in_memory();
    conn.execute_batch("PRAGMA foreign_keys = off").unwrap();
    conn.execute_batch(SEED).unwrap();
    conn
}

/// Asserts that reading a page in the middle of the list takes SQLite a small part of the work of reading the whole
/// list.
pub(in crate::domain) fn assert_read_by_key<K: Key, T>(
    name: &'static str,
    conn: &Connection,
    read: impl Fn(&Window<K>) -> Result<Page<T>>,
) {
    let steps = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&steps);
    let count = move || {
        counter.fetch_add(1, Ordering::Relaxed);
        false
    };
    conn.progress_handler(1, Some(count)).unwrap();
    let measured = |window: &Window<K>| {
        steps.store(0, Ordering::Relaxed);
        let page = read(window).unwrap();
        (page, steps.load(Ordering::Relaxed))
    };
    let (whole, of_whole) = measured(&Window::whole());
    assert_eq!(whole.items.len() % ROWS, 0, "{name}");
    let (mut cursor, mut of_page) = (None, 0);
    for _ in 0..whole.items.len() / 100 {
        let paging: Paging = serde_json::from_value(json!({ "limit": 50, "cursor": cursor })).unwrap();
        let page;
        (page, of_page) = measured(&paging.window(name).unwrap());
        assert_eq!(page.items.len(), 50, "{name}");
        cursor = page.next_cursor;
    }
    assert!(of_page * 20 < of_whole, "{name}: a page takes {of_page} steps, the whole list {of_whole}");
}
