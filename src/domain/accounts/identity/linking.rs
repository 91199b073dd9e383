//! Finds or creates the account of an identity provider's user: by issuer and subject, otherwise by a verified email
//! address, otherwise as a new account.

use serde_json::json;

pub use super::model::{EarlierAccess, EndedAccess};
use crate::{
    auth::oidc::Assertion,
    domain::{
        accounts::{profile, sessions, store},
        core::Core,
        directory::people,
        organizations::{self, invitations},
        paging::Window,
        slug,
        users::{self, NewUserRow},
        values::{Email, Login, Name, PhotoUrl, UploadedPhoto},
    },
    error::{Error, Result},
};

/// Returns the account, updated from the provider's claims, and the access that ended if it was linked by this call.
pub(super) fn account(core: &Core<'_>, assertion: &Assertion, access: EarlierAccess) -> Result<(i64, EndedAccess)> {
    let found = store::identities::user_of(core.conn, &assertion.issuer, &assertion.subject)?;
    let (user_id, ended) = match found {
        Some(user_id) => (user_id, EndedAccess::default()),
        None => match linkable(core, assertion)? {
            Some(user_id) => (user_id, link(core, assertion, user_id, access)?),
            None => (create(core, assertion)?, EndedAccess::default()),
        },
    };
    describe(core, assertion, user_id)?;
    Ok((user_id, ended))
}

/// The email address, if the provider has verified it.
fn verified_email(assertion: &Assertion) -> Option<Email> {
    assertion.email.as_deref().filter(|_| assertion.email_verified).and_then(|email| Email::new(email).ok())
}

/// The only account with the verified email address.
///
/// Confirmed email addresses of accounts are set only by instance administrators and providers, never by organization
/// admins. An address that the account's user entered is not confirmed and ignored here: otherwise, the user could take
/// over the access of its actual owner. If two accounts have the address, the owner is ambiguous and neither is linked.
pub(super) fn linkable(core: &Core<'_>, assertion: &Assertion) -> Result<Option<i64>> {
    let Some(email) = verified_email(assertion) else { return Ok(None) };
    match store::identities::unclaimed(core.conn, &assertion.issuer, email.as_str())?.as_slice() {
        [only] => Ok(Some(*only)),
        _ => Ok(None),
    }
}

fn link(core: &Core<'_>, assertion: &Assertion, user_id: i64, access: EarlierAccess) -> Result<EndedAccess> {
    identify(core, assertion, user_id)?;
    for organization in organizations::of_user(core.conn, user_id, &Window::whole())?.items {
        people::rename_subject(core, &organization.id, user_id)?;
    }
    let ended = match access {
        EarlierAccess::Keep => EndedAccess::default(),
        EarlierAccess::End => end_earlier_access(core, user_id)?,
    };
    let details = json!({ "userId": user_id, "issuer": assertion.issuer, "subject": assertion.subject, "by": "email",
                          "accessKept": access == EarlierAccess::Keep, "passwordRemoved": ended.password, "secondFactorRemoved": ended.second_factor,
                          "sessionsEnded": ended.sessions, "tokensRevoked": ended.tokens,
                          "grantsRevoked": ended.grants });
    core.audit("user.link", Some(user_id), &details)?;
    Ok(ended)
}

/// The access that [`end_earlier_access`] would end.
pub(super) fn earlier_access(core: &Core<'_>, user_id: i64) -> Result<EndedAccess> {
    Ok(EndedAccess {
        password: users::password_hash(core.conn, user_id)?.is_some(),
        second_factor: store::two_factor::of_user(core.conn, user_id)?.is_some(),
        sessions: count(store::sessions::count_active(core.conn, user_id, core.now)?),
        tokens: count(store::tokens::count_active(core.conn, user_id)?),
        grants: count(store::connectors::count_grants(core.conn, user_id)?),
    })
}

fn count(rows: i64) -> usize {
    usize::try_from(rows).unwrap_or_default()
}

