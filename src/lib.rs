//! Planroom is a self-hosted architecture map: teams model systems, people and processes in shared workspaces.
//!
//! One binary serves the web client, a REST API and an MCP server, and stores all data in one SQLite file.
//!
//! # Architecture
//!
//! Modules by layer, from the top. A module imports only from lower layers; the tests in
//! `tests/integration/architecture` enforce this.
//!
//! | module | contents |
//! |---|---|
//! | [`cli`] | the command-line interface, one file per command |
//! | [`operator`] | operations of the command line, run in this process or sent to the socket of a running server |
//! | [`app`] | builds the components of an instance for `serve`, the commands and the tests |
//! | [`config`] | the configuration, read once at startup and imported only by `app` and `cli` |
//! | [`rest`] | the REST API; its `mod.rs` is the route table |
//! | [`mcp`] | the MCP server for assistants (`tools/mod.rs` is the tool table) and its OAuth authorization server |
//! | [`web`] | serves the embedded web client (source in `assets/web`) and the API documentation |
//! | [`jobs`] | background jobs that run on timers |
//! | [`domain`] | types, rules and use cases of the product, in areas with layers of their own; see its documentation |
//! | [`auth`] | authentication: session JWTs, tokens, passwords, two-factor codes, `OpenID` Connect, keys |
//! | [`db`] | SQLite: the writer thread, the reader pool, migrations, backup and restore |
//! | [`images`] | downloads of remote images, validated before they are stored |
//! | [`mail`] | sends emails through an SMTP server |
//! | [`webhooks`] | signs and sends requests to the receivers of webhooks |
//! | [`wiki`] | the client of the wiki provider |
//! | [`bodies`] | reading request bodies within a memory budget |
//! | [`blocking`] | blocking thread pools |
//! | [`listen`] | the accept loop: deadlines and connection limits |
//! | [`machine`] | memory and file descriptor limits of the machine or container |
//! | [`outbound`] | outgoing HTTP requests, with protection against server-side request forgery |
//! | [`budget`] | memory budgets for concurrent requests |
//! | [`cancel`] | cancellation of jobs when a client disconnects or a deadline passes |
//! | [`encryption`] | encryption of files with a passphrase |
//! | [`schedule`] | fair queues from which the thread pools and the writer take jobs |
//! | [`clock`] | the system clock, replaceable in tests |
//! | [`contracts`] | the documents that API clients rely on, embedded in compressed form |
//! | [`describe`] | derives and attributes that describe the API, for the generation of `contracts` |
//! | [`encoding`] | content encodings that a client accepts |
//! | [`error`] | the error type of all operations |
//! | [`framing`] | marks pages that other sites may show in a frame |
//! | [`log`] | the log writer, which never blocks a request |
//! | [`metrics`] | counters and histograms, and their text for monitoring systems |
//! | [`secret`] | strings that are never displayed |
//! | [`settings`] | the registry of settings and quotas that administrators change at run time |
//!
//! Below them are the crates in `crates/`, which cannot import this one, so they know neither SQL nor HTTP nor the types of
//! the product:
//!
//! | crate | contents |
//! |---|---|
//! | [`adr`] | architecture decision records as Markdown files |
//! | [`drawing`] | images of maps, from a type without personal data |
//! | [`export`] | writers of maps in the formats of other tools |
//! | [`import`] | readers that turn architecture files of other tools into maps |
//! | [`mermaid`] | the parser of mermaid sequence diagrams |
//!
//! # Path of a request
//!
//! ```text
//! rest/mod.rs                         POST /api/workspaces/{id}/components
//! rest/components.rs                  gate.write(call, id, |tx| components::create(tx, body))
//! domain/map/components.rs            the rules: known type, unused id, free position
//! domain/core/log.rs                  sets revision and author, writes the row and the change log
//! domain/map/store/components.rs      INSERT INTO component …
//! ```
//!
//! # Glossary
//!
//! - **Access level**: viewer, editor or owner of a workspace. A *role* is what a stakeholder does for a component.
//! - **Bundle**: all content of a workspace in one response. A *document* is the same content as a file, without data
//!   that is specific to this instance.
//! - **Change**: a row of the change log. Event streams and the history are built from it.
//! - **Change set**: everything that one request or job writes in a workspace. It is undone as a whole, and a client
//!   can label it (`X-Batch-Id`).
//! - **Connector**: an MCP client that a user has authorized. A *grant* is that authorization, for one organization.
//! - **Directory**: the people, teams, roles and kinds of an organization.
//! - **Kind**: a name, a look and fields for components of a catalog type, shared by an organization. (The module
//!   `domain::kinds` is about kinds of rows.)
//! - **Member**: a user in a workspace or organization. A *user* is an account, a *person* a figure on the map.
//! - **Relationship**: a directed connection between two components (never called edge).
//! - **Revision**: the number of writes to a workspace or directory.

// Attributes that describe the API are the only uses of some items.
#![cfg_attr(not(feature = "contracts"), allow(unused_imports, dead_code))]

pub mod app;
pub mod auth;
pub mod base_path;
pub mod blocking;
pub mod bodies;
pub mod budget;
pub mod cancel;
pub mod cli;
pub mod clock;
pub mod config;
pub mod contracts;
pub mod db;
pub mod describe;
pub mod domain;
pub mod encoding;
pub mod encryption;
pub mod error;
pub mod framing;
pub mod images;
pub mod jobs;
pub mod listen;
pub mod log;
pub mod machine;
pub mod mail;
pub mod mcp;
pub mod metrics;
pub mod operator;
pub mod outbound;
pub mod rest;
pub mod schedule;
pub mod secret;
pub mod settings;
pub mod tls;
pub mod web;
pub mod webhooks;
pub mod wiki;

pub use error::Error;
