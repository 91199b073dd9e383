//! Writes are committed in groups, and a failing write does not affect others.

use std::{
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
};

use planroom::{
    Error,
    db::{AfterCommit, Requester},
};
use rusqlite::Connection;

use super::{Work, close, insert, keys, open, put, put_and_notify, together};

/// The number of transactions in the write-ahead log: the last frame of each has the database size.
fn commits(data_dir: &Path) -> usize {
    let log = fs::read(data_dir.join("planroom.db-wal")).unwrap();
    let number = |at: usize| u32::from_be_bytes(log[at..at + 4].try_into().unwrap());
    let (page_size, salt) = (number(8) as usize, (number(16), number(20)));
    (32..)
        .step_by(24 + page_size)
        .take_while(|at| at + 24 + page_size <= log.len() && (number(at + 8), number(at + 12)) == salt)
        .filter(|at| number(at + 4) != 0)
        .count()
}

#[tokio::test]
async fn waiting_writes_are_committed_together() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let before = commits(dir.path());
    let work = (0..100).map(|i| {
        Box::new(move |conn: &Connection| {
            insert(conn, &format!("{i:03}"));
            Ok(((), Vec::new()))
        }) as Work
    });
    let answers = together(&db, work.collect()).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(keys(&db).await.len(), 100);
    // One, unless the machine is so busy that collecting the group took too long.
    let groups = commits(dir.path()) - before;
    assert!((1..20).contains(&groups), "{groups} commits for 100 writes");
    close(db);
}

#[tokio::test]
async fn a_failing_write_does_not_affect_others() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let failing: Work = Box::new(|conn| {
        insert(conn, "half");
        Err(Error::Forbidden("no"))
    });
    let twice: Work = Box::new(|conn| {
        insert(conn, "other half");
        conn.execute("INSERT INTO setting (key, value, updated_at) VALUES ('a', '1', 1)", [])?;
        Ok(((), Vec::new()))
    });
    let answers = together(&db, vec![put("a"), failing, put("b"), twice, put("c")]).await;
    assert!(matches!(answers[1], Err(Error::Forbidden("no"))));
    assert!(matches!(&answers[3], Err(Error::Internal(cause)) if cause.contains("UNIQUE")), "{:?}", answers[3]);
    assert!([0, 2, 4].iter().all(|good| answers[*good].is_ok()));
    assert_eq!(keys(&db).await, ["a", "b", "c"]);
    close(db);
}

#[tokio::test]
async fn a_panicking_write_does_not_affect_others() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let panicking: Work = Box::new(|conn| {
        insert(conn, "half");
        panic!("on purpose");
    });
    let answers = together(&db, vec![put("a"), panicking, put("b")]).await;
    assert!(matches!(&answers[1], Err(Error::Internal(cause)) if cause.contains("on purpose")), "{:?}", answers[1]);
    assert!(answers[0].is_ok() && answers[2].is_ok());
    db.write(put("c")).await.unwrap();
    assert_eq!(keys(&db).await, ["a", "b", "c"]);
    close(db);
}

#[tokio::test]
async fn after_commit_callbacks_do_not_run_for_a_failed_write() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let (good, lost) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let unsaved = {
        let committed = put_and_notify("b", &lost);
        Box::new(move |conn: &Connection| {
            let _then = committed(conn)?;
            Err(Error::Forbidden("after all"))
        }) as Work
    };
    together(&db, vec![put_and_notify("a", &good), unsaved]).await;
    assert!(good.load(Ordering::SeqCst) && !lost.load(Ordering::SeqCst));
    close(db);
}

#[tokio::test]
async fn a_write_is_not_committed_if_its_caller_disconnects_while_it_runs() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let (release, held) = mpsc::channel::<()>();
    let started = {
        let db = Arc::clone(&db);
        tokio::spawn(async move {
            db.write(move |conn| {
                insert(conn, "started 1");
                begun.send(()).unwrap();
                held.recv().unwrap();
                insert(conn, "started 2");
                Ok(((), Vec::new()))
            })
            .await
        })
    };
    has_begun.await.unwrap();
    let queued = {
        let db = Arc::clone(&db);
        tokio::spawn(async move { db.write(put("queued")).await })
    };
    tokio::task::yield_now().await;
    started.abort();
    queued.abort();
    assert!(started.await.unwrap_err().is_cancelled() && queued.await.unwrap_err().is_cancelled());
    release.send(()).unwrap();
    db.write(put("then")).await.unwrap();
    assert_eq!(keys(&db).await, ["then"]);
    close(db);
}

/// Makes an after-commit callback panic.
fn panic_after_commit() -> bool {
    false
}

#[tokio::test]
async fn a_panic_after_a_commit_does_not_stop_later_writes() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let committed = Arc::new(AtomicBool::new(false));
    let panics = || {
        assert!(panic_after_commit(), "on purpose");
    };
    let panicking: Work = Box::new(move |conn| {
        insert(conn, "a");
        Ok(((), vec![Box::new(panics) as AfterCommit]))
    });
    let answers = together(&db, vec![panicking, put_and_notify("b", &committed)]).await;
    assert!(answers.iter().all(Result::is_ok));
    db.write(put("c")).await.unwrap();
    assert!(committed.load(Ordering::SeqCst), "what follows other writes still runs");
    assert_eq!(keys(&db).await, ["a", "b", "c"]);
    close(db);
}

#[tokio::test]
async fn a_write_stops_when_its_client_disconnects_without_affecting_others() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let leaving = tokio::spawn({
        let db = Arc::clone(&db);
        async move {
            let work = move |conn: &Connection, cancel: &planroom::cancel::Cancel| {
                begun.send(()).unwrap();
                let mut row = 0;
                // Endless, except for the client's disconnect.
                while cancel.check().is_ok() {
                    insert(conn, &format!("half {row}"));
                    row += 1;
                }
                cancel.check().map(|()| ((), Vec::<AfterCommit>::new()))
            };
            db.write_for(Requester::system(), work).await
        }
    });
    has_begun.await.unwrap();
    let other = tokio::spawn({
        let db = Arc::clone(&db);
        async move { db.write(put("other")).await }
    });
    while db.waiting_writes() == 0 {
        tokio::task::yield_now().await;
    }
    leaving.abort();
    other.await.unwrap().unwrap();
    assert_eq!(keys(&db).await, ["other"]);
    close(db);
}

#[tokio::test]
async fn a_large_write_is_committed_on_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let (release, held) = mpsc::channel::<()>();
    let start = |is_large: bool, key: &'static str| {
        let db = Arc::clone(&db);
        tokio::spawn(async move {
            let requester = Requester { is_large, ..Requester::system() };
            db.write_for(requester, move |conn, _| put(key)(conn)).await
        })
    };
    let first = tokio::spawn({
        let db = Arc::clone(&db);
        async move {
            db.write(move |conn| {
                held.recv().unwrap();
                put("0")(conn)
            })
            .await
        }
    });
    let waiting = [start(false, "1"), start(true, "2 large"), start(false, "3")];
    while db.waiting_writes() < waiting.len() {
        tokio::task::yield_now().await;
    }
    let before = commits(dir.path());
    release.send(()).unwrap();
    first.await.unwrap().unwrap();
    for write in waiting {
        write.await.unwrap().unwrap();
    }
    let groups = commits(dir.path()) - before;
    assert!((3..=4).contains(&groups), "what was before it, itself, and what was behind it: {groups} commits");
    close(db);
}
