//! Operations on workspaces.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    app::App,
    auth::Credential,
    domain::{
        core::{
            Call, SystemTx, Via, ViewTx,
            access::{Owner, OwnerOfDeleted, Viewer},
        },
        input,
        instance::overview,
        map::{
            drawing::{DrawnView, Format, ImageQuery, ImageRequest},
            members,
            views::{self, View},
            workspaces,
        },
        organizations,
        sharing::administration::{self, ShareSelection},
        transfer::{
            document::Document,
            export,
            formats::{self, ExportFormat},
            import::{self, ImportOptions},
        },
        users,
        values::Id,
    },
    error::{Error, Result},
    images::ImageResponse,
};

/// An operation on workspaces.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkspaceOperation {
    /// Create a workspace from a file, or update it to match.
    Import {
        /// Id of the workspace.
        id: String,
        /// Slug of the organization.
        org: String,
        /// Login of the user to act as; none for the organization's first admin.
        login: Option<String>,
        /// Only report what would change.
        dry_run: bool,
        /// The file, as JSON.
        model: String,
    },
    /// Export a workspace as a file.
    Export {
        /// Id of the workspace.
        id: String,
        /// The format.
        #[serde(default)]
        format: Option<ExportFormat>,
        /// Id of the view to export; none for the map.
        #[serde(default)]
        view: Option<String>,
    },
    /// Draw a workspace or a view of it.
    Image {
        /// Id of the workspace.
        id: String,
        /// Id of the view; none for the map.
        view: Option<String>,
        /// What to draw, and how.
        query: ImageQuery,
        /// The format.
        format: Format,
        /// Whether an SVG contains the ids of components and relationships.
        ids: bool,
    },
    /// List workspaces.
    List {
        /// Only workspaces of the organization with this slug.
        org: Option<String>,
        /// List deleted workspaces that can be restored instead.
        deleted: bool,
    },
    /// List the views of a workspace with their numbers of components and relationships.
    Views {
        /// Id of the workspace.
        id: String,
    },
    /// Set the owner, who must be a member of the organization. The previous owner remains a co-owner.
    SetOwner {
        /// Id of the workspace.
        id: String,
        /// Login of the new owner.
        login: String,
    },
    /// Delete a workspace. It can be restored for 30 days.
    Delete {
        /// Id of the workspace.
        id: String,
    },
    /// List share links.
    Shares {
        /// Which links.
        selection: ShareSelection,
    },
    /// Revoke share links.
    Unshare {
        /// Which links.
        selection: ShareSelection,
    },
    /// Restore a deleted workspace.
    Restore {
        /// Key from the list of deleted workspaces.
        pk: i64,
        /// New id, if another workspace uses the old one.
        id: Option<String>,
    },
}

impl WorkspaceOperation {
    /// Whether the operation changes nothing.
    pub(super) fn only_reads(&self) -> bool {
        match self {
            Self::Export { .. } | Self::Image { .. } | Self::List { .. } | Self::Views { .. } | Self::Shares { .. } => {
                true
            }
            Self::Import { .. }
            | Self::SetOwner { .. }
            | Self::Delete { .. }
            | Self::Unshare { .. }
            | Self::Restore { .. } => false,
        }
    }

