//! The account of somebody whom an identity provider knows: found by issuer and subject, linked by an address that the
//! provider has verified, or made.

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

/// What ended when an account was linked, so that the account belongs to nobody but the person that the provider knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ended {
    /// Whether there was a password.
    pub password: bool,
    /// Whether there was a second factor.
    pub second_factor: bool,
    /// How many sessions ended.
    pub sessions: usize,
    /// How many personal access tokens were revoked.
    pub tokens: usize,
    /// How many grants of connected apps were revoked.
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
        /// They stay. Only for callers who have given the account's password.
        Keep = "keep",
        /// They end.
        End = "end",
    }
}

/// The account, which is brought up to date with what the provider says, and what ended if it was linked just now.
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

/// The address, when the provider has made sure that it is theirs.
fn verified_email(said: &Assertion) -> Option<Email> {
    said.email.as_deref().filter(|_| said.email_verified).and_then(|email| Email::new(email).ok())
}

/// The one account with their address. Addresses here are the word of the instance's administrators and of providers,
/// never of whom the account is for, nor of admins of organizations; of an address that two accounts have nobody can tell whose it is.
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

/// Ends every other way into an account. Whoever had it until now may have been somebody else: an invitation is opened by
/// anybody who has the link. With the password go the browsers that it was known by.
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
