//! Forgotten passwords: requesting a link, and setting a new password with it.

use super::{
    SignIn, Visitor,
    reset_queue::{MAX_WAITING, Request},
};
use crate::{
    auth::{
        throttle::{AttemptKind, LimitKey},
        tokens,
    },
    domain::{
        accounts::password_reset::{self, ForgottenPassword, PasswordReset, PasswordResetRequest},
        core::{Call, PublicTx, Reads, access::Public},
    },
    error::{Error, Result},
};

impl SignIn {
    /// Accepts a request for a link. Fails only for reasons that do not depend on the account.
    pub async fn request_password_reset(
        &self,
        call: Call<Public>,
        visitor: &Visitor,
        request: PasswordResetRequest,
    ) -> Result<()> {
        self.gate.read(call.clone(), (), |tx: &PublicTx<'_>| password_reset::expect_on(tx.core())).await?;
        let who = [LimitKey::address(visitor.address), LimitKey::login(request.email.as_str())];
        // Every request counts, so the attempt never succeeds.
        self.throttle.attempt(AttemptKind::ResetRequest, who)?;
        if self.resets.sender.try_send((call.without_body(), request)).is_err() {
            tracing::warn!(
                "ignored a request to reset a password, because too many are waiting; the user can try again"
            );
        }
        Ok(())
    }

    /// Sends the requested links until the future is dropped.
    pub async fn send_password_resets(&self) {
        let mut requests = self.resets.receiver.lock().await;
        let mut received = Vec::new();
        while requests.recv_many(&mut received, MAX_WAITING).await > 0 {
            self.answer_password_resets(std::mem::take(&mut received)).await;
        }
    }

    /// Sends the links that were requested before the call.
    pub async fn send_requested_password_resets(&self) {
        let mut requests = self.resets.receiver.lock().await;
        let received = std::iter::from_fn(|| requests.try_recv().ok()).collect();
        self.answer_password_resets(received).await;
    }

    /// Looks all requests up in one transaction. Those for unknown addresses, of which strangers can send many, are recorded
    /// in one transaction, too.
    async fn answer_password_resets(&self, mut requests: Vec<Request>) {
        let report = |error: Error| tracing::warn!(%error, "cannot answer requests to reset a password; users can request another link");
        let Some((first, _)) = requests.first() else { return };
        let emails: Vec<String> = requests.iter().map(|(_, request)| request.email.as_str().to_owned()).collect();
        let look_up = move |tx: &PublicTx<'_>| password_reset::are_known(tx, &emails);
        let mut is_known = match self.gate.read(first.clone(), (), look_up).await {
            Ok(is_known) => is_known.into_iter(),
            Err(error) => return report(error),
        };
        let known: Vec<Request> = requests.extract_if(.., |_| is_known.next().unwrap_or_default()).collect();
        for (call, PasswordResetRequest { email }) in known {
            let send = move |tx: &mut PublicTx<'_>| password_reset::send(tx, email.as_str());
            self.gate.write_unstored(call, (), send).await.unwrap_or_else(report);
        }
        let count = requests.len();
        if let Some((last, _)) = requests.pop() {
            let record = move |tx: &mut PublicTx<'_>| password_reset::record_unknown(tx, count);
            self.gate.write_unstored(last, (), record).await.unwrap_or_else(report);
        }
    }

    /// Returns the account that a link belongs to.
    pub async fn read_password_reset(
        &self,
        call: Call<Public>,
        visitor: &Visitor,
        token: &str,
    ) -> Result<PasswordReset> {
        let token = tokens::hash(token);
        let attempt = self.throttle.attempt(AttemptKind::EmailLink, [LimitKey::address(visitor.address)])?;
        let reset = self.gate.read(call, (), move |tx| password_reset::details(tx, &token)).await?;
        attempt.succeeded();
        Ok(reset)
    }

    /// Sets a new password with a link, and lifts the rate limits of the account.
    pub async fn reset_password(
        &self,
        call: Call<Public>,
        visitor: &Visitor,
        token: &str,
        given: ForgottenPassword,
    ) -> Result<()> {
        let token = tokens::hash(token);
        // The attempt counts unless the password is set: hashing it is work.
        let attempt = self.throttle.attempt(AttemptKind::EmailLink, [LimitKey::address(visitor.address)])?;
        let found = self.gate.read(call.clone(), (), move |tx| password_reset::details(tx, &token)).await?;
        let hash = self.hash(given.password, vec![found.login, found.display_name], "password").await?;
        let redeem = move |tx: &mut PublicTx<'_>| password_reset::redeem(tx, &token, &hash);
        let (user_id, login) = self.gate.write_unstored(call, (), redeem).await?;
        attempt.succeeded();
        for who in [LimitKey::login(&login), LimitKey::devices(user_id)] {
            self.throttle.clear(AttemptKind::SignIn, who);
        }
        Ok(())
    }
}
