//! Fair scheduling: nobody's requests wait behind all of somebody else's. Held by order, never by time.

use std::{
    future::poll_fn,
    sync::mpsc::{self, Sender},
    task::Poll,
};

use planroom::{
    domain::access::{Call, Gate, Via},
    schedule::{self, Key},
};
use serde_json::{Value, json};
use tokio::{sync::oneshot, task::JoinHandle};

use crate::support::{Actor, Stage};

/// Something that occupies a thread until it is released.
pub struct Held {
    release: Sender<()>,
    ended: JoinHandle<()>,
}

impl Held {
    pub async fn end(self) {
        self.release.send(()).unwrap();
        self.ended.await.unwrap();
    }
}

/// Occupies the thread that `occupy` runs its work on.
async fn hold<F: Future<Output = ()> + Send + 'static>(occupy: impl FnOnce(Box<dyn FnOnce() + Send>) -> F) -> Held {
    let (release, held) = mpsc::channel();
    let (started, running) = oneshot::channel();
    let work = Box::new(move || {
        started.send(()).unwrap();
        held.recv().unwrap();
    });
    let ended = tokio::spawn(occupy(work));
    running.await.unwrap();
    Held { release, ended }
}

/// Occupies the writer.
async fn hold_writer(stage: &Stage) -> Held {
    let gate = stage.app.gate.clone();
    hold(|work| async move {
        gate.system(Via::Job, move |_| {
            work();
            Ok(())
        })
        .await
        .unwrap();
    })
    .await
}

/// Occupies one of the threads for heavy reads, as a user who does not exist.
pub async fn hold_heavy(gate: Gate, user: i64) -> Held {
    hold(|work| async move {
        let heavy = gate.heavy_work(move || {
            work();
            Ok(())
        });
        schedule::scope(Key::User(user), heavy).await.unwrap();
    })
    .await
}

/// Occupies one of the threads for point reads.
async fn hold_point(gate: Gate) -> Held {
    hold(|work| async move {
        let call = Call::new(None, Via::Rest, "test");
        gate.public_view(call, move |_| {
            work();
            Ok(())
        })
        .await
        .unwrap();
    })
    .await
}

/// A member of acme who edits `w`.
async fn editor<'s>(stage: &'s Stage, login: &str) -> Actor<'s> {
    let user = stage.seed_member(login, "acme", "org:member");
    stage.grant("w", user, "editor");
    stage.sign_in(login).await
}

async fn add(actor: &Actor<'_>, id: &str) -> i64 {
    let new = json!({ "id": id, "typeId": "service", "name": id });
    let reply = actor.post("/api/workspaces/w/components", new).await.created();
    reply["component"]["revision"].as_i64().unwrap()
}

