//! Presence: which clients view a workspace, where, and with which selection. Stored only in memory, for 30 seconds.

use std::time::Instant;

pub(in crate::domain) use super::present::RateLimit;
pub use super::present::{CanvasPosition, NewPresence, Presence, PresenceList, SelectedItem};
use super::{
    frame::Frame,
    hub::{Channel, Live},
    present::{
        Announcement, DepartedClient, INACTIVITY_TIMEOUT, MAX_CLIENTS_PER_USER, MAX_CLIENTS_PER_WORKSPACE,
        MAX_PRESENCE_BYTES,
    },
};
use crate::{
    domain::core::{Call, Gate, Reads, access::Viewer, author},
    error::{Error, Result},
};

/// Announces the caller's presence to followers of a workspace, and returns it as sent.
pub async fn update_presence(
    gate: &Gate,
    live: &std::sync::Arc<Live>,
    call: Call<Viewer>,
    id: String,
    new: NewPresence,
) -> Result<PresenceList> {
    let live = std::sync::Arc::clone(live);
    gate.read(call, id, move |tx| {
        let core = tx.core();
        let user = author(core.conn, core.caller()?.user_id)?;
        let user = user.ok_or(Error::Unauthenticated("this account does not exist"))?;
        let presence = Presence {
            user,
            client: new.client.into(),
            view: new.view.map(String::from),
            pointer: new.pointer,
            selected: new.selected,
            at: core.now,
        };
        let organization_id = tx.workspace().org_id.as_deref().unwrap_or_default();
        live.update_presence(tx.pk(), organization_id, presence, Instant::now())
    })
    .await
}

/// Serializes `presence` and truncates a selection that makes it too large.
fn serialize_truncated(presence: &mut Presence) -> Result<String> {
    let mut json = serde_json::to_string(presence)?;
    while json.len() > MAX_PRESENCE_BYTES && !presence.selected.is_empty() {
        // Keeps the share of items that fits by average size, and always removes at least one, so that even 100 items
        // are serialized only a few times.
        let count = (presence.selected.len() * MAX_PRESENCE_BYTES / json.len()).min(presence.selected.len() - 1);
        presence.selected.truncate(count);
        json = serde_json::to_string(presence)?;
    }
    Ok(json)
}

impl Live {
    fn update_presence(
        &self,
        workspace_pk: i64,
        organization_id: &str,
        mut presence: Presence,
        now: Instant,
    ) -> Result<PresenceList> {
        // Serialize before taking the lock, because commits wait for the lock too.
        let frame = Frame::new("presence", &serialize_truncated(&mut presence)?);
        let mut channels = self.channels();
        if channels.closed {
            return Err(Error::Busy);
        }
        let user_id = presence.user.id;
        let rate_limit = channels.rate_limits.entry(user_id).or_insert_with(|| RateLimit::new(now));
        rate_limit.take(now).map_err(|retry_after| Error::RateLimited { retry_after })?;
        let channel = channels.channel(workspace_pk, organization_id);
        let key = (user_id, presence.client.clone());
        if !channel.present.0.contains_key(&key) {
            if let Some(oldest) = channel.present.oldest_if_more_than(user_id, MAX_CLIENTS_PER_USER - 1) {
                channel.remove_client(user_id, &oldest);
            }
            if channel.present.0.len() >= MAX_CLIENTS_PER_WORKSPACE {
                return Err(Error::Busy);
            }
        }
        channel.send(frame.clone());
        channel.present.0.insert(key, Announcement { at: presence.at, frame });
        Ok(PresenceList { present: vec![presence] })
    }

    /// One frame for each client present in the workspace.
    pub(super) fn presence_frames(&self, workspace_pk: i64) -> Vec<Frame> {
        let channels = self.channels();
        let channel = channels.by_workspace.get(&workspace_pk);
        channel.into_iter().flat_map(|channel| channel.present.0.values()).map(|client| client.frame.clone()).collect()
    }

    /// Removes clients that have not announced their presence for too long.
    pub fn remove_inactive_clients(&self, now: i64) {
        let mut channels = self.channels();
        let instant = Instant::now();
        channels.rate_limits.retain(|_, rate_limit| rate_limit.full_at > instant);
        let mut pks = Vec::new();
        for (pk, channel) in &mut channels.by_workspace {
            let inactive = channel.present.0.iter().filter(|(_, client)| client.at + INACTIVITY_TIMEOUT <= now);
            for (user_id, client) in inactive.map(|(key, _)| key.clone()).collect::<Vec<_>>() {
                channel.remove_client(user_id, &client);
            }
            pks.push(*pk);
        }
        for pk in pks {
            channels.remove_if_unused(pk);
        }
    }
}

impl Channel {
    /// Notifies the other clients that a client has left.
    pub(super) fn remove_client(&mut self, user_id: i64, client: &str) {
        if self.present.0.remove(&(user_id, client.to_owned())).is_some() {
            let gone = DepartedClient { user_id, client: client.to_owned() };
            self.send(Frame::new("gone", &serde_json::json!(gone).to_string()));
        }
    }
}
