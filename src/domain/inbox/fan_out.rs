//! Notifies those who follow a thread or watch something, in batches, from the queue of messages and the change log.

use std::collections::BTreeSet;

use serde_json::Value;

use super::store::watches::{self, WatchedChange, Watcher};
use crate::{
    domain::{
        comments::{model::AnchorType, threads},
        core::{Core, Entity, Reads, SystemTx, workspace_by_pk},
        notifications::{
            self, ChangedRow, ChangedRows, MAX_ITEMS, MAX_RECIPIENTS, Notice, NotificationKind, QueuedMessage, Subject,
        },
    },
    error::Result,
};

/// Maximum number of changes that are read at once.
const MAX_CHANGES: usize = 500;
/// Fields that say only where something is drawn, or that every write sets.
const IGNORED_FIELDS: [&str; 12] =
    ["x", "y", "width", "height", "layer", "line", "seq", "position", "revision", "updatedAt", "updatedBy", "places"];

/// Changes in a workspace by one user that were read together.
pub(super) struct ChangeGroup {
    workspace_pk: i64,
    actor: i64,
    changed: ChangedRows,
    change_sets: BTreeSet<String>,
    /// Components that were changed, or whose relationships, links or stakeholders were.
    components: BTreeSet<String>,
    /// Teams that have become stakeholders, or no longer are.
    teams: BTreeSet<String>,
}

/// Changes that were read from the log.
pub(super) struct Batch {
    pub groups: Vec<ChangeGroup>,
    /// The last position that was read.
    pub last: i64,
    pub is_full: bool,
}

/// What waits: whether there are messages, and changes; none if the log has no changes after the last ones.
pub(super) fn waiting(tx: &SystemTx<'_>) -> Result<(bool, Option<Batch>)> {
    let conn = tx.core().conn;
    let has_messages = notifications::next_message(conn)?.is_some();
    let cursor = notifications::cursor(conn)?;
    let (changes, last) = watches::changes(conn, cursor, MAX_CHANGES)?;
    if last == cursor {
        return Ok((has_messages, None));
    }
    let is_full = last - cursor >= i64::try_from(MAX_CHANGES).unwrap_or(i64::MAX);
    // A change set that was read in part before is counted already.
    let counted = watches::change_set_of(conn, cursor)?;
    let groups = if watches::is_any(conn)? { grouped(changes, counted.as_deref()) } else { Vec::new() };
    Ok((has_messages, Some(Batch { groups, last, is_full })))
}

fn grouped(changes: Vec<WatchedChange>, counted: Option<&str>) -> Vec<ChangeGroup> {
    let mut groups: Vec<ChangeGroup> = Vec::new();
    for change in changes {
        let Some(touched) = Touched::by(&change) else { continue };
        let (workspace_pk, actor) = (change.workspace_pk, change.actor);
        let known = groups.iter().position(|group| group.workspace_pk == workspace_pk && group.actor == actor);
        let at = known.unwrap_or_else(|| {
            let rows = ChangedRows { first: change.id, ..ChangedRows::default() };
            let (change_sets, components, teams) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
            groups.push(ChangeGroup { workspace_pk, actor, changed: rows, change_sets, components, teams });
            groups.len() - 1
        });
        let group = &mut groups[at];
        group.changed.last = change.id;
        if counted != Some(change.change_set.as_str()) {
            group.change_sets.insert(change.change_set);
        }
        for row in touched.rows {
            if !group.changed.items.contains(&row) {
                group.changed.items.push(row);
            }
        }
        group.components.extend(touched.components);
        group.teams.extend(touched.teams);
    }
    for group in &mut groups {
        group.changed.items.truncate(MAX_ITEMS);
        group.changed.change_sets = i64::try_from(group.change_sets.len()).unwrap_or(i64::MAX);
    }
    groups
}

/// What a change concerns.
#[derive(Debug, Default, PartialEq, Eq)]
struct Touched {
    rows: Vec<ChangedRow>,
    components: Vec<String>,
    teams: Vec<String>,
}

