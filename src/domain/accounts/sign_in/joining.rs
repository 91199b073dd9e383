//! Accepting an invitation, with a new account or as a signed-in user.

use serde::Deserialize;

use super::{SignIn, Visitor};
use crate::{
    auth::{
        passwords::NewPassword,
        throttle::{AttemptKind, LimitKey},
        tokens,
    },
    describe::ToSchema,
    domain::{
        accounts::{
            joining,
            sessions::{NewSession, SignedIn},
        },
        core::{
            Call,
            access::{Public, SessionUser},
        },
        input::{Input, objects},
        organizations::invitations,
        users::{self, NewUser},
        values::{Login, Name},
    },
    error::{Error, Problem, Result},
};

/// The account that accepts an invitation. A new user sends all three fields; a signed-in user sends none.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct InvitationAcceptance {
    /// Login name.
    #[schema(nullable = false)]
    login: Option<Login>,
    /// Display name.
    #[schema(nullable = false)]
    display_name: Option<Name>,
    /// Password.
    #[schema(nullable = false)]
    password: Option<NewPassword>,
}

objects!(InvitationAcceptance);
impl Input for InvitationAcceptance {}

const SSO_ONLY: Error = Error::Forbidden(
    "accounts with a password are not made here: sign in with the identity provider, and open the invitation again",
);

impl SignIn {
    /// Creates an account in the organization of the invitation and signs it in.
    pub async fn join(
        &self,
        call: Call<Public>,
        visitor: Visitor,
        token: &str,
        given: InvitationAcceptance,
    ) -> Result<NewSession> {
        if self.gate.shared().sessions.sso_only() {
            return Err(SSO_ONLY);
        }
        let token = tokens::hash(token);
        // The attempt counts unless an account is created: hashing the password is work even if the request is rejected
        // later.
        let attempt = self.throttle.attempt(AttemptKind::Invitation, [LimitKey::address(visitor.address)])?;
        self.gate.read(call.clone(), (), move |tx| invitations::details(tx, &token)).await?;
        let missing = |field: &str| Error::invalid(field, Problem::required(", unless you are signed in already"));
        let login = given.login.ok_or_else(|| missing("login"))?;
        let display_name = given.display_name.ok_or_else(|| missing("displayName"))?;
        let password = given.password.ok_or_else(|| missing("password"))?;
        let new_login = login.clone();
        self.gate.read(call.clone(), (), move |tx| users::login_is_free(tx, &new_login)).await?;
        let known = [login.as_str(), display_name.as_str()].map(str::to_owned).to_vec();
        let password_hash = self.hash(password, known, "password").await?;
        let new = NewUser { login, display_name, password_hash };
        let user_agent = visitor.user_agent;
        let joined = self
            .gate
            .write_unstored(call, (), move |tx| joining::join(tx, &token, &new, user_agent.as_deref()))
            .await?;
        attempt.succeeded();
        Ok(joined)
    }

    /// Adds the caller to the organization of the invitation and makes it the active organization.
    pub async fn join_as(
        &self,
        call: Call<SessionUser>,
        visitor: &Visitor,
        token: &str,
        given: InvitationAcceptance,
    ) -> Result<SignedIn> {
        if given.login.is_some() || given.display_name.is_some() || given.password.is_some() {
            let text = "you are signed in: send `{}` to join as yourself, or no credential to join as a new user";
            return Err(Error::invalid_input(text));
        }
        let token = tokens::hash(token);
        let attempt = self.throttle.attempt(AttemptKind::Invitation, [LimitKey::address(visitor.address)])?;
        let joined = self.gate.write(call, (), move |tx| joining::accept(tx, &token)).await?;
        attempt.succeeded();
        Ok(joined)
    }
}
