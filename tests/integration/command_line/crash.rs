//! A server that is killed during an undo has applied all of it or nothing.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    time::{Duration, Instant},
};

use planroom::db::FILE_NAME;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{WorkDir, server::Server};
use crate::history::without_metadata;

const W: &str = "/api/workspaces/w";

/// When the server is killed. The test passes at any moment.
enum Moment {
    /// While the transaction of the undo is open.
    TheTransactionIsOpen,
    /// As soon as the write-ahead log grows, while rows are written or committed.
    TheLogGrows,
    /// After this percentage of the duration of an undo.
    After(u32),
}

/// A large model.
fn model() -> Value {
    let component = |n: usize| json!({ "id": format!("c{n}"), "typeId": "service", "name": format!("Component {n}") });
    let relationship = |n: usize| json!({ "id": format!("r{n}"), "sourceId": format!("c{n}"), "targetId": format!("c{}", n / 2), "typeId": "uses" });
    json!({ "workspace": { "name": "W" }, "components": (0..1_500).map(component).collect::<Vec<_>>(),
            "relationships": (0..1_500).map(relationship).collect::<Vec<_>>() })
}

fn bundle(server: &Server, token: &str) -> Value {
    without_metadata(&server.get(W, token).json(200))
}

/// Sends an undo without waiting for the response.
fn send_undo(server: &Server, token: &str, batch: &str, name: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let body = json!({ "batchId": batch }).to_string();
    let head = format!(
        "POST {W}/undo HTTP/1.1\r\nHost: here\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         X-Batch-Id: {name}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).unwrap();
    stream
}

fn wait_for(moment: &Moment, database: &Path, answer: &TcpStream, usual: Duration) {
    let (begun, log) = (Instant::now(), database.with_extension("db-wal"));
    let length = || fs::metadata(&log).map_or(0, |file| file.len());
    let before = length();
    match moment {
        Moment::TheTransactionIsOpen => {
            #[expect(clippy::disallowed_methods, reason = "a test looks behind the scenes")]
            let other = Connection::open(database).unwrap();
            other.busy_timeout(Duration::ZERO).unwrap();
            answer.set_nonblocking(true).unwrap();
            // Until the server has the lock for writing, or has already answered.
            while other.execute_batch("BEGIN IMMEDIATE; ROLLBACK").is_ok() && answer.peek(&mut [0; 1]).is_err() {}
            answer.set_nonblocking(false).unwrap();
        }
        Moment::TheLogGrows => while length() == before && begun.elapsed() < usual * 10 {},
        Moment::After(hundredths) => while begun.elapsed() < usual * *hundredths / 100 {},
    }
}

/// Opens the database of a killed server. Returns the number of logged changes of a batch.
fn count_changes(database: &Path, batch: &str) -> i64 {
    #[expect(clippy::disallowed_methods, reason = "a test looks behind the scenes")]
    let conn = Connection::open(database).unwrap();
    let sound: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    let dangling: i64 = conn.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0)).unwrap();
    assert_eq!(dangling, 0);
    conn.query_row("SELECT count(*) FROM change WHERE label = ?", [batch], |row| row.get(0)).unwrap()
}

#[test]
fn an_undo_interrupted_by_a_server_crash_is_complete_or_absent() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let database = dir.path("data").join(FILE_NAME);
    let server = dir.serve();
    let (_, token) = server.credentials();
    let batch = |name: &str| format!("Authorization: Bearer {token}\r\nX-Batch-Id: {name}\r\n");
    server.ask("PUT", &format!("{W}/bulk"), Some(&token), Some(model())).json(200);
    let full = bundle(&server, &token);
    let empty = json!({ "components": [], "relationships": [] });
    server.ask_with("PUT", &format!("{W}/bulk"), &batch("emptied"), Some(empty)).json(200);
    let empty = bundle(&server, &token);
    // Undo and redo, to measure the duration.
    let begun = Instant::now();
    for (of, name) in [("emptied", "filled"), ("filled", "emptied again")] {
        let undo = json!({ "batchId": of });
        server.ask_with("POST", &format!("{W}/undo"), &batch(name), Some(undo)).json(200);
    }
    let usual = begun.elapsed() / 2;
    server.stop().ok();

    let (mut last, mut is_full, mut cut_off) = ("emptied again".to_owned(), false, 0);
    let moments = [20, 50, 70, 80, 90].map(Moment::After).into_iter();
    let events = [Moment::TheTransactionIsOpen, Moment::TheLogGrows, Moment::TheTransactionIsOpen, Moment::TheLogGrows];
    for (round, moment) in moments.chain(events).enumerate() {
        let server = dir.serve();
        let name = format!("undo-{round}");
        let mut answer = send_undo(&server, &token, &last, &name);
        wait_for(&moment, &database, &answer, usual);
        drop(server);
        let mut said_before = String::new();
        drop(answer.read_to_string(&mut said_before));

        let logged = count_changes(&database, &name);
        let server = dir.serve();
        let now = bundle(&server, &token);
        let (before, after) = if is_full { (&full, &empty) } else { (&empty, &full) };
        let done = if now == *after {
            assert_eq!(logged, 3_000, "round {round}: each row exactly once");
            true
        } else {
            assert!(now == *before, "round {round}: partially applied");
            assert_eq!(logged, 0, "round {round}");
            false
        };
        assert!(done || !said_before.contains(" 200 OK"), "round {round}: a confirmed write is missing");
        cut_off += u32::from(!done);
        if done {
            (last, is_full) = (name, !is_full);
        }
        // The database remains usable.
        server.stop().ok();
    }
    assert!(cut_off > 0, "no undo was interrupted");
}
