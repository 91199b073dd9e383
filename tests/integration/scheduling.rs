//! Fair scheduling: no user's requests wait behind all requests of another. Tests depend on order, never on time.

use std::{
    future::poll_fn,
    sync::mpsc::{self, Sender},
    task::Poll,
};

use planroom::{
    domain::core::{Call, Gate, Via, access::Public},
    schedule::{self, QueueKey},
};
use serde_json::{Value, json};
use tokio::{sync::oneshot, task::JoinHandle};

use crate::support::{TestClient, TestServer};

/// A job that occupies a thread until it is released.
pub struct Occupied {
    release: Sender<()>,
    ended: JoinHandle<()>,
}

impl Occupied {
    pub async fn release(self) {
        self.release.send(()).unwrap();
        self.ended.await.unwrap();
    }
}

/// Occupies the thread that `run` runs its work on.
async fn occupy<F: Future<Output = ()> + Send + 'static>(run: impl FnOnce(Box<dyn FnOnce() + Send>) -> F) -> Occupied {
    let (release, held) = mpsc::channel();
    let (started, running) = oneshot::channel();
    let work = Box::new(move || {
        started.send(()).unwrap();
        held.recv().unwrap();
    });
    let ended = tokio::spawn(run(work));
    running.await.unwrap();
    Occupied { release, ended }
}

/// Occupies the writer.
async fn occupy_writer(server: &TestServer) -> Occupied {
    let gate = server.app.gate.clone();
    occupy(|work| async move {
        gate.system(Via::Job, move |_| {
            work();
            Ok(())
        })
        .await
        .unwrap();
    })
    .await
}

/// Occupies a thread for heavy reads, as a user who does not exist.
pub async fn occupy_heavy_reader(gate: Gate, user: i64) -> Occupied {
    occupy(|work| async move {
        let heavy = gate.heavy_work(move || {
            work();
            Ok(())
        });
        schedule::scope(QueueKey::User(user), heavy).await.unwrap();
    })
    .await
}

/// Occupies a thread for point reads.
async fn occupy_point_reader(gate: Gate) -> Occupied {
    occupy(|work| async move {
        let call = Call::<Public>::new(None, Via::Rest, "test");
        gate.read(call, (), move |_| {
            work();
            Ok(())
        })
        .await
        .unwrap();
    })
    .await
}

/// A member of acme with edit access to `w`.
async fn editor<'s>(server: &'s TestServer, login: &str) -> TestClient<'s> {
    let user = server.seed_member(login, "acme", "org:member");
    server.grant("w", user, "editor");
    server.sign_in(login).await
}

async fn add(client: &TestClient<'_>, id: &str) -> i64 {
    let new = json!({ "id": id, "typeId": "service", "name": id });
    let reply = client.post("/api/workspaces/w/components", new).await.created();
    reply["component"]["revision"].as_i64().unwrap()
}

