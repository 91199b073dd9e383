//! Loading the configuration from its layers.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{
    Config, ConfigError, Flags, Loaded,
    layers::{self, Layers},
};

/// Loads all layers. `env` contains all variables of the process; those that do not begin with `PLANROOM_` are ignored.
pub fn load(flags: &Flags, env: &BTreeMap<String, String>) -> Result<Loaded, ConfigError> {
    let mut layers = Layers::defaults()?;
    if let Some(path) = flags.config.clone().or_else(|| env.get(layers::FILE_VARIABLE).map(PathBuf::from)) {
        layers.add_file(&path)?;
    }
    layers.add_environment(env)?;
    layers.add_flags(flags)?;
    Ok(Loaded { config: layers.config()?, entries: layers.entries(), notices: layers.notices() })
}

/// Validates a single file on top of the defaults, without environment and flags.
pub fn check_file(path: &Path) -> Result<Config, ConfigError> {
    let flags = Flags { config: Some(path.to_owned()), ..Flags::default() };
    Ok(load(&flags, &BTreeMap::new())?.config)
}
