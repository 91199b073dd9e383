//! Reads cannot write and block nobody.

use std::sync::{Arc, mpsc};

use planroom::{
    Error,
    db::{Db, DbOptions, ReadPool, Requester},
};
use rusqlite::Connection;

use super::{close, keys, open, put};

#[tokio::test]
async fn a_reader_connection_cannot_write() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    for weight in [ReadPool::Point, ReadPool::Heavy] {
        let refused = db
            .read(weight, |conn| {
                Ok(conn.execute("INSERT INTO setting (key, value, updated_at) VALUES ('a', '1', 1)", [])?)
            })
            .await;
        assert!(matches!(&refused, Err(Error::Internal(cause)) if cause.contains("readonly")), "{refused:?}");
    }
    assert!(keys(&db).await.is_empty());
    close(db);
}

#[tokio::test]
async fn a_panicking_read_does_not_affect_others() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    for _ in 0..5 {
        let refused = db.read(ReadPool::Point, |_| -> Result<(), Error> { panic!("on purpose") }).await;
        assert!(matches!(&refused, Err(Error::Internal(cause)) if cause.contains("on purpose")), "{refused:?}");
    }
    assert!(keys(&db).await.is_empty());
    close(db);
}

#[tokio::test]
async fn a_long_read_does_not_block_writes_and_keeps_its_snapshot() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    db.write(put("before")).await.unwrap();
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let (release, held) = mpsc::channel::<()>();
    let reading = {
        let db = Arc::clone(&db);
        let count = |conn: &Connection| conn.query_row("SELECT count(*) FROM setting", [], |row| row.get::<_, i64>(0));
        tokio::spawn(async move {
            db.read(ReadPool::Heavy, move |conn| {
                let first = count(conn)?;
                begun.send(()).unwrap();
                held.recv().unwrap();
                Ok((first, count(conn)?))
            })
            .await
        })
    };
    has_begun.await.unwrap();
    db.write(put("meanwhile")).await.unwrap();
    assert_eq!(keys(&db).await.len(), 2);
    release.send(()).unwrap();
    assert_eq!(reading.await.unwrap().unwrap(), (1, 1));
    close(db);
}

#[tokio::test]
async fn heavy_reads_do_not_block_small_ones() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let (release, held) = mpsc::channel::<()>();
    let held = Arc::new(std::sync::Mutex::new(held));
    // One more than there are threads.
    let heavy: Vec<_> = (0..3)
        .map(|_| {
            let (db, held) = (Arc::clone(&db), Arc::clone(&held));
            tokio::spawn(async move {
                db.read(ReadPool::Heavy, move |_| held.lock().unwrap().recv().map_err(Error::internal)).await
            })
        })
        .collect();
    assert!(keys(&db).await.is_empty());
    db.write(put("a")).await.unwrap();
    assert_eq!(keys(&db).await, ["a"]);
    for _ in &heavy {
        release.send(()).unwrap();
    }
    for read in heavy {
        read.await.unwrap().unwrap();
    }
    close(db);
}

/// A statement that never ends.
const ENDLESS: &str = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

#[tokio::test]
async fn a_read_is_interrupted_when_its_client_disconnects() {
    let dir = tempfile::tempdir().unwrap();
    let db = Arc::new(Db::open(dir.path(), &DbOptions { heavy_readers: 1, ..DbOptions::default() }, 0).unwrap());
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let reading = tokio::spawn({
        let db = Arc::clone(&db);
        async move {
            db.read(ReadPool::Heavy, move |conn| {
                begun.send(()).unwrap();
                Ok(conn.query_row(ENDLESS, [], |row| row.get::<_, i64>(0))?)
            })
            .await
        }
    });
    has_begun.await.unwrap();
    reading.abort();
    // The only thread for such reads works as before, with the same or another connection.
    let read = db.read(ReadPool::Heavy, |conn| Ok(conn.query_row("SELECT 1", [], |row| row.get::<_, i64>(0))?)).await;
    assert_eq!(read.unwrap(), 1);
    close(db);
}

#[tokio::test]
async fn a_read_is_interrupted_after_its_deadline() {
    let dir = tempfile::tempdir().unwrap();
    let options = DbOptions { request_time: std::time::Duration::from_millis(50), ..DbOptions::default() };
    let db = Arc::new(Db::open(dir.path(), &options, 0).unwrap());
    let requester = Requester { has_deadline: true, ..Requester::system() };
    let endless = |conn: &Connection, _: &_| Ok(conn.query_row(ENDLESS, [], |row| row.get::<_, i64>(0))?);
    let read = db.read_for(requester, ReadPool::Point, endless).await;
    assert!(matches!(read, Err(Error::Cancelled)), "{read:?}");
    close(db);
}
