//! Processes.

use super::rows::rows;
use crate::domain::processes::Process;

rows!(named fn process -> Process, Process in "process" { name, description, mermaid, participants });
