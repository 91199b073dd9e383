//! Resetting a forgotten password with a link that is sent to the confirmed email address of the account.
//!
//! Visitors never learn whether an address belongs to an account: the response does not depend on it, and the account is
//! looked up after the response.

use serde_json::json;

pub use super::model::email_links::{ForgottenPassword, PasswordReset, PasswordResetRequest};
use super::{
    model::email_links::StoredLink,
    sessions,
    store::email_links::{self, Purpose},
};
use crate::{
    auth::{TokenHash, tokens},
    clock::HOUR,
    domain::{
        core::{Core, PublicTx, Reads},
        mail::{self, MailKind, NewMail, Queued, Text},
        settings,
        users::{self, User},
    },
    error::{Error, Result},
};

/// Lifetime of a link, in milliseconds.
const LIFETIME: i64 = HOUR;

const NOT_FOUND: Error = Error::NotFound("link");

/// Whether users can reset their password by email.
pub(in crate::domain) fn is_on(core: &Core<'_>) -> bool {
    mail::is_on(core) && !core.shared.sessions.sso_only()
}

/// Fails if users cannot reset their password by email.
pub(in crate::domain) fn expect_on(core: &Core<'_>) -> Result<()> {
    if is_on(core) {
        return Ok(());
    }
    Err(Error::Conflict(
        "this server sends no links for forgotten passwords; ask an administrator of the instance".into(),
    ))
}

/// Whether each of these is the confirmed email address of an account with a password.
pub(in crate::domain) fn are_known(tx: &PublicTx<'_>, emails: &[String]) -> Result<Vec<bool>> {
    let conn = tx.core().conn;
    emails.iter().map(|email| Ok(!email_links::with_password(conn, email)?.is_empty())).collect()
}

/// Records this many requests for unknown addresses in the audit log.
pub(in crate::domain) fn record_unknown(tx: &mut PublicTx<'_>, count: usize) -> Result<()> {
    let details = json!({ "userId": null });
    (0..count).try_for_each(|_| tx.core().audit_repeated("password.request-reset", "-", None, &details))
}

/// Sends a link to the account with this confirmed email address, if it has a password. It replaces an earlier link.
pub(in crate::domain) fn send(tx: &mut PublicTx<'_>, email: &str) -> Result<()> {
    let core = tx.core();
    expect_on(core)?;
    let instance = settings::instance_name(core)?;
    for user_id in email_links::with_password(core.conn, email)? {
        let Some(user @ User { email: Some(email), .. }) = &users::by_id(core.conn, user_id)? else { continue };
        let token = tokens::generate("");
        let expires_at = core.now + LIFETIME;
        let text = text(&instance, user, format!("{}/reset-password#{token}", core.shared.sessions.issuer));
        let new = NewMail {
            kind: MailKind::Reset,
            to: email,
            // A visitor causes it.
            user_id: None,
            organization_id: None,
            expires_at,
            text: &text,
        };
        let is_sent = mail::enqueue(core, &new)? == Queued::Yes;
        if is_sent {
            let link = StoredLink { user_id, email: email.clone(), expires_at };
            email_links::put(core.conn, Purpose::Reset, &link, &tokens::hash(&token))?;
        }
        let details = json!({ "userId": user_id, "login": user.login, "isSent": is_sent });
        core.audit("password.request-reset", None, &details)?;
    }
    Ok(())
}

fn text(instance: &str, user: &User, url: String) -> Text {
    let login = &user.login;
    Text {
        subject: format!("Reset your password for {instance}"),
        instance: instance.to_owned(),
        before: vec![format!("You, or someone else, asked for a new password for the account {login} on {instance}.")],
        link: ("Choose a new password", url),
        after: vec![
            "The link is valid for one hour and works once. When you use it, all sessions of the account end.".into(),
            "If you did not ask for this, ignore this email: the password then stays the same.".into(),
        ],
    }
}

/// Returns the account that the link with this secret belongs to.
pub fn details(tx: &PublicTx<'_>, token: &TokenHash) -> Result<PasswordReset> {
    let (link, User { login, display_name, .. }) = expected(tx.core(), token)?;
    Ok(PasswordReset { login, display_name, expires_at: link.expires_at })
}

/// Sets the password and ends all sessions. The link can be used once. Two-factor authentication stays on. Returns id and
/// login of the user.
pub(in crate::domain) fn redeem(tx: &mut PublicTx<'_>, token: &TokenHash, hash: &str) -> Result<(i64, String)> {
    let core = tx.core();
    let (_, user) = expected(core, token)?;
    users::set_password_hash(core.conn, user.id, hash)?;
    // Also deletes the link.
    let ended = sessions::end_for_safety(core, user.id, None)?;
    let details = json!({ "userId": user.id, "login": user.login, "sessionsEnded": ended, "by": "email" });
    core.audit("password.reset", Some(user.id), &details)?;
    Ok((user.id, user.login))
}

/// The link with this secret and its account, if it could be sent to that account now.
fn expected(core: &Core<'_>, token: &TokenHash) -> Result<(StoredLink, User)> {
    let link = email_links::find(core.conn, Purpose::Reset, token, core.now)?.ok_or(NOT_FOUND)?;
    let user = users::by_id(core.conn, link.user_id)?.ok_or(NOT_FOUND)?;
    let is_valid = is_on(core)
        && !user.is_suspended
        && user.email_confirmed
        && user.email.as_ref() == Some(&link.email)
        && users::password_hash(core.conn, user.id)?.is_some();
    if is_valid { Ok((link, user)) } else { Err(NOT_FOUND) }
}
