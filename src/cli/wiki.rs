//! `planroom wiki`.

use std::io::{BufRead, IsTerminal, Write};

use clap::{Args, Subcommand};
use serde_json::Value;

use super::{
    ask::Consent,
    operate::operate,
    output::{Failure, print},
    place::Place,
    table::{Column, Form, plain, time},
};
use crate::{
    operator::{Operation, WikiOperation},
    wiki::{INTERNAL, REGISTRATION},
};

#[derive(Debug, Subcommand)]
pub(super) enum Wiki {
    /// Make this instance known at the wiki's provider, so that organizations can be connected in a browser
    Setup(Setup),
    /// Connect an organization with the token of an internal integration, where browsers cannot come back from outside
    Connect(Connect),
    /// Tell whether this instance is known at the provider, and list which organizations are connected
    Status(Status),
    /// Ask the wiki whether the connection of an organization works
    Test(Test),
    /// End the connection of an organization; links to the wiki stay as they are, and are not refreshed any more
    Disconnect(Disconnect),
}

#[derive(Debug, Args)]
pub(super) struct Setup {
    /// The client id from the provider; without it, what is configured is checked, or else it is asked for
    #[arg(long, value_name = "ID")]
    client_id: Option<String>,
    /// Read the client secret from standard input, one line, instead of asking for it
    #[arg(long, requires = "client_id")]
    secret_stdin: bool,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct Connect {
    /// Slug of the organization
    #[arg(long, value_name = "SLUG")]
    org: String,
    /// Read the token from standard input, one line, instead of asking for it
    #[arg(long)]
    token_stdin: bool,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct Test {
    /// Slug of the organization
    #[arg(long, value_name = "SLUG")]
    org: String,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct Disconnect {
    /// Slug of the organization
    #[arg(long, value_name = "SLUG")]
    org: String,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct Status {
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    place: Place,
}

const COLUMNS: [Column; 6] = [
    Column { head: "ORG", field: "org", show: plain },
    Column { head: "BY", field: "kind", show: plain },
    Column { head: "WORKSPACE", field: "workspaceName", show: plain },
    Column { head: "OWNER", field: "ownerName", show: plain },
    Column { head: "CONNECTED", field: "connectedAt", show: time },
    Column { head: "BROKEN SINCE", field: "brokenSince", show: time },
];

impl Wiki {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Setup(setup) => setup.run(),
            Self::Connect(connect) => connect.run(),
            Self::Status(status) => status.run(),
            Self::Test(Test { org, place }) => {
                let bot = operate(&place, wiki(WikiOperation::Test { org: org.clone() }))?;
                print(&works(&org, &bot))
            }
            Self::Disconnect(Disconnect { org, consent, place }) => {
                consent.obtain(&format!("disconnect {org} from the wiki"))?;
                operate(&place, wiki(WikiOperation::Disconnect { org: org.clone() }))?;
                print(&format!("{org} is not connected with the wiki any more\n"))
            }
        }
    }
}

impl Status {
    fn run(self) -> Result<(), Failure> {
        let Self { form, place } = self;
        let all = operate(&place, wiki(WikiOperation::Status))?;
        if form.is_json() {
            return form.print(&all, &COLUMNS);
        }
        let facts = operate(&place, wiki(WikiOperation::Facts))?;
        print(&match facts["clientId"].as_str() {
            Some(id) => format!("known at the provider as {id}, whether still so says planroom wiki setup\n"),
            None => "not known at the provider; planroom wiki setup makes it known\n".to_owned(),
        })?;
        if all.as_array().is_some_and(Vec::is_empty) {
            return print("no organization is connected\n");
        }
        form.print(&all, &COLUMNS)
    }
}

fn wiki(operation: WikiOperation) -> Operation {
    Operation::Wiki(operation)
}

impl Setup {
    fn run(self) -> Result<(), Failure> {
        let Self { client_id, secret_stdin, place } = self;
        let facts = operate(&place, wiki(WikiOperation::Facts))?;
        let redirect_uri = facts["redirectUri"].as_str().unwrap_or_default();
        print(&format!("{REGISTRATION}:\n\n  {redirect_uri}\n\n"))?;
        let client = match (client_id, facts["clientId"].as_str()) {
            (Some(id), _) => Some((id, secret(secret_stdin, "Client secret: ", "--secret-stdin")?)),
            (None, Some(_)) => None,
            (None, None) => Some((asked("Client id: ")?, secret(false, "Client secret: ", "--secret-stdin")?)),
        };
        if client.is_none() {
            let id = facts["clientId"].as_str().unwrap_or_default();
            print(&format!(
                "looking whether the client id {id}, which is set already, is right; --client-id sets another\n"
            ))?;
        }
        operate(&place, wiki(WikiOperation::Setup { client }))?;
        print(
            "the provider accepts the client id and secret; admins connect their organizations in a browser now: settings of \
             the organization, Wiki\n",
        )
    }
}

impl Connect {
    fn run(self) -> Result<(), Failure> {
        let Self { org, token_stdin, place } = self;
        if !token_stdin {
            print(&format!("the token is {INTERNAL}\n"))?;
        }
        let token = secret(token_stdin, "Token: ", "--token-stdin")?;
        let bot = operate(&place, wiki(WikiOperation::Connect { org: org.clone(), token }))?;
        print(&works(&org, &bot))
    }
}

/// What is told of a connection that works.
fn works(org: &str, bot: &Value) -> String {
    let of = |field: &str| bot[field].as_str().unwrap_or("unnamed");
    format!("{org} is connected with the wiki {}, as {}\n", of("workspaceName"), of("name"))
}

/// A secret that is piped in, or typed without being shown.
fn secret(from_stdin: bool, prompt: &str, flag: &str) -> Result<String, Failure> {
    let text = if from_stdin {
        line()?
    } else if std::io::stdin().is_terminal() {
        rpassword::prompt_password(prompt)?
    } else {
        return Err(format!("there is no terminal to ask on; use {flag}").into());
    };
    told(&text)
}

/// What is typed.
fn asked(prompt: &str) -> Result<String, Failure> {
    if !std::io::stdin().is_terminal() {
        return Err("there is no terminal to ask on; give --client-id and --secret-stdin".into());
    }
    let mut err = std::io::stderr();
    write!(err, "{prompt}").and_then(|()| err.flush())?;
    told(&line()?)
}

fn line() -> Result<String, Failure> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line)
}

fn told(text: &str) -> Result<String, Failure> {
    let text = text.trim();
    if text.is_empty() { Err("nothing was given; nothing was done".into()) } else { Ok(text.to_owned()) }
}
