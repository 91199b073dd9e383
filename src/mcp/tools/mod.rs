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
    me::TypeLists,
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
// Shown on a map in clients that can show pages.
const SHOW: Hints = Hints { on_map: true, ..READ };
const ADD: Hints = Hints { read_only: false, idempotent: false, in_change_set: true, ..READ };
const SET: Hints = Hints { idempotent: true, ..ADD };
const DESTROY: Hints = Hints { destructive: true, ..SET };
// A version is no change of the map. An undo joins no change set, because that could be what it undoes.
const KEEP: Hints = Hints { in_change_set: false, ..SET };
// Comments and drafts are no changes of the map.
const COMMENT: Hints = Hints { idempotent: false, ..KEEP };
const UNDO: Hints = Hints { destructive: true, idempotent: false, ..KEEP };
// These ask the wiki.
const BROWSE: Hints = Hints { open_world: true, ..READ };
const LINK: Hints = Hints { open_world: true, ..SET };

tools! {
    get_me                   "Who am I"                   READ     me::get_me;
    get_type_catalogue       "List types"                 READ     me::get_type_catalogue;
    list_workspaces          "List workspaces"            READ     workspaces::list_workspaces;
    get_workspace            "Read a workspace"           SHOW     overview::get_workspace;
    search                   "Search"                     READ     search::search;
    query_components         "Query components"           READ     query::query_components;
    get_components           "Read components"            READ     component_details::get_components;
    trace_dependencies       "Trace dependencies"         SHOW     impact::trace_dependencies;
    find_paths               "Find paths"                 SHOW     impact::find_paths;
    list_views               "List views"                 READ     saved_views::list_views;
    get_process              "Read a process"             SHOW     processes::get_process;
    draw_map                 "Draw a map"                 SHOW     drawing::draw_map;
    list_people_and_teams    "List people and teams"      READ     directory::list_people_and_teams;
    list_wiki_children       "Browse the wiki"            BROWSE   wiki::list_wiki_children;
    list_comments            "List comments"              READ     comments::list_comments;
    list_decisions           "List decisions"             READ     decisions::list_decisions;
    get_decision             "Read a decision"            READ     decisions::get_decision;
    list_changes             "List changes"               READ     history::list_changes;
    compare                  "Compare two states"         READ     comparison::compare;
    list_drafts              "List drafts"                READ     drafts::list_drafts;
    compare_draft            "Compare a draft"            READ     drafts::compare_draft;
    sync_preview             "Preview a sync"             READ     sync::sync_preview;
    drift                    "Report drift"               READ     sync::drift;

    create_workspace         "Create a workspace"         ADD      workspaces::create_workspace;
    update_workspace         "Change a workspace"         SET      workspaces::update_workspace;
    upsert_components        "Add or change components"   SET      components::upsert_components;
    upsert_relationships     "Add or change relationships" SET      relationships::upsert_relationships;
    arrange_components       "Arrange components"         SET      placing::arrange_components;
    set_stakeholders         "Set stakeholders"           SET      stakeholders::set_stakeholders;
    save_process             "Save a process"             SET      processes::save_process;
    save_view                "Save a view"                SET      saved_views::save_view;
    save_decision            "Save a decision"            SET      decisions::save_decision;
    save_person_or_team      "Save a person or team"      SET      directory::save_person_or_team;
    add_component_link       "Link a component"           LINK     links::add_component_link;

    add_comment              "Comment"                    COMMENT  comments::add_comment;
    resolve_comment          "Resolve a comment"          KEEP     comments::resolve_comment;

    start_draft              "Start a draft"              COMMENT  drafts::start_draft;
    submit_draft             "Submit a draft"             KEEP     drafts::submit_draft;

    keep_version             "Keep a version"             KEEP     history::keep_version;
    undo                     "Undo"                       UNDO     history::undo;

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
