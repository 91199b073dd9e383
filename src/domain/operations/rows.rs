//! What is special about each kind of row that operations write.

use std::fmt::Debug;

use super::session::{OperationTarget, OperationsRun};
use crate::{
    domain::{
        input::Input,
        map::{
            change_set::ChangeSet,
            components::{self, Component, ComponentPatch, NewComponent},
            decisions::{self, Decision, DecisionPatch, NewDecision},
            notes::{self, NewNote, Note, NotePatch},
            places::{self, Ends},
            processes::{self, NewProcess, Process, ProcessPatch},
            relationships::{NewRelationship, Relationship, RelationshipPatch},
            tours::{self, NewTour, Tour, TourPatch},
            views::{self, NewView, View, ViewPatch},
        },
        state::MapRow,
        values::{Id, KebabId, Properties},
    },
    error::Result,
};

/// Components that are created, and relationships that are created with them.
#[derive(Default)]
pub(super) struct Planned<'o> {
    pub(super) components: Vec<&'o mut NewComponent>,
    pub(super) relationships: Vec<Ends<'o>>,
}

/// A row that is created and updated under an id that the request can choose.
pub(super) trait KeyedRow: MapRow {
    type New: Input + Debug + Send + 'static;
    type Patch: Input + Debug + Send + 'static;

    /// The id that the request chose.
    fn chosen_id(new: &Self::New) -> Option<&str>;

    /// Adds what counts for the placement of new components.
    fn plan<'n>(_: &'n mut Self::New, _: &mut Planned<'n>) {}

    /// Whether everything that the new row refers to exists; otherwise records a conflict.
    fn can_create(_: &mut OperationsRun<'_, '_>, _: &OperationTarget, _: &Self::New) -> Result<bool> {
        Ok(true)
    }

    /// Whether everything that the updated row refers to exists; otherwise records a conflict.
    fn can_update(&self, _: &mut OperationsRun<'_, '_>, _: &OperationTarget, _: &Self::Patch) -> Result<bool> {
        Ok(true)
    }

    /// Creates the row, the item `index` of the request, and returns its id.
    fn create_row(set: &mut ChangeSet<'_, '_>, index: usize, new: Self::New) -> Result<String>;

    /// Updates the row, the item `index` of the request.
    fn update_row(set: &mut ChangeSet<'_, '_>, index: usize, id: &str, patch: Self::Patch) -> Result<()>;
}

impl KeyedRow for Component {
    type New = NewComponent;
    type Patch = ComponentPatch;

    fn chosen_id(new: &NewComponent) -> Option<&str> {
        new.id.as_ref().map(Id::as_str)
    }

    fn plan<'n>(new: &'n mut NewComponent, planned: &mut Planned<'n>) {
        planned.components.push(new);
    }

    fn create_row(set: &mut ChangeSet<'_, '_>, _: usize, new: NewComponent) -> Result<String> {
        components::create(set.tx(), new).map(|row| row.id)
    }

    fn update_row(set: &mut ChangeSet<'_, '_>, _: usize, id: &str, patch: ComponentPatch) -> Result<()> {
        components::update(set.tx(), id, patch).map(drop)
    }
}

impl KeyedRow for Relationship {
    type New = NewRelationship;
    type Patch = RelationshipPatch;

    fn chosen_id(new: &NewRelationship) -> Option<&str> {
        new.id.as_ref().map(Id::as_str)
    }

    fn plan<'n>(new: &'n mut NewRelationship, planned: &mut Planned<'n>) {
        planned.relationships.push(places::ends_of(new));
    }

    fn can_create(run: &mut OperationsRun<'_, '_>, at: &OperationTarget, new: &NewRelationship) -> Result<bool> {
        run.has_components(at, [new.source_id.as_str(), &new.target_id])
    }

    fn can_update(
        &self,
        run: &mut OperationsRun<'_, '_>,
        at: &OperationTarget,
        patch: &RelationshipPatch,
    ) -> Result<bool> {
        run.has_components(at, [patch.source_id.as_deref(), patch.target_id.as_deref()].into_iter().flatten())
    }

    fn create_row(set: &mut ChangeSet<'_, '_>, index: usize, new: NewRelationship) -> Result<String> {
        set.create_relationship(index, new).map(|row| row.id)
    }

    fn update_row(set: &mut ChangeSet<'_, '_>, index: usize, id: &str, patch: RelationshipPatch) -> Result<()> {
        set.update_relationship(index, id, patch).map(drop)
    }
}

