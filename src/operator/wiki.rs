//! What the operator does with the wiki.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    app::App,
    domain::{
        access::{AdminTx, Call, SystemTx, Via},
        organizations, settings, wiki,
    },
    error::{Error, Result},
    wiki::{OauthClient, Secret},
};

/// Something to do with the wiki.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WikiOperation {
    /// Say what has to be registered at the provider, and whether something is.
    Facts,
    /// Find out whether the provider knows this instance. With an id and a secret: by these, which are then kept.
    Setup {
        /// Id and secret; none to check those that there are.
        client: Option<(String, String)>,
    },
    /// Connect an organization with the token of an internal integration.
    Connect {
        /// Slug of the organization.
        org: String,
        /// The token.
        token: String,
    },
    /// Ask the wiki who an organization is to it.
    Test {
        /// Slug of the organization.
        org: String,
    },
    /// End an organization's connection.
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
                let client = app.gate.system(Via::Cli, wiki::client).await?;
                let redirect_uri = app.wiki().redirect_uri();
                Ok(json!({ "redirectUri": redirect_uri, "clientId": client.map(|client| client.id) }))
            }
            Self::Setup { client: Some((id, secret)) } => set_up(app, id, secret).await,
            Self::Setup { client: None } => {
                let client = app.gate.system(Via::Cli, wiki::client).await?;
                let client = client.ok_or_else(|| Error::invalid_at(None, "no client id and secret are configured"))?;
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

/// What the operator does in an organization.
async fn call(app: &App, org: String) -> Result<Call> {
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
