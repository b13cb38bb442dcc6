//! Blocks that were read, held against what was written.

use super::written::{Expected, Written};
use super::{CheckedBlocks, Proof, Stamp, UNIT, Wrong, WrongKind};

/// When it was asked for what is known of the blocks.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// When the read was handed to the storage; by block.
    AtIssue(&'a [Expected]),
    /// Nothing has changed since.
    Now,
}

/// What is known of the block that a unit lies in.
#[derive(Clone, Copy)]
struct Known {
    before: Expected,
    after: Expected,
}

impl Known {
    /// Whether something happened to the block while it was read.
    fn is_busy(self) -> bool {
        self.before.is_busy() || self.before != self.after
    }

    /// Whether a stamp in a settled block is that of the write that was acknowledged last, or of
    /// one that has begun since.
    fn is_last(self, stamp: Stamp, written: &Written) -> bool {
        let last = self.before.last();
        if written.run() == 0 {
            // Accounts of earlier versions may have a smaller number than a long write.
            return stamp.sequence >= last;
        }
        let since = last + 1..=self.after.last();
        let is_last = stamp.sequence == last || since.contains(&stamp.sequence);
        stamp.run == written.run() && is_last
    }
}

/// What a unit turned out to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Good,
    /// Nobody can say what it should be.
    Unknown,
    Wrong(WrongKind),
}

/// Checks the whole 512-byte units of a buffer that was read from `offset`, with what is known to
/// have been written there.
pub fn judge(
    proof: Proof,
    written: &Written,
    buffer: &[u8],
    offset: u64,
    seen: Seen<'_>,
) -> CheckedBlocks {
    hold(proof, &History::of(Some(written)), buffer, offset, seen)
}

/// The same of places that were written: where nobody has, what was there before does not count.
/// Without an account only the blocks themselves tell.
pub fn judge_written(
    proof: Proof,
    written: Option<&Written>,
    buffer: &[u8],
    offset: u64,
    seen: Seen<'_>,
) -> CheckedBlocks {
    let history = History {
        must_be_written: true,
        ..History::of(written)
    };
    hold(proof, &history, buffer, offset, seen)
}

/// The same for a job that reads between its writes. Where another job of the run writes blocks of
/// another form, what is wrong to this one may be what the other has written.
pub fn judge_between_writes(
    proof: Proof,
    written: &Written,
    buffer: &[u8],
    offset: u64,
    seen: Seen<'_>,
) -> CheckedBlocks {
    let history = History {
        may_be_of_others: written.has_many_forms(),
        ..History::of(Some(written))
    };
    hold(proof, &history, buffer, offset, seen)
}

/// What is known of the writes before.
struct History<'a> {
    written: Option<&'a Written>,
    /// Whether what is wrong may be right to another job.
    may_be_of_others: bool,
    /// Whether a block that no job has written is wrong, whatever it says.
    must_be_written: bool,
}

impl<'a> History<'a> {
    const fn of(written: Option<&'a Written>) -> Self {
        Self {
            written,
            may_be_of_others: false,
            must_be_written: false,
        }
    }

    /// What is said of a block of which it does not matter what it held before the first write.
    fn unwritten(
        &self,
        found: Result<Option<Stamp>, WrongKind>,
        offset: u64,
        known: Option<Known>,
    ) -> Option<Answer> {
        if !self.must_be_written || known.is_some_and(Known::is_busy) {
            return None;
        }
        let before = known.map(|known| known.before);
        let is_written = before.is_some_and(|before| before.last() > 0 && !before.is_anything());
        match found {
            Ok(stamp) => {
                let is_laid = stamp.is_some_and(Stamp::is_laid);
                let is_known_as_laid = known.is_some()
                    && !is_written
                    && self.written.is_some_and(|written| written.was_laid(offset));
                (is_laid || is_known_as_laid).then_some(Answer::Wrong(WrongKind::Lost))
            }
            Err(kind) => (!is_written).then_some(Answer::Wrong(kind)),
        }
    }
}

