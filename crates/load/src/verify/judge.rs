//! Blocks that were read, held against what was written.

use super::written::{Expected, Written};
use super::{Outcome, Proof, Stamp, UNIT, Wrong, WrongKind};

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
) -> Outcome {
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
) -> Outcome {
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
) -> Outcome {
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
) -> Outcome {
    let expected = proof.expected(buffer.len(), offset);
    let mut outcome = Outcome::default();
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
        let mut block = Outcome::default();
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

impl Outcome {
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
        Ok(Some(stamp)) if before.is_settled() && stamp.sequence < before.last() => {
            Answer::Wrong(older(stamp, written))
        }
        // Whichever of the writes came out on top, it is one of this run.
        Ok(Some(stamp))
            if before.last() > 0 && !known.is_busy() && stamp.sequence < written.began() =>
        {
            Answer::Wrong(WrongKind::Lost)
        }
        Ok(_) => Answer::Good,
        // What is being written may be read by halves.
        Err(WrongKind::Corrupt | WrongKind::NotStamped | WrongKind::Zeros) if known.is_busy() => {
            Answer::Unknown
        }
        Err(kind) if before.last() == 0 && !written.was_stamped() => {
            never_written(kind, proof.sequence(unit), written)
        }
        // What nobody laid out may have been zeros before.
        Err(WrongKind::Zeros) if !written.was_stamped() => Answer::Wrong(WrongKind::Lost),
        // Of a run that nobody kept account of.
        Err(WrongKind::ForeignSeed) if written.ended_before(Stamp::read(unit).sequence) => {
            Answer::Unknown
        }
        Err(kind) => Answer::Wrong(kind),
    }
}

/// What is older than the last acknowledged write.
fn older(stamp: Stamp, written: &Written) -> WrongKind {
    if stamp.sequence < written.began() {
        // The layout, or an earlier run.
        WrongKind::Lost
    } else {
        WrongKind::Stale
    }
}

/// A block that this run has not written holds whatever it held, but for what the run wrote
/// elsewhere.
fn never_written(kind: WrongKind, sequence: u64, written: &Written) -> Answer {
    let of_this_run = sequence >= written.began();
    match kind {
        WrongKind::Misplaced { .. } if of_this_run => Answer::Wrong(kind),
        _ => Answer::Unknown,
    }
}
