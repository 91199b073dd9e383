//! Storage under failures: writes are committed or lost in groups and reported accordingly, a full disk loses nothing,
//! and unusable files are rejected with a remedy.

mod backups;
pub mod crashes;
mod full;
mod guards;
mod incarnations;
mod opening;
mod postponed_checks;
mod reads;
mod rollbacks;
mod scheduled_backups;
mod writes;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::Duration,
};

use planroom::{
    Error,
    db::{AfterCommit, Db, DbOptions, ReadPool},
};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::support::waiting::take_at_least;

/// Longer than writes are collected for one group.
const GROUP: Duration = Duration::from_millis(30);

type Written = Result<((), Vec<AfterCommit>), Error>;

type Work = Box<dyn FnOnce(&Connection) -> Written + Send>;

fn open(dir: &TempDir) -> Arc<Db> {
    Arc::new(Db::open(dir.path(), &DbOptions::default(), 0).unwrap())
}

fn close(db: Arc<Db>) {
    Arc::into_inner(db).unwrap().close().unwrap();
}

fn insert(conn: &Connection, key: &str) {
    conn.execute("INSERT INTO setting (key, value, updated_at) VALUES (?, '1', 1)", [key]).unwrap();
}

/// A write of one row.
fn put(key: &'static str) -> Work {
    Box::new(move |conn| {
        insert(conn, key);
        Ok(((), Vec::new()))
    })
}

/// A write of one row that records when it is committed.
fn put_and_notify(key: &'static str, committed: &Arc<AtomicBool>) -> Work {
    let committed = Arc::clone(committed);
    Box::new(move |conn| {
        insert(conn, key);
        Ok(((), vec![Box::new(move || committed.store(true, Ordering::SeqCst)) as AfterCommit]))
    })
}

/// The stored rows, in order.
async fn keys(db: &Db) -> Vec<String> {
    db.read(ReadPool::Point, |conn| {
        let mut rows = conn.prepare("SELECT key FROM setting ORDER BY key")?;
        Ok(rows.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    })
    .await
    .unwrap()
}

/// Queues all of `work` behind a slow write, so that the writer takes them together. Results are in the same order.
async fn together(db: &Arc<Db>, work: Vec<Work>) -> Vec<Result<(), Error>> {
    let (release, held) = mpsc::channel();
    let slow = move |_: &Connection| {
        held.recv().unwrap();
        // Longer than a group is collected: the queued writes become the next group, without this one.
        take_at_least(GROUP);
        Ok(((), Vec::new()))
    };
    let start = |work: Work| {
        let db = Arc::clone(db);
        tokio::spawn(async move { db.write(work).await })
    };
    let first = start(Box::new(slow));
    let waiting: Vec<_> = work.into_iter().map(start).collect();
    // Tasks of this single-threaded runtime start in order: when this one runs, all others are queued.
    tokio::spawn(async move { release.send(()).unwrap() }).await.unwrap();
    first.await.unwrap().unwrap();
    let mut answers = Vec::new();
    for answer in waiting {
        answers.push(answer.await.unwrap());
    }
    answers
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}
