//! The memory allocator of the `planroom` executable. The only crate with unsafe code.

pub use mimalloc::MiMalloc as Allocator;

/// `mi_option_purge_delay` in `mimalloc.h`: milliseconds until free memory is returned to the system.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

/// Makes the allocator return free memory to the system at once.
///
/// By default, memory is returned by later allocations of the same thread. A large request can use hundreds of megabytes, and its
/// thread can then wait for hours, so the memory of several threads would add up.
pub fn return_memory_at_once() {
    // SAFETY: the function sets a number in a static array, and ignores unknown options. It is called before other threads start.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_is_the_delay() {
        // SAFETY: the functions only read and write a number.
        unsafe {
            // The default, which no other option has.
            assert_eq!(libmimalloc_sys::mi_option_get(PURGE_DELAY), 1_000);
            return_memory_at_once();
            assert_eq!(libmimalloc_sys::mi_option_get(PURGE_DELAY), 0);
        }
    }
}
