//! Managing the share links of a workspace, as one of its owners.

use serde_json::json;

use super::{
    model::{
        NewShareLink, ShareContent, ShareLink, ShareLinkPatch, ShareOptions, SharePreview, ShareState, ShareTheme,
        origins::EmbedOrigin,
    },
    rules::{self, DEFAULT_DAYS, SharingMode, SharingRules},
    store::{self, links::StoredLink},
    targets,
};
use crate::{
    clock::DAY,
    domain::{
        core::{Core, OwnTx, Reads, Workspace},
        input::Nullable,
        paging::{Page, Paging},
        users::Profile,
    },
    error::{Error, Result},
};

/// Maximum number of share links of a workspace.
pub const MAX_SHARE_LINKS: i64 = 200;

const NOT_FOUND: Error = Error::NotFound("share link");

/// The rules that apply to the links of a workspace.
pub fn rules_of(tx: &OwnTx<'_>) -> Result<SharingRules> {
    rules::in_organization(tx.core(), tx.workspace().org_id.as_deref().unwrap_or_default())
}

/// Lists the links of a workspace, oldest first.
pub fn list(tx: &OwnTx<'_>, paging: &Paging) -> Result<Page<ShareLink>> {
    let rules = rules_of(tx)?;
    let links = store::links::list(tx.core().conn, tx.pk(), &paging.window("shares")?)?;
    links.try_map(|(link, owner)| shown(tx.core(), tx.workspace(), rules, link, owner))
}

/// Creates a link on behalf of the caller. `password_hash` is that of the password in `new`.
pub fn create(tx: &mut OwnTx<'_>, new: NewShareLink, password_hash: Option<String>) -> Result<ShareLink> {
    let (rules, now) = (expect_sharing(tx)?, tx.core().now);
    let count = store::links::count(tx.core().conn, tx.pk())?;
    if count >= MAX_SHARE_LINKS {
        return Err(Error::LimitReached {
            limit: MAX_SHARE_LINKS,
            actual: count + 1,
            message: format!("a workspace can have {MAX_SHARE_LINKS} share links; revoke some first"),
        });
    }
    let owner_id = tx.user_id()?;
    let target = targets::checked(tx, &new)?;
    let shows = new.shows.clone().unwrap_or_else(|| vec![ShareContent::Descriptions]);
    let link = StoredLink {
        id: new_id(),
        workspace_pk: tx.pk(),
        generation: 1,
        owner_id,
        name: new.name.as_str().to_owned(),
        target_created_at: targets::times(tx, &target)?,
        target,
        options: ShareOptions {
            shows: distinct(shows),
            theme: new.theme.unwrap_or(ShareTheme::Auto),
            preview: new.preview.unwrap_or(SharePreview::Title),
        },
        embed_origins: distinct(new.embed_origins.unwrap_or_default()),
        password_hash,
        expires_at: match new.expires_at {
            Nullable::Absent => rules.expiry(Some(now + DEFAULT_DAYS * DAY), now),
            Nullable::Null => expiry(None, rules, now)?,
            Nullable::Value(at) => expiry(Some(at), rules, now)?,
        },
        renewed_at: now,
        is_paused: false,
        created_at: now,
        created_by: owner_id,
        updated_at: now,
        uses: 0,
        last_used_day: None,
    };
    expect_password(rules, &link)?;
    expect_embeddable(rules, &link)?;
    expect_no_password(&link)?;
    store::links::insert(tx.core().conn, &link)?;
    audit(tx, "share.create", &link)?;
    read(tx, &link.id)
}

