//! Parsing of arguments: one answer tells everything that is wrong with them.

use std::{
    collections::{BTreeMap, HashSet},
    mem,
};

use rmcp::model::JsonObject;
use serde_json::{Map, Value};

use crate::{
    domain::input::{self, Input},
    error::{Error, FieldPath, PathStep, Problem, Result},
};

/// Maximum number of errors in one answer.
const MAX_ERRORS: usize = 20;
/// Maximum length of a list whose wrong items are set aside. Longer ones are whole models: parsing one again for each error
/// would take long.
const MAX_ITEMS: usize = 100;

/// Items of the argument that is a list which could not be parsed.
#[derive(Debug, Default)]
pub struct Rejected {
    /// What is wrong with other arguments. The tool is not called then.
    others: Vec<Error>,
    /// The list.
    list: String,
    /// Places of the items in the call, in order, and their errors with the path. An item can have several errors.
    errors: BTreeMap<usize, Vec<Error>>,
    /// Ids of the items, as far as they have one.
    pub(super) ids: HashSet<String>,
    /// Number of items in the call.
    total: usize,
}

impl Rejected {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.others.is_empty() && self.errors.is_empty()
    }

    /// Adds the error of an argument that is not the list.
    pub(super) fn add_other(&mut self, error: Error) {
        self.others.push(error);
    }

    /// The place in the call of the item `at` of those that could be parsed.
    pub(super) fn place(&self, at: usize) -> usize {
        self.errors.keys().fold(at, |place, rejected| place + usize::from(*rejected <= place))
    }

    /// Adds the error of the item that has this place in the call.
    pub(super) fn add(&mut self, place: usize, error: Error) {
        self.errors.entry(place).or_default().push(error);
    }

    /// The same for a tool that writes the items of `list`: errors of the items of another list are
    /// reported too.
    pub(super) fn in_list(mut self, list: &str) -> Self {
        if self.list != list {
            self.others.extend(mem::take(&mut self.errors).into_values().flatten());
        }
        self
    }

    /// The same for a call of `total` items.
    pub(super) fn of(self, total: usize) -> Self {
        Self { total: self.total.max(total), ..self }
    }

    /// One error for all of them.
    pub(super) fn into_error(self) -> Error {
        let (mut errors, wrong_items) = (self.others, self.errors.len());
        let has_others = !errors.is_empty();
        errors.extend(self.errors.into_values().flatten());
        if errors.len() == 1 {
            return errors.remove(0);
        }
        let (count, total) = if has_others { (errors.len(), 0) } else { (wrong_items, self.total) };
        errors.truncate(MAX_ERRORS);
        Error::WrongItems { errors, count, total }
    }
}

/// Parses arguments. Items of a list that are wrong are set aside with all of their errors, so that one answer
/// contains these errors, those of the other items, and those of other arguments.
pub(super) fn parse<A: Input>(
    arguments: JsonObject,
    (tool, schema): (&str, &Map<String, Value>),
    with_rejected: impl FnOnce(A, Rejected) -> Result<A>,
) -> Result<A> {
    /// Maximum number of errors that are looked for.
    const MAX_ROUNDS: usize = 2 * MAX_ITEMS;
    let mut sorter = Sorter { arguments: Value::Object(arguments), ..Sorter::default() };
    sorter.take_unknown(tool, schema);
    for _ in 0..MAX_ROUNDS {
        let error = match sorter.parsed::<A>() {
            Ok(parsed) if sorter.rejected.is_empty() => return Ok(parsed),
            Ok(_) => break,
            Err(error) => named(error, tool),
        };
        let Error::Invalid { field, problem, .. } = error else { return Err(error) };
        if sorter.set_aside(field, problem, schema) == Next::Stop {
            break;
        }
    }
    sorter.remove_rejected();
    if !sorter.rejected.others.is_empty() {
        return Err(sorter.rejected.into_error());
    }
    match sorter.parsed::<A>() {
        Ok(parsed) => with_rejected(parsed, sorter.rejected),
        Err(_) => Err(sorter.rejected.into_error()),
    }
}

/// Whether to look for further errors.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    Continue,
    Stop,
}

/// Arguments without the wrong parts that were found so far.
#[derive(Debug, Default)]
struct Sorter {
    arguments: Value,
    rejected: Rejected,
    /// Places in the call of the items that are left of the list with wrong ones.
    places: Vec<usize>,
    /// Paths of the wrong parts of other arguments.
    known: HashSet<String>,
}

impl Sorter {
    fn parsed<A: Input>(&self) -> Result<A> {
        input::parse::<A>(&serde_json::to_vec(&self.arguments)?).map(|(parsed, _)| parsed)
    }