impl Touched {
    /// Returns `None` if watchers are not notified of the change: it concerns access, or only where something is drawn.
    fn by(change: &WatchedChange) -> Option<Self> {
        let parsed = |text: &Option<String>| text.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
        let (mut before, mut after) = (parsed(&change.before), parsed(&change.after));
        for image in [&mut before, &mut after].into_iter().flatten().filter_map(Value::as_object_mut) {
            image.retain(|field, _| !IGNORED_FIELDS.contains(&field.as_str()));
        }
        if before == after {
            return None;
        }
        // What it referred to before is concerned, too.
        let images: Vec<Value> = [after, before].into_iter().flatten().collect();
        let named = |kind: Entity, id: &str| ChangedRow { kind, id: id.to_owned() };
        let itself = || vec![named(change.entity, &change.entity_id)];
        let components = match change.entity {
            Entity::Component => vec![change.entity_id.clone()],
            Entity::Relationship => ids(&images, &["sourceId", "targetId"]),
            Entity::Stakeholder | Entity::Link => ids(&images, &["componentId"]),
            Entity::Decision => {
                return Some(Self { rows: itself(), components: ids(&images, &["componentIds"]), teams: Vec::new() });
            }
            Entity::Process | Entity::View | Entity::Tour => return Some(Self { rows: itself(), ..Self::default() }),
            Entity::Note | Entity::Workspace => return Some(Self::default()),
            // Rows of the directory belong to no workspace.
            Entity::ViewPlace
            | Entity::ViewLine
            | Entity::Member
            | Entity::Person
            | Entity::Team
            | Entity::TeamMember
            | Entity::Role
            | Entity::Kind => return None,
        };
        let teams = if change.entity == Entity::Stakeholder { ids(&images, &["teamId"]) } else { Vec::new() };
        let rows = components.iter().map(|id| named(Entity::Component, id)).collect();
        Some(Self { rows, components, teams })
    }
}

/// The different ids in these fields, which contain an id or a list of ids.
fn ids(images: &[Value], fields: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for value in images.iter().flat_map(|image| fields.iter().map(|field| &image[*field])) {
        let texts = value.as_str().into_iter().chain(value.as_array().into_iter().flatten().filter_map(Value::as_str));
        for id in texts {
            if !found.iter().any(|known| known == id) {
                found.push(id.to_owned());
            }
        }
    }
    found
}

/// Notifies the next watchers of changes, after the user `after`. Returns the last one; none if there are no more.
pub(super) fn notify_watchers(tx: &mut SystemTx<'_>, group: &ChangeGroup, after: i64) -> Result<Option<i64>> {
    let core = tx.core();
    let Some(workspace) = workspace_by_pk(core.conn, group.workspace_pk)?.map(|found| found.workspace) else {
        return Ok(None);
    };
    let components = serde_json::to_string(&group.components)?;
    let teams = serde_json::to_string(&group.teams)?;
    let page = page(group.actor, after);
    let watchers = watches::watchers(core.conn, group.workspace_pk, (&components, &teams), page)?;
    for Watcher { user_id, watches_workspace } in &watchers {
        core.check_alive()?;
        if core.level_of(&workspace, *user_id)?.is_none() {
            continue;
        }
        let mut changed = group.changed.clone();
        if !watches_workspace {
            let own = watches::watched_components(core.conn, group.workspace_pk, &components, *user_id)?;
            changed.items = own.into_iter().map(|id| ChangedRow { kind: Entity::Component, id }).collect();
        }
        let (workspace_pk, subject) = (group.workspace_pk, Subject::Changes(&changed));
        let notice = Notice { kind: NotificationKind::Watched, workspace_pk, subject, actor: Some(group.actor) };
        notifications::notify(core, &notice, &[*user_id])?;
    }
    Ok(last_of_full_page(watchers.iter().map(|watcher| watcher.user_id)))
}

/// Notifies the next followers of the thread of the message that waits the longest, or if the message is the first one,
/// those who watch what the thread is about, and the author of the draft. Returns whether more wait.
pub(super) fn notify_of_message(tx: &mut SystemTx<'_>) -> Result<bool> {
    let core = tx.core();
    let Some(message) = notifications::next_message(core.conn)? else { return Ok(false) };
    let Recipients { kind, users, last } = recipients(core, &message)?;
    let workspace = workspace_by_pk(core.conn, message.workspace_pk)?.map(|found| found.workspace);
    let subject = Subject::Message { thread_id: &message.thread_id, message_id: message.message_id };
    let notice = Notice { kind, workspace_pk: message.workspace_pk, subject, actor: Some(message.actor_id) };
    for user_id in &users {
        core.check_alive()?;
        if let Some(workspace) = &workspace
            && core.level_of(workspace, *user_id)?.is_some()
        {
            notifications::notify(core, &notice, &[*user_id])?;
        }
    }
    match last {
        Some(last) => notifications::advance_message(core.conn, message.id, last)?,
        None => notifications::finish_message(core.conn, message.id)?,
    }
    Ok(true)
}

/// The next users to notify of a message.
struct Recipients {
    kind: NotificationKind,
    users: Vec<i64>,
    /// The last user who was read; none if there are no more.
    last: Option<i64>,
}