/// Begins to write, and goes on when that waits for the writer.
macro_rules! begin {
    ($stage:expr, $write:ident) => {
        let waiting = $stage.app.gate.waiting_writes();
        poll_fn(|cx| {
            assert!($write.as_mut().poll(cx).is_pending(), "the writer is occupied");
            cx.waker().wake_by_ref();
            if $stage.app.gate.waiting_writes() > waiting { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    };
}

#[tokio::test]
async fn a_write_starts_after_at_most_one_job_of_each_other_user() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let (eve, bob) = (editor(&stage, "eve").await, editor(&stage, "bob").await);
    let before = ada.revision("w").await;
    let writer = hold_writer(&stage).await;
    let [mut first, mut second, mut third, mut fourth] = ["e1", "e2", "e3", "e4"].map(|id| Box::pin(add(&eve, id)));
    begin!(stage, first);
    begin!(stage, second);
    begin!(stage, third);
    begin!(stage, fourth);
    let mut of_bob = Box::pin(add(&bob, "b1"));
    begin!(stage, of_bob);
    let mut of_ada = Box::pin(add(&ada, "a1"));
    begin!(stage, of_ada);
    let ((), e1, e2, e3, e4, b1, a1) = tokio::join!(writer.end(), first, second, third, fourth, of_bob, of_ada);
    assert_eq!([e1, b1, a1, e2, e3, e4].map(|revision| revision - before), [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn tokens_do_not_give_a_user_more_turns() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let eve = editor(&stage, "eve").await;
    let scripts = [stage.script_of("eve").await, stage.script_of("eve").await];
    for script in &scripts {
        // Notes that the token was used, which is a write.
        script.get("/api/me").await.ok();
    }
    stage.settle().await;
    let before = ada.revision("w").await;
    let writer = hold_writer(&stage).await;
    let mut first = Box::pin(add(&eve, "e1"));
    begin!(stage, first);
    let mut second = Box::pin(add(&scripts[0], "e2"));
    begin!(stage, second);
    let mut third = Box::pin(add(&scripts[1], "e3"));
    begin!(stage, third);
    let mut of_ada = Box::pin(add(&ada, "a1"));
    begin!(stage, of_ada);
    let ((), e1, e2, e3, a1) = tokio::join!(writer.end(), first, second, third, of_ada);
    assert_eq!([e1, a1, e2, e3].map(|revision| revision - before), [1, 2, 3, 4]);
}

#[tokio::test]
async fn dry_runs_and_reads_do_not_wait_for_the_writer() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let writer = hold_writer(&stage).await;
    let model = json!({ "workspace": { "name": "W" }, "components": [{ "id": "n", "typeId": "service", "name": "N" }],
                        "relationships": [] });
    let preview = ada.put("/api/workspaces/w/bulk?dryRun=true", model.clone()).await.ok();
    assert_eq!((&preview["dryRun"], &preview["created"]["components"]), (&json!(true), &json!(["n"])));
    let preview = ada.post("/api/import?id=w&replace=true&dryRun=true", model).await.ok();
    assert_eq!((&preview["dryRun"], &preview["founded"]), (&json!(true), &json!(false)));
    ada.get("/api/workspaces/w").await.ok();
    ada.get("/api/people").await.ok();
    writer.end().await;
    assert!(ada.bundle("w").await["components"].as_array().unwrap().iter().all(|one| one["id"] != "n"));
}

#[tokio::test]
async fn one_user_leaves_a_thread_for_heavy_reads_to_others() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let gate = stage.app.gate.clone();
    let held = hold_heavy(gate.clone(), 1_000_000).await;
    // This one waits for the first of the same user, and not on the other thread.
    let again = tokio::spawn(schedule::scope(Key::User(1_000_000), async move {
        let gate = gate;
        gate.heavy_work(|| Ok(())).await
    }));
    ada.get("/api/workspaces/w/export").await.ok();
    ada.get("/api/people").await.ok();
    assert!(!again.is_finished());
    held.end().await;
    again.await.unwrap().unwrap();
}

#[tokio::test]
async fn who_asks_is_found_out_while_all_other_readers_are_occupied() {
    let stage = Stage::new().await;
    let ada = stage.script_of("ada").await;
    let gate = stage.app.gate.clone();
    let held = [
        hold_heavy(gate.clone(), 1_000_000).await,
        hold_heavy(gate.clone(), 1_000_001).await,
        hold_point(gate.clone()).await,
        hold_point(gate.clone()).await,
    ];
    // The caller is admitted before the body is looked at.
    ada.post("/api/people", json!({ "nmae": "Ann" })).await.refused(400, "name: is required");
    stage.with("svc_pat_unknown").post("/api/people", json!({})).await.refused(401, "unknown or revoked");
    for held in held {
        held.end().await;
    }
}

#[tokio::test]
async fn a_client_that_hangs_up_during_a_bulk_fails_nobody_elses_write() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let (eve, bob) = (editor(&stage, "eve").await, editor(&stage, "bob").await);
    let components: Vec<Value> =
        (0..1_500).map(|n| json!({ "id": format!("c{n}"), "typeId": "service", "name": "C" })).collect();
    let model = json!({ "workspace": { "name": "W" }, "components": components, "relationships": [] });
    let before = ada.bundle("w").await;
    let writer = hold_writer(&stage).await;
    {
        let mut bulk = Box::pin(eve.put("/api/workspaces/w/bulk", model));
        begin!(stage, bulk);
    }
    let mut of_bob = Box::pin(add(&bob, "b1"));
    begin!(stage, of_bob);
    tokio::join!(writer.end(), of_bob);
    let after = ada.bundle("w").await;
    let count = |bundle: &Value| bundle["components"].as_array().unwrap().len();
    assert_eq!(count(&after), count(&before) + 1);
}
