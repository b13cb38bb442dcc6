//! What a run has written where: for each block, the write that was acknowledged last.
//!
//! A block that carries a description of its own and a right checksum may still be an old one. So a
//! run keeps, for each block of a target, the number of the write that was handed out last
//! (`sequence`, which is in the block too), and whether it is settled: acknowledged, with no other
//! write under way at the same time. What is older than a settled write is stale. Of writes that
//! are under way at once either may come out on top, and while they are, what was there before is
//! right as well; so nothing is said of their age until one comes alone.
//!
//! The numbers are times, of the day in 512 ns, but at least one more than the last of the block:
//! so those of two threads are never out of order. Clocks are set, so the numbers of two runs say
//! nothing about which came first: a settled block must carry the identity of the run and exactly
//! the number of the last write.
//!
//! An account costs 8 bytes a block, and all accounts of a run [`MOST_BLOCKS`] times 8 bytes
//! ([`shares`]). Of a target with more blocks than its share only each second, fourth, … block is
//! kept, and the others are held against their own description alone.

use super::Stamp;
use fathom_core::Nanos;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Blocks of all targets of a run that are kept at most: 256 MiB of memory.
pub const MOST_BLOCKS: u64 = 1 << 25;
/// Blocks of which one word keeps a bit each.
const BITS: u64 = u64::BITS as u64;
/// Of shorter blocks no account is kept.
const LEAST_BLOCK_BYTES: u64 = 16;

/// Nanoseconds of a tick of the sequence, as a power of two: 512 ns.
const TICK_BITS: u32 = 9;
const SEQUENCE_BITS: u32 = 52;
const SEQUENCE: u64 = (1 << SEQUENCE_BITS) - 1;
/// The largest number of a write.
pub(super) const MOST_SEQUENCE: u64 = SEQUENCE;
const ONE_UNDER_WAY: u64 = 1 << SEQUENCE_BITS;
const UNDER_WAY: u64 = ((1 << 10) - 1) << SEQUENCE_BITS;
/// The last write was alone, and was acknowledged.
const SETTLED: u64 = 1 << 62;
/// Anything may be there: a trim, or a request that failed.
const ANYTHING: u64 = 1 << 63;

/// What is known of one block at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected(u64);

impl Expected {
    pub(super) const fn from_word(word: u64) -> Self {
        Self(word)
    }

    /// The last write that was handed out; 0 where there was none.
    pub const fn last(self) -> u64 {
        self.0 & SEQUENCE
    }

    /// Whether the last write is there, and no older one is right.
    pub const fn is_settled(self) -> bool {
        self.0 & SETTLED != 0
    }

    /// Whether a write or trim is under way.
    pub const fn is_busy(self) -> bool {
        self.0 & UNDER_WAY != 0
    }

    /// Whether the content is unknown.
    pub const fn is_anything(self) -> bool {
        self.0 & ANYTHING != 0
    }

    /// Whether the only one that is under way is the last.
    const fn is_alone(self) -> bool {
        self.0 & UNDER_WAY == ONE_UNDER_WAY
    }

    /// Once more under way, with this number. Where no more can be counted, nothing is known from
    /// then on.
    const fn entered(self, sequence: u64) -> Self {
        let kept = self.0 & !SEQUENCE & !SETTLED | sequence;
        Self(if self.0 & UNDER_WAY == UNDER_WAY {
            kept | ANYTHING
        } else {
            kept + ONE_UNDER_WAY
        })
    }

    /// Once less under way.
    const fn left(self) -> Self {
        Self(self.0 - if self.is_busy() { ONE_UNDER_WAY } else { 0 })
    }
}

/// What of a closed account is not a word for each block.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClosedParts {
    pub(super) range: (u64, u64),
    pub(super) block_bytes: u64,
    pub(super) every: u64,
    pub(super) began: u64,
    pub(super) ended: u64,
    pub(super) was_stamped: bool,
    pub(super) run: u64,
}

/// What each of several targets may keep of at most `most` blocks: small ones all of theirs, and
/// the others the same.
pub fn shares(blocks: &[u64], most: u64) -> Vec<u64> {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|index| blocks[*index]);
    let mut shares = vec![0; blocks.len()];
    let mut left = most;
    for (done, index) in order.into_iter().enumerate() {
        shares[index] = blocks[index].min(left / (blocks.len() - done) as u64);
        left -= shares[index];
    }
    shares
}

