//! The account of somebody whom an identity provider knows: found by issuer and subject, linked by an address that the
//! provider has verified, or made.

use serde_json::json;

use super::super::{
    access::Core,
    people, slug, store,
    users::{self, NewUserRow},
    values::{Email, Login, Name},
};
use crate::{
    auth::oidc::Assertion,
    domain::values::PhotoUrl,
    error::{Error, Result},
};

/// The account, which is brought up to date with what the provider says.
pub(super) fn account(core: &Core<'_>, said: &Assertion) -> Result<i64> {
    let found = store::identities::user_of(core.conn, &said.issuer, &said.subject)?;
    let user_id = match found {
        Some(user_id) => user_id,
        None => match linkable(core, said)? {
            Some(user_id) => link(core, said, user_id)?,
            None => create(core, said)?,
        },
    };
    describe(core, said, user_id)?;
    Ok(user_id)
}

/// The address, when the provider has made sure that it is theirs.
fn verified_email(said: &Assertion) -> Option<Email> {
    said.email.as_deref().filter(|_| said.email_verified).and_then(|email| Email::new(email).ok())
}

/// The one account with their address. Addresses here are the word of the instance's administrators and of providers,
/// never of whom the account is for, nor of admins of organizations; of an address that two accounts have nobody can tell whose it is.
fn linkable(core: &Core<'_>, said: &Assertion) -> Result<Option<i64>> {
    let Some(email) = verified_email(said) else { return Ok(None) };
    match store::identities::unclaimed(core.conn, &said.issuer, email.as_str())?.as_slice() {
        [only] => Ok(Some(*only)),
        _ => Ok(None),
    }
}

fn link(core: &Core<'_>, said: &Assertion, user_id: i64) -> Result<i64> {
    identify(core, said, user_id)?;
    for organization in store::organizations::of_user(core.conn, user_id)? {
        people::rename_subject(core, &organization.id, user_id)?;
    }
    let details = json!({ "userId": user_id, "issuer": said.issuer, "subject": said.subject, "by": "email" });
    core.audit("user.link", Some(user_id), &details)?;
    Ok(user_id)
}

fn create(core: &Core<'_>, said: &Assertion) -> Result<i64> {
    let name = display_name(said);
    // What one is called for short, without what a login cannot hold; whoever has it already keeps it.
    let wanted: String = said.login.as_deref().unwrap_or(&name).split_whitespace().collect::<Vec<_>>().join(".");
    let base = Login::new(&wanted).map_err(Error::internal)?;
    let taken = |login: &str| store::users::by_login(core.conn, login).map(|found| found.is_some());
    let login = slug::free(base.as_str(), taken)?;
    let email = verified_email(said);
    let row = NewUserRow {
        login: &login,
        display_name: &name,
        email: email.as_ref().map(Email::as_str),
        password_hash: None,
        is_admin: false,
    };
    let user_id = users::insert(core, &row)?;
    identify(core, said, user_id)?;
    let details = json!({ "userId": user_id, "login": login, "issuer": said.issuer, "subject": said.subject,
                          "by": "identity provider" });
    core.audit("user.create", Some(user_id), &details)?;
    Ok(user_id)
}

fn identify(core: &Core<'_>, said: &Assertion, user_id: i64) -> Result<()> {
    store::identities::insert(core.conn, &said.issuer, &said.subject, user_id, core.now)
}

fn display_name(said: &Assertion) -> String {
    let named = said.name.as_deref().or(said.login.as_deref()).and_then(|name| Name::new(name).ok());
    named.map_or_else(|| "Somebody".into(), String::from)
}

/// Keeps what is shown of a user as the provider has it. An account with a password is its owner's to describe.
fn describe(core: &Core<'_>, said: &Assertion, user_id: i64) -> Result<()> {
    if store::users::password_hash(core.conn, user_id)?.is_some() {
        return Ok(());
    }
    let Some(user) = store::users::by_id(core.conn, user_id)? else { return Ok(()) };
    let name = said.name.as_deref().and_then(|name| Name::new(name).ok());
    let email = verified_email(said);
    let picture = said.picture.as_deref().and_then(|url| PhotoUrl::new(url).ok());
    let is = |old: Option<&str>, new: Option<&str>| new.is_none() || old == new;
    let (name, email) = (name.as_ref().map(Name::as_str), email.as_ref().map(Email::as_str));
    let picture = picture.as_ref().map(PhotoUrl::as_str);
    let same = is(Some(&user.display_name), name)
        && is(user.email.as_deref(), email)
        && is(user.avatar_url.as_deref(), picture);
    if same { Ok(()) } else { store::identities::describe(core.conn, user_id, (name, email, picture)) }
}
