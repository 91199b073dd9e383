//! The log writer. A separate thread writes log lines, so that requests never wait for standard error.
//!
//! A full pipe, a stalled collector or a stopped terminal blocks writers to standard error. Here it blocks only this
//! thread; lines that do not fit into its queue are dropped and counted.

use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crossbeam_channel::{Receiver, Sender, bounded};

/// Maximum number of queued lines.
const MAX_QUEUED_LINES: usize = 4_096;
/// How long the thread waits for further lines after it has written all. It is not woken during that time, because waking
/// a thread takes longer than writing a line.
const PAUSE: Duration = Duration::from_millis(2);
/// Maximum length of a line in bytes. Longer lines are truncated.
const MAX_LINE_BYTES: usize = 16 << 10;

#[derive(Debug)]
enum Entry {
    Line(Vec<u8>),
    /// Signals the sender when all previous lines are written.
    Flush(Sender<()>),
}

/// A writer that never blocks. Clones share the queue.
#[derive(Debug, Clone)]
pub struct LogWriter {
    queue: Sender<Entry>,
    dropped: Arc<AtomicU64>,
    dropped_in_total: Arc<AtomicU64>,
}

impl LogWriter {
    /// Starts a thread that writes to `sink`.
    pub fn start(sink: impl Write + Send + 'static) -> io::Result<Self> {
        let (queue, entries) = bounded(MAX_QUEUED_LINES);
        let dropped = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&dropped);
        std::thread::Builder::new().name("log".into()).spawn(move || write_all(sink, &entries, &counter))?;
        Ok(Self { queue, dropped, dropped_in_total: Arc::default() })
    }

    /// Number of lines dropped since the start.
    pub fn dropped(&self) -> u64 {
        self.dropped_in_total.load(Ordering::Relaxed)
    }

    /// Waits until all queued lines are written, at most for `patience`.
    pub fn finish(&self, patience: Duration) {
        let (done, written) = bounded(1);
        if self.queue.send_timeout(Entry::Flush(done), patience).is_ok() {
            let _ = written.recv_timeout(patience);
        }
    }
}

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let kept = if line.len() > MAX_LINE_BYTES {
            [&line[..MAX_LINE_BYTES], "…\n".as_bytes()].concat()
        } else {
            line.to_vec()
        };
        if self.queue.try_send(Entry::Line(kept)).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
            self.dropped_in_total.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes entries until all senders are dropped. Errors of the sink are ignored because there is no other place to
/// report them.
fn write_all(mut sink: impl Write, entries: &Receiver<Entry>, dropped: &AtomicU64) {
    for entry in entries {
        let is_line = matches!(entry, Entry::Line(_));
        match entry {
            Entry::Line(line) => drop(sink.write_all(&line)),
            Entry::Flush(done) => drop((sink.flush(), done.send(()))),
        }
        match dropped.swap(0, Ordering::Relaxed) {
            0 => {}
            lines => {
                let text = "log lines were dropped because standard error was blocked";
                drop(writeln!(sink, "planroom: {lines} {text}"));
            }
        }
        if is_line && entries.is_empty() {
            std::thread::sleep(PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// A sink that blocks until the sender for the first field is dropped.
    struct Stuck(mpsc::Receiver<()>, mpsc::Sender<String>);

    impl Write for Stuck {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            drop(self.1.send(String::from_utf8_lossy(line).into_owned()));
            Ok(line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn writing_never_blocks_and_dropped_lines_are_counted() {
        let ((permit, permits), (heard, lines)) = (mpsc::channel(), mpsc::channel());
        let mut log = LogWriter::start(Stuck(permits, heard)).unwrap();
        for n in 0..MAX_QUEUED_LINES + 100 {
            log.write_all(format!("{n}\n").as_bytes()).unwrap();
        }
        assert!((99..=100).contains(&log.dropped()), "{}", log.dropped());
        drop(permit);
        log.finish(Duration::from_mins(1));
        let told = lines.try_iter().collect::<String>();
        assert!(told.starts_with("0\n"));
        let after = "log lines were dropped because standard error was blocked";
        assert!(told.contains(after), "{}", told.lines().last().unwrap());
        let numbers = told.lines().filter(|line| line.parse::<usize>().is_ok()).count();
        assert!((MAX_QUEUED_LINES..=MAX_QUEUED_LINES + 1).contains(&numbers), "{numbers}");
    }
}
