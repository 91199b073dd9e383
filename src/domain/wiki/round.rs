//! Refreshing links: once a day, all pages and databases that an organization's links point to are looked up again. The
//! lookups run sequentially and slowly, so that most of the provider's rate limit remains for users.

use std::{
    collections::{BTreeMap, HashMap},
    sync::PoisonError,
};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Wiki, connection};
use crate::{
    clock::DAY,
    domain::{
        access::{Call, OrgKeeperTx, Reads, SystemTx},
        links,
        store::{self, wiki::Leading},
    },
    error::{Error, Result},
    wiki::{Kind, Resolved},
};

/// Interval between the starts of two refreshes, in milliseconds.
const EVERY: i64 = DAY;
/// Maximum number of links per refresh.
const MOST: usize = 20_000;
/// Number of consecutive failures after which a refresh stops, because the wiki is likely down.
const FAILURES: usize = 5;

/// A refresh of all wiki links of an organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WikiRound {
    /// Whether the refresh is running.
    pub running: bool,
    /// Number of pages and databases to look up. Several links may point to the same target.
    pub total: usize,
    /// Number of pages and databases that were looked up.
    pub done: usize,
    /// Number of links whose title, icon, or target changed.
    pub changed: usize,
    /// Number of pages and databases that could not be looked up. Their links stay unchanged.
    pub failed: usize,
    /// Time when the refresh started, in Unix milliseconds.
    pub started_at: i64,
    /// Time when the refresh ended, in Unix milliseconds; null while it is running.
    #[schema(required)]
    pub finished_at: Option<i64>,
}

/// State of the refreshes. It is in memory only and is lost when the server stops.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// Last refresh per organization.
    last: HashMap<String, WikiRound>,
    /// Organizations for which a refresh was requested.
    wanted: Vec<String>,
}

impl Wiki {
    /// Requests a refresh of all links of the active organization. Has no effect while a refresh is running.
    pub async fn ask_for_round(&self, call: Call) -> Result<()> {
        let read =
            |tx: &OrgKeeperTx<'_>| connection::of(tx.core(), tx.organization_id()?).map(|one| one.organization_id);
        let id = self.gate().org_keeper_view(call, read).await?;
        if self.progress(&id).is_none_or(|round| !round.running) {
            self.want(&id);
        }
        Ok(())
    }

    /// Clears the cached wiki data of an organization and requests a refresh. Called when a connection begins or ends.
    /// A running refresh may have used the previous connection for some links, so another refresh follows it.
    pub(super) fn begin_anew(&self, organization_id: &str) {
        self.0.client.forget(organization_id);
        self.want(organization_id);
    }

    fn want(&self, organization_id: &str) {
        self.with_rounds(|rounds| {
            if !rounds.wanted.iter().any(|wanted| wanted == organization_id) {
                rounds.wanted.push(organization_id.to_owned());
            }
        });
        self.0.wake.notify_one();
    }

    /// Waits until a refresh is requested.
    pub async fn wanted(&self) {
        self.0.wake.notified().await;
    }

    /// Progress of the current or last refresh of an organization.
    pub(super) fn progress(&self, organization_id: &str) -> Option<WikiRound> {
        self.with_rounds(|rounds| rounds.last.get(organization_id).cloned())
    }

    /// Returns the organizations whose refresh is due, and marks these refreshes as running. The caller must run each
    /// of them.
    pub async fn due(&self) -> Result<Vec<String>> {
        let connected = self.gate().aside_view(|tx| store::wiki::whole(tx.core().conn)).await?;
        let now = self.gate().now();
        Ok(self.with_rounds(|rounds| {
            let wanted = std::mem::take(&mut rounds.wanted);
            let mut due = Vec::new();
            // Disconnected organizations need no entry.
            rounds.last.retain(|id, round| round.running || connected.contains(id));
            for id in connected {
                let last = rounds.last.get(&id);
                let is_due = wanted.contains(&id) || last.is_none_or(|last| last.started_at + EVERY <= now);
                if last.is_some_and(|last| last.running) {
                    rounds.wanted.extend(wanted.contains(&id).then_some(id));
                } else if is_due {
                    let (total, done, changed, failed) = (0, 0, 0, 0);
                    let round =
                        WikiRound { running: true, total, done, changed, failed, started_at: now, finished_at: None };
                    rounds.last.insert(id.clone(), round);
                    due.push(id);
                }
            }
            due
        }))
    }

