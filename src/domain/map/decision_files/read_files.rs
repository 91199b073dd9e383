//! Reads files of decisions, before the writer thread is used.

use std::collections::BTreeMap;

use adr::Record;

use crate::domain::map::model::decision_files::{
    DecisionDiagnostic, MAX_DIAGNOSTICS, NewDecisionFile, NewDecisionFiles,
};

/// The files that were read, by number.
pub(super) struct ReadFiles {
    pub(super) records: BTreeMap<u32, (String, Record)>,
    pub(super) diagnostics: Vec<DecisionDiagnostic>,
}

impl ReadFiles {
    pub(super) fn of(new: NewDecisionFiles) -> Self {
        let mut read = Self { records: BTreeMap::new(), diagnostics: Vec::new() };
        for NewDecisionFile { name, text } in new.files {
            let name = String::from(name);
            let Some(number) = adr::number_of(&name) else {
                read.report(&name, 1, "skipped: the name is not that of a decision, as in `0005-title.md`".into());
                continue;
            };
            if text.len() > adr::MAX_FILE_BYTES {
                read.report(&name, 1, format!("skipped: the file is larger than {} KiB", adr::MAX_FILE_BYTES >> 10));
                continue;
            }
            if let Some((other, _)) = read.records.get(&number) {
                let text = format!("skipped: the file `{other}` has the same number");
                read.report(&name, 1, text);
                continue;
            }
            let (record, found) = adr::read(number, &text);
            for one in found {
                read.report(&name, one.line, one.text);
            }
            read.records.insert(number, (name, record));
        }
        read
    }

    pub(super) fn report(&mut self, file: &str, line: u32, text: String) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(DecisionDiagnostic { file: file.to_owned(), line, text });
        }
    }
}