/// The blocks of a run's target.
#[derive(Debug)]
pub struct Written {
    /// The first byte that is kept, and the first that is not any more.
    range: (u64, u64),
    block_bytes: u64,
    /// The account has one of this number of blocks.
    every: u64,
    blocks: Box<[AtomicU64]>,
    /// What is to be added to an instant of the run's clock.
    base_ns: u64,
    /// The sequence at which the run began.
    began: u64,
    /// Identity of the run; 0 of one that had none.
    run: u64,
    /// Whether all of it described itself before the run began.
    was_stamped: bool,
    /// Whether jobs of the run write blocks of different forms to it.
    has_many_forms: bool,
    /// From the first to the last byte that the layout of the run wrote.
    laid: (u64, u64),
    /// The sequence at which the account was closed; 0 while the run goes on.
    ended: u64,
    /// A bit for each block: whether it was read back since it was written last. Empty where nobody
    /// asks.
    reread: Box<[AtomicU64]>,
    /// A bit for each block, kept or not: whether it was written, and neither lost nor read back
    /// since. Empty where a word for each block says so.
    places: Box<[AtomicU64]>,
    /// Whether a write was not of whole blocks, so that its content is unknown.
    is_vague: AtomicBool,
}

impl Written {
    /// For a target without written blocks, with at most [`MOST_BLOCKS`] blocks. Requests begin and
    /// end at multiples of `block_bytes` from the start of the range. If the account would be as
    /// large as the range, nothing is kept. `base_ns` is the time of day at the instant 0 of the
    /// clock.
    pub fn new(range: (u64, u64), block_bytes: u64, base_ns: u64, was_stamped: bool) -> Self {
        Self::within(MOST_BLOCKS, range, block_bytes, base_ns, was_stamped)
    }

    /// Blocks of a range, if an account of it is kept.
    pub const fn blocks_in(range: (u64, u64), block_bytes: u64) -> u64 {
        if block_bytes >= LEAST_BLOCK_BYTES {
            range.1.saturating_sub(range.0).div_ceil(block_bytes)
        } else {
            0
        }
    }

    /// The same with a limit of blocks, or of their memory.
    pub fn within(
        most: u64,
        range: (u64, u64),
        block_bytes: u64,
        base_ns: u64,
        was_stamped: bool,
    ) -> Self {
        let all = Self::blocks_in(range, block_bytes);
        // A bit for each block where not all are kept; without them all of the target is read back.
        let words = all.div_ceil(BITS);
        let has_places = all > most && words <= most / 2;
        let room = most - if has_places { words } else { 0 };
        let mut every = 1;
        while all.div_ceil(every) > room.max(1) {
            every *= 2;
        }
        let blocks = (0..all.div_ceil(every)).map(|_| AtomicU64::new(0));
        let base_ns = base_ns.max(1 << TICK_BITS);
        Self {
            range,
            block_bytes: block_bytes.max(1),
            every,
            blocks: blocks.collect(),
            base_ns,
            began: base_ns >> TICK_BITS,
            run: 0,
            was_stamped,
            has_many_forms: false,
            laid: (0, 0),
            ended: 0,
            reread: Box::default(),
            places: bits(if has_places { all } else { 0 }),
            is_vague: AtomicBool::new(false),
        }
    }

    /// An account of the places alone that are written, with a bit for each block.
    pub fn of_places(range: (u64, u64), block_bytes: u64) -> Self {
        let none = Self::new((range.0, range.0), block_bytes, 0, false);
        let fits = block_bytes >= LEAST_BLOCK_BYTES;
        let all = range.1.saturating_sub(range.0).div_ceil(none.block_bytes);
        Self {
            range,
            places: bits(if fits { all } else { 0 }),
            ..none
        }
    }

    /// Whether it tells all places that were written, and no others.
    pub fn tells_places(&self) -> bool {
        let keeps = !self.places.is_empty() || !self.blocks.is_empty() && self.every == 1;
        keeps && !self.is_vague.load(Ordering::Acquire)
    }

