//! Signing in with a password. Verifying a password takes long, so it happens between two transactions.
//!
//! An attempt is counted before the password is verified, and takes the same work whether or not the account exists.

pub mod account;
mod challenge;
mod forgotten;
mod joining;
mod link;
mod model;
mod reset_queue;
mod set_up;

use std::{
    net::IpAddr,
    sync::{Arc, Mutex},
};

use serde::{Deserialize, Serialize};
use serde_json::json;

pub use self::{
    challenge::{Challenge, ChallengeVerification},
    joining::InvitationAcceptance,
    link::{LinkDecision, LinkedAccount},
    set_up::InstanceSetup,
};
use self::{model::MAX_PASSWORD_BYTES, reset_queue::ResetQueue};
use super::{
    sessions::{self, NewSession, OrgChoice, Renewal, SSO_ONLY, SignedIn},
    two_factor,
};
use crate::{
    auth::{
        TokenHash, device,
        passwords::{self, NewPassword},
        refresh::RefreshToken,
        throttle::{AttemptKind, LimitKey, Throttle},
    },
    blocking::BlockingPool,
    describe::ToSchema,
    domain::{
        core::{Call, Gate, PublicTx, Reads, access::Public},
        input::{Input, objects},
        users,
        values::Login,
    },
    error::{Error, Result},
};

const WRONG: Error = Error::Unauthenticated("login or password is wrong");

// The attributes of utoipa accept only literals.
const _: () = assert!(Login::MAX_CHARS == 200 && MAX_PASSWORD_BYTES == 1_000);

/// A login and a password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Credentials {
    /// Login name; case is ignored.
    #[schema(example = "ada", max_length = 200)]
    pub login: String,
    /// Password.
    #[schema(format = Password, max_length = 1_000)]
    pub password: String,
    /// Id of the organization to make active. Default: the organization that the user joined first.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
}

objects!(Credentials, InstanceSetup, ChallengeVerification, LinkDecision);
impl Input for Credentials {}
impl Input for InstanceSetup {}
impl Input for ChallengeVerification {}
impl Input for LinkDecision {}

/// Origin of a sign-in request.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// IP address.
    pub address: IpAddr,
    /// User agent of the browser.
    pub user_agent: Option<String>,
    /// Device cookie of a browser that has signed in before.
    pub device: Option<String>,
}

/// Result of a sign-in with a correct password.
#[derive(Debug)]
pub enum SignInOutcome {
    /// A session.
    SignedIn(Box<NewSession>),
    /// A two-factor authentication code is required.
    Challenged(Challenge),
}

/// Response to a sign-in with a correct password.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SignInResponse {
    /// The session.
    SignedIn(SignedIn),
    /// A two-factor authentication code is required. Send it to `POST /api/auth/login/verify`.
    Challenged {
        /// The challenge to answer.
        challenge: Challenge,
    },
}

/// The account that a login name belongs to, before its password is verified.
struct Candidate {
    user_id: i64,
    password_hash: Option<String>,
    /// State of the account that a device cookie must match.
    device_account: device::DeviceAccount,
    is_suspended: bool,
    second_factor: bool,
    /// Whether the operator set the password recently, so that it is accepted even with `sso_only`.
    is_open: bool,
}

/// The sign-in service.
#[derive(Debug, Clone)]
pub struct SignIn {
    gate: Gate,
    passwords: BlockingPool,
    throttle: Arc<Throttle>,
    /// Hash of the setup token, while the instance has no user.
    set_up: Arc<Mutex<Option<TokenHash>>>,
    /// Requests for links that reset a password.
    resets: Arc<ResetQueue>,
}

impl SignIn {
    /// Creates the service. Passwords are hashed on the blocking thread pool `passwords`.
    pub fn new(gate: Gate, passwords: BlockingPool, throttle: Arc<Throttle>) -> Self {
        Self { gate, passwords, throttle, set_up: Arc::default(), resets: Arc::default() }
    }

