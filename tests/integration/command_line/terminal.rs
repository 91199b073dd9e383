//! A pseudo terminal: input is sent after the prompt appears, and secrets are not echoed.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    process::{Child, Command, ExitStatus},
    sync::mpsc::{Receiver, channel},
};

use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{LocalModes, tcgetattr},
};

use super::WorkDir;
use crate::support::waiting::{PATIENCE, eventually};

/// A terminal on which a command runs.
pub(super) struct Terminal {
    input: File,
    said: Receiver<Vec<u8>>,
    /// All output.
    seen: String,
    /// Length of the output that was already matched.
    read: usize,
    child: Child,
}

impl Terminal {
    /// Runs the binary with its own terminal, which it can open as `/dev/tty` to prompt for secrets.
    pub(super) fn run(dir: &WorkDir, arguments: &[&str]) -> Self {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
        let other_side = || OpenOptions::new().read(true).write(true).open(&name).unwrap();
        let plain = dir.command(arguments);
        let mut command = Command::new("setsid");
        command.args(["--ctty", "--wait"]).arg(plain.get_program()).args(plain.get_args());
        command.current_dir(plain.get_current_dir().unwrap());
        for (name, _) in plain.get_envs() {
            command.env_remove(name);
        }
        let child = command.stdin(other_side()).stdout(other_side()).stderr(other_side()).spawn().unwrap();
        // The command holds the other side too; the terminal would stay open until it is dropped.
        drop(command);
        let input = File::from(terminal);
        let mut output = input.try_clone().unwrap();
        let (tell, said) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 1024];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                if tell.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { input, said, seen: String::new(), read: 0, child }
    }

    /// Waits for this prompt.
    #[track_caller]
    pub(super) fn expect_prompt(&mut self, prompt: &str) {
        loop {
            if let Some(at) = self.seen[self.read..].find(prompt) {
                self.read += at + prompt.len();
                return;
            }
            match self.said.recv_timeout(PATIENCE) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(error) => panic!("{prompt:?} was never asked ({error}); what was said is {:?}", self.seen),
            }
        }
    }

    pub(super) fn type_line(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Types after the terminal has turned off echo.
    #[track_caller]
    pub(super) fn type_hidden(&mut self, line: &str) {
        let has_echo = || tcgetattr(&self.input).unwrap().local_modes.contains(LocalModes::ECHO);
        eventually(|| if has_echo() { Err("the terminal does not turn off echo") } else { Ok(()) });
        self.type_line(line);
    }

    /// Waits for the end. Returns the status and all output.
    pub(super) fn wait_for_exit(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().unwrap();
        for bytes in self.said {
            self.seen.push_str(&String::from_utf8_lossy(&bytes));
        }
        (status, self.seen)
    }
}
