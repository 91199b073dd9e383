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
    operator::{AdminOperation, error_text, socket},
};

/// Runs `operation` on the data directory that `data_dir_args` selects.
pub(super) fn operate(data_dir_args: &DataDir, operation: AdminOperation) -> Result<Value, Failure> {
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
    let outcome = block_on(operation.perform(&app))?;
    app.close()?;
    outcome.map_err(|error| error_text(&error).into())
}

/// Runs a future in this process.
pub(super) fn block_on<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work))
}

/// Runs `operation` in the server on `data_dir`. None if no server is running.
pub(super) fn send_to_server(
    data_dir: &Path,
    operation: &AdminOperation,
) -> Result<Option<Result<Value, Failure>>, Failure> {
    Ok(socket::send(data_dir, operation)?.map(|outcome| outcome.map_err(Failure::from)))
}
