//! The transaction of a request: the state shared by all handles.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::HashMap,
    sync::Arc,
};

use rusqlite::Connection;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;

use super::{
    call::{Call, Precondition, Retry, Via},
    caller::{Caller, StaleCredential},
    change::{Audience, Change, LoggedChange, Observer},
    quotas::{self, Usage},
    record::Record,
    scope::Scope,
    search_later::MAX_INDEXED_AT_ONCE,
    searched::Dirty,
    shared::Shared,
    store,
    summary::Summary,
};
use crate::{
    cancel::Cancel,
    clock::{DAY, HOUR},
    db::{AfterCommit, Incarnation},
    error::{Error, Result},
};

/// Time for which a repeated creation gets the first response, in milliseconds.
pub(in crate::domain) const RETRY_WINDOW: i64 = DAY;
/// Purpose of the seal of stored responses.
const RETRY: &str = "idempotency";

/// The transaction of a request.
pub(in crate::domain) struct Core<'c> {
    pub(in crate::domain) conn: &'c Connection,
    /// Time of the request in Unix milliseconds, used for all its writes.
    pub(in crate::domain) now: i64,
    pub(in crate::domain) call: &'c Call,
    pub(in crate::domain) shared: &'c Shared,
    /// Whether the request was canceled.
    pub(in crate::domain) cancel: &'c Cancel,
    caller: OnceCell<Caller>,
    revisions: RefCell<HashMap<Scope, i64>>,
    /// Keys of the workspaces with a new revision, apart from those that were created.
    changed_workspaces: RefCell<Vec<i64>>,
    pub(super) summary: RefCell<Summary>,
    /// Growth to compare with the quotas at the end.
    pub(super) usage: RefCell<Usage>,
    /// Search documents to index at the end.
    pub(super) dirty_documents: RefCell<Dirty>,
    /// The change set or label that this transaction undoes.
    pub(super) undo_of: RefCell<Option<String>>,
    /// Changes to send to followers after the commit.
    pub(super) logged_changes: RefCell<Vec<(Scope, LoggedChange)>>,
    /// For each scope, the id of the last change that was logged while the scope had no followers.
    pub(super) unfollowed_changes: RefCell<Vec<(Scope, i64)>>,
    /// Whether the reason of the change set is stored.
    pub(super) has_stored_reason: Cell<bool>,
    after: RefCell<Vec<AfterCommit>>,
}

impl<'c> Core<'c> {
    pub(super) fn new(conn: &'c Connection, now: i64, call: &'c Call, shared: &'c Shared, cancel: &'c Cancel) -> Self {
        Self {
            conn,
            now,
            call,
            shared,
            cancel,
            caller: OnceCell::new(),
            revisions: RefCell::default(),
            changed_workspaces: RefCell::default(),
            summary: RefCell::default(),
            usage: RefCell::default(),
            dirty_documents: RefCell::default(),
            undo_of: RefCell::default(),
            logged_changes: RefCell::default(),
            unfollowed_changes: RefCell::default(),
            has_stored_reason: Cell::default(),
            after: RefCell::default(),
        }
    }

    /// Fails if the client has disconnected or the deadline has passed. Call it in loops over rows: nothing else stops
    /// a job on the writer thread.
    pub(in crate::domain) fn check_alive(&self) -> Result<()> {
        self.cancel.check()
    }

    /// The caller, looked up once per transaction.
    pub(in crate::domain) fn caller(&self) -> Result<&Caller> {
        if let Some(caller) = self.caller.get() {
            return Ok(caller);
        }
        let credential = self.call.credential.as_ref().ok_or(Error::Unauthenticated("sign in, or send a token"))?;
        let caller = Caller::resolve(self.conn, credential, self.call.via, self.now)?;
        Ok(self.caller.get_or_init(|| caller))
    }

    /// Identifier of the database's incarnation, which changes with each restore.
    pub(in crate::domain) fn incarnation(&self) -> &Incarnation {
        &self.shared.incarnation
    }

