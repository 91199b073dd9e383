//! Prompts: texts for frequent tasks, which clients offer to their users.

use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

use crate::{
    domain::{
        core::{Call, Gate, ViewTx, access::Viewer},
        map::components,
    },
    error::{Error, Problem, Result},
};

/// An argument of a prompt: name, whether it is required, description.
type Argument = (&'static str, bool, &'static str);

const WORKSPACE: Argument = ("workspaceId", true, "Id of the workspace");
const COMPONENT: Argument = ("componentId", true, "Id of the component");

/// A prompt. `{argument}` in its text is replaced by the value.
struct PromptDefinition {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
    text: &'static str,
}

const PROMPTS: [PromptDefinition; 6] = [
    PromptDefinition {
        name: "review_workspace",
        title: "Review a workspace",
        description: "Find what is missing, odd or risky on a map",
        arguments: &[WORKSPACE],
        text: "Review the architecture in the Planroom workspace {workspaceId}. Read get_workspace with format outline, \
               and list_changes for the last month. Report, most important first: components without an owner \
               (query_components with withoutOwner) or without relationships (unrelated); cycles of dependencies; \
               single points of failure (query_components with sortBy dependents and limit 10, then \
               trace_dependencies for the first ones); components that are deprecated or retired and still used \
               (query_components with lifecycle and sortBy dependents); processes with `unresolved` participants or \
               `stepsWithoutRelationship` (get_process). Read details with get_components only where you need them. \
               Name every component by its id. Propose changes, but write nothing before I agree.",
    },
    PromptDefinition {
        name: "impact_of_change",
        title: "Impact of a change",
        description: "What a change of a component can break, and who to inform",
        arguments: &[WORKSPACE, COMPONENT, ("change", false, "The planned change")],
        text: "I want to change the component {componentId} in the Planroom workspace {workspaceId}. The change: \
               {change}. Use trace_dependencies with direction dependents to find what it can affect, and \
               get_components for the nearest and most important of these. Tell me what breaks immediately, what can \
               break later, which processes involve it, and which people and teams must be informed (its `owners`, and \
               stakeholders of these components), each with the path. Say where the map may be incomplete, for \
               example because of relationships in `notFollowed`.",
    },
    PromptDefinition {
        name: "document_process",
        title: "Document a process",
        description: "Write a sequence diagram with components of the map",
        arguments: &[
            WORKSPACE,
            ("description", true, "Description of the process"),
            ("processId", false, "Process to change"),
        ],
        text: "Document this process in the Planroom workspace {workspaceId}: {description}. Process to update, if \
               given: {processId}. Find the components that take part with search, and read the process with \
               get_process if it exists. Write a mermaid sequence diagram whose participants are components of the \
               map, show it to me, and after I agree save it with save_process, with `participants` mapping each \
               alias that is not an id or a name to its component id. Fix what `diagnostics` and `unresolved` report, \
               and ask me about `stepsWithoutRelationship`: the step or the map is wrong.",
    },
    PromptDefinition {
        name: "find_ownership_gaps",
        title: "Find ownership gaps",
        description: "Components without an owner",
        arguments: &[WORKSPACE],
        text: "Find the owners of the components in the Planroom workspace {workspaceId}. Read the components without an \
               owner with query_components (withoutOwner), get_workspace with include stakeholders, \
               and list_people_and_teams. List the components without \
               an owner, those with a single person and no team, and people who own more than their share. For each \
               gap propose an owner, with the reason (see the owners of its neighbors with get_components). After I \
               agree, write them with set_stakeholders.",
    },
    PromptDefinition {
        name: "make_views",
        title: "Make views",
        description: "Views of a map for different readers",
        arguments: &[WORKSPACE, ("readers", false, "Who will read the views, and for what")],
        text: "Make a set of views of the Planroom workspace {workspaceId}, so that readers need not read the whole map. Readers: \
               {readers}. Read list_views, get_workspace (include components, relationships and stakeholders, all pages) \
               and list_people_and_teams. Propose: a context view (people, external systems and the outermost systems \
               or groups), a view for each group that is worth its own picture (within the group, outside stubs), a \
               view for each team that owns components (teams, outside stubs), and a view of the hot spots \
               (query_components with sortBy dependents; ids of the first ten, with around of depth 1 only if the \
               result stays small). Prefer conditions (types, within, teams, tags, lifecycle) to ids, so that new components \
               appear by themselves. A view should have about 5 to 40 components. Keep views that exist unless they are \
               wrong. List the views with name, one sentence and definition. After I agree, write them with save_view, each with \
               a kebab-case `viewId`, in one change set. If `components` of a result is 0 or far too large, or \
               `unknown` is not empty, correct the definition.",
    },
    PromptDefinition {
        name: "model_from_description",
        title: "Model from a description",
        description: "Create a map from a description, code or documents",
        arguments: &[("description", true, "Description of the system"), ("workspaceId", false, "Workspace to use")],
        text: "Create a Planroom map of this system: {description}. Workspace to use, if given: {workspaceId}; otherwise \
               propose a name for a new one (create_workspace). Read get_type_catalogue for the types. In a workspace with \
               content, search first and reuse what is there. List the components (id, type, name, one sentence) and the \
               relationships (source, type, target) that you would add, and what you are unsure of. After I agree, write them \
               with upsert_components (`parentId` for groups; omit x and y) and upsert_relationships. If a result has \
               `overlaps` and you drew the whole map, call arrange_components. Then check the result with get_workspace.",
    },
];