    /// The same of the run with this identity.
    #[must_use]
    pub const fn of_run(mut self, run: u64) -> Self {
        self.run = run;
        self
    }

    /// Identity of the run; 0 of one that had none.
    pub const fn run(&self) -> u64 {
        self.run
    }

    /// Forgets which places were written, where nothing tells when: what follows has nothing to do
    /// with it.
    pub fn forget_places(&self) {
        for word in &self.places {
            word.store(0, Ordering::Release);
        }
    }

    /// Notes whether the blocks of a range are written.
    #[cold]
    fn mark(&self, offset: u64, len: u64, is_written: bool) {
        let begin = offset.max(self.range.0) - self.range.0;
        let end = offset.saturating_add(len).clamp(self.range.0, self.range.1) - self.range.0;
        for number in begin / self.block_bytes..end.div_ceil(self.block_bytes) {
            let (word, bit) = (&self.places[(number / 64) as usize], 1 << (number % 64));
            if is_written {
                word.fetch_or(bit, Ordering::AcqRel);
            } else {
                word.fetch_and(!bit, Ordering::AcqRel);
            }
        }
    }

    /// The same of a target to which jobs of the run write blocks of different forms, if they do.
    #[must_use]
    pub const fn in_many_forms(mut self, they_do: bool) -> Self {
        self.has_many_forms = they_do;
        self
    }

    /// The same, keeping account of what is read back before the end.
    #[must_use]
    pub fn noting_rereads(mut self) -> Self {
        self.reread = bits(self.blocks.len() as u64);
        self
    }

    /// The same of a target of which the run has laid out this part, so that nobody's writes are
    /// there yet.
    #[must_use]
    pub const fn laid(mut self, part: (u64, u64)) -> Self {
        self.laid = part;
        self
    }

    /// Whether the layout of the run wrote a byte.
    pub const fn was_laid(&self, offset: u64) -> bool {
        self.laid.0 <= offset && offset < self.laid.1
    }

    /// Notes that all of a write is read back, and need not be at the end.
    pub fn reread(&self, offset: u64, len: u32) {
        if self.reread.is_empty() || !self.is_whole(offset, len.into()) {
            return;
        }
        if !self.places.is_empty() {
            self.mark(offset, len.into(), false);
        }
        for number in self.kept(offset, len.into()) {
            self.reread[number / 64].fetch_or(1 << (number % 64), Ordering::AcqRel);
        }
    }

    /// Notes that blocks are written again.
    #[cold]
    fn forget_rereads(&self, kept: std::ops::Range<usize>) {
        for number in kept {
            self.reread[number / 64].fetch_and(!(1 << (number % 64)), Ordering::AcqRel);
        }
    }

    fn was_reread(&self, number: usize) -> bool {
        let word = self.reread.get(number / 64);
        word.is_some_and(|word| word.load(Ordering::Acquire) >> (number % 64) & 1 == 1)
    }

    pub(super) const fn parts(&self) -> ClosedParts {
        ClosedParts {
            range: self.range,
            block_bytes: self.block_bytes,
            every: self.every,
            began: self.began,
            ended: self.ended,
            was_stamped: self.was_stamped,
            run: self.run,
        }
    }

    /// A closed account with these words for its blocks; none if they do not fit.
    pub(super) fn from_parts(
        parts: &ClosedParts,
        words: impl Iterator<Item = u64>,
    ) -> Option<Self> {
        let &ClosedParts { range, .. } = parts;
        if parts.block_bytes == 0 || parts.every == 0 || range.0 > range.1 {
            return None;
        }
        let all = (range.1 - range.0).div_ceil(parts.block_bytes);
        let blocks: Box<[AtomicU64]> = words.map(AtomicU64::new).collect();
        let is_whole = blocks.is_empty() || blocks.len() as u64 == all.div_ceil(parts.every);
        is_whole.then_some(Self {
            range,
            block_bytes: parts.block_bytes,
            every: parts.every,
            blocks,
            base_ns: 1 << TICK_BITS,
            began: parts.began,
            run: parts.run,
            has_many_forms: false,
            was_stamped: parts.was_stamped,
            laid: (0, 0),
            ended: parts.ended,
            reread: Box::default(),
            places: Box::default(),
            is_vague: AtomicBool::new(false),
        })
    }

