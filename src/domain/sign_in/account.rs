//! What users change about their own sign-in, after giving their password again.

use serde::Deserialize;
use utoipa::ToSchema;

use super::SignIn;
use crate::{
    auth::{
        passwords::NewPassword,
        throttle::{Kind, Who},
    },
    domain::{
        access::{Answer, Call, SessionTx},
        input::{Input, objects},
        passwords::{self, Proof},
        second_factor::{self, NewSecondFactor, RecoveryCodes},
    },
    error::Result,
};

/// Another password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct PasswordChange {
    /// The password until now.
    #[schema(format = Password, max_length = 1000)]
    pub current: String,
    /// The password from now on.
    pub next: NewPassword,
}

/// The caller's password, given again.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Password {
    /// The password.
    #[schema(format = Password, max_length = 1000)]
    pub password: String,
}

/// A code of an authenticator app.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Code {
    /// The code.
    #[schema(example = "287082", max_length = 100)]
    pub code: String,
}

objects!(PasswordChange, Password, Code);
impl Input for PasswordChange {}
impl Input for Password {}
impl Input for Code {}

impl SignIn {
    /// Changes the caller's password and ends their other sessions.
    pub async fn change_password(&self, call: Call, change: PasswordChange) -> Result<()> {
        if let Some(done) = self.gate.first_answer(call.clone()).await? {
            return Ok(done);
        }
        let proof = self.prove(&call, change.current).await?;
        let known = vec![proof.login().to_owned(), proof.display_name().to_owned()];
        let hash = self.hash(change.next, known, "next").await?;
        self.gate.session(call, move |tx| passwords::change(tx, &proof, &hash)).await
    }

    /// Begins to set up a second factor.
    pub async fn begin_second_factor(&self, call: Call, given: Password) -> Result<NewSecondFactor> {
        self.proven(call, given, second_factor::begin).await
    }

    /// Switches the second factor on.
    pub async fn confirm_second_factor(&self, call: Call, given: Code) -> Result<RecoveryCodes> {
        let user_id = self.gate.admit(call.clone()).await?.user_id;
        let attempt = self.throttle.attempt(Kind::SecondFactor, [Who::user(user_id)])?;
        let codes = self.gate.session(call, move |tx| second_factor::confirm(tx, &given.code)).await?;
        attempt.succeeded();
        Ok(codes)
    }

    /// Switches the second factor off.
    pub async fn disable_second_factor(&self, call: Call, given: Password) -> Result<()> {
        self.proven(call, given, second_factor::disable).await
    }

    /// Makes new recovery codes.
    pub async fn renew_recovery_codes(&self, call: Call, given: Password) -> Result<RecoveryCodes> {
        self.proven(call, given, second_factor::renew_codes).await
    }

    /// Does what needs the caller's password, once for each retry key.
    async fn proven<T: Answer>(
        &self,
        call: Call,
        given: Password,
        work: impl for<'t, 'c> FnOnce(&'t mut SessionTx<'c>, &Proof) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        if let Some(done) = self.gate.first_answer(call.clone()).await? {
            return Ok(done);
        }
        let proof = self.prove(&call, given.password).await?;
        self.gate.session(call, move |tx| work(tx, &proof)).await
    }

    /// Holds a password against the caller's own.
    async fn prove(&self, call: &Call, password: String) -> Result<Proof> {
        let call = Call { retry: None, ..call.clone() };
        let proof = self.gate.session_view(call.clone(), passwords::to_prove).await?;
        let attempt = self.throttle.attempt(Kind::Password, [Who::user(proof.user_id())])?;
        if !self.is_right(password, proof.password_hash().map(str::to_owned)).await? {
            self.gate.session(call, passwords::not_proven).await?;
            return Err(passwords::WRONG);
        }
        attempt.succeeded();
        Ok(proof)
    }
}
