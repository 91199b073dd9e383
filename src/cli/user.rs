//! `planroom user`.

use clap::{Args, Subcommand};

use super::{
    ask::Consent,
    operate::operate,
    output::{Failure, print},
    place::Place,
    table::{Column, Form, flag, plain, time},
};
use crate::operator::{Operation, UserOperation};

#[derive(Debug, Subcommand)]
pub(super) enum User {
    /// List all accounts
    List(List),
    /// Refuse every credential of a user from now on, until that is lifted
    Suspend(Suspend),
    /// Lift a suspension
    Unsuspend(Unsuspend),
    /// Make a user an administrator of the instance, or with --off no longer one
    SetAdmin(SetAdmin),
    /// Give a user an e-mail address, by which an identity provider's user is known for them; without one take it away
    SetEmail(SetEmail),
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct Suspend {
    /// What the user signs in with
    login: String,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct Unsuspend {
    /// What the user signs in with
    login: String,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct SetAdmin {
    /// What the user signs in with
    login: String,
    /// They are to be no administrator any more
    #[arg(long)]
    off: bool,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct SetEmail {
    /// What the user signs in with
    login: String,
    /// The address
    #[arg(value_name = "ADDRESS")]
    email: Option<String>,
    #[command(flatten)]
    place: Place,
}

const COLUMNS: [Column; 8] = [
    Column { head: "ID", field: "id", show: plain },
    Column { head: "LOGIN", field: "login", show: plain },
    Column { head: "NAME", field: "displayName", show: plain },
    Column { head: "E-MAIL", field: "email", show: plain },
    Column { head: "ADMIN", field: "isAdmin", show: flag },
    Column { head: "SUSPENDED", field: "isSuspended", show: flag },
    Column { head: "CREATED", field: "createdAt", show: time },
    Column { head: "LAST SIGN-IN", field: "lastLoginAt", show: time },
];

impl User {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::List(List { form, place }) => {
                form.print(&operate(&place, Operation::Users(UserOperation::List))?, &COLUMNS)
            }
            Self::Suspend(Suspend { login, consent, place }) => {
                consent.obtain(&format!("suspend {login}"))?;
                operate(&place, Operation::Users(UserOperation::Suspend { login: login.clone() }))?;
                print(&format!("{login} is suspended: every credential of theirs is refused\n"))
            }
            Self::Unsuspend(Unsuspend { login, place }) => {
                operate(&place, Operation::Users(UserOperation::Unsuspend { login: login.clone() }))?;
                print(&format!("{login} is not suspended\n"))
            }
            Self::SetAdmin(SetAdmin { login, off, consent, place }) => {
                if off {
                    consent.obtain(&format!("make {login} no longer an administrator of the instance"))?;
                }
                operate(&place, Operation::Users(UserOperation::SetAdmin { login: login.clone(), admin: !off }))?;
                let is = if off { "no administrator" } else { "an administrator" };
                print(&format!("{login} is {is} of the instance\n"))
            }
            Self::SetEmail(SetEmail { login, email, place }) => {
                let has = email.as_deref().unwrap_or("no e-mail address").to_owned();
                let (to, email) = (login.clone(), email.unwrap_or_default());
                operate(&place, Operation::Users(UserOperation::SetEmail { login: to, email }))?;
                print(&format!("{login} has {has} now\n"))
            }
        }
    }
}
