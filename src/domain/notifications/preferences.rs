//! How a user wants to be notified.

use rusqlite::Connection;

use super::{
    model::{EmailChoice, KindSetting, MAIL_DELAY, NotificationKind, NotificationSettings, NotificationSettingsPatch},
    store,
};
use crate::{
    clock::{DAY, HOUR},
    domain::{
        core::{Core, Reads, SelfTx},
        mail, users,
    },
    error::{Error, FieldPath, Problem, Result},
};

/// Hour of the daily email without a setting, in UTC.
const DEFAULT_DIGEST_HOUR: i64 = 7;

/// How a user is notified of one kind.
#[derive(Debug, Clone, Copy)]
pub(in crate::domain) struct Preference {
    pub inbox: bool,
    pub email: EmailChoice,
    pub digest_hour: i64,
}

/// The setting of a kind without a choice of the user.
fn default(kind: NotificationKind) -> KindSetting {
    use NotificationKind::{DraftMerged, Invitation, Mention, Reply, ReviewRequest, StaleSource, Watched};
    let email = match kind {
        Mention | ReviewRequest | Invitation => EmailChoice::Immediate,
        Reply | Watched | DraftMerged | StaleSource => EmailChoice::Digest,
    };
    KindSetting { kind, inbox: true, email }
}

/// How a user is notified of a kind.
pub(in crate::domain) fn of(conn: &Connection, user_id: i64, kind: NotificationKind) -> Result<Preference> {
    let KindSetting { inbox, email, .. } = store::setting(conn, user_id, kind)?.unwrap_or_else(|| default(kind));
    Ok(Preference { inbox, email, digest_hour: digest_hour(conn, user_id)? })
}

/// When a user receives emails of a kind.
pub(in crate::domain) fn email_choice(conn: &Connection, user_id: i64, kind: NotificationKind) -> Result<EmailChoice> {
    Ok(of(conn, user_id, kind)?.email)
}

fn digest_hour(conn: &Connection, user_id: i64) -> Result<i64> {
    Ok(store::digest_hour(conn, user_id)?.unwrap_or(DEFAULT_DIGEST_HOUR))
}

/// When the next daily email of a user is sent.
pub(in crate::domain) fn next_digest_of(core: &Core<'_>, user_id: i64) -> Result<i64> {
    Ok(next_digest(core.now, digest_hour(core.conn, user_id)?))
}

/// The first time after `now` at which the clock shows this hour in UTC.
pub(super) fn next_digest(now: i64, hour: i64) -> i64 {
    let today = now - now.rem_euclid(DAY) + hour * HOUR;
    if today > now { today } else { today + DAY }
}

/// Reads the settings of the caller.
pub fn read(tx: &SelfTx<'_>) -> Result<NotificationSettings> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let setting = |kind: &NotificationKind| {
        let Preference { inbox, email, .. } = of(core.conn, user_id, *kind)?;
        Ok(KindSetting { kind: *kind, inbox, email })
    };
    let user = users::by_id(core.conn, user_id)?.ok_or(Error::NotFound("user"))?;
    Ok(NotificationSettings {
        kinds: NotificationKind::ALL.iter().map(setting).collect::<Result<_>>()?,
        digest_hour: digest_hour(core.conn, user_id)?,
        emails: mail::is_on(core) && user.email_confirmed,
    })
}

/// Updates the settings of the caller. Emails that wait are sent as the new settings say.
pub fn update(tx: &mut SelfTx<'_>, patch: &NotificationSettingsPatch) -> Result<NotificationSettings> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    if let Some(hour) = patch.digest_hour {
        if !(0..=23).contains(&hour) {
            return Err(Error::invalid("digestHour", Problem::range(0, 23)));
        }
        store::set_digest_hour(core.conn, user_id, hour)?;
    }
    let kinds = patch.kinds.as_deref().unwrap_or_default();
    for (index, setting) in kinds.iter().enumerate() {
        if kinds[..index].iter().any(|before| before.kind == setting.kind) {
            return Err(Error::invalid(FieldPath::item("kinds", index).field("kind"), Problem::Repeated));
        }
        store::set_setting(core.conn, user_id, *setting)?;
    }
    reschedule(core, user_id)?;
    read(tx)
}

/// Ends the emails of a scope: a kind, or `digest` for all kinds that are in the daily email.
pub(in crate::domain) fn unsubscribe(core: &Core<'_>, user_id: i64, scope: &str) -> Result<()> {
    for kind in NotificationKind::ALL {
        let Preference { inbox, email, .. } = of(core.conn, user_id, *kind)?;
        let is_in_digest = scope == EmailChoice::Digest.as_str() && email == EmailChoice::Digest;
        if is_in_digest || scope == kind.as_str() {
            store::set_setting(core.conn, user_id, KindSetting { kind: *kind, inbox, email: EmailChoice::Off })?;
        }
    }
    reschedule(core, user_id)
}

/// Applies the settings to the emails that wait.
fn reschedule(core: &Core<'_>, user_id: i64) -> Result<()> {
    for kind in NotificationKind::ALL {
        let Preference { email, digest_hour, .. } = of(core.conn, user_id, *kind)?;
        let due_at = match email {
            // Those in the digest are sent soon.
            EmailChoice::Immediate => Some(core.now + MAIL_DELAY),
            EmailChoice::Digest => Some(next_digest(core.now, digest_hour)),
            EmailChoice::Off => None,
        };
        store::reschedule(core.conn, user_id, *kind, due_at)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_digest_is_at_the_hour_and_after_now() {
        let midnight = 20_000 * DAY;
        for (now, hour, expected) in [
            (0, 7, 7 * HOUR),
            (7 * HOUR - 1, 7, 7 * HOUR),
            (7 * HOUR, 7, DAY + 7 * HOUR),
            (23 * HOUR, 0, DAY),
            (23 * HOUR + 1, 23, DAY + 23 * HOUR),
        ] {
            assert_eq!(next_digest(midnight + now, hour), midnight + expected, "at {now} for {hour}");
        }
    }
}
