//! Where the next request reads.

/// Offsets of whole blocks in an order that looks random: xorshift (Marsaglia 2003), and a
/// multiplication for the range.
#[derive(Debug)]
pub(crate) struct Offsets {
    state: u64,
    blocks: u64,
    block_bytes: u64,
}

impl Offsets {
    pub(crate) const fn new(blocks: u64, block_bytes: u64) -> Self {
        Self {
            state: 0x9e37_79b9_7f4a_7c15,
            blocks,
            block_bytes,
        }
    }

    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        let block = (u128::from(self.state) * u128::from(self.blocks)) >> 64;
        block as u64 * self.block_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_is_read_about_equally_often() {
        let mut offsets = Offsets::new(8, 512);
        let mut counts = [0_u32; 8];
        for _ in 0..80_000 {
            counts[(offsets.next() / 512) as usize] += 1;
        }
        assert!(
            counts.iter().all(|count| count.abs_diff(10_000) < 500),
            "{counts:?}"
        );
    }
}