fn hold(
    proof: Proof,
    history: &History<'_>,
    buffer: &[u8],
    offset: u64,
    seen: Seen<'_>,
) -> CheckedBlocks {
    let expected = proof.expected(buffer.len(), offset);
    let mut outcome = CheckedBlocks::default();
    let size = proof.pieces().0 as usize;
    let units = super::units(size);
    let mut at = 0;
    while at + size <= buffer.len() {
        let begin = offset + at as u64;
        let holding = history.written.filter(|written| written.holds(begin));
        let known = holding.and_then(|written| known(written, offset, begin, seen));
        // Up to the end of the block: sectors of one block are held against each other.
        let rest = holding.map_or(size, |written| {
            let block_bytes = written.block_bytes();
            (block_bytes - (begin - written.first()) % block_bytes) as usize
        });
        let end = (at + rest.max(size)).min(buffer.len());
        let mut block = CheckedBlocks::default();
        let mut is_partly_new = false;
        for unit in (at..end).step_by(size) {
            let Some(bytes) = buffer.get(unit..unit + size) else {
                break;
            };
            let told = expected.as_deref().map(|all| &all[unit..unit + size]);
            let place = offset + unit as u64;
            let answer = answer(proof, history, bytes, place, told, known);
            is_partly_new |= answer == Answer::Good;
            block.add(answer, place, units);
        }
        if is_partly_new {
            block.kinds.torn += block.kinds.stale + block.kinds.lost;
            (block.kinds.stale, block.kinds.lost) = (0, 0);
            if let Some(Wrong { kind, .. }) = &mut block.first_wrong
                && matches!(kind, WrongKind::Stale | WrongKind::Lost)
            {
                *kind = WrongKind::Torn;
            }
        }
        outcome.join(&block);
        at = end;
    }
    // Of a part of a piece nobody can say what it should hold.
    outcome.unwritten += (buffer.len().saturating_sub(at) / UNIT) as u64;
    outcome
}

impl CheckedBlocks {
    fn add(&mut self, answer: Answer, offset: u64, units: u64) {
        match answer {
            Answer::Good => self.blocks += units,
            Answer::Unknown => self.unwritten += units,
            Answer::Wrong(kind) => {
                self.blocks += units;
                self.note_many(kind, offset, units);
            }
        }
    }
}

fn known(written: &Written, offset: u64, byte: u64, seen: Seen<'_>) -> Option<Known> {
    let after = written.expected(byte)?;
    let before = match seen {
        Seen::Now => after,
        Seen::AtIssue(seen) => *seen.get(written.place(offset, byte)?)?,
    };
    Some(Known { before, after })
}

fn answer(
    proof: Proof,
    history: &History<'_>,
    unit: &[u8],
    offset: u64,
    told: Option<&[u8]>,
    known: Option<Known>,
) -> Answer {
    let found = proof.examine(unit, offset, told);
    if history.may_be_of_others && found.is_err() {
        return Answer::Unknown;
    }
    if let Some(answer) = history.unwritten(found, offset, known) {
        return answer;
    }
    let Some(written) = history.written else {
        return found.map_or_else(Answer::Wrong, |_| Answer::Good);
    };
    let Some(known) = known else {
        // Blocks that no account is kept of, within what the run writes or outside of it.
        return match found {
            Ok(_) => Answer::Good,
            Err(_) if written.holds(offset) && !written.was_stamped() => Answer::Unknown,
            Err(kind) => Answer::Wrong(kind),
        };
    };
    if known.before.is_anything() || known.after.is_anything() {
        return Answer::Unknown;
    }
    let before = known.before;
    match found {
        Ok(Some(stamp)) if before.is_settled() && !known.is_last(stamp, written) => {
            Answer::Wrong(older(stamp, written))
        }
        // Whichever of the writes came out on top, it is one of this run.
        Ok(Some(stamp)) if before.last() > 0 && !known.is_busy() && !written.made(stamp) => {
            Answer::Wrong(WrongKind::Lost)
        }
        // What the run laid out and nobody has written since.
        Ok(Some(stamp))
            if before.last() == 0
                && !known.is_busy()
                && written.was_laid(offset)
                && !written.may_have_laid(stamp) =>
        {
            Answer::Wrong(WrongKind::Lost)
        }
        Ok(_) => Answer::Good,
        // What is being written may be read by halves.
        Err(WrongKind::Corrupt | WrongKind::NotStamped | WrongKind::Zeros) if known.is_busy() => {
            Answer::Unknown
        }
        Err(kind) if before.last() == 0 && !written.was_stamped() => {
            never_written(kind, proof.told(unit), written)
        }
        // What nobody laid out may have been zeros before.
        Err(WrongKind::Zeros) if !written.was_stamped() => Answer::Wrong(WrongKind::Lost),
        Err(kind) => Answer::Wrong(kind),
    }
}

