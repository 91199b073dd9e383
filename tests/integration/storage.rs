//! What holds of the database whatever goes wrong around it: writes are kept or lost in groups and answered
//! accordingly, a full disk loses nothing, and what cannot be used is refused with what to do.

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
    app::App,
    clock::Clock,
    db::{AfterCommit, Db, FILE_NAME, OpenError, Options, Weight, backup},
    operator::socket,
};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Stage, config};

type Written = Result<((), Vec<AfterCommit>), Error>;
type Work = Box<dyn FnOnce(&Connection) -> Written + Send>;

fn open(dir: &TempDir) -> Arc<Db> {
    Arc::new(Db::open(dir.path(), &Options::default(), 0).unwrap())
}

fn close(db: Arc<Db>) {
    Arc::into_inner(db).unwrap().close().unwrap();
}

fn insert(conn: &Connection, key: &str) {
    conn.execute("INSERT INTO setting (key, value, updated_at) VALUES (?, '1', 1)", [key]).unwrap();
}

/// Work that writes one row.
fn put(key: &'static str) -> Work {
    Box::new(move |conn| {
        insert(conn, key);
        Ok(((), Vec::new()))
    })
}

/// Work that writes one row, and notes when that is on disk.
fn put_and_tell(key: &'static str, told: &Arc<AtomicBool>) -> Work {
    let told = Arc::clone(told);
    Box::new(move |conn| {
        insert(conn, key);
        Ok(((), vec![Box::new(move || told.store(true, Ordering::SeqCst)) as AfterCommit]))
    })
}