impl KeyedRow for Process {
    type New = NewProcess;
    type Patch = ProcessPatch;

    fn chosen_id(new: &NewProcess) -> Option<&str> {
        new.id.as_ref().map(KebabId::as_str)
    }

    fn can_create(run: &mut OperationsRun<'_, '_>, at: &OperationTarget, new: &NewProcess) -> Result<bool> {
        has_participants(run, at, None, new.participants.as_ref())
    }

    fn can_update(&self, run: &mut OperationsRun<'_, '_>, at: &OperationTarget, patch: &ProcessPatch) -> Result<bool> {
        has_participants(run, at, Some(&self.participants), patch.participants.as_ref())
    }

    fn create_row(set: &mut ChangeSet<'_, '_>, _: usize, new: NewProcess) -> Result<String> {
        processes::create(set.tx(), new).map(|row| row.process.id)
    }

    fn update_row(set: &mut ChangeSet<'_, '_>, _: usize, id: &str, patch: ProcessPatch) -> Result<()> {
        processes::update(set.tx(), id, patch).map(drop)
    }
}

impl KeyedRow for Note {
    type New = NewNote;
    type Patch = NotePatch;

    fn chosen_id(new: &NewNote) -> Option<&str> {
        new.id.as_ref().map(Id::as_str)
    }

    fn create_row(set: &mut ChangeSet<'_, '_>, _: usize, new: NewNote) -> Result<String> {
        notes::create(set.tx(), new).map(|row| row.id)
    }

    fn update_row(set: &mut ChangeSet<'_, '_>, _: usize, id: &str, patch: NotePatch) -> Result<()> {
        notes::update(set.tx(), id, patch).map(drop)
    }
}

impl KeyedRow for View {
    type New = NewView;
    type Patch = ViewPatch;

    fn chosen_id(new: &NewView) -> Option<&str> {
        new.id.as_ref().map(KebabId::as_str)
    }

    fn create_row(set: &mut ChangeSet<'_, '_>, _: usize, new: NewView) -> Result<String> {
        views::create(set.tx(), new).map(|row| row.id)
    }

    fn update_row(set: &mut ChangeSet<'_, '_>, _: usize, id: &str, patch: ViewPatch) -> Result<()> {
        views::update(set.tx(), id, patch).map(drop)
    }
}

impl KeyedRow for Tour {
    type New = NewTour;
    type Patch = TourPatch;

    fn chosen_id(new: &NewTour) -> Option<&str> {
        new.id.as_ref().map(KebabId::as_str)
    }

    fn create_row(set: &mut ChangeSet<'_, '_>, _: usize, new: NewTour) -> Result<String> {
        tours::create(set.tx(), new).map(|row| row.id)
    }

    fn update_row(set: &mut ChangeSet<'_, '_>, _: usize, id: &str, patch: TourPatch) -> Result<()> {
        tours::update(set.tx(), id, patch).map(drop)
    }
}

impl KeyedRow for Decision {
    type New = NewDecision;
    type Patch = DecisionPatch;

    fn chosen_id(new: &NewDecision) -> Option<&str> {
        new.id.as_ref().map(KebabId::as_str)
    }

    fn create_row(set: &mut ChangeSet<'_, '_>, _: usize, new: NewDecision) -> Result<String> {
        decisions::create(set.tx(), new).map(|row| row.id)
    }

    fn update_row(set: &mut ChangeSet<'_, '_>, _: usize, id: &str, patch: DecisionPatch) -> Result<()> {
        decisions::update(set.tx(), id, patch).map(drop)
    }
}

/// Whether the components exist to which new participants are mapped; otherwise records a conflict.
fn has_participants(
    run: &mut OperationsRun<'_, '_>,
    at: &OperationTarget,
    before: Option<&Properties>,
    after: Option<&Properties>,
) -> Result<bool> {
    let before = before.map(Properties::entries).unwrap_or_default();
    let after = after.map(Properties::entries).unwrap_or_default();
    let new = after.iter().filter(|(alias, component)| before.get(*alias) != Some(component));
    run.has_components(at, new.filter_map(|(_, component)| component.as_str()))
}