/// Starts a write, and continues when it waits for the writer.
macro_rules! begin {
    ($server:expr, $write:ident) => {
        let waiting = $server.app.gate.waiting_writes();
        poll_fn(|cx| {
            assert!($write.as_mut().poll(cx).is_pending(), "the writer is occupied");
            cx.waker().wake_by_ref();
            if $server.app.gate.waiting_writes() > waiting { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    };
}

#[tokio::test]
async fn a_write_starts_after_at_most_one_job_of_each_other_user() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let (eve, bob) = (editor(&server, "eve").await, editor(&server, "bob").await);
    let before = ada.revision("w").await;
    let writer = occupy_writer(&server).await;
    let [mut first, mut second, mut third, mut fourth] = ["e1", "e2", "e3", "e4"].map(|id| Box::pin(add(&eve, id)));
    begin!(server, first);
    begin!(server, second);
    begin!(server, third);
    begin!(server, fourth);
    let mut of_bob = Box::pin(add(&bob, "b1"));
    begin!(server, of_bob);
    let mut of_ada = Box::pin(add(&ada, "a1"));
    begin!(server, of_ada);
    let ((), e1, e2, e3, e4, b1, a1) = tokio::join!(writer.release(), first, second, third, fourth, of_bob, of_ada);
    assert_eq!([e1, b1, a1, e2, e3, e4].map(|revision| revision - before), [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn a_write_does_not_wait_until_an_earlier_large_write_is_indexed() {
    const COMPONENTS: usize = 2_600;
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let bob = editor(&server, "bob").await;
    // Stores how many documents of the large write are indexed when the small write runs.
    server.sql(|conn| {
        let sql = "CREATE TABLE indexed (documents INTEGER);
                   CREATE TRIGGER note_documents AFTER INSERT ON component WHEN NEW.id = 'b1' BEGIN
                       INSERT INTO indexed SELECT count(*) FROM search_document WHERE row_id LIKE 'c%';
                   END";
        conn.execute_batch(sql).unwrap();
    });
    let component = |n: usize| json!({ "id": format!("c{n}"), "typeId": "service", "name": "Part" });
    let components: Vec<Value> = (0..COMPONENTS).map(component).collect();
    let model = json!({ "workspace": { "name": "Large" }, "components": components, "relationships": [] });
    let writer = occupy_writer(&server).await;
    let mut large = Box::pin(ada.put("/api/workspaces/large/bulk", model));
    begin!(server, large);
    let mut small = Box::pin(add(&bob, "b1"));
    begin!(server, small);
    let ((), large, _) = tokio::join!(writer.release(), large, small);
    assert_eq!(large.ok()["components"].as_array().unwrap().len(), COMPONENTS);
    assert_eq!(server.count("SELECT documents FROM indexed"), 0);
}

#[tokio::test]
async fn a_follower_who_connects_during_a_commit_receives_the_change() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let bundle = ada.get("/api/workspaces/w").await;
    let since = format!("?since={}", bundle.header("etag").trim_matches('"'));
    let writer = occupy_writer(&server).await;
    let mut write = Box::pin(ada.patch("/api/workspaces/w/components/a", json!({ "name": "Anew" })));
    begin!(server, write);
    let mut next = Box::pin(occupy_writer(&server));
    begin!(server, next);
    // The write has run, and is committed together with the next job of its group.
    let released = tokio::spawn(writer.release());
    let committing = next.await;
    let mut follower = ada.follow("w", &since).await;
    let (written, (), _) = tokio::join!(write, committing.release(), released);
    written.ok();
    // The event is the change itself if the group was already full.
    let event = follower.next_event().await.what();
    assert!(["reload", "update component a"].contains(&event.as_str()), "{event}");
}

#[tokio::test]
async fn tokens_do_not_give_a_user_more_turns() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let eve = editor(&server, "eve").await;
    let scripts = [server.script_client("eve").await, server.script_client("eve").await];
    for script in &scripts {
        // Records the use of the token, which is a write.
        script.get("/api/me").await.ok();
    }
    server.flush_writes().await;
    let before = ada.revision("w").await;
    let writer = occupy_writer(&server).await;
    let mut first = Box::pin(add(&eve, "e1"));
    begin!(server, first);
    let mut second = Box::pin(add(&scripts[0], "e2"));
    begin!(server, second);
    let mut third = Box::pin(add(&scripts[1], "e3"));
    begin!(server, third);
    let mut of_ada = Box::pin(add(&ada, "a1"));
    begin!(server, of_ada);
    let ((), e1, e2, e3, a1) = tokio::join!(writer.release(), first, second, third, of_ada);
    assert_eq!([e1, a1, e2, e3].map(|revision| revision - before), [1, 2, 3, 4]);
}

#[tokio::test]
async fn dry_runs_and_reads_do_not_wait_for_the_writer() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let writer = occupy_writer(&server).await;
    let model = json!({ "workspace": { "name": "W" }, "components": [{ "id": "n", "typeId": "service", "name": "N" }],
                        "relationships": [] });
    let preview = ada.put("/api/workspaces/w/bulk?dryRun=true", model.clone()).await.ok();
    assert_eq!((&preview["dryRun"], &preview["created"]["components"]), (&json!(true), &json!(["n"])));
    let preview = ada.post("/api/import?id=w&replace=true&dryRun=true", model).await.ok();
    assert_eq!((&preview["dryRun"], &preview["isNew"]), (&json!(true), &json!(false)));
    ada.get("/api/workspaces/w").await.ok();
    ada.get("/api/people").await.ok();
    writer.release().await;
    assert!(ada.bundle("w").await["components"].as_array().unwrap().iter().all(|one| one["id"] != "n"));
}

#[tokio::test]
async fn one_user_cannot_occupy_all_threads_for_heavy_reads() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let gate = server.app.gate.clone();
    let held = occupy_heavy_reader(gate.clone(), 1_000_000).await;
    // This one waits for the first job of the same user and does not use the other thread.
    let again = tokio::spawn(schedule::scope(QueueKey::User(1_000_000), async move {
        let gate = gate;
        gate.heavy_work(|| Ok(())).await
    }));
    ada.get("/api/workspaces/w/export").await.ok();
    ada.get("/api/people").await.ok();
    assert!(!again.is_finished());
    held.release().await;
    again.await.unwrap().unwrap();
}

#[tokio::test]
async fn authentication_works_while_all_other_readers_are_busy() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    let gate = server.app.gate.clone();
    let held = [
        occupy_heavy_reader(gate.clone(), 1_000_000).await,
        occupy_heavy_reader(gate.clone(), 1_000_001).await,
        occupy_point_reader(gate.clone()).await,
        occupy_point_reader(gate.clone()).await,
    ];
    // Authentication happens before the body is read.
    ada.post("/api/people", json!({ "nmae": "Ann" })).await.expect_error(400, "name: is required");
    server.with("svc_pat_unknown").post("/api/people", json!({})).await.expect_error(401, "unknown or revoked");
    for held in held {
        held.release().await;
    }
}

#[tokio::test]
async fn a_disconnect_during_a_bulk_fails_no_other_write() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let (eve, bob) = (editor(&server, "eve").await, editor(&server, "bob").await);
    let components: Vec<Value> =
        (0..1_500).map(|n| json!({ "id": format!("c{n}"), "typeId": "service", "name": "C" })).collect();
    let model = json!({ "workspace": { "name": "W" }, "components": components, "relationships": [] });
    let before = ada.bundle("w").await;
    let writer = occupy_writer(&server).await;
    {
        let mut bulk = Box::pin(eve.put("/api/workspaces/w/bulk", model));
        begin!(server, bulk);
    }
    let mut of_bob = Box::pin(add(&bob, "b1"));
    begin!(server, of_bob);
    tokio::join!(writer.release(), of_bob);
    let after = ada.bundle("w").await;
    let count = |bundle: &Value| bundle["components"].as_array().unwrap().len();
    assert_eq!(count(&after), count(&before) + 1);
}