    /// Sets aside arguments that the tool does not have.
    fn take_unknown(&mut self, tool: &str, schema: &Map<String, Value>) {
        let (Some(arguments), Some(Value::Object(known))) = (self.arguments.as_object_mut(), schema.get("properties"))
        else {
            return;
        };
        arguments.retain(|name, _| {
            let is_known = known.contains_key(name);
            if !is_known && self.rejected.others.len() < MAX_ERRORS {
                self.rejected.others.push(named(Error::invalid(name.as_str(), Problem::UnknownField), tool));
            }
            is_known
        });
    }

    /// Sets aside what is wrong at `field`, so that further errors are found.
    fn set_aside(&mut self, field: FieldPath, problem: Problem, schema: &Map<String, Value>) -> Next {
        let steps = field.clone().into_steps();
        if let [PathStep::Name(list), PathStep::Index(at), inner @ ..] = steps.as_slice()
            && self.is_item_of_the_list(list, *at)
        {
            self.set_item_aside(list, *at, inner, problem);
            return Next::Continue;
        }
        let is_new = self.known.insert(field.to_string());
        if is_new {
            self.rejected.others.push(Error::invalid(field, problem));
        }
        let is_missing = matches!(steps.as_slice(), [PathStep::Name(name)] if self.arguments.get(name).is_none());
        if is_missing {
            // The parser finds missing arguments last, and only the first of them.
            let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
            for name in required.filter_map(Value::as_str) {
                if self.arguments.get(name).is_none() && self.known.insert(name.to_owned()) {
                    self.rejected.others.push(Error::invalid(name, Problem::REQUIRED));
                }
            }
        }
        let is_removed = remove(&mut self.arguments, &steps);
        if is_missing || !is_removed || self.rejected.others.len() >= MAX_ERRORS { Next::Stop } else { Next::Continue }
    }

    /// Whether this is an item of the one list whose wrong items are set aside one by one. The first such list is.
    fn is_item_of_the_list(&mut self, list: &str, at: usize) -> bool {
        let items = self.arguments.get(list).and_then(Value::as_array);
        let Some(length) = items.map(Vec::len).filter(|length| *length <= MAX_ITEMS && at < *length) else {
            return false;
        };
        if self.rejected.errors.is_empty() {
            self.places = (0..length).collect();
            (self.rejected.list, self.rejected.total) = (list.to_owned(), length);
        }
        self.rejected.list == list
    }

    /// Sets aside the wrong field of an item, or the whole item. Without the field, further errors of the item are found.
    fn set_item_aside(&mut self, list: &str, at: usize, inner: &[PathStep], problem: Problem) {
        let Some(items) = self.arguments.get_mut(list).and_then(Value::as_array_mut) else { return };
        let place = self.places[at];
        let is_removed = match (inner.first(), &mut items[at]) {
            (Some(PathStep::Name(name)), Value::Object(item)) => item.shift_remove(name).is_some(),
            _ => false,
        };
        let is_known = self.rejected.errors.contains_key(&place);
        if !is_removed {
            self.rejected.ids.extend(id_of(&items.remove(at)));
            self.places.remove(at);
        }
        // A field that is missing because it was wrong is no further error.
        if is_removed || !is_known {
            let inner = inner.iter().fold(FieldPath::default(), |path, step| match step {
                PathStep::Name(name) => path.field(name),
                PathStep::Index(index) => path.index(*index),
            });
            self.rejected.add(place, Error::invalid(inner.within(FieldPath::item(list, place)), problem));
        }
    }

    /// Removes the items with errors.
    fn remove_rejected(&mut self) {
        let Some(items) = self.arguments.get_mut(&self.rejected.list).and_then(Value::as_array_mut) else { return };
        let mut at = self.places.iter();
        items.retain(|item| {
            let is_kept = at.next().is_some_and(|place| !self.rejected.errors.contains_key(place));
            if !is_kept {
                self.rejected.ids.extend(id_of(item));
            }
            is_kept
        });
    }
}

/// Removes the field at this path, or the field that contains it: what is missing, perhaps because it was removed as wrong,
/// cannot be removed itself, nor can an item, whose list would then have other positions.
fn remove(value: &mut Value, steps: &[PathStep]) -> bool {
    let Some((last, parents)) = steps.split_last() else { return false };
    let parent = parents.iter().try_fold(&mut *value, |value, step| match step {
        PathStep::Name(name) => value.get_mut(name),
        PathStep::Index(at) => value.get_mut(*at),
    });
    if let (PathStep::Name(name), Some(Value::Object(fields))) = (last, parent)
        && fields.shift_remove(name).is_some()
    {
        return true;
    }
    remove(value, parents)
}

/// The `id` of an item.
fn id_of(item: &Value) -> Option<String> {
    item.get("id").and_then(Value::as_str).map(str::to_owned)
}

/// An error of the arguments: they are no resource, and have no lines that their sender knows of.
fn named(error: Error, tool: &str) -> Error {
    let Error::Invalid { field, problem, .. } = error else { return error };
    let problem = match problem {
        Problem::UnknownField => format!("the tool {tool} has no such argument; see its input schema").into(),
        other => other,
    };
    Error::invalid(field, problem)
}
