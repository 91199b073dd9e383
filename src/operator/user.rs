//! What the operator does with users.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    app::App,
    domain::{
        access::{SystemTx, Via},
        accounts::{self, AccountPatch},
        paging::Paging,
        values::ContactEmail,
    },
    error::{Error, Result},
};

/// Something to do with users. Each is named by login.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UserOperation {
    /// List all.
    List,
    /// Refuse every credential of theirs from now on.
    Suspend {
        /// Who.
        login: String,
    },
    /// Lift that.
    Unsuspend {
        /// Who.
        login: String,
    },
    /// Make an administrator of the instance, or unmake one.
    SetAdmin {
        /// Who.
        login: String,
        /// Whether they are to be one.
        admin: bool,
    },
    /// Give an e-mail address, or take it away.
    SetEmail {
        /// Who.
        login: String,
        /// The address; empty to take it away.
        email: String,
    },
}

impl UserOperation {
    pub(super) async fn perform(self, app: &App) -> Result<Value> {
        let standing = |is_suspended| AccountPatch { is_suspended: Some(is_suspended), ..AccountPatch::default() };
        let (login, patch) = match self {
            Self::List => {
                let users =
                    app.gate.system(Via::Cli, |tx| Ok(accounts::list(&tx.admin(), &Paging::default())?.items)).await?;
                return Ok(serde_json::to_value(users)?);
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
            let id = accounts::id_of(&tx, &login)?;
            accounts::update(&mut tx, id, &patch)
        };
        Ok(serde_json::to_value(app.gate.system(Via::Cli, decide).await?)?)
    }
}