    /// Signs in with a password.
    pub async fn log_in(&self, call: Call<Public>, visitor: Visitor, given: Credentials) -> Result<SignInOutcome> {
        let Credentials { login, password, org_id } = given;
        let account = LimitKey::login(&login);
        let candidate = self.gate.read(call.clone(), (), move |tx| find(tx, login.trim())).await?;
        let user_id = candidate.as_ref().map(|candidate| candidate.user_id);
        if self.gate.shared().sessions.sso_only() && !candidate.as_ref().is_some_and(|candidate| candidate.is_open) {
            return Err(SSO_ONLY);
        }
        let known = candidate.as_ref().map(|candidate| (candidate.user_id, &candidate.device_account));
        let attempt = self.throttle.attempt(AttemptKind::SignIn, self.counted(&visitor, known, account))?;
        let hash = candidate.as_ref().and_then(|candidate| candidate.password_hash.clone());
        let right = self.is_right(password, hash.clone()).await?;
        let (Some(Candidate { user_id, is_suspended, second_factor, .. }), true) = (candidate, right) else {
            self.gate.write_unstored(call, (), move |tx| refused(tx, user_id, "password")).await?;
            return Err(WRONG);
        };
        attempt.succeeded();
        if is_suspended {
            return Err(Error::Suspended);
        }
        let choice = org_id.map_or(OrgChoice::First, OrgChoice::One);
        if second_factor {
            return self.challenge(user_id, &choice, hash.as_deref()).map(SignInOutcome::Challenged);
        }
        let session = self.gate.write_unstored(call, (), move |tx| {
            unchanged(tx, user_id, hash.as_deref())?;
            // Two-factor authentication was turned on in the meantime. The client starts over and then gets a
            // challenge.
            if two_factor::is_due(tx.core(), user_id)? {
                return Err(WRONG);
            }
            sessions::start(tx, user_id, &choice, visitor.user_agent.as_deref())
        });
        Ok(SignInOutcome::SignedIn(Box::new(session.await?)))
    }

    /// Renews a session. Fails if the session is over.
    pub async fn refresh(
        &self,
        call: Call<Public>,
        token: &str,
        choice: OrgChoice,
    ) -> Result<(SignedIn, RefreshToken)> {
        const NO_SESSION: Error = Error::Unauthenticated("there is no session to renew; sign in again");
        let token = RefreshToken::parse(token).ok_or(NO_SESSION)?;
        match self.gate.write_unstored(call, (), move |tx| sessions::renew(tx, &token, &choice)).await? {
            Renewal::Renewed(signed_in, next) => Ok((*signed_in, next)),
            Renewal::Over => Err(NO_SESSION),
        }
    }

    /// Hashes a new password. Rejects a password that is easy to guess. `known` contains what an attacker knows about
    /// the user; `field` is the request field of the password.
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

    /// Verifies a password against a hash. Takes the same work if there is no hash.
    async fn is_right(&self, password: String, hash: Option<String>) -> Result<bool> {
        if password.len() > MAX_PASSWORD_BYTES {
            return Ok(false);
        }
        self.passwords.run(move || Ok(passwords::verify(&password, hash.as_deref()))).await
    }

    /// Rate limit keys that an attempt counts against. Browsers that have signed in to the account before share a
    /// separate limit, so that strangers cannot use up the attempts of the user.
    fn counted(
        &self,
        visitor: &Visitor,
        known: Option<(i64, &device::DeviceAccount)>,
        account: LimitKey,
    ) -> Vec<LimitKey> {
        let shared = self.gate.shared();
        match (&visitor.device, known) {
            (Some(cookie), Some((user_id, known)))
                if device::is_of(&shared.keys, cookie, known, shared.clock.now()) =>
            {
                vec![LimitKey::device_address(visitor.address), LimitKey::devices(user_id)]
            }
            _ => vec![LimitKey::address(visitor.address), account],
        }
    }
}

fn find(tx: &PublicTx<'_>, login: &str) -> Result<Option<Candidate>> {
    let core = tx.core();
    let Some((user, password_hash)) = users::by_login(core.conn, login)? else { return Ok(None) };
    let second_factor = two_factor::is_due(core, user.id)?;
    let is_open = users::is_password_open(core.conn, user.id, core.now)?;
    let device_account = sessions::device_account(core, user.id)?;
    let (user_id, is_suspended) = (user.id, user.is_suspended);
    Ok(Some(Candidate { user_id, password_hash, device_account, is_suspended, second_factor, is_open }))
}

/// Records a failed sign-in in the audit log. `at` is the step that failed.
fn refused(tx: &mut PublicTx<'_>, user_id: Option<i64>, at: &str) -> Result<()> {
    let details = json!({ "userId": user_id, "at": at });
    tx.core().audit_repeated("session.refuse", &details.to_string(), None, &details)
}

/// Fails if the password changed since it was verified against `hash`.
fn unchanged(tx: &PublicTx<'_>, user_id: i64, hash: Option<&str>) -> Result<()> {
    if users::password_hash(tx.core().conn, user_id)?.as_deref() == hash { Ok(()) } else { Err(WRONG) }
}
