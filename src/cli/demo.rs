//! `planroom serve --demo`: an instance to look at, with nothing to set up and nothing to clean up.

use std::path::PathBuf;

use tempfile::TempDir;

use super::output::Failure;
use crate::{
    app::App,
    auth::tokens,
    domain::sample,
    operator::{Operation, WorkspaceOperation},
};

const LOGIN: &str = "demo";
const ORG: &str = "demo";
const WORKSPACE: &str = "wikipedia";
/// Characters of the password: it is typed by hand, and good for one run on this machine.
const PASSWORD: usize = 16;

/// A demonstration, whose data is removed when this is dropped.
pub(super) struct Demo {
    directory: TempDir,
    password: String,
}

impl Demo {
    /// An empty place for the data, and a password.
    pub(super) fn prepare() -> Result<Self, Failure> {
        let directory = TempDir::with_prefix("planroom-demo-")
            .map_err(|error| format!("cannot make a directory for the demo: {error}"))?;
        let password = tokens::generate("").chars().filter(char::is_ascii_alphanumeric).take(PASSWORD).collect();
        Ok(Self { directory, password })
    }

    /// Where the data is.
    pub(super) fn data_dir(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// Makes the account and the sample.
    pub(super) async fn furnish(&self, app: &App) -> Result<(), Failure> {
        let admin = Operation::CreateAdmin {
            login: LOGIN.into(),
            name: "Demo".into(),
            org: ORG.into(),
            password: self.password.clone(),
        };
        admin.perform(app).await?;
        let sample = WorkspaceOperation::Import {
            id: WORKSPACE.into(),
            org: ORG.into(),
            login: None,
            dry_run: false,
            model: sample::FILE.into(),
        };
        Operation::Workspaces(sample).perform(app).await?;
        Ok(())
    }

    /// What to tell who started it.
    pub(super) fn invitation(&self, public_url: &str) -> String {
        format!(
            "this is a demo: what you change is gone when it stops\nopen {public_url} and sign in as {LOGIN} with the \
             password {}\n",
            self.password
        )
    }
}
