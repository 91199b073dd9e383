//! A binary min-heap of numbers, ordered by priority. Equal priorities come in the same order as in the web client, which the
//! heap of the standard library does not guarantee.

#[derive(Debug, Default)]
pub(super) struct MinHeap {
    entries: Vec<(u32, f64)>,
}

impl MinHeap {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(super) fn push(&mut self, item: u32, priority: f64) {
        let mut at = self.entries.len();
        self.entries.push((item, priority));
        while at > 0 {
            let parent = (at - 1) / 2;
            if self.entries[parent].1 <= priority {
                break;
            }
            self.entries[at] = self.entries[parent];
            at = parent;
        }
        self.entries[at] = (item, priority);
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        let last = self.entries.pop()?;
        let Some(&(top, _)) = self.entries.first() else { return Some(last.0) };
        let size = self.entries.len();
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child >= size {
                break;
            }
            if child + 1 < size && self.entries[child + 1].1 < self.entries[child].1 {
                child += 1;
            }
            if self.entries[child].1 >= last.1 {
                break;
            }
            self.entries[at] = self.entries[child];
            at = child;
        }
        self.entries[at] = last;
        Some(top)
    }
}
