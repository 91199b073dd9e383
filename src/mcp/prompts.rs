//! Prompts: texts for frequent tasks, which clients offer to their users.

use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

use crate::error::{Error, Problem, Result};

/// An argument of a prompt: name, whether it is required, description.
type Argument = (&'static str, bool, &'static str);

const WORKSPACE: Argument = ("workspaceId", true, "Id of the workspace");
const COMPONENT: Argument = ("componentId", true, "Id of the component");

/// A prompt. `{argument}` in its text is replaced by the value.
struct PromptDefinition {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    arguments: &'static [Argument],
    text: &'static str,
}

const PROMPTS: [PromptDefinition; 5] = [
    PromptDefinition {
        name: "review_workspace",
        title: "Review a workspace",
        about: "Find what is missing, odd or risky on a map",
        arguments: &[WORKSPACE],
        text: "Review the architecture in the Planroom workspace {workspaceId}. Read all pages of get_workspace with \
               components, relationships, processes and stakeholders. Report, most important first: components \
               without an owner; components without relationships; cycles of dependencies; single points of failure \
               (many dependents: use trace_dependencies); components that are deprecated or retired and still used; \
               missing descriptions; processes with unresolved participants (get_process). Name every component by \
               its id. Propose changes, but write nothing before I agree.",
    },
    PromptDefinition {
        name: "impact_of_change",
        title: "Impact of a change",
        about: "What a change of a component can break, and who to inform",
        arguments: &[WORKSPACE, COMPONENT, ("change", false, "The planned change")],
        text: "I want to change the component {componentId} in the Planroom workspace {workspaceId}. The change: \
               {change}. Use trace_dependencies with direction dependents to find what it can affect, and \
               get_components for the nearest and most important of these. Tell me what breaks immediately, what can \
               break later, which processes involve it, and which people and teams must be informed (stakeholders), \
               each with the path. Say where the map may be incomplete.",
    },
    PromptDefinition {
        name: "document_process",
        title: "Document a process",
        about: "Write a sequence diagram with components of the map",
        arguments: &[
            WORKSPACE,
            ("description", true, "Description of the process"),
            ("processId", false, "Process to change"),
        ],
        text: "Document this process in the Planroom workspace {workspaceId}: {description}. Process to update, if \
               given: {processId}. Find the components that take part with search, and read the process with \
               get_process if it exists. Write a mermaid sequence diagram whose participants are components of the \
               map, show it to me, and after I agree save it with save_process, with `participants` mapping each \
               alias to its component id. Fix what `diagnostics` and `unresolved` report.",
    },
    PromptDefinition {
        name: "find_ownership_gaps",
        title: "Find ownership gaps",
        about: "Components without an owner",
        arguments: &[WORKSPACE],
        text: "Find the owners of the components in the Planroom workspace {workspaceId}. Read all pages of \
               get_workspace with components and stakeholders, and list_people_and_teams. List the components without \
               an owner, those with a single person and no team, and people who own more than their share. For each \
               gap propose an owner, with the reason (see the owners of its neighbors with get_components). After I \
               agree, write them with set_stakeholders.",
    },
    PromptDefinition {
        name: "model_from_description",
        title: "Model from a description",
        about: "Create a map from a description, code or documents",
        arguments: &[("description", true, "Description of the system"), ("workspaceId", false, "Workspace to use")],
        text: "Create a Planroom map of this system: {description}. Workspace to use, if given: {workspaceId}; otherwise \
               propose a name for a new one (create_workspace). Read get_type_catalogue for the types. In a workspace with \
               content, search first and reuse what is there. List the components (id, type, name, one sentence) and the \
               relationships (source, type, target) that you would add, and what you are unsure of. After I agree, write them \
               with upsert_components and upsert_relationships; omit x and y. Then check the result with get_workspace.",
    },
];

/// All prompts.
pub fn list() -> Vec<Prompt> {
    let argument = |(name, required, about): &Argument| {
        PromptArgument::new(*name).with_description(*about).with_required(*required)
    };
    let prompt = |known: &PromptDefinition| {
        let arguments = known.arguments.iter().map(argument).collect();
        Prompt::new(known.name, Some(known.about), Some(arguments)).with_title(known.title)
    };
    PROMPTS.iter().map(prompt).collect()
}

/// Whether the prompt `name` has this argument.
pub fn takes(name: &str, argument: &str) -> bool {
    PROMPTS.iter().any(|known| known.name == name && known.arguments.iter().any(|(name, ..)| *name == argument))
}

/// Fills the arguments into a prompt.
pub fn get(name: &str, given: &JsonObject) -> Result<GetPromptResult> {
    /// Maximum length of an argument, in characters.
    const MAX_ARGUMENT_LENGTH: usize = 20_000;
    let known = PROMPTS.iter().find(|known| known.name == name).ok_or(Error::NotFound("prompt"))?;
    if let Some(other) = given.keys().find(|key| !takes(name, key)) {
        return Err(Error::invalid(other.as_str(), format!("the prompt {name} has no such argument")));
    }
    let mut text = String::new();
    let mut rest = known.text;
    // A single pass, so that placeholders inside values are not replaced.
    while let Some((before, after)) = rest.split_once('{') {
        let (argument, behind) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        let required = known.arguments.iter().any(|(name, required, _)| *name == argument && *required);
        match given.get(argument).and_then(|value| value.as_str()).filter(|value| !value.trim().is_empty()) {
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
    Ok(GetPromptResult::new(vec![message]).with_description(known.about))
}
