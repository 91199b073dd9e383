//! A server of Planroom that also answers what the official MCP conformance suite calls, through the same router,
//! authentication and protocol stack. Reads its configuration from `PLANROOM_…`; prints its address as `planroom serve` does.

mod content;
mod fixtures;
mod input_requests;

use std::{
    env,
    io::{self, Write},
    sync::Arc,
    time::Duration,
};

use planroom::{
    app::App,
    clock::Clock,
    config::{self, Flags},
    listen::{self, ConnectionLimits, ListenOptions},
};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

use fixtures::Fixtures;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = config::load(&Flags::default(), &env::vars().collect())?.config;
    let app = App::open(&config, &config.public_url, Clock::default())?;
    let listener = TcpListener::bind(config.listen).await?;
    writeln!(io::stdout(), "listening on http://{}", listener.local_addr()?)?;
    let limits = ConnectionLimits {
        connections: config.limits.connections,
        per_address: config.limits.connections_per_address,
        trusted: config.proxies.networks(),
    };
    let idle_timeout = Duration::from_secs(config.limits.idle_seconds);
    let options = ListenOptions { limits, counts: Arc::clone(app.connections()), idle_timeout, tls: None };
    let mut terminate = signal(SignalKind::terminate())?;
    listen::serve(listener, app.router_with_mcp(Fixtures), options, async move {
        terminate.recv().await;
    })
    .await;
    Ok(())
}
