//! Parsing of arguments, with all of their errors in one result.

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

/// Maximum number of errors in a result.
const MAX_ERRORS: usize = 20;
/// Maximum length of a list whose invalid items are set aside. Longer ones are whole models, for which parsing again after each
/// error would take long.
const MAX_ITEMS: usize = 100;

/// Items of a list in the arguments that could not be parsed.
#[derive(Debug, Default)]
pub struct Rejected {
    /// Errors of other arguments. If there are any, the tool is not called.
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

    /// The place in the call of an item, by its index among the items that could be parsed.
    pub(super) fn place(&self, index: usize) -> usize {
        self.errors.keys().fold(index, |place, rejected| place + usize::from(*rejected <= place))
    }

    /// Adds the error of the item that has this place in the call.
    pub(super) fn add(&mut self, place: usize, error: Error) {
        self.errors.entry(place).or_default().push(error);
    }

    /// Prepares the errors for a tool that writes the items of `list`: errors of another list become errors of other
    /// arguments.
    pub(super) fn in_list(mut self, list: &str) -> Self {
        if self.list != list {
            self.others.extend(mem::take(&mut self.errors).into_values().flatten());
        }
        self
    }

    /// Sets the number of items in the call.
    pub(super) fn with_total(self, total: usize) -> Self {
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

/// Parses arguments. Invalid items of a list are set aside with all of their errors, so that the result contains these
/// errors, those of the other items, and those of other arguments.
pub(super) fn parse<A: Input>(
    arguments: JsonObject,
    (tool, schema): (&str, &Map<String, Value>),
    with_rejected: impl FnOnce(A, Rejected) -> Result<A>,
) -> Result<A> {
    /// Maximum number of attempts to parse.
    const MAX_ROUNDS: usize = 2 * MAX_ITEMS;
    let mut sorter = Sorter { arguments: Value::Object(arguments), ..Sorter::default() };
    sorter.take_unknown(tool, schema);
    for _ in 0..MAX_ROUNDS {
        let error = match sorter.parsed::<A>() {
            Ok(parsed) if sorter.rejected.is_empty() => return Ok(parsed),
            Ok(_) => break,
            Err(error) => argument_error(error, tool),
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

/// Arguments without the invalid parts that were found so far.
#[derive(Debug, Default)]
struct Sorter {
    arguments: Value,
    rejected: Rejected,
    /// Places in the call of the items that are left of the list with invalid ones.
    places: Vec<usize>,
    /// Paths of the invalid parts of other arguments.
    reported: HashSet<String>,
}

impl Sorter {
    fn parsed<A: Input>(&self) -> Result<A> {
        input::parse::<A>(&serde_json::to_vec(&self.arguments)?).map(|(parsed, _)| parsed)
    }

    /// Sets aside arguments that the tool does not have.
    fn take_unknown(&mut self, tool: &str, schema: &Map<String, Value>) {
        let (Some(arguments), Some(Value::Object(properties))) =
            (self.arguments.as_object_mut(), schema.get("properties"))
        else {
            return;
        };
        arguments.retain(|name, _| {
            let is_known = properties.contains_key(name);
            if !is_known && self.rejected.others.len() < MAX_ERRORS {
                self.rejected.others.push(argument_error(Error::invalid(name.as_str(), Problem::UnknownField), tool));
            }
            is_known
        });
    }

    /// Sets aside the invalid value at `field`, so that further errors are found.
    fn set_aside(&mut self, field: FieldPath, problem: Problem, schema: &Map<String, Value>) -> Next {
        let steps = field.clone().into_steps();
        if let [PathStep::Name(list), PathStep::Index(index), inner @ ..] = steps.as_slice()
            && self.is_item_of_the_list(list, *index)
        {
            self.set_item_aside(list, *index, inner, problem);
            return Next::Continue;
        }
        let is_new = self.reported.insert(field.to_string());
        if is_new {
            self.rejected.others.push(Error::invalid(field, problem));
        }
        let is_missing = matches!(steps.as_slice(), [PathStep::Name(name)] if self.arguments.get(name).is_none());
        if is_missing {
            // The parser finds missing arguments last, and only the first of them.
            let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
            for name in required.filter_map(Value::as_str) {
                if self.arguments.get(name).is_none() && self.reported.insert(name.to_owned()) {
                    self.rejected.others.push(Error::invalid(name, Problem::REQUIRED));
                }
            }
        }
        let is_removed = remove(&mut self.arguments, &steps);
        if is_missing || !is_removed || self.rejected.others.len() >= MAX_ERRORS { Next::Stop } else { Next::Continue }
    }

    /// Whether this is an item of the list whose invalid items are set aside one by one: the first list with an error.
    fn is_item_of_the_list(&mut self, list: &str, index: usize) -> bool {
        let items = self.arguments.get(list).and_then(Value::as_array);
        let Some(length) = items.map(Vec::len).filter(|length| *length <= MAX_ITEMS && index < *length) else {
            return false;
        };
        if self.rejected.errors.is_empty() {
            self.places = (0..length).collect();
            (self.rejected.list, self.rejected.total) = (list.to_owned(), length);
        }
        self.rejected.list == list
    }

    /// Sets aside the invalid field of an item, or the whole item. Without the field, further errors of the item are found.
    fn set_item_aside(&mut self, list: &str, index: usize, inner: &[PathStep], problem: Problem) {
        let Some(items) = self.arguments.get_mut(list).and_then(Value::as_array_mut) else { return };
        let place = self.places[index];
        let is_removed = match (inner.first(), &mut items[index]) {
            (Some(PathStep::Name(name)), Value::Object(item)) => item.shift_remove(name).is_some(),
            _ => false,
        };
        let is_known = self.rejected.errors.contains_key(&place);
        if !is_removed {
            self.rejected.ids.extend(id_of(&items.remove(index)));
            self.places.remove(index);
        }
        // A field that was removed because it was invalid is not reported as missing.
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

/// Removes the field at this path, or the field that contains it if the field is missing or is an item, because removing an
/// item would change the positions of others.
fn remove(value: &mut Value, steps: &[PathStep]) -> bool {
    let Some((last, parents)) = steps.split_last() else { return false };
    let parent = parents.iter().try_fold(&mut *value, |value, step| match step {
        PathStep::Name(name) => value.get_mut(name),
        PathStep::Index(index) => value.get_mut(*index),
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

/// An error of the arguments, without a position in JSON text, which the client did not write.
fn argument_error(error: Error, tool: &str) -> Error {
    let Error::Invalid { field, problem, .. } = error else { return error };
    let problem = match problem {
        Problem::UnknownField => format!("the tool {tool} has no such argument; see its input schema").into(),
        other => other,
    };
    Error::invalid(field, problem)
}
