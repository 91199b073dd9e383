//! When a whole group is lost, everybody in it is told so.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use planroom::{Error, db::Db};
use rusqlite::Connection;

use super::{Work, Written, close, insert, keys, open, put, put_and_tell, together};

/// Has a good write, `spoiler` and another good write committed as one group, and answers with the answers of the first
/// two. On a machine so busy that the group was split before `spoiler` ran, it is tried again.
async fn spoiled(db: &Arc<Db>, spoiler: fn(&Connection) -> Written) -> (Result<(), Error>, Result<(), Error>) {
    for _ in 0..20 {
        let (saved, split) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let spoil: Work = {
            let (saved, split) = (Arc::clone(&saved), Arc::clone(&split));
            Box::new(move |conn| {
                split.store(saved.load(Ordering::SeqCst), Ordering::SeqCst);
                spoiler(conn)
            })
        };
        let mut answers = together(db, vec![put_and_tell("a", &saved), spoil]).await.into_iter();
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
async fn when_sqlite_rolls_everything_back_nobody_of_the_group_is_told_of_success() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    // As SQLite does by itself after some errors; the work may not even notice.
    let (neighbour, spoiler) = spoiled(&db, |conn| {
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
async fn a_refusal_in_a_lost_group_is_no_refusal_either() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    // It was refused for what it read of a neighbour whose write is lost: asked again, it may go through.
    let (_, refused) = spoiled(&db, |conn| {
        conn.execute_batch("ROLLBACK")?;
        Err(Error::Conflict("taken".into()))
    })
    .await;
    assert!(matches!(refused, Err(Error::NotCommitted(_))), "{refused:?}");
    close(db);
}

#[tokio::test]
async fn what_a_work_does_after_everything_was_rolled_back_is_not_saved_behind_the_answer() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let (neighbour, spoiler) = spoiled(&db, |conn| {
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
async fn a_full_database_fails_the_whole_group_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    let (neighbour, spoiler) = spoiled(&db, |conn| {
        let pages: i64 = conn.pragma_query_value(None, "page_count", |row| row.get(0))?;
        conn.pragma_update_and_check(None, "max_page_count", pages + 1, |_| Ok(()))?;
        conn.execute("INSERT INTO setting (key, value, updated_at) VALUES ('big', zeroblob(100000) || '', 1)", [])?;
        Ok(((), Vec::new()))
    })
    .await;
    assert!(matches!(neighbour, Err(Error::StorageFull)), "{neighbour:?}");
    assert!(matches!(spoiler, Err(Error::StorageFull)), "{spoiler:?}");
    assert!(keys(&db).await.is_empty());
    // Somebody made room.
    let wider = |conn: &Connection| {
        conn.pragma_update_and_check(None, "max_page_count", 1_000_000, |_| Ok(()))?;
        Ok(((), Vec::new()))
    };
    db.write(wider).await.unwrap();
    db.write(put("next")).await.unwrap();
    assert_eq!(keys(&db).await, ["next"]);
    close(db);
}
