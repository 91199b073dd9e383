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

use self::tool::tools;
pub use self::tool::{Hints, Tool};

const READ: Hints = Hints { read_only: true, destructive: false, idempotent: true, open_world: false };
const ADD: Hints = Hints { read_only: false, destructive: false, idempotent: false, open_world: false };
const SET: Hints = Hints { read_only: false, destructive: false, idempotent: true, open_world: false };
const DESTROY: Hints = Hints { read_only: false, destructive: true, idempotent: true, open_world: false };
// These ask the wiki.
const BROWSE: Hints = Hints { open_world: true, ..READ };
const LINK: Hints = Hints { open_world: true, ..ADD };

tools! {
    get_me                   "Who am I"                   READ     me::get_me;
    get_type_catalogue       "List types"                 READ     me::get_type_catalogue;
    list_workspaces          "List workspaces"            READ     workspaces::list_workspaces;
    get_workspace            "Read a workspace"           READ     workspaces::get_workspace;
    search                   "Search"                     READ     search::search;
    get_components           "Read components"            READ     components::get_components;
    trace_dependencies       "Trace dependencies"         READ     impact::trace_dependencies;
    find_paths               "Find paths"                 READ     impact::find_paths;
    get_process              "Read a process"             READ     processes::get_process;
    list_people_and_teams    "List people and teams"      READ     directory::list_people_and_teams;
    list_wiki_children       "Browse the wiki"            BROWSE   wiki::list_wiki_children;

    create_workspace         "Create a workspace"         ADD      workspaces::create_workspace;
    update_workspace         "Change a workspace"         SET      workspaces::update_workspace;
    upsert_components        "Add or change components"   SET      components::upsert_components;
    upsert_relationships     "Add or change relationships" SET      relationships::upsert_relationships;
    set_stakeholders         "Set stakeholders"           SET      stakeholders::set_stakeholders;
    save_process             "Save a process"             SET      processes::save_process;
    save_person_or_team      "Save a person or team"      SET      directory::save_person_or_team;
    add_component_link       "Link a component"           LINK     links::add_component_link;

    delete_components        "Delete components"          DESTROY  deletions::delete_components;
    delete_relationships     "Delete relationships"       DESTROY  deletions::delete_relationships;
    delete_process           "Delete a process"           DESTROY  deletions::delete_process;
    replace_workspace_model  "Replace the whole model"    DESTROY  model::replace_workspace_model;
}

/// All tools, in the order of the table.
pub static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(table);

/// The tool of this name.
pub fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}
