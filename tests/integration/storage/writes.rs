//! Writes are committed in groups, and one that fails takes no other with it.

use std::{
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
};

use planroom::Error;
use rusqlite::Connection;

use super::{Work, close, insert, keys, open, put, put_and_tell, together};

/// How many transactions the write-ahead log holds: a frame that ends one says how large the database is then.
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
async fn writes_that_wait_are_committed_together() {
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
    // One, unless this machine is so busy that collecting them took longer than a group may.
    let groups = commits(dir.path()) - before;
    assert!((1..20).contains(&groups), "{groups} commits for 100 writes");
    close(db);
}

#[tokio::test]
async fn a_failing_write_harms_no_other() {
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
async fn a_panicking_write_harms_no_other() {
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
async fn what_follows_a_commit_is_left_out_when_the_write_failed() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let (good, lost) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let unsaved = {
        let told = put_and_tell("b", &lost);
        Box::new(move |conn: &Connection| {
            let _then = told(conn)?;
            Err(Error::Forbidden("after all"))
        }) as Work
    };
    together(&db, vec![put_and_tell("a", &good), unsaved]).await;
    assert!(good.load(Ordering::SeqCst) && !lost.load(Ordering::SeqCst));
    close(db);
}

#[tokio::test]
async fn a_write_whose_asker_went_away_is_not_done_even_when_it_had_begun() {
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
