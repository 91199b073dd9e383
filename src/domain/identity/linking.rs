//! Finds or creates the account of an identity provider's user: by issuer and subject, otherwise by a verified email
//! address, otherwise as a new account.

use serde_json::json;

use super::{
    super::{
        access::Core,
        invitations,
        paging::Window,
        people, sessions, slug, store,
        users::{self, NewUserRow},
        values::{Email, Login, Name},
    },
    pending::AccessKind,
};
use crate::{
    auth::oidc::Assertion,
    domain::values::{PhotoUrl, words},
    error::{Error, Result},
};

/// The access that ended when an account was linked, so that only the provider's user can access the account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ended {
    /// Whether a password was removed.
    pub password: bool,
    /// Whether two-factor authentication was removed.
    pub second_factor: bool,
    /// Number of sessions that ended.
    pub sessions: usize,
    /// Number of personal access tokens that were revoked.
    pub tokens: usize,
    /// Number of grants of connected apps that were revoked.
    pub grants: usize,
}

impl Ended {
    /// The kinds of access that ended.
    pub fn kinds(self) -> Vec<AccessKind> {
        let kinds = [
            (AccessKind::Password, self.password),
            (AccessKind::SecondFactor, self.second_factor),
            (AccessKind::Sessions, self.sessions > 0),
            (AccessKind::Tokens, self.tokens > 0),
            (AccessKind::Connectors, self.grants > 0),
        ];
        kinds.into_iter().filter(|(_, ended)| *ended).map(|(kind, _)| kind).collect()
    }
}

words! {
    /// What happens to the password, sessions, tokens and connected apps of an account that is linked.
    EarlierAccess {
        /// Earlier access is preserved. Only for callers who have entered the account's password.
        Keep = "keep",
        /// Earlier access ends.
        End = "end",
    }
}

/// Returns the account, updated from the provider's claims, and the access that ended if it was linked by this call.
pub(super) fn account(core: &Core<'_>, said: &Assertion, access: EarlierAccess) -> Result<(i64, Ended)> {
    let found = store::identities::user_of(core.conn, &said.issuer, &said.subject)?;
    let (user_id, ended) = match found {
        Some(user_id) => (user_id, Ended::default()),
        None => match linkable(core, said)? {
            Some(user_id) => (user_id, link(core, said, user_id, access)?),
            None => (create(core, said)?, Ended::default()),
        },
    };
    describe(core, said, user_id)?;
    Ok((user_id, ended))
}

/// The email address, if the provider has verified it.
fn verified_email(said: &Assertion) -> Option<Email> {
    said.email.as_deref().filter(|_| said.email_verified).and_then(|email| Email::new(email).ok())
}

/// The only account with the verified email address.
///
/// Email addresses of accounts are set only by instance administrators and providers, never by the account's user or by
/// organization admins. If two accounts have the address, the owner is ambiguous and neither is linked.
pub(super) fn linkable(core: &Core<'_>, said: &Assertion) -> Result<Option<i64>> {
    let Some(email) = verified_email(said) else { return Ok(None) };
    match store::identities::unclaimed(core.conn, &said.issuer, email.as_str())?.as_slice() {
        [only] => Ok(Some(*only)),
        _ => Ok(None),
    }
}

fn link(core: &Core<'_>, said: &Assertion, user_id: i64, access: EarlierAccess) -> Result<Ended> {
    identify(core, said, user_id)?;
    for organization in store::organizations::of_user(core.conn, user_id, &Window::whole())?.items {
        people::rename_subject(core, &organization.id, user_id)?;
    }
    let ended = match access {
        EarlierAccess::Keep => Ended::default(),
        EarlierAccess::End => end_earlier_access(core, user_id)?,
    };
    let details = json!({ "userId": user_id, "issuer": said.issuer, "subject": said.subject, "by": "email",
                          "accessKept": access == EarlierAccess::Keep, "passwordRemoved": ended.password, "secondFactorRemoved": ended.second_factor,
                          "sessionsEnded": ended.sessions, "tokensRevoked": ended.tokens,
                          "grantsRevoked": ended.grants });
    core.audit("user.link", Some(user_id), &details)?;
    Ok(ended)
}

/// The access that [`end_earlier_access`] would end.
pub(super) fn earlier_access(core: &Core<'_>, user_id: i64) -> Result<Ended> {
    Ok(Ended {
        password: store::users::password_hash(core.conn, user_id)?.is_some(),
        second_factor: store::second_factors::of_user(core.conn, user_id)?.is_some(),
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
fn end_earlier_access(core: &Core<'_>, user_id: i64) -> Result<Ended> {
    let ended = Ended {
        password: store::users::remove_password(core.conn, user_id)?,
        second_factor: store::second_factors::delete(core.conn, user_id)?,
        sessions: sessions::end_for_safety(core, user_id, None)?,
        tokens: store::tokens::revoke_all(core.conn, user_id, core.now)?,
        grants: store::connectors::revoke_of_user(core.conn, user_id, core.now)?,
    };
    invitations::end_unauthorized(core, user_id)?;
    Ok(ended)
}

fn create(core: &Core<'_>, said: &Assertion) -> Result<i64> {
    let name = display_name(said);
    // The login is derived from the provider's username, without characters that a login cannot contain. If it is
    // taken, a free variant is used.
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
    named.map_or_else(|| "Unnamed user".into(), String::from)
}

/// Updates the user's profile from the provider. A profile of an account with a password is managed by its owner.
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
