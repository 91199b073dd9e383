//! The gate: the only access to data. The transaction is the permission.
//!
//! [`Gate::read`] and [`Gate::write`] open the transaction, look up the caller and their permissions inside it, and pass
//! a handle. The type of the [`Call`] names the permission, one of those in [`access`], which determines the handle, for
//! example [`EditTx`] for [`access::Editor`]. The permission of a route follows from the call that its handler takes.
//!
//! A caller without
//! access gets *not found*, a caller with insufficient access *forbidden*. There is no second id to compare, no check
//! that a handler can forget, and no gap between check and write.

pub mod access;
mod access_requests;
mod bounds;
mod cached;
mod call;
mod caller;
mod change;
pub(in crate::domain) mod change_log;
mod gate;
mod handles;
mod log;
mod outside;
mod quotas;
mod read_cache;
mod record;
mod requester;
mod rows;
mod running;
mod scope;
pub(in crate::domain) mod search;
mod search_later;
pub(in crate::domain) mod searched;
mod share_links;
mod shared;
mod standing;
mod state;
mod store;
mod summary;
mod token_users;
mod transaction;
mod webhook_events;
mod weighing;
mod whole_maps;
mod workspace;

#[cfg(test)]
pub(in crate::domain) use self::store::rows::page as page_of_rows;
pub(in crate::domain) use self::{
    access_requests::RequestEnd,
    change::LoggedChange,
    handles::{Directory, Reach, Reads, level_in},
    quotas::{MAX_IMAGES, image_bytes, image_count, one_more, storage},
    read_cache::ReadCache,
    record::{Entity, GAP, LoggedRow, Owner, Record, WorkspaceRow, WriteToken, metadata, metadata_at},
    state::{Core, RETRY_WINDOW},
    store::{
        access_requests::count as access_request_count,
        audit::{has_changed_source, insert as insert_audit_event},
        callers::{active_organization, active_organization_row, author, grant_scope, token_is_active},
        drafts::{is_update as is_draft_update, updated_revision as draft_updated_revision},
        idempotency::delete_answers,
        rows::{columns as row_columns, find as find_row, list as list_rows, list_by as list_rows_by},
        scopes::{
            COLUMNS as WORKSPACE_COLUMNS, FoundWorkspace, by_pk as workspace_by_pk, living as workspace_by_id,
            organization_name, set_protection, workspace as read_workspace, workspace_level,
        },
        usage::{StoredImages, images as stored_images},
    },
    webhook_events::{WebhookNotice, message_id as webhook_message_id},
    workspace::WorkspaceKey,
};
pub use self::{
    call::{Call, Precondition, Retry, Via},
    caller::{Caller, CallerKind},
    change::{Audience, Change, Observer},
    gate::{Answer, Gate},
    handles::{
        AccessRequestTx, AccessRequesterTx, AdminTx, CommentTx, DraftTx, EditTx, MembershipTx, OrgAdminTx,
        OrgConnectionTx, OrgTx, OrgViewTx, OwnTx, PersonalTx, ProposerTx, PublicTx, SelfTx, SessionTx, SharedTx,
        SystemTx, ViewTx,
    },
    outside::Prepared,
    record::RowMetadata,
    scope::Scope,
    searched::HitKind,
    shared::{ExternalSettings, SessionSettings},
    standing::{ActiveOrganization, GrantScope, READ, WRITE},
    store::weights::MAP_TABLES,
    webhook_events::WebhookEvent,
    whole_maps::WholeMap,
    workspace::{Protection, Workspace},
};
