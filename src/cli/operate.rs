//! Runs an operation in the running server if there is one, otherwise in this process.

use std::path::Path;

use serde_json::Value;

use super::{
    data_dir::{DataDir, expect_database, public_url},
    output::Failure,
};
use crate::{
    app::App,
    clock::Clock,
    operator::{AdminOperation, socket},
};

/// Runs `operation` on the data directory that `data_dir_args` selects.
pub(super) fn operate(data_dir_args: &DataDir, operation: AdminOperation) -> Result<Value, Failure> {
    perform(data_dir_args, operation).map_err(with_remedy)
}

/// Names the command that lists what was not found.
fn with_remedy(error: Failure) -> Failure {
    let text = error.to_string();
    let command = match text.as_str() {
        "workspace not found" => "planroom workspace list",
        "view not found" => "planroom workspace views",
        "user not found" => "planroom user list",
        "organization not found" => "planroom org list",
        "webhook not found" => "planroom org webhooks",
        "share link not found" => "planroom workspace shares",
        _ => return error,
    };
    format!("{text}; {command} shows what exists").into()
}

fn perform(data_dir_args: &DataDir, operation: AdminOperation) -> Result<Value, Failure> {
    let loaded = data_dir_args.load()?;
    if let Some(outcome) = send_to_server(&loaded.config.data_dir, &operation)? {
        return outcome;
    }
    let data_dir = &loaded.config.data_dir;
    if !matches!(operation, AdminOperation::CreateAdmin { .. }) {
        expect_database(data_dir)?;
    }
    let public_url = public_url(&loaded.config, loaded.config.listen);
    let app = App::open(&loaded.config, &public_url, Clock::default())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(operation.perform(&app));
    app.close()?;
    Ok(outcome?)
}

/// Runs `operation` in the server on `data_dir`. None if no server is running.
pub(super) fn send_to_server(
    data_dir: &Path,
    operation: &AdminOperation,
) -> Result<Option<Result<Value, Failure>>, Failure> {
    Ok(socket::send(data_dir, operation)?.map(|outcome| outcome.map_err(Failure::from)))
}
