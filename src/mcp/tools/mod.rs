//! The tools. This file is the tool table: every name, what its tool does to the world, what it needs, and who answers.
//!
//! A tool decodes, makes calls of `domain` through the gate, and encodes, as its twin of REST does. What it needs is declared
//! here and enforced by the type of the handle that it asks the gate for; a test holds the two against each other.

mod me;
mod tool;
mod workspaces;

use std::sync::LazyLock;

use self::tool::tool;
pub use self::tool::{Hints, Need, Tool};

/// THE tool table.
#[rustfmt::skip]
fn table() -> Vec<Tool> {
    use Need::{Edit, Me, Org, OrgView, View};
    const READ: Hints = Hints { read_only: true, destructive: false, idempotent: true };
    const ADD: Hints = Hints { read_only: false, destructive: false, idempotent: false };
    const SET: Hints = Hints { read_only: false, destructive: false, idempotent: true };
    #[expect(dead_code, reason = "the next tools")]
    const DESTROY: Hints = Hints { read_only: false, destructive: true, idempotent: true };
    vec![
        tool("get_me",                  "Who am I",                  READ,    Me,      me::get_me),
        tool("get_type_catalogue",      "List types",                READ,    Me,      me::get_type_catalogue),
        tool("list_workspaces",         "List workspaces",           READ,    OrgView, workspaces::list_workspaces),
        tool("get_workspace",           "Read a workspace",          READ,    View,    workspaces::get_workspace),

        tool("create_workspace",        "Create a workspace",        ADD,     Org,     workspaces::create_workspace),
        tool("update_workspace",        "Change a workspace",        SET,     Edit,    workspaces::update_workspace),

    ]
}

/// All tools, in the order of the table.
pub static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(table);

/// The tool of this name.
pub fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}
