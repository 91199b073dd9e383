//! Permissions of tools: a matrix written by hand that matches the permissions of the REST routes.

use planroom::{
    auth::{PAT_PREFIX, tokens},
    mcp::tools::TOOLS,
};
use serde_json::{Value, json};

use super::{Assistant, DESCRIBED};
use crate::{
    permissions::{
        callers::{Caller, assistant, callers, keep_token},
        found_template,
        rows::rows,
        targets::{Copier, Target},
    },
    support::TestServer,
    wiki::registered,
};

/// Columns are the callers of the route matrix, each with a personal access token, and again with a token of a
/// connected app with write access. Same notation, but `4`, `3` and `0` are the codes `not_found`, `forbidden`
/// and `no_active_org` of a tool result. `s` and `1` are 403 and 401. `T` is the workspace's owner with a connected
/// app with write access, `t` with a read-only app.
#[rustfmt::skip]
const MATRIX: &str = "
TOOL                     TWIN                                                  M m p W  V E O P  G g h  I i  X  S  L K Q  f  T t
get_me                   GET    /api/me                                        + + + +  + + + +  + + +  + +  +  s  + + +  1  + +
get_type_catalogue       GET    /api/schema                                    + + + +  + + + +  + + +  + +  +  s  + + +  1  + +
list_workspaces          GET    /api/workspaces                                + + + +  + + + +  + + +  + +  +  s  0 0 +  1  + +
get_workspace            GET    /api/workspaces/{id}                           + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
search                   GET    /api/workspaces                                + + + +  + + + +  + + +  + +  +  s  0 0 +  1  + +
query_components         GET    /api/workspaces                                + + + +  + + + +  + + +  + +  +  s  0 0 +  1  + +
get_components           GET    /api/workspaces/{id}/components/{cid}          + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
trace_dependencies       GET    /api/workspaces/{id}/impact                    + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
find_paths               GET    /api/workspaces/{id}/impact/paths              + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
list_views               GET    /api/workspaces/{id}/views                     + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
get_process              GET    /api/workspaces/{id}/processes/{pid}           + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
draw_map                 GET    /api/workspaces/{id}/image.png                 + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
list_people_and_teams    GET    /api/people                                    + + + +  + + + +  + + +  + +  +  s  0 0 +  1  + +
list_wiki_children       GET    /api/wiki/children                             + + + +  + + + +  + + +  + +  +  s  0 0 +  1  + +
list_comments            GET    /api/workspaces/{id}/threads                   + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
list_decisions           GET    /api/workspaces/{id}/decisions                 + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
get_decision             GET    /api/workspaces/{id}/decisions/{decisionId}    + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
list_changes             GET    /api/workspaces/{id}/history                   + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
compare                  GET    /api/workspaces/{id}/history/difference        + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
list_drafts              GET    /api/workspaces/{id}/drafts                    + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
compare_draft            GET    /api/drafts/{id}/comparison                    + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
sync_preview             GET    /api/workspaces/{id}/sources                   + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
drift                    GET    /api/workspaces/{id}/drift                     + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + +
create_workspace         POST   /api/workspaces                                + + + +  + + + +  + + +  + +  +  s  0 0 +  1  + 3
update_workspace         PATCH  /api/workspaces/{id}                           3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
upsert_components        POST   /api/workspaces/{id}/components                3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
upsert_relationships     POST   /api/workspaces/{id}/relationships             3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
arrange_components       PATCH  /api/workspaces/{id}/components                3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
set_stakeholders         POST   /api/workspaces/{id}/components/{cid}/stakeholders 3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
save_process             POST   /api/workspaces/{id}/processes                 3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
save_view                POST   /api/workspaces/{id}/views                     3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
save_decision            POST   /api/workspaces/{id}/decisions                 3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
save_person_or_team      POST   /api/people                                    + + + +  + + + +  + + +  + +  +  s  0 0 +  1  + 3
add_component_link       POST   /api/workspaces/{id}/components/{cid}/links    3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
add_comment              POST   /api/workspaces/{id}/threads                   + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + 3
resolve_comment          POST   /api/workspaces/{id}/threads/{threadId}/resolve + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + 3
start_draft              POST   /api/workspaces/{id}/drafts                    + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + 3
submit_draft             PATCH  /api/drafts/{id}                               + 4 4 +  + + + +  + + 4  + 4  4  s  0 0 +  1  + 3
keep_version             POST   /api/workspaces/{id}/versions                  3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
undo                     POST   /api/workspaces/{id}/undo                      3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
delete_components        DELETE /api/workspaces/{id}/components/{cid}          3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
delete_relationships     DELETE /api/workspaces/{id}/relationships/{rid}       3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
delete_process           DELETE /api/workspaces/{id}/processes/{pid}           3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
replace_workspace_model  PUT    /api/workspaces/{id}/bulk                      3 4 4 +  3 + + +  + + 4  3 4  4  s  0 0 3  1  + 3
";

