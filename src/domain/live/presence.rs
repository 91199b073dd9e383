//! Who is here, where they look, and what they have selected. Kept in memory alone, and for half a minute.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use super::{Frame, Live, Room, told::Gone};
use crate::{
    clock::SECOND,
    domain::{
        access::{Call, Gate, Reads},
        input::{Input, objects, optional_at_most},
        store,
        values::{Coordinate, Id, Name},
    },
    error::{Author, Error, Result},
};

/// Who says nothing for so long is gone, in milliseconds.
const SILENCE: i64 = 30 * SECOND;
/// How much can be selected.
const MOST_SELECTED: usize = 100;
/// Clients of one workspace that are remembered at a time.
const MOST_PRESENT: usize = 1_000;

/// Where somebody looks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Place {
    /// Canvas position.
    pub x: Coordinate,
    /// Canvas position.
    pub y: Coordinate,
}

/// Something selected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Selected {
    /// What kind it is: `component`, `relationship`, `process`.
    #[schema(example = "component")]
    pub kind: Name,
    /// Its id.
    #[schema(example = "checkout")]
    pub id: Id,
}

/// Where the caller is.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewPresence {
    /// Names the window or program among those of the same user; the same as `client` of the event stream.
    #[schema(example = "tab-1")]
    pub client: Id,
    /// The part of the product: `map`, `table`, or a process.
    #[schema(nullable = false, example = "map")]
    pub view: Option<Name>,
    /// Where the pointer is.
    #[schema(nullable = false)]
    pub pointer: Option<Place>,
    /// What is selected.
    #[serde(default, deserialize_with = "selected")]
    #[schema(max_items = 100)]
    pub selected: Vec<Selected>,
}

fn selected<'de, D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Vec<Selected>, D::Error> {
    Ok(optional_at_most::<MOST_SELECTED, _, _>(deserializer)?.unwrap_or_default())
}

objects!(NewPresence, Place, Selected);
impl Input for NewPresence {}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        // The derived one, an inherent function.
        Self::serialize(self, serializer)
    }
}

impl Serialize for Selected {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        // The derived one, an inherent function.
        Self::serialize(self, serializer)
    }
}

/// Somebody who is here.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Presence {
    /// Who.
    pub user: Author,
    /// The window or program.
    pub client: String,
    /// The part of the product.
    #[schema(required)]
    pub view: Option<String>,
    /// Where the pointer is.
    #[schema(required)]
    pub pointer: Option<Place>,
    /// What is selected.
    pub selected: Vec<Selected>,
    /// When this was said, Unix milliseconds.
    pub at: i64,
}

/// All who are here.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PresentList {
    /// Each window or program on its own.
    pub present: Vec<Presence>,
}

/// Those in one room, by user and client.
#[derive(Debug, Default)]
pub(super) struct Present(BTreeMap<(i64, String), Presence>);

impl Present {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Says where the caller is. Answers with all who are here, the caller among them.
pub async fn announce(gate: &Gate, call: Call, id: String, new: NewPresence) -> Result<PresentList> {
    let shared = std::sync::Arc::clone(gate.shared());
    gate.view(call, id, move |tx| {
        let core = tx.core();
        let user = store::users::author(core.conn, core.caller()?.user_id)?;
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
        shared.live.announce(tx.pk(), organization_id, presence)
    })
    .await
}

impl Live {
    fn announce(&self, workspace_pk: i64, organization_id: &str, presence: Presence) -> Result<PresentList> {
        let mut rooms = self.rooms();
        if rooms.closed {
            return Err(Error::Busy);
        }
        let room = rooms.room(workspace_pk, organization_id);
        let key = (presence.user.id, presence.client.clone());
        if room.present.0.len() >= MOST_PRESENT && !room.present.0.contains_key(&key) {
            return Err(Error::Busy);
        }
        room.tell(Frame::new("presence", &serde_json::to_string(&presence)?));
        room.present.0.insert(key, presence);
        Ok(PresentList { present: room.present.0.values().cloned().collect() })
    }

    /// A frame for each who is in the room.
    pub(super) fn who_is_here(&self, workspace_pk: i64) -> Result<Vec<Frame>> {
        let rooms = self.rooms();
        let present = rooms.by_workspace.get(&workspace_pk).into_iter().flat_map(|room| room.present.0.values());
        present.map(|presence| Ok(Frame::new("presence", &serde_json::to_string(presence)?))).collect()
    }

    /// Sends away who has said nothing for too long.
    pub fn miss_the_silent(&self, now: i64) {
        let mut rooms = self.rooms();
        let mut quiet = Vec::new();
        for (pk, room) in &mut rooms.by_workspace {
            let silent = |presence: &&Presence| presence.at + SILENCE <= now;
            let gone = room.present.0.values().filter(silent).map(|one| (one.user.id, one.client.clone()));
            for (user_id, client) in gone.collect::<Vec<_>>() {
                room.leaves(user_id, &client);
            }
            quiet.push(*pk);
        }
        for pk in quiet {
            rooms.tidy(pk);
        }
    }
}

impl Room {
    /// Tells the others that somebody has gone.
    pub(super) fn leaves(&mut self, user_id: i64, client: &str) {
        if self.present.0.remove(&(user_id, client.to_owned())).is_some() {
            let gone = Gone { user_id, client: client.to_owned() };
            self.tell(Frame::new("gone", &serde_json::json!(gone).to_string()));
        }
    }
}
