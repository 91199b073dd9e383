//! Tools that describe the caller and list the available types.

use serde::Deserialize;

use super::{
    results::directory::{CallerDetails, Catalogue, KindSummary, TypeLists},
    tool::arguments,
};
use crate::{
    describe::ToSchema,
    domain::{
        accounts::current::{self, CurrentUser},
        core::{Call, Gate, SelfTx, access::User},
        directory::{component_kinds, people},
    },
    error::Result,
    mcp::{
        links::Links,
        results::{SpaceLeft, page},
        services::Site,
    },
};

/// No arguments.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetMe {}

/// The page to read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetTypeCatalogue {
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

arguments!(
    GetMe: "The user and the organization in which you act. Use it when the user says \"I\" or \"my\", or when \
            something is unexpectedly not found: other organizations are never visible. No arguments.",
    GetTypeCatalogue: "All values of `typeId`, `lifecycle` and `linkType`; others are rejected. Read it once \
            before you write. `contains` makes its target a part of its source (one parent each). `dependsOn`: \
            which end the other one depends on. list_people_and_teams has custom roles (`linkType`). `kinds` \
            refine types: set `properties.kind` to the id, `typeId` to `baseType`; field keys are properties.",
);

/// Reads the caller.
pub async fn get_me(site: Site, call: Call<User>, _: GetMe) -> Result<CallerDetails> {
    let me = |tx: &SelfTx<'_>| Ok((current::current(tx)?, people::of_caller(tx)?, tx.caller().may_write().is_ok()));
    let (user, person_id, can_write) = site.gate.read(call, (), me).await?;
    let CurrentUser { id, display_name, login, is_admin, session, .. } = user;
    let url = Links::new(&site.public_url, session.org_slug.as_deref()).home();
    let (org_slug, org_role) = (session.org_slug, session.org_role);
    Ok(CallerDetails { id, display_name, login, is_admin, org_slug, org_role, person_id, can_write, url })
}

/// Reads the type catalogue, and as many kinds as fit. Further pages contain only kinds.
pub async fn get_type_catalogue(gate: Gate, call: Call<User>, request: GetTypeCatalogue) -> Result<Catalogue> {
    gate.read(call.large(), (), move |tx| {
        let cursor = request.cursor.as_deref();
        let types = if cursor.is_none_or(str::is_empty) { TypeLists::complete() } else { TypeLists::default() };
        let all = component_kinds::of_caller(tx)?.into_iter().map(KindSummary::from);
        let (kinds, next_cursor) = page(all, cursor, &mut SpaceLeft::after(&types))?;
        Ok(Catalogue { types, kinds, next: next_cursor.into() })
    })
    .await
}
