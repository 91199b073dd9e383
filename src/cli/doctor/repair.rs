//! Repairs that lose no data.

use std::{fs, os::unix::fs::PermissionsExt, sync::Arc};

use super::files;
use crate::{
    app::App,
    cli::{data_dir::public_url, operate::block_on, output::Failure},
    clock::Clock,
    config::Config,
    db::{inspect, lock::DataDirLock},
    operator::{AdminOperation, SearchOperation},
};

/// Repairs what can be repaired. Fails while a server runs. Returns what was repaired.
pub(super) fn run(config: &Config, now: i64) -> Result<Vec<String>, Failure> {
    let mut repaired = Vec::new();
    let lock = DataDirLock::take(&config.data_dir)?;
    let leftovers = files::leftovers(config, now)?;
    for path in leftovers {
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.map_err(|error| format!("cannot delete {}: {error}", path.display()))?;
        repaired.push(format!("deleted {}, which an interrupted operation had left", path.display()));
    }
    for (path, mode) in files::readable_by_others(&config.data_dir)? {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode))
            .map_err(|error| format!("cannot change the mode of {}: {error}", path.display()))?;
        repaired.push(format!("made {} readable by its owner only", path.display()));
    }
    // The checks report a database that cannot be examined.
    let is_repairable = inspect::examine(&config.data_dir)
        .is_ok_and(|condition| condition.is_search_index_damaged && condition.damage.is_none());
    drop(lock);
    if is_repairable {
        let app = Arc::new(App::open(config, &public_url(config, config.listen), Clock::default())?);
        block_on(AdminOperation::Search(SearchOperation::Rebuild).perform(&app))??;
        if let Some(app) = Arc::into_inner(app) {
            app.close()?;
        }
        repaired.push("rebuilt the search index".into());
    }
    Ok(repaired)
}
