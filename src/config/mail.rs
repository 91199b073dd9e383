//! `[mail]`: the mail server that sends emails.

use std::{net::IpAddr, path::PathBuf};

use serde::Deserialize;

use crate::secret::Secret;

/// The mail server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    /// Host name or IP address; empty: no emails are sent.
    pub host: String,
    /// Port: 1 to 65535.
    pub port: u16,
    /// How connections are encrypted.
    pub tls: MailTls,
    /// User name; empty: no authentication.
    pub user: String,
    /// Password of the user.
    pub password: Secret,
    /// Address of the sender, optionally with a name.
    pub from: String,
    /// PEM file with the CA certificates for the mail server; empty: Mozilla's list.
    pub ca_file: PathBuf,
    /// Maximum time to wait for the mail server in seconds: 1 to 120.
    pub timeout_seconds: u64,
}

/// How connections to the mail server are encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailTls {
    /// STARTTLS, which is required.
    Starttls,
    /// TLS from the beginning.
    Implicit,
    /// No encryption, for a mail server on the same machine.
    None,
}

impl Mail {
    /// Whether a mail server is configured.
    pub fn is_on(&self) -> bool {
        !self.host.is_empty()
    }

    /// A key that is inconsistent with other keys, and its allowed values.
    pub(super) fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        if self.is_on() && self.from.is_empty() {
            return Some(("mail.from", "an address such as \"Planroom <planroom@example.org>\" if host is set"));
        }
        if self.is_on() && self.tls == MailTls::None && !is_loopback(&self.host) {
            return Some((
                "mail.tls",
                "\"starttls\" or \"implicit\" unless host is this machine (\"localhost\", \"127.0.0.1\" or \"::1\")",
            ));
        }
        (self.user.is_empty() != self.password.reveal().is_empty())
            .then_some(("mail.password", "set if user is set, and empty otherwise"))
    }
}

/// Whether connections to this host stay on this machine.
fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::config::{Config, Flags, MailTls, load};

    fn env(pairs: &[(&str, &str)]) -> Result<Config, String> {
        let variable = |(name, value): &(&str, &str)| (format!("PLANROOM_MAIL_{name}"), (*value).to_owned());
        let env: BTreeMap<_, _> = pairs.iter().map(variable).collect();
        load(&Flags::default(), &env).map(|loaded| loaded.config).map_err(|error| error.to_string())
    }

    #[test]
    fn mail_is_off_without_a_host() {
        assert!(!env(&[]).unwrap().mail.is_on());
        let mail = env(&[("HOST", "mail.example.org"), ("FROM", "Maps <maps@example.org>")]).unwrap().mail;
        assert!(mail.is_on());
        assert_eq!((mail.port, mail.tls, mail.timeout_seconds), (587, MailTls::Starttls, 15));
    }

    #[test]
    fn passwords_stay_on_this_machine_or_are_encrypted() {
        let from = ("FROM", "planroom@example.org");
        for host in ["localhost", "127.0.0.1", "::1"] {
            assert_eq!(env(&[("HOST", host), ("TLS", "none"), from]).unwrap().mail.tls, MailTls::None);
        }
        for host in ["mail.example.org", "10.0.0.1", "localhost.example.org"] {
            let error = env(&[("HOST", host), ("TLS", "none"), from]).unwrap_err();
            assert!(error.contains("mail.tls is \"none\"; it must be \"starttls\" or \"implicit\""), "{error}");
        }
    }

    #[test]
    fn inconsistent_keys_are_rejected() {
        let (host, from) = (("HOST", "mail.example.org"), ("FROM", "planroom@example.org"));
        for (pairs, text) in [
            (&[host][..], "mail.from is \"\"; it must be an address such as"),
            (&[host, ("FROM", "planroom")], "mail.from is \"planroom\"; it must be empty, or an address"),
            (&[host, ("FROM", "a@example.org\nBcc: b@example.org")], "it must be empty, or an address"),
            (&[("HOST", "smtp://mail.example.org"), from], "it must be empty, or a host name"),
            (&[("HOST", "mail.example.org:25"), from], "it must be empty, or a host name"),
            (&[host, from, ("PORT", "0")], "an integer from 1 to 65535"),
            (&[host, from, ("TLS", "ssl")], "\"starttls\", \"implicit\" or \"none\""),
            (&[host, from, ("TIMEOUT_SECONDS", "0")], "an integer from 1 to 120"),
            (&[host, from, ("USER", "planroom")], "it must be set if user is set"),
            (&[host, from, ("PASSWORD", "s3cret")], "mail.password is \"(hidden)\"; it must be set if user is set"),
        ] {
            let error = env(pairs).unwrap_err();
            assert!(error.contains(text), "{error}");
            assert!(!error.contains("s3cret"), "{error}");
        }
    }
}
