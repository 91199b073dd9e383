//! Tests of counting, with a clock that the test controls.

use super::*;
use crate::clock::{DAY, MINUTE};

fn address(n: u32) -> LimitKey {
    LimitKey::address(IpAddr::V4(n.into()))
}

fn retry_after(throttle: &Throttle, kind: AttemptKind, who: LimitKey) -> Option<u64> {
    match throttle.attempt(kind, [who]) {
        Ok(_) => None,
        Err(Error::RateLimited { retry_after }) => Some(retry_after.as_secs()),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn waits_double_up_to_the_maximum_and_rejected_attempts_change_nothing() {
    let clock = Clock::stopped();
    let throttle = Throttle::new(clock.clone());
    let ada = LimitKey::login("ada");
    for _ in 0..5 {
        assert_eq!(retry_after(&throttle, AttemptKind::SignIn, ada), None);
    }
    for wait in [1, 2, 4, 8, 16, 30, 30] {
        for _ in 0..100 {
            assert_eq!(retry_after(&throttle, AttemptKind::SignIn, ada), Some(wait));
        }
        clock.advance(i64::try_from(wait).unwrap() * SECOND);
        assert_eq!(retry_after(&throttle, AttemptKind::SignIn, LimitKey::login(" ADA ")), None, "in any case");
    }
    assert_eq!(retry_after(&throttle, AttemptKind::Password, ada), None, "each kind for itself");
    clock.advance(COUNTER_LIFETIME);
    for _ in 0..5 {
        assert_eq!(retry_after(&throttle, AttemptKind::SignIn, ada), None, "forgotten");
    }
}

#[test]
fn withdrawn_attempts_are_subtracted_and_reset_nothing() {
    let throttle = Throttle::new(Clock::stopped());
    let ada = LimitKey::login("ada");
    for _ in 0..4 {
        throttle.attempt(AttemptKind::SignIn, [ada]).unwrap();
    }
    for _ in 0..3 {
        throttle.attempt(AttemptKind::SignIn, [ada]).unwrap().withdraw();
    }
    assert_eq!(retry_after(&throttle, AttemptKind::SignIn, ada), None, "the fifth");
    assert_eq!(retry_after(&throttle, AttemptKind::SignIn, ada), Some(1));
}

#[test]
fn success_resets_the_account_and_subtracts_one_attempt_from_the_address() {
    let throttle = Throttle::new(Clock::stopped());
    let (ada, home) = (LimitKey::login("ada"), address(1));
    for _ in 0..4 {
        throttle.attempt(AttemptKind::SignIn, [home, ada]).unwrap();
    }
    throttle.attempt(AttemptKind::SignIn, [home, ada]).unwrap().succeeded();
    for _ in 0..5 {
        throttle.attempt(AttemptKind::SignIn, [home, ada]).unwrap();
    }
    assert!(throttle.attempt(AttemptKind::SignIn, [home, ada]).is_err(), "five more for the account");
    for _ in 0..11 {
        assert_eq!(retry_after(&throttle, AttemptKind::SignIn, home), None);
    }
    assert!(retry_after(&throttle, AttemptKind::SignIn, home).is_some(), "the address has made twenty");
}

#[test]
fn an_ipv6_network_counts_as_one_address() {
    let who = |text: &str| LimitKey::address(text.parse().unwrap());
    assert_eq!(who("2001:db8:1:2::1"), who("2001:db8:1:2:ffff::9"));
    assert_ne!(who("2001:db8:1:2::1"), who("2001:db8:1:3::1"));
    assert_eq!(who("::ffff:192.0.2.1"), who("192.0.2.1"));
    assert_ne!(who("192.0.2.1"), who("192.0.2.2"));
}

#[test]
fn memory_is_bounded_and_the_busiest_counters_are_kept() {
    let clock = Clock::stopped();
    let throttle = Throttle::new(clock.clone());
    let busy = LimitKey::login("ada");
    for _ in 0..12 {
        clock.advance(MINUTE);
        throttle.attempt(AttemptKind::SignIn, [busy]).unwrap();
    }
    for n in 0..100_000 {
        throttle.attempt(AttemptKind::SignIn, [address(n << 8)]).unwrap();
        assert!(throttle.counters().len() <= MAX_COUNTERS);
    }
    assert!(retry_after(&throttle, AttemptKind::SignIn, busy).is_some());
}

#[test]
fn the_network_of_an_address_is_counted_with_a_higher_limit() {
    let network = |text: &str| LimitKey::network(text.parse().unwrap());
    assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:ffff::9"));
    assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:2:2::1"));
    assert_eq!(network("192.0.2.1"), network("::ffff:192.0.2.200"));
    assert_ne!(network("192.0.2.1"), network("192.0.3.1"));
    let clock = Clock::stopped();
    let throttle = Throttle::new(clock.clone());
    let in_network = |n: u16| LimitKey::address(IpAddr::from([0x2001, 0xdb8, 1, n, 0, 0, 0, 1]));
    let admitted = (0..1_000).filter(|n| throttle.attempt(AttemptKind::Invitation, [in_network(*n)]).is_ok()).count();
    assert_eq!(admitted, 80, "of a thousand networks of 64 bits in one of 48");
    for _ in 0..12 {
        clock.advance(5 * SECOND);
        assert!(throttle.attempt(AttemptKind::Invitation, [in_network(2_000)]).is_ok());
    }
    let elsewhere = LimitKey::address(IpAddr::from([0x2001, 0xdb8, 2, 0, 0, 0, 0, 1]));
    assert!(throttle.attempt(AttemptKind::Invitation, [elsewhere]).is_ok());
}

#[test]
fn new_addresses_get_their_first_attempts_within_a_common_limit() {
    let clock = Clock::stopped();
    let throttle = Throttle::new(clock.clone());
    let ada = LimitKey::login("ada");
    let sign_in = |n: u32| throttle.attempt(AttemptKind::SignIn, [address(n), ada]).is_ok();
    // Each address in its own network.
    let apart = |n: u32| sign_in((n + 1) << 8);
    assert_eq!((0..10).filter(|_| sign_in(0)).count(), 5, "the account's own, and none for an address that has failed");
    assert_eq!((0..10).filter(|_| apart(0)).count(), 3, "of one address");
    assert_eq!((0..10).filter(|n| sign_in((2 << 8) + n)).count(), 6, "of one network");
    assert_eq!((10..100).filter(|n| apart(*n)).count(), 14, "twenty in all, and three of their large network");
    clock.advance(MINUTE);
    let in_a_minute = (0..60).map(|n| {
        clock.advance(SECOND);
        usize::from(apart(100 + n)) + usize::from(apart(200 + n))
    });
    let in_a_minute: usize = in_a_minute.sum();
    assert!((30..=47).contains(&in_a_minute), "{in_a_minute}: twenty at once, twenty a minute, and the account's own");
}

#[test]
fn attackers_with_many_addresses_lock_out_only_their_own_large_networks() {
    let clock = Clock::stopped();
    let throttle = Throttle::new(clock.clone());
    let ada = LimitKey::login("ada");
    let attempt = |address: IpAddr| throttle.attempt(AttemptKind::SignIn, [LimitKey::address(address), ada]);
    let fails = |address: IpAddr| attempt(address).is_ok();
    let v4 = |large: u8, n: u16| IpAddr::from([large, n.to_be_bytes()[0], n.to_be_bytes()[1], 1]);
    let v6 = |large: u16, n: u16| IpAddr::from([0x2001, large, n, 0, 0, 0, 0, 1]);
    let of_one = (0..1_000).filter(|n| fails(v4(20, *n))).count();
    assert_eq!(of_one, 5 + 20 + 3, "the account's own, those of all, and those of the network");
    assert_eq!((0..1_000).filter(|n| fails(v6(0xdb8, *n))).count(), 3);
    for n in 0..30 {
        clock.advance(SECOND);
        for more in 0..10 {
            // They keep the limits of all addresses and of their networks used up.
            fails(v4(20, 1_000 + 10 * n + more));
            fails(v6(0xdb8, 1_000 + 10 * n + more));
        }
        attempt(v4(77, n)).unwrap_or_else(|_| panic!("owner {n} in another network")).succeeded();
    }
    assert_eq!((0..100).filter(|n| fails(v6(0xdb9, *n))).count(), 3);
    assert!((0..100).all(|n| !fails(v6(0xdb9, 200 + n))));
    clock.advance(10 * SECOND);
    // With addresses everywhere, they are limited, too.
    let everywhere = (0..100).flat_map(|n| (100..200).map(move |large| v4(large, n)));
    let everywhere = everywhere.filter(|address| fails(*address)).count();
    assert!((300..=330).contains(&everywhere), "{everywhere}: three for each of a hundred networks");
}

#[test]
fn other_addresses_give_no_additional_second_factor_attempts() {
    let throttle = Throttle::new(Clock::stopped());
    let admitted =
        (0..100).filter(|n| throttle.attempt(AttemptKind::SecondFactor, [address(n << 8), LimitKey::user(7)]).is_ok());
    assert_eq!(admitted.count(), 5);
}

#[test]
fn setting_the_clock_back_causes_no_wait() {
    let clock = Clock::stopped();
    let throttle = Throttle::new(clock.clone());
    let (home, ada) = (address(1), LimitKey::login("ada"));
    for step in [-DAY, -2 * 365 * DAY, 2 * 365 * DAY] {
        throttle.attempt(AttemptKind::SignIn, [home, ada]).unwrap().succeeded();
        clock.step(step);
        throttle.attempt(AttemptKind::SignIn, [home, ada]).unwrap().succeeded();
    }
    for _ in 0..5 {
        throttle.attempt(AttemptKind::SignIn, [ada]).unwrap();
    }
    clock.step(365 * DAY);
    assert_eq!(retry_after(&throttle, AttemptKind::SignIn, ada), Some(1), "nor is the wait of any user shorter");
}
