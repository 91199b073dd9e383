//! `planroom serve --demo`: a temporary instance with sample data.

use std::path::PathBuf;

use tempfile::TempDir;

use super::output::Failure;
use crate::{
    app::App,
    auth::tokens,
    domain::transfer::sample,
    operator::{AdminOperation, WorkspaceOperation},
};

const LOGIN: &str = "demo";
const ORG: &str = "demo";
const WORKSPACE: &str = "wikipedia";
/// Length of the password. It is typed by the user, and valid for one run on this machine.
const PASSWORD: usize = 16;

/// A demo instance. Its data is deleted when this is dropped.
pub(super) struct Demo {
    directory: TempDir,
    password: String,
}

impl Demo {
    /// Creates an empty data directory and a password.
    pub(super) fn prepare() -> Result<Self, Failure> {
        let directory = TempDir::with_prefix("planroom-demo-")
            .map_err(|error| format!("cannot create a temporary directory for the demo: {error}"))?;
        let password = tokens::generate("").chars().filter(char::is_ascii_alphanumeric).take(PASSWORD).collect();
        Ok(Self { directory, password })
    }

    /// The data directory.
    pub(super) fn data_dir(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// Creates the account and the sample workspace.
    pub(super) async fn populate(&self, app: &App) -> Result<(), Failure> {
        let admin = AdminOperation::CreateAdmin {
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
        AdminOperation::Workspaces(sample).perform(app).await?;
        Ok(())
    }

    /// The message with the URL and the credentials.
    pub(super) fn welcome_message(&self, public_url: &str) -> String {
        format!(
            "Demo: all changes are lost when the server stops\nOpen {public_url} and sign in as {LOGIN} with the \
             password {}\n",
            self.password
        )
    }
}
