//! A sign-in with an unknown login takes as much work as with a known one, so that its duration does not tell which logins exist.

use std::fs;

use serde_json::Value;

use super::{WorkDir, server::Server};

/// Sign-ins of each login. More from one address would be rate-limited.
const ATTEMPTS: usize = 3;

/// The processor time of the server in nanoseconds, which does not depend on what else the machine does.
fn processor_time(server: &Server) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{}/task", server.pid())).unwrap();
    let times = tasks.map(|task| {
        let text = fs::read_to_string(task.unwrap().path().join("schedstat")).unwrap();
        text.split(' ').next().unwrap().parse::<u64>().unwrap()
    });
    times.sum()
}

#[test]
fn an_unknown_login_takes_as_much_work_as_a_known_one() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let work = |login: &str| {
        let before = processor_time(&server);
        for _ in 0..ATTEMPTS {
            let _: Value = server.sign_in(login, "guess").json(401);
        }
        processor_time(&server) - before
    };
    // The first one starts threads.
    let _: Value = server.sign_in("ida", "guess").json(401);
    let (known, unknown) = (work("ada"), work("eve"));
    // Nearly all of it is the hash of the password: without it, a sign-in takes a tenth.
    assert!(known < 2 * unknown && unknown < 2 * known, "known: {known} ns, unknown: {unknown} ns");
    server.stop().ok();
}
