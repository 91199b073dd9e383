//! What users change about their own sign-in, after giving their password again.

use serde::Deserialize;
use utoipa::ToSchema;

use super::SignIn;
use crate::{
    auth::{
        passwords::NewPassword,
        throttle::{Attempt, Kind, Who},
    },
    domain::{
        access::{Answer, Call, SessionTx},
        input::{Input, objects},
        passwords::{self, AlsoEnds, Proof},
        second_factor::{self, NewSecondFactor, RecoveryCodes},
    },
    error::{Error, Result},
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
    /// Also revoke all personal access tokens. False when absent.
    #[schema(nullable = false)]
    pub revoke_tokens: Option<bool>,
    /// Also disconnect all connected apps. False when absent.
    #[schema(nullable = false)]
    pub revoke_connectors: Option<bool>,
}

/// The caller's password, given again.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Password {
    /// The password.
    #[schema(format = Password, max_length = 1000)]
    pub password: String,
}

/// The caller's password, given again, with a code.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct PasswordAndCode {
    /// The password.
    #[schema(format = Password, max_length = 1000)]
    pub password: String,
    /// A code of the authenticator app, or a recovery code. Required while two-factor authentication is on.
    #[schema(nullable = false, example = "287082", max_length = 100)]
    pub code: Option<String>,
}

/// A code of an authenticator app.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Code {
    /// The code.
    #[schema(example = "287082", max_length = 100)]
    pub code: String,
}

objects!(PasswordChange, Password, PasswordAndCode, Code);
impl Input for PasswordChange {}
impl Input for Password {}
impl Input for PasswordAndCode {}
impl Input for Code {}

impl SignIn {
    /// Changes the caller's password and ends their other sessions. Returns the cookie by which their browser is known.
    pub async fn change_password(&self, call: Call, change: PasswordChange) -> Result<Option<String>> {
        if let Some(done) = self.gate.first_answer(call.clone()).await? {
            return Ok(done);
        }
        let proof = self.prove(&call, change.current).await?;
        let known = vec![proof.login().to_owned(), proof.display_name().to_owned()];
        let hash = self.hash(change.next, known, "next").await?;
        let also =
            AlsoEnds { tokens: change.revoke_tokens == Some(true), connectors: change.revoke_connectors == Some(true) };
        self.gate.session(call, move |tx| passwords::change(tx, &proof, &hash, also)).await
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
    pub async fn disable_second_factor(&self, call: Call, given: PasswordAndCode) -> Result<()> {
        self.proven_twice(call, given, second_factor::disable).await
    }

    /// Makes new recovery codes.
    pub async fn renew_recovery_codes(&self, call: Call, given: PasswordAndCode) -> Result<RecoveryCodes> {
        self.proven_twice(call, given, second_factor::renew_codes).await
    }

    /// Does what needs the caller's password and a code, once for each retry key.
    async fn proven_twice<T: Answer>(
        &self,
        call: Call,
        given: PasswordAndCode,
        work: impl for<'t, 'c> FnOnce(&'t mut SessionTx<'c>, &Proof, Option<&str>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        if let Some(done) = self.gate.first_answer(call.clone()).await? {
            return Ok(done);
        }
        let PasswordAndCode { password, code, .. } = given;
        let proof = self.prove(&call, password).await?;
        let attempt = match &code {
            Some(_) => Some(self.throttle.attempt(Kind::SecondFactor, [Who::user(proof.user_id())])?),
            None => None,
        };
        let refused = Call { retry: None, ..call.clone() };
        let done = self.gate.session(call, move |tx| work(tx, &proof, code.as_deref())).await;
        match &done {
            Ok(_) => attempt.into_iter().for_each(Attempt::succeeded),
            Err(Error::Forbidden(second_factor::WRONG_CODE)) => {
                self.gate.session(refused, second_factor::not_proven).await?;
            }
            Err(_) => {}
        }
        done
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
