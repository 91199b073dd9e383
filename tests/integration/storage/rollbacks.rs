//! When a group is rolled back, all its writes fail.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use planroom::{Error, db::Db};
use rusqlite::Connection;

use super::{Work, Written, close, insert, keys, open, put, put_and_notify, together};

/// Commits a good write, `spoiler` and another good write as one group. Returns the results of the first two. Repeats
/// the attempt if the machine was so busy that the group was split before `spoiler` ran.
async fn commit_with_spoiler(
    db: &Arc<Db>,
    spoiler: fn(&Connection) -> Written,
) -> (Result<(), Error>, Result<(), Error>) {
    for _ in 0..20 {
        let (saved, split) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let spoil: Work = {
            let (saved, split) = (Arc::clone(&saved), Arc::clone(&split));
            Box::new(move |conn| {
                split.store(saved.load(Ordering::SeqCst), Ordering::SeqCst);
                spoiler(conn)
            })
        };
        let mut answers = together(db, vec![put_and_notify("a", &saved), spoil]).await.into_iter();
        let answers = (answers.next().unwrap(), answers.next().unwrap());
        if !split.load(Ordering::SeqCst) {
            assert!(!saved.load(Ordering::SeqCst), "nothing follows a commit that was none");
            return answers;
        }
        db.write(|conn| Ok((conn.execute("DELETE FROM setting", [])?, Vec::new()))).await.unwrap();
    }
    panic!("never was one group");
}

#[tokio::test]
async fn a_full_rollback_by_sqlite_fails_every_write_of_the_group() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    // SQLite does this by itself after some errors, unnoticed by the work.
    let (neighbour, spoiler) = commit_with_spoiler(&db, |conn| {
        conn.execute_batch("ROLLBACK")?;
        Ok(((), Vec::new()))
    })
    .await;
    assert!(matches!(neighbour, Err(Error::NotCommitted(_))), "{neighbour:?}");
    assert!(matches!(spoiler, Err(Error::NotCommitted(_))), "{spoiler:?}");
    assert!(keys(&db).await.is_empty());
    db.write(put("next")).await.unwrap();
    assert_eq!(keys(&db).await, ["next"]);
    close(db);
}

#[tokio::test]
async fn a_rejection_in_a_rolled_back_group_becomes_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    // It was rejected because of a write that was rolled back, so a retry can succeed.
    let (_, refused) = commit_with_spoiler(&db, |conn| {
        conn.execute_batch("ROLLBACK")?;
        Err(Error::Conflict("taken".into()))
    })
    .await;
    assert!(matches!(refused, Err(Error::NotCommitted(_))), "{refused:?}");
    close(db);
}

#[tokio::test]
async fn work_after_a_full_rollback_is_not_committed() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let (neighbour, spoiler) = commit_with_spoiler(&db, |conn| {
        insert(conn, "before");
        conn.execute_batch("ROLLBACK")?;
        let undone: i64 = conn.query_row("SELECT count(*) FROM setting", [], |row| row.get(0))?;
        assert_eq!(undone, 0);
        Err(Error::Internal("noticed".into()))
    })
    .await;
    assert!(neighbour.is_err() && spoiler.is_err());
    assert!(keys(&db).await.is_empty());
    close(db);
}

#[tokio::test]
async fn a_full_database_fails_the_whole_group_with_an_explanation() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let (neighbour, spoiler) = commit_with_spoiler(&db, |conn| {
        let pages: i64 = conn.pragma_query_value(None, "page_count", |row| row.get(0))?;
        conn.pragma_update_and_check(None, "max_page_count", pages + 1, |_| Ok(()))?;
        conn.execute("INSERT INTO setting (key, value, updated_at) VALUES ('big', zeroblob(100000) || '', 1)", [])?;
        Ok(((), Vec::new()))
    })
    .await;
    assert!(matches!(neighbour, Err(Error::StorageFull)), "{neighbour:?}");
    assert!(matches!(spoiler, Err(Error::StorageFull)), "{spoiler:?}");
    assert!(keys(&db).await.is_empty());
    // Disk space is available again.
    let wider = |conn: &Connection| {
        conn.pragma_update_and_check(None, "max_page_count", 1_000_000, |_| Ok(()))?;
        Ok(((), Vec::new()))
    };
    db.write(wider).await.unwrap();
    db.write(put("next")).await.unwrap();
    assert_eq!(keys(&db).await, ["next"]);
    close(db);
}
