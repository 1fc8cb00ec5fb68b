//! An allocator that counts bytes while it is asked to.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // Constants without a destructor: they can be had at any time of a thread's life, and getting
    // at them allocates nothing.
    static COUNTING: Cell<bool> = const { Cell::new(false) };
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The system's allocator. While nothing is counted it costs no more than a look at a flag.
struct Counting;

impl Counting {
    #[inline]
    fn count(bytes: usize) {
        if COUNTING.get() {
            BYTES.set(BYTES.get() + bytes as u64);
        }
    }
}

// SAFETY: every call goes to `System` with the arguments it came with, and what `System` returns
// is returned as it is: whoever keeps GlobalAlloc's contract towards `Counting` keeps it towards
// `System`, and `System` keeps it in return. Counting allocates nothing and cannot panic.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::count(layout.size());
        // SAFETY: the caller's, passed on.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::count(layout.size());
        // SAFETY: the caller's, passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // In full, as in languages where growing means a new block.
        Self::count(size);
        // SAFETY: the caller's, passed on.
        unsafe { System.realloc(block, layout, size) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's, passed on.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Ends counting also when the work panics.
struct Ended;

impl Drop for Ended {
    fn drop(&mut self) {
        COUNTING.set(false);
    }
}

/// Result of `work`, and the bytes that this thread has allocated meanwhile.
pub fn counted<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let before = BYTES.get();
    COUNTING.set(true);
    let _ended = Ended;
    let result = work();
    (result, BYTES.get() - before)
}

/// Gives memory that is free back to the system, as far as the C library has it to give.
pub fn give_memory_back() {
    #[cfg(target_env = "gnu")]
    {
        #[allow(unsafe_code)]
        unsafe extern "C" {
            safe fn malloc_trim(pad: usize) -> i32;
        }
        malloc_trim(0);
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn counts_what_is_allocated_meanwhile_and_growth_in_full() {
        let before = vec![0_u8; 1000];
        let (kept, bytes) = counted(|| {
            let mut kept = Vec::<u8>::with_capacity(100);
            kept.resize(100, 1);
            kept.reserve_exact(100);
            kept
        });
        assert_eq!((kept.len(), bytes), (100, 300));
        drop(before);
        assert_eq!(counted(|| ()).1, 0);
    }

    #[test]
    fn a_panic_ends_counting() {
        let panicked = std::panic::catch_unwind(|| counted(|| panic!("expected")));
        assert!(panicked.is_err());
        assert!(!super::COUNTING.get());
    }
}
