//! Tests of the order in which jobs run.

use std::time::Duration;

use super::*;

const LIMITS: QueueLimits = QueueLimits { waiting: 100, waiting_per_key: 10, running_per_key: usize::MAX };
const ANN: QueueKey = QueueKey::User(1);
const BOB: QueueKey = QueueKey::User(2);
const CAT: QueueKey = QueueKey::User(3);

fn queue(limits: QueueLimits, jobs: &[(QueueKey, &'static str)]) -> FairQueue<&'static str> {
    let queue = FairQueue::new(limits);
    for (key, job) in jobs {
        queue.push(key.clone(), *job).unwrap();
    }
    queue
}

fn next(queue: &FairQueue<&'static str>) -> Option<&'static str> {
    queue.pop_if(|_, _| true, |_| true).map(|(_, job)| job)
}

#[test]
fn a_user_with_a_full_queue_delays_others_by_one_job_per_user() {
    let queue = queue(LIMITS, &[(ANN, "a1"), (ANN, "a2"), (ANN, "a3"), (CAT, "c1"), (CAT, "c2")]);
    let (running, _) = queue.pop().unwrap();
    queue.push(BOB, "b1").unwrap();
    queue.done(&running);
    queue.push(running, "a4").unwrap();
    let mut before = Vec::new();
    loop {
        let (key, job) = queue.pop().unwrap();
        if job == "b1" {
            break;
        }
        queue.done(&key);
        queue.push(key, "more").unwrap();
        before.push(job);
    }
    assert_eq!(before, ["c1", "a2"]);
}

#[test]
fn users_with_fewer_running_jobs_come_first() {
    let queue = queue(LIMITS, &[(ANN, "a1"), (ANN, "a2"), (ANN, "a3")]);
    assert_eq!([next(&queue), next(&queue)], [Some("a1"), Some("a2")], "a lone user may use every thread");
    queue.push(BOB, "b1").unwrap();
    queue.push(BOB, "b2").unwrap();
    assert_eq!([next(&queue), next(&queue)], [Some("b1"), Some("b2")], "two jobs of Ann are running");
}

#[test]
fn a_user_at_the_running_limit_waits_while_others_run() {
    let queue = queue(QueueLimits { running_per_key: 1, ..LIMITS }, &[(ANN, "a1"), (ANN, "a2"), (BOB, "b1")]);
    assert_eq!([next(&queue), next(&queue), next(&queue)], [Some("a1"), Some("b1"), None]);
    queue.done(&ANN);
    assert_eq!(next(&queue), Some("a2"));
}

#[test]
fn a_users_backlog_is_rejected_before_the_queue_is_full() {
    let queue = queue(QueueLimits { waiting: 8, waiting_per_key: 2, ..LIMITS }, &[(ANN, "a1"), (ANN, "a2")]);
    assert_eq!(queue.push(ANN, "a3"), Err(QueueError::KeyFull));
    assert_eq!(queue.push(QueueKey::System, "s1"), Ok(true));
    assert_eq!(queue.push(BOB, "b1"), Ok(true));
    assert_eq!(
        queue.push(BOB, "b2"),
        Err(QueueError::Full),
        "half of the places are reserved for keys without waiting jobs"
    );
    for user in 3..7 {
        assert_eq!(queue.push(QueueKey::User(user), "1"), Ok(true));
    }
    assert_eq!(queue.push(QueueKey::User(7), "1"), Err(QueueError::Full));
}

#[test]
fn a_rejected_job_keeps_its_turn() {
    let queue = queue(LIMITS, &[(ANN, "large"), (BOB, "b1")]);
    assert_eq!(queue.pop_if(|_, _| true, |job| *job != "large"), None);
    assert_eq!([next(&queue), next(&queue)], [Some("large"), Some("b1")]);
}

#[test]
fn a_job_that_must_wait_does_not_delay_other_users() {
    let queue = queue(LIMITS, &[(ANN, "large"), (ANN, "a2"), (BOB, "b1"), (BOB, "b2")]);
    let later = Instant::now() + Duration::from_hours(1);
    let earliest_start = |_: &QueueKey, job: &&str| (*job == "large").then_some(later);
    let order: Vec<_> = (0..2).map(|_| queue.pop_when(earliest_start).unwrap().1).collect();
    assert_eq!(order, ["b1", "b2"]);
    assert_eq!(queue.pop_if(|key, job| earliest_start(key, job).is_none(), |_| true), None);
    queue.close();
    assert_eq!(queue.pop_when(earliest_start).unwrap().1, "large", "a closed queue does not wait");
}

#[test]
fn a_job_that_must_wait_starts_without_a_further_event() {
    let queue = queue(LIMITS, &[(ANN, "large")]);
    let soon = Instant::now() + Duration::from_millis(5);
    assert_eq!(queue.pop_when(|_, _| Some(soon)).unwrap().1, "large");
    assert!(Instant::now() >= soon);
}

#[test]
fn a_closed_queue_returns_waiting_jobs_and_then_ends() {
    let queue = queue(LIMITS, &[(ANN, "a1")]);
    queue.close();
    assert_eq!(queue.push(ANN, "a2"), Err(QueueError::Closed));
    assert_eq!(queue.pop(), Some((ANN, "a1")));
    assert_eq!(queue.pop(), None);
}

#[test]
fn keys_without_jobs_take_no_memory() {
    let queue = queue(LIMITS, &[(ANN, "a1"), (BOB, "b1")]);
    while let Some((key, _)) = queue.pop_if(|_, _| true, |_| true) {
        queue.done(&key);
    }
    assert!(queue.state().keys.is_empty() && queue.state().turns.is_empty());
}

#[test]
fn addresses_of_one_ipv6_network_share_a_key() {
    let key = |address: &str| QueueKey::address(address.parse().unwrap());
    assert_eq!(key("2001:db8::1"), key("2001:db8::ffff:1"));
    assert_ne!(key("2001:db8::1"), key("2001:db8:0:1::1"));
    assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
    assert_ne!(key("192.0.2.1"), key("192.0.2.2"));
}

#[tokio::test]
async fn jobs_belong_to_the_innermost_scope() {
    assert_eq!(current(), QueueKey::System);
    scope(ANN, async {
        assert_eq!(current(), ANN);
        scope(BOB, async { assert_eq!(current(), BOB) }).await;
    })
    .await;
}
