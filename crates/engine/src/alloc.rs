//! An allocator that can be sealed: proof that the measured loop allocates nothing.
//!
//! A test binary installs [`CountingAllocator`] as its global allocator. After set-up a thread
//! calls [`seal`]; from then on each allocation of that thread is counted, and in strict mode
//! ends the process with a backtrace. Where the allocator is not installed, sealing is one store
//! to a variable of the thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

thread_local! {
    // Constant and without destructor, so that looking at it never allocates itself.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

static TOTAL: AtomicU64 = AtomicU64::new(0);
static STRICT: AtomicBool = AtomicBool::new(false);

/// The system's allocator, with allocations under a seal counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

/// The seal on this thread's allocations; dropping it breaks the seal.
#[derive(Debug)]
#[must_use = "the seal is broken when this is dropped"]
pub struct Sealed {
    count_before: u64,
    // A seal belongs to the thread that made it.
    _thread: std::marker::PhantomData<*const ()>,
}

/// Seals the allocations of this thread until the answer is dropped.
pub fn seal() -> Sealed {
    DEPTH.set(DEPTH.get() + 1);
    Sealed {
        count_before: COUNT.get(),
        _thread: std::marker::PhantomData,
    }
}

/// Whether an allocation under a seal ends the process.
pub fn set_strict(strict: bool) {
    STRICT.store(strict, Ordering::Relaxed);
}

/// Allocations made under seals so far, by all threads.
pub fn sealed_allocations() -> u64 {
    TOTAL.load(Ordering::Relaxed)
}

impl Sealed {
    /// Allocations of this thread since this seal.
    pub fn allocations(&self) -> u64 {
        COUNT.get() - self.count_before
    }
}

impl Drop for Sealed {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

#[inline]
fn note(size: usize) {
    if DEPTH.get() > 0 {
        count(size);
    }
}

#[cold]
#[expect(
    clippy::disallowed_methods,
    reason = "a defect of the program, reported to its programmer"
)]
fn count(size: usize) {
    COUNT.set(COUNT.get() + 1);
    TOTAL.fetch_add(1, Ordering::Relaxed);
    if STRICT.load(Ordering::Relaxed) {
        // The backtrace allocates.
        DEPTH.set(0);
        let trace = std::backtrace::Backtrace::force_capture();
        let _ = writeln!(
            std::io::stderr(),
            "{size} bytes were allocated under a seal\n{trace}"
        );
        std::process::abort();
    }
}

// SAFETY: every request is passed on unchanged to the system's allocator, which keeps the
// contract; counting touches no memory of the request.
unsafe impl GlobalAlloc for CountingAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        note(new_size);
        // SAFETY: the caller's promise that `ptr` came from here with `layout` is passed on, and
        // all that is given out here came from the system's allocator.
        unsafe { System.realloc(ptr, layout, new_size) }
    }

    #[inline]
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: as for `realloc`.
        unsafe { System.dealloc(ptr, layout) }
    }
}
