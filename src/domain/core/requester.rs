//! Scheduling keys: requests are queued per user, regardless of the credential.
//!
//! The key is used only for scheduling. Permissions are checked inside every transaction.

use super::{
    call::{Call, Via},
    caller::Caller,
    gate::Gate,
};
use crate::{
    auth::{Credential, TokenHash},
    db::{ReadPool, Requester},
    error::Result,
    schedule::{self, QueueKey},
};

impl Gate {
    /// Returns the scheduling key of a request with `credential`. An invalid credential gets the key of the surrounding
    /// [`schedule::scope`], which is the client's address.
    pub async fn key(&self, credential: Option<&Credential>, via: Via) -> QueueKey {
        let user_id = match credential {
            None => None,
            Some(Credential::Session(claims)) => claims.user_id().ok(),
            Some(Credential::External(external)) => Some(external.user_id),
            Some(Credential::Operator { user_id, .. }) => Some(*user_id),
            Some(credential @ (Credential::Pat(hash) | Credential::Mcp(hash))) => match self.token_users.get(hash) {
                Some(user_id) => Some(user_id),
                None => self.look_up(credential.clone(), *hash, via).await.ok(),
            },
        };
        user_id.map_or_else(schedule::current, QueueKey::User)
    }

    /// Looks up the owner of a token, on the threads that identify callers.
    async fn look_up(&self, credential: Credential, hash: TokenHash, via: Via) -> Result<i64> {
        let now = self.now();
        let requester = Requester { key: schedule::current(), has_deadline: true, is_large: false };
        let resolve = move |conn: &rusqlite::Connection, _: &_| Caller::resolve(conn, &credential, via, now);
        let caller = self.db.read_for(requester, ReadPool::Identity, resolve).await?;
        self.token_users.insert(hash, caller.user_id);
        Ok(caller.user_id)
    }

    pub(super) async fn requester(&self, call: &Call) -> Requester {
        let is_request = matches!(call.via, Via::Rest | Via::Mcp);
        let key = match call.via {
            Via::Job => QueueKey::System,
            Via::Rest | Via::Mcp | Via::Cli => self.key(call.credential.as_ref(), call.via).await,
        };
        Requester { key, has_deadline: is_request, is_large: call.is_large }
    }
}
