//! Tests of connection limits and eviction.

use super::*;

fn slots(connections: usize, per_address: usize) -> Arc<Slots> {
    let trusted = vec!["10.0.0.0/8".parse().unwrap()];
    Slots::new(ConnectionLimits { connections, per_address, trusted }, Arc::default())
}

fn try_take(slots: &Arc<Slots>, peer: &str) -> Option<Slot> {
    slots.try_take(peer.parse().unwrap()).ok()
}

#[test]
fn the_connection_limit_per_address_exempts_proxies() {
    let slots = slots(20, 2);
    let first = try_take(&slots, "192.0.2.1").unwrap();
    let _second = try_take(&slots, "::ffff:192.0.2.1").unwrap();
    assert!(try_take(&slots, "192.0.2.1").is_none());
    assert_eq!(slots.counts.refused(), 1);
    assert!(try_take(&slots, "192.0.2.2").is_some());
    drop(first);
    assert!(try_take(&slots, "192.0.2.1").is_some());
    let of_network: Vec<Option<Slot>> = (1..=3).map(|n| try_take(&slots, &format!("2001:db8::{n}"))).collect();
    assert!(of_network[1].is_some() && of_network[2].is_none());
    let of_proxy: Vec<Option<Slot>> = (0..5).map(|_| try_take(&slots, "10.1.2.3")).collect();
    assert!(of_proxy.iter().all(Option::is_some));
}

/// The time `grace` ago.
fn ago(grace: Duration) -> Instant {
    Instant::now().checked_sub(grace).unwrap()
}

#[test]
fn an_unlisted_proxy_in_a_private_network_gets_half_of_all_connections() {
    for proxy in ["192.168.1.2", "127.0.0.1", "::1", "fd00::1", "::ffff:172.17.0.1"] {
        let slots = slots(8, 2);
        slots.forwards(proxy.parse().unwrap());
        let held: Vec<Slot> = std::iter::from_fn(|| try_take(&slots, proxy)).collect();
        assert_eq!(held.len(), 4, "{proxy}");
        assert!(try_take(&slots, "192.0.2.2").is_some());
    }
}

#[test]
fn strangers_do_not_get_more_connections_by_a_header_of_proxies() {
    for stranger in ["192.0.2.1", "172.32.0.1", "2001:db8::1", "::ffff:192.0.2.1"] {
        let slots = slots(8, 2);
        slots.forwards(stranger.parse().unwrap());
        let held: Vec<Slot> = std::iter::from_fn(|| try_take(&slots, stranger)).collect();
        assert_eq!(held.len(), 2, "{stranger}");
        assert_eq!(slots.counts.forwarding().len(), 1, "the warning stays");
    }
}

#[test]
fn the_longest_idle_connection_is_evicted_and_busy_ones_are_not() {
    let slots = slots(2, 2);
    let idle = Arc::new(try_take(&slots, "192.0.2.1").unwrap());
    let busy = Arc::new(try_take(&slots, "192.0.2.1").unwrap());
    let request = busy.busy(true);
    assert!(try_take(&slots, "192.0.2.2").is_none(), "the idle one has just come");
    idle.set(Activity::Idle(ago(GRACE)));
    let next = try_take(&slots, "192.0.2.2").unwrap();
    assert_eq!((slots.counts.open(), slots.counts.evicted(), slots.counts.refused()), (2, 1, 0));
    next.set(Activity::Idle(ago(GRACE)));
    drop(idle);
    assert_eq!(slots.state().open.len(), 2, "one that was evicted is not counted off twice");
    drop((request, busy, next));
    assert!(slots.state().open.is_empty() && slots.state().by_address.is_empty());
}

#[test]
fn without_idle_connections_the_oldest_incomplete_request_is_evicted() {
    let slots = slots(3, 3);
    let all: Vec<Arc<Slot>> = (0..3).map(|_| Arc::new(try_take(&slots, "192.0.2.1").unwrap())).collect();
    let _requests: Vec<ActiveRequest> = all.iter().map(|slot| slot.busy(false)).collect();
    all[0].received();
    assert!(try_take(&slots, "192.0.2.2").is_none(), "the bodies have just begun");
    all[1].set(Activity::Receiving(ago(UPLOAD_GRACE)));
    all[2].set(Activity::Receiving(ago(2 * UPLOAD_GRACE)));
    let next = Arc::new(try_take(&slots, "192.0.2.2").unwrap());
    assert!(!slots.state().open.contains_key(&all[2].id) && slots.state().open.contains_key(&all[1].id));
    next.set(Activity::Idle(ago(GRACE)));
    let last = Arc::new(try_take(&slots, "192.0.2.2").unwrap());
    assert!(!slots.state().open.contains_key(&next.id), "idle ones first");
    let _complete = last.busy(true);
    let _other = try_take(&slots, "192.0.2.2").map(|slot| Arc::new(slot).busy(true)).unwrap();
    assert!(!slots.state().open.contains_key(&all[1].id));
    assert!(try_take(&slots, "192.0.2.2").is_none(), "complete requests are not evicted");
}
