//! Operations on users.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    app::App,
    domain::{
        accounts::{
            administration::{self, AccountPatch},
            erasure,
        },
        core::{SystemTx, Via},
        paging::Paging,
        users,
        values::ContactEmail,
    },
    error::{Error, Result},
};

/// An operation on users. Users are identified by login.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UserOperation {
    /// List all users.
    List,
    /// Suspend a user: all their credentials are rejected.
    Suspend {
        /// Login of the user.
        login: String,
    },
    /// Lift a suspension.
    Unsuspend {
        /// Login of the user.
        login: String,
    },
    /// Add or remove the administrator role.
    SetAdmin {
        /// Login of the user.
        login: String,
        /// Whether the user becomes an administrator.
        admin: bool,
    },
    /// Erase a user: make the account anonymous and delete everything that identifies or signs in the user.
    Erase {
        /// Login of the user.
        login: String,
    },
    /// Set or remove an email address.
    SetEmail {
        /// Login of the user.
        login: String,
        /// The address; empty to remove it.
        email: String,
    },
}

impl UserOperation {
    pub(super) async fn perform(self, app: &App) -> Result<Value> {
        let standing = |is_suspended| AccountPatch { is_suspended: Some(is_suspended), ..AccountPatch::default() };
        let (login, patch) = match self {
            Self::List => {
                let users = app
                    .gate
                    .system(Via::Cli, |tx| Ok(administration::list(&tx.admin(), &Paging::default())?.items))
                    .await?;
                return Ok(serde_json::to_value(users)?);
            }
            Self::Erase { login } => {
                let name = app.gate.system(Via::Cli, move |tx| erasure::erase(tx, &login)).await?;
                return Ok(name.into());
            }
            Self::Suspend { login } => (login, standing(true)),
            Self::Unsuspend { login } => (login, standing(false)),
            Self::SetAdmin { login, admin } => {
                (login, AccountPatch { is_admin: Some(admin), ..AccountPatch::default() })
            }
            Self::SetEmail { login, email } => {
                let email = ContactEmail::new(&email).map_err(|problem| Error::invalid("email", problem))?;
                (login, AccountPatch { email: Some(email), ..AccountPatch::default() })
            }
        };
        let decide = move |tx: &mut SystemTx<'_>| {
            let mut tx = tx.admin();
            let id = users::id_of(&tx, &login)?;
            administration::update(&mut tx, id, &patch)
        };
        Ok(serde_json::to_value(app.gate.system(Via::Cli, decide).await?)?)
    }
}
