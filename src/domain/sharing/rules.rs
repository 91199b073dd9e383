//! Rules for share links: those of the instance, which organizations can only make stricter.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::store;
use crate::{
    clock::DAY,
    describe::ToSchema,
    domain::{
        core::{Core, OrgAdminTx, OrgViewTx, Reads},
        input::{Input, Nullable, objects},
        settings,
        values::words,
    },
    error::{Error, Problem, Result},
};

/// Maximum number of days that the rules can allow.
pub const MAX_DAYS: i64 = 3_650;
/// Days until a link expires by default.
pub const DEFAULT_DAYS: i64 = 90;

words! {
    /// Which share links are allowed, from the strictest.
    SharingMode {
        /// None.
        Off = "off",
        /// Links, which other sites cannot embed.
        Links = "links",
        /// Links, which other sites can embed if the link lists them.
        Embeds = "links-and-embeds",
    }
}

/// Rules for share links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharingRules {
    /// Which share links are allowed.
    pub mode: SharingMode,
    /// Maximum number of days until a link expires; null: links can be valid forever.
    #[schema(required)]
    pub max_days: Option<i64>,
    /// Whether links need a password.
    pub password_required: bool,
}

impl SharingRules {
    /// Rules that fulfill both.
    fn strictest(self, other: Self) -> Self {
        Self {
            mode: self.mode.min(other.mode),
            max_days: self.max_days.into_iter().chain(other.max_days).min(),
            password_required: self.password_required || other.password_required,
        }
    }

    /// When a link expires whose expiry was set at `renewed_at`.
    pub(super) fn expiry(&self, expires_at: Option<i64>, renewed_at: i64) -> Option<i64> {
        let latest = self.max_days.map(|days| renewed_at.saturating_add(days * DAY));
        expires_at.into_iter().chain(latest).min()
    }
}

/// The rules of an organization, and those of the instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrgSharingRules {
    /// The rules of the organization. They apply in addition to those of the instance.
    pub organization: SharingRules,
    /// The rules of the instance.
    pub instance: SharingRules,
}

/// Rules of an organization to update; absent fields are unchanged.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SharingRulesPatch {
    /// Which share links are allowed.
    #[schema(nullable = false)]
    pub mode: Option<SharingMode>,
    /// Maximum number of days until a link expires, 1 to 3,650; null: no limit of the organization.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 3650)]
    pub max_days: Nullable<i64>,
    /// Whether links need a password.
    #[schema(nullable = false)]
    pub password_required: Option<bool>,
}

objects!(SharingRulesPatch);

impl Input for SharingRulesPatch {}

/// An organization without rules of its own.
const UNLIMITED: SharingRules = SharingRules { mode: SharingMode::Embeds, max_days: None, password_required: false };

/// The rules of the instance.
fn of_instance(core: &Core<'_>) -> Result<SharingRules> {
    let settings::Sharing { mode, max_days, password_required } = settings::sharing(core)?;
    let mode = SharingMode::ALL.iter().copied().find(|known| known.as_str() == mode).unwrap_or(SharingMode::Off);
    Ok(SharingRules { mode, max_days, password_required })
}

fn of_organization(core: &Core<'_>, organization_id: &str) -> Result<SharingRules> {
    let stored = store::rules::read(core.conn, organization_id)?;
    stored.map_or(Ok(UNLIMITED), |json| Ok(serde_json::from_str(&json)?))
}

/// The rules that apply to the links of an organization.
pub(super) fn in_organization(core: &Core<'_>, organization_id: &str) -> Result<SharingRules> {
    Ok(of_instance(core)?.strictest(of_organization(core, organization_id)?))
}

/// Reads the rules of the caller's organization.
pub fn read(tx: &OrgViewTx<'_>) -> Result<OrgSharingRules> {
    let organization_id = match tx.reach() {
        crate::domain::core::Reach::Organization(id) => id,
        crate::domain::core::Reach::Everything => return Err(Error::NoActiveOrganization),
    };
    Ok(OrgSharingRules {
        organization: of_organization(tx.core(), organization_id)?,
        instance: of_instance(tx.core())?,
    })
}

/// Updates the rules of the caller's organization. They apply to existing links at once.
pub fn update(tx: &mut OrgAdminTx<'_>, patch: &SharingRulesPatch) -> Result<OrgSharingRules> {
    let core = tx.core();
    let organization_id = tx.organization_id()?;
    let before = of_organization(core, organization_id)?;
    if let Nullable::Value(days) = patch.max_days
        && !(1..=MAX_DAYS).contains(&days)
    {
        return Err(Error::invalid("maxDays", Problem::range(1, MAX_DAYS)));
    }
    let after = SharingRules {
        mode: patch.mode.unwrap_or(before.mode),
        max_days: patch.max_days.or(before.max_days),
        password_required: patch.password_required.unwrap_or(before.password_required),
    };
    if after != before {
        store::rules::write(core.conn, organization_id, &serde_json::to_string(&after)?)?;
        let details = json!({ "from": before, "to": after });
        core.audit("organization.sharing", core.actor(), &details)?;
    }
    Ok(OrgSharingRules { organization: after, instance: of_instance(core)? })
}
