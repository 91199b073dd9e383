//! The tool table: name, hints and handler of every tool.
//!
//! A handler decodes the arguments, calls `domain` through the gate and encodes the result, like the corresponding REST
//! handler. The permission that a tool requires is that of the call that its handler takes.

mod change_set;
mod comments;
mod comparison;
mod component_details;
mod components;
mod decisions;
mod deletions;
mod directory;
mod drafts;
pub mod drawing;
mod edits;
mod history;
mod impact;
mod lenient;
mod links;
mod listed;
mod me;
mod model;
pub mod near;
mod overview;
mod parsing;
mod placing;
mod processes;
mod query;
mod relationships;
mod results;
mod saved_views;
mod search;
mod stakeholders;
mod steps;
mod sync;
mod tool;
mod upserts;
mod views;
mod wiki;
mod workspaces;

use std::sync::LazyLock;

use self::tool::tools;
pub use self::{
    listed::listed,
    results::directory::TypeLists,
    tool::{Hints, Tool},
};

const READ: Hints = Hints {
    read_only: true,
    destructive: false,
    idempotent: true,
    open_world: false,
    in_change_set: false,
    on_map: false,
};
// Clients that can show pages show the result on a map.
const READ_MAP: Hints = Hints { on_map: true, ..READ };
const CREATE: Hints = Hints { read_only: false, idempotent: false, in_change_set: true, ..READ };
const UPDATE: Hints = Hints { idempotent: true, ..CREATE };
const DELETE: Hints = Hints { destructive: true, ..UPDATE };
// Versions, comments and drafts are not changes of the map.
const UPDATE_BESIDE_MAP: Hints = Hints { in_change_set: false, ..UPDATE };
const CREATE_BESIDE_MAP: Hints = Hints { idempotent: false, ..UPDATE_BESIDE_MAP };
// An undo joins no change set, because it could undo that change set.
const UNDO: Hints = Hints { destructive: true, ..CREATE_BESIDE_MAP };
// These send requests to the wiki.
const READ_WIKI: Hints = Hints { open_world: true, ..READ };
const UPDATE_WIKI: Hints = Hints { open_world: true, ..UPDATE };

tools! {
    get_me                   "Who am I"                    READ              me::get_me;
    get_type_catalogue       "List types"                  READ              me::get_type_catalogue;
    list_workspaces          "List workspaces"             READ              workspaces::list_workspaces;
    get_workspace            "Read a workspace"            READ_MAP          overview::get_workspace;
    search                   "Search"                      READ              search::search;
    query_components         "Query components"            READ              query::query_components;
    get_components           "Read components"             READ              component_details::get_components;
    trace_dependencies       "Trace dependencies"          READ_MAP          impact::trace_dependencies;
    find_paths               "Find paths"                  READ_MAP          impact::find_paths;
    list_views               "List views"                  READ              saved_views::list_views;
    get_process              "Read a process"              READ_MAP          processes::get_process;
    draw_map                 "Draw a map"                  READ_MAP          drawing::draw_map;
    list_people_and_teams    "List people and teams"       READ              directory::list_people_and_teams;
    list_wiki_children       "Browse the wiki"             READ_WIKI         wiki::list_wiki_children;
    list_comments            "List comments"               READ              comments::list_comments;
    list_decisions           "List decisions"              READ              decisions::list_decisions;
    get_decision             "Read a decision"             READ              decisions::get_decision;
    list_changes             "List changes"                READ              history::list_changes;
    compare                  "Compare two states"          READ              comparison::compare;
    list_drafts              "List drafts"                 READ              drafts::list_drafts;
    compare_draft            "Compare a draft"             READ              drafts::compare_draft;
    sync_preview             "Preview a sync"              READ              sync::sync_preview;
    drift                    "Report drift"                READ              sync::drift;

    create_workspace         "Create a workspace"          CREATE            workspaces::create_workspace;
    update_workspace         "Change a workspace"          UPDATE            workspaces::update_workspace;
    upsert_components        "Add or change components"    UPDATE            components::upsert_components;
    upsert_relationships     "Add or change relationships" UPDATE            relationships::upsert_relationships;
    arrange_components       "Arrange components"          UPDATE            placing::arrange_components;
    set_stakeholders         "Set stakeholders"            UPDATE            stakeholders::set_stakeholders;
    save_process             "Save a process"              UPDATE            processes::save_process;
    save_view                "Save a view"                 UPDATE            saved_views::save_view;
    save_decision            "Save a decision"             UPDATE            decisions::save_decision;
    save_person_or_team      "Save a person or team"       UPDATE            directory::save_person_or_team;
    add_component_link       "Link a component"            UPDATE_WIKI       links::add_component_link;

    add_comment              "Comment"                     CREATE_BESIDE_MAP comments::add_comment;
    resolve_comment          "Resolve a comment"           UPDATE_BESIDE_MAP comments::resolve_comment;

    start_draft              "Start a draft"               CREATE_BESIDE_MAP drafts::start_draft;
    submit_draft             "Submit a draft"              UPDATE_BESIDE_MAP drafts::submit_draft;

    keep_version             "Keep a version"              UPDATE_BESIDE_MAP history::save_version;
    undo                     "Undo"                        UNDO              history::undo;

    delete_components        "Delete components"           DELETE            deletions::delete_components;
    delete_relationships     "Delete relationships"        DELETE            deletions::delete_relationships;
    delete_process           "Delete a process"            DELETE            deletions::delete_process;
    replace_workspace_model  "Replace the whole model"     DELETE            model::replace_workspace_model;
}

/// All tools, in the order of the table.
pub static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(table);

/// The tool of this name.
pub fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}