/// A text that differs in more than the case of its letters where `id` does, because names must.
fn cased(id: &str) -> String {
    id.chars().flat_map(|letter| letter.is_uppercase().then_some('^').into_iter().chain([letter])).collect()
}

/// Counts what tools write: changes, and versions, comments and submitted drafts, which are none.
const WRITTEN: &str = "SELECT (SELECT count(*) FROM change) + (SELECT count(*) FROM version)
    + (SELECT coalesce(sum(revision), 0) FROM thread) + (SELECT count(submitted_at) FROM draft)";

/// A call that succeeds for callers with permission.
fn arguments(tool: &str, target: &Target) -> Value {
    let w = target.id.as_str();
    match tool {
        "get_me"
        | "get_type_catalogue"
        | "list_workspaces"
        | "list_people_and_teams"
        | "list_wiki_children"
        | "query_components" => json!({}),
        "search" => json!({ "query": "web" }),
        "sync_preview" => {
            let file = json!({ "name": "compose.yaml", "content": "services:\n  web:\n    image: web\n" });
            json!({ "workspaceId": w, "files": [file] })
        }
        "get_workspace" | "draw_map" | "arrange_components" | "list_changes" | "list_views" | "list_comments"
        | "list_decisions" | "list_drafts" | "drift" => {
            json!({ "workspaceId": w })
        }
        "get_components" => json!({ "workspaceId": w, "componentIds": ["web"] }),
        "trace_dependencies" => json!({ "workspaceId": w, "componentId": "api" }),
        "find_paths" => json!({ "workspaceId": w, "from": "web", "to": "api" }),
        "get_process" | "delete_process" => json!({ "workspaceId": w, "processId": "order" }),
        "create_workspace" => json!({ "name": format!("New {}", cased(w)) }),
        "update_workspace" => json!({ "workspaceId": w, "name": "Changed" }),
        "upsert_components" => json!({ "workspaceId": w, "components": [{ "id": "web", "name": "Changed" }] }),
        "upsert_relationships" => {
            json!({ "workspaceId": w, "relationships": [{ "id": "web-calls-api", "label": "x" }] })
        }
        "set_stakeholders" => {
            json!({ "workspaceId": w, "componentId": "web", "stakeholders": [{ "teamId": "crew", "linkType": "owner" }] })
        }
        "save_process" => json!({ "workspaceId": w, "processId": "order", "name": "Changed" }),
        "get_decision" => json!({ "workspaceId": w, "decisionId": "use-events" }),
        "save_decision" => json!({ "workspaceId": w, "title": format!("Decision {}", uuid::Uuid::now_v7()) }),
        "save_view" => json!({ "workspaceId": w, "name": format!("View {}", uuid::Uuid::now_v7()) }),
        "save_person_or_team" => json!({ "kind": "person", "name": format!("Of {}", cased(w)) }),
        "add_component_link" => json!({ "workspaceId": w, "componentId": "web", "url": "https://example.org/new" }),
        "delete_components" => json!({ "workspaceId": w, "componentIds": ["api"] }),
        "delete_relationships" => json!({ "workspaceId": w, "relationshipIds": ["web-calls-api"] }),
        "replace_workspace_model" => json!({ "workspaceId": w, "components": [], "relationships": [] }),
        "compare" => json!({ "workspaceId": w, "from": "2200-01-01" }),
        "add_comment" => json!({ "workspaceId": w, "text": "Why?" }),
        "resolve_comment" => json!({ "workspaceId": w, "threadId": w }),
        "start_draft" => json!({ "workspaceId": w, "title": "T" }),
        "submit_draft" | "compare_draft" => json!({ "draftId": format!("draft-{w}") }),
        "keep_version" => json!({ "workspaceId": w, "name": "V" }),
        "undo" => json!({ "workspaceId": w, "changeSetIds": ["joined"] }),
        tool => panic!("say here how to call {tool}"),
    }
}

