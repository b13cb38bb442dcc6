//! Memory for direct I/O outside the engines: for laying files out and reading them back.

/// What every known device accepts as the alignment of memory, offsets and lengths.
pub(crate) const ALIGN_BYTES: usize = 4096;

/// Bytes that start at a multiple of [`ALIGN_BYTES`].
#[derive(Debug)]
pub(crate) struct AlignedBuffer {
    memory: Vec<u8>,
    start: usize,
    len: usize,
}

impl AlignedBuffer {
    /// A buffer of zeros.
    pub(crate) fn new(len: usize) -> Self {
        let memory = vec![0; len + ALIGN_BYTES - 1];
        // The vector never grows, so its bytes stay where they are.
        let start = memory.as_ptr().align_offset(ALIGN_BYTES);
        Self { memory, start, len }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..][..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_is_aligned() {
        for len in [1, 512, 4096, 10_000] {
            let mut buffer = AlignedBuffer::new(len);
            assert_eq!(buffer.bytes_mut().len(), len);
            assert_eq!(buffer.bytes_mut().as_ptr() as usize % ALIGN_BYTES, 0);
        }
    }
}