/// Updates a link. `password_hash` is that of the password in `patch`.
pub fn update(tx: &mut OwnTx<'_>, id: &str, patch: ShareLinkPatch, password_hash: Option<String>) -> Result<ShareLink> {
    let (rules, now) = (expect_sharing(tx)?, tx.core().now);
    let mut link = stored(tx, id)?;
    // Rules can have become stricter since. The link is then blocked or not embedded, and can be changed otherwise.
    let (sets_password, sets_origins) = (!matches!(patch.password, Nullable::Absent), patch.embed_origins.is_some());
    link.name = patch.name.map_or(link.name, String::from);
    link.options.shows = patch.shows.map_or(link.options.shows, distinct);
    link.options.theme = patch.theme.unwrap_or(link.options.theme);
    link.options.preview = patch.preview.unwrap_or(link.options.preview);
    link.embed_origins = patch.embed_origins.map_or(link.embed_origins, distinct);
    match patch.password {
        Nullable::Absent => {}
        Nullable::Null => link.password_hash = None,
        Nullable::Value(_) => link.password_hash = password_hash,
    }
    match patch.expires_at {
        Nullable::Absent => {}
        Nullable::Null => (link.expires_at, link.renewed_at) = (expiry(None, rules, now)?, now),
        Nullable::Value(at) => (link.expires_at, link.renewed_at) = (expiry(Some(at), rules, now)?, now),
    }
    if sets_password {
        expect_password(rules, &link)?;
    }
    if sets_password || sets_origins {
        expect_no_password(&link)?;
    }
    if sets_origins {
        expect_embeddable(rules, &link)?;
    }
    store::links::update(tx.core().conn, &link, now)?;
    audit(tx, "share.update", &link)?;
    read(tx, id)
}

/// Gives a link a new address. The old one ends.
pub fn rotate(tx: &mut OwnTx<'_>, id: &str) -> Result<ShareLink> {
    let mut link = stored(tx, id)?;
    link.generation += 1;
    store::links::update(tx.core().conn, &link, tx.core().now)?;
    audit(tx, "share.rotate", &link)?;
    read(tx, id)
}

/// Makes the caller the owner of a link, which then works again if it was paused.
pub fn adopt(tx: &mut OwnTx<'_>, id: &str) -> Result<ShareLink> {
    expect_sharing(tx)?;
    let mut link = stored(tx, id)?;
    link.owner_id = tx.user_id()?;
    link.is_paused = false;
    store::links::update(tx.core().conn, &link, tx.core().now)?;
    audit(tx, "share.adopt", &link)?;
    read(tx, id)
}

/// Revokes a link: deletes it. Its address ends with the next request.
pub fn revoke(tx: &mut OwnTx<'_>, id: &str) -> Result<()> {
    let link = stored(tx, id)?;
    store::links::delete(tx.core().conn, id)?;
    audit(tx, "share.revoke", &link)
}

/// The state of a link of a workspace.
pub(super) fn state_in(
    core: &Core<'_>,
    workspace: &Workspace,
    rules: SharingRules,
    link: &StoredLink,
) -> Result<ShareState> {
    match targets::remaining(core.conn, link)? {
        Some(_) => Ok(state(link, rules, core.is_owner(workspace, link.owner_id)?, core.now)),
        None => Ok(ShareState::Gone),
    }
}

/// The state of a link whose target exists. `is_owned` is whether its owner is an owner of the workspace.
pub(super) fn state(link: &StoredLink, rules: SharingRules, is_owned: bool, now: i64) -> ShareState {
    let expires_at = rules.expiry(link.expires_at, link.renewed_at);
    if rules.mode == SharingMode::Off || (rules.password_required && link.password_hash.is_none()) {
        ShareState::Blocked
    } else if link.is_paused || !is_owned {
        ShareState::Paused
    } else if expires_at.is_some_and(|at| at <= now) {
        ShareState::Expired
    } else {
        ShareState::Active
    }
}