    /// Whether an entity tag is that of a single row at `revision`: `12`, or `0f3a9c21-12` for clients that include the
    /// incarnation in which they read the row.
    pub(super) fn is_row_tag(&self, tag: &str, revision: i64) -> bool {
        let (incarnation, number) = tag.split_once('-').map_or((None, tag), |(before, after)| (Some(before), after));
        number == revision.to_string() && incarnation.is_none_or(|given| self.incarnation().is_named_by(given))
    }

    /// Rejects the request if its `If-Match` does not match `row`, which clients see as `shown`.
    pub(super) fn expect<R: Record>(&self, row: &R, shown: &impl Serialize) -> Result<()> {
        let mut row = row.clone();
        let (revision, by) = (row.metadata().revision, row.metadata().updated_by);
        self.expect_tag(|tag| self.is_row_tag(tag, revision), revision, by, shown)
    }

    /// Rejects the request if no tag in its `If-Match` satisfies `matches`, or if it requires another revision than
    /// `revision`.
    pub(super) fn expect_tag(
        &self,
        matches: impl Fn(&str) -> bool,
        revision: i64,
        changed_by: Option<i64>,
        current: &impl Serialize,
    ) -> Result<()> {
        match &self.call.precondition {
            Precondition::None | Precondition::Exists => Ok(()),
            Precondition::OneOf(tags) if tags.iter().any(|tag| matches(tag)) => Ok(()),
            Precondition::Revision(expected) if *expected == revision => Ok(()),
            Precondition::OneOf(_) | Precondition::Revision(_) => Err(Error::Stale {
                current: Box::new(serde_json::to_value(current)?),
                changed_by: changed_by.map(|id| store::callers::author(self.conn, id)).transpose()?.flatten(),
            }),
        }
    }

    /// User id of the caller, if there is one.
    pub(in crate::domain) fn actor(&self) -> Option<i64> {
        self.caller.get().map(|caller| caller.user_id)
    }

    /// The revision that this transaction writes in `scope`: the previous revision plus one, determined at the first
    /// write.
    pub(super) fn revision(&self, scope: &Scope) -> Result<i64> {
        if let Some(revision) = self.revisions.borrow().get(scope) {
            return Ok(*revision);
        }
        let revision = match scope {
            Scope::Workspace { pk, .. } => {
                let observers = self.shared.observers.iter();
                self.after.borrow_mut().extend(observers.filter_map(|observer| observer.on_write(*pk)));
                self.changed_workspaces.borrow_mut().push(*pk);
                store::scopes::step_workspace(self.conn, *pk, self.now, self.actor())?
            }
            Scope::Directory { organization_id } => store::scopes::step_directory(self.conn, organization_id)?,
        };
        self.revisions.borrow_mut().insert(scope.clone(), revision);
        Ok(revision)
    }

    /// Registers that `scope` was created in this transaction, with its first revision.
    pub(super) fn set_first_revision(&self, scope: Scope, revision: i64) {
        self.revisions.borrow_mut().insert(scope, revision);
    }

    /// Marks all further writes as the undo of a change set, or of all change sets with a label.
    pub(in crate::domain) fn undoing(&self, id: &str) {
        self.undo_of.replace(Some(id.to_owned()));
    }

    /// Runs `work` after this transaction is on disk.
    pub(in crate::domain) fn after_commit(&self, work: impl FnOnce() + Send + 'static) {
        self.after.borrow_mut().push(Box::new(work));
    }

    /// Sends followers of a workspace an event that is not in the change log, after this transaction is committed.
    pub(in crate::domain) fn notify_after_commit(
        &self,
        workspace_pk: i64,
        audience: Audience,
        event: &'static str,
        json: String,
    ) {
        let observers = self.shared.observers.clone();
        self.after_commit(move || {
            for observer in &observers {
                observer.on_event(workspace_pk, audience, event, &json);
            }
        });
    }

    /// Sends an event to users whose inboxes this transaction has changed, after it is committed.
    pub(in crate::domain) fn tell_inboxes(&self, user_ids: Vec<i64>) {
        if user_ids.is_empty() {
            return;
        }
        let observers = self.shared.observers.clone();
        self.after_commit(move || observers.iter().for_each(|observer| observer.on_inbox(&user_ids)));
    }

