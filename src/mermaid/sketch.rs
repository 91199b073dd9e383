//! The diagram as it comes into being, and the rules that hold beyond grammar: who may be created, ended and inactive.

use std::collections::{HashMap, HashSet};

use super::{
    config::short,
    diagram::{
        Activation, Block, BlockKind, Diagnostic, Diagram, Figure, GroupBox, MOST, MOST_DIAGNOSTICS, Note, Participant,
        Step,
    },
    shown,
    source::Place,
};

/// A diagram in the making.
#[derive(Default)]
pub(super) struct Sketch<'t> {
    diagram: Diagram,
    /// Participants by alias, as the grammar sees it.
    known: HashMap<&'t str, usize>,
    /// Activations that have begun and not ended.
    active: HashMap<&'t str, usize>,
    /// The box that is open.
    current_box: Option<usize>,
    /// Who was created or destroyed, and has not had the message that goes with it.
    created: Option<&'t str>,
    destroyed: Option<&'t str>,
    /// All who were destroyed, even before they are mentioned.
    ended: HashSet<&'t str>,
    /// The blocks that are open, from the outermost: the index of each and of its section.
    open: Vec<(usize, usize)>,
}

/// What a line says of a participant beside its alias.
#[derive(Default)]
pub(super) struct Said {
    /// As what it is drawn; none when it is only mentioned.
    pub figure: Option<Figure>,
    /// Its name for display.
    pub name: Option<String>,
}

impl<'t> Sketch<'t> {
    /// Notes what could not be read.
    pub fn diagnose(&mut self, place: Place, message: impl Into<String>) {
        let all = &mut self.diagram.diagnostics;
        if all.len() < MOST_DIAGNOSTICS {
            all.push(Diagnostic { line: place.line, column: place.column, message: message.into() });
        }
    }

    /// Whether as much has been read as is read of one text.
    pub fn is_full(&self) -> bool {
        let Diagram { participants, steps, notes, blocks, boxes, .. } = &self.diagram;
        participants.len() + steps.len() + notes.len() + blocks.len() + boxes.len() >= MOST
    }

    /// The index of a participant; one that is new is added.
    pub fn participant(&mut self, alias: &'t str, said: Said, place: Place) -> usize {
        let Some(&index) = self.known.get(alias) else {
            let index = self.diagram.participants.len();
            self.known.insert(alias, index);
            self.diagram.participants.push(Participant {
                name: said.name.unwrap_or_else(|| shown::name(alias)),
                alias: shown::alias(alias),
                figure: said.figure.unwrap_or(Figure::Participant),
                line: place.line,
                created: false,
                destroyed: self.ended.contains(alias),
                in_box: self.current_box,
            });
            return index;
        };
        let known = &mut self.diagram.participants[index];
        match (known.in_box, self.current_box) {
            (Some(one), Some(other)) if one != other => {
                let message = format!("`{}` is in another box already; a participant is in one box", short(alias));
                self.diagnose(place, message);
            }
            (of, current) => known.in_box = of.or(current),
        }
        // A name gives it a new figure too; a mention changes nothing.
        if let Some(name) = said.name {
            let known = &mut self.diagram.participants[index];
            known.name = name;
            known.figure = said.figure.unwrap_or(Figure::Participant);
        }
        index
    }

    /// A participant that comes into being with the next message.
    pub fn create(&mut self, alias: &'t str, said: Said, place: Place) {
        if self.known.contains_key(alias) {
            let message = format!(
                "`{}` is there already, even if it was destroyed; create another alias, with `as` and the same name",
                short(alias)
            );
            self.diagnose(place, message);
        }
        let index = self.participant(alias, said, place);
        self.diagram.participants[index].created = true;
        self.created = Some(alias);
    }

    /// A participant that ends with the next message.
    pub fn destroy(&mut self, alias: &'t str) {
        if let Some(index) = self.known.get(alias) {
            self.diagram.participants[*index].destroyed = true;
        }
        self.ended.insert(alias);
        self.destroyed = Some(alias);
    }

    /// A message, from `ends.0` to `ends.1`.
    pub fn step(&mut self, ends: (&'t str, &'t str), place: Place, step: Step) {
        let (source, target) = ends;
        let about = if let Some(created) = self.created.take() {
            (target != created).then_some((created, "created, and the next message must go to it"))
        } else if let Some(destroyed) = self.destroyed {
            let its = [source, target].contains(&destroyed);
            if its {
                self.destroyed = None;
            }
            (!its).then_some((destroyed, "destroyed, and the next message must come from it or go to it"))
        } else {
            None
        };
        if let Some((who, rule)) = about {
            self.destroyed = None;
            self.diagnose(place, format!("`{}` was {rule}", short(who)));
        }
        match step.activation {
            Some(Activation::Begins) => self.activate(target),
            Some(Activation::Ends) => self.deactivate(source, place),
            None => {}
        }
        let block = self.block();
        self.diagram.steps.push(Step { block, ..step });
    }

    /// A participant becomes active.
    pub fn activate(&mut self, alias: &'t str) {
        *self.active.entry(alias).or_default() += 1;
    }

    /// A participant ceases to be active.
    pub fn deactivate(&mut self, alias: &'t str, place: Place) {
        match self.active.get_mut(alias) {
            Some(count) if *count > 0 => *count -= 1,
            _ => self.diagnose(place, format!("`{}` is not active here", short(alias))),
        }
    }

    /// A note.
    pub fn note(&mut self, note: Note) {
        let (after, block) = (self.diagram.steps.len(), self.block());
        self.diagram.notes.push(Note { after, block, ..note });
    }

    /// A box begins.
    pub fn open_box(&mut self, group: GroupBox) {
        self.current_box = Some(self.diagram.boxes.len());
        self.diagram.boxes.push(group);
    }

    /// The box ends.
    pub fn close_box(&mut self) {
        self.current_box = None;
    }

    /// A block begins.
    pub fn open_block(&mut self, kind: BlockKind, label: &str, place: Place) {
        let index = self.section(kind, label, place, self.block());
        self.open.push((index, index));
    }

    /// The next section of the innermost block begins.
    pub fn next_section(&mut self, kind: BlockKind, label: &str, place: Place) {
        let Some((block, _)) = self.open.pop() else { return };
        let section = self.section(kind, label, place, Some(block));
        self.open.push((block, section));
    }

    /// The innermost block ends.
    pub fn close_block(&mut self) {
        self.open.pop();
    }

    /// What was read.
    pub fn finish(mut self) -> Diagram {
        self.diagram.diagnostics.sort_by_key(|one| (one.line, one.column));
        self.diagram
    }

    fn section(&mut self, kind: BlockKind, label: &str, place: Place, parent: Option<usize>) -> usize {
        self.diagram.blocks.push(Block { kind, label: shown::message(label), line: place.line, parent });
        self.diagram.blocks.len() - 1
    }

    /// The section that is open, innermost.
    fn block(&self) -> Option<usize> {
        self.open.last().map(|(_, section)| *section)
    }
}