    /// How many blocks are kept.
    pub const fn count(&self) -> u64 {
        self.blocks.len() as u64
    }

    /// A word for each kept block as the last write leaves it. Where one is under way it may leave
    /// anything.
    pub(super) fn settled_words(&self) -> Vec<u64> {
        let words = self.blocks.iter().map(|block| {
            let word = block.load(Ordering::Acquire);
            if Expected(word).is_busy() {
                word & !UNDER_WAY & !SETTLED | ANYTHING
            } else {
                word
            }
        });
        words.collect()
    }

    /// What a write at an instant of the run's clock carries.
    #[inline]
    pub const fn sequence(&self, now: Nanos) -> u64 {
        ((self.base_ns + now.0) >> TICK_BITS) & SEQUENCE
    }

    /// The sequence of the first write that can be of this run.
    pub const fn began(&self) -> u64 {
        self.began
    }

    /// That the run began at an instant of its clock.
    #[must_use]
    pub const fn beginning_at(mut self, now: Nanos) -> Self {
        self.began = self.sequence(now);
        self
    }

    /// Whether a write of the run left this stamp, and no layout.
    pub const fn made(&self, stamp: Stamp) -> bool {
        stamp.run == self.run && stamp.sequence >= self.began
    }

    /// Whether a run other than this one left a stamp, after this one or with an identity.
    pub const fn is_of_other(&self, stamp: Stamp) -> bool {
        stamp.run != self.run || self.run == 0 && self.ended_before(stamp.sequence)
    }

    /// Whether a write of the run must be there, and of no other.
    pub fn must_hold(&self, offset: u64) -> bool {
        let found = self.expected(offset).filter(|_| self.run != 0);
        found.is_some_and(|found| found.last() > 0 && !found.is_anything())
    }

    /// Whether the layout of the run may have left this stamp, or others that write for the run.
    /// A stamp that has room for an identity must have it.
    pub(super) const fn may_have_laid(&self, stamp: Stamp) -> bool {
        stamp.run == self.run || stamp.run == 0 && stamp.is_laid()
    }

    /// Whether a sequence is of a time after the run; never while it goes on.
    pub const fn ended_before(&self, sequence: u64) -> bool {
        self.ended > 0 && sequence > self.ended
    }

    /// Of how many blocks one is kept.
    pub const fn every(&self) -> u64 {
        self.every
    }

    /// Whether all of it described itself before the run began.
    pub const fn was_stamped(&self) -> bool {
        self.was_stamped
    }

    /// Whether jobs of the run write blocks of different forms, so that one that is right to its
    /// writer may be wrong to a reader.
    pub const fn has_many_forms(&self) -> bool {
        self.has_many_forms
    }

    /// The first byte of the first block.
    pub const fn first(&self) -> u64 {
        self.range.0
    }

    pub const fn block_bytes(&self) -> u64 {
        self.block_bytes
    }

    /// The most blocks that a request of `bytes` bytes has.
    pub const fn blocks_of(&self, bytes: u64) -> usize {
        if self.blocks.is_empty() {
            0
        } else {
            bytes.div_ceil(self.block_bytes) as usize + 1
        }
    }

    /// Whether the byte is one that is kept account of.
    pub fn holds(&self, offset: u64) -> bool {
        !self.blocks.is_empty() && (self.range.0..self.range.1).contains(&offset)
    }

    /// Numbers of the kept blocks of a range.
    #[inline]
    fn kept(&self, offset: u64, len: u64) -> std::ops::Range<usize> {
        let begin = offset.max(self.range.0) - self.range.0;
        let end = (offset + len).clamp(self.range.0, self.range.1) - self.range.0;
        let first = (begin / self.block_bytes).div_ceil(self.every);
        let last = end.div_ceil(self.block_bytes).div_ceil(self.every);
        let most = self.blocks.len() as u64;
        first.min(most) as usize..last.min(most) as usize
    }