fn recipients(core: &Core<'_>, message: &QueuedMessage) -> Result<Recipients> {
    let QueuedMessage { workspace_pk, thread_id, message_id, actor_id, after_user, .. } = message;
    let page = page(*actor_id, *after_user);
    if *message_id > 1 {
        let followers = watches::followers(core.conn, (*workspace_pk, thread_id, *message_id), page)?;
        let last = last_of_full_page(followers.iter().copied());
        return Ok(Recipients { kind: NotificationKind::Reply, users: followers, last });
    }
    let components: Vec<String> = match threads::anchor(core, *workspace_pk, thread_id)? {
        Some((anchor, _)) if anchor.anchor_type == AnchorType::Component => anchor.id.into_iter().collect(),
        _ => Vec::new(),
    };
    let watchers = watches::watchers(core.conn, *workspace_pk, (&serde_json::to_string(&components)?, "[]"), page)?;
    let mentioned = watches::mentioned(core.conn, (*workspace_pk, thread_id, *message_id))?;
    let users = watchers.iter().map(|watcher| watcher.user_id);
    let last = last_of_full_page(users.clone());
    // The author of a draft answers questions about it.
    let draft_author = notifications::draft_author(core.conn, *workspace_pk)?.filter(|_| *after_user == 0);
    let users = users.chain(draft_author).filter(|user_id| !mentioned.contains(user_id)).collect();
    Ok(Recipients { kind: NotificationKind::Watched, users, last })
}

fn page(actor: i64, after: i64) -> (i64, i64, i64) {
    (actor, after, i64::try_from(MAX_RECIPIENTS).unwrap_or(i64::MAX))
}

/// The last user of a page that is followed by another one.
fn last_of_full_page(users: impl ExactSizeIterator<Item = i64>) -> Option<i64> {
    let is_full = users.len() >= MAX_RECIPIENTS;
    users.last().filter(|_| is_full)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn change(id: i64, set: &str, entity: Entity, entity_id: &str, before: Value, after: Value) -> WatchedChange {
        let text = |value: Value| (!value.is_null()).then(|| value.to_string());
        WatchedChange {
            id,
            workspace_pk: 1,
            change_set: set.into(),
            actor: 7,
            entity,
            entity_id: entity_id.into(),
            before: text(before),
            after: text(after),
        }
    }

    #[test]
    fn only_changes_of_the_model_are_news() {
        let row = |name: &str, x: i64, revision: i64| json!({ "name": name, "x": x, "revision": revision });
        let relationship = |target: &str| json!({ "sourceId": "a", "targetId": target });
        let decision = |status: &str, components: &[&str]| json!({ "status": status, "componentIds": components });
        for (entity, before, after, expected) in [
            (Entity::Component, Value::Null, row("A", 0, 1), Some(vec!["c"])),
            (Entity::Component, row("A", 0, 1), row("B", 0, 2), Some(vec!["c"])),
            (Entity::Component, row("A", 0, 1), Value::Null, Some(vec!["c"])),
            (Entity::Component, row("A", 0, 1), row("A", 9, 2), None),
            (Entity::Relationship, Value::Null, relationship("b"), Some(vec!["a", "b"])),
            (Entity::Relationship, relationship("b"), relationship("c"), Some(vec!["a", "c", "b"])),
            (Entity::Relationship, relationship("b"), Value::Null, Some(vec!["a", "b"])),
            (Entity::Stakeholder, Value::Null, json!({ "componentId": "a" }), Some(vec!["a"])),
            (Entity::Link, json!({ "componentId": "a" }), Value::Null, Some(vec!["a"])),
            (Entity::Decision, Value::Null, decision("proposed", &[]), Some(vec![])),
            (Entity::Decision, decision("proposed", &["a"]), decision("accepted", &["a"]), Some(vec!["a"])),
            (
                Entity::Decision,
                decision("accepted", &["a", "b"]),
                decision("accepted", &["c"]),
                Some(vec!["c", "a", "b"]),
            ),
            (Entity::Process, Value::Null, row("P", 0, 1), Some(vec![])),
            (Entity::Note, Value::Null, row("N", 0, 1), Some(vec![])),
            (Entity::Workspace, row("W", 0, 1), row("V", 0, 2), Some(vec![])),
            (Entity::Member, Value::Null, json!({ "userId": 1 }), None),
            (Entity::ViewPlace, Value::Null, json!({ "x": 1 }), None),
        ] {
            let touched = Touched::by(&change(1, "s", entity, "c", before, after));
            let components = touched.as_ref().map(|touched| touched.components.iter().map(String::as_str).collect());
            assert_eq!(components, expected, "{entity:?}");
        }
    }

    #[test]
    fn a_change_set_that_continues_in_the_next_batch_is_counted_once() {
        let row = || json!({ "name": "A" });
        let changes = vec![
            change(5, "one", Entity::Component, "a", Value::Null, row()),
            change(6, "two", Entity::Component, "b", Value::Null, row()),
            change(7, "two", Entity::Component, "a", row(), Value::Null),
        ];
        let groups = grouped(changes, Some("one"));
        assert_eq!(groups.len(), 1);
        let ChangedRows { first, last, change_sets, items } = &groups[0].changed;
        assert_eq!((*first, *last, *change_sets), (5, 7, 1));
        assert_eq!(items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    }
}
