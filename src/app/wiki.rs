//! Creates the client for the wiki provider from the configuration.

use url::Url;

use crate::{
    config::Config,
    outbound::{Outbound, Rules},
    wiki::{self, Client, ClientOptions},
};

/// The client for the wiki provider.
pub(super) fn client(config: &Config) -> Client {
    // The configuration has validated the URL.
    let configured = Url::parse(&config.outbound.wiki_url).ok();
    let rules =
        Rules { allow_private: config.outbound.allow_private, trusted: configured.clone().into_iter().collect() };
    let version = if config.outbound.wiki_version.is_empty() { wiki::VERSION } else { &config.outbound.wiki_version };
    let options = ClientOptions {
        api: configured.unwrap_or_else(wiki::provider),
        version: version.to_owned(),
        per_second: config.outbound.wiki_requests_per_second,
    };
    Client::new(Outbound::new(rules), options)
}
