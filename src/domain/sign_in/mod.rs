//! Signing in, from a password to a session: what takes a password hash, and so spans two transactions.
//!
//! Every guess is counted before it is looked at, and costs the same work whether there is such an account or not.

pub mod account;
mod challenge;
mod joining;
mod link;
mod set_up;

use std::{
    net::IpAddr,
    sync::{Arc, Mutex},
};

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

pub use self::{
    challenge::{Challenge, ChallengeAnswer},
    joining::Joining,
    link::{LinkDecision, Linked},
    set_up::SetUp,
};
use super::{
    access::{Call, Gate, PublicTx, Reads},
    input::{Input, objects},
    second_factor,
    sessions::{self, Begun, OrgChoice, Renewal, SSO_ONLY, SignedIn},
    store,
};
use crate::{
    auth::{
        TokenHash, device,
        passwords::{self, NewPassword},
        refresh::RefreshToken,
        throttle::{Kind, Throttle, Who},
    },
    error::{Error, Result},
    lane::Lane,
};

/// Longest password worth hashing, in bytes.
const LONGEST_PASSWORD: usize = 1_000;

const WRONG: Error = Error::Unauthenticated("login or password is wrong");

/// A login and a password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Credentials {
    /// What one signs in with, in any case.
    #[schema(example = "ada", max_length = 200)]
    pub login: String,
    /// The password.
    #[schema(format = Password, max_length = 1000)]
    pub password: String,
    /// The organization to be active; without it, the one the user joined first.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
}

objects!(Credentials, SetUp, ChallengeAnswer, LinkDecision);
impl Input for Credentials {}
impl Input for SetUp {}
impl Input for ChallengeAnswer {}
impl Input for LinkDecision {}

/// Where a sign-in comes from.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// Network address.
    pub address: IpAddr,
    /// What the browser says it is.
    pub user_agent: Option<String>,
    /// The cookie of a browser that has signed in before.
    pub device: Option<String>,
}

/// What a right password leads to.
#[derive(Debug)]
pub enum Admitted {
    /// A session.
    Begun(Box<Begun>),
    /// The second factor is due.
    Challenged(Challenge),
}

/// The answer to a right password.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SignInAnswer {
    /// The session.
    SignedIn(SignedIn),
    /// The second factor is due: answer at `POST /api/auth/login/verify`.
    Challenged {
        /// What to answer.
        challenge: Challenge,
    },
}

/// A user who may turn out to be who they say, and the hash to hold their password against.
struct Candidate {
    user_id: i64,
    password_hash: Option<String>,
    /// What a browser's cookie has to be of to be known.
    device_account: device::Account,
    is_suspended: bool,
    second_factor: bool,
    /// The operator has set the password a moment ago.
    is_open: bool,
}

/// Signing in.
#[derive(Debug, Clone)]
pub struct SignIn {
    gate: Gate,
    passwords: Lane,
    throttle: Arc<Throttle>,
    /// The token of the set-up link, while nobody has an account.
    set_up: Arc<Mutex<Option<TokenHash>>>,
}

impl SignIn {
    /// Hashes run on the lane `passwords`.
    pub fn new(gate: Gate, passwords: Lane, throttle: Arc<Throttle>) -> Self {
        Self { gate, passwords, throttle, set_up: Arc::default() }
    }

