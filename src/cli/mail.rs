//! `planroom mail`.

use std::path::PathBuf;

use clap::Subcommand;

use super::{
    data_dir::{load, public_url},
    output::{Failure, print},
};
use crate::{
    app::mailer,
    config::{Flags, Loaded},
    mail::Letter,
};

#[derive(Debug, Subcommand)]
pub(super) enum Mail {
    /// Send a test message with the mail server of the configuration, and explain what fails
    Test {
        /// Email address of the recipient
        address: String,
        /// Configuration file [default: /etc/planroom/config.toml, if it exists]
        #[arg(long, value_name = "FILE", env = "PLANROOM_CONFIG")]
        config: Option<PathBuf>,
    },
}

impl Mail {
    pub(super) fn run(self) -> Result<(), Failure> {
        let Self::Test { address, config } = self;
        let Loaded { config, .. } = load(&Flags { config, ..Flags::default() })?;
        let url = public_url(&config, config.listen);
        let Some(mailer) = mailer(&config.mail, &url)? else {
            return Err("no mail server is configured; set mail.host and mail.from".into());
        };
        let text = format!("This message was sent by `planroom mail test` at {url}. Planroom can send emails.\n");
        let letter = Letter {
            to: address.clone(),
            subject: "Test message from Planroom".into(),
            html: format!("<p>{}</p>", text.trim_end().replace('`', "")),
            text,
            id: uuid::Uuid::now_v7().simple().to_string(),
            unsubscribe: None,
        };
        let server = format!("{}:{}", config.mail.host, config.mail.port);
        match mailer.send(&letter) {
            Ok(()) => print(&format!("{server} accepted a test message to {address}\n")),
            Err(error) => Err(format!("{server}: {error}; {}", error.problem.remedy()).into()),
        }
    }
}
