//! The wiki of an organization: its connection, what is read through it, and the links that are kept fresh.
//!
//! Whatever asks the provider spans two transactions, with the call between them: what it takes is read, the provider is
//! asked on a lane, and what comes of it is written by a transaction that looks again whether it may.

mod children;
mod connecting;
mod connection;
mod icons;
mod links;
mod round;
mod status;
mod token;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use tokio::sync::Notify;

pub use self::{
    children::{WikiChild, WikiChildren, WikiKind},
    connecting::{CameBack, Outcome, PENDING, Started},
    connection::ConnectionKind,
    round::WikiRound,
    status::{ListedConnection, WikiStatus, WikiTest, client, list},
};
use self::{connection::Connection, round::Rounds};
use super::access::Gate;
use crate::{
    error::{Error, Result},
    lane::Lane,
    wiki::{Access, Client, Problem},
};

/// How long a user waits for the wiki, in all.
const PATIENCE: Duration = Duration::from_secs(5);
/// When another try is worth it, when the wiki does not say.
const AGAIN: Duration = Duration::from_secs(5);

/// What the provider answers.
type Told<T> = std::result::Result<T, Problem>;

/// What asks the wiki. Clones share it.
#[derive(Debug, Clone)]
pub struct Wiki(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    gate: Gate,
    lane: Lane,
    client: Client,
    /// Where browsers come back to from the provider.
    redirect_uri: String,
    /// One refresh of tokens at a time for an organization.
    refreshing: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    rounds: Mutex<Rounds>,
    wake: Notify,
}

impl Wiki {
    /// Calls run on `lane`. `public_url` is where browsers reach this instance, without a slash at its end.
    pub fn new(gate: Gate, lane: Lane, client: Client, public_url: &str) -> Self {
        Self(Arc::new(Inner {
            gate,
            lane,
            client,
            redirect_uri: format!("{public_url}/api/auth/wiki/callback"),
            refreshing: Mutex::default(),
            rounds: Mutex::default(),
            wake: Notify::new(),
        }))
    }

    /// The redirect URI that is to be registered at the provider.
    pub fn redirect_uri(&self) -> &str {
        &self.0.redirect_uri
    }

    /// The way to data.
    pub(in crate::domain) fn gate(&self) -> &Gate {
        &self.0.gate
    }

    /// Asks on a connection. A token that is refused is refreshed once, and the question asked again; a connection that is
    /// refused all the same is marked as broken, and one that works as whole.
    async fn ask<T: Send + 'static>(
        &self,
        connection: Connection,
        question: impl Fn(&Access<'_>) -> Told<T> + Send + Sync + 'static,
    ) -> Result<T> {
        let (deadline, question) = (Instant::now() + PATIENCE, Arc::new(question));
        let mut connection = connection;
        let mut answer = self.put(&connection, deadline, &question).await?;
        if matches!(answer, Err(Problem::Unauthorized)) && connection.refresh.is_some() {
            match self.renewed(&connection, deadline).await? {
                Some(renewed) => {
                    connection = renewed;
                    answer = self.put(&connection, deadline, &question).await?;
                }
                None => answer = Err(Problem::Unauthorized),
            }
        }
        match answer {
            Ok(answer) => {
                if connection.is_broken {
                    self.mark(&connection, false).await?;
                }
                Ok(answer)
            }
            Err(problem @ (Problem::Unauthorized | Problem::Denied(_))) => {
                tracing::warn!(organization = connection.organization_id, %problem, "the connection with the wiki is broken");
                self.mark(&connection, true).await?;
                Err(Error::WikiAccessDenied)
            }
            Err(problem) => Err(told(&problem)),
        }
    }

    /// Puts a question to the wiki, on the lane.
    async fn put<T: Send + 'static>(
        &self,
        connection: &Connection,
        deadline: Instant,
        question: &Arc<impl Fn(&Access<'_>) -> Told<T> + Send + Sync + 'static>,
    ) -> Result<Told<T>> {
        let (wiki, question) = (self.clone(), Arc::clone(question));
        let (organization, token) = (connection.organization_id.clone(), connection.access.clone());
        self.on_lane(move || question(&wiki.0.client.access(&organization, token, deadline))).await
    }

    /// Runs what waits for the provider where it may.
    async fn on_lane<T: Send + 'static>(&self, work: impl FnOnce() -> Told<T> + Send + 'static) -> Result<Told<T>> {
        self.0.lane.run(move || Ok(work())).await
    }
}

/// What a problem of the provider means to a caller.
fn told(problem: &Problem) -> Error {
    match problem {
        Problem::NotFound => Error::WikiNotFound,
        Problem::Unauthorized | Problem::Denied(_) => Error::WikiAccessDenied,
        Problem::Unavailable { retry_after, .. } => {
            Error::WikiUnavailable { retry_after: retry_after.unwrap_or(AGAIN).max(Duration::from_secs(1)) }
        }
        Problem::Unfit(_) | Problem::WrongClient => {
            tracing::error!(%problem, "the wiki does not take what this server sends");
            Error::WikiUnavailable { retry_after: AGAIN }
        }
    }
}
