//! Completion of ids for arguments.

use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};

use super::prompts;
use crate::{
    domain::{
        core::{
            Call, Gate,
            access::{OrgReader, Viewer},
        },
        map::{bundle, workspaces},
        paging::Paging,
    },
    error::{Error, Result},
};

/// Ids for an argument of a prompt or resource template. Arguments without completion have no values.
pub async fn complete(gate: &Gate, call: Call, request: CompleteRequestParams) -> Result<CompletionInfo> {
    let name = request.argument.name.as_str();
    let is_known = match &request.r#ref {
        Reference::Prompt(prompt) => prompts::takes(&prompt.name, name),
        Reference::Resource(template) => template.uri.contains(&format!("{{{name}}}")),
        _ => false,
    };
    if !is_known {
        return Err(Error::invalid(["argument", "name"], "is not an argument of this prompt or template"));
    }
    let workspace = request.context.as_ref().and_then(|context| context.get_argument("workspaceId")).cloned();
    let all: Vec<(String, String)> = match (name, workspace) {
        ("workspaceId", _) => {
            let all = gate.read(call.needing::<OrgReader>(), (), |tx| workspaces::list(tx, &Paging::default())).await?;
            all.items.into_iter().map(|listed| (listed.workspace.id, listed.workspace.name)).collect()
        }
        ("componentId", Some(id)) => {
            let all = gate
                .read(call.needing::<Viewer>().large(), id, |tx| {
                    Ok(bundle::assemble(tx, bundle::Included::default())?.components)
                })
                .await?;
            all.into_iter().map(|row| (row.id, row.name)).collect()
        }
        ("processId", Some(id)) => {
            let all = gate
                .read(call.needing::<Viewer>().large(), id, |tx| {
                    Ok(bundle::assemble(tx, bundle::Included::default())?.processes)
                })
                .await?;
            all.into_iter().map(|row| (row.id, row.name)).collect()
        }
        _ => Vec::new(),
    };
    let typed = request.argument.value.to_lowercase();
    let matches = |text: &str| text.to_lowercase().contains(&typed);
    let (mut first, mut others): (Vec<_>, Vec<_>) = all
        .into_iter()
        .filter(|(id, name)| matches(id) || matches(name))
        .map(|(id, _)| id)
        .partition(|id| id.to_lowercase().starts_with(&typed));
    first.append(&mut others);
    let total = u32::try_from(first.len()).ok();
    let more = first.len() > CompletionInfo::MAX_VALUES;
    first.truncate(CompletionInfo::MAX_VALUES);
    CompletionInfo::with_pagination(first, total, more).map_err(Error::internal)
}