/// The rows that are there, in order.
async fn keys(db: &Db) -> Vec<String> {
    db.read(Weight::Point, |conn| {
        let mut rows = conn.prepare("SELECT key FROM setting ORDER BY key")?;
        Ok(rows.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    })
    .await
    .unwrap()
}

/// Has all of `work` wait behind a slow write, so that the writer finds it together. The answers are in the same order.
async fn together(db: &Arc<Db>, work: Vec<Work>) -> Vec<Result<(), Error>> {
    let (release, held) = mpsc::channel();
    let slow = move |_: &Connection| {
        held.recv().unwrap();
        // Longer than a group collects: what waits becomes the next group, without this write.
        std::thread::sleep(Duration::from_millis(30));
        Ok(((), Vec::new()))
    };
    let start = |work: Work| {
        let db = Arc::clone(db);
        tokio::spawn(async move { db.write(work).await })
    };
    let first = start(Box::new(slow));
    let waiting: Vec<_> = work.into_iter().map(start).collect();
    // Tasks of this single-threaded runtime begin in their order: when this one runs, all others have queued their work.
    tokio::spawn(async move { release.send(()).unwrap() }).await.unwrap();
    first.await.unwrap().unwrap();
    let mut answers = Vec::new();
    for answer in waiting {
        answers.push(answer.await.unwrap());
    }
    answers
}

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

#[tokio::test]
async fn an_instance_that_is_full_refuses_writes_whole_and_goes_on_reading() {
    let stage = Stage::empty(|config| config.database.max_size_mib = 1);
    stage.seed_admin("ada", "acme").await;
    let ada = stage.script_of("ada").await;
    let credential = ada.credential().to_owned();
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    let component = |id: String| json!({ "id": id, "typeId": "service", "name": "C", "properties": { "text": "x".repeat(20_000) } });
    let mut accepted = 0;
    let refusal = loop {
        let reply = ada.post("/api/workspaces/w/components", component(format!("c{accepted}"))).await;
        if reply.status != 201 {
            break reply;
        }
        accepted += 1;
        assert!(accepted < 100, "there is no end of space");
    };
    refusal.refused(507, "the storage is full and nothing was written");
    let first = ada.get("/api/workspaces/w").await.ok();
    assert_eq!(first["components"].as_array().unwrap().len(), accepted);
    // A large write fails somewhere in its middle; nothing of it stays.
    let components: Vec<_> = (0..200).map(|i| component(format!("bulk{i}"))).collect();
    let bulk = json!({ "components": components, "relationships": [] });
    ada.put("/api/workspaces/w/bulk", bulk.clone()).await.refused(507, "full");
    assert_eq!(ada.get("/api/workspaces/w").await.ok(), first);
    let rows = |entity: &str| stage.count(&format!("SELECT count(*) FROM change WHERE entity = '{entity}'"));
    assert_eq!(rows("component"), i64::try_from(accepted).unwrap());
    assert_eq!(stage.count("SELECT max(revision) FROM change"), stage.count("SELECT revision FROM workspace"));

    let stage = Stage::on(stage.stop(), |config| config.database.max_size_mib = 0);
    let ada = stage.with(&credential);
    assert_eq!(ada.get("/api/workspaces/w").await.ok(), first);
    ada.put("/api/workspaces/w/bulk", bulk).await.ok();
    assert_eq!(stage.count("SELECT count(*) FROM component"), 200);
    let verdict: String = stage.sql(|conn| conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap());
    assert_eq!(verdict, "ok");
}

#[tokio::test]
async fn a_limit_below_what_is_there_refuses_writes_and_not_the_start() {
    let stage = Stage::new().await;
    let ada = stage.script_of("ada").await;
    let credential = ada.credential().to_owned();
    let text = "x".repeat(50_000);
    let components: Vec<_> = (0..40)
        .map(|i| json!({ "id": i.to_string(), "typeId": "service", "name": "C", "properties": { "text": text } }))
        .collect();
    let bulk = json!({ "workspace": { "name": "W" }, "components": components, "relationships": [] });
    ada.put("/api/workspaces/w/bulk", bulk).await.ok();
    let stage = Stage::on(stage.stop(), |config| config.database.max_size_mib = 1);
    let ada = stage.with(&credential);
    ada.get("/api/workspaces/w").await.ok();
    let new = json!({ "typeId": "service", "name": "C", "properties": { "text": text } });
    ada.post("/api/workspaces/w/components", new).await.refused(507, "full");
}

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

#[tokio::test]
async fn a_write_whose_asker_went_away_is_done_whole_or_not_at_all() {
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
    assert_eq!(keys(&db).await, ["started 1", "started 2", "then"]);
    close(db);
}

#[tokio::test]
async fn a_second_server_on_the_same_data_is_refused() {
    let stage = Stage::new().await;
    let again = App::open(&config(stage.dir.path(), |_| {}), "", Clock::default());
    let refusal = again.err().unwrap().to_string();
    assert!(refusal.contains("another Planroom already uses"), "{refusal}");
    assert!(refusal.contains(stage.dir.path().to_str().unwrap()) && refusal.contains("stop it first"), "{refusal}");
    let dir = stage.stop();
    Stage::on(dir, |_| {}).sign_in("ada").await;
}

#[tokio::test]
async fn a_newer_database_is_refused_with_both_versions() {
    let stage = Stage::new().await;
    stage.sql(|conn| {
        let known: i64 =
            conn.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0)).unwrap();
        assert!(known < 99);
        let sql = "INSERT INTO refinery_schema_history (version, name, applied_on, checksum)
                   SELECT 99, 'future', applied_on, '1' FROM refinery_schema_history LIMIT 1";
        conn.execute(sql, []).unwrap();
    });
    let known = stage.count("SELECT max(version) FROM refinery_schema_history WHERE version < 99");
    let dir = stage.stop();
    let before = fs::read(dir.path().join(FILE_NAME)).unwrap();
    let refusal = App::open(&config(dir.path(), |_| {}), "", Clock::default()).err().unwrap();
    assert!(matches!(refusal, OpenError::Newer { found: 99, .. }), "{refusal}");
    let text = refusal.to_string();
    assert!(text.contains("version 99") && text.contains(&format!("up to {known}")), "{text}");
    assert!(text.contains("newer release") && text.contains(FILE_NAME), "{text}");
    assert_eq!(fs::read(dir.path().join(FILE_NAME)).unwrap(), before, "the file was not touched");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(FILE_NAME);
    let garbage = b"This is a letter to my aunt. ".repeat(1_000);
    fs::write(&file, &garbage).unwrap();
    let refusal = App::open(&config(dir.path(), |_| {}), "", Clock::default()).err().unwrap();
    assert!(matches!(refusal, OpenError::Corrupt { .. }), "{refusal}");
    let text = refusal.to_string();
    assert!(text.contains("is damaged") && text.contains("restore a backup"), "{text}");
    assert_eq!(fs::read(&file).unwrap(), garbage);
}

