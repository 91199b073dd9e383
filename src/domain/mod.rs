//! Domain layer: types, rules and use cases.
//!
//! Areas by layer, from the top. An area imports only from lower layers; the tests in `tests/integration/architecture`
//! enforce this.
//!
//! | area | contents |
//! |---|---|
//! | [`kinds`] | where each kind of row takes part: operations, history, undo, export, quotas |
//! | [`instance`] | status, maintenance, audit log and overview of the instance |
//! | [`live`] | event streams: sends committed changes and presence to the followers of a workspace |
//! | [`transfer`] | the file format of a workspace, its export and import, and the sample |
//! | [`sync`] | keeps a map in step with files in other places, and reports where they differ |
//! | [`drafts`] | proposed changes of a workspace: comparison, review and merge; protection of workspaces |
//! | [`history`] | undo, past states, differences and named versions, read from the change log |
//! | `state` | all rows of a map by kind, and the writes that lead from one state to another |
//! | [`operations`] | several writes as one change set, all or none |
//! | [`wiki`], [`images`] | links to wiki pages, and copies of remote images |
//! | [`webhooks`] | webhooks of organizations: what is sent, the queue, and the log of deliveries |
//! | [`accounts`] | sign-in, sessions, passwords, two-factor authentication, tokens, connected apps, identity providers |
//! | [`inbox`] | inboxes of users, what they watch, and emails about it |
//! | [`comments`] | threads of comments about components, relationships, processes, views and workspaces |
//! | [`sharing`] | share links: public, read-only addresses of maps |
//! | [`organizations`] | organizations, their members and invitations |
//! | [`map`] | workspaces, their members, and everything on the map |
//! | [`directory`] | people, teams, roles and kinds of an organization |
//! | [`notifications`] | entries of inboxes as references, and notification settings |
//! | [`users`] | user accounts, as other areas refer to them |
//! | [`mail`] | the queue of emails, and the job that sends them |
//! | [`settings`] | settings of the instance that administrators change at run time |
//! | [`core`] | the gate: permission checks, transactions and the change log |
//! | [`catalogue`] | component types, relationship types and lifecycle states |
//! | [`input`], [`paging`], [`values`], `slug` | parsing of request bodies, pages of lists, and validated values |
//!
//! Every area has the same structure: `model` contains its row types and request types, `store` its SQL, which is
//! private to the area, and the other files the rules of one resource each. Every function takes a handle from
//! [`core`], so its signature states the required permission.

pub mod accounts;
pub mod catalogue;
pub mod comments;
pub mod core;
pub mod directory;
pub mod drafts;
pub mod history;
pub mod images;
pub mod inbox;
pub mod input;
pub mod instance;
pub mod kinds;
pub mod live;
pub mod mail;
pub mod map;
pub mod notifications;
pub mod operations;
pub mod organizations;
pub mod paging;
pub mod settings;
pub mod sharing;
mod slug;
mod state;
pub mod sync;
pub mod transfer;
pub mod users;
pub mod values;
pub mod webhooks;
pub mod wiki;
