//! Operations on wiki connections.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    app::App,
    domain::{
        core::{AdminTx, Call, SystemTx, Via, access::ConnectionManager},
        organizations, settings, wiki,
    },
    error::{Error, Result},
    wiki::{OauthClient, Secret},
};

/// An operation on wiki connections.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WikiOperation {
    /// Return the redirect URI to register at the provider, and the configured client id.
    Facts,
    /// Verify the OAuth client at the provider. A given client is stored if the provider accepts it.
    Setup {
        /// Client id and secret; none to verify the configured ones.
        client: Option<(String, String)>,
    },
    /// Connect an organization with an internal integration token.
    Connect {
        /// Slug of the organization.
        org: String,
        /// The token.
        token: String,
    },
    /// Test the connection of an organization.
    Test {
        /// Slug of the organization.
        org: String,
    },
    /// Disconnect an organization.
    Disconnect {
        /// Slug of the organization.
        org: String,
    },
    /// List all connections.
    Status,
}

impl WikiOperation {
    pub(super) async fn perform(self, app: &App) -> Result<Value> {
        match self {
            Self::Facts => {
                let client = app.gate.system(Via::Cli, wiki::client_status).await?;
                let redirect_uri = app.wiki().redirect_uri();
                Ok(json!({ "redirectUri": redirect_uri, "clientId": client.map(|client| client.id) }))
            }
            Self::Setup { client: Some((id, secret)) } => set_up(app, id, secret).await,
            Self::Setup { client: None } => {
                let client = app.gate.system(Via::Cli, wiki::client_status).await?;
                let client = client.ok_or_else(|| Error::invalid_input("no client id and secret are configured"))?;
                app.wiki().check_client(client).await.map(|()| Value::Null)
            }
            Self::Connect { org, token } => {
                let bot = app.wiki().connect_with_token(call(app, org).await?, Secret::new(token)).await?;
                Ok(json!({ "name": bot.name, "workspaceName": bot.workspace_name }))
            }
            Self::Test { org } => Ok(serde_json::to_value(app.wiki().test(call(app, org).await?).await?)?),
            Self::Disconnect { org } => app.wiki().disconnect(call(app, org).await?).await.map(|()| Value::Null),
            Self::Status => {
                let all = app.gate.system(Via::Cli, wiki::list).await?;
                Ok(serde_json::to_value(all)?)
            }
        }
    }
}

/// A call of the operator in an organization.
async fn call(app: &App, org: String) -> Result<Call<ConnectionManager>> {
    let credential = app.gate.system(Via::Cli, move |tx| organizations::operator(tx, &org, None)).await?;
    Ok(Call::new(Some(credential), Via::Cli, uuid::Uuid::now_v7().to_string()))
}

async fn set_up(app: &App, id: String, secret: String) -> Result<Value> {
    let client = OauthClient { id: id.clone(), secret: Secret::new(secret.clone()) };
    app.wiki().check_client(client).await?;
    let patch = json!({ "wiki.client_id": id, "wiki.client_secret": secret });
    let patch = serde_json::from_value(patch).map_err(Error::internal)?;
    let write = move |tx: &mut SystemTx<'_>| {
        let mut admin: AdminTx<'_> = tx.admin();
        settings::update(&mut admin, patch)
    };
    app.gate.system(Via::Cli, write).await.map(|_| Value::Null)
}
