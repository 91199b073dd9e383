//! The writes that lead a workspace to another state, applied together.

use super::kinds::{ByKind, KindVisitor, MapRow, Obstacles, PerKind, RowStep, each_kind, each_kind_backward};
use crate::{
    domain::{
        core::{EditTx, Reads},
        map::workspaces::Workspace,
        values::AccessLevel,
    },
    error::{Error, Result},
};

/// The steps of each kind.
#[derive(Default)]
pub(in crate::domain) struct StepsOf;

impl PerKind for StepsOf {
    type Value<R: MapRow> = Vec<RowStep<R>>;
}

/// All rows of a workspace to change.
#[derive(Default)]
pub(in crate::domain) struct Steps {
    pub(in crate::domain) workspace: Option<Workspace>,
    pub(in crate::domain) rows: ByKind<StepsOf>,
}

impl Steps {
    /// The number of rows that change.
    pub(in crate::domain) fn count(&mut self, now: &Workspace) -> usize {
        let mut count = Count { steps: &mut self.rows, sum: 0 };
        let Ok(()) = each_kind(&mut count);
        count.sum + usize::from(self.workspace.as_ref().is_some_and(|then| then != now))
    }

    /// Applies all steps, or none: if a step is blocked, the error lists all obstacles, and the caller must abort the
    /// transaction. Returns the change set, if a row was written, and the revision of the workspace.
    ///
    /// Rows are deleted before the rows they depend on and created after them, so that foreign keys are always
    /// satisfied.
    pub(in crate::domain) fn apply(mut self, tx: &mut EditTx<'_>) -> Result<(Option<String>, i64)> {
        let before = tx.workspace().metadata.revision;
        let mut writer = Writer { tx, steps: &mut self.rows, phase: Phase::Delete, obstacles: Obstacles::default() };
        each_kind_backward(&mut writer)?;
        writer.phase = Phase::Write;
        each_kind(&mut writer)?;
        writer.phase = Phase::DeleteLast;
        each_kind(&mut writer)?;
        writer.obstacles.into_result()?;
        self.rename(tx)?;
        let revision = tx.workspace_now()?.metadata.revision;
        Ok(((revision > before).then(|| tx.core().call.change_set.clone()), revision))
    }

    fn rename(self, tx: &mut EditTx<'_>) -> Result<()> {
        let Some(then) = self.workspace else { return Ok(()) };
        let now = tx.workspace();
        if then.sharing() != now.sharing() && now.my_role != Some(AccessLevel::Owner) {
            let text = "changing the visibility or the access of the organization back needs the access level owner";
            return Err(Error::Forbidden(text));
        }
        tx.update_workspace(then).map(drop)
    }
}

struct Count<'s> {
    steps: &'s mut ByKind<StepsOf>,
    sum: usize,
}

impl KindVisitor for Count<'_> {
    type Error = std::convert::Infallible;

    fn visit<R: MapRow>(&mut self) -> std::result::Result<(), Self::Error> {
        self.sum += R::of_mut(self.steps).len();
        Ok(())
    }
}

enum Phase {
    /// Rows on which no others depend.
    Delete,
    Write,
    /// Rows on which others depend, which could have been attached to other rows since.
    DeleteLast,
}

struct Writer<'t, 'c, 's> {
    tx: &'t mut EditTx<'c>,
    steps: &'s mut ByKind<StepsOf>,
    phase: Phase,
    obstacles: Obstacles,
}

impl KindVisitor for Writer<'_, '_, '_> {
    type Error = Error;

    fn visit<R: MapRow>(&mut self) -> Result<()> {
        let steps = R::of_mut(self.steps);
        match self.phase {
            Phase::Write => R::write(self.tx, steps, &mut self.obstacles),
            Phase::Delete if R::IS_DELETED_LAST => Ok(()),
            Phase::DeleteLast if !R::IS_DELETED_LAST => Ok(()),
            Phase::Delete | Phase::DeleteLast => {
                steps.iter().try_for_each(|step| step.delete(self.tx, &mut self.obstacles))
            }
        }
    }
}
