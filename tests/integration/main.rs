//! Integration tests: sentences spoken by actors through the real router, each test on a database file of its own.

#![allow(missing_docs, reason = "tests are named by what they say")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

mod bulk;
mod compile_fail;
mod components;
mod house;
mod idempotency;
mod openapi;
mod permissions;
mod relationships;
mod session;
mod tokens;
mod workspaces;