fn shown(
    core: &Core<'_>,
    workspace: &Workspace,
    rules: SharingRules,
    link: StoredLink,
    owner: Profile,
) -> Result<ShareLink> {
    let proof = core.shared.keys.share_code(&link.id, link.generation);
    Ok(ShareLink {
        state: state_in(core, workspace, rules, &link)?,
        url: format!("{}/s/{}.{proof}", core.shared.sessions.issuer, link.id),
        has_password: link.password_hash.is_some(),
        expires_at: rules.expiry(link.expires_at, link.renewed_at),
        id: link.id,
        name: link.name,
        target: link.target,
        options: link.options,
        embed_origins: link.embed_origins,
        owner,
        created_at: link.created_at,
        created_by: link.created_by,
        updated_at: link.updated_at,
        uses: link.uses,
        last_used_day: link.last_used_day,
    })
}

fn read(tx: &OwnTx<'_>, id: &str) -> Result<ShareLink> {
    let (link, owner) = store::links::find_in(tx.core().conn, tx.pk(), id)?.ok_or(NOT_FOUND)?;
    shown(tx.core(), tx.workspace(), rules_of(tx)?, link, owner)
}

fn stored(tx: &OwnTx<'_>, id: &str) -> Result<StoredLink> {
    Ok(store::links::find_in(tx.core().conn, tx.pk(), id)?.ok_or(NOT_FOUND)?.0)
}

/// The rules, unless they allow no links at all.
fn expect_sharing(tx: &OwnTx<'_>) -> Result<SharingRules> {
    match rules_of(tx)? {
        SharingRules { mode: SharingMode::Off, .. } => {
            Err(Error::Forbidden("share links are turned off; ask an administrator"))
        }
        rules => Ok(rules),
    }
}

/// The expiry that was asked for, if the rules allow it.
fn expiry(at: Option<i64>, rules: SharingRules, now: i64) -> Result<Option<i64>> {
    let wrong = |text: String| Err(Error::invalid("expiresAt", text));
    match (at, rules.max_days) {
        (Some(at), _) if at <= now => wrong("must be in the future".into()),
        (None, Some(days)) => wrong(format!("must be set: share links expire after at most {days} days")),
        // A minute more, because clocks of clients differ.
        (Some(at), Some(days)) if at > now + days * DAY + 60_000 => {
            wrong(format!("must be at most {days} days in the future"))
        }
        (at, _) => Ok(rules.expiry(at, now)),
    }
}

fn expect_password(rules: SharingRules, link: &StoredLink) -> Result<()> {
    if rules.password_required && link.password_hash.is_none() {
        return Err(Error::invalid("password", "is required by the rules for share links"));
    }
    Ok(())
}

/// Rejects origins that the rules do not allow.
fn expect_embeddable(rules: SharingRules, link: &StoredLink) -> Result<()> {
    if rules.mode != SharingMode::Embeds && !link.embed_origins.is_empty() {
        return Err(Error::invalid("embedOrigins", "must be empty: the rules for share links do not allow embedding"));
    }
    Ok(())
}

/// Rejects origins together with a password.
fn expect_no_password(link: &StoredLink) -> Result<()> {
    if link.password_hash.is_some() && !link.embed_origins.is_empty() {
        return Err(Error::invalid("embedOrigins", "must be empty for a link with a password"));
    }
    Ok(())
}

/// Values without repetitions, in their order.
fn distinct<T: PartialEq>(values: Vec<T>) -> Vec<T> {
    values.into_iter().fold(Vec::new(), |mut kept, value| {
        if !kept.contains(&value) {
            kept.push(value);
        }
        kept
    })
}

fn new_id() -> String {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    URL_SAFE_NO_PAD.encode(uuid::Uuid::now_v7().as_bytes())
}

/// Records a change of a link, without its address and its password.
fn audit(tx: &OwnTx<'_>, kind: &str, link: &StoredLink) -> Result<()> {
    let origins: Vec<&str> = link.embed_origins.iter().map(EmbedOrigin::as_str).collect();
    let details = json!({
        "shareId": link.id,
        "workspacePk": tx.pk(),
        "scope": link.target.scope,
        "expiresAt": link.expires_at,
        "hasPassword": link.password_hash.is_some(),
        "origins": origins,
    });
    tx.core().audit(kind, tx.core().actor(), &details)
}
