//! The caller's own name, photo and email address.

use serde_json::json;

pub use super::model::profile::ProfilePatch;
use super::passwords::{self, Proof};
use crate::{
    domain::{
        accounts::sessions::SignedInUser,
        core::{Core, Reads, SessionTx},
        directory::people,
        organizations,
        paging::Window,
        users::{self, OwnFields, User},
        values::{ContactEmail, Name, PhotoUrl},
    },
    error::{Error, Result},
};

/// Whether the caller must prove their password to make these changes. Fails if the identity provider manages the
/// profile.
pub fn needs_password(tx: &SessionTx<'_>, email: Option<&ContactEmail>) -> Result<bool> {
    let user = own(tx.core(), tx.caller().user_id)?;
    let changes = email.is_some_and(|email| given(email.as_str()) != user.email.as_deref());
    Ok(changes && users::password_hash(tx.core().conn, user.id)?.is_some())
}

/// Updates the caller's profile. `proof` is required if the email address of an account with a password changes.
///
/// A new photo is copied to the people that the user is in their organizations, unless they have a photo of their own.
///
/// The new email address is not confirmed: it links no account to an identity provider.
pub fn update(tx: &mut SessionTx<'_>, patch: &ProfilePatch, proof: Option<&Proof>) -> Result<SignedInUser> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let before = own(core, user_id)?;
    let name = patch.display_name.as_ref().map_or(before.display_name.as_str(), Name::as_str);
    let avatar_url = patch.avatar_url.as_ref().map(PhotoUrl::as_str).map_or(before.avatar_url.as_deref(), given);
    let email = patch.email.as_ref().map(ContactEmail::as_str).map_or(before.email.as_deref(), given);
    let is_described = name != before.display_name || avatar_url != before.avatar_url.as_deref();
    let is_addressed = email != before.email.as_deref();
    if !is_described && !is_addressed {
        return Ok(before.into());
    }
    if is_addressed {
        if users::password_hash(core.conn, user_id)?.is_some() {
            proof.ok_or(passwords::WRONG)?.still_holds(core)?;
        }
        // Unlike administrators, the caller does not learn whose address it is.
        if email.map(|email| users::with_email(core.conn, email, user_id)).transpose()?.flatten().is_some() {
            return Err(Error::Conflict("another account has this email address; use a different one".into()));
        }
    }
    let is_email_confirmed = email.is_none() || !is_addressed && before.email_confirmed;
    let fields = OwnFields { display_name: name, avatar_url, email, is_email_confirmed };
    users::set_own_fields(core.conn, user_id, &fields)?;
    let details = json!({ "userId": user_id, "login": before.login, "by": core.call.via.as_str() });
    if avatar_url != before.avatar_url.as_deref() {
        // Other users see the photo of the person that the user is in each organization.
        for organization in organizations::of_user(core.conn, user_id, &Window::whole())?.items {
            people::follow_photo(core, &organization.id, user_id, (before.avatar_url.as_deref(), avatar_url))?;
        }
    }
    if is_described {
        core.audit("user.profile", Some(user_id), &details)?;
    }
    if is_addressed {
        core.audit("user.address", Some(user_id), &details)?;
    }
    Ok(users::by_id(core.conn, user_id)?.ok_or(Error::NotFound("user"))?.into())
}

/// An empty text removes a field.
fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// The caller's account. Fails if its profile comes from an identity provider, which would overwrite changes: the account
/// has an identity there and no password.
fn own(core: &Core<'_>, user_id: i64) -> Result<User> {
    let user = users::by_id(core.conn, user_id)?.ok_or(Error::NotFound("user"))?;
    if user.provider != "local" && users::password_hash(core.conn, user_id)?.is_none() {
        let text = "the identity provider manages the name, photo and email address of this account; change them there";
        return Err(Error::Conflict(text.into()));
    }
    Ok(user)
}
