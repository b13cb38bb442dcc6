//! An account that is closed: as bytes, to be read when the run is long over.
//!
//! All numbers are little-endian words of 64 bits: `FTHMACC2`, begin and end of the range, bytes of
//! a block, of how many blocks one is kept, the sequences at which the run began and ended, 1 if
//! all had been laid out, the seed, the identity of the run, the number of blocks, and a word for
//! each block. Earlier versions wrote `FTHMACC1`, which has no identity.

use super::written::ClosedParts;
use super::{Expected, Written};

const MAGIC: u64 = u64::from_le_bytes(*b"FTHMACC2");
const OLD_MAGIC: u64 = u64::from_le_bytes(*b"FTHMACC1");
const HEAD_WORDS: usize = 11;

/// What a run that has ended wrote where, as its seed tells it from others.
#[derive(Debug)]
pub struct ClosedAccount {
    /// Seed of the run.
    pub seed: u64,
    /// The account.
    pub written: Written,
}

impl Written {
    /// The account as bytes, closed at the sequence `ended`. The result of writes under way by then
    /// is unknown.
    pub fn close(&self, seed: u64, ended: u64) -> Vec<u8> {
        let parts = self.parts();
        let blocks = self.settled_words();
        // Numbers are ahead of the time where the clocks of threads are not the same.
        let last = blocks.iter().map(|word| Expected::from_word(*word).last());
        let ended = ended.max(last.max().unwrap_or(0));
        let head = [
            MAGIC,
            parts.range.0,
            parts.range.1,
            parts.block_bytes,
            parts.every,
            parts.began,
            ended,
            u64::from(parts.was_stamped),
            seed,
            parts.run,
        ];
        let mut bytes = Vec::new();
        bytes.reserve_exact((HEAD_WORDS + blocks.len()) * 8);
        for word in head.into_iter().chain([blocks.len() as u64]).chain(blocks) {
            bytes.extend(word.to_le_bytes());
        }
        bytes
    }
}

impl ClosedAccount {
    /// Reads what [`Written::close`] gave; none if it is something else.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let mut next = || words.next();
        let has_run = match next()? {
            MAGIC => true,
            OLD_MAGIC => false,
            _ => return None,
        };
        if !rest.is_empty() {
            return None;
        }
        let mut parts = ClosedParts {
            range: (next()?, next()?),
            block_bytes: next()?,
            every: next()?,
            began: next()?,
            ended: next()?,
            was_stamped: next()? == 1,
            run: 0,
        };
        let seed = next()?;
        if has_run {
            parts.run = next()?;
        }
        let count = next()?;
        let written = Written::from_parts(&parts, words)?;
        (written.count() == count).then_some(Self { seed, written })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::Nanos;
    use proptest::prelude::*;

    #[test]
    fn what_was_acknowledged_is_known_afterwards() {
        let written = Written::new((4096, 4096 + (64 << 10)), 4096, 0, true).of_run(9);
        let mut seen = [Expected::default(); 2];
        let last = written.begin_write(8192, 4096, Nanos(5000), &mut seen);
        written.end(8192, 4096, true, &seen);
        // Under way when the account is closed.
        written.begin_write(16384, 4096, Nanos(6000), &mut seen);
        let bytes = written.close(7, last + 100);
        let closed = ClosedAccount::read(&bytes).expect("an account");
        let found = |offset| closed.written.expected(offset).expect("kept");
        assert_eq!(closed.seed, 7);
        assert_eq!((found(8192).last(), found(8192).is_settled()), (last, true));
        assert_eq!((found(4096).last(), found(4096).is_anything()), (0, false));
        assert_eq!(
            (found(16384).is_busy(), found(16384).is_anything()),
            (false, true)
        );
        let account = &closed.written;
        assert_eq!(
            (account.was_stamped(), account.began(), account.run()),
            (true, written.began(), 9)
        );
        assert!(!account.ended_before(last + 100) && account.ended_before(last + 101));
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = ClosedAccount::read(&bytes);
            for magic in [MAGIC, OLD_MAGIC] {
                let mut led = magic.to_le_bytes().to_vec();
                led.extend(&bytes[..bytes.len() / 8 * 8]);
                let _ = ClosedAccount::read(&led);
            }
        }

        #[test]
        fn a_part_is_no_account(cut in 0_usize..2136) {
            let written = Written::new((0, 1 << 20), 4096, 0, false);
            let bytes = written.close(1, 2);
            prop_assert_eq!(bytes.len(), 2136);
            prop_assert!(ClosedAccount::read(&bytes[..cut]).is_none());
        }
    }
}