/// The caller with each possible credential: a personal access token, and a token of a connected app.
fn with_each<'s>(server: &'s TestServer, caller: &Caller<'s>, head: char) -> Vec<Assistant<'s>> {
    let org = if caller.letter == 'X' { "other" } else { "acme" };
    let user = caller.user.unwrap();
    let connected = |scope| Assistant::new(assistant(server, user, org, scope));
    let script = if caller.client.credential().starts_with(PAT_PREFIX) {
        caller.client.clone()
    } else {
        let token = tokens::generate(PAT_PREFIX);
        server.sql(|conn| keep_token(conn, user, Some(org), &token));
        server.with(&token)
    };
    match head {
        'T' => vec![connected("mcp:read mcp:write")],
        't' => vec![connected("mcp:read")],
        // Apps require an organization.
        'L' | 'K' => vec![Assistant::new(script)],
        _ => vec![Assistant::new(script), connected("mcp:read mcp:write")],
    }
}

/// The outcome of a call in the notation of the matrix.
async fn outcome(assistant: &Assistant<'_>, tool: &str, arguments: &Value) -> (char, String) {
    let reply = assistant.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await;
    let text = reply.to_string();
    let letter = match reply.status.as_u16() {
        401 => '1',
        403 if reply.json()["code"] == "account_suspended" => 's',
        200 if reply.json()["result"]["isError"] == false => '+',
        200 if text.contains("(code: not_found)") => '4',
        200 if text.contains("(code: forbidden)") => '3',
        200 if text.contains("(code: no_active_org)") => '0',
        _ => '?',
    };
    (letter, text)
}

#[tokio::test]
async fn every_caller_has_exactly_the_permissions_of_the_table_and_of_rest() {
    let (server, _double) = registered().await;
    found_template(&server).await;
    let crew = json!({ "id": "crew", "name": "Crew" });
    server.sign_in("ada").await.post("/api/teams", crew).await.created();
    let callers = callers(&server).await;
    for org in ["acme", "other"] {
        server.connect_wiki(org);
    }
    let twins = rows();
    let mut lines =
        MATRIX.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|line| !line.is_empty());
    let heads: Vec<char> = lines.next().unwrap()[2..].iter().map(|head| head.chars().next().unwrap()).collect();
    let lines: Vec<Vec<&str>> = lines.collect();
    let named: Vec<&str> = lines.iter().map(|line| line[0]).collect();
    let tools: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    assert_eq!(named, tools, "a line for each tool");

    let mut wrong = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let (tool, method, path, cells) = (line[0], line[1], line[2], &line[3..]);
        assert_eq!(cells.len(), heads.len(), "{tool}");
        let twin = twins.iter().find(|row| row.method == method && row.path == path && row.what == "-").unwrap();
        let reads = DESCRIBED[at].annotations.clone().unwrap().read_only_hint.unwrap();
        assert_eq!(reads, method == "GET", "{tool}");
        for (head, cell) in heads.iter().zip(cells) {
            let expected = cell.chars().next().unwrap();
            let rest = match head {
                't' if !reads => '3',
                'T' | 't' => twin.cells[&'O'],
                head => twin.cells[head],
            };
            if rest != expected {
                wrong.push(format!("{tool} as {head}: `{expected}` in the table, `{rest}` in that of REST"));
            }
            let letter_of = if *head == 't' { 'T' } else { *head };
            let caller = callers.iter().find(|caller| caller.letter == letter_of).unwrap();
            for (nth, assistant) in with_each(&server, caller, *head).iter().enumerate() {
                let target = server.sql(|conn| {
                    let copier = Copier::new(conn);
                    let of_draft = Some(twin).filter(|row| row.path.starts_with("/api/drafts/"));
                    let target = copier.target(format!("w-{at}-{head}-{nth}"), caller, of_draft);
                    copier.finish();
                    target
                });
                if tool == "undo" {
                    // Something to undo, for those who may write it.
                    let mut rename = arguments("upsert_components", &target);
                    rename["changeSetId"] = json!("joined");
                    outcome(assistant, "upsert_components", &rename).await;
                }
                if tool == "resolve_comment" {
                    server.seed_thread(target.pk, &target.id, caller.user.unwrap());
                }
                let before = server.count(WRITTEN);
                let mut ask = arguments(tool, &target);
                if tool.starts_with("delete_") || tool == "replace_workspace_model" {
                    let sql = format!("SELECT revision FROM workspace WHERE id = '{}'", target.id);
                    ask["expectedRevision"] = json!(server.count(&sql));
                }
                let (told, text) = outcome(assistant, tool, &ask).await;
                let wrote = server.count(WRITTEN) > before;
                if told != expected || wrote != (told == '+' && !reads) {
                    let who = format!("{tool} as {head}, {nth}");
                    wrong.push(format!("{who}: `{expected}` in the table, but `{told}`, wrote: {wrote}: {text}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} cells differ:\n{}", wrong.len(), wrong.join("\n"));
}
