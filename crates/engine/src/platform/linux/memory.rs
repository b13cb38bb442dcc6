//! Anonymous memory, all of it present.

use std::ffi::c_void;
use std::ptr::NonNull;

use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags};

use crate::platform::PAGE_BYTES;

/// Maps this many bytes for one owner. `huge_pages` asks the kernel for transparent huge pages; it
/// may not have any.
///
/// # Errors
///
/// What the system said.
pub(crate) fn map(bytes: usize, huge_pages: bool) -> Result<NonNull<u8>, Errno> {
    // SAFETY: a private anonymous mapping at an address of the kernel's choice touches no
    // existing memory.
    let region = unsafe {
        rustix::mm::mmap_anonymous(
            std::ptr::null_mut(),
            bytes,
            ProtFlags::READ | ProtFlags::WRITE,
            MapFlags::PRIVATE,
        )
    }?;
    let base = NonNull::new(region.cast()).ok_or(Errno::NOMEM)?;
    if huge_pages {
        advise(base, bytes, Advice::LinuxHugepage);
    }
    populate(base, bytes);
    Ok(base)
}

/// Gives it back.
///
/// # Safety
///
/// The region is from [`map`] with this length, and nobody uses it any more.
pub(crate) unsafe fn unmap(base: NonNull<u8>, bytes: usize) {
    // SAFETY: by the contract it is mapped and unused. Unmapping can then not fail.
    let _ = unsafe { rustix::mm::munmap(region(base), bytes) };
}

fn region(base: NonNull<u8>) -> *mut c_void {
    base.as_ptr().cast()
}

fn advise(base: NonNull<u8>, bytes: usize, advice: Advice) -> bool {
    // SAFETY: the region is mapped and ours; the advice used here (huge pages, populating)
    // changes no content.
    unsafe { rustix::mm::madvise(region(base), bytes, advice) }.is_ok()
}

/// Makes all pages present, by hand on kernels before 5.14.
fn populate(base: NonNull<u8>, bytes: usize) {
    if advise(base, bytes, Advice::LinuxPopulateWrite) {
        return;
    }
    for offset in (0..bytes).step_by(PAGE_BYTES) {
        let page = base.as_ptr().wrapping_add(offset);
        // SAFETY: the address lies in the region, which is mapped for writing and which nobody
        // else knows yet.
        unsafe { page.write_volatile(0) };
    }
}
