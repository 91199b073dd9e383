//! Reads: they cannot write, and hold nobody up.

use std::sync::{Arc, mpsc};

use planroom::{Error, db::Weight};
use rusqlite::Connection;

use super::{close, keys, open, put};

#[tokio::test]
async fn a_reading_connection_cannot_write() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    for weight in [Weight::Point, Weight::Heavy] {
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
async fn a_panicking_read_harms_no_other() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    for _ in 0..5 {
        let refused = db.read(Weight::Point, |_| -> Result<(), Error> { panic!("on purpose") }).await;
        assert!(matches!(&refused, Err(Error::Internal(cause)) if cause.contains("on purpose")), "{refused:?}");
    }
    assert!(keys(&db).await.is_empty());
    close(db);
}

#[tokio::test]
async fn a_long_read_holds_up_no_write_and_keeps_its_snapshot() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    db.write(put("before")).await.unwrap();
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let (release, held) = mpsc::channel::<()>();
    let reading = {
        let db = Arc::clone(&db);
        let count = |conn: &Connection| conn.query_row("SELECT count(*) FROM setting", [], |row| row.get::<_, i64>(0));
        tokio::spawn(async move {
            db.read(Weight::Heavy, move |conn| {
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
async fn heavy_reads_hold_up_no_small_one() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let (release, held) = mpsc::channel::<()>();
    let held = Arc::new(std::sync::Mutex::new(held));
    // One more than there are threads for.
    let heavy: Vec<_> = (0..3)
        .map(|_| {
            let (db, held) = (Arc::clone(&db), Arc::clone(&held));
            tokio::spawn(async move {
                db.read(Weight::Heavy, move |_| held.lock().unwrap().recv().map_err(Error::internal)).await
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