#[tokio::test]
async fn a_damaged_database_is_refused_and_kept() {
    let stage = Stage::new().await;
    let dir = stage.stop();
    let file = dir.path().join(FILE_NAME);
    let mut bytes = fs::read(&file).unwrap();
    let (from, to) = (10 * 4_096, 20 * 4_096);
    assert!(bytes.len() > to);
    bytes[from..to].fill(0xA5);
    fs::write(&file, &bytes).unwrap();
    let refusal = App::open(&config(dir.path(), |_| {}), "", Clock::default()).err().unwrap();
    assert!(matches!(refusal, OpenError::Corrupt { .. }), "{refusal}");
    assert!(refusal.to_string().contains("restore a backup over it, and keep the damaged file"), "{refusal}");
    assert_eq!(fs::read(&file).unwrap(), bytes);
}

#[tokio::test]
async fn an_older_database_is_copied_before_it_is_migrated() {
    // There is only one migration so far; so this one fails, which is what the copy is for.
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(FILE_NAME);
    let connect = |path: &Path| {
        #[expect(clippy::disallowed_methods, reason = "a test looks behind the scenes")]
        Connection::open(path).unwrap()
    };
    let sql = "CREATE TABLE refinery_schema_history (version INT4 PRIMARY KEY, name VARCHAR(255),
                                                     applied_on VARCHAR(255), checksum VARCHAR(255));
               INSERT INTO refinery_schema_history VALUES (0, 'ancient', '2020-01-01T00:00:00Z', '1');
               CREATE TABLE treasure (text); INSERT INTO treasure VALUES ('gold');";
    connect(&file).execute_batch(sql).unwrap();
    let refusal = Db::open(dir.path(), &Options::default(), 17).err().unwrap().to_string();
    assert!(refusal.contains("migration failed"), "{refusal}");
    let copies: Vec<_> = fs::read_dir(dir.path().join("backups")).unwrap().map(|copy| copy.unwrap().path()).collect();
    assert_eq!(copies.len(), 1);
    assert!(copies[0].to_str().unwrap().ends_with("-17.db"), "{copies:?}");
    for path in [&copies[0], &file] {
        let text: String = connect(path).query_row("SELECT text FROM treasure", [], |row| row.get(0)).unwrap();
        assert_eq!(text, "gold");
    }
    assert_eq!(mode(&copies[0]), 0o600);
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn data_keys_and_socket_are_for_their_owner_alone() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("deep/data");
    let app = Arc::new(App::open(&config(&data, |_| {}), "", Clock::default()).unwrap());
    let listener = socket::bind(&data).unwrap();
    let serving = tokio::spawn(socket::serve(Arc::clone(&app), listener));
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&data.join("keys")), 0o700);
    let keys: Vec<_> = fs::read_dir(data.join("keys")).unwrap().map(|key| key.unwrap().path()).collect();
    assert_eq!(keys.len(), 2);
    for private in keys.iter().chain([&data.join("planroom.sock"), &data.join("planroom.lock")]) {
        assert_eq!(mode(private), 0o600, "{}", private.display());
    }
    serving.abort();
    drop(serving.await);
    Arc::into_inner(app).unwrap().close().unwrap();
}

