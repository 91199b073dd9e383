//! A server process: its output, its responses, and its shutdown.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, ChildStdout, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::{Outcome, WorkDir};
use crate::support::{PASSWORD, waiting::eventually};

impl WorkDir {
    pub fn serve(&self) -> Server {
        self.serve_with(&["--listen", "127.0.0.1:0"], &[])
    }

    pub fn serve_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Server {
        let log = self.path("log");
        let mut command = self.command(&[&["serve"], arguments].concat());
        command.envs(variables.iter().copied());
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(File::create(&log).unwrap()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let url = line.trim_end().strip_prefix("listening on ").unwrap_or_default();
        let Some(address) = url.split_once("://").map(|(_, address)| address.to_owned()) else {
            drop(child.kill());
            drop(child.wait());
            panic!("the first line was {line:?}; the log: {}", fs::read_to_string(&log).unwrap());
        };
        Server { child, out, address, log }
    }
}

/// A running server; it is killed when this is dropped.
pub struct Server {
    child: Child,
    out: BufReader<ChildStdout>,
    pub address: String,
    log: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// An HTTP response.
pub struct Answer {
    pub status: u16,
    head: String,
    body: String,
}

impl Answer {
    #[track_caller]
    pub fn json(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }

    /// Head and body.
    pub fn whole(&self) -> String {
        format!("{}\n{}", self.head, self.body)
    }

    pub fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).unwrap_or_default()
    }
}

impl Server {
    /// The id of the process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line
    }

    pub fn ask(&self, method: &str, path: &str, credential: Option<&str>, body: Option<Value>) -> Answer {
        let authorization = credential.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        self.ask_with(method, path, &authorization, body)
    }

    /// Like `ask`, with additional headers, each with its line ending.
    pub fn ask_with(&self, method: &str, path: &str, headers: &str, body: Option<Value>) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n{headers}\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    pub fn get(&self, path: &str, credential: &str) -> Answer {
        self.ask("GET", path, Some(credential), None)
    }

    pub fn sign_in(&self, login: &str, password: &str) -> Answer {
        self.ask("POST", "/api/auth/login", None, Some(json!({ "login": login, "password": password })))
    }

    /// A session of `ada`, and a token for a script.
    pub fn credentials(&self) -> (String, String) {
        let session = self.sign_in("ada", PASSWORD).json(200)["token"].as_str().unwrap().to_owned();
        let minted = self.ask("POST", "/api/me/tokens", Some(&session), Some(json!({ "name": "script" }))).json(201);
        (session, minted["token"].as_str().unwrap().to_owned())
    }

    /// Stops the server as an init system does. Returns its result with all unread output.
    pub fn stop(mut self) -> Outcome {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        let status = eventually(|| {
            self.child.try_wait().unwrap().ok_or_else(|| format!("running: {}", fs::read_to_string(&self.log).unwrap()))
        });
        let mut out = String::new();
        self.out.read_to_string(&mut out).unwrap();
        Outcome { status, out, err: fs::read_to_string(&self.log).unwrap() }
    }
}
