//! An allocator that counts.
#![allow(
    unsafe_code,
    reason = "an allocator cannot be written without; it hands every request on unchanged"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

// Of one thread, and no atomics: a locked instruction at every allocation would slow those
// down that allocate much, and the comparison would favour whoever does not.
thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static LIVE: Cell<i64> = const { Cell::new(0) };
}

/// The system's allocator, counting. A benchmark makes it its global one:
/// `#[global_allocator] static ALLOCATOR: Counting = Counting;`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting;

/// How many blocks this thread has asked for so far; one that had to grow counts again.
pub fn allocations() -> u64 {
    COUNT.get()
}

/// How many bytes this thread holds, as they were asked for: what the allocator itself needs
/// for its bookkeeping is not in it.
pub fn live_bytes() -> i64 {
    LIVE.get()
}

fn note(blocks: u64, bytes: i64) {
    COUNT.set(COUNT.get() + blocks);
    LIVE.set(LIVE.get() + bytes);
}

fn size(layout: Layout) -> i64 {
    layout.size() as i64
}

// SAFETY: every method hands its arguments to the system's allocator as they came, and gives
// back what that answers; counting touches nothing but two cells that need no initialisation
// and have no destructor, so it neither allocates nor outlives its thread.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(1, size(layout));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(1, size(layout));
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        note(0, -size(layout));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        note(1, new_size as i64 - size(layout));
        // SAFETY: as the caller promises.
        unsafe { System.realloc(block, layout, new_size) }
    }
}
