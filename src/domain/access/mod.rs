//! The gate: the only access to data. The transaction is the permission.
//!
//! A method of [`Gate`] opens the transaction, looks up the caller and their permissions inside it, and passes a handle
//! whose type states the permission: [`ViewTx`], [`EditTx`], [`OwnTx`] for a workspace, [`OrgViewTx`], [`OrgTx`],
//! [`OrgAdminTx`] and [`OrgKeeperTx`] for an organization, [`SelfTx`] and [`SessionTx`] for the caller's own account,
//! [`AdminTx`] for the instance, [`PublicTx`] and [`SystemTx`] for requests without a caller. A caller without access
//! gets *not found*, a caller with insufficient access *forbidden*. There is no second id to compare, no check that a
//! handler can forget, and no gap between check and write.

mod call;
mod caller;
mod change;
mod core;
mod gate;
mod handles;
mod log;
mod outside;
mod permit;
mod quotas;
mod record;
mod requester;
mod scope;
mod shared;
mod standing;
mod store;
mod summary;
mod token_users;
mod transaction;
mod workspace;

pub use self::{
    call::{Call, Precondition, Retry, Via},
    caller::{Caller, CallerKind},
    change::{Change, Observer},
    gate::{Answer, Gate},
    handles::{
        AdminTx, EditTx, OrgAdminTx, OrgKeeperTx, OrgTx, OrgViewTx, OwnTx, PublicTx, SelfTx, SessionTx, SystemTx,
        ViewTx,
    },
    outside::Ahead,
    permit::Permission,
    record::Written,
    scope::Scope,
    shared::{External, SessionSettings},
    standing::{ActiveOrganization, GrantScope, READ, WRITE},
    workspace::Workspace,
};
pub(in crate::domain) use self::{
    change::LoggedChange,
    core::{Core, RETRY_WINDOW},
    handles::{Directory, Reach, Reads, level_in},
    quotas::{one_more, storage},
    record::{Entity, Image, Record, WriteToken, stamps},
    store::{
        audit::insert as insert_audit_event,
        callers::{active_organization, active_organization_row, author, grant_scope},
        idempotency::forget as forget_answers,
        scopes::{
            COLUMNS as WORKSPACE_COLUMNS, Found as FoundWorkspace, by_pk as workspace_by_pk, living as workspace_by_id,
            organization_name, workspace as read_workspace, workspace_level,
        },
    },
    workspace::WorkspaceKey,
};
