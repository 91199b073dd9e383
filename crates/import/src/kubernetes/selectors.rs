//! Finds the workloads that match label selectors.

use std::{collections::HashMap, rc::Rc};

use super::object::Object;
use crate::{
    builder::{At, Builder, C},
    files::Refusal,
    node::Node,
};

/// Memory of a label of a workload, in bytes.
const LABEL_BYTES: usize = 80;

/// A label: namespace, name and value.
type Label<'o> = (&'o str, &'o str, &'o str);

/// An index of workloads by label.
#[derive(Default)]
pub(super) struct Selectors<'o> {
    /// The workloads with each label, in the order of the files.
    by_label: HashMap<Label<'o>, Vec<C>>,
    /// Results of earlier selections, because policies repeat selectors.
    selected: HashMap<Vec<Label<'o>>, Rc<[C]>>,
}

impl<'o> Selectors<'o> {
    /// Indexes workloads by the labels of their pods.
    pub(super) fn new(builder: &Builder<'_>, objects: &'o [Object], components: &[Option<C>]) -> Result<Self, Refusal> {
        let mut all = Self::default();
        for (object, component) in objects.iter().zip(components) {
            let Some(component) = component else { continue };
            for (name, value) in object.pod().at(&["metadata", "labels"]).map_or(&[][..], Node::fields) {
                let Some(value) = value.scalar() else { continue };
                builder.charge(LABEL_BYTES, object.at)?;
                all.by_label.entry((&object.namespace, name, value)).or_default().push(*component);
            }
        }
        Ok(all)
    }

    /// Returns the workloads in a namespace that have all labels. Returns no workloads if `labels` is empty.
    pub(super) fn select(
        &mut self,
        builder: &Builder<'_>,
        namespace: &'o str,
        labels: &'o [(String, Node)],
        at: At,
    ) -> Result<Rc<[C]>, Refusal> {
        builder.charge_steps(2 + labels.len(), at)?;
        let wanted = labels.iter().map(|(name, value)| Some((namespace, name.as_str(), value.scalar()?)));
        let Some(wanted) = wanted.collect::<Option<Vec<Label<'o>>>>() else { return Ok(Rc::from([])) };
        if let Some(known) = self.selected.get(&wanted) {
            return Ok(Rc::clone(known));
        }
        let lists: Option<Vec<&Vec<C>>> = wanted.iter().map(|label| self.by_label.get(label)).collect();
        let mut lists = lists.unwrap_or_default();
        lists.sort_by_key(|list| list.len());
        let (first, others) = lists.split_first().map_or((&[][..], &[][..]), |(first, others)| (&first[..], others));
        builder.charge_steps(first.len() * (1 + others.len()), at)?;
        let has_all = |workload: &&C| others.iter().all(|list| list.binary_search(workload).is_ok());
        let found: Rc<[C]> = first.iter().filter(has_all).copied().collect();
        builder.charge(LABEL_BYTES * (1 + labels.len()) + size_of_val(&*found), at)?;
        self.selected.insert(wanted, Rc::clone(&found));
        Ok(found)
    }
}
