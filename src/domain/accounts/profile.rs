//! The caller's own name, photo and email address.

use serde_json::json;

pub use super::model::profile::ProfilePatch;
use super::passwords::{self, Proof};
use crate::{
    cancel::Cancel,
    domain::{
        accounts::sessions::SignedInUser,
        core::{Call, Core, Gate, Reads, SessionTx, access::SessionUser},
        directory::people,
        organizations,
        paging::Window,
        users::{self, OwnFields, User, photos},
        values::{ContactEmail, Name, PhotoPatch, UploadedPhoto},
    },
    error::{Error, FieldPath, Result},
    images,
};

/// Width and height of an uploaded photo in pixels: what the largest avatar needs on a display with three pixels for each
/// CSS pixel.
const PHOTO_SIDE: u32 = 256;

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
    let avatar_url = patch.avatar_url.as_ref().map(PhotoPatch::as_str).map_or(before.avatar_url.as_deref(), given);
    let email = patch.email.as_ref().map(ContactEmail::as_str).map_or(before.email.as_deref(), given);
    if let Some(avatar_url) = avatar_url {
        photos::expect_settable("avatarUrl", before.avatar_url.as_deref(), avatar_url)?;
    }
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
    replace_photo(core, user_id, (before.avatar_url.as_deref(), avatar_url))?;
    if is_described {
        core.audit("user.profile", Some(user_id), &details)?;
    }
    if is_addressed {
        core.audit("user.address", Some(user_id), &details)?;
    }
    Ok(users::by_id(core.conn, user_id)?.ok_or(Error::NotFound("user"))?.into())
}

/// Stores an uploaded image as the caller's photo. It is decoded and encoded before the writer thread is used.
///
/// Like the URL of a photo, it is used for the people that the user is in their organizations.
pub async fn upload_photo(gate: &Gate, call: Call<SessionUser>, bytes: Vec<u8>) -> Result<SignedInUser> {
    // Also if the image is invalid.
    gate.read(call.clone(), (), |tx: &SessionTx<'_>| own(tx.core(), tx.caller().user_id).map(drop)).await?;
    let encode = move |cancel: &Cancel| {
        let encoded = images::encode_square(&bytes, PHOTO_SIDE, cancel);
        cancel.check()?;
        encoded.map_err(|problem| Error::invalid(FieldPath::from("image"), problem))
    };
    let image = gate.long_work(encode).await?;
    let store = move |tx: &mut SessionTx<'_>| {
        let (core, user_id) = (tx.core(), tx.caller().user_id);
        let address = photos::put(core.conn, user_id, &image, core.now)?;
        set_photo(core, own(core, user_id)?, Some(&address))
    };
    gate.write(call, (), store).await
}

/// Removes the caller's photo, uploaded or not.
///
/// An uploaded photo can be removed even if the identity provider manages the profile: the user uploaded it before, and
/// cannot change it at the provider.
pub fn remove_photo(tx: &mut SessionTx<'_>) -> Result<SignedInUser> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let user = users::by_id(core.conn, user_id)?.ok_or(Error::NotFound("user"))?;
    let is_uploaded = user.avatar_url.as_deref().and_then(UploadedPhoto::parse).is_some();
    set_photo(core, if is_uploaded { user } else { own(core, user_id)? }, None)
}

fn set_photo(core: &Core<'_>, before: User, avatar_url: Option<&str>) -> Result<SignedInUser> {
    if avatar_url == before.avatar_url.as_deref() {
        return Ok(before.into());
    }
    let User { id, display_name, email, email_confirmed, .. } = &before;
    let (email, is_email_confirmed) = (email.as_deref(), *email_confirmed || email.is_none());
    users::set_own_fields(core.conn, *id, &OwnFields { display_name, avatar_url, email, is_email_confirmed })?;
    replace_photo(core, *id, (before.avatar_url.as_deref(), avatar_url))?;
    let details = json!({ "userId": id, "login": before.login, "by": core.call.via.as_str() });
    core.audit("user.profile", Some(*id), &details)?;
    Ok(users::by_id(core.conn, *id)?.ok_or(Error::NotFound("user"))?.into())
}

/// Updates what depends on the address of a user's photo: the people that the user is in their organizations, which other
/// users see, and the uploaded photo, which is deleted if the address is another one.
pub(super) fn replace_photo(
    core: &Core<'_>,
    user_id: i64,
    (before, after): (Option<&str>, Option<&str>),
) -> Result<()> {
    if before == after {
        return Ok(());
    }
    if after.and_then(UploadedPhoto::parse).is_none() {
        photos::delete(core.conn, user_id)?;
    }
    for organization in organizations::of_user(core.conn, user_id, &Window::whole())?.items {
        people::follow_photo(core, &organization.id, user_id, (before, after))?;
    }
    Ok(())
}

/// An empty text removes a field.
fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// The caller's account. Fails if its profile comes from an identity provider, which would overwrite changes: the account
/// has an identity there and no password.
pub(super) fn own(core: &Core<'_>, user_id: i64) -> Result<User> {
    let user = users::by_id(core.conn, user_id)?.ok_or(Error::NotFound("user"))?;
    if user.provider != "local" && users::password_hash(core.conn, user_id)?.is_none() {
        let text = "the identity provider manages the name, photo and email address of this account; change them there";
        return Err(Error::Conflict(text.into()));
    }
    Ok(user)
}
