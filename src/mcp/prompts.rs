//! Prompts: texts for frequent tasks, which clients offer to their users.

use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

use crate::error::{Error, Result};

/// An argument of a prompt: name, whether it is required, description.
type Argument = (&'static str, bool, &'static str);

const WORKSPACE: Argument = ("workspaceId", true, "Id of the workspace");
const COMPONENT: Argument = ("componentId", true, "Id of the component");

/// A prompt. `{argument}` in its text is replaced by the value.
struct Known {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    arguments: &'static [Argument],
    text: &'static str,
}

const KNOWN: [Known; 5] = [
    Known {
        name: "review_workspace",
        title: "Review a workspace",
        about: "Find what is missing, odd or risky on a map",
        arguments: &[WORKSPACE],
        text: "Review the architecture in the Planroom workspace {workspaceId}. Read all pages of get_workspace with \
               components, relationships, processes and stakeholders. Report, the most important first: components without \
               an owner; components that nothing relates to; cycles of dependencies; single points of failure (many \
               dependents: look with trace_dependencies); components that are deprecated or retired and still used; missing \
               descriptions; processes with unresolved participants (get_process). Name every component by its id. Propose \
               changes, but write nothing before I agree.",
    },
    Known {
        name: "impact_of_change",
        title: "Impact of a change",
        about: "What a change of a component may break, and whom to tell",
        arguments: &[WORKSPACE, COMPONENT, ("change", false, "What is to be changed")],
        text: "I want to change the component {componentId} in the Planroom workspace {workspaceId}. The change: {change}. Use \
               trace_dependencies with direction dependents to find what it may reach, and get_components for the nearest and \
               most important of these. Tell me: what breaks at once, what may break later, which processes pass through it, \
               and which people and teams to tell (stakeholders), each with the path that leads there. Say where the map may \
               be incomplete.",
    },
    Known {
        name: "document_process",
        title: "Document a process",
        about: "Write a sequence diagram over the map",
        arguments: &[
            WORKSPACE,
            ("description", true, "What happens, in words"),
            ("processId", false, "A process to change"),
        ],
        text: "Document this process in the Planroom workspace {workspaceId}: {description}. Process to change, if one is named: \
               {processId}. Find the components that take part with search, and read the process with get_process if it \
               exists. Write a mermaid sequence diagram whose participants are components of the map, show it to me, and \
               after I agree save it with save_process, with `participants` mapping each alias to its component id. Mend what \
               `diagnostics` and `unresolved` report.",
    },
    Known {
        name: "find_ownership_gaps",
        title: "Find ownership gaps",
        about: "Components without an owner",
        arguments: &[WORKSPACE],
        text: "Find who answers for what in the Planroom workspace {workspaceId}. Read all pages of get_workspace with components \
               and stakeholders, and list_people_and_teams. List the components without an owner, those with a single person \
               and no team, and people who own more than their share. For each gap propose an owner, with the reason (who \
               owns what surrounds it: get_components). After I agree, write them with set_stakeholders.",
    },
    Known {
        name: "model_from_description",
        title: "Model from a description",
        about: "Draw a map from words, code or documents",
        arguments: &[
            ("description", true, "The system, in words"),
            ("workspaceId", false, "A workspace to draw it in"),
        ],
        text: "Make a Planroom map of this system: {description}. Workspace to draw it in, if one is named: {workspaceId}; otherwise \
               propose a name for a new one (create_workspace). Read get_type_catalogue for the types. In a workspace with \
               content, search first and reuse what is there. List the components (id, type, name, one sentence) and the \
               relationships (source, type, target) that you would add, and what you are unsure of. After I agree, write them \
               with upsert_components and upsert_relationships; leave x and y out. Then check the result with get_workspace.",
    },
];

/// All prompts.
pub fn list() -> Vec<Prompt> {
    let argument = |(name, required, about): &Argument| {
        PromptArgument::new(*name).with_description(*about).with_required(*required)
    };
    let prompt = |known: &Known| {
        let arguments = known.arguments.iter().map(argument).collect();
        Prompt::new(known.name, Some(known.about), Some(arguments)).with_title(known.title)
    };
    KNOWN.iter().map(prompt).collect()
}

/// Whether the prompt `name` has this argument.
pub fn takes(name: &str, argument: &str) -> bool {
    KNOWN.iter().any(|known| known.name == name && known.arguments.iter().any(|(name, ..)| *name == argument))
}

/// Fills the arguments into a prompt.
pub fn get(name: &str, given: &JsonObject) -> Result<GetPromptResult> {
    /// Maximum length of an argument, in characters.
    const LONGEST: usize = 20_000;
    let known = KNOWN.iter().find(|known| known.name == name).ok_or(Error::NotFound("prompt"))?;
    if let Some(other) = given.keys().find(|key| !takes(name, key)) {
        return Err(Error::invalid(other.as_str(), format!("the prompt {name} takes no such argument")));
    }
    let mut text = String::new();
    let mut rest = known.text;
    // A single pass, so that placeholders inside values are not replaced.
    while let Some((before, after)) = rest.split_once('{') {
        let (argument, behind) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        let required = known.arguments.iter().any(|(name, required, _)| *name == argument && *required);
        match given.get(argument).and_then(|value| value.as_str()).filter(|value| !value.trim().is_empty()) {
            Some(value) if value.chars().count() > LONGEST => {
                return Err(Error::invalid(argument, format!("must have at most {LONGEST} characters")));
            }
            Some(value) => text.push_str(value),
            None if required => return Err(Error::invalid(argument, "is required")),
            None => text.push_str("none given"),
        }
        rest = behind;
    }
    text.push_str(rest);
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(known.about))
}
