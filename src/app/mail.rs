//! Creates the client for the mail server from the configuration.

use std::{sync::Arc, time::Duration};

use url::Url;

use super::authorities;
use crate::{
    blocking::BlockingPool,
    config::{Mail, MailTls},
    db::OpenError,
    mail::{Encryption, MailOptions, Mailer},
};

/// Threads that send emails. Emails are sent one after the other.
const MAIL_THREADS: usize = 1;

/// The client for the mail server and its threads; none if no server is configured.
pub(super) fn server(mail: &Mail, public_url: &str) -> Result<Option<(BlockingPool, Arc<Mailer>)>, OpenError> {
    let Some(mailer) = mailer(mail, public_url)? else { return Ok(None) };
    // A stop does not wait for the mail server: an email whose result is not recorded is sent again.
    let (pool, _) = BlockingPool::start("mail", MAIL_THREADS)?;
    Ok(Some((pool, Arc::new(mailer))))
}

/// The client for the mail server; none if no server is configured.
pub fn mailer(mail: &Mail, public_url: &str) -> Result<Option<Mailer>, OpenError> {
    if !mail.is_on() {
        return Ok(None);
    }
    // The errors of the client have fewer details.
    authorities::read(&mail.ca_file, "mail", "mail server")?;
    let url = Url::parse(public_url).ok();
    let options = MailOptions {
        host: mail.host.clone(),
        port: mail.port,
        encryption: match mail.tls {
            MailTls::Starttls => Encryption::StartTls,
            MailTls::Implicit => Encryption::Implicit,
            MailTls::None => Encryption::Off,
        },
        credentials: Some((mail.user.clone(), mail.password.clone())).filter(|(user, _)| !user.is_empty()),
        from: mail.from.clone(),
        ca_file: Some(mail.ca_file.clone()).filter(|path| !path.as_os_str().is_empty()),
        timeout: Duration::from_secs(mail.timeout_seconds),
        own_host: url.as_ref().and_then(Url::domain).unwrap_or("localhost").to_owned(),
    };
    Mailer::new(&options).map(Some).map_err(|error| OpenError::Configuration(format!("[mail]: {error}")))
}