/// What is not the last acknowledged write.
fn older(stamp: Stamp, written: &Written) -> WrongKind {
    if written.made(stamp) {
        WrongKind::Stale
    } else {
        // The layout, or another run.
        WrongKind::Lost
    }
}

/// A block that this run has not written holds whatever it held, but for what the run wrote
/// elsewhere.
fn never_written(kind: WrongKind, told: Stamp, written: &Written) -> Answer {
    match kind {
        WrongKind::Misplaced { .. } if written.made(told) => Answer::Wrong(kind),
        _ => Answer::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Mark, generation, stamp};
    use super::*;
    use fathom_core::Nanos;

    const RUN: u64 = 0xfeed_0001;
    const OTHER: u64 = 0xfeed_0002;
    const DAY: u64 = 86_400_000_000_000 >> 9;

    fn mark(run: u64) -> Mark {
        Mark {
            run,
            seed: 1,
            salt: 0,
        }
    }

    /// An account of 64 KiB of which the block at 0 was written once; gives its number too.
    fn written() -> (Written, u64) {
        let written = Written::new((0, 64 << 10), 4096, 1 << 60, true).of_run(RUN);
        let mut seen = [Expected::default(); 2];
        let last = written.begin_write(0, 4096, Nanos(5000), &mut seen);
        written.end(0, 4096, true, &seen);
        (written, last)
    }

    fn block(run: u64, sequence: u64) -> Vec<u8> {
        let mut bytes = vec![7; 4096];
        let by = Stamp {
            generation: generation(1, 1),
            sequence,
            ..Stamp::laid(mark(run))
        };
        stamp(&mut bytes, 0, by);
        bytes
    }

    fn found(written: &Written, block: &[u8]) -> Option<WrongKind> {
        let proof = Proof::Stamps { seed: None };
        let outcome = judge(proof, written, block, 0, Seen::Now);
        assert_eq!(outcome.blocks + outcome.unwritten, 8);
        outcome.first_wrong.map(|wrong| wrong.kind)
    }

    #[test]
    fn a_settled_block_carries_the_stamp_that_was_acknowledged_last() {
        let (written, last) = written();
        let cases = [
            (RUN, last, None),
            (RUN, last - 1, Some(WrongKind::Stale)),
            (RUN, last + 1, Some(WrongKind::Stale)),
            // Of a run whose clock was behind, the same, or a day ahead.
            (OTHER, last - DAY, Some(WrongKind::Lost)),
            (OTHER, last, Some(WrongKind::Lost)),
            (OTHER, last + DAY, Some(WrongKind::Lost)),
            (0, last + DAY, Some(WrongKind::Lost)),
        ];
        for (run, sequence, expected) in cases {
            assert_eq!(
                found(&written, &block(run, sequence)),
                expected,
                "{run:x} {sequence}"
            );
        }
    }

    #[test]
    fn of_writes_under_way_at_once_the_run_must_have_made_one() {
        let (written, last) = written();
        let (mut one, mut other) = ([Expected::default(); 2], [Expected::default(); 2]);
        let first = written.begin_write(0, 4096, Nanos(9000), &mut one);
        written.begin_write(0, 4096, Nanos(9000), &mut other);
        written.end(0, 4096, true, &one);
        written.end(0, 4096, true, &other);
        assert_eq!(found(&written, &block(RUN, first)), None);
        assert_eq!(
            found(&written, &block(OTHER, last + DAY)),
            Some(WrongKind::Lost)
        );
    }

    #[test]
    fn what_the_run_laid_out_is_of_the_run() {
        let written = Written::new((0, 64 << 10), 4096, 1 << 60, true)
            .of_run(RUN)
            .laid((0, 64 << 10));
        let laid = |run| {
            let mut bytes = vec![7; 4096];
            stamp(&mut bytes, 0, Stamp::laid(mark(run)));
            bytes
        };
        assert_eq!(found(&written, &laid(RUN)), None);
        assert_eq!(found(&written, &laid(OTHER)), Some(WrongKind::Lost));
        assert_eq!(
            found(&written, &block(OTHER, 1 << 45)),
            Some(WrongKind::Lost)
        );
    }

    /// Accounts and blocks of versions without identities are held against their times.
    #[test]
    fn an_account_without_an_identity_goes_by_time() {
        let (written, last) = written();
        let written = written.of_run(0);
        assert_eq!(found(&written, &block(0, last)), None);
        assert_eq!(found(&written, &block(0, last + 1)), None);
        assert_eq!(found(&written, &block(0, 5)), Some(WrongKind::Lost));
    }
}
