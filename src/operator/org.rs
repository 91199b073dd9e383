//! What the operator does with organizations.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    app::App,
    domain::{
        access::Via,
        org_members,
        organizations::{self, NewOrganization},
        overview,
        values::{Name, OrgRole, Slug},
    },
    error::{Error, Result},
};

/// Something to do with organizations. Each is named by its slug, each user by login.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrgOperation {
    /// List all.
    List,
    /// Make one, without members.
    Create {
        /// Its slug.
        slug: String,
        /// Its name.
        name: String,
    },
    /// Make a user a member.
    AddMember {
        /// Of which.
        org: String,
        /// Who.
        login: String,
        /// What they will be.
        role: OrgRole,
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
                app.gate.system(Via::Cli, move |tx| org_members::add(tx, &org, &login, role)).await?;
                Ok(Value::Null)
            }
        }
    }
}
