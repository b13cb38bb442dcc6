//! The bytes that a task of IOR 4 writes, as its own check wants them: 64-bit words of the machine,
//! counted from the head of each request, and at its end single bytes that are their number in it.

use fathom_core::spec::{IorData, IorKind};

const WORD_BYTES: usize = 8;
/// Words of 4 KiB, at whose head two of the kinds have the offset.
const HEAD_WORDS: usize = 512;
/// What IOR steps its random words by, and how far it shifts them.
const STEP: u64 = 0x9e37_ffff_fffc_0001;
const SHIFT: u32 = 3;

/// Fills a buffer with what a request at `offset` carries.
pub(crate) fn fill(data: IorData, buffer: &mut [u8], offset: u64) {
    let whole = buffer.len() / WORD_BYTES * WORD_BYTES;
    let words = buffer.as_chunks_mut::<WORD_BYTES>().0.iter_mut();
    let task = u64::from(data.task) << 32;
    match data.kind {
        IorKind::Timestamp | IorKind::Offset => {
            for (number, word) in (0_u64..).zip(words) {
                let low = u64::from(data.stamp) + number;
                *word = (task | low).to_le_bytes();
            }
        }
        IorKind::Incompressible => {
            let mut random = LibraryRandom(data.stamp.wrapping_add(data.task));
            let high = u64::from(random.next()) << 32;
            let same = (high | u64::from(random.next())).to_le_bytes();
            words.for_each(|word| *word = same);
        }
        IorKind::Random => {
            let seed = data.stamp.wrapping_add(data.task);
            let mut random = LibraryRandom(seed.wrapping_add(offset as u32));
            let mut state = u64::from(random.next());
            for word in words {
                state = state.wrapping_mul(STEP) >> SHIFT;
                *word = state.to_le_bytes();
            }
        }
    }
    if matches!(data.kind, IorKind::Offset | IorKind::Incompressible) {
        let heads = buffer[..whole].chunks_mut(HEAD_WORDS * WORD_BYTES);
        for (number, block) in (1_u32..).zip(heads) {
            let low = (offset as u32).wrapping_mul(number);
            block[..WORD_BYTES].copy_from_slice(&(task | u64::from(low)).to_le_bytes());
        }
    }
    for (number, byte) in (whole..).zip(&mut buffer[whole..]) {
        *byte = number as u8;
    }
}

/// `rand_r` of the GNU C library, whose numbers IOR has: three steps of the generator that the C
/// standard shows, of which eleven and twice ten of the upper bits are put side by side.
struct LibraryRandom(u32);

impl LibraryRandom {
    fn next(&mut self) -> u32 {
        let mut bits = |count: u32| {
            self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            (self.0 >> 16) & ((1 << count) - 1)
        };
        let (first, second, third) = (bits(11), bits(10), bits(10));
        (first << 20) ^ (second << 10) ^ third
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xxhash_rust::xxh3::xxh3_64;

    /// The file of some tasks, whose blocks are of so many requests of `transfer` bytes.
    fn file(kind: IorKind, stamp: u32, (tasks, segments): (u32, u32), block: &[usize]) -> Vec<u8> {
        let mut file = Vec::new();
        for _ in 0..segments {
            for task in 0..tasks {
                for transfer in block {
                    let data = IorData { kind, task, stamp };
                    let mut request = vec![0; *transfer];
                    fill(data, &mut request, file.len() as u64);
                    file.extend(request);
                }
            }
        }
        file
    }

    /// What IOR 4.1.0+dev has written: `mpirun -n 3 ior -w -k -G 1700000000 -l KIND -t 12k -b 24k
    /// -s 2`, and `mpirun -n 2 ior -w -k -G 7 -l i -t 47008 -b 47008`.
    #[test]
    fn files_are_those_of_ior() {
        let known = [
            (IorKind::Timestamp, 0xe548_dfdd_a0af_1fe0),
            (IorKind::Offset, 0xd1f5_d6a2_1850_88f7),
            (IorKind::Incompressible, 0xc737_b4fa_22c1_5150),
            (IorKind::Random, 0x4883_490f_5d8b_c338),
        ];
        for (kind, sum) in known {
            let file = file(kind, 1_700_000_000, (3, 2), &[12 << 10; 2]);
            assert_eq!((file.len(), xxh3_64(&file)), (147_456, sum), "{kind:?}");
        }
        let hard = file(IorKind::Incompressible, 7, (2, 1), &[47008]);
        assert_eq!(xxh3_64(&hard), 0x962e_9b4a_5153_37dc);
    }

    #[test]
    fn what_is_no_whole_word_is_its_number() {
        let data = IorData {
            kind: IorKind::Timestamp,
            task: 1,
            stamp: 2,
        };
        let mut request = vec![0xaa; 11];
        fill(data, &mut request, 4096);
        assert_eq!(request, [2, 0, 0, 0, 1, 0, 0, 0, 8, 9, 10]);
    }
}
