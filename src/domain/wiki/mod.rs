//! The wiki of an organization: its connection, reading from it, and refreshing links.
//!
//! An operation that calls the provider uses two transactions, with the call between them: the first one reads the
//! input, the call runs on a blocking thread pool, and the second one checks permissions again and writes the result.

mod children;
mod connecting;
mod connection;
mod icons;
mod links;
mod model;
mod refresh;
mod status;
mod store;
mod token;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::{
    sync::{Notify, Semaphore},
    time::{sleep_until, timeout_at},
};

pub(super) use self::connection::{ACCESS_TOKEN, purpose};
pub(in crate::domain) use self::store::{delete, delete_expired};
pub use self::{
    children::{WikiChild, WikiChildren, WikiKind},
    connecting::{CallbackParams, ConnectOutcome, STATE_LIFETIME, WikiAuthorization},
    connection::ConnectionKind,
    refresh::WikiRefresh,
    status::{ListedConnection, WikiStatus, WikiTest, client_status, list},
};
use self::{connection::Connection, refresh::RefreshRuns};
use super::core::Gate;
use crate::{
    blocking::BlockingPool,
    cancel::Cancel,
    error::{Error, Result},
    schedule::{self, QueueKey},
    wiki::{Client, ConnectionAccess, WikiError},
};

/// Total time that a request waits for the wiki.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// Default retry delay if the wiki does not specify one.
const DEFAULT_RETRY_AFTER: Duration = Duration::from_secs(5);

/// A response from the provider.
type ProviderResult<T> = std::result::Result<T, WikiError>;

/// The wiki service. Clones share their state.
#[derive(Debug, Clone)]
pub struct Wiki(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    gate: Gate,
    pool: BlockingPool,
    client: Client,
    /// URL to which the provider redirects browsers.
    redirect_uri: String,
    /// Locks that allow one token refresh at a time per organization.
    refreshing: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    runs: Mutex<RefreshRuns>,
    wake: Notify,
    /// Semaphores of running calls, by organization and user.
    calls: Mutex<HashMap<(String, QueueKey), Arc<Semaphore>>>,
}

/// Maximum number of concurrent calls of a user on a connection. Further calls wait.
const MAX_CONCURRENT_CALLS_PER_USER: usize = 2;

impl Wiki {
    /// Creates the service. Calls run on the blocking thread pool `pool`. `public_url` is the public URL of this
    /// instance, without a trailing slash.
    pub fn new(gate: Gate, pool: BlockingPool, client: Client, public_url: &str) -> Self {
        Self(Arc::new(Inner {
            gate,
            pool,
            client,
            redirect_uri: format!("{public_url}/api/auth/wiki/callback"),
            refreshing: Mutex::default(),
            runs: Mutex::default(),
            wake: Notify::new(),
            calls: Mutex::default(),
        }))
    }

    /// The redirect URI to register at the provider.
    pub fn redirect_uri(&self) -> &str {
        &self.0.redirect_uri
    }

    /// The gate for database access.
    pub(in crate::domain) fn gate(&self) -> &Gate {
        &self.0.gate
    }

    /// Sends a request on a connection. If the token is rejected, refreshes it once and repeats the request. Marks the
    /// connection as broken if it is still rejected, and as working if the request succeeds.
    async fn request<T: Send + 'static>(
        &self,
        connection: Connection,
        request: impl Fn(&ConnectionAccess<'_>) -> ProviderResult<T> + Send + Sync + 'static,
    ) -> Result<T> {
        let (deadline, request) = (Instant::now() + REQUEST_TIMEOUT, Arc::new(request));
        let mut connection = connection;
        let mut response = self.send(&connection, deadline, &request).await?;
        if matches!(response, Err(WikiError::Unauthorized)) && connection.refresh.is_some() {
            match self.renewed(&connection, deadline).await? {
                Some(renewed) => {
                    connection = renewed;
                    response = self.send(&connection, deadline, &request).await?;
                }
                None => response = Err(WikiError::Unauthorized),
            }
        }
        match response {
            Ok(answer) => {
                if connection.is_broken {
                    self.mark(&connection, false).await?;
                }
                Ok(answer)
            }
            Err(problem @ (WikiError::Unauthorized | WikiError::Denied(_))) => {
                tracing::warn!(organization = connection.organization_id, %problem, "the wiki rejected the token of this organization; an admin must connect the wiki again in the organization \
                     settings");
                self.mark(&connection, true).await?;
                Err(Error::WikiAccessDenied)
            }
            Err(problem) => Err(to_error(&problem)),
        }
    }

    /// Sends a request to the wiki on the blocking thread pool.
    async fn send<T: Send + 'static>(
        &self,
        connection: &Connection,
        deadline: Instant,
        request: &Arc<impl Fn(&ConnectionAccess<'_>) -> ProviderResult<T> + Send + Sync + 'static>,
    ) -> Result<ProviderResult<T>> {
        let (wiki, request) = (self.clone(), Arc::clone(request));
        let (organization, token) = (connection.organization_id.clone(), connection.access.clone());
        // Waits for the rate limit of the organization here, because waiting asynchronously blocks no thread.
        let calls = self.calls(&organization);
        let Ok(Ok(_permit)) = timeout_at(deadline.into(), calls.acquire()).await else {
            let cause = "too many requests at once by this user".into();
            return Ok(Err(WikiError::Unavailable { cause, retry_after: None }));
        };
        let turn = match self.0.client.reserve(&organization, deadline) {
            Ok(turn) => turn,
            Err(problem) => return Ok(Err(problem)),
        };
        sleep_until(turn.into()).await;
        let key = QueueKey::Organization(organization.clone());
        let work = move |_: &Cancel| Ok(request(&wiki.0.client.access(&organization, token, deadline, Some(turn))));
        self.0.pool.run_for(key, Cancel::never(), work).await
    }

    /// Semaphore of the current user on the connection of an organization. It limits concurrent calls, so that users of
    /// the same connection take turns.
    fn calls(&self, organization: &str) -> Arc<Semaphore> {
        let mut calls = self.0.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.retain(|_, calls| Arc::strong_count(calls) > 1);
        let key = (organization.to_owned(), schedule::current());
        Arc::clone(calls.entry(key).or_insert_with(|| Arc::new(Semaphore::new(MAX_CONCURRENT_CALLS_PER_USER))))
    }

    /// Runs a blocking call to the provider on the blocking thread pool.
    async fn on_pool<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> ProviderResult<T> + Send + 'static,
    ) -> Result<ProviderResult<T>> {
        self.gate().expect_primary()?;
        self.0.pool.run(move || Ok(work())).await
    }
}

/// Converts an error from the provider into an API error.
fn to_error(problem: &WikiError) -> Error {
    match problem {
        WikiError::NotFound => Error::WikiNotFound,
        WikiError::Unauthorized | WikiError::Denied(_) => Error::WikiAccessDenied,
        WikiError::Unavailable { retry_after, .. } => Error::WikiUnavailable {
            retry_after: retry_after.unwrap_or(DEFAULT_RETRY_AFTER).max(Duration::from_secs(1)),
        },
        WikiError::Unfit(_) | WikiError::WrongClient => {
            tracing::error!(%problem, "the wiki rejected a request; check the client ID and secret with `planroom wiki setup`");
            Error::WikiUnavailable { retry_after: DEFAULT_RETRY_AFTER }
        }
    }
}
