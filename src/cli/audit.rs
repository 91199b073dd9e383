//! `planroom audit`.

use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::Value;

use super::{
    data_dir::DataDir,
    operate::{operate, send_to_server},
    output::{Failure, print},
    table::{OutputFormat, plain, time},
};
use crate::operator::{AdminOperation, AuditOperation};

/// How often `--follow` polls for new events.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Maximum number of events per poll.
const MAX_EVENTS_PER_POLL: u16 = 1_000;

#[derive(Debug, Subcommand)]
pub(super) enum Audit {
    /// Print recent audit events, newest last
    Tail(Tail),
}

#[derive(Debug, Args)]
pub(super) struct Tail {
    /// Number of events, 1 to 1000
    #[arg(short = 'n', value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    count: u16,
    /// Keep printing new events until interrupted; requires a running server
    #[arg(long, short)]
    follow: bool,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    data_dir_args: DataDir,
}

impl Audit {
    pub(super) fn run(self) -> Result<(), Failure> {
        let Self::Tail(tail) = self;
        tail.run()
    }
}

impl Tail {
    fn run(self) -> Result<(), Failure> {
        if !self.follow {
            let events = operate(&self.data_dir_args, read(self.count, None))?;
            return self.print(&events).map(drop);
        }
        let data_dir = self.data_dir_args.load()?.config.data_dir;
        let (mut count, mut last) = (self.count, None);
        loop {
            let Some(outcome) = send_to_server(&data_dir, &read(count, last))? else {
                return Err(format!("no server is running on {}; --follow requires one", data_dir.display()).into());
            };
            // If there are no events yet, start after id 0.
            last = self.print(&outcome?)?.or(last).or(Some(0));
            count = MAX_EVENTS_PER_POLL;
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Prints events, one per line, oldest first. Returns the id of the newest.
    fn print(&self, events: &Value) -> Result<Option<i64>, Failure> {
        let events = events.as_array().map(Vec::as_slice).unwrap_or_default();
        let lines =
            events.iter().rev().map(|event| if self.format.is_json() { format!("{event}\n") } else { line(event) });
        print(&lines.collect::<String>())?;
        Ok(events.first().and_then(|event| event["id"].as_i64()))
    }
}

fn read(limit: u16, after: Option<i64>) -> AdminOperation {
    AdminOperation::Audit(AuditOperation::Read { limit: limit.into(), after })
}

/// An event as text. Columns have a fixed width because later events are not known yet.
fn line(event: &Value) -> String {
    let (id, kind, actor) = (plain(&event["id"]), plain(&event["kind"]), plain(&event["actor"]["login"]));
    format!("{id:>8}  {}  {kind:20}  {actor:16}  {}\n", time(&event["ts"]), event["details"])
}
