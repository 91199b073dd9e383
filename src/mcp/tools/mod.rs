//! The tool table: name, hints and handler of every tool.
//!
//! A handler decodes the arguments, calls `domain` through the gate and encodes the result, like the corresponding REST
//! handler. The permission that a tool requires is that of the call that its handler takes.

mod change_set;
mod components;
mod deletions;
mod directory;
mod impact;
mod links;
mod me;
mod model;
mod processes;
mod relationships;
mod search;
mod stakeholders;
mod tool;
mod wiki;
mod workspaces;

use std::sync::LazyLock;

use self::tool::tool;
pub use self::tool::{Hints, Tool};

/// THE tool table.
#[rustfmt::skip]
fn table() -> Vec<Tool> {
    const READ: Hints = Hints { read_only: true, destructive: false, idempotent: true, open_world: false };
    const ADD: Hints = Hints { read_only: false, destructive: false, idempotent: false, open_world: false };
    const SET: Hints = Hints { read_only: false, destructive: false, idempotent: true, open_world: false };
    const DESTROY: Hints = Hints { read_only: false, destructive: true, idempotent: true, open_world: false };
    // These ask the wiki.
    const BROWSE: Hints = Hints { open_world: true, ..READ };
    const LINK: Hints = Hints { open_world: true, ..ADD };
    vec![
        tool("get_me",                  "Who am I",                  READ, me::get_me),
        tool("get_type_catalogue",      "List types",                READ, me::get_type_catalogue),
        tool("list_workspaces",         "List workspaces",           READ, workspaces::list_workspaces),
        tool("get_workspace",           "Read a workspace",          READ, workspaces::get_workspace),
        tool("search",                  "Search",                    READ, search::search),
        tool("get_components",          "Read components",           READ, components::get_components),
        tool("trace_dependencies",      "Trace dependencies",        READ, impact::trace_dependencies),
        tool("find_paths",              "Find paths",                READ, impact::find_paths),
        tool("get_process",             "Read a process",            READ, processes::get_process),
        tool("list_people_and_teams",   "List people and teams",     READ, directory::list_people_and_teams),
        tool("list_wiki_children",      "Browse the wiki",           BROWSE, wiki::list_wiki_children),

        tool("create_workspace",        "Create a workspace",        ADD, workspaces::create_workspace),
        tool("update_workspace",        "Change a workspace",        SET, workspaces::update_workspace),
        tool("upsert_components",       "Add or change components",  SET, components::upsert_components),
        tool("upsert_relationships",    "Add or change relationships", SET, relationships::upsert_relationships),
        tool("set_stakeholders",        "Set stakeholders",          SET, stakeholders::set_stakeholders),
        tool("save_process",            "Save a process",            SET, processes::save_process),
        tool("save_person_or_team",     "Save a person or team",     SET, directory::save_person_or_team),
        tool("add_component_link",      "Link a component",          LINK, links::add_component_link),

        tool("delete_components",       "Delete components",         DESTROY, deletions::delete_components),
        tool("delete_relationships",    "Delete relationships",      DESTROY, deletions::delete_relationships),
        tool("delete_process",          "Delete a process",          DESTROY, deletions::delete_process),
        tool("replace_workspace_model", "Replace the whole model",   DESTROY, model::replace_workspace_model),
    ]
}

/// All tools, in the order of the table.
pub static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(table);

/// The tool of this name.
pub fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}
