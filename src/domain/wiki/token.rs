//! Operator tasks: connecting an organization with the token of an internal integration, for instances without a public
//! URL, and checking the OAuth client at the provider.

use std::time::Instant;

use super::{
    REQUEST_TIMEOUT, Wiki,
    connection::{self, ConnectionKind},
};
use crate::{
    domain::core::{Call, Reads, access::ConnectionManager},
    error::{Error, Result},
    wiki::{Bot, OauthClient, Secret, Tokens, WikiError},
};

impl Wiki {
    /// Connects the active organization with a token, after testing it. Returns the integration that the token belongs
    /// to.
    pub async fn connect_with_token(&self, call: Call<ConnectionManager>, token: Secret) -> Result<Bot> {
        let organization_id = self.gate().read(call.clone(), (), |tx| tx.organization_id().map(str::to_owned)).await?;
        let (wiki, id, deadline, tried) =
            (self.clone(), organization_id.clone(), Instant::now() + REQUEST_TIMEOUT, token.clone());
        let answer = self.on_pool(move || wiki.0.client.access(&id, tried, deadline, None).me()).await?;
        let bot = answer.map_err(|problem| match problem {
            WikiError::Unauthorized => {
                Error::invalid_input("the wiki does not accept this token; copy it again, whole")
            }
            WikiError::Denied(code) => Error::invalid_input(format!(
                "the wiki knows this token, but lets it do nothing ({code}); look at what the integration may do there"
            )),
            problem => self.to_operator(problem),
        })?;
        let tokens = Tokens {
            access: token,
            refresh: None,
            bot_id: Some(bot.id.clone()),
            workspace_id: bot.workspace_id.clone(),
            workspace_name: bot.workspace_name.clone(),
            workspace_icon: None,
            owner_name: bot.owner.clone(),
        };
        let keep = move |tx: &mut crate::domain::core::OrgConnectionTx<'_>| {
            let core = tx.core();
            connection::save(core, tx.organization_id()?, ConnectionKind::Token, &tokens, core.actor())
        };
        self.gate().write_unstored(call, (), keep).await?;
        self.reset(&organization_id);
        Ok(bot)
    }

    /// Checks that the provider accepts a client id and secret.
    pub async fn check_client(&self, client: OauthClient) -> Result<()> {
        let (wiki, deadline) = (self.clone(), Instant::now() + REQUEST_TIMEOUT);
        match self.on_pool(move || wiki.0.client.check(&client, &wiki.0.redirect_uri, deadline)).await? {
            Ok(()) => Ok(()),
            Err(WikiError::WrongClient) => Err(Error::invalid_input(
                "the wiki's provider does not accept this client id and secret; copy both again, whole",
            )),
            Err(problem) => Err(self.to_operator(problem)),
        }
    }

    /// Converts an error from the provider into a message for the operator. Includes the cause, which is not disclosed
    /// to other users.
    fn to_operator(&self, problem: WikiError) -> Error {
        match problem {
            WikiError::Unavailable { cause, .. } => {
                let at = self.0.client.host();
                Error::invalid_input(format!("the wiki's provider at {at} did not answer as it should: {cause}"))
            }
            problem => super::to_error(&problem),
        }
    }
}
