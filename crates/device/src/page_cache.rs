//! What of a file or device is in the page cache.

use std::io;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd};
use std::ptr;

/// The call's number, the same on every architecture but alpha; kernel 6.5 has it.
const CACHESTAT: libc::c_long = 451;
/// Bytes that one mapping covers when the pages have to be asked one by one.
const WINDOW_BYTES: u64 = 1 << 30;
/// Larger files are not asked page by page: it would take too long beside a run.
const MOST_BYTES: u64 = 64 << 30;

/// Pages of a file in the page cache, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageCache {
    /// In the cache.
    pub cached_bytes: u64,
    /// Of those, to be written or being written; only cachestat tells.
    pub dirty_bytes: Option<u64>,
    /// Whether cachestat told, otherwise mincore.
    pub by_cachestat: bool,
}

/// The kernel's `struct cachestat`, in pages.
#[repr(C)]
#[derive(Default)]
struct CacheStat {
    cached: u64,
    dirty: u64,
    writeback: u64,
    evicted: u64,
    recently_evicted: u64,
}

/// The kernel's `struct cachestat_range`; length 0 reaches to the end.
#[repr(C)]
struct CacheRange {
    offset: u64,
    length: u64,
}

impl PageCache {
    /// Asks for the pages of an open file of `size_bytes`, by cachestat(2) and where the kernel
    /// does not have it by mincore(2).
    ///
    /// # Errors
    ///
    /// What the system said: `EPERM` for a file that belongs to others and may not be written,
    /// `EFBIG` for one that is too large to be asked page by page.
    pub fn of(file: impl AsFd, size_bytes: u64) -> io::Result<Self> {
        let page = page_bytes();
        match cachestat(file.as_fd()) {
            Ok(stat) => Ok(Self {
                cached_bytes: stat.cached * page,
                dirty_bytes: Some((stat.dirty + stat.writeback) * page),
                by_cachestat: true,
            }),
            Err(error) if error.raw_os_error() == Some(libc::ENOSYS) => Ok(Self {
                cached_bytes: mincore(file.as_fd(), size_bytes)? * page,
                dirty_bytes: None,
                by_cachestat: false,
            }),
            Err(error) => Err(error),
        }
    }
}

fn page_bytes() -> u64 {
    rustix::param::page_size() as u64
}

fn cachestat(file: BorrowedFd<'_>) -> io::Result<CacheStat> {
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
        Err(io::Error::last_os_error())
    }
}

/// Pages in memory.
fn mincore(file: BorrowedFd<'_>, size_bytes: u64) -> io::Result<u64> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn what_was_written_is_in_the_cache_both_ways() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![1; 1 << 20]).unwrap();
        assert_eq!(
            mincore(file.as_fd(), 1 << 20).unwrap() * page_bytes(),
            1 << 20
        );
        let found = PageCache::of(&file, 1 << 20).unwrap();
        assert_eq!(found.cached_bytes, 1 << 20);
        assert_eq!(found.dirty_bytes.is_some(), found.by_cachestat);
    }
}
