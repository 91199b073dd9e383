//! Kinds of attempts, keys that they are counted by, and limits.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::{
    auth::{TokenHash, tokens},
    clock::{HOUR, MINUTE, SECOND},
};

/// The kind of attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptKind {
    /// Signing in with a password.
    SignIn,
    /// Entering a two-factor code. The caller has already given the right password.
    SecondFactor,
    /// Creating the first account.
    SetUp,
    /// Accepting an invitation.
    Invitation,
    /// Joining the waitlist.
    Waitlist,
    /// Creating a personal access token.
    Token,
    /// Entering the password again to confirm an operation.
    Password,
    /// Registering an OAuth client.
    Registration,
    /// An OAuth authorization request.
    Consent,
    /// Exchanging an authorization code or refresh token of an OAuth client.
    Exchange,
    /// Returning from the identity provider.
    Provider,
    /// Requesting a link to reset a password.
    ResetRequest,
    /// Opening a link from an email.
    EmailLink,
    /// Entering the password of a share link.
    ShareUnlock,
    /// Opening a share link whose content must be read or drawn.
    SharedDrawing,
}

/// The key that an attempt is counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitKey {
    /// The address of the client. Only the first 64 bits of an IPv6 address, because subscribers choose the rest.
    Address(IpAddr),
    /// The network of an address: the first 48 bits of IPv6, the first 24 of IPv4. Hosting providers assign whole
    /// networks.
    Network(IpAddr),
    /// The account.
    Account(TokenHash),
    /// All browsers that have signed in to the account since its password was set.
    Device(TokenHash),
    /// The address of such a browser.
    DeviceAddress(IpAddr),
    /// One address at one account.
    AccountFromAddress(TokenHash),
    /// One network at one account.
    AccountFromNetwork(TokenHash),
    /// An account under attack, for addresses without failed attempts at it.
    AccountFromNewAddresses(TokenHash),
    /// The same for the addresses of one large network, when others have used up the limit of all: the first 32 bits of
    /// IPv6, the first 8 of IPv4.
    AccountFromLargeNetwork(TokenHash),
}

impl LimitKey {
    /// The key of an address.
    pub fn address(address: IpAddr) -> Self {
        Self::Address(significant(address, 4))
    }

    /// The key of an account by the login that was entered, whether the account exists or not.
    pub fn login(login: &str) -> Self {
        // Logins are compared case-insensitively, as in the database, and forms may add white space.
        Self::Account(tokens::hash(&format!("login {}", login.trim().to_lowercase())))
    }

    /// The key of a known account.
    pub fn user(user_id: i64) -> Self {
        Self::Account(tokens::hash(&format!("user {user_id}")))
    }

    /// The key of a share link.
    pub fn share_link(id: &str) -> Self {
        Self::Account(tokens::hash(&format!("share {id}")))
    }

    /// The key of a browser that has entered the password of a share link before. The time at which its proof expires
    /// identifies it. Each has its own limit, because it belongs to a reader who knows the password.
    pub fn share_link_device(id: &str, expires_at: i64) -> Self {
        Self::Device(tokens::hash(&format!("share device {id} {expires_at}")))
    }

    /// The key of all browsers that have signed in to an account before. They share one limit.
    pub fn devices(user_id: i64) -> Self {
        Self::Device(tokens::hash(&format!("devices {user_id}")))
    }

    /// The key of the address of such a browser.
    pub fn device_address(address: IpAddr) -> Self {
        Self::DeviceAddress(significant(address, 4))
    }

    /// The key of the network of an address.
    pub(super) fn network(address: IpAddr) -> Self {
        Self::Network(significant(address, 3))
    }

    pub(super) fn account_from_address(account: &TokenHash, address: IpAddr) -> Self {
        Self::AccountFromAddress(pair(account, significant(address, 4)))
    }

    pub(super) fn account_from_network(account: &TokenHash, address: IpAddr) -> Self {
        Self::AccountFromNetwork(pair(account, significant(address, 3)))
    }

