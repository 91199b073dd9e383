//! Tools for external links of components.

use serde::Deserialize;

use super::{
    change_set::change_set,
    results::writes::{SavedLink, WriteResult},
    tool::arguments,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, access::Editor},
        map::{
            change_set::ChangeSet,
            links::{self, Link, LinkKind, NewLink},
        },
        paging::Paging,
        values::WebAddress,
        wiki::Wiki,
    },
    error::{Error, Result},
    mcp::services::Site,
};

/// A link to add.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct AddComponentLink {
    /// Id of the workspace.
    workspace_id: String,
    /// The component.
    component_id: String,
    /// http or https URL.
    #[schema(example = "https://example.org/runbook")]
    url: WebAddress,
    /// `url` stores a wiki page as a plain link. Default: depends on the URL.
    #[schema(inline, nullable = false)]
    kind: Option<LinkKind>,
    /// Removes the link instead.
    #[schema(nullable = false)]
    remove: Option<bool>,
}

arguments!(
    AddComponentLink: "Link a component to an external page: a runbook, a repository, a dashboard, a wiki page. A \
            component has each URL once. Example: {\"workspaceId\": \"web-shop\", \"componentId\": \"checkout\", \
            \"url\": \"https://example.org/runbook\"}",
);

/// Adds or removes a link of a component.
pub async fn add_component_link(
    (site, wiki): (Site, Wiki),
    call: Call<Editor>,
    request: AddComponentLink,
) -> Result<WriteResult<SavedLink>> {
    let AddComponentLink { workspace_id, component_id, url, kind, remove } = request;
    if remove == Some(true) {
        return remove_link(&site, call, workspace_id, component_id, url).await;
    }
    let links = site.links(&call).await?;
    let component_url = links.component(&workspace_id, &component_id);
    let (id, link_url) = (component_id.clone(), String::from(url.clone()));
    let (existing, revision) = site
        .gate
        .dry_run(call.clone(), workspace_id.clone(), move |tx| {
            let links = links::list(tx, &id, &Paging::default())?.items;
            Ok((links.into_iter().find(|link| link.url == link_url), tx.workspace().metadata.revision))
        })
        .await?;
    let batch = call.batch().to_owned();
    let (link, change_set_id, revision) = match existing {
        Some(link) => (link, None, Some(revision)),
        None => {
            let link = wiki.link(call, workspace_id, component_id, NewLink { url, kind }).await?;
            let revision = link.metadata.revision;
            (link, Some(batch), Some(revision))
        }
    };
    let result = saved(link, false, component_url);
    Ok(WriteResult { result, change_set_id, revision, url: None, links })
}

async fn remove_link(
    site: &Site,
    call: Call<Editor>,
    workspace_id: String,
    component_id: String,
    url: WebAddress,
) -> Result<WriteResult<SavedLink>> {
    let component_url = site.links(&call).await?.component(&workspace_id, &component_id);
    let url = String::from(url);
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let links = links::list(set.now(), &component_id, &Paging::default())?.items;
        let link = links.into_iter().find(|link| link.url == url);
        let link = link.ok_or_else(|| Error::invalid("url", "is not linked; get_components lists the links"))?;
        links::delete(set.tx(), &component_id, link.id)?;
        Ok(link)
    };
    let result = change_set(site, call, workspace_id, "url", write).await?;
    Ok(WriteResult { url: None, ..result.map(|link| saved(link, true, component_url)) })
}

fn saved(Link { id: link_id, kind, url, title, .. }: Link, removed: bool, component_url: String) -> SavedLink {
    SavedLink { link_id, kind, url, title, removed, component_url }
}
