//! The decision about linking an account to the identity provider: with the password of the account, existing access
//! remains; without it, existing access ends.

use serde::Serialize;

pub use super::model::LinkDecision;
use super::{SignIn, Visitor, refused};
use crate::{
    auth::{
        device,
        throttle::{AttemptKind, LimitKey},
    },
    describe::ToSchema,
    domain::{
        accounts::{
            identity::{AccessKind, EarlierAccess, EndedAccess, UndecidedLink},
            sessions::{self, NewSession, SignedIn},
            two_factor,
        },
        core::{Call, PublicTx, Reads, access::Public},
        users,
    },
    error::{Error, Result},
};

const WRONG_PASSWORD: Error = Error::Unauthenticated("the password is wrong; nothing was linked");
const WRONG_CODE: Error =
    Error::Unauthenticated("the code is wrong, or was used already; nothing was linked. Wait for the next code");

/// A linked account and its session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkedAccount {
    /// The session.
    #[serde(flatten)]
    pub signed_in: SignedIn,
    /// Kinds of access that ended.
    pub ended: Vec<AccessKind>,
}

/// What the password is verified against.
struct LinkableAccount {
    login: String,
    password_hash: Option<String>,
    device: device::DeviceAccount,
    second_factor: bool,
}

impl SignIn {
    /// Links an account as its owner decided, and starts a session.
    pub async fn link(
        &self,
        call: Call<Public>,
        visitor: Visitor,
        pending: UndecidedLink,
        decision: LinkDecision,
    ) -> Result<(NewSession, EndedAccess)> {
        let LinkDecision { id, access, password, code } = decision;
        if id != pending.id() {
            let text = "another sign-in has begun in this browser since; reload the page";
            return Err(Error::Conflict(text.into()));
        }
        match access {
            EarlierAccess::End => {
                let attempt = self.throttle.attempt(AttemptKind::Provider, [LimitKey::address(visitor.address)])?;
                let user_agent = visitor.user_agent;
                let linked = self.gate.aside(move |tx| pending.link(tx, access, user_agent.as_deref())).await?;
                attempt.succeeded();
                Ok(linked)
            }
            EarlierAccess::Keep => {
                let password = password.ok_or_else(|| Error::invalid("password", "is required to keep access"))?;
                self.link_with_password(call, visitor, pending, password, code).await
            }
        }
    }

    async fn link_with_password(
        &self,
        call: Call<Public>,
        visitor: Visitor,
        pending: UndecidedLink,
        password: String,
        code: Option<String>,
    ) -> Result<(NewSession, EndedAccess)> {
        let user_id = pending.user_id();
        let link = pending.clone();
        let account = self.gate.read(call.clone(), (), move |tx| account(tx, &link)).await?;
        let LinkableAccount { login, password_hash, device, second_factor } = account;
        if second_factor && code.is_none() {
            return Err(code_required());
        }
        let known = Some((user_id, &device));
        // Counts against the same rate limit as signing in with this password.
        let attempt =
            self.throttle.attempt(AttemptKind::SignIn, self.counted(&visitor, known, LimitKey::login(&login)))?;
        if !self.is_right(password, password_hash).await? {
            self.gate.write_unstored(call, (), move |tx| refused(tx, Some(user_id), "link-password")).await?;
            return Err(WRONG_PASSWORD);
        }
        attempt.succeeded();
        let counted = self.counted(&visitor, known, LimitKey::user(user_id));
        let attempt = code.is_some().then(|| self.throttle.attempt(AttemptKind::SecondFactor, counted)).transpose()?;
        let user_agent = visitor.user_agent;
        let linked = self.gate.aside(move |tx| {
            if two_factor::is_due(tx.core(), user_id)? {
                let code = code.ok_or_else(code_required)?;
                if !two_factor::take_either(tx.core(), user_id, &code)? {
                    return Ok(None);
                }
            }
            pending.link(tx, EarlierAccess::Keep, user_agent.as_deref()).map(Some)
        });
        let Some(linked) = linked.await? else {
            self.gate.write_unstored(call, (), move |tx| refused(tx, Some(user_id), "link-code")).await?;
            return Err(WRONG_CODE);
        };
        if let Some(attempt) = attempt {
            attempt.succeeded();
        }
        Ok(linked)
    }
}

fn account(tx: &PublicTx<'_>, pending: &UndecidedLink) -> Result<LinkableAccount> {
    let core = tx.core();
    let user = pending.account(core)?;
    Ok(LinkableAccount {
        password_hash: users::password_hash(core.conn, user.id)?,
        device: sessions::device_account(core, user.id)?,
        second_factor: two_factor::is_due(core, user.id)?,
        login: user.login,
    })
}

fn code_required() -> Error {
    Error::invalid("code", "is required while two-factor authentication is on")
}
