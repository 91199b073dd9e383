//! The routes of an instance: the REST API, the MCP server and the pages, below the path of the public URL.

use std::sync::Arc;

use axum::Router;
use rmcp::ServerHandler;

use super::App;
use crate::{
    base_path::BasePath,
    mcp::{
        self, Mcp,
        oauth::{self, OAuth},
    },
    metrics::Metrics,
    rest::{self, Services},
    secret::Secret,
    web,
};

impl App {
    /// The router for all HTTP requests.
    pub fn router(&self) -> Router {
        self.routes(Router::new(), |server| server)
    }

    /// Like [`App::router`], with another handler of the MCP protocol: the one that `extend` returns.
    pub fn router_with_mcp<H: ServerHandler + Clone>(&self, extend: impl FnOnce(mcp::Server) -> H) -> Router {
        self.routes(Router::new(), extend)
    }

    fn routes<H: ServerHandler + Clone>(&self, more: Router, extend: impl FnOnce(mcp::Server) -> H) -> Router {
        let Services { gate, throttle, bodies, settings, .. } = &*self.api;
        let public_url: Arc<str> = settings.issuer.as_str().into();
        let base = BasePath::of(&public_url);
        let oauth = OAuth {
            gate: gate.clone(),
            throttle: Arc::clone(throttle),
            bodies: bodies.clone(),
            issuer: Arc::clone(&public_url),
        };
        let mcp = Mcp {
            gate: gate.clone(),
            wiki: self.api.wiki.clone(),
            map_images: self.api.map_images.clone(),
            app_page: web::viewer::app_page,
            bodies: bodies.clone(),
            public_url,
            origins: settings.cors_origins.clone(),
        };
        let assistants = oauth::router(oauth).merge(mcp::router(mcp, extend));
        let shares = web::shares::router(self.api.shares.clone(), bodies.clone(), &settings.issuer);
        let unsubscribe = web::unsubscribe::router(self.api.gate.clone());
        let pages = web::router(&base).merge(shares).merge(unsubscribe).merge(assistants);
        base.serve(rest::router(self.api.clone(), pages.merge(more)))
    }

    /// The router with the metrics at `/metrics`.
    pub fn router_with_metrics(&self, metrics: Metrics, token: &Secret) -> Router {
        self.routes(web::metrics::router(metrics, token), |server| server)
    }
}
