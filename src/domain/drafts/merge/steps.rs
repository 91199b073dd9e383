//! Writes the result of a merge into the base or into the draft, as one change set.

use serde_json::{Value, json};

use super::{
    merged::MergedRow,
    rows::{Fields, RowId, Side, Triple, json_of, text},
    states::RowIds,
    three_way::Merge,
};
use crate::{
    domain::{
        core::{EditTx, Entity, Reads},
        drafts::store,
        map::{note_images, workspaces::Workspace},
        state::{KindVisitor, MapRow, RowStep, Steps, visit_kind},
        values::Properties,
    },
    error::{Error, Result},
};

/// Where a merge is written.
pub(in crate::domain) struct Target<'t, 'c> {
    /// The map that changes.
    pub(in crate::domain) tx: &'t mut EditTx<'c>,
    /// Which of the two it is.
    pub(in crate::domain) side: Side,
    /// Key of the draft's map.
    pub(in crate::domain) map_pk: i64,
    /// Key of the other map, from which images are copied.
    pub(in crate::domain) other_pk: i64,
    pub(in crate::domain) ids: RowIds,
    /// The last ids that were assigned here, by kind.
    pub(in crate::domain) last_ids: Vec<(Entity, i64)>,
}

impl Target<'_, '_> {
    /// Writes the rows that differ from the result, and returns their number.
    pub(in crate::domain) fn apply(mut self, merge: Merge) -> Result<usize> {
        let mut steps = Steps::default();
        // Each row of the merge is freed before the next one is added, because a map can take hundreds of megabytes.
        for (id, row) in merge.rows {
            self.tx.core().check_alive()?;
            if row.result.as_ref() != row.states.on(self.side) {
                self.add(&mut steps, &id, &row)?;
            }
        }
        let count = steps.count(self.tx.workspace());
        store::rows::insert_ids(self.tx.core().conn, self.map_pk, self.ids.added())?;
        if count == 0 {
            return Ok(0);
        }
        let shown = steps.rows.notes.iter().filter_map(|step| step.then.as_ref()?.image_id.as_ref());
        note_images::copy_some(self.tx, self.other_pk, shown)?;
        steps.apply(self.tx)?;
        Ok(count)
    }

    fn add(&mut self, steps: &mut Steps, id: &RowId, row: &MergedRow) -> Result<()> {
        if id.0 == Entity::Workspace {
            let fields = row.result.clone().unwrap_or_default();
            let now = self.tx.workspace().clone();
            let description = fields.get("description").and_then(Value::as_str).map(str::to_owned);
            let properties = json_of(&fields).remove("properties").unwrap_or_else(|| json!({}));
            let properties: Properties = serde_json::from_value(properties)?;
            let name = text(&fields, "name").to_owned();
            steps.workspace = Some(Workspace { name, description, properties, ..now });
        } else if !visit_kind(id.0, &mut Added { target: self, steps, id, row })? {
            return Err(Error::internal("a draft has a row that is in no map"));
        }
        Ok(())
    }

    fn step<R: MapRow>(&mut self, id: &RowId, row: &MergedRow) -> Result<RowStep<R>> {
        let key = self.key::<R>(id, &row.states)?;
        let now = self.tx.find::<R>(&key)?;
        let then = row.result.as_ref().map(|fields| self.row(fields, &key)).transpose()?;
        Ok(RowStep { now, then })
    }

    /// The key of a row in this map. A stakeholder or link that it does not know gets an id.
    fn key<R: MapRow>(&mut self, (kind, key): &RowId, states: &Triple) -> Result<String> {
        if !R::IS_NUMBERED {
            return Ok(key.clone());
        }
        let id: i64 = key.parse().map_err(Error::internal)?;
        let in_draft = self.ids.draft_of(*kind, id);
        // Otherwise it is the id of a row that only the draft has.
        let is_of_base = states.base.is_some() || states.branch.is_some() || in_draft.is_some();
        let known = match self.side {
            Side::Base => is_of_base.then_some(id),
            Side::Draft if is_of_base => in_draft,
            Side::Draft => Some(id),
        };
        let here = match known {
            Some(here) => here,
            None => {
                let new = self.new_id(*kind)?;
                let (draft, base) = if self.side == Side::Draft { (new, id) } else { (id, new) };
                self.ids.add(*kind, draft, base);
                new
            }
        };
        Ok(here.to_string())
    }

    fn new_id(&mut self, kind: Entity) -> Result<i64> {
        let last = match self.last_ids.iter().find(|(known, _)| *known == kind) {
            Some((_, last)) => *last,
            None => store::rows::last_id(self.tx.core().conn, kind)?,
        };
        self.last_ids.retain(|(known, _)| *known != kind);
        self.last_ids.push((kind, last + 1));
        Ok(last + 1)
    }

    fn row<R: MapRow>(&self, fields: &Fields, key: &str) -> Result<R> {
        let mut row = json_of(fields);
        if R::IS_NUMBERED {
            row.insert("id".into(), key.parse::<i64>().map_err(Error::internal)?.into());
        }
        if !R::COLUMNS.contains(&"properties") {
            row.shift_remove("properties");
        }
        let core = self.tx.core();
        let stamps = [("revision", json!(0)), ("createdAt", json!(core.now)), ("updatedAt", json!(core.now))];
        row.extend(stamps.map(|(name, value)| (name.to_owned(), value)));
        row.insert("createdBy".into(), json!(core.actor()));
        R::from_logged(Value::Object(row), &self.tx.workspace().id)
    }
}

/// Adds the step of a merged row.
struct Added<'a, 't, 'c> {
    target: &'a mut Target<'t, 'c>,
    steps: &'a mut Steps,
    id: &'a RowId,
    row: &'a MergedRow,
}

impl KindVisitor for Added<'_, '_, '_> {
    type Error = Error;

    fn visit<R: MapRow>(&mut self) -> Result<()> {
        let step = self.target.step(self.id, self.row)?;
        R::of_mut(&mut self.steps.rows).push(step);
        Ok(())
    }
}