    /// Records an audit event other than a write in a workspace: a sign-in, a token, a permission. `details` must not
    /// contain secrets.
    pub(in crate::domain) fn audit(&self, kind: &str, actor: Option<i64>, details: &serde_json::Value) -> Result<()> {
        let organization = self.caller.get().and_then(|caller| caller.organization.as_ref()).map(|o| o.id.as_str());
        store::audit::insert(self.conn, self.origin(), kind, actor, organization, details)
    }

    /// Records an audit event that unauthenticated clients can cause. Events with the same `key` are combined into one
    /// per hour, with a `count`.
    pub(in crate::domain) fn audit_repeated(
        &self,
        kind: &str,
        key: &str,
        organization_id: Option<&str>,
        details: &serde_json::Value,
    ) -> Result<()> {
        let key = format!("{kind} {key} {}", self.now / HOUR);
        store::audit::repeat(self.conn, self.origin(), kind, &key, None, organization_id, details)
    }

    /// Records that the caller has changed a source in a draft: once per user and draft, with a `count`. Sources are not in the
    /// change log, and [`store::audit::has_changed_source`] tells who has changed one.
    pub(super) fn audit_source_change(&self, draft: &super::workspace::Workspace) -> Result<()> {
        let Some(actor) = self.actor() else { return Ok(()) };
        let details = json!({ "workspacePk": draft.pk, "draft": draft.id });
        let (key, organization) = (store::audit::source_key(draft.pk, actor), draft.org_id.as_deref());
        store::audit::repeat(
            self.conn,
            self.origin(),
            store::audit::DRAFT_SOURCE,
            &key,
            Some(actor),
            organization,
            &details,
        )
    }