/// Ends all other access to an account.
///
/// Earlier access may belong to another person, because an invitation can be accepted by anyone who has the link.
/// Removing the password also invalidates the cookies of browsers known to the account.
fn end_earlier_access(core: &Core<'_>, user_id: i64) -> Result<EndedAccess> {
    let ended = EndedAccess {
        password: users::remove_password(core.conn, user_id)?,
        second_factor: store::two_factor::delete(core.conn, user_id)?,
        sessions: sessions::end_for_safety(core, user_id, None)?,
        tokens: store::tokens::revoke_all(core.conn, user_id, core.now)?,
        grants: store::connectors::revoke_of_user(core.conn, user_id, core.now)?,
    };
    invitations::end_unauthorized(core, user_id)?;
    Ok(ended)
}

fn create(core: &Core<'_>, assertion: &Assertion) -> Result<i64> {
    let name = display_name(assertion);
    // The login is derived from the provider's username, without characters that a login cannot contain. If it is
    // taken, a free variant is used.
    let name_or_login = assertion.login.as_deref().and_then(|login| Name::cleaned(login).ok());
    let name_or_login = name_or_login.map_or_else(|| name.clone(), String::from);
    let base = Login::of_name(&name_or_login).map_err(Error::internal)?;
    let taken = |login: &str| users::by_login(core.conn, login).map(|found| found.is_some());
    let login = slug::free(base.as_str(), taken)?;
    let email = verified_email(assertion);
    let row = NewUserRow {
        login: &login,
        display_name: &name,
        email: email.as_ref().map(Email::as_str),
        password_hash: None,
        is_admin: false,
    };
    let user_id = users::insert(core, &row)?;
    identify(core, assertion, user_id)?;
    let details = json!({ "userId": user_id, "login": login, "issuer": assertion.issuer, "subject": assertion.subject,
                          "by": "identity provider" });
    core.audit("user.create", Some(user_id), &details)?;
    Ok(user_id)
}

fn identify(core: &Core<'_>, assertion: &Assertion, user_id: i64) -> Result<()> {
    store::identities::insert(core.conn, &assertion.issuer, &assertion.subject, user_id, core.now)
}

fn display_name(assertion: &Assertion) -> String {
    let named = assertion.name.as_deref().or(assertion.login.as_deref()).and_then(|name| Name::cleaned(name).ok());
    named.map_or_else(|| "Unnamed user".into(), String::from)
}

/// Updates the user's profile from the provider. A profile of an account with a password is managed by its owner.
fn describe(core: &Core<'_>, assertion: &Assertion, user_id: i64) -> Result<()> {
    if users::password_hash(core.conn, user_id)?.is_some() {
        return Ok(());
    }
    let Some(user) = users::by_id(core.conn, user_id)? else { return Ok(()) };
    let name = assertion.name.as_deref().and_then(|name| Name::cleaned(name).ok());
    let email = verified_email(assertion);
    let picture = assertion.picture.as_deref().and_then(|url| PhotoUrl::new(url).ok());
    let is = |old: Option<&str>, new: Option<&str>| new.is_none() || old == new;
    let (name, email) = (name.as_ref().map(Name::as_str), email.as_ref().map(Email::as_str));
    let picture = picture.as_ref().map(PhotoUrl::as_str);
    let same = is(Some(&user.display_name), name)
        && is(user.email.as_deref(), email)
        && (email.is_none() || user.email_confirmed)
        && is(user.avatar_url.as_deref(), picture);
    if same {
        return Ok(());
    }
    // The provider's picture replaces a photo that the user uploaded before the provider managed the profile.
    let before = user.avatar_url.as_deref();
    if picture.is_some() && before.is_some_and(|address| UploadedPhoto::parse(address).is_some()) {
        profile::replace_photo(core, user_id, (before, picture))?;
    }
    store::identities::describe(core.conn, user_id, (name, email, picture))
}