/// All prompts.
pub fn list() -> Vec<Prompt> {
    let argument = |(name, required, description): &Argument| {
        PromptArgument::new(*name).with_description(*description).with_required(*required)
    };
    let prompt = |definition: &PromptDefinition| {
        let arguments = definition.arguments.iter().map(argument).collect();
        Prompt::new(definition.name, Some(definition.description), Some(arguments)).with_title(definition.title)
    };
    PROMPTS.iter().map(prompt).collect()
}

/// Whether the prompt `name` has this argument.
pub fn takes(name: &str, argument: &str) -> bool {
    PROMPTS.iter().any(|prompt| prompt.name == name && prompt.arguments.iter().any(|(name, ..)| *name == argument))
}

/// Fails if the workspace or the component in the arguments of a prompt does not exist for the caller.
pub async fn expect_known(gate: &Gate, call: Call, arguments: &JsonObject) -> Result<()> {
    let text = |name: &str| arguments.get(name).and_then(|value| value.as_str()).filter(|text| !text.trim().is_empty());
    let Some(workspace) = text("workspaceId") else { return Ok(()) };
    let component = text("componentId").map(str::to_owned);
    let find = move |tx: &ViewTx<'_>| component.map_or(Ok(()), |id| components::find(tx, &id).map(drop));
    gate.read(call.needing::<Viewer>(), workspace.to_owned(), find).await
}

/// Fills the arguments into a prompt.
pub fn get(name: &str, arguments: &JsonObject) -> Result<GetPromptResult> {
    /// Maximum length of an argument, in characters.
    const MAX_ARGUMENT_LENGTH: usize = 20_000;
    let prompt = PROMPTS.iter().find(|prompt| prompt.name == name).ok_or(Error::NotFound("prompt"))?;
    if let Some(other) = arguments.keys().find(|key| !takes(name, key)) {
        return Err(Error::invalid(other.as_str(), format!("the prompt {name} has no such argument")));
    }
    let mut text = String::new();
    let mut rest = prompt.text;
    // A single pass, so that placeholders inside values are not replaced.
    while let Some((before, after)) = rest.split_once('{') {
        let (argument, behind) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        let required = prompt.arguments.iter().any(|(name, required, _)| *name == argument && *required);
        match arguments.get(argument).and_then(|value| value.as_str()).filter(|value| !value.trim().is_empty()) {
            Some(value) => {
                let checked = Problem::check_length(value, 1, MAX_ARGUMENT_LENGTH);
                checked.map_err(|problem| Error::invalid(argument, problem))?;
                text.push_str(value);
            }
            None if required => return Err(Error::invalid(argument, Problem::REQUIRED)),
            None => text.push_str("none given"),
        }
        rest = behind;
    }
    text.push_str(rest);
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(prompt.description))
}