/// Copies what a crash would leave: the database, its log and the keys, while the server runs.
fn snatch(from: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in [FILE_NAME, "planroom.db-wal"] {
        fs::copy(from.join(file), copy.path().join(file)).unwrap();
    }
    fs::create_dir(copy.path().join("keys")).unwrap();
    for key in fs::read_dir(from.join("keys")).unwrap() {
        let key = key.unwrap();
        fs::copy(key.path(), copy.path().join("keys").join(key.file_name())).unwrap();
    }
    copy
}

#[tokio::test]
async fn every_answered_write_survives_a_crash() {
    let stage = Stage::new().await;
    let ada = stage.script_of("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    for i in 0..30 {
        let new = json!({ "id": format!("c{i}"), "typeId": "service", "name": "C" });
        ada.post("/api/workspaces/w/components", new).await.created();
    }
    let before = ada.get("/api/workspaces/w").await.ok();
    let copy = snatch(stage.dir.path());
    assert!(fs::metadata(copy.path().join("planroom.db-wal")).unwrap().len() > 0, "the log is part of what is saved");
    let revived = Stage::on(copy, |_| {});
    assert_eq!(revived.with(ada.credential()).get("/api/workspaces/w").await.ok(), before);
}

#[tokio::test]
async fn a_write_that_was_cut_off_by_a_crash_is_gone_whole() {
    let stage = Stage::new().await;
    let ada = stage.script_of("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    let before = ada.get("/api/workspaces/w").await.ok();
    let components: Vec<_> =
        (0..200).map(|i| json!({ "id": format!("c{i}"), "typeId": "service", "name": "C" })).collect();
    let bulk: Value = json!({ "components": components, "relationships": [] });
    ada.put("/api/workspaces/w/bulk", bulk).await.ok();
    let copy = snatch(stage.dir.path());
    let log = fs::OpenOptions::new().write(true).open(copy.path().join("planroom.db-wal")).unwrap();
    log.set_len(log.metadata().unwrap().len() - 2_000).unwrap();
    let revived = Stage::on(copy, |_| {});
    assert_eq!(revived.with(ada.credential()).get("/api/workspaces/w").await.ok(), before);
}

#[tokio::test]
async fn a_backup_beside_a_running_server_is_one_moment_of_it() {
    let stage = Stage::new().await;
    let ada = stage.script_of("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    let before = ada.get("/api/workspaces/w").await.ok();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("nightly/planroom.db");
    backup::of_data_dir(stage.dir.path(), &target).unwrap();
    ada.patch("/api/workspaces/w", json!({ "name": "Later" })).await.ok();
    let keys = elsewhere.path().join("nightly/planroom.db.keys");
    assert_eq!((mode(&target), mode(&keys)), (0o600, 0o700));
    for key in fs::read_dir(&keys).unwrap() {
        assert_eq!(mode(&key.unwrap().path()), 0o600);
    }
    let names: Vec<_> =
        fs::read_dir(elsewhere.path().join("nightly")).unwrap().map(|f| f.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "nothing unfinished is left: {names:?}");

    let again = backup::of_data_dir(stage.dir.path(), &target).unwrap_err().to_string();
    assert!(again.contains("exists already"), "{again}");
    let nothing = backup::of_data_dir(&elsewhere.path().join("nowhere"), &target).unwrap_err().to_string();
    assert!(nothing.contains("there is no database in"), "{nothing}");

    let data = tempfile::tempdir().unwrap();
    fs::rename(&target, data.path().join(FILE_NAME)).unwrap();
    fs::rename(&keys, data.path().join("keys")).unwrap();
    let restored = Stage::on(data, |_| {});
    assert_eq!(restored.with(ada.credential()).get("/api/workspaces/w").await.ok(), before);
}