    pub(super) async fn perform(self, app: &App) -> Result<Value> {
        match self {
            Self::Import { id, org, login, dry_run, model } => import(app, &id, org, login, dry_run, model).await,
            Self::Export { id, format, view } => {
                let format = format.unwrap_or(ExportFormat::Planroom);
                let format = if view.is_some() { Some(formats::of_view(format)?) } else { format.foreign() };
                let view = view.map(DrawnView::Shared);
                let call = at::<Viewer>(app, &id).await?.large();
                let weigh = if format.is_none() { export::weigh } else { formats::weigh };
                let whole = app.gate.whole_map(&call, id.clone(), weigh).await?;
                let model = move |tx: &ViewTx<'_>| match format {
                    None => Ok(serde_json::to_value(export::export(tx, &whole)?)?),
                    Some(format) => formats::export(tx, format, view.clone(), &whole).map(Value::from),
                };
                app.gate.read(call, id, model).await
            }
            Self::Image { id, view, query, format, ids } => {
                let request = ImageRequest::new(&query, view.map(DrawnView::Shared), format, ids, app.clock.now())?;
                let call = at::<Viewer>(app, &id).await?;
                match app.map_images().read(&app.gate, call, id, request, Vec::new()).await? {
                    ImageResponse::Image { bytes, .. } => Ok(Value::from(STANDARD.encode(bytes))),
                    ImageResponse::Unchanged(_) => Err(Error::internal("an image without known tags is unchanged")),
                }
            }
            Self::List { org, deleted } => {
                let list = move |tx: &mut SystemTx<'_>| overview::workspaces(tx, org.as_deref(), deleted);
                Ok(serde_json::to_value(app.gate.system(Via::Cli, list).await?)?)
            }
            Self::Views { id } => {
                let rows = |tx: &ViewTx<'_>| {
                    let row = |(view, components, relationships): (View, usize, usize)| {
                        json!({ "id": view.id, "name": view.name, "layout": view.layout, "components": components,
                                "relationships": relationships, "updatedAt": view.metadata.updated_at })
                    };
                    Ok(Value::Array(views::reading::counted(tx)?.into_iter().map(row).collect()))
                };
                app.gate.read(at::<Viewer>(app, &id).await?.large(), id, rows).await
            }
            Self::SetOwner { id, login } => {
                let user = app.gate.system(Via::Cli, move |tx| users::id_of(&tx.admin(), &login)).await?;
                app.gate.write(at::<Owner>(app, &id).await?, id, move |tx| members::set_owner(tx, user)).await?;
                Ok(Value::Null)
            }
            Self::Delete { id } => {
                app.gate.write(at::<Owner>(app, &id).await?, id, workspaces::delete).await?;
                Ok(Value::Null)
            }
            Self::Shares { selection } => {
                let list = move |tx: &mut SystemTx<'_>| administration::list_selected(tx, &selection);
                Ok(Value::Array(app.gate.system(Via::Cli, list).await?))
            }
            Self::Unshare { selection } => {
                let revoke = move |tx: &mut SystemTx<'_>| administration::revoke_selected(tx, &selection);
                Ok(json!({ "revoked": app.gate.system(Via::Cli, revoke).await? }))
            }
            Self::Restore { pk, id } => {
                let id = id.map(|id| Id::new(&id).map_err(|wrong| Error::invalid("--id", wrong))).transpose()?;
                let credential =
                    app.gate.system(Via::Cli, move |tx| organizations::operator_at_deleted(tx, pk)).await?;
                let restored =
                    app.gate.write(call::<OwnerOfDeleted>(credential), pk, |tx| workspaces::restore(tx, id)).await?;
                Ok(json!({ "id": restored.id }))
            }
        }
    }
}

/// A call of the operator in the organization of the workspace `id`.
async fn at<A>(app: &App, id: &str) -> Result<Call<A>> {
    let id = id.to_owned();
    app.gate.system(Via::Cli, move |tx| organizations::operator_at(tx, &id)).await.map(call)
}

fn call<A>(credential: Credential) -> Call<A> {
    Call::new(Some(credential), Via::Cli, uuid::Uuid::now_v7().to_string())
}

async fn import(
    app: &App,
    id: &str,
    org: String,
    login: Option<String>,
    dry_run: bool,
    model: String,
) -> Result<Value> {
    let id = Id::new(id).map_err(|wrong| Error::invalid("--id", wrong))?;
    let read = move || input::parse::<Document>(model.as_bytes());
    let (document, ignored) = app.gate.heavy_work(read).await?;
    let credential = app.gate.system(Via::Cli, move |tx| organizations::operator(tx, &org, login.as_deref())).await?;
    let options = ImportOptions { id: Some(id), replace: true, dry_run };
    let imported = import::import(&app.gate, call(credential), options, document, ignored).await?;
    Ok(serde_json::to_value(imported)?)
}
