//! Bundles fan-ins and fan-outs into trunks.

use std::collections::HashMap;

use super::{rules::RULES, types::RouteLine};

/// The trunk of each line. A trunk consists of enough lines of the same type, without labels, that share an end.
pub(super) fn assign_trunks(lines: &[RouteLine<'_>]) -> Vec<Option<usize>> {
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        if line.from == line.to || line.has_label || !line.via.is_empty() || line.is_straight {
            continue;
        }
        for key in [format!(">{} {}", line.to, line.type_id), format!("<{} {}", line.from, line.type_id)] {
            groups.entry(key).or_default().push(at);
        }
    }
    // Largest first, because a line belongs to at most one trunk. Names decide between groups of the same size.
    let mut by_size: Vec<(String, Vec<usize>)> = groups.into_iter().collect();
    by_size.sort_by(|(one, its), (other, theirs)| theirs.len().cmp(&its.len()).then_with(|| one.cmp(other)));
    let mut trunks = vec![None; lines.len()];
    let mut trunk = 0;
    for (_, members) in by_size {
        let free: Vec<usize> = members.into_iter().filter(|at| trunks[*at].is_none()).collect();
        if free.len() < RULES.trunks.min_lines {
            continue;
        }
        for at in free {
            trunks[at] = Some(trunk);
        }
        trunk += 1;
    }
    trunks
}
