//! Creates the first account from the environment, for unattended installations: `PLANROOM_ADMIN_LOGIN`, `_NAME`,
//! `_ORG`, and `_PASSWORD` or `_PASSWORD_FILE`.

use std::{collections::BTreeMap, fs};

use super::output::Failure;
use crate::{app::App, auth::passwords::NewPassword, operator::AdminOperation};

const PREFIX: &str = "PLANROOM_ADMIN_";

/// Creates the account from the environment if there are no accounts yet.
pub(super) async fn create(app: &App) -> Result<(), Failure> {
    let given = read_variables();
    if given.is_empty() {
        return Ok(());
    }
    if app.has_users().await? {
        tracing::debug!("{PREFIX}… is ignored because there are accounts already");
        return Ok(());
    }
    let (login, name, org, password) = complete(given)?;
    if let Some(weakness) = weakness(&password, &login, &name) {
        tracing::warn!("weak password for {login}: {weakness}");
    }
    let operation = AdminOperation::CreateAdmin { login: login.clone(), name, org, password };
    operation.perform(app).await.map_err(|error| format!("cannot create the first account from {PREFIX}…: {error}"))?;
    tracing::info!(login, "created the first account from the environment");
    Ok(())
}

/// Why a password is weak. None if it is strong enough, or not acceptable at all.
pub(super) fn weakness(password: &str, login: &str, name: &str) -> Option<String> {
    NewPassword::new(password.to_owned()).ok()?.weakness(&[login, name])
}

/// The variables without their prefix.
fn read_variables() -> BTreeMap<String, String> {
    let variables = std::env::vars_os();
    let variables = variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    variables.filter_map(|(name, value)| Some((name.strip_prefix(PREFIX)?.to_owned(), value))).collect()
}

fn complete(mut given: BTreeMap<String, String>) -> Result<(String, String, String, String), Failure> {
    let password = match (given.remove("PASSWORD"), given.remove("PASSWORD_FILE")) {
        (Some(_), Some(_)) => {
            return Err(format!("set either {PREFIX}PASSWORD or {PREFIX}PASSWORD_FILE, not both").into());
        }
        (Some(password), None) => Some(password),
        (None, Some(file)) => {
            let text = fs::read_to_string(&file)
                .map_err(|error| format!("{PREFIX}PASSWORD_FILE: cannot read {file}: {error}"))?;
            Some(text.trim_end_matches(['\n', '\r']).to_owned())
        }
        (None, None) => None,
    };
    let parts = (given.remove("LOGIN"), given.remove("NAME"), given.remove("ORG"), password);
    if let Some(name) = given.keys().next() {
        return Err(format!(
            "unknown environment variable {PREFIX}{name}; valid names end with LOGIN, NAME, ORG, PASSWORD or \
             PASSWORD_FILE"
        )
        .into());
    }
    match parts {
        (Some(login), Some(name), Some(org), Some(password)) => Ok((login, name, org, password)),
        (login, name, org, password) => {
            let parts = [(login, "LOGIN"), (name, "NAME"), (org, "ORG"), (password, "PASSWORD or _PASSWORD_FILE")];
            let missing = parts.into_iter().filter(|(value, _)| value.is_none()).map(|(_, name)| name);
            let missing = missing.map(|name| format!("{PREFIX}{name}")).collect::<Vec<_>>().join(", ");
            Err(format!("cannot create the first account: set {missing}").into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(given: &[(&str, &str)]) -> String {
        let given = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        match complete(given) {
            Ok(parts) => format!("{parts:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn missing_and_extra_variables_are_named() {
        let whole = [("LOGIN", "ada"), ("NAME", "Ada"), ("ORG", "acme"), ("PASSWORD", "pw")];
        assert_eq!(told(&whole), r#"("ada", "Ada", "acme", "pw")"#);
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, "from file \n").unwrap();
        let path = file.path().to_str().unwrap();
        let of_file = [&whole[..3], &[("PASSWORD_FILE", path)]].concat();
        assert_eq!(told(&of_file), r#"("ada", "Ada", "acme", "from file ")"#);
        let missing = told(&[("LOGIN", "ada"), ("PASSWORD", "pw")]);
        assert!(missing.ends_with("set PLANROOM_ADMIN_NAME, PLANROOM_ADMIN_ORG"), "{missing}");
        assert!(told(&whole[..3]).ends_with("_PASSWORD_FILE"));
        assert!(told(&[&whole[..], &[("PASSWORD_FILE", path)]].concat()).contains("not both"));
        assert!(told(&[&whole[..], &[("PASWORD", "pw")]].concat()).contains("unknown environment variable"));
        let nowhere = [&whole[..3], &[("PASSWORD_FILE", "/nowhere")]].concat();
        assert!(told(&nowhere).contains("cannot read /nowhere"));
    }
}
