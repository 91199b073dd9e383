//! The registry of settings, and the quotas: keys shared by the configuration and the running server.
//!
//! Each setting is declared here once, with its type and default. Administrators of the instance change it while the
//! server runs, unless the configuration (`config.example.toml`) sets it: then the configuration takes precedence, and
//! the setting is locked.

mod quotas;

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::describe::{
    ToSchema,
    openapi::{Object, ObjectBuilder, Type},
};

pub use self::quotas::Quotas;

/// Where a setting's value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SettingSource {
    /// The default.
    Default,
    /// An administrator changed it while the server was running.
    Database,
    /// The configuration file.
    File,
    /// An environment variable.
    Environment,
    /// A command-line flag.
    Flag,
}

/// A setting.
#[derive(Debug, PartialEq, Eq)]
pub struct Setting {
    /// Key of the setting, in the API and in the configuration.
    pub key: &'static str,
    /// Name of the setting, shown to administrators.
    pub name: &'static str,
    /// Type and default.
    pub setting_type: SettingType,
    /// Description of the setting, shown to administrators.
    pub description: &'static str,
}

/// Type and default of a setting.
#[derive(Debug, PartialEq, Eq)]
pub enum SettingType {
    /// A single line of text: minimum length, maximum length, default. Lengths are in characters.
    Text(usize, usize, &'static str),
    /// A single line of text that is never shown: maximum length in characters. Empty by default.
    Secret(usize),
    /// A Boolean: default.
    Flag(bool),
    /// One of several words. The first is the default.
    Choice(&'static [&'static str]),
    /// An integer: minimum, maximum, default.
    Whole(i64, i64, i64),
}

/// How long the change history is stored.
pub(crate) static HISTORY_DAYS: Setting = Setting {
    key: "history.days",
    name: "Retention of the change history",
    setting_type: SettingType::Whole(0, 36_500, 365),
    description: "How many days changes of workspaces and directories can be viewed, undone and restored; 0: forever",
};
/// Whether the server hands out its own executable.
pub(crate) static CLI_DOWNLOAD: Setting = Setting {
    key: "cli.download",
    name: "Download of the command line",
    setting_type: SettingType::Flag(false),
    description: "Whether users can download the command line of this server from /cli/OS-ARCHITECTURE, for example in \
                  continuous integration",
};
/// How long audit events are stored.
pub(crate) static AUDIT_DAYS: Setting = Setting {
    key: "audit.days",
    name: "Retention of the audit log",
    setting_type: SettingType::Whole(0, 36_500, 365),
    description: "How many days audit events are stored; 0: forever",
};
/// The name of the instance.
pub(crate) static INSTANCE_NAME: Setting = Setting {
    key: "instance.name",
    name: "Instance name",
    setting_type: SettingType::Text(1, 100, "Planroom"),
    description: "Name of this instance on the sign-in page and in invitations",
};
/// Who may create organizations.
pub(crate) static ORGANIZATIONS_CREATION: Setting = Setting {
    key: "organizations.creation",
    name: "Creation of organizations",
    setting_type: SettingType::Choice(&["admins", "everyone"]),
    description: "Who can create organizations: administrators of the instance, or all users",
};
/// Maximum number of days until a share link expires.
pub(crate) static SHARING_MAX_DAYS: Setting = Setting {
    key: "sharing.max_days",
    name: "Maximum lifetime of share links",
    setting_type: SettingType::Whole(0, 3_650, 365),
    description: "Maximum number of days until a share link expires, also for existing links; 0: links can be valid forever",
};
/// Which share links are allowed.
pub(crate) static SHARING_MODE: Setting = Setting {
    key: "sharing.mode",
    name: "Share links",
    setting_type: SettingType::Choice(&["links", "off", "links-and-embeds"]),
    description: "Which share links owners of workspaces can create: links, none, or links that other sites can embed. \
                  Existing links that are not allowed stop working",
};
/// Whether share links need a password.
pub(crate) static SHARING_PASSWORD_REQUIRED: Setting = Setting {
    key: "sharing.password_required",
    name: "Passwords of share links",
    setting_type: SettingType::Flag(false),
    description: "Whether share links need a password. Existing links without one stop working",
};
/// When a source is stale.
pub(crate) static SOURCES_STALE_AFTER_DAYS: Setting = Setting {
    key: "sources.stale_after_days",
    name: "Watching of sources",
    setting_type: SettingType::Whole(0, 3_650, 7),
    description: "After how many days without a sync a source is stale: it is marked, and the owners of its workspace are \
                  notified once; 0: never",
};
/// Whether the waitlist accepts entries.
pub(crate) static WAITLIST_OPEN: Setting = Setting {
    key: "waitlist.open",
    name: "Waitlist",
    setting_type: SettingType::Flag(true),
    description: "Whether visitors without an account can join the waitlist on the sign-in page",
};
/// Whether organizations can have webhooks.
pub(crate) static WEBHOOKS_ENABLED: Setting = Setting {
    key: "webhooks.enabled",
    name: "Webhooks",
    setting_type: SettingType::Flag(true),
    description: "Whether administrators of organizations can send events to other servers with webhooks. If not, \
                  existing webhooks send nothing, and events in the meantime are not sent later",
};
/// OAuth client id at the wiki provider.
pub(crate) static WIKI_CLIENT_ID: Setting = Setting {
    key: "wiki.client_id",
    name: "Wiki client ID",
    setting_type: SettingType::Text(0, 200, ""),
    description: "OAuth client ID of this instance at the wiki provider; empty: no wiki can be connected",
};
/// OAuth client secret at the wiki provider.
pub(crate) static WIKI_CLIENT_SECRET: Setting = Setting {
    key: "wiki.client_secret",
    name: "Wiki client secret",
    setting_type: SettingType::Secret(500),
    description: "OAuth client secret of this instance at the wiki provider",
};