    /// Signs in with a password.
    pub async fn log_in(&self, call: Call, visitor: Visitor, given: Credentials) -> Result<Admitted> {
        let Credentials { login, password, org_id } = given;
        let account = Who::login(&login);
        let candidate = self.gate.public_view(call.clone(), move |tx| find(tx, login.trim())).await?;
        let user_id = candidate.as_ref().map(|candidate| candidate.user_id);
        if self.gate.shared().sessions.sso_only() && !candidate.as_ref().is_some_and(|candidate| candidate.is_open) {
            return Err(SSO_ONLY);
        }
        let known = candidate.as_ref().map(|candidate| (candidate.user_id, &candidate.device_account));
        let attempt = self.throttle.attempt(Kind::SignIn, self.counted(&visitor, known, account))?;
        let hash = candidate.as_ref().and_then(|candidate| candidate.password_hash.clone());
        let right = self.is_right(password, hash.clone()).await?;
        let (Some(Candidate { user_id, is_suspended, second_factor, .. }), true) = (candidate, right) else {
            self.gate.public(call, move |tx| refused(tx, user_id, "password")).await?;
            return Err(WRONG);
        };
        attempt.succeeded();
        if is_suspended {
            return Err(Error::Suspended);
        }
        let choice = org_id.map_or(OrgChoice::First, OrgChoice::One);
        if second_factor {
            return self.challenge(user_id, &choice, hash.as_deref()).map(Admitted::Challenged);
        }
        let begun = self.gate.public(call, move |tx| {
            unchanged(tx, user_id, hash.as_deref())?;
            // Switched on in the meantime: the client starts again, and is asked for a code.
            if second_factor::is_due(tx.core(), user_id)? {
                return Err(WRONG);
            }
            sessions::begin(tx, user_id, &choice, visitor.user_agent.as_deref())
        });
        Ok(Admitted::Begun(Box::new(begun.await?)))
    }

    /// Renews a session. The error says that it is over.
    pub async fn refresh(&self, call: Call, token: &str, choice: OrgChoice) -> Result<(SignedIn, RefreshToken)> {
        const OVER: Error = Error::Unauthenticated("there is no session to renew; sign in again");
        let token = RefreshToken::parse(token).ok_or(OVER)?;
        match self.gate.public(call, move |tx| sessions::renew(tx, &token, &choice)).await? {
            Renewal::Renewed(signed_in, next) => Ok((*signed_in, next)),
            Renewal::Over => Err(OVER),
        }
    }

    /// The hash of a password that somebody chose, unless it would be guessed at once. `known` is what a guesser knows
    /// of its owner; `field` is where it was given.
    pub async fn hash(&self, password: NewPassword, known: Vec<String>, field: &'static str) -> Result<String> {
        let work = move || {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            match password.weakness(&known) {
                Some(weakness) => Err(Error::invalid(field, weakness)),
                None => password.hash(),
            }
        };
        self.passwords.run(work).await
    }

    /// Holds a password against a hash. Without a hash the same work is done.
    async fn is_right(&self, password: String, hash: Option<String>) -> Result<bool> {
        if password.len() > LONGEST_PASSWORD {
            return Ok(false);
        }
        self.passwords.run(move || Ok(passwords::verify(&password, hash.as_deref()))).await
    }

    /// Whom a guess counts against. Browsers that have signed in to the account before have a budget of their own, one
    /// for all of them, so that strangers cannot use up its owner's attempts.
    fn counted(&self, visitor: &Visitor, known: Option<(i64, &device::Account)>, account: Who) -> Vec<Who> {
        let shared = self.gate.shared();
        match (&visitor.device, known) {
            (Some(cookie), Some((user_id, known)))
                if device::is_of(&shared.keys, cookie, known, shared.clock.now()) =>
            {
                vec![Who::device_address(visitor.address), Who::devices(user_id)]
            }
            _ => vec![Who::address(visitor.address), account],
        }
    }
}

fn find(tx: &PublicTx<'_>, login: &str) -> Result<Option<Candidate>> {
    let core = tx.core();
    let Some((user, password_hash)) = store::users::by_login(core.conn, login)? else { return Ok(None) };
    let second_factor = second_factor::is_due(core, user.id)?;
    let is_open = store::users::is_password_open(core.conn, user.id, core.now)?;
    let device_account = sessions::device_account(core, user.id)?;
    let (user_id, is_suspended) = (user.id, user.is_suspended);
    Ok(Some(Candidate { user_id, password_hash, device_account, is_suspended, second_factor, is_open }))
}

/// Notes that somebody failed to sign in, and at what.
fn refused(tx: &mut PublicTx<'_>, user_id: Option<i64>, at: &str) -> Result<()> {
    let details = json!({ "userId": user_id, "at": at });
    tx.core().audit_repeated("session.refuse", &details.to_string(), &details)
}

/// Refuses when the password is another than the one that was held against `hash`.
fn unchanged(tx: &PublicTx<'_>, user_id: i64, hash: Option<&str>) -> Result<()> {
    if store::users::password_hash(tx.core().conn, user_id)?.as_deref() == hash { Ok(()) } else { Err(WRONG) }
}
