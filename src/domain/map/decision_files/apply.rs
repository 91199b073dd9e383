//! The writes of an import of decisions.

use std::collections::{BTreeMap, HashMap, HashSet};

use adr::{Located, Record, Status};

use super::read_files::ReadFiles;
use crate::{
    domain::{
        core::{EditTx, Reads, RowMetadata},
        map::{
            change_set::{ChangeSet, Outcome},
            components::Component,
            decisions::{
                self, Decision, DecisionBody, DecisionStatus, MAX_AUTHORS, MAX_CONCERNED, MAX_SUPERSEDED, TextList,
            },
            model::decision_files::{DecisionDiagnostic, ImportedDecisions},
        },
        slug,
        values::Name,
    },
    error::{Error, Result},
};

/// A decision to write: the row before, if there is one, and after.
struct Row {
    before: Option<Decision>,
    after: Decision,
    /// Whether a file says which state it has.
    has_state: bool,
}

/// A reference to another decision: its number, and the file and line that has it, unless it is stored.
#[derive(Clone, Copy)]
struct Reference<'f> {
    to: u32,
    place: Option<(&'f str, u32)>,
}

/// An import in progress: the decisions of the files and those that they refer to, by number.
pub(super) struct Import {
    rows: BTreeMap<u32, Row>,
    files: ReadFiles,
    /// Numbers of the decisions that have files.
    imported: HashSet<u32>,
}

impl Import {
    /// Determines what to write.
    pub(super) fn plan(tx: &EditTx<'_>, mut files: ReadFiles) -> Result<Self> {
        tx.expect_workspace()?;
        let records = std::mem::take(&mut files.records);
        let mut import = Self { rows: BTreeMap::new(), files, imported: HashSet::new() };
        let existing = tx.rows::<Decision>()?;
        let mut ids = slug::Numbering::beside(existing.iter().map(|row| row.id.clone()).chain(
            // As in a single request, these are paths of the API.
            ["export", "import"].map(str::to_owned),
        ));
        for row in existing {
            let Ok(number) = u32::try_from(row.number) else { continue };
            import.rows.insert(number, Row { before: Some(row.clone()), after: row, has_state: false });
        }
        let today = decisions::today(tx);
        for (number, (name, record)) in &records {
            tx.core().check_alive()?;
            import.take(tx, (*number, name), record, &mut ids, &today)?;
        }
        let linked = import.link(tx, &records)?;
        import.supersede(&linked);
        Ok(import)
    }

    /// Takes the fields of a file that are no references to other decisions.
    fn take(
        &mut self,
        tx: &EditTx<'_>,
        (number, file): (u32, &str),
        record: &Record,
        ids: &mut slug::Numbering,
        today: &str,
    ) -> Result<()> {
        let row = self.rows.remove(&number);
        let title = match &record.title {
            Some(Located { value, line }) => match Name::new(value) {
                Ok(title) => String::from(title),
                Err(problem) => {
                    self.files.report(file, *line, format!("skipped: the title {problem}"));
                    self.rows.extend(row.map(|row| (number, row)));
                    return Ok(());
                }
            },
            None => match &row {
                Some(row) => row.after.title.clone(),
                None => {
                    self.files.report(file, 1, "the file has no title, a line `# Title`; its name is used".into());
                    title_of(file)
                }
            },
        };
        let body = match DecisionBody::new(&record.body) {
            Ok(body) => String::from(body),
            Err(problem) => {
                self.files.report(file, 1, format!("skipped: the text {problem}"));
                self.rows.extend(row.map(|row| (number, row)));
                return Ok(());
            }
        };
        let authors = record.authors.as_ref().map(|authors| self.authors(file, authors));
        let before = row.map(|row| row.after);
        let now = before.clone().unwrap_or_else(|| Decision {
            id: ids.take(slug::strict(&title, "decision")),
            workspace_id: tx.workspace().id.clone(),
            number: i64::from(number),
            title: String::new(),
            status: DecisionStatus::Proposed,
            date: today.to_owned(),
            authors: TextList::default(),
            component_ids: TextList::default(),
            supersedes: TextList::default(),
            body: String::new(),
            metadata: RowMetadata::default(),
        });
        let component_ids = match &record.components {
            Some(listed) => self.components(tx, file, listed, &now.component_ids)?,
            None => now.component_ids,
        };
        let after = Decision {
            title,
            status: record.status.map_or(now.status, status_from),
            date: record.date.clone().unwrap_or(now.date),
            authors: authors.unwrap_or(now.authors),
            component_ids,
            body,
            ..now
        };
        self.rows.insert(number, Row { before, after, has_state: record.status.is_some() });
        self.imported.insert(number);
        Ok(())
    }

