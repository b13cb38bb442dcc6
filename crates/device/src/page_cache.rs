//! What of a file or device is in the page cache.

use std::io;

use fathom_platform::fd::AsFd;
use fathom_platform::io::Errno;

use crate::platform::{cachestat, mincore};

/// Pages of a file in the page cache, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageCache {
    /// In the cache.
    pub cached_bytes: u64,
    /// Of those, to be written or being written; only cachestat tells.
    pub dirty_bytes: Option<u64>,
    /// Whether cachestat answered, otherwise mincore.
    pub by_cachestat: bool,
}

/// The kernel's `struct cachestat`, in pages.
#[repr(C)]
#[derive(Default)]
pub(crate) struct CacheStat {
    pub(crate) cached: u64,
    pub(crate) dirty: u64,
    pub(crate) writeback: u64,
    evicted: u64,
    recently_evicted: u64,
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
            Err(error) if error == Errno::NOSYS => Ok(Self {
                cached_bytes: mincore(file.as_fd(), size_bytes)? * page,
                dirty_bytes: None,
                by_cachestat: false,
            }),
            Err(error) => Err(error.into()),
        }
    }
}

pub(crate) fn page_bytes() -> u64 {
    fathom_platform::param::page_size() as u64
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
