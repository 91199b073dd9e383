//! Keeping links fresh: once a day all pages and databases that an organization's links lead to are looked up again, one
//! after the other and slowly enough that people have most of the provider's rate to themselves.

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

/// How long after the beginning of a round the next one begins, in milliseconds.
const EVERY: i64 = DAY;
/// Most links of one round.
const MOST: usize = 20_000;
/// How many failures one after the other end a round: the wiki is not well, and will not be in a second.
const FAILURES: usize = 5;

/// A round over all links of an organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WikiRound {
    /// Whether it is under way.
    pub running: bool,
    /// Pages and databases to look up; several links may lead to one.
    pub total: usize,
    /// Those that were.
    pub done: usize,
    /// Links whose title, icon or target had changed.
    pub changed: usize,
    /// Pages and databases that could not be looked up; their links stay as they were.
    pub failed: usize,
    /// When it began, Unix milliseconds.
    pub started_at: i64,
    /// When it ended, Unix milliseconds; null while it is under way.
    #[schema(required)]
    pub finished_at: Option<i64>,
}

/// The rounds of this process: it begins anew with each.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// The last of each organization.
    last: HashMap<String, WikiRound>,
    /// Organizations that somebody wants a round for.
    wanted: Vec<String>,
}

impl Wiki {
    /// Has all links of the active organization looked up again, soon. Nothing happens while that is under way.
    pub async fn ask_for_round(&self, call: Call) -> Result<()> {
        let read =
            |tx: &OrgKeeperTx<'_>| connection::of(tx.core(), tx.organization_id()?).map(|one| one.organization_id);
        let id = self.gate().org_keeper_view(call, read).await?;
        if self.progress(&id).is_none_or(|round| !round.running) {
            self.want(&id);
        }
        Ok(())
    }

    /// What was known of an organization's wiki is not so any more: a connection began or ended. A round that is under way
    /// may have looked at half of its links by the one before: another follows it.
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

    /// Waits until somebody wants a round.
    pub async fn wanted(&self) {
        self.0.wake.notified().await;
    }

    /// How far the round of an organization is.
    pub(super) fn progress(&self, organization_id: &str) -> Option<WikiRound> {
        self.with_rounds(|rounds| rounds.last.get(organization_id).cloned())
    }

    /// The organizations whose rounds are due. From now on these rounds count as begun: run each of them.
    pub async fn due(&self) -> Result<Vec<String>> {
        let connected = self.gate().aside_view(|tx| store::wiki::whole(tx.core().conn)).await?;
        let now = self.gate().now();
        Ok(self.with_rounds(|rounds| {
            let wanted = std::mem::take(&mut rounds.wanted);
            let mut due = Vec::new();
            // Organizations that have disconnected need no entry.
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

    /// Looks all links of an organization up again.
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
            // Read each time: its tokens may have changed, or it may have ended.
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

/// A page or database that links lead to: its id, and whether it more likely is a database.
type Target = (String, Likely);

/// Whether a target more likely is a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Likely(bool);

impl From<Likely> for Kind {
    fn from(likely: Likely) -> Self {
        if likely.0 { Self::Database } else { Self::Page }
    }
}

/// What an organization's links lead to, and which of them do.
fn targets(tx: &SystemTx<'_>, organization_id: &str) -> Result<BTreeMap<Target, Vec<Leading>>> {
    let mut targets: BTreeMap<Target, Vec<Leading>> = BTreeMap::new();
    for link in store::wiki::leading(tx.core().conn, organization_id, MOST)? {
        // One that leads nowhere is nobody's to look up.
        if let Ok(Some((id, likely))) = links::target_of(link.kind, link.target_id.as_deref(), &link.url) {
            targets.entry((id, Likely(likely == Kind::Database))).or_default().push(link);
        }
    }
    Ok(targets)
}

/// Fills links whose target is not as they say. When it is, nothing is written: nobody's history is to be full of it.
/// Answers how many there were.
fn apply(tx: &mut SystemTx<'_>, leading: &[Leading], resolved: &Resolved) -> Result<usize> {
    let mut changed = 0;
    for link in leading {
        let Some(mut workspace) = tx.keep_up(link.workspace_pk)? else { continue };
        let told = links::keep_fresh(&mut workspace, &link.component_id, link.id, resolved)?;
        changed += usize::from(told);
    }
    Ok(changed)
}