    fn authors(&mut self, file: &str, authors: &[Located<String>]) -> TextList {
        let mut names = Vec::new();
        for author in authors {
            match Name::new(&author.value) {
                Ok(_) if names.len() == MAX_AUTHORS => {
                    let text = format!("only the first {MAX_AUTHORS} names were imported");
                    self.files.report(file, author.line, text);
                    break;
                }
                Ok(name) => names.push(String::from(name)),
                Err(problem) => self.files.report(file, author.line, format!("a name was not imported: it {problem}")),
            }
        }
        TextList(names)
    }

    fn components(
        &mut self,
        tx: &EditTx<'_>,
        file: &str,
        listed: &[Located<String>],
        stored: &TextList,
    ) -> Result<TextList> {
        let exists = |id: &str| tx.has::<Component>(id);
        let mut ids = Vec::new();
        for component in listed {
            if ids.len() == MAX_CONCERNED {
                let text = format!("only the first {MAX_CONCERNED} components were imported");
                self.files.report(file, component.line, text);
                break;
            }
            if exists(&component.value)? {
                ids.push(component.value.clone());
            } else {
                let id: String = component.value.chars().take(60).collect();
                self.files.report(file, component.line, format!("there is no component `{id}`; it was not imported"));
            }
        }
        decisions::references(ids, stored, MAX_CONCERNED, exists)
    }

