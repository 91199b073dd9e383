//! Reads request bodies within a memory budget: a small budget for clients before sign-in, a large one for users.

use std::{sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{HeaderMap, StatusCode, header},
};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tower_http::timeout::{TimeoutBody, TimeoutError};

use crate::{
    budget::{Budget, BudgetError, Holder, Reservation, Turn, Turns},
    error::Result,
};

/// Maximum body size before sign-in, in bytes.
pub const MAX_ANONYMOUS_BODY: usize = 64 << 10;
/// Bodies up to this size in bytes are processed immediately, without waiting for a turn.
const MAX_UNQUEUED: usize = 256 << 10;
/// Number of large bodies that are processed at the same time: one can be parsed while another is written.
const MAX_CONCURRENT: u32 = 2;

/// The budgets and turns for reading bodies.
#[derive(Debug, Clone)]
pub struct Bodies {
    limit: usize,
    users: Budget,
    anonymous: Budget,
    turns: Arc<Turns<i64>>,
    idle_timeout: Duration,
}

/// A complete body. Its bytes count until the reservation is dropped.
#[derive(Debug)]
pub struct ReceivedBody {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The memory reservation for the bytes and the data parsed from them.
    pub reservation: BodyReservation,
}

/// The memory reservation for a body and the data parsed from it. It is moved along with the work of the request, which
/// may outlive the connection. The last clone releases it.
#[derive(Debug, Clone)]
pub struct BodyReservation(Arc<(Reservation, Option<Turn>)>);

impl BodyReservation {
    /// Size of the body in bytes.
    pub fn bytes(&self) -> usize {
        self.0.0.bytes()
    }

    /// The holder of the reservation.
    pub fn holder(&self) -> Holder {
        self.0.0.holder()
    }
}

/// Why a body was not read.
#[derive(Debug)]
pub enum BodyError {
    /// The body is larger than this limit in bytes.
    TooLarge(usize),
    /// The client sent nothing for this time.
    Stalled(Duration),
    /// The connection failed.
    Broken(String),
    /// The memory budget is exhausted.
    Full(BudgetError),
}

impl BodyError {
    /// The response status and message.
    pub fn describe(&self) -> (StatusCode, String) {
        match self {
            Self::TooLarge(limit) => {
                (StatusCode::PAYLOAD_TOO_LARGE, format!("the body exceeds the limit of {limit} bytes"))
            }
            Self::Stalled(idle_timeout) => {
                let text = format!("the body is incomplete: no data received for {} seconds", idle_timeout.as_secs());
                (StatusCode::REQUEST_TIMEOUT, text)
            }
            Self::Broken(error) => (StatusCode::BAD_REQUEST, format!("cannot read the body: {error}")),
            Self::Full(BudgetError::Share) => {
                let text = "too many large requests at the same time; wait for one to finish, then try again";
                (StatusCode::TOO_MANY_REQUESTS, text.into())
            }
            Self::Full(BudgetError::Total) => {
                let text = "the server has no memory left for this request; try again shortly";
                (StatusCode::SERVICE_UNAVAILABLE, text.into())
            }
        }
    }
}

impl Bodies {
    /// `in_flight` bytes for the bodies of all users, a quarter of it for one user, and a small additional part for
    /// clients before sign-in. A client times out if it sends nothing for `idle_timeout`.
    pub fn new(in_flight: usize, idle_timeout: Duration) -> Self {
        let anonymous = (in_flight / 16).clamp(16 * MAX_ANONYMOUS_BODY, 256 * MAX_ANONYMOUS_BODY);
        Self {
            limit: in_flight,
            users: Budget::new(in_flight, in_flight / 4),
            anonymous: Budget::new(anonymous, anonymous / 16),
            turns: Arc::new(Turns::new(MAX_CONCURRENT, 1)),
            idle_timeout,
        }
    }

    /// Reads a body of at most `limit` bytes. A large body of a user waits for its turn to be processed.
    pub async fn read(
        &self,
        headers: &HeaderMap,
        body: Body,
        limit: usize,
        holder: Holder,
    ) -> std::result::Result<ReceivedBody, BodyError> {
        let declared = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
        if declared.is_some_and(|length| length > limit) {
            return Err(BodyError::TooLarge(limit));
        }
        let budget = if matches!(holder, Holder::User(_)) { &self.users } else { &self.anonymous };
        let mut reservation = budget.reservation(holder);
        // Memory is reserved as bytes arrive, so that a large Content-Length alone blocks nothing.
        let mut body = Box::pin(TimeoutBody::new(self.idle_timeout, Limited::new(body, limit)));
        let mut bytes = Vec::with_capacity(declared.unwrap_or_default());
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| match error {
                error if error.is::<LengthLimitError>() => BodyError::TooLarge(limit),
                error if error.is::<TimeoutError>() => BodyError::Stalled(self.idle_timeout),
                error => BodyError::Broken(error.to_string()),
            })?;
            if let Ok(data) = frame.into_data() {
                reservation.grow(data.len(), limit).map_err(BodyError::Full)?;
                bytes.extend_from_slice(&data);
            }
        }
        Ok(ReceivedBody { bytes, reservation: BodyReservation(Arc::new((reservation, None))) })
    }

    /// Waits for the turn to process a body of `user`.
    pub async fn turn(&self, received: ReceivedBody, user: i64) -> Result<ReceivedBody> {
        if received.bytes.len() <= MAX_UNQUEUED {
            return Ok(received);
        }
        let turn = self.turns.take(user, 1).await?;
        let ReceivedBody { bytes, reservation } = received;
        let reservation = match Arc::try_unwrap(reservation.0) {
            Ok((reservation, _)) => BodyReservation(Arc::new((reservation, Some(turn)))),
            Err(shared) => BodyReservation(shared),
        };
        Ok(ReceivedBody { bytes, reservation })
    }

    /// Maximum for the bodies of users in bytes.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Bytes of bodies that are currently in memory.
    pub fn in_use(&self) -> usize {
        self.users.in_use() + self.anonymous.in_use()
    }
}
