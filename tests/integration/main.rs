//! Integration tests through the real router, each with its own database file.

#![allow(missing_docs, reason = "tests are named by what they say")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

// The allocator of the binary. Tests are faster with it than with the allocator of the system.
#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

mod support;

mod access_requests;
mod admin;
mod architecture;
mod bad_input;
mod base_path;
mod bounds;
mod bulk;
mod cached_checks;
mod command_line;
mod comments;
mod compile_fail;
mod components;
mod conditional;
mod decisions;
mod directory;
mod drafts;
mod every_route;
mod history;
mod idempotency;
mod identity;
mod images;
mod impact;
mod inbox;
mod kinds;
mod links;
mod live;
mod mail;
mod map_fields;
mod map_image_queue;
mod map_images;
mod mcp;
mod members;
mod notes;
mod oauth;
mod openapi;
mod operations;
mod organizations;
mod pages;
mod paging;
mod permissions;
mod processes;
mod properties;
mod relationships;
mod resolved_views;
mod scheduling;
mod schema;
mod search;
mod sharing;
mod sign_in;
mod stakeholders;
mod storage;
mod sync;
mod tokens;
mod transfer;
mod transport;
mod upgrades;
mod views;
mod webhooks;
mod wiki;
mod words;
mod workspaces;
