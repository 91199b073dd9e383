//! Kinds of notifications, what they refer to, and the settings of a user.

use serde::{Deserialize, Serialize};

use crate::domain::{
    core::Entity,
    input::{Input, objects, optional_at_most},
    values::words,
};
use crate::{
    clock::{DAY, MINUTE},
    describe::ToSchema,
};

/// Maximum number of entries in an inbox. The oldest read entries are deleted first.
pub(super) const MAX_ENTRIES: i64 = 500;
/// Maximum number of entries in an inbox that one user has caused, so that no user can displace the entries of others.
pub(super) const MAX_ENTRIES_PER_ACTOR: i64 = 100;
/// Maximum number of names in a group of changes.
pub(in crate::domain) const MAX_ITEMS: usize = 20;
/// How long an unread entry collects further changes or replies, in milliseconds.
pub(super) const GROUPED_FOR: i64 = DAY;
/// Delay of an immediate email in milliseconds, so that an edit or a deletion right after the event is respected.
pub(super) const MAIL_DELAY: i64 = MINUTE;

words! {
    /// What a notification is about.
    NotificationKind {
        /// A comment mentions the user.
        Mention = "mention",
        /// A message in a thread that the user follows.
        Reply = "reply",
        /// Changes of something that the user watches, or a new thread about it.
        Watched = "watched",
        /// A draft waits for the user's review, or a draft that the user wrote was reviewed.
        ReviewRequest = "review-request",
        /// A draft that the user wrote was merged or closed, or one that the user was asked to review was merged.
        DraftMerged = "draft-merged",
        /// The user was given access to a workspace, or a higher access level in it.
        Invitation = "invitation",
        /// Sources of a workspace that the user owns were not synchronized for a while.
        StaleSource = "stale-source",
    }
}
words! {
    /// When a user receives emails about notifications of a kind.
    EmailChoice {
        /// After about a minute.
        Immediate = "immediate",
        /// Once a day.
        Digest = "digest",
        /// Never.
        Off = "off",
    }
}

/// Number of kinds.
const KINDS: usize = 7;
// The attributes of utoipa accept only literals.
const _: () = assert!(NotificationKind::ALL.len() == KINDS && KINDS == 7);

/// What a notification refers to. Only references are stored: what they say is read when the notification is shown.
#[derive(Debug, Clone, Copy)]
pub(in crate::domain) enum Subject<'a> {
    /// A message of a thread of comments.
    Message { thread_id: &'a str, message_id: i64 },
    /// Changes in the log of the workspace.
    Changes(&'a ChangedRows),
    /// A draft of the workspace that is submitted, merged or closed.
    Draft(&'a str),
    /// A review of a draft of the workspace.
    Review { draft_id: &'a str, review_id: i64 },
    /// The workspace.
    Workspace,
    /// The sources of the workspace whose last sync was at this time.
    Sources { synced_at: i64 },
}

/// Changes by one user in a workspace.
#[derive(Debug, Clone, Default)]
pub(in crate::domain) struct ChangedRows {
    /// Position of the first change in the log.
    pub first: i64,
    /// Position of the last change in the log.
    pub last: i64,
    /// Number of change sets.
    pub change_sets: i64,
    /// Some of the changed rows.
    pub items: Vec<ChangedRow>,
}

/// A changed row that has a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(in crate::domain) struct ChangedRow {
    pub kind: Entity,
    pub id: String,
}

/// What happened, as it is passed to [`super::notify`].
#[derive(Debug, Clone, Copy)]
pub(in crate::domain) struct Notice<'a> {
    pub kind: NotificationKind,
    pub workspace_pk: i64,
    pub subject: Subject<'a>,
    /// The user who caused it, who is never notified of it; none for the system.
    pub actor: Option<i64>,
}

/// How a user is notified of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct KindSetting {
    /// The kind.
    pub kind: NotificationKind,
    /// Whether entries of this kind are in the inbox.
    pub inbox: bool,
    /// When emails about entries of this kind are sent.
    pub email: EmailChoice,
}

/// The notification settings of a user.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationSettings {
    /// A setting for each kind.
    pub kinds: Vec<KindSetting>,
    /// Hour of the daily email, in UTC, 0 to 23.
    #[schema(minimum = 0, maximum = 23)]
    pub digest_hour: i64,
    /// Whether emails are sent at all: this instance has a mail server, and the address of the account is confirmed.
    pub emails: bool,
}

/// A change of the notification settings. Absent fields stay unchanged.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NotificationSettingsPatch {
    /// The settings of these kinds. Others stay unchanged.
    #[serde(default, deserialize_with = "optional_at_most::<KINDS, _, _>")]
    #[schema(nullable = false, max_items = 7)]
    pub kinds: Option<Vec<KindSetting>>,
    /// Hour of the daily email, in UTC, 0 to 23.
    #[schema(nullable = false, minimum = 0, maximum = 23)]
    pub digest_hour: Option<i64>,
}

objects!(NotificationSettingsPatch);
crate::domain::input::serialized_objects!(KindSetting);
objects!(KindSetting);
impl Input for NotificationSettingsPatch {
    const READ_ONLY: &'static [&'static str] = &["emails"];
}
