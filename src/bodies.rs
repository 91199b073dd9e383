//! Reading request bodies within a memory budget: a small one for clients that have not signed in, a large one for users.

use std::{sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{HeaderMap, StatusCode, header},
};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tower_http::timeout::{TimeoutBody, TimeoutError};

use crate::{
    budget::{Budget, Full, Holder, Reservation, Turn, Turns},
    error::Result,
};

/// The largest body of a client that has not signed in, in bytes.
pub const STRANGERS_BODY: usize = 64 << 10;
/// Up to so many bytes a body is processed at once: it needs no turn.
const SMALL: usize = 256 << 10;
/// Large bodies that are processed at a time: one is parsed while another is written.
const AT_ONCE: usize = 2;

/// What it takes to read bodies.
#[derive(Debug, Clone)]
pub struct Bodies {
    users: Budget,
    strangers: Budget,
    turns: Turns,
    patience: Duration,
}

/// A body that was read. Its bytes count until the reservation is dropped.
#[derive(Debug)]
pub struct Received {
    /// What was sent.
    pub bytes: Vec<u8>,
    /// The right to hold it, and what is made of it.
    pub held: Held,
}

/// The right to hold a body in memory, and what is made of it. It goes with the request's work, which may outlive the
/// connection; the last clone gives it back.
#[derive(Debug, Clone)]
pub struct Held(Arc<(Reservation, Option<Turn>)>);

impl Held {
    /// Whose memory it is.
    pub fn holder(&self) -> Holder {
        self.0.0.holder()
    }
}

/// Why a body was not read.
#[derive(Debug)]
pub enum Unread {
    /// It is larger than the limit, in bytes.
    TooLarge(usize),
    /// No more of it arrived for this time.
    Stalled(Duration),
    /// The connection failed.
    Broken(String),
    /// There is no memory for it now.
    Full(Full),
}

impl Unread {
    /// The status of the answer, and what is wrong.
    pub fn describe(&self) -> (StatusCode, String) {
        match self {
            Self::TooLarge(limit) => {
                (StatusCode::PAYLOAD_TOO_LARGE, format!("the body is larger than the {limit} bytes allowed here"))
            }
            Self::Stalled(patience) => {
                let text = format!("nothing more of the body came for {} seconds", patience.as_secs());
                (StatusCode::REQUEST_TIMEOUT, text)
            }
            Self::Broken(error) => (StatusCode::BAD_REQUEST, format!("the body could not be read: {error}")),
            Self::Full(Full::Share) => {
                let text = "too many large requests at the same time; wait for one to finish, then try again";
                (StatusCode::TOO_MANY_REQUESTS, text.into())
            }
            Self::Full(Full::Total) => {
                let text = "the server has no memory left for this request; try again in a moment";
                (StatusCode::SERVICE_UNAVAILABLE, text.into())
            }
        }
    }
}

impl Bodies {
    /// `in_flight` bytes for the bodies of all users, a quarter of it for one user, and a small part in addition for clients
    /// that have not signed in. A client that sends nothing for `patience` is not waited for.
    pub fn new(in_flight: usize, patience: Duration) -> Self {
        let strangers = (in_flight / 16).clamp(16 * STRANGERS_BODY, 256 * STRANGERS_BODY);
        Self {
            users: Budget::new(in_flight, in_flight / 4),
            strangers: Budget::new(strangers, strangers / 16),
            turns: Turns::new(AT_ONCE),
            patience,
        }
    }

    /// Reads a body of at most `limit` bytes. A large one of a user waits for its turn to be processed.
    pub async fn read(
        &self,
        headers: &HeaderMap,
        body: Body,
        limit: usize,
        holder: Holder,
    ) -> std::result::Result<Received, Unread> {
        let announced =
            headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
        if announced.is_some_and(|length| length > limit) {
            return Err(Unread::TooLarge(limit));
        }
        let budget = if matches!(holder, Holder::User(_)) { &self.users } else { &self.strangers };
        let mut reservation = budget.reservation(holder);
        // Room is reserved as bytes arrive: who only announces them keeps nobody out.
        let mut body = Box::pin(TimeoutBody::new(self.patience, Limited::new(body, limit)));
        let mut bytes = Vec::with_capacity(announced.unwrap_or_default());
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| match error {
                error if error.is::<LengthLimitError>() => Unread::TooLarge(limit),
                error if error.is::<TimeoutError>() => Unread::Stalled(self.patience),
                error => Unread::Broken(error.to_string()),
            })?;
            if let Ok(data) = frame.into_data() {
                reservation.grow(data.len(), limit).map_err(Unread::Full)?;
                bytes.extend_from_slice(&data);
            }
        }
        Ok(Received { bytes, held: Held(Arc::new((reservation, None))) })
    }

    /// Waits until a body may be processed that was read for `user`.
    pub async fn turn(&self, received: Received, user: i64) -> Result<Received> {
        if received.bytes.len() <= SMALL {
            return Ok(received);
        }
        let turn = self.turns.take(user).await?;
        let Received { bytes, held } = received;
        let held = match Arc::try_unwrap(held.0) {
            Ok((reservation, _)) => Held(Arc::new((reservation, Some(turn)))),
            Err(shared) => Held(shared),
        };
        Ok(Received { bytes, held })
    }

    /// Bytes of bodies that are in memory now.
    pub fn in_use(&self) -> usize {
        self.users.in_use() + self.strangers.in_use()
    }
}
