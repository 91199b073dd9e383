//! What the operator does at the command line, as values that can be done here or sent to a running server.
//!
//! Whoever holds the data directory does them: the server when one runs, through its socket; else the command itself.
//! So there is one writer, one cache and one stream of events.

mod audit;
mod export;
pub mod socket;
mod user;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::{audit::AuditOperation, user::UserOperation};
use crate::{
    app::App,
    auth::{
        passwords::NewPassword,
        throttle::{Kind, Who},
    },
    domain::{
        access::{Call, SystemTx, Via},
        bulk::{self, Bulk},
        input, instance, organizations, passwords,
        users::{self, NewAdmin},
        values::{Id, Login, Name, Slug},
    },
    error::{Error, Result},
};

/// Something to do.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Say whether the database answers.
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
    User(UserOperation),
    /// Something with the audit.
    Audit(AuditOperation),
    /// Replace the model of a workspace, founding it if need be.
    ImportWorkspace {
        /// Its id.
        id: String,
        /// Slug of the organization.
        org: String,
        /// Login of the user to act as; else the organization's first admin.
        login: Option<String>,
        /// Only say what would change.
        dry_run: bool,
        /// The model, as JSON.
        model: String,
    },
    /// Read the model of a workspace.
    ExportWorkspace {
        /// Its id.
        id: String,
    },
}

impl Operation {
    /// Does it.
    pub async fn perform(self, app: &App) -> Result<Value> {
        match self {
            Self::Health => {
                app.gate.system(Via::Cli, |tx| users::any(tx)).await?;
                Ok(Value::Null)
            }
            Self::CreateAdmin { login, name, org, password } => create_admin(app, &login, &name, &org, password).await,
            Self::ResetPassword { login, password } => reset_password(app, login, password).await,
            Self::RotateKey => {
                let (keys, now) = (Arc::clone(app.keys()), app.clock.now());
                let kid = app.passwords.run(move || keys.rotate(now)).await?;
                app.gate.system(Via::Cli, move |tx| instance::key_rotated(tx, &kid)).await?;
                Ok(Value::Null)
            }
            Self::User(operation) => operation.perform(app).await,
            Self::Audit(operation) => operation.perform(app).await,
            Self::ImportWorkspace { id, org, login, dry_run, model } => {
                import_workspace(app, &id, org, login, dry_run, model).await
            }
            Self::ExportWorkspace { id } => {
                let at = id.clone();
                let credential = app.gate.system(Via::Cli, move |tx| organizations::operator_at(tx, &at)).await?;
                let call = Call::new(Some(credential), Via::Cli, "");
                let model = app.gate.view_all(call, id, export::model).await?;
                Ok(serde_json::to_value(model)?)
            }
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
    throttle.lift(Kind::SecondFactor, Who::user(user_id));
    throttle.lift(Kind::Password, Who::user(user_id));
    Ok(Value::Null)
}

async fn hash(app: &App, password: String) -> Result<String> {
    let password = NewPassword::new(password).map_err(|message| Error::Invalid { field: None, message })?;
    app.passwords.run(move || password.hash()).await
}

async fn import_workspace(
    app: &App,
    id: &str,
    org: String,
    login: Option<String>,
    dry_run: bool,
    model: String,
) -> Result<Value> {
    let id = Id::new(id).map_err(|wrong| Error::invalid("--id", wrong))?;
    let (mut body, ignored) = input::parse::<Bulk>(model.as_bytes())?;
    if let Some(workspace) = &mut body.workspace {
        // Where the model goes was said on the command line; where it came from does not matter.
        (workspace.id, workspace.org_id) = (None, None);
    }
    let credential = app.gate.system(Via::Cli, move |tx| organizations::operator(tx, &org, login.as_deref())).await?;
    let call = Call::new(Some(credential), Via::Cli, uuid::Uuid::now_v7().to_string());
    let outcome = app.gate.org(call, move |tx| bulk::replace(tx, &id, body, dry_run, ignored)).await?;
    Ok(serde_json::to_value(outcome)?)
}
