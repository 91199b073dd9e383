//! Creating the first account with the one-time link that the server prints.

use std::sync::{MutexGuard, PoisonError};

pub use super::model::InstanceSetup;
use super::{SignIn, Visitor};
use crate::{
    auth::{
        TokenHash,
        throttle::{AttemptKind, LimitKey},
        tokens,
    },
    domain::{
        accounts::administrators::{self, NewAdmin},
        accounts::sessions::NewSession,
        core::{Call, access::Public},
        organizations,
    },
    error::{Error, Result},
};

impl SignIn {
    /// Creates a one-time token for the first setup. Invalidates the previous token.
    pub fn offer_set_up(&self) -> String {
        let token = tokens::generate("");
        *self.expected() = Some(tokens::hash(&token));
        token
    }

    /// Creates the first account and signs it in. Of two concurrent requests, one succeeds.
    pub async fn set_up(&self, call: Call<Public>, visitor: Visitor, given: InstanceSetup) -> Result<NewSession> {
        self.gate.read(call.clone(), (), administrators::not_set_up).await?;
        let attempt = self.throttle.attempt(AttemptKind::SetUp, [LimitKey::address(visitor.address)])?;
        if *self.expected() != Some(tokens::hash(&given.token)) {
            return Err(Error::Forbidden("this setup link is not valid; the server prints a new one at each start"));
        }
        let InstanceSetup { login, display_name, password, organization, .. } = given;
        let known = [login.as_str(), display_name.as_str(), organization.as_str()].map(str::to_owned).to_vec();
        let password_hash = self.hash(password, known, "password").await?;
        let new = NewAdmin {
            login,
            display_name,
            password_hash,
            organization_slug: organizations::slug_from(&organization)?,
            organization_name: organization,
        };
        let user_agent = visitor.user_agent;
        let begun = self
            .gate
            .write_unstored(call, (), move |tx| administrators::set_up(tx, &new, user_agent.as_deref()))
            .await?;
        attempt.succeeded();
        *self.expected() = None;
        Ok(begun)
    }

    fn expected(&self) -> MutexGuard<'_, Option<TokenHash>> {
        self.set_up.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
