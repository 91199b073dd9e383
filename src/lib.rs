//! Planroom: the plan room of a software team.
//!
//! Architecture maps in workspaces, served over REST and to people's browsers by one binary from one SQLite file.
//!
//! # The house
//!
//! Rooms in the order of dependence; imports point downwards only, and a test holds that.
//!
//! | room | what it is |
//! |---|---|
//! | [`cli`] | what can be typed, a file per verb |
//! | [`operator`] | what the operator does, here or through the socket of a running server |
//! | [`app`] | the parts, wired once for `serve`, the commands and the tests |
//! | [`rest`] | the REST API; its `mod.rs` is the route table |
//! | [`mcp`] | the MCP server for assistants (its `tools/mod.rs` is the tool table), and the authorization server that lets them in |
//! | [`web`] | pages for people: the web client as it was built (its source is `assets/web`), and the API's documentation |
//! | [`jobs`] | timers |
//! | [`domain`] | what the product does: types, rules, use cases, a file per resource |
//! | [`domain::access`] | the gate: transactions that are permissions, and the change log |
//! | [`domain::live`] | what a commit has written, told to those who follow a workspace |
//! | [`domain::operations`] | several writes as one change set: all or none |
//! | [`domain::history`] | the change log read again: undo, past states, differences, named versions |
//! | [`domain::document`] | a workspace as a file; `export` writes it, `import` reads it |
//! | `domain::store` | SQL and only SQL, private to `domain` |
//! | [`auth`] | who is calling: session JWTs, tokens, passwords, keys |
//! | [`wiki`] | the wiki provider: which addresses are its pages |
//! | [`images`] | pictures from elsewhere: fetched, and refused unless they are harmless |
//! | [`db`] | how we reach SQLite: the one writer, the readers, migrations, backup |
//! | [`outbound`] | requests to others, guarded |
//! | [`listen`] | the accept loop: deadlines, connection limits |
//! | [`bodies`], [`budget`] | reading request bodies within a memory budget |
//! | [`log`] | the log writer, which never blocks a request |
//! | [`machine`] | memory and file limits of the machine or container |
//! | [`mermaid`] | reads sequence diagrams; knows nothing of the rest |
//! | [`config`] | what the operator decides |
//! | [`lane`], [`schedule`], [`cancel`] | threads for blocking work; the fair queues that they and the writer take jobs from; whether a job is still wanted |
//! | [`clock`], [`error`], [`encoding`], [`secret`] | the time; why an operation failed; what a client takes; what is never shown |
//!
//! # The walk of a request
//!
//! ```text
//! rest/mod.rs                   POST /api/workspaces/{id}/components, Need::Edit
//! rest/components.rs            gate.edit(call, id, |tx| components::create(tx, new))
//! domain/components.rs          the rules: type known, id free, spot free
//! domain/access/log.rs          stamps the row, writes it, writes the change log
//! domain/store/components.rs    INSERT INTO component …
//! ```
//!
//! # Glossary
//!
//! *Role* is what a person does for a component (stakeholder link type); *access level* is viewer, editor, owner.
//! *Member* is a user in a workspace or organization, *person* a figure on the map, *user* an account. *Relationship*,
//! never edge. A *change set* is all that one request or job writes in a workspace; it is undone as one, and a client may
//! label it (`X-Batch-Id`). A *revision* counts the writes of a workspace or directory. A *change* is one row of the change log: what followers are told,
//! and what the history is made of. A *directory* is an organization's people, teams and roles. The *bundle* is all of a
//! workspace in one answer; a *document* is the same as a file, which holds nothing of this instance alone. A *connector* is
//! a program (an MCP client) that a user has let in; a *grant* is that user's word, for one organization.

pub mod app;
pub mod auth;
pub mod bodies;
pub mod budget;
pub mod cancel;
pub mod cli;
pub mod clock;
pub mod config;
pub mod db;
pub mod domain;
pub mod encoding;
pub mod error;
pub mod images;
pub mod jobs;
pub mod lane;
pub mod listen;
pub mod log;
pub mod machine;
pub mod mcp;
pub mod mermaid;
pub mod operator;
pub mod outbound;
pub mod rest;
pub mod schedule;
pub mod secret;
pub mod settings;
pub mod web;
pub mod wiki;

pub use error::Error;