    /// Refreshes all links of an organization.
    pub async fn round(&self, organization_id: &str) {
        if let Err(error) = self.go_round(organization_id).await {
            tracing::warn!(organization = organization_id, %error, "a round over the links to the wiki ended early");
        }
        let now = self.gate().now();
        self.note(organization_id, |round| (round.running, round.finished_at) = (false, Some(now)));
    }

    async fn go_round(&self, organization_id: &str) -> Result<()> {
        let id = organization_id.to_owned();
        let targets = self.gate().aside_view(move |tx| targets(tx, &id)).await?;
        self.note(organization_id, |round| round.total = targets.len());
        let mut failures = 0;
        for ((target, likely), leading) in targets {
            tokio::time::sleep(self.leisure()).await;
            // Read before each lookup, because the connection may have new tokens or may have ended.
            let connection = self.connection(organization_id).await?;
            match self.resolve(connection, target, likely.into()).await {
                Ok(resolved) => {
                    failures = 0;
                    let changed = self.gate().aside(move |tx| apply(tx, &leading, &resolved)).await?;
                    self.note(organization_id, |round| round.changed += changed);
                }
                Err(error @ (Error::WikiAccessDenied | Error::WikiMisconfigured)) => return Err(error),
                Err(error) => {
                    failures = if matches!(error, Error::WikiNotFound) { 0 } else { failures + 1 };
                    self.note(organization_id, |round| round.failed += 1);
                    if failures >= FAILURES {
                        return Err(error);
                    }
                }
            }
            self.note(organization_id, |round| round.done += 1);
        }
        Ok(())
    }

    fn note(&self, organization_id: &str, what: impl FnOnce(&mut WikiRound)) {
        self.with_rounds(|rounds| rounds.last.get_mut(organization_id).map(what));
    }

    fn with_rounds<T>(&self, work: impl FnOnce(&mut Rounds) -> T) -> T {
        work(&mut self.0.rounds.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A page or database that links point to: its id, and whether it is likely a database.
type Target = (String, Likely);

/// Whether a target is likely a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Likely(bool);

impl From<Likely> for Kind {
    fn from(likely: Likely) -> Self {
        if likely.0 { Self::Database } else { Self::Page }
    }
}

/// Targets of an organization's links, each with its links.
fn targets(tx: &SystemTx<'_>, organization_id: &str) -> Result<BTreeMap<Target, Vec<Leading>>> {
    let mut targets: BTreeMap<Target, Vec<Leading>> = BTreeMap::new();
    for link in store::wiki::leading(tx.core().conn, organization_id, MOST)? {
        // A link without a valid target cannot be looked up.
        if let Ok(Some((id, likely))) = links::target_of(link.kind, link.target_id.as_deref(), &link.url) {
            targets.entry((id, Likely(likely == Kind::Database))).or_default().push(link);
        }
    }
    Ok(targets)
}

/// Updates links whose target has changed. Writes nothing for unchanged links, so that the history contains only real
/// changes. Returns how many links changed.
fn apply(tx: &mut SystemTx<'_>, leading: &[Leading], resolved: &Resolved) -> Result<usize> {
    let mut changed = 0;
    for link in leading {
        let Some(mut workspace) = tx.keep_up(link.workspace_pk)? else { continue };
        let told = links::keep_fresh(&mut workspace, &link.component_id, link.id, resolved)?;
        changed += usize::from(told);
    }
    Ok(changed)
}
