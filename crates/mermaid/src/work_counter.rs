//! Counts the bytes that the parser has examined. Tests compare the count with the length of the text, because measured
//! times are unreliable. Release builds do not count.

#[cfg(test)]
thread_local!(static WORK: std::cell::Cell<usize> = const { std::cell::Cell::new(0) });

/// Counts `bytes` as examined and returns them.
pub(super) fn examined(bytes: usize) -> usize {
    #[cfg(test)]
    WORK.set(WORK.get() + bytes + 1);
    bytes
}

/// The number of bytes that this thread has examined, plus the number of calls.
#[cfg(test)]
pub(super) fn work_counter() -> usize {
    WORK.get()
}
