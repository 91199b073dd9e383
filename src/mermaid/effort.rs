//! How many bytes were looked at: tests hold it against the length of a text, for they cannot trust a clock. In the
//! product nothing counts.

#[cfg(test)]
thread_local!(static EFFORT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) });

/// Notes that so many bytes were looked at.
pub(super) fn looked_at(bytes: usize) -> usize {
    #[cfg(test)]
    EFFORT.set(EFFORT.get() + bytes + 1);
    bytes
}

/// How many bytes this thread has looked at, and how often.
#[cfg(test)]
pub(super) fn effort() -> usize {
    EFFORT.get()
}
