//! Operations of the command line, as values that run in this process or are sent to a running server.
//!
//! The process that has locked the data directory runs them: the server, which receives them through its socket, or the
//! command itself. There is always one writer, one cache and one event stream.

mod audit;
mod diagnostics;
mod error_text;
mod org;
mod search;
pub mod socket;
mod user;
mod wiki;
mod workspace;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::{
    audit::AuditOperation, diagnostics::Diagnostics, error_text::error_text, org::OrgOperation,
    search::SearchOperation, user::UserOperation, wiki::WikiOperation, workspace::WorkspaceOperation,
};
use crate::{
    app::App,
    auth::{
        passwords::NewPassword,
        throttle::{AttemptKind, LimitKey},
    },
    domain::{
        accounts::administrators::{self, NewAdmin},
        accounts::passwords,
        core::{SystemTx, Via},
        instance,
        sharing::administration,
        values::{Login, Name, Slug},
    },
    error::{Error, Result},
};

/// An operation of the command line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdminOperation {
    /// Check that the database responds. Returns the address on which the server listens.
    Health,
    /// Returns [`Diagnostics`].
    Diagnose,
    /// Create an administrator of the instance and of an organization. The organization is created if it does not
    /// exist.
    CreateAdmin {
        /// Login.
        login: String,
        /// Display name.
        name: String,
        /// Slug of the organization.
        org: String,
        /// Password.
        password: String,
    },
    /// Set a user's password, end their sessions, disable their two-factor authentication, and lift their rate limits.
    ResetPassword {
        /// Login.
        login: String,
        /// The new password.
        password: String,
    },
    /// Sign session JWTs with a new key.
    RotateKey,
    /// Replace the key of share links, which ends all of their addresses.
    RotateSharingKey,
    /// An operation on users.
    Users(UserOperation),
    /// An operation on the audit log.
    Audit(AuditOperation),
    /// An operation on organizations.
    Orgs(OrgOperation),
    /// An operation on workspaces.
    Workspaces(WorkspaceOperation),
    /// An operation on wiki connections.
    Wiki(WikiOperation),
    /// An operation on the search index.
    Search(SearchOperation),
}

impl AdminOperation {
    /// Runs the operation. Returns its result as JSON.
    pub async fn perform(self, app: &App) -> Result<Value> {
        if !self.only_reads() {
            app.gate.expect_primary()?;
        }
        match self {
            Self::Health => {
                app.gate.system(Via::Cli, |tx| administrators::any(tx)).await?;
                Ok(app.listen_url().map_or(Value::Null, Value::from))
            }
            Self::Diagnose => Ok(serde_json::to_value(Diagnostics::of(app))?),
            Self::CreateAdmin { login, name, org, password } => create_admin(app, &login, &name, &org, password).await,
            Self::ResetPassword { login, password } => reset_password(app, login, password).await,
            Self::RotateKey => {
                let (keys, now) = (Arc::clone(app.keys()), app.clock.now());
                let kid = app.passwords.run(move || keys.rotate(now)).await?;
                app.gate.system(Via::Cli, move |tx| instance::key_rotated(tx, &kid)).await?;
                Ok(Value::Null)
            }
            Self::RotateSharingKey => {
                let keys = Arc::clone(app.keys());
                app.passwords.run(move || keys.rotate_sharing()).await?;
                app.gate.system(Via::Cli, administration::key_rotated).await?;
                Ok(Value::Null)
            }
            Self::Users(operation) => operation.perform(app).await,
            Self::Audit(operation) => operation.perform(app).await,
            Self::Orgs(operation) => operation.perform(app).await,
            Self::Workspaces(operation) => operation.perform(app).await,
            Self::Wiki(operation) => operation.perform(app).await,
            Self::Search(operation) => operation.perform(app).await,
        }
    }
}

impl AdminOperation {
    /// Whether a standby can run the operation: it changes nothing and asks no other server.
    fn only_reads(&self) -> bool {
        match self {
            Self::Health | Self::Diagnose | Self::Audit(AuditOperation::Read { .. }) => true,
            Self::CreateAdmin { .. }
            | Self::ResetPassword { .. }
            | Self::RotateKey
            | Self::RotateSharingKey
            | Self::Search(SearchOperation::Rebuild) => false,
            Self::Users(operation) => matches!(operation, UserOperation::List),
            Self::Orgs(operation) => matches!(operation, OrgOperation::List | OrgOperation::Webhooks { .. }),
            Self::Workspaces(operation) => operation.only_reads(),
            Self::Wiki(operation) => matches!(operation, WikiOperation::Facts | WikiOperation::Status),
        }
    }
}

async fn create_admin(app: &App, login: &str, name: &str, org: &str, password: String) -> Result<Value> {
    let login = Login::new(login).map_err(|wrong| Error::invalid("--login", wrong))?;
    let display_name = Name::new(name).map_err(|wrong| Error::invalid("--name", wrong))?;
    let slug = Slug::new(org).map_err(|wrong| Error::invalid("--org", wrong))?;
    let password_hash = hash(app, password).await?;
    let new = NewAdmin {
        login,
        display_name,
        password_hash,
        organization_name: Name::new(slug.as_str()).map_err(|wrong| Error::invalid("--org", wrong))?,
        organization_slug: slug,
    };
    app.gate.system(Via::Cli, move |tx| administrators::create_admin(tx, &new)).await.map(Value::from)
}

async fn reset_password(app: &App, login: String, password: String) -> Result<Value> {
    let password_hash = hash(app, password).await?;
    let typed = login.clone();
    let reset = move |tx: &mut SystemTx<'_>| passwords::reset(tx, &typed, &password_hash);
    let user_id = app.gate.system(Via::Cli, reset).await?;
    let throttle = app.throttle();
    throttle.clear(AttemptKind::SignIn, LimitKey::login(&login));
    for kind in [AttemptKind::SignIn, AttemptKind::SecondFactor] {
        throttle.clear(kind, LimitKey::devices(user_id));
    }
    throttle.clear(AttemptKind::SecondFactor, LimitKey::user(user_id));
    throttle.clear(AttemptKind::Password, LimitKey::user(user_id));
    Ok(Value::Null)
}

async fn hash(app: &App, password: String) -> Result<String> {
    let password = NewPassword::new(password).map_err(|problem| Error::invalid("password", problem))?;
    app.passwords.run(move || password.hash()).await
}
