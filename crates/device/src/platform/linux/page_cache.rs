//! What the page cache holds of a file.

use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd};
use std::ptr;

use rustix::io::Errno;

use crate::page_cache::{CacheStat, page_bytes};

/// The call's number, the same on every architecture but alpha; kernel 6.5 has it.
const CACHESTAT: libc::c_long = 451;
/// Bytes that one mapping covers when the pages have to be asked one by one.
const WINDOW_BYTES: u64 = 1 << 30;
/// Larger files are not asked page by page: it would take too long during a run.
const MOST_BYTES: u64 = 64 << 30;

/// The kernel's `struct cachestat_range`; length 0 reaches to the end.
#[repr(C)]
struct CacheRange {
    offset: u64,
    length: u64,
}

/// Pages of a file, by cachestat(2).
pub(crate) fn cachestat(file: BorrowedFd<'_>) -> Result<CacheStat, Errno> {
    let range = CacheRange {
        offset: 0,
        length: 0,
    };
    let mut stat = CacheStat::default();
    // SAFETY: both pointers are to live structures of the kernel's layout, and the kernel writes
    // only the second.
    let status = unsafe {
        libc::syscall(
            CACHESTAT,
            file.as_raw_fd(),
            &raw const range,
            &raw mut stat,
            0_u32,
        )
    };
    if status == 0 {
        Ok(stat)
    } else {
        let error = io::Error::last_os_error();
        Err(Errno::from_io_error(&error).unwrap_or(Errno::IO))
    }
}

/// Pages in memory, by mincore(2).
pub(crate) fn mincore(file: BorrowedFd<'_>, size_bytes: u64) -> io::Result<u64> {
    if size_bytes > MOST_BYTES {
        return Err(io::Error::from_raw_os_error(libc::EFBIG));
    }
    let mut resident = 0;
    let mut offset = 0;
    while offset < size_bytes {
        let length = (size_bytes - offset).min(WINDOW_BYTES);
        resident += resident_pages(file, offset, length)?;
        offset += length;
    }
    Ok(resident)
}

fn resident_pages(file: BorrowedFd<'_>, offset: u64, length: u64) -> io::Result<u64> {
    let length = length as usize;
    let mut pages = vec![0_u8; length.div_ceil(page_bytes() as usize)];
    // SAFETY: a new mapping at an address of the kernel's choice touches no memory of ours. It
    // is never read, so that a file that shrinks meanwhile does no harm.
    let start = unsafe {
        libc::mmap(
            ptr::null_mut(),
            length,
            libc::PROT_READ,
            libc::MAP_SHARED,
            file.as_raw_fd(),
            offset as libc::off_t,
        )
    };
    if start == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the range is the mapping just made, and the vector has a byte for each page of it.
    let status = unsafe { libc::mincore(start, length, pages.as_mut_ptr()) };
    let outcome = if status == 0 {
        Ok(pages.iter().filter(|page| **page & 1 == 1).count() as u64)
    } else {
        Err(io::Error::last_os_error())
    };
    // SAFETY: the mapping was made above, is not used below, and nobody else knows of it.
    unsafe { libc::munmap(start, length) };
    outcome
}
