//! Changes to the caller's own sign-in methods, which require the current password.

use serde::Deserialize;

use super::{
    SignIn,
    model::{MAX_CODE_CHARS, MAX_PASSWORD_BYTES},
};
use crate::{
    auth::{
        passwords::NewPassword,
        throttle::{Attempt, AttemptKind, LimitKey},
    },
    describe::ToSchema,
    domain::{
        accounts::{
            passwords::{self, AlsoRevoke, Proof},
            profile::{self, ProfilePatch},
            sessions::SignedInUser,
            two_factor::{self, NewSecondFactor, RecoveryCodes},
        },
        core::{Answer, Call, SessionTx, access::SessionUser},
        input::{Input, objects},
    },
    error::{Error, Problem, Result},
};

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_PASSWORD_BYTES == 1_000 && MAX_CODE_CHARS == 100);

/// A password change.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct PasswordChange {
    /// Current password.
    #[schema(format = Password, max_length = 1_000)]
    pub current: String,
    /// New password.
    pub next: NewPassword,
    /// Whether to revoke all personal access tokens too. Default: false.
    #[schema(nullable = false)]
    pub revoke_tokens: Option<bool>,
    /// Whether to disconnect all connected apps too. Default: false.
    #[schema(nullable = false)]
    pub revoke_connectors: Option<bool>,
}

/// The caller's current password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Password {
    /// Password.
    #[schema(format = Password, max_length = 1_000)]
    pub password: String,
}

/// The caller's current password, and a two-factor authentication code.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct PasswordAndCode {
    /// Password.
    #[schema(format = Password, max_length = 1_000)]
    pub password: String,
    /// Code from the authenticator app, or a recovery code. Required if two-factor authentication is on.
    #[schema(nullable = false, example = "287082", max_length = 100)]
    pub code: Option<String>,
}

/// Code from an authenticator app.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct TotpCode {
    /// The code.
    #[schema(example = "287082", max_length = 100)]
    pub code: String,
}

objects!(PasswordChange, Password, PasswordAndCode, TotpCode);
impl Input for PasswordChange {}
impl Input for Password {}
impl Input for PasswordAndCode {}
impl Input for TotpCode {}

impl SignIn {
    /// Changes the caller's password and ends their other sessions. Returns a new cookie by which their browser is
    /// recognized.
    pub async fn change_password(&self, call: Call<SessionUser>, change: PasswordChange) -> Result<Option<String>> {
        if let Some(done) = self.gate.first_answer(call.clone(), ()).await? {
            return Ok(done);
        }
        let proof = self.prove(&call, change.current).await?;
        let known = vec![proof.login().to_owned(), proof.display_name().to_owned()];
        let hash = self.hash(change.next, known, "next").await?;
        let also = AlsoRevoke {
            tokens: change.revoke_tokens == Some(true),
            connectors: change.revoke_connectors == Some(true),
        };
        self.gate.write(call, (), move |tx| passwords::change(tx, &proof, &hash, also)).await
    }

    /// Updates the caller's profile, after verifying the password if that is required.
    pub async fn update_profile(&self, call: Call<SessionUser>, mut patch: ProfilePatch) -> Result<SignedInUser> {
        // Also if the password is not needed.
        if let Some(password) = &patch.password {
            Problem::check_length(password, 0, MAX_PASSWORD_BYTES)
                .map_err(|problem| Error::invalid("password", problem))?;
        }
        let email = patch.email.clone();
        let needs = move |tx: &SessionTx<'_>| profile::needs_password(tx, email.as_ref());
        let proof = match (self.gate.read(call.clone(), (), needs).await?, patch.password.take()) {
            (false, _) => None,
            (true, Some(password)) => Some(self.prove(&call, password).await?),
            (true, None) => {
                return Err(Error::invalid("password", Problem::required(" to change the email address")));
            }
        };
        self.gate.write(call, (), move |tx| profile::update(tx, &patch, proof.as_ref())).await
    }

    /// Starts the setup of two-factor authentication.
    pub async fn start_second_factor(&self, call: Call<SessionUser>, given: Password) -> Result<NewSecondFactor> {
        self.proven(call, given, two_factor::start).await
    }

    /// Turns two-factor authentication on.
    pub async fn confirm_second_factor(&self, call: Call<SessionUser>, given: TotpCode) -> Result<RecoveryCodes> {
        let user_id = self.gate.admit(call.clone()).await?.user_id;
        let attempt = self.throttle.attempt(AttemptKind::SecondFactor, [LimitKey::user(user_id)])?;
        let codes = self.gate.write(call, (), move |tx| two_factor::confirm(tx, &given.code)).await?;
        attempt.succeeded();
        Ok(codes)
    }

    /// Turns two-factor authentication off.
    pub async fn disable_second_factor(&self, call: Call<SessionUser>, given: PasswordAndCode) -> Result<()> {
        self.proven_twice(call, given, two_factor::disable).await
    }

    /// Creates new recovery codes.
    pub async fn renew_recovery_codes(&self, call: Call<SessionUser>, given: PasswordAndCode) -> Result<RecoveryCodes> {
        self.proven_twice(call, given, two_factor::renew_codes).await
    }

    /// Runs an operation that requires the caller's password and a code, once per idempotency key.
    async fn proven_twice<T: Answer>(
        &self,
        call: Call<SessionUser>,
        given: PasswordAndCode,
        work: impl for<'t, 'c> FnOnce(&'t mut SessionTx<'c>, &Proof, Option<&str>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        if let Some(done) = self.gate.first_answer(call.clone(), ()).await? {
            return Ok(done);
        }
        let PasswordAndCode { password, code, .. } = given;
        let proof = self.prove(&call, password).await?;
        let attempt = match &code {
            Some(_) => Some(self.throttle.attempt(AttemptKind::SecondFactor, [LimitKey::user(proof.user_id())])?),
            None => None,
        };
        let refused = call.clone().without_retry();
        let done = self.gate.write(call, (), move |tx| work(tx, &proof, code.as_deref())).await;
        match &done {
            Ok(_) => attempt.into_iter().for_each(Attempt::succeeded),
            Err(Error::Forbidden(two_factor::WRONG_CODE)) => {
                self.gate.write(refused, (), two_factor::not_proven).await?;
            }
            Err(_) => {}
        }
        done
    }

    /// Runs an operation that requires the caller's password, once per idempotency key.
    async fn proven<T: Answer>(
        &self,
        call: Call<SessionUser>,
        given: Password,
        work: impl for<'t, 'c> FnOnce(&'t mut SessionTx<'c>, &Proof) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        if let Some(done) = self.gate.first_answer(call.clone(), ()).await? {
            return Ok(done);
        }
        let proof = self.prove(&call, given.password).await?;
        self.gate.write(call, (), move |tx| work(tx, &proof)).await
    }

    /// Verifies the caller's password.
    async fn prove(&self, call: &Call<SessionUser>, password: String) -> Result<Proof> {
        let call = call.clone().without_retry();
        let proof = self.gate.read(call.clone(), (), passwords::to_prove).await?;
        let attempt = self.throttle.attempt(AttemptKind::Password, [LimitKey::user(proof.user_id())])?;
        if !self.is_right(password, proof.password_hash().map(str::to_owned)).await? {
            self.gate.write(call, (), passwords::not_proven).await?;
            return Err(passwords::WRONG);
        }
        attempt.succeeded();
        Ok(proof)
    }
}