    /// Where audit events of this transaction come from. Jobs and commands have no request that is in the log.
    pub(in crate::domain) fn origin(&self) -> store::audit::Origin<'_> {
        let is_logged = matches!(self.call.via, Via::Rest | Via::Mcp) && !self.call.request_id.is_empty();
        let request_id = is_logged.then_some(self.call.request_id.as_str());
        store::audit::Origin { ts: self.now, address: self.call.client, request_id }
    }

    /// Runs `work` once per idempotency key of the caller, and returns the first response to repeated requests.
    pub(super) fn once<T, F>(&self, work: F) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        F: FnOnce() -> Result<T>,
    {
        let Some(retry) = &self.call.retry else { return work() };
        if let Some(answer) = self.stored_answer(retry)? {
            return Ok(serde_json::from_slice(&answer)?);
        }
        let answer = work()?;
        self.store_answer(retry, &serde_json::to_vec(&answer)?)?;
        Ok(answer)
    }

    /// Stores the serialized response to a request.
    fn store_answer(&self, retry: &Retry, answer: &[u8]) -> Result<()> {
        let (user_id, key) = self.retry_key(retry)?;
        let sealed = self.shared.keys.seal(RETRY, answer)?;
        store::idempotency::insert(self.conn, user_id, &key, &retry.fingerprint, &sealed, self.now)
    }

    /// Scopes a key to one user in one organization, so that other callers never get the stored response.
    fn retry_key(&self, retry: &Retry) -> Result<(i64, String)> {
        let caller = self.caller()?;
        let organization = caller.organization.as_ref().map_or("-", |organization| &organization.id);
        Ok((caller.user_id, format!("{organization} {}", retry.key)))
    }

    /// Returns the stored response to the same request.
    pub(super) fn first_answer<T: DeserializeOwned>(&self) -> Result<Option<T>> {
        let Some(retry) = &self.call.retry else { return Ok(None) };
        Ok(self.stored_answer(retry)?.map(|answer| serde_json::from_slice(&answer)).transpose()?)
    }

    /// The serialized response that is stored for the same request.
    fn stored_answer(&self, retry: &Retry) -> Result<Option<Vec<u8>>> {
        let (user_id, key) = self.retry_key(retry)?;
        match store::idempotency::find(self.conn, user_id, &key, self.now - RETRY_WINDOW)? {
            Some((fingerprint, sealed)) if fingerprint == retry.fingerprint => {
                Ok(Some(self.shared.keys.open(RETRY, &sealed)?))
            }
            Some(_) => Err(Error::Conflict(
                "this Idempotency-Key was used for another request within 24 hours; use a new key".into(),
            )),
            None => Ok(None),
        }
    }

    /// Ends a write: ends access requests and share links whose users have lost or gained access, records the changes in the audit log, checks quotas, updates the search
    /// index, and returns the work to do after the commit.
    pub(super) fn finish(&self) -> Result<Vec<AfterCommit>> {
        let summary = self.summary.take();
        summary.workspaces_with_other_access().try_for_each(|pk| self.settle_access_in(pk))?;
        for (scope, kind, details) in summary.events() {
            let workspace = scope.workspace_pk().map(|pk| json!({ "workspacePk": pk }));
            let mut details = details;
            if let (Some(details), Some(serde_json::Value::Object(workspace))) = (details.as_object_mut(), workspace) {
                details.extend(workspace);
            }
            let organization = Some(scope.organization_id());
            store::audit::insert(self.conn, self.origin(), &kind, self.actor(), organization, &details)?;
        }
        quotas::check(self.conn, self.shared, self.call.via, self.usage.take())?;
        self.index_documents()?;
        self.tell_followers()?;
        self.tell_drafts()?;
        Ok(self.after.take())
    }

    /// Updates the search documents that this transaction has changed. Documents of a large write are updated after the commit.
    fn index_documents(&self) -> Result<()> {
        let documents = store::documents::of_dirty(self.conn, self.dirty_documents.take())?;
        let postponed = &self.shared.postponed_documents;
        if documents.len() <= MAX_INDEXED_AT_ONCE || !postponed.has_room() {
            return store::documents::index(self.conn, documents, || self.check_alive());
        }
        self.after.borrow_mut().push(postponed.postpone(self.conn, documents)?);
        Ok(())
    }

    /// Tells followers of a base that the map of a draft has changed, and followers of drafts that their base has changed:
    /// both change the comparison.
    fn tell_drafts(&self) -> Result<()> {
        for pk in self.changed_workspaces.take() {
            for (related_pk, draft_id) in store::scopes::related_drafts(self.conn, pk)? {
                let event = json!({ "op": "map", "draftId": draft_id }).to_string();
                self.notify_after_commit(related_pk, Audience::Everyone, "drafts", event);
            }
        }
        Ok(())
    }

    fn tell_followers(&self) -> Result<()> {
        let (logged_changes, mut unfollowed) = (self.logged_changes.take(), self.unfollowed_changes.take());
        if logged_changes.is_empty() && unfollowed.is_empty() {
            return Ok(());
        }
        let author = self.actor().filter(|_| !logged_changes.is_empty());
        let actor = author.map(|id| store::callers::author(self.conn, id)).transpose()?.flatten();
        let mut by_scope: Vec<(Scope, Vec<Change>)> = Vec::new();
        for (scope, mut logged) in logged_changes {
            logged.change.actor.clone_from(&actor);
            let change = logged.read()?;
            match by_scope.iter_mut().find(|(known, _)| *known == scope) {
                Some((_, changes)) => changes.push(change),
                None => by_scope.push((scope, vec![change])),
            }
        }
        for (scope, last) in &mut unfollowed {
            let followed = by_scope.iter().filter(|(known, _)| known == scope).flat_map(|(_, changes)| changes);
            *last = followed.map(|change| change.id).fold(*last, i64::max);
        }
        let observers: Vec<Arc<dyn Observer>> = self.shared.observers.clone();
        self.after_commit(move || {
            for observer in &observers {
                for (scope, last) in &unfollowed {
                    observer.on_unfollowed_commit(scope, *last);
                }
                for (scope, changes) in &by_scope {
                    observer.on_commit(scope, changes);
                }
            }
        });
        Ok(())
    }

    /// The token whose use should be recorded after the request.
    pub(super) fn stale(&self) -> Option<StaleCredential> {
        self.caller.get().and_then(|caller| caller.stale)
    }
}
