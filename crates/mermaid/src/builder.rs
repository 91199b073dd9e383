//! Builds the diagram and checks the rules beyond grammar: creation, destruction and activation of participants.

use std::collections::{HashMap, HashSet};

use super::{
    config::short,
    diagram::{
        Activation, Block, BlockKind, Diagnostic, Diagram, Figure, GroupBox, MAX_ITEMS, Note, Participant, Step,
    },
    source::TextPosition,
    text,
};

/// A diagram under construction.
#[derive(Default)]
pub(super) struct DiagramBuilder<'t> {
    /// Maximum number of diagnostics.
    max_diagnostics: usize,
    diagram: Diagram,
    /// Indexes of participants by encoded alias.
    known: HashMap<&'t str, usize>,
    /// Number of open activations by participant.
    active: HashMap<&'t str, usize>,
    /// The open box.
    current_box: Option<usize>,
    /// The participant that was created or destroyed and has not yet had the corresponding message.
    created: Option<&'t str>,
    destroyed: Option<&'t str>,
    /// All destroyed participants, including those not mentioned before.
    ended: HashSet<&'t str>,
    /// Open blocks, from the outermost: the index of each block and of its current section.
    open: Vec<(usize, usize)>,
}

/// What a statement declares about a participant besides its alias.
#[derive(Default)]
pub(super) struct Declaration {
    /// The symbol that it is drawn as; none if the participant is only mentioned.
    pub figure: Option<Figure>,
    /// Display name.
    pub name: Option<String>,
}

impl<'t> DiagramBuilder<'t> {
    /// An empty diagram, with a maximum number of diagnostics.
    pub fn new(max_diagnostics: usize) -> Self {
        Self { max_diagnostics, ..Self::default() }
    }

    /// Adds a diagnostic.
    pub fn diagnose(&mut self, place: TextPosition, message: impl Into<String>) {
        self.diagram.diagnostic_count += 1;
        let all = &mut self.diagram.diagnostics;
        if all.len() < self.max_diagnostics {
            all.push(Diagnostic { line: place.line, column: place.column, message: message.into() });
        }
    }

    /// Whether the maximum size of a diagram is reached.
    pub fn is_full(&self) -> bool {
        let Diagram { participants, steps, notes, blocks, boxes, .. } = &self.diagram;
        participants.len() + steps.len() + notes.len() + blocks.len() + boxes.len() >= MAX_ITEMS
    }

    /// The index of a participant. Adds it if it is new.
    pub fn participant(&mut self, alias: &'t str, declaration: Declaration, place: TextPosition) -> usize {
        let Some(&index) = self.known.get(alias) else {
            let index = self.diagram.participants.len();
            self.known.insert(alias, index);
            self.diagram.participants.push(Participant {
                name: declaration.name.unwrap_or_else(|| text::name(alias)),
                alias: text::alias(alias),
                figure: declaration.figure.unwrap_or(Figure::Participant),
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
                let message =
                    format!("`{}` is already in another box; a participant can be in one box only", short(alias));
                self.diagnose(place, message);
            }
            (of, current) => known.in_box = of.or(current),
        }
        // A declaration with a name replaces the symbol too; a mention changes nothing.
        if let Some(name) = declaration.name {
            let known = &mut self.diagram.participants[index];
            known.name = name;
            known.figure = declaration.figure.unwrap_or(Figure::Participant);
        }
        index
    }

    /// Declares a participant that the next message creates.
    pub fn create(&mut self, alias: &'t str, declaration: Declaration, place: TextPosition) {
        if self.known.contains_key(alias) {
            let message = format!(
                "`{}` already exists, even if it was destroyed; create another alias, with `as` and the same name",
                short(alias)
            );
            self.diagnose(place, message);
        }
        let index = self.participant(alias, declaration, place);
        self.diagram.participants[index].created = true;
        self.created = Some(alias);
    }

    /// Declares that the next message destroys a participant.
    pub fn destroy(&mut self, alias: &'t str) {
        if let Some(index) = self.known.get(alias) {
            self.diagram.participants[*index].destroyed = true;
        }
        self.ended.insert(alias);
        self.destroyed = Some(alias);
    }

    /// Adds a message from `ends.0` to `ends.1`.
    pub fn step(&mut self, ends: (&'t str, &'t str), place: TextPosition, step: Step) {
        let (source, target) = ends;
        let about = if let Some(created) = self.created.take() {
            (target != created).then_some((created, "created, so the next message must go to it"))
        } else if let Some(destroyed) = self.destroyed {
            let its = [source, target].contains(&destroyed);
            if its {
                self.destroyed = None;
            }
            (!its).then_some((destroyed, "destroyed, so the next message must come from it or go to it"))
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

    /// Activates a participant.
    pub fn activate(&mut self, alias: &'t str) {
        *self.active.entry(alias).or_default() += 1;
    }

    /// Deactivates a participant.
    pub fn deactivate(&mut self, alias: &'t str, place: TextPosition) {
        match self.active.get_mut(alias) {
            Some(count) if *count > 0 => *count -= 1,
            _ => self.diagnose(place, format!("`{}` is not active here", short(alias))),
        }
    }

    /// Adds a note.
    pub fn note(&mut self, note: Note) {
        let (after, block) = (self.diagram.steps.len(), self.block());
        self.diagram.notes.push(Note { after, block, ..note });
    }

    /// Begins a box.
    pub fn open_box(&mut self, group: GroupBox) {
        self.current_box = Some(self.diagram.boxes.len());
        self.diagram.boxes.push(group);
    }

    /// Ends the box.
    pub fn close_box(&mut self) {
        self.current_box = None;
    }

    /// Begins a block.
    pub fn open_block(&mut self, kind: BlockKind, label: &str, place: TextPosition) {
        let index = self.section(kind, label, place, self.block());
        self.open.push((index, index));
    }

    /// Begins the next section of the innermost block.
    pub fn next_section(&mut self, kind: BlockKind, label: &str, place: TextPosition) {
        let Some((block, _)) = self.open.pop() else { return };
        let section = self.section(kind, label, place, Some(block));
        self.open.push((block, section));
    }

    /// Ends the innermost block.
    pub fn close_block(&mut self) {
        self.open.pop();
    }

    /// The finished diagram.
    pub fn finish(mut self) -> Diagram {
        self.diagram.diagnostics.sort_by_key(|one| (one.line, one.column));
        self.diagram
    }

    fn section(&mut self, kind: BlockKind, label: &str, place: TextPosition, parent: Option<usize>) -> usize {
        self.diagram.blocks.push(Block { kind, label: text::message(label), line: place.line, parent });
        self.diagram.blocks.len() - 1
    }

    /// The innermost open section.
    fn block(&self) -> Option<usize> {
        self.open.last().map(|(_, section)| *section)
    }
}
