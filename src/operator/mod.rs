//! What the operator does at the command line, as values that can be done here or sent to a running server.
//!
//! Whoever holds the data directory does them: the server when one runs, through its socket; else the command itself.
//! So there is one writer, one cache and one stream of events.

mod audit;
mod org;
pub mod socket;
mod user;
mod wiki;
mod workspace;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::{
    audit::AuditOperation, org::OrgOperation, user::UserOperation, wiki::WikiOperation, workspace::WorkspaceOperation,
};
use crate::{
    app::App,
    auth::{
        passwords::NewPassword,
        throttle::{Kind, Who},
    },
    domain::{
        access::{SystemTx, Via},
        instance, passwords,
        users::{self, NewAdmin},
        values::{Login, Name, Slug},
    },
    error::{Error, Result},
};

/// Something to do.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Say whether the database answers, and where the server listens.
    Health,
    /// Make an administrator of the instance and of an organization, which is made if need be.
    CreateAdmin {
        /// What they sign in with.
        login: String,
        /// Name for display.
        name: String,
        /// Slug of the organization.
        org: String,
        /// Their password.
        password: String,
    },
    /// Give a user another password, end their sessions, remove their second factor, and lift every wait.
    ResetPassword {
        /// What they sign in with.
        login: String,
        /// Their password from now on.
        password: String,
    },
    /// Sign session JWTs with a new key.
    RotateKey,
    /// Something with users.
    Users(UserOperation),
    /// Something with the audit.
    Audit(AuditOperation),
    /// Something with organizations.
    Orgs(OrgOperation),
    /// Something with workspaces.
    Workspaces(WorkspaceOperation),
    /// Something with the wiki.
    Wiki(WikiOperation),
}

impl Operation {
    /// Does it.
    pub async fn perform(self, app: &App) -> Result<Value> {
        match self {
            Self::Health => {
                app.gate.system(Via::Cli, |tx| users::any(tx)).await?;
                Ok(app.address().map_or(Value::Null, |address| address.to_string().into()))
            }
            Self::CreateAdmin { login, name, org, password } => create_admin(app, &login, &name, &org, password).await,
            Self::ResetPassword { login, password } => reset_password(app, login, password).await,
            Self::RotateKey => {
                let (keys, now) = (Arc::clone(app.keys()), app.clock.now());
                let kid = app.passwords.run(move || keys.rotate(now)).await?;
                app.gate.system(Via::Cli, move |tx| instance::key_rotated(tx, &kid)).await?;
                Ok(Value::Null)
            }
            Self::Users(operation) => operation.perform(app).await,
            Self::Audit(operation) => operation.perform(app).await,
            Self::Orgs(operation) => operation.perform(app).await,
            Self::Workspaces(operation) => operation.perform(app).await,
            Self::Wiki(operation) => operation.perform(app).await,
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
    app.gate.system(Via::Cli, move |tx| users::create_admin(tx, &new)).await.map(Value::from)
}

async fn reset_password(app: &App, login: String, password: String) -> Result<Value> {
    let password_hash = hash(app, password).await?;
    let typed = login.clone();
    let reset = move |tx: &mut SystemTx<'_>| passwords::reset(tx, &typed, &password_hash);
    let user_id = app.gate.system(Via::Cli, reset).await?;
    let throttle = app.throttle();
    throttle.lift(Kind::SignIn, Who::login(&login));
    for kind in [Kind::SignIn, Kind::SecondFactor] {
        throttle.lift(kind, Who::devices(user_id));
    }
    throttle.lift(Kind::SecondFactor, Who::user(user_id));
    throttle.lift(Kind::Password, Who::user(user_id));
    Ok(Value::Null)
}

async fn hash(app: &App, password: String) -> Result<String> {
    let password = NewPassword::new(password).map_err(|message| Error::Invalid { field: None, message })?;
    app.passwords.run(move || password.hash()).await
}
