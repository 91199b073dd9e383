//! Photos that users have uploaded for their account. They are stored here and never downloaded.

use crate::{
    domain::{
        core::{Core, Reads, SelfTx, active_organization},
        directory::people::Person,
        map::bundle,
        users::photos,
    },
    error::{Error, Result},
    images::ImageResponse,
};

/// Reads the photo that a user has uploaded. `known` contains the entity tags that the caller has.
///
/// Users can see the photos of the members of their active organization and, as instance administrators, of all users.
pub fn read(tx: &SelfTx<'_>, user_id: i64, known: &[String]) -> Result<ImageResponse> {
    let (core, caller) = (tx.core(), tx.caller());
    let is_visible = user_id == caller.user_id
        || caller.is_admin
        || match &caller.organization {
            Some(organization) => is_member(core, user_id, &organization.id)?,
            None => false,
        };
    if is_visible { stored(core, user_id, known) } else { Err(NOT_FOUND) }
}

/// The uploaded photo that a person shows; none if the person shows another photo.
///
/// Only the person of a user shows the photo of that user, while the user is a member of the organization.
pub(super) fn of_person(core: &Core<'_>, person: &Person, known: &[String]) -> Result<Option<ImageResponse>> {
    let Some(photo) = person.uploaded_photo() else { return Ok(None) };
    if person.user_id != Some(photo.user_id) || !is_member(core, photo.user_id, &person.org_id)? {
        return Err(NOT_FOUND);
    }
    stored(core, photo.user_id, known).map(Some)
}

const NOT_FOUND: Error = Error::NotFound("photo");

fn is_member(core: &Core<'_>, user_id: i64, organization_id: &str) -> Result<bool> {
    Ok(active_organization(core.conn, organization_id, user_id)?.is_some())
}

fn stored(core: &Core<'_>, user_id: i64, known: &[String]) -> Result<ImageResponse> {
    let tag = photos::tag(core.conn, user_id)?.ok_or(NOT_FOUND)?;
    if bundle::is_known(known, &tag) {
        return Ok(ImageResponse::Unchanged(tag));
    }
    let (media_type, bytes) = photos::content(core.conn, user_id)?.ok_or(NOT_FOUND)?;
    Ok(ImageResponse::Image { tag, media_type, bytes, is_gzip: false })
}
