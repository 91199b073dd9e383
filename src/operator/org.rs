//! Operations on organizations.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    app::App,
    domain::{
        core::{SystemTx, Via},
        instance::overview,
        organizations::{self, NewOrganization, members},
        values::{Name, OrgRole, Slug},
        webhooks::administration::{self, WebhookSelection},
    },
    error::{Error, Result},
};

/// An operation on organizations. Organizations are identified by slug, users by login.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrgOperation {
    /// List all organizations.
    List,
    /// Create an organization without members.
    Create {
        /// Slug.
        slug: String,
        /// Display name.
        name: String,
    },
    /// Add a user to an organization.
    AddMember {
        /// Slug of the organization.
        org: String,
        /// Login of the user.
        login: String,
        /// Role of the new member.
        role: OrgRole,
    },
    /// List webhooks.
    Webhooks {
        /// Which webhooks.
        selection: WebhookSelection,
    },
    /// Disable webhooks.
    DisableWebhooks {
        /// Which webhooks.
        selection: WebhookSelection,
    },
}

impl OrgOperation {
    pub(super) async fn perform(self, app: &App) -> Result<Value> {
        match self {
            Self::List => {
                let all = app.gate.system(Via::Cli, |tx| overview::organizations(tx)).await?;
                Ok(serde_json::to_value(all)?)
            }
            Self::Create { slug, name } => {
                let slug = Slug::new(&slug).map_err(|wrong| Error::invalid("--slug", wrong))?;
                let name = Name::new(&name).map_err(|wrong| Error::invalid("--name", wrong))?;
                let new = NewOrganization { name, slug: Some(slug) };
                let id = app.gate.system(Via::Cli, move |tx| organizations::create_empty(tx, new)).await?;
                Ok(json!({ "id": id }))
            }
            Self::AddMember { org, login, role } => {
                app.gate.system(Via::Cli, move |tx| members::add(tx, &org, &login, role)).await?;
                Ok(Value::Null)
            }
            Self::Webhooks { selection } => {
                let list = move |tx: &mut SystemTx<'_>| administration::list_selected(tx, &selection);
                Ok(Value::Array(app.gate.system(Via::Cli, list).await?))
            }
            Self::DisableWebhooks { selection } => {
                let disable = move |tx: &mut SystemTx<'_>| administration::disable_selected(tx, &selection);
                Ok(json!({ "disabled": app.gate.system(Via::Cli, disable).await? }))
            }
        }
    }
}