/// All settings.
pub static REGISTRY: [&Setting; 13] = [
    &AUDIT_DAYS,
    &CLI_DOWNLOAD,
    &HISTORY_DAYS,
    &INSTANCE_NAME,
    &ORGANIZATIONS_CREATION,
    &SHARING_MAX_DAYS,
    &SHARING_MODE,
    &SHARING_PASSWORD_REQUIRED,
    &SOURCES_STALE_AFTER_DAYS,
    &WAITLIST_OPEN,
    &WEBHOOKS_ENABLED,
    &WIKI_CLIENT_ID,
    &WIKI_CLIENT_SECRET,
];

/// Finds a setting by its key.
pub fn find(key: &str) -> Option<&'static Setting> {
    REGISTRY.into_iter().find(|setting| setting.key == key)
}

/// Pattern of a single line without white space at its ends; may be empty.
const LINE: &str = r"^([^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?)?$";

impl Setting {
    /// Whether the value is never shown.
    pub fn is_secret(&self) -> bool {
        matches!(self.setting_type, SettingType::Secret(_))
    }

    /// Default value.
    pub fn default(&self) -> Value {
        match &self.setting_type {
            SettingType::Text(_, _, default) => (*default).into(),
            SettingType::Secret(_) => "".into(),
            SettingType::Flag(default) => (*default).into(),
            SettingType::Choice(words) => words[0].into(),
            SettingType::Whole(_, _, default) => (*default).into(),
        }
    }

    /// Whether `value` is valid for the setting.
    pub fn admits(&self, value: &Value) -> bool {
        let line = |text: &str, min, max| {
            (min..=max).contains(&text.chars().count()) && text.trim() == text && !text.chars().any(char::is_control)
        };
        match (&self.setting_type, value) {
            (SettingType::Text(min, max, _), Value::String(text)) => line(text, *min, *max),
            (SettingType::Secret(max), Value::String(text)) => line(text, 0, *max),
            (SettingType::Flag(_), Value::Bool(_)) => true,
            (SettingType::Choice(words), Value::String(word)) => words.contains(&word.as_str()),
            (SettingType::Whole(min, max, _), Value::Number(number)) => {
                number.as_i64().is_some_and(|number| (*min..=*max).contains(&number))
            }
            _ => false,
        }
    }

    /// JSON schema of the values.
    pub(crate) fn schema(&self) -> Object {
        let schema = ObjectBuilder::new().schema_type(Type::String).description(Some(self.description));
        let schema = match self.setting_type {
            SettingType::Flag(_) => schema.schema_type(Type::Boolean),
            SettingType::Choice(words) => schema.enum_values(Some(words.iter().copied())),
            SettingType::Whole(min, max, _) => schema.schema_type(Type::Integer).minimum(Some(min)).maximum(Some(max)),
            SettingType::Text(min, max, _) => schema.min_length(Some(min)).max_length(Some(max)).pattern(Some(LINE)),
            SettingType::Secret(max) => schema.max_length(Some(max)).pattern(Some(LINE)),
        };
        schema.build()
    }

    /// Description of valid values, for the end of an error message.
    pub fn allowed(&self) -> String {
        match &self.setting_type {
            SettingType::Text(min, max, _) => {
                format!("one line of {min} to {max} characters without white space at its ends")
            }
            SettingType::Secret(max) => format!("one line of at most {max} characters without white space at its ends"),
            SettingType::Flag(_) => "true or false".into(),
            SettingType::Whole(min, max, _) => format!("a whole number from {min} to {max}"),
            SettingType::Choice(words) => {
                words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" or ")
            }
        }
    }
}

/// A setting whose value the configuration sets.
#[derive(Clone, PartialEq, Eq)]
pub struct Fixed {
    /// The setting.
    pub setting: &'static Setting,
    /// The value.
    pub value: Value,
    /// Layer of the configuration that sets the value.
    pub source: SettingSource,
    /// Where to change the value: an environment variable, or a file and a line.
    pub place: String,
}

impl fmt::Debug for Fixed {
    /// Omits the value, which may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.setting.key, self.place)
    }
}