    pub(super) fn account_from_large_network(account: &TokenHash, address: IpAddr) -> Self {
        let parts = if address.to_canonical().is_ipv4() { 1 } else { 2 };
        Self::AccountFromLargeNetwork(pair(account, significant(address, parts)))
    }
}

fn pair(account: &TokenHash, address: IpAddr) -> TokenHash {
    let account = account.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    tokens::hash(&format!("{account} {address}"))
}

/// The first `parts` groups: of 16 bits for IPv6, of 8 bits for IPv4.
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

/// A limit: number of free attempts, wait after the last free one (doubled by each further attempt), maximum wait, and
/// the interval after which one attempt is forgotten, if they are forgotten individually. Times in milliseconds.
pub(super) struct Limit {
    free: u32,
    first: i64,
    longest: i64,
    regain: Option<i64>,
}

impl Limit {
    pub(super) fn of(kind: AttemptKind, who: LimitKey) -> Self {
        let (free, first, longest) = match (kind, who) {
            (AttemptKind::Token, _) => (30, SECOND, MINUTE),
            // Each request sends an email, whether the address belongs to an account or not.
            (AttemptKind::ResetRequest, LimitKey::Account(_)) => (3, 5 * MINUTE, HOUR),
            (AttemptKind::ResetRequest, LimitKey::Address(_)) => (10, 10 * SECOND, 10 * MINUTE),
            // A whole office may connect its assistants from one address on the same day.
            (
                AttemptKind::Registration | AttemptKind::Consent | AttemptKind::Exchange | AttemptKind::Provider,
                LimitKey::Network(_),
            ) => (400, SECOND, 5 * SECOND),
            (AttemptKind::Registration | AttemptKind::Consent | AttemptKind::Exchange | AttemptKind::Provider, _) => {
                (100, SECOND, MINUTE)
            }
            // Many at once, and then at a steady rate: unchanged content is neither read nor drawn.
            (AttemptKind::SharedDrawing, LimitKey::Network(_)) => (200, SECOND / 2, SECOND / 2),
            (AttemptKind::SharedDrawing, LimitKey::Account(_)) => (120, SECOND, SECOND),
            (AttemptKind::SharedDrawing, _) => (60, 2 * SECOND, 2 * SECOND),
            (AttemptKind::Waitlist, LimitKey::Network(_)) => (40, SECOND, MINUTE),
            (AttemptKind::Waitlist, _) | (AttemptKind::SecondFactor, LimitKey::Account(_) | LimitKey::Device(_)) => {
                (5, SECOND, 5 * MINUTE)
            }
            (_, LimitKey::Account(_) | LimitKey::Device(_)) => (5, SECOND, 30 * SECOND),
            (_, LimitKey::AccountFromAddress(_)) => (3, HOUR, HOUR),
            (_, LimitKey::AccountFromNetwork(_)) => (6, HOUR, HOUR),
            // Twenty at once, and then twenty per minute.
            (_, LimitKey::AccountFromNewAddresses(_)) => (20, 3 * SECOND, 3 * SECOND),
            // Three at once, and then twenty per hour.
            (_, LimitKey::AccountFromLargeNetwork(_)) => (3, 3 * MINUTE, 3 * MINUTE),
            (_, LimitKey::Address(_)) => (20, SECOND, MINUTE),
            (_, LimitKey::DeviceAddress(_)) => (60, SECOND, MINUTE),
            (_, LimitKey::Network(_)) => (80, SECOND, 5 * SECOND),
        };
        let is_exception = matches!(who, LimitKey::AccountFromNewAddresses(_) | LimitKey::AccountFromLargeNetwork(_));
        let is_steady = kind == AttemptKind::SharedDrawing || is_exception;
        let regain = is_steady.then_some(first);
        Self { free, first, longest, regain }
    }

    /// How many attempts are forgotten after `elapsed`, and the remaining time that counts toward the next one.
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