    /// What is known of the block of a byte; none where it is not kept.
    #[inline]
    pub fn expected(&self, offset: u64) -> Option<Expected> {
        let number = self.number(offset)?;
        Some(Expected(self.blocks[number].load(Ordering::Acquire)))
    }

    /// The parts of a range that were written by this run from an instant of its clock on, and
    /// neither lost nor read back since, from byte to length.
    pub fn runs(&self, range: &std::ops::Range<u64>, since: Nanos) -> Vec<(u64, u64)> {
        let mut runs: Vec<(u64, u64)> = Vec::new();
        let (begin, end) = (range.start.max(self.range.0), range.end.min(self.range.1));
        for number in self.written_numbers(since) {
            let first = self.range.0 + number * self.block_bytes;
            let (from, to) = (first.max(begin), (first + self.block_bytes).min(end));
            if from >= to {
                continue;
            }
            match runs.last_mut() {
                Some((start, len)) if *start + *len == from => *len += to - from,
                _ => runs.push((from, to - from)),
            }
        }
        runs
    }

    /// Numbers of the blocks that were written from an instant on, in their order.
    fn written_numbers(&self, since: Nanos) -> Box<dyn Iterator<Item = u64> + '_> {
        if self.places.is_empty() {
            let all = self.blocks.iter().enumerate();
            let first = self.sequence(since).max(1);
            let written = all.filter(move |(number, block)| {
                let found = Expected(block.load(Ordering::Acquire));
                found.last() >= first && !found.is_anything() && !self.was_reread(*number)
            });
            return Box::new(written.map(|(number, _)| number as u64));
        }
        let words = (0..).zip(&self.places);
        Box::new(words.flat_map(|(index, word): (u64, &AtomicU64)| {
            let word = word.load(Ordering::Acquire);
            let is_set = move |bit: &u64| word >> bit & 1 == 1;
            (0..64).filter(is_set).map(move |bit| index * 64 + bit)
        }))
    }

    #[inline]
    fn number(&self, offset: u64) -> Option<usize> {
        if !self.holds(offset) {
            return None;
        }
        let block = (offset - self.range.0) / self.block_bytes;
        let is_kept = block.is_multiple_of(self.every);
        is_kept.then_some((block / self.every) as usize)
    }

    /// Place of the block of a byte among those of a request that begins at `offset`.
    #[inline]
    pub fn place(&self, offset: u64, byte: u64) -> Option<usize> {
        let number = self.number(byte)?;
        Some(number - self.kept(offset, 1.max(byte - offset)).start.min(number))
    }

    /// Notes into `seen` what is known of the blocks of a read that begins.
    #[inline]
    pub fn begin_read(&self, offset: u64, len: u32, seen: &mut [Expected]) {
        let kept = self.kept(offset, len.into());
        for (block, seen) in self.blocks[kept].iter().zip(seen) {
            *seen = Expected(block.load(Ordering::Acquire));
        }
    }

    /// Notes that a write begins, and into `seen` how its blocks are from then on; gives its
    /// number.
    #[inline]
    pub fn begin_write(&self, offset: u64, len: u32, now: Nanos, seen: &mut [Expected]) -> u64 {
        let mut sequence = self.sequence(now);
        if !self.places.is_empty() {
            self.mark(offset, len.into(), true);
        }
        let kept = self.kept(offset, len.into());
        if !self.reread.is_empty() {
            self.forget_rereads(kept.clone());
        }
        for (block, seen) in self.blocks[kept.clone()].iter().zip(&mut *seen) {
            *seen = Self::change(block, |was| {
                sequence = sequence.max(was.last() + 1);
                was.entered(sequence)
            });
        }
        // The number only grew on the way: the last block has it if all have.
        let mut numbered = seen.iter().take(kept.len());
        if numbered.any(|seen| seen.last() != sequence) {
            self.raise(kept, sequence, seen);
        }
        sequence
    }

    /// Gives blocks of a write that got smaller numbers than others of its blocks the same number.
    #[cold]
    fn raise(&self, kept: std::ops::Range<usize>, sequence: u64, seen: &mut [Expected]) {
        for (block, seen) in self.blocks[kept].iter().zip(seen) {
            let mut is_alone = seen.is_alone();
            let raised = Self::change(block, |was| {
                is_alone &= was.last() == seen.last();
                // Of another write that has begun meanwhile none may come to have this number.
                Expected(was.0 & !SEQUENCE | was.last().max(sequence))
            });
            // Who has been here meanwhile may have left it by now.
            *seen = Expected(raised.0 | if is_alone { 0 } else { UNDER_WAY });
        }
    }

    /// Notes that a trim begins: until a later write anything is right.
    #[inline]
    pub fn begin_trim(&self, offset: u64, len: u32, now: Nanos, seen: &mut [Expected]) {
        self.begin_write(offset, len, now, seen);
        self.lose(offset, len);
    }

    /// Notes that a write or trim has ended that left its blocks as `seen` when it began;
    /// `is_good` if it is a write that was acknowledged whole.
    #[inline]
    pub fn end(&self, offset: u64, len: u32, is_good: bool, seen: &[Expected]) {
        // Parts of blocks that a write covers are not distinguished.
        let is_whole = self.is_whole(offset, len.into());
        if is_good && !is_whole {
            self.is_vague.store(true, Ordering::Release);
        }
        let is_good = is_good && is_whole;
        let kept = self.kept(offset, len.into());
        // What was read back meanwhile may be what was there before.
        if is_good && !self.reread.is_empty() {
            self.forget_rereads(kept.clone());
            if !self.places.is_empty() {
                self.mark(offset, len.into(), true);
            }
        }
        for (block, seen) in self.blocks[kept].iter().zip(seen) {
            Self::change(block, |was| {
                let is_last = seen.is_alone() && was.last() == seen.last();
                match was.left() {
                    Expected(left) if is_good && is_last => Expected(left & !ANYTHING | SETTLED),
                    left => left,
                }
            });
        }
        if !is_good {
            self.lose(offset, len);
        }
    }

    /// Whether a request is of whole blocks, of which that at the end may be a shorter one.
    const fn is_whole(&self, offset: u64, len: u64) -> bool {
        let into = offset.wrapping_sub(self.range.0);
        let ends = len.is_multiple_of(self.block_bytes) || offset.wrapping_add(len) == self.range.1;
        into.is_multiple_of(self.block_bytes) && ends
    }

    /// Notes that nobody can say what is in these blocks any more.
    fn lose(&self, offset: u64, len: u32) {
        if !self.places.is_empty() {
            self.mark(offset, len.into(), false);
        }
        for block in &self.blocks[self.kept(offset, len.into())] {
            // With a number of its own, so that no write that is under way settles it.
            Self::change(block, |Expected(was)| {
                let next = ((was & SEQUENCE) + 1) & SEQUENCE;
                Expected(was & !SEQUENCE & !SETTLED | ANYTHING | next)
            });
        }
    }

    /// The content afterwards.
    #[inline]
    fn change(block: &AtomicU64, mut change: impl FnMut(Expected) -> Expected) -> Expected {
        let mut was = block.load(Ordering::Relaxed);
        loop {
            let changed = change(Expected(was));
            let order = (Ordering::AcqRel, Ordering::Relaxed);
            match block.compare_exchange_weak(was, changed.0, order.0, order.1) {
                Ok(_) => return changed,
                Err(found) => was = found,
            }
        }
    }
}