    /// Sets which decisions replace others. Returns the numbers of decisions that are replaced now and were not before.
    fn link(&mut self, tx: &EditTx<'_>, records: &BTreeMap<u32, (String, Record)>) -> Result<HashSet<u32>> {
        let mut wanted: BTreeMap<u32, Vec<Reference<'_>>> = BTreeMap::new();
        let numbers: HashMap<String, u32> =
            self.rows.iter().map(|(number, row)| (row.after.id.clone(), *number)).collect();
        let stored = |row: &Row| -> Vec<Reference<'_>> {
            let to = row.after.supersedes.0.iter().filter_map(|id| numbers.get(id));
            to.map(|to| Reference { to: *to, place: None }).collect()
        };
        let files: Vec<_> = records.iter().filter(|(number, _)| self.imported.contains(number)).collect();
        for (number, (file, record)) in &files {
            let mut list = match &record.supersedes {
                Some(listed) => self.known(file, **number, listed),
                None => self.rows.get(*number).map(&stored).unwrap_or_default(),
            };
            list.extend(self.known(file, **number, &record.also_supersedes));
            wanted.entry(**number).or_default().extend(list);
        }
        for (number, (file, record)) in &files {
            for by in self.known(file, **number, &record.superseded_by) {
                let now = || self.rows.get(&by.to).map(&stored).unwrap_or_default();
                wanted.entry(by.to).or_insert_with(now).push(Reference { to: **number, ..by });
            }
        }
        let wanted = self.without_cycles(wanted, &numbers)?;
        let ids: HashMap<u32, String> = numbers.iter().map(|(id, number)| (*number, id.clone())).collect();
        let mut newly = HashSet::new();
        for (number, list) in wanted {
            let Some(row) = self.rows.get_mut(&number) else { continue };
            let listed = list.iter().filter_map(|number| ids.get(number).cloned()).collect();
            // Decisions that this import creates exist, too.
            let exists = |id: &str| Ok(numbers.contains_key(id));
            let before = row.after.supersedes.clone();
            row.after.supersedes = decisions::references(listed, &before, MAX_SUPERSEDED, exists)?;
            let added = row.after.supersedes.0.iter().filter(|id| !before.0.contains(id));
            newly.extend(added.filter_map(|id| numbers.get(id)));
        }
        tx.core().check_alive()?;
        Ok(newly)
    }

    /// Leaves out the references of files by which decisions would supersede each other, and reports them.
    fn without_cycles(
        &mut self,
        wanted: BTreeMap<u32, Vec<Reference<'_>>>,
        numbers: &HashMap<String, u32>,
    ) -> Result<BTreeMap<u32, Vec<u32>>> {
        let stored = |row: &Row| row.after.supersedes.0.iter().filter_map(|id| numbers.get(id)).copied().collect();
        let mut links: HashMap<u32, Vec<u32>> = self.rows.iter().map(|(number, row)| (*number, stored(row))).collect();
        // Of those that change, only what stays.
        for (number, references) in &wanted {
            let stays = |to: &u32| references.iter().any(|reference| reference.to == *to);
            links.entry(*number).or_default().retain(stays);
        }
        let mut kept = BTreeMap::new();
        for (number, references) in wanted {
            let before = links.get(&number).cloned().unwrap_or_default();
            let mut list = Vec::new();
            for Reference { to, place } in references {
                let next = |number: &u32| Ok(links.get(number).cloned().unwrap_or_default());
                match place {
                    Some((file, line)) if !before.contains(&to) && decisions::leads_to(to, &number, next)? => {
                        let text = format!("decisions {number} and {to} would supersede each other; not imported");
                        self.files.report(file, line, text);
                    }
                    _ => list.push(to),
                }
            }
            links.insert(number, list.clone());
            kept.insert(number, list);
        }
        Ok(kept)
    }

    /// References to other decisions that exist.
    fn known<'f>(&mut self, file: &'f str, own: u32, listed: &[Located<u32>]) -> Vec<Reference<'f>> {
        let mut known = Vec::new();
        for Located { value, line } in listed {
            if *value == own {
                self.files.report(file, *line, "a decision cannot supersede itself".into());
            } else if self.rows.contains_key(value) {
                known.push(Reference { to: *value, place: Some((file, *line)) });
            } else {
                self.files.report(file, *line, format!("there is no decision {value}; the reference was not imported"));
            }
        }
        known
    }

    /// Sets the state of replaced decisions, unless their own files say which one they have.
    fn supersede(&mut self, replaced: &HashSet<u32>) {
        for number in replaced {
            if let Some(row) = self.rows.get_mut(number).filter(|row| !row.has_state) {
                row.after.status = status_from(Status::Superseded);
            }
        }
    }

    /// Writes the rows as one change set.
    pub(super) fn write(self, tx: &mut EditTx<'_>) -> Result<ImportedDecisions> {
        let (mut created, mut updated, mut unchanged) = (Vec::new(), Vec::new(), Vec::new());
        let mut set = ChangeSet::new(tx);
        for (number, Row { before, after, .. }) in self.rows {
            let is_same = before.as_ref() == Some(&after);
            let list = match &before {
                None => &mut created,
                Some(_) if !is_same => &mut updated,
                Some(_) if self.imported.contains(&number) => &mut unchanged,
                Some(_) => continue,
            };
            list.push(after.id.clone());
            if !is_same {
                let written = set.put(before.as_ref(), after)?;
                if written.number != i64::from(number) {
                    return Err(Error::internal("an imported decision got another number"));
                }
            }
        }
        let Outcome { change_set_id, revision } = set.outcome()?;
        let diagnostics: Vec<DecisionDiagnostic> = self.files.diagnostics;
        Ok(ImportedDecisions { change_set_id, revision, created, updated, unchanged, diagnostics })
    }
}

/// A title from the name of a file: `0005-use-events.md` is *Use events*.
fn title_of(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let words = stem.trim_start_matches(|c: char| !c.is_alphabetic()).replace(['-', '_'], " ");
    let words = words.strip_prefix("adr").or(words.strip_prefix("ADR")).unwrap_or(&words);
    let words = words.trim_start_matches(|c: char| !c.is_alphabetic()).trim();
    let mut letters = words.chars().filter(|c| !c.is_control());
    let title = letters.next().map(|first| first.to_uppercase().chain(letters).take(200).collect::<String>());
    let title = title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
    title.unwrap_or_else(|| "Decision".to_owned())
}

fn status_from(status: Status) -> DecisionStatus {
    match status {
        Status::Proposed => DecisionStatus::Proposed,
        Status::Accepted => DecisionStatus::Accepted,
        Status::Superseded => DecisionStatus::Superseded,
        Status::Rejected => DecisionStatus::Rejected,
    }
}
