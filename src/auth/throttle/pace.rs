//! What is attempted, whom an attempt counts against, and how fast attempts may follow each other.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::{
    auth::{TokenHash, tokens},
    clock::{HOUR, MINUTE, SECOND},
};

/// What is attempted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Signing in with a password.
    SignIn,
    /// Answering with a second factor: whoever gets here knows the password.
    SecondFactor,
    /// Making the first account.
    SetUp,
    /// Taking up an invitation.
    Invitation,
    /// Asking to be put on the waitlist.
    Waitlist,
    /// Minting a token.
    Token,
    /// Giving one's password again to do something that needs it.
    Password,
    /// Registering a program.
    Registration,
    /// Sending a browser to ask for consent.
    Consent,
    /// Exchanging a code or a refresh token of a program.
    Exchange,
    /// Coming back from the identity provider.
    Provider,
}

/// Whom an attempt counts against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Who {
    /// Where it comes from. Of an IPv6 address the first 64 bits: the rest is for its holder to choose.
    Address(IpAddr),
    /// The network around an address: the first 48 bits of IPv6, the first 24 of IPv4. Hosters give whole networks away.
    Network(IpAddr),
    /// Whose account it is about.
    Account(TokenHash),
    /// All browsers that have signed in to the account since its password was set.
    Device(TokenHash),
    /// Where the attempts of such browsers come from.
    DeviceAddress(IpAddr),
    /// One address at one account.
    AccountFromAddress(TokenHash),
    /// One network at one account.
    AccountFromNetwork(TokenHash),
    /// An account that is under attack, as addresses see it that have not failed at it.
    AccountFromNewAddresses(TokenHash),
}

impl Who {
    /// An address.
    pub fn address(address: IpAddr) -> Self {
        Self::Address(significant(address, 4))
    }

    /// An account by what was typed as its login, whether there is one or not.
    pub fn login(login: &str) -> Self {
        // As the database compares logins, and without what a form may add.
        Self::Account(tokens::hash(&format!("login {}", login.trim().to_lowercase())))
    }

    /// An account that is known.
    pub fn user(user_id: i64) -> Self {
        Self::Account(tokens::hash(&format!("user {user_id}")))
    }

    /// The browsers that have signed in to an account before: one budget for all of them, however many there are.
    pub fn devices(user_id: i64) -> Self {
        Self::Device(tokens::hash(&format!("devices {user_id}")))
    }

    /// The address of such a browser.
    pub fn device_address(address: IpAddr) -> Self {
        Self::DeviceAddress(significant(address, 4))
    }

    /// The network around an address.
    pub(super) fn network(address: IpAddr) -> Self {
        Self::Network(significant(address, 3))
    }

    pub(super) fn account_from_address(account: &TokenHash, address: IpAddr) -> Self {
        Self::AccountFromAddress(pair(account, significant(address, 4)))
    }

    pub(super) fn account_from_network(account: &TokenHash, address: IpAddr) -> Self {
        Self::AccountFromNetwork(pair(account, significant(address, 3)))
    }
}

fn pair(account: &TokenHash, address: IpAddr) -> TokenHash {
    let account = account.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    tokens::hash(&format!("{account} {address}"))
}

/// The first `parts` groups of 16 bits of an IPv6 address, or bytes of an IPv4 address.
fn significant(address: IpAddr, parts: usize) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let mut segments = address.segments();
            segments[parts..].fill(0);
            Ipv6Addr::from(segments).into()
        }
        IpAddr::V4(address) => {
            let mut octets = address.octets();
            octets[parts..].fill(0);
            Ipv4Addr::from(octets).into()
        }
    }
}

/// How many attempts are free, the wait after the last free one, which doubles with each further attempt, and the longest
/// wait; and how often one attempt is forgotten, if they are one by one. In milliseconds.
pub(super) struct Pace {
    free: u32,
    first: i64,
    longest: i64,
    regain: Option<i64>,
}

impl Pace {
    pub(super) fn of(kind: Kind, who: Who) -> Self {
        let (free, first, longest) = match (kind, who) {
            (Kind::Token, _) => (30, SECOND, MINUTE),
            // Behind one address there may be a whole office, on the day on which its assistants are connected.
            (Kind::Registration | Kind::Consent | Kind::Exchange | Kind::Provider, Who::Network(_)) => {
                (400, SECOND, 5 * SECOND)
            }
            (Kind::Registration | Kind::Consent | Kind::Exchange | Kind::Provider, _) => (100, SECOND, MINUTE),
            (Kind::Waitlist, Who::Network(_)) => (40, SECOND, MINUTE),
            (Kind::Waitlist, _) | (Kind::SecondFactor, Who::Account(_) | Who::Device(_)) => (5, SECOND, 5 * MINUTE),
            (_, Who::Account(_) | Who::Device(_)) => (5, SECOND, 30 * SECOND),
            (_, Who::AccountFromAddress(_)) => (3, HOUR, HOUR),
            (_, Who::AccountFromNetwork(_)) => (6, HOUR, HOUR),
            // Twenty at once, and twenty a minute on top.
            (_, Who::AccountFromNewAddresses(_)) => (20, 3 * SECOND, 3 * SECOND),
            (_, Who::Address(_)) => (20, SECOND, MINUTE),
            (_, Who::DeviceAddress(_)) => (60, SECOND, MINUTE),
            (_, Who::Network(_)) => (80, SECOND, 5 * SECOND),
        };
        let regain = matches!(who, Who::AccountFromNewAddresses(_)).then_some(first);
        Self { free, first, longest, regain }
    }

    /// How many attempts are forgotten after `elapsed`, and what of it is left for the next.
    pub(super) fn regained(&self, elapsed: i64) -> (u32, i64) {
        match self.regain {
            Some(each) if elapsed > 0 => (u32::try_from(elapsed / each).unwrap_or(u32::MAX), elapsed % each),
            _ => (0, 0),
        }
    }

    /// The wait after this many attempts.
    pub(super) fn wait(&self, attempts: u32) -> i64 {
        match attempts.checked_sub(self.free) {
            None => 0,
            Some(more) => (self.first << more.min(20)).min(self.longest),
        }
    }
}
