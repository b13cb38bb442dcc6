//! The memory that requests move bytes to and from.

use crate::error::EngineError;
use crate::platform::{self, PAGE_BYTES};
use std::ptr::NonNull;

/// One region of anonymous memory, cut into equal page-aligned buffers, one for each slot.
///
/// All pages are there from the start, so that no request pays for a page fault.
#[derive(Debug)]
pub struct BufferPool {
    base: NonNull<u8>,
    region_bytes: usize,
    stride_bytes: usize,
    buffer_bytes: usize,
    /// What `room` says of a buffer that nobody has.
    free_room: u64,
    slots: u32,
    /// What a request must be shorter than to get the buffer: one byte more than it has, nothing
    /// while the kernel has it. So one comparison refuses both what is too long and what is lent.
    room: Box<[u64]>,
    keeps_mapped: bool,
}

const HUGE_PAGE_BYTES: usize = 2 << 20;

impl BufferPool {
    /// Maps `slots` buffers of `buffer_bytes` each, each at the start of a page. `huge_pages`
    /// asks the kernel for transparent huge pages; it may not have any.
    pub fn new(slots: u32, buffer_bytes: u32, huge_pages: bool) -> Result<Self, EngineError> {
        let unit = if huge_pages {
            HUGE_PAGE_BYTES
        } else {
            PAGE_BYTES
        };
        let buffer_bytes = buffer_bytes as usize;
        let stride_bytes = buffer_bytes.max(1).next_multiple_of(PAGE_BYTES);
        let region_bytes = (stride_bytes * slots.max(1) as usize).next_multiple_of(unit);
        let base =
            platform::map(region_bytes, huge_pages).map_err(|errno| EngineError::Memory {
                bytes: region_bytes as u64,
                cause: errno.to_string(),
                remedy: "use a smaller block size, queue depth or number of threads".into(),
            })?;
        Ok(Self {
            base,
            region_bytes,
            stride_bytes,
            buffer_bytes,
            free_room: buffer_bytes as u64 + 1,
            slots,
            room: vec![buffer_bytes as u64 + 1; slots as usize].into(),
            keeps_mapped: false,
        })
    }

    /// The buffer of a slot.
    ///
    /// # Panics
    ///
    /// If there is no such slot, or the kernel has its buffer.
    #[inline]
    pub fn get(&mut self, slot: u32) -> &mut [u8] {
        assert!(self.room[slot as usize] > 0, "the buffer is in flight");
        let start = self.address(slot);
        // SAFETY: `address` answers only with the start of a buffer inside the mapped region,
        // which lives as long as the pool; the exclusive borrow keeps other slices away.
        unsafe { std::slice::from_raw_parts_mut(start, self.buffer_bytes) }
    }

    /// Gives the kernel `len` bytes of the buffer of a slot, until [`take_back`](Self::take_back);
    /// answers where it starts.
    ///
    /// # Panics
    ///
    /// If there is no such slot, its buffer is shorter, or the kernel has it already.
    #[inline]
    pub fn lend(&mut self, slot: u32, len: u32) -> *mut u8 {
        let room = &mut self.room[slot as usize];
        assert!(
            u64::from(len) < *room,
            "the buffer is in flight or shorter than the request"
        );
        *room = 0;
        self.address(slot)
    }

    /// The kernel has let go of the buffer of a slot.
    #[inline]
    pub fn take_back(&mut self, slot: u32) {
        self.room[slot as usize] = self.free_room;
    }

    /// Where the buffer of a slot starts.
    #[inline]
    fn address(&self, slot: u32) -> *mut u8 {
        debug_assert!(slot < self.slots, "there is no buffer for this slot");
        self.base
            .as_ptr()
            .wrapping_add(slot as usize * self.stride_bytes)
    }

    /// Bytes of one buffer.
    pub fn buffer_bytes(&self) -> u32 {
        self.buffer_bytes as u32
    }

    /// Number of buffers.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// Leaves the memory mapped for the life of the process, because the kernel may still use it.
    pub(crate) fn keep_mapped(&mut self) {
        self.keeps_mapped = true;
    }

    /// Where each buffer starts, and the bytes of whole pages that it has.
    pub fn regions(&self) -> impl Iterator<Item = (*mut u8, usize)> {
        (0..self.slots).map(|slot| (self.address(slot), self.stride_bytes))
    }
}

impl Drop for BufferPool {
    fn drop(&mut self) {
        if self.keeps_mapped {
            return;
        }
        // SAFETY: the region was mapped by `new` with this length, and engines drop their pool
        // only after the kernel has let go of it.
        unsafe { platform::unmap(self.base, self.region_bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_page_aligned_zeroed_and_apart() {
        for huge_pages in [false, true] {
            let mut pool = BufferPool::new(5, 5000, huge_pages).expect("memory");
            for slot in 0..5 {
                assert_eq!(pool.address(slot) as usize % PAGE_BYTES, 0);
                assert_eq!(pool.get(slot), vec![0; 5000]);
                pool.get(slot).fill(slot as u8 + 1);
            }
            for slot in 0..5 {
                assert_eq!(pool.get(slot), vec![slot as u8 + 1; 5000]);
            }
        }
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn a_slot_beyond_the_last_is_refused() {
        BufferPool::new(2, 512, false).expect("memory").get(2);
    }

    #[test]
    fn the_kernel_gets_no_more_than_there_is_and_nothing_twice() {
        let refused = |try_it: fn(&mut BufferPool)| {
            let mut pool = BufferPool::new(2, 512, false).expect("memory");
            pool.lend(1, 512);
            let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                try_it(&mut pool);
            }));
            refused.is_err()
        };
        assert!(refused(|pool| _ = pool.lend(0, 513)));
        assert!(refused(|pool| _ = pool.lend(1, 512)));
        assert!(refused(|pool| _ = pool.lend(2, 512)));
        assert!(refused(|pool| pool.get(1).fill(0)));
        assert!(!refused(|pool| {
            pool.take_back(1);
            pool.get(1).fill(0);
        }));
    }

    #[test]
    fn memory_that_cannot_be_had_is_an_error() {
        let error = BufferPool::new(u32::MAX, u32::MAX, false).expect_err("too much");
        assert_eq!(
            error.to_string(),
            "cannot allocate 18446744069414584320 bytes of buffers: \
             Cannot allocate memory (os error 12)"
        );
    }
}
