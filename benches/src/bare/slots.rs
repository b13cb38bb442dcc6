//! The buffers of requests in flight.

/// Alignment that every device accepts for direct I/O.
const ALIGN: usize = 4096;

/// A buffer for each request in flight, aligned.
#[derive(Debug)]
pub(crate) struct Slots {
    memory: Vec<u8>,
    first: usize,
    block_bytes: usize,
}

impl Slots {
    pub(crate) fn new(count: usize, block_bytes: usize) -> Self {
        let memory = vec![1; count * block_bytes + ALIGN];
        let first = memory.as_ptr().align_offset(ALIGN);
        Self {
            memory,
            first,
            block_bytes,
        }
    }

    /// The buffer of a request.
    #[inline]
    pub(crate) fn buffer(&mut self, slot: usize) -> &mut [u8] {
        let start = self.first + slot * self.block_bytes;
        &mut self.memory[start..start + self.block_bytes]
    }
}