/// A bit for each of `blocks` blocks, none of them set.
fn bits(blocks: u64) -> Box<[AtomicU64]> {
    (0..blocks.div_ceil(BITS))
        .map(|_| AtomicU64::new(0))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> Written {
        Written::new((4096, 4096 + (64 << 10)), 4096, 0, false)
    }

    fn at(micros: u64) -> Nanos {
        Nanos(micros * 1000)
    }

    /// The number of the last write of a block, if it is settled.
    fn settled(written: &Written, offset: u64) -> Option<u64> {
        let found = written.expected(offset).expect("it is kept");
        found.is_settled().then_some(found.last())
    }

    #[test]
    fn what_was_read_back_is_left_out_until_it_is_written_again() {
        let written = written().noting_rereads();
        let mut seen = [Expected::default(); 4];
        for offset in [8192, 12288, 16384] {
            written.begin_write(offset, 4096, at(10), &mut seen);
            written.end(offset, 4096, true, &seen);
        }
        let all = 4096..(64 << 10);
        assert_eq!(written.runs(&all, Nanos::ZERO), [(8192, 12288)]);
        written.reread(12288, 4096);
        assert_eq!(
            written.runs(&all, Nanos::ZERO),
            [(8192, 4096), (16384, 4096)]
        );
        // Of a part of a block nothing is known.
        written.reread(8192, 512);
        assert_eq!(
            written.runs(&all, Nanos::ZERO),
            [(8192, 4096), (16384, 4096)]
        );
        written.begin_write(12288, 4096, at(20), &mut seen);
        written.end(12288, 4096, true, &seen);
        assert_eq!(written.runs(&all, Nanos::ZERO), [(8192, 12288)]);
    }

    /// What is read while a block is written again may be what it held before.
    #[test]
    fn what_was_read_back_during_a_write_is_read_again() {
        for account in [
            written(),
            Written::of_places((4096, 4096 + (64 << 10)), 4096),
        ] {
            let written = Written {
                reread: bits(16),
                ..account
            };
            let mut seen = [Expected::default(); 4];
            written.begin_write(8192, 4096, at(10), &mut seen);
            written.end(8192, 4096, true, &seen);
            written.begin_write(8192, 4096, at(20), &mut seen);
            written.reread(8192, 4096);
            let all = 4096..(64 << 10);
            assert_eq!(written.runs(&all, Nanos::ZERO), []);
            written.end(8192, 4096, true, &seen);
            assert_eq!(written.runs(&all, Nanos::ZERO), [(8192, 4096)]);
        }
    }

    #[test]
    fn a_write_alone_settles_its_blocks() {
        let written = written();
        let mut seen = [Expected::default(); 4];
        let sequence = written.begin_write(8192, 8192, at(10), &mut seen);
        assert!(written.expected(8192).expect("kept").is_busy());
        written.end(8192, 8192, true, &seen);
        let found: Vec<_> = (1..5).map(|n| settled(&written, n * 4096)).collect();
        assert_eq!(found, [None, Some(sequence), Some(sequence), None]);
        assert_eq!(sequence, written.sequence(at(10)));
        assert_eq!(written.expected(0), None);
        assert_eq!(written.expected(68 << 10), None);
    }

    #[test]
    fn numbers_rise_whatever_the_clocks_of_threads_say() {
        let written = written();
        let mut seen = [Expected::default(); 2];
        let first = written.begin_write(4096, 4096, at(20), &mut seen);
        written.end(4096, 4096, true, &seen);
        let second = written.begin_write(4096, 4096, at(10), &mut seen);
        written.end(4096, 4096, true, &seen);
        assert_eq!(second, first + 1);
        assert_eq!(settled(&written, 4096), Some(second));
    }

    #[test]
    fn of_writes_under_way_at_once_either_is_right() {
        let written = written();
        let (mut first, mut second) = ([Expected::default(); 2], [Expected::default(); 2]);
        for first_ends_first in [true, false] {
            written.begin_write(4096, 4096, at(10), &mut first);
            written.begin_write(4096, 4096, at(10), &mut second);
            let ends = if first_ends_first {
                [&first, &second]
            } else {
                [&second, &first]
            };
            for seen in ends {
                written.end(4096, 4096, true, seen);
                assert_eq!(settled(&written, 4096), None);
            }
            assert!(!written.expected(4096).expect("kept").is_busy());
        }
        let third = written.begin_write(4096, 4096, at(10), &mut first);
        written.end(4096, 4096, true, &first);
        assert_eq!(settled(&written, 4096), Some(third));
    }

    #[test]
    fn after_a_trim_or_a_failure_anything_is_right_until_the_next_write() {
        let written = written();
        let (mut early, mut seen) = ([Expected::default(); 2], [Expected::default(); 2]);
        for fails in [true, false] {
            written.begin_write(4096, 4096, at(20), &mut early);
            if fails {
                written.begin_write(4096, 4096, at(30), &mut seen);
            } else {
                written.begin_trim(4096, 4096, at(30), &mut seen);
            }
            written.end(4096, 4096, false, &seen);
            // A write that began before it does not settle anything.
            written.end(4096, 4096, true, &early);
            assert!(written.expected(4096).expect("kept").is_anything());
            let last = written.begin_write(4096, 4096, at(40), &mut seen);
            written.end(4096, 4096, true, &seen);
            let found = written.expected(4096).expect("kept");
            assert_eq!((found.is_anything(), found.is_busy()), (false, false));
            assert_eq!(settled(&written, 4096), Some(last));
        }
    }

    #[test]
    fn more_than_can_be_counted_are_not_judged() {
        let written = written();
        let mut seen = [Expected::default(); 2];
        for _ in 0..1100 {
            written.begin_write(4096, 4096, at(1), &mut seen);
        }
        for _ in 0..1100 {
            written.end(4096, 4096, true, &seen);
        }
        let found = written.expected(4096).expect("kept");
        assert_eq!((found.is_anything(), found.is_busy()), (true, false));
    }

    #[test]
    fn a_large_target_keeps_some_blocks() {
        let size = (MOST_BLOCKS + 1) * 512;
        let written = Written::new((0, size), 512, 0, false);
        let kept = written.blocks.len() as u64;
        assert_eq!((written.every, kept), (2, MOST_BLOCKS / 2 + 1));
        let mut seen = [Expected::default(); 9];
        let sequence = written.begin_write(512, 4096, at(1), &mut seen);
        written.end(512, 4096, true, &seen);
        let found: Vec<Option<u64>> = (0..10)
            .map(|block| written.expected(block * 512).map(Expected::last))
            .collect();
        let one = Some(sequence);
        assert_eq!(
            found,
            [Some(0), None, one, None, one, None, one, None, one, None]
        );
        assert_eq!(written.place(512, 1024), Some(0));
        assert_eq!(written.place(512, 2048), Some(1));
    }

    /// Where only some blocks are kept, all places are told all the same.
    #[test]
    fn the_places_of_a_large_target_are_told_one_by_one() {
        let size = (MOST_BLOCKS + 1) * 512;
        let sampled = Written::new((0, size), 512, 0, false);
        for written in [sampled, Written::of_places((0, size), 512)] {
            let mut seen = [Expected::default(); 9];
            for (offset, is_good) in [(512, true), (1024, true), (3072, true), (4096, false)] {
                written.begin_write(offset, 512, at(1), &mut seen);
                written.end(offset, 512, is_good, &seen);
            }
            assert_eq!(
                written.runs(&(0..size), Nanos::ZERO),
                [(512, 1024), (3072, 512)]
            );
            assert!(written.tells_places());
            written.begin_write(8192, 700, at(1), &mut seen);
            written.end(8192, 700, true, &seen);
            assert!(!written.tells_places());
        }
    }

    /// A long write has one number in all of its blocks, and its stamp is what they must carry.
    #[test]
    fn a_long_write_has_one_number() {
        let written = written();
        let mut seen = [Expected::default(); 4];
        written.begin_write(8192, 4096, at(90), &mut seen);
        written.end(8192, 4096, true, &seen);
        let number = written.begin_write(4096, 12288, at(10), &mut seen);
        written.end(4096, 12288, true, &seen);
        let found: Vec<_> = (1..4).map(|n| settled(&written, n * 4096)).collect();
        assert_eq!(found, [Some(number); 3]);
    }

    #[test]
    fn accounts_share_their_memory() {
        assert_eq!(shares(&[5, 100, 100], 105), [5, 50, 50]);
        assert_eq!(shares(&[100, 5, 0], 1000), [100, 5, 0]);
        assert_eq!(shares(&[], 7), [0; 0]);
        // Half of a target's words, of which one in 64 is for the bits of all blocks.
        let half = Written::within(512, (0, 4096 << 10), 4096, 0, false);
        assert_eq!(
            (half.every, half.blocks.len(), half.places.len()),
            (4, 256, 16)
        );
        // Bits that took most of the memory are not kept.
        let tiny = Written::within(16, (0, 4096 << 10), 4096, 0, false);
        assert_eq!(
            (tiny.every, tiny.blocks.len(), tiny.places.len()),
            (64, 16, 0)
        );
        assert!(half.tells_places() && !tiny.tells_places());
    }
}
