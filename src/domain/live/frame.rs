//! Frames of an event stream, serialized once for all followers.

use bytes::Bytes;

use crate::{
    db::Incarnation,
    domain::core::{Audience, Change},
    error::Result,
};

/// A serialized part of an event stream.
#[derive(Debug, Clone)]
pub(in crate::domain) struct Frame {
    /// Id of the last change in the frame; none for events that are not logged.
    pub(in crate::domain) change: Option<i64>,
    pub(in crate::domain) audience: Audience,
    pub(in crate::domain) text: Bytes,
}

impl Frame {
    pub(in crate::domain) fn of_change(incarnation: &Incarnation, change: &Change) -> Result<Self> {
        Ok(Self::at(incarnation, "change", change.id, &serde_json::to_string(change)?))
    }

    /// A `reload` event: changes up to `id` are not sent individually.
    pub(in crate::domain) fn reload(incarnation: &Incarnation, id: i64) -> Self {
        Self::at(incarnation, "reload", id, "{}")
    }

    /// A frame without an event that sets the id to resume from.
    pub(in crate::domain) fn position(incarnation: &Incarnation, id: i64) -> Self {
        let text = format!("id: {}-{id}\n\n", incarnation.short());
        Self { change: Some(id), audience: Audience::Everyone, text: text.into() }
    }

    /// An event with an id, which contains the incarnation, because change ids are only unique within an incarnation.
    pub(in crate::domain) fn at(incarnation: &Incarnation, event: &str, id: i64, json: &str) -> Self {
        let text = format!("id: {}-{id}\nevent: {event}\ndata: {json}\n\n", incarnation.short());
        Self { change: Some(id), audience: Audience::Everyone, text: text.into() }
    }

    /// An event that is not logged.
    pub(in crate::domain) fn new(event: &str, json: &str) -> Self {
        let text = format!("event: {event}\ndata: {json}\n\n");
        Self { change: None, audience: Audience::Everyone, text: text.into() }
    }
}
