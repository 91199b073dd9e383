//! Confirming the email address of an account with a link that is sent to it.

use std::time::Duration;

use serde_json::json;

pub use super::model::email_links::{EmailConfirmation, EmptyBody};
pub(in crate::domain) use super::store::email_links::delete_expired;
use super::{
    model::email_links::StoredLink,
    profile,
    store::email_links::{self, Purpose},
};
use crate::{
    auth::{TokenHash, tokens},
    clock::DAY,
    domain::{
        core::{Core, PublicTx, Reads, SessionTx},
        mail::{self, MailKind, NewMail, Queued, Text},
        settings,
        users::{self, User},
    },
    error::{Error, Result},
};

/// Lifetime of a link, in milliseconds.
const LIFETIME: i64 = DAY;
/// When to try again after a limit was reached. The limits are per day.
const RETRY_AFTER: Duration = Duration::from_hours(1);

const NOT_FOUND: Error = Error::NotFound("link");

/// Sends a link to the caller's email address. It replaces an earlier link.
pub fn send(tx: &mut SessionTx<'_>) -> Result<()> {
    let core = tx.core();
    let user = profile::own(core, tx.caller().user_id)?;
    let conflict = |text: &str| Err(Error::Conflict(text.into()));
    let Some(email) = &user.email else {
        return conflict("this account has no email address; enter one in the profile first");
    };
    if user.email_confirmed {
        return conflict("the email address is already confirmed");
    }
    let token = tokens::generate("");
    let expires_at = core.now + LIFETIME;
    let text =
        text(&settings::instance_name(core)?, &user, format!("{}/confirm-email#{token}", core.shared.sessions.issuer));
    let user_id = Some(user.id);
    let new =
        NewMail { kind: MailKind::Confirmation, to: email, user_id, organization_id: None, expires_at, text: &text };
    match mail::enqueue(core, &new)? {
        Queued::Yes => {}
        Queued::Limited => return Err(Error::RateLimited { retry_after: RETRY_AFTER }),
        Queued::Off => {
            return conflict("this server sends no emails; an administrator of the instance can confirm the address");
        }
    }
    let link = StoredLink { user_id: user.id, email: email.clone(), expires_at };
    email_links::put(core.conn, Purpose::Confirmation, &link, &tokens::hash(&token))?;
    core.audit("email.send-confirmation", user_id, &json!({ "userId": user.id, "login": user.login }))
}

fn text(instance: &str, user: &User, url: String) -> Text {
    let login = &user.login;
    Text {
        subject: format!("Confirm your email address for {instance}"),
        instance: instance.to_owned(),
        before: vec![format!("The account {login} on {instance} uses this email address.")],
        link: ("Confirm the email address", url),
        after: vec![
            "The link is valid for 24 hours.".into(),
            "If this is not your account, ignore this email: the address is then not confirmed.".into(),
        ],
    }
}

/// Returns what the link with this secret confirms.
pub fn details(tx: &PublicTx<'_>, token: &TokenHash) -> Result<EmailConfirmation> {
    let (link, user) = expected(tx.core(), token)?;
    Ok(EmailConfirmation { email: link.email, login: user.login, expires_at: link.expires_at })
}

/// Confirms the email address. The link can be used once.
pub fn confirm(tx: &mut PublicTx<'_>, token: &TokenHash) -> Result<()> {
    let core = tx.core();
    let (link, user) = expected(core, token)?;
    // Accounts that an identity provider manages are not checked for unique addresses.
    if users::with_email(core.conn, &link.email, user.id)?.is_some() {
        return Err(Error::Conflict(
            "another account has this email address; ask an administrator of the instance".into(),
        ));
    }
    users::decide(core.conn, user.id, (user.is_admin, user.is_suspended), (Some(&link.email), true))?;
    email_links::delete(core.conn, Purpose::Confirmation, user.id)?;
    core.audit("email.confirm", Some(user.id), &json!({ "userId": user.id, "login": user.login }))
}

/// The link with this secret and its account, if the account still has the address.
fn expected(core: &Core<'_>, token: &TokenHash) -> Result<(StoredLink, User)> {
    let link = email_links::find(core.conn, Purpose::Confirmation, token, core.now)?.ok_or(NOT_FOUND)?;
    let user = users::by_id(core.conn, link.user_id)?.ok_or(NOT_FOUND)?;
    let is_valid = !user.is_suspended && user.email.as_ref() == Some(&link.email);
    if is_valid { Ok((link, user)) } else { Err(NOT_FOUND) }
}
