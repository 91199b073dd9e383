//! Links in emails: confirming an email address, and resetting a forgotten password.

use axum::extract::State;

use crate::{
    auth::{
        throttle::{AttemptKind, LimitKey},
        tokens,
    },
    domain::accounts::{
        email_confirmation::{self, EmailConfirmation, EmptyBody},
        password_reset::{ForgottenPassword, PasswordReset, PasswordResetRequest},
        sign_in::Visitor,
    },
    rest::{
        access::SessionUser,
        api::Api,
        error::Result,
        extract::{Anonymous, Path, PublicWrite, Write},
        responses::{DONE, Done, Json},
        route::IN_TABLE,
    },
};

/// Confirm my email address
///
/// Sends a link to the email address of the account. The link is valid for 24 hours and replaces an earlier link. 409 if
/// the account has no email address, if the address is already confirmed, if the identity provider manages the profile, or
/// if this instance sends no emails.
#[crate::describe::path(post, path = IN_TABLE, tag = "Me", operation_id = "sendEmailConfirmation", request_body = EmptyBody,
    responses((status = 200, description = "Email queued", body = Done)))]
pub async fn send_confirmation(
    State(api): State<Api>,
    Write { call, .. }: Write<SessionUser, EmptyBody>,
) -> Result<Json<Done>> {
    api.gate.write(call, (), email_confirmation::send).await?;
    Ok(DONE)
}

/// Get an email confirmation
///
/// The token of the link is the only requirement.
#[crate::describe::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "getEmailConfirmation",
    responses((status = 200, description = "The address that the link confirms", body = EmailConfirmation)))]
pub async fn get_confirmation(
    State(api): State<Api>,
    Anonymous(call): Anonymous,
    visitor: Visitor,
    Path(token): Path<String>,
) -> Result<Json<EmailConfirmation>> {
    let token = tokens::hash(&token);
    let attempt = api.throttle.attempt(AttemptKind::EmailLink, [LimitKey::address(visitor.address)])?;
    let confirmation = api.gate.read(call, (), move |tx| email_confirmation::details(tx, &token)).await?;
    attempt.succeeded();
    Ok(Json(confirmation))
}

/// Confirm an email address
///
/// The token of the link is the only requirement. It can be used once.
#[crate::describe::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "confirmEmail", request_body = EmptyBody,
    responses((status = 200, description = "Email address confirmed", body = Done)))]
pub async fn confirm(
    State(api): State<Api>,
    visitor: Visitor,
    Path(token): Path<String>,
    PublicWrite { call, .. }: PublicWrite<EmptyBody>,
) -> Result<Json<Done>> {
    let token = tokens::hash(&token);
    let attempt = api.throttle.attempt(AttemptKind::EmailLink, [LimitKey::address(visitor.address)])?;
    api.gate.write_unstored(call, (), move |tx| email_confirmation::confirm(tx, &token)).await?;
    attempt.succeeded();
    Ok(DONE)
}

/// Request a password reset
///
/// Sends a link to the account with this email address, if the address is confirmed and the account has a password. The
/// response is the same otherwise. The link is valid for one hour and replaces an earlier link. 409 if this instance sends
/// no emails, or accepts no passwords.
#[crate::describe::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "requestPasswordReset",
    request_body = PasswordResetRequest, responses((status = 200, description = "Request accepted", body = Done)))]
pub async fn request_reset(
    State(api): State<Api>,
    visitor: Visitor,
    PublicWrite { call, body }: PublicWrite<PasswordResetRequest>,
) -> Result<Json<Done>> {
    api.sign_in.request_password_reset(call, &visitor, body).await?;
    Ok(DONE)
}

/// Get a password reset
///
/// The token of the link is the only requirement.
#[crate::describe::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "getPasswordReset",
    responses((status = 200, description = "The account that the link belongs to", body = PasswordReset)))]
pub async fn get_reset(
    State(api): State<Api>,
    Anonymous(call): Anonymous,
    visitor: Visitor,
    Path(token): Path<String>,
) -> Result<Json<PasswordReset>> {
    Ok(Json(api.sign_in.read_password_reset(call, &visitor, &token).await?))
}

/// Reset a password
///
/// Sets a new password and ends all sessions of the account. Two-factor authentication stays on. The token of the link is
/// the only requirement. It can be used once.
#[crate::describe::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "resetPassword",
    request_body = ForgottenPassword, responses((status = 200, description = "Password set", body = Done)))]
pub async fn reset(
    State(api): State<Api>,
    visitor: Visitor,
    Path(token): Path<String>,
    PublicWrite { call, body }: PublicWrite<ForgottenPassword>,
) -> Result<Json<Done>> {
    api.sign_in.reset_password(call, &visitor, &token, body).await?;
    Ok(DONE)
}
