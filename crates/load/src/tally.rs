//! What a worker writes down: thread-owned, handed over once an interval.

use crate::shared::Shared;
use crate::timeline::{IntervalPlace, Timeline};
use fathom_core::interval::{Interval, Part, slices_of};
use fathom_core::result::ErrorTally;
use fathom_core::slowest::SlowIo;
use fathom_core::{Nanos, Op};
use rtrb::{Consumer, Producer, RingBuffer};

/// Intervals that go round between a worker and its observer.
const CIRCULATING: usize = 3;
/// Kept back for the next two ends of parts, which must not be blurred.
const RESERVED: usize = 2;
/// When a hand-over that must not be put off is tried again.
const SOON: Nanos = Nanos::from_millis(1);
/// Kinds of errors that are counted separately; more are counted with the last.
const ERROR_KINDS: usize = 32;
/// Errors of one kind seen by one worker.
#[derive(Clone, Debug)]
pub struct ErrorCount {
    /// What failed.
    pub op: Op,
    /// Number of the failure (see `fathom_engine::Failure`), positive; 0 for failed verification.
    pub errno: i32,
    /// Number of the target.
    pub target: u16,
    /// How often.
    pub count: u64,
    offsets: Vec<u64>,
}

impl ErrorCount {
    /// Offsets of the first ones.
    pub fn first_offsets(&self) -> &[u64] {
        &self.offsets
    }
}

/// Targets of a worker of whose wrong blocks many are kept; of others as many as of other errors.
const MANY_WRONG: usize = 4;

/// Room for the offsets of errors.
#[derive(Debug)]
struct OffsetRoom {
    /// Each for those of wrong blocks.
    many: Vec<Vec<u64>>,
    /// Each for those of other errors.
    few: Vec<Vec<u64>>,
}

impl OffsetRoom {
    fn new() -> Self {
        let room = |errno| Vec::with_capacity(ErrorTally::offsets_kept(errno));
        Self {
            many: (0..MANY_WRONG).map(|_| room(0)).collect(),
            few: (0..ERROR_KINDS).map(|_| room(1)).collect(),
        }
    }

    /// Room for those of another kind of error.
    fn take(&mut self, errno: i32) -> Vec<u64> {
        let many = if errno == 0 { self.many.pop() } else { None };
        many.or_else(|| self.few.pop()).unwrap_or_default()
    }
}

/// The three stamps of a request.
#[derive(Clone, Copy, Debug)]
pub struct Age {
    /// When it was due to start.
    pub intended: Nanos,
    /// When it was handed to the engine.
    pub issued: Nanos,
    /// When it was found completed.
    pub now: Nanos,
}

/// The observer's end of the two rings.
#[derive(Debug)]
pub struct TallyLink {
    /// Full intervals, oldest first.
    pub full: Consumer<Box<Interval>>,
    /// Emptied ones, back to the worker.
    pub empty: Producer<Box<Interval>>,
}

/// Boxes, since that is how intervals travel.
type Reserve = Vec<Box<Interval>>;

/// One worker's book.
#[derive(Debug)]
pub struct Tally {
    current: Box<Interval>,
    place: IntervalPlace,
    /// Length of a slice.
    slice: Nanos,
    /// End of the current slice, or of the interval where no further slice is counted.
    edge: Nanos,
    /// Completions of the current interval that are in its slices.
    in_slices: u64,
    timeline: Timeline,
    /// How often the measured time has begun anew.
    full: Producer<Box<Interval>>,
    empty: Consumer<Box<Interval>>,
    /// Those that have come back, and those kept back.
    reserve: Reserve,
    /// Takes the place of the last interval when it is handed over: nothing is allocated then.
    parting: Option<Box<Interval>>,
    /// Integral of the number in flight over the current interval up to now, but for the time now
    /// times that number: each completion adds its instant, each issue takes its own away. In
    /// arithmetic that wraps, of which only the sum at the end of an interval has a meaning;
    /// 32,768 requests for 60 s fit 4,000 times.
    in_flight_ns: u64,
    errors: Vec<ErrorCount>,
    room: OffsetRoom,
    long_intervals: u64,
}

impl Tally {
    /// A book of intervals of this length, each of which `empty` makes with room for what is kept,
    /// and the observer's end of it.
    pub fn new(empty: impl Fn() -> Interval, interval: Nanos) -> (Self, TallyLink) {
        let make = || Box::new(empty());
        let capacity = CIRCULATING + RESERVED + 1;
        let (full, full_end) = RingBuffer::new(capacity);
        let (mut empty_end, empty) = RingBuffer::new(capacity);
        for _ in 1..CIRCULATING {
            empty_end
                .push(make())
                .expect("the ring has room for all intervals");
        }
        let mut reserve = Vec::with_capacity(capacity);
        reserve.extend((0..RESERVED).map(|_| make()));
        let timeline = Timeline {
            start: Nanos::ZERO,
            measure: Nanos::ZERO,
            measure_end: Nanos::MAX,
            load_end: Nanos::MAX,
            interval,
        };
        let tally = Self {
            current: make(),
            place: timeline.place(Nanos::ZERO),
            slice: slices_of(interval).1,
            edge: Nanos::ZERO,
            in_slices: 0,
            timeline,
            full,
            empty,
            reserve,
            parting: Some(Box::default()),
            in_flight_ns: 0,
            errors: Vec::with_capacity(ERROR_KINDS),
            room: OffsetRoom::new(),
            long_intervals: 0,
        };
        (
            tally,
            TallyLink {
                full: full_end,
                empty: empty_end,
            },
        )
    }

    /// Opens the first interval.
    pub fn begin(&mut self, timeline: Timeline) {
        self.timeline = timeline;
        self.enter(timeline.place(timeline.start));
    }

    fn enter(&mut self, place: IntervalPlace) {
        self.place = place;
        self.current.part = place.part;
        self.current.index = place.index;
        self.current.start = place.start;
        self.in_slices = 0;
        self.edge = self.slice_end();
    }

    /// End of the next slice; of the interval where that comes first or no slice fits any more.
    fn slice_end(&self) -> Nanos {
        let slices = &self.current.slices;
        if slices.len() == slices.capacity() {
            return self.place.end;
        }
        let end = self.slice.0.saturating_mul(slices.len() as u64 + 1);
        let end = self.place.start.saturating_add(Nanos(end));
        end.min(self.place.end)
    }

    /// Closes the slices that have ended at `now`.
    pub fn close_slices(&mut self, now: Nanos) {
        while now >= self.edge && self.current.slices.len() < self.current.slices.capacity() {
            let slices = self.current.slices.len() as u64 + 1;
            if self.edge.saturating_sub(self.place.start).0 < self.slice.0 * slices {
                return;
            }
            let ios = self.current.ios();
            let new = u32::try_from(ios - self.in_slices).unwrap_or(u32::MAX);
            self.current.slices.push(new);
            self.in_slices = ios;
            self.edge = self.slice_end();
        }
    }

    /// End of the current interval: the next instant at which [`roll`](Self::roll) is needed.
    #[inline]
    pub const fn boundary(&self) -> Nanos {
        self.place.end
    }

    /// The next instant at which a slice or the interval ends.
    #[inline]
    pub const fn edge(&self) -> Nanos {
        self.edge
    }

    /// The part that requests are counted in.
    #[inline]
    pub const fn part(&self) -> Part {
        self.place.part
    }

    /// The start of the measured time for this book.
    #[inline]
    pub const fn measure(&self) -> Nanos {
        self.timeline.measure
    }

    /// The end of the measured time that this book goes by.
    #[inline]
    pub const fn measure_end(&self) -> Nanos {
        self.timeline.measure_end
    }

    /// Takes over the bounds of the measured time as the workers of the phase know them now.
    pub fn set_times(&mut self, shared: &Shared) {
        let end = shared.measure_end();
        self.timeline.measure = shared.measure();
        self.timeline.measure_end = end;
        self.timeline.load_end = shared.load_end();
        if self.place.part != Part::CoolDown {
            self.place.end = self.place.end.min(end.max(self.place.start));
        }
        self.edge = self.slice_end();
    }

    /// `count` requests, whether they did what they were asked to or not, are in flight no more.
    #[inline]
    pub fn returned(&mut self, count: u32, now: Nanos) {
        let instants = u64::from(count).wrapping_mul(now.0);
        self.in_flight_ns = self.in_flight_ns.wrapping_add(instants);
    }

    /// `count` requests are in flight from now on.
    #[inline]
    pub fn sent(&mut self, count: u32, now: Nanos) {
        let instants = u64::from(count).wrapping_mul(now.0);
        self.in_flight_ns = self.in_flight_ns.wrapping_sub(instants);
    }

    /// Closes intervals that have ended at `now`, and hands them over, each with the arrivals that
    /// `due_before` says came due before its end since the one before it ended.
    #[inline(never)]
    pub fn roll(&mut self, in_flight: u32, now: Nanos, mut due_before: impl FnMut(Nanos) -> u64) {
        loop {
            self.close_slices(now);
            if now < self.place.end {
                break;
            }
            let end = self.place.end.max(self.place.start);
            let next = self.timeline.place(end.max(self.timeline.start));
            let is_edge = next.part != self.place.part;
            let Some(spare) = self.spare(is_edge) else {
                // The observer is late. Never wait for it: the interval becomes a long one.
                let place = self.timeline.place(now);
                let same_part = place.part == self.place.part;
                self.place.end = if same_part {
                    place.end
                } else {
                    self.part_end(now)
                };
                self.long_intervals += 1;
                self.edge = self.slice_end();
                continue;
            };
            self.due(due_before(end));
            let mut done = std::mem::replace(&mut self.current, spare);
            done.end = end;
            // Those in flight are taken out of this interval and put into the next.
            self.returned(in_flight, end);
            self.send(done);
            self.sent(in_flight, end);
            self.enter(next);
            self.current.in_flight_before = u64::from(in_flight);
        }
    }

    /// An empty interval. What comes back fills up the reserve first, from which only the edge of a
    /// part takes: there may be many where the measured time begins anew.
    fn spare(&mut self, is_edge: bool) -> Option<Box<Interval>> {
        while let Ok(back) = self.empty.pop() {
            self.reserve.push(back);
        }
        let kept = if is_edge { 0 } else { RESERVED };
        if self.reserve.len() > kept {
            self.reserve.pop()
        } else {
            None
        }
    }

    /// End of the current part, or a little after `now` when even the reserve is used up.
    fn part_end(&self, now: Nanos) -> Nanos {
        let end = match self.place.part {
            Part::WarmUp => self.timeline.measure.min(self.timeline.measure_end),
            Part::Measure => self.timeline.measure_end,
            Part::CoolDown => Nanos::MAX,
        };
        if end > now && end > self.place.end {
            end
        } else {
            now.saturating_add(SOON)
        }
    }

    fn send(&mut self, mut interval: Box<Interval>) {
        // What was issued after the end, by a turn that began before it, is in flight for less than
        // no time here. More than this interval can make up for is left to the next, which takes
        // the request for one in flight from its start.
        let in_flight_ns = self.in_flight_ns as i64;
        interval.in_flight_ns = u128::from(in_flight_ns.max(0).unsigned_abs());
        self.in_flight_ns = in_flight_ns.min(0) as u64;
        let ops = interval.ops.iter();
        interval.issued = ops
            .flat_map(|(_, op)| op)
            .map(|op| op.generation.count())
            .sum();
        // The ring holds every interval there is, so there is always room.
        let sent = self.full.push(interval);
        debug_assert!(
            sent.is_ok(),
            "the ring of full intervals has room for all of them"
        );
    }

    /// Hands over what is left. Nothing may be recorded afterwards.
    pub fn finish(&mut self, now: Nanos) {
        self.close_slices(now);
        let Some(spare) = self.parting.take() else {
            return;
        };
        let mut last = std::mem::replace(&mut self.current, spare);
        last.end = now.max(last.start).min(self.place.end.max(last.start));
        self.send(last);
    }

    /// Requests of one kind were issued together, `generation` after the first was begun with.
    #[inline]
    pub fn issued(&mut self, op: Op, count: u32, generation: Nanos) {
        if let Some(book) = &mut self.current.ops[op] {
            book.generation.record(generation.0, count);
        }
    }

    /// Arrivals came due in the current interval.
    pub fn due(&mut self, arrivals: u64) {
        self.current.due += arrivals;
    }

    /// `count` requests of one kind and age completed without error, each with `bytes` bytes.
    /// Whether they are among the slowest so far: then they are to be handed to
    /// [`keep`](Self::keep).
    #[expect(
        clippy::inline_always,
        reason = "per request; a call costs a fifth of the work"
    )]
    #[inline(always)]
    pub fn completed(&mut self, op: Op, bytes: u32, count: u32, age: Age) -> bool {
        let Some(book) = &mut self.current.ops[op] else {
            return false;
        };
        book.ios += u64::from(count);
        book.bytes += u64::from(bytes) * u64::from(count);
        let service = age.now.saturating_sub(age.issued);
        book.service.record(service.0, count);
        if let Some(responses) = &mut book.response {
            let response = age.now.saturating_sub(age.intended);
            responses.record(response.0, count);
        }
        book.slowest.takes(service)
    }

    /// One of the requests that [`completed`](Self::completed) has counted: how long the generator
    /// had it, and how long it took from there on until now.
    pub fn split(&mut self, op: Op, generation: Nanos, service: Nanos) {
        let book = self.current.ops[op].as_mut();
        if let Some(split) = book.and_then(|book| book.split.as_mut()) {
            split.generation.record(generation.0, 1);
            split.total.record(generation.saturating_add(service).0, 1);
        }
    }

    /// One of the requests that [`completed`](Self::completed) has counted, at one of the targets
    /// that are counted separately.
    pub fn at_target(&mut self, target: u16, op: Op, bytes: u32, service: Nanos) {
        if let Some(counts) = self.current.targets.get_mut(usize::from(target)) {
            let counts = &mut counts[op];
            counts.ios += 1;
            counts.bytes += u64::from(bytes);
            counts.service.record(service.0, 1);
        }
    }

    /// Keeps a completed request, if it is among the slowest.
    pub fn keep(&mut self, op: Op, io: SlowIo) {
        if let Some(book) = &mut self.current.ops[op] {
            book.slowest.add(io);
        }
    }

    /// A request completed without error and moved fewer bytes than requested.
    #[cold]
    pub fn short(&mut self, op: Op, bytes: u32) {
        if let Some(book) = &mut self.current.ops[op] {
            book.short += 1;
            book.short_bytes += u64::from(bytes);
        }
    }

    /// A request failed.
    #[cold]
    pub fn failed(&mut self, op: Op, errno: i32, target: u16, offset: u64) {
        if let Some(book) = &mut self.current.ops[op] {
            book.errors += 1;
        }
        self.note_error(op, errno, target, offset);
    }

    /// A block was not what it should be, at an offset of its target.
    #[cold]
    pub fn note_error(&mut self, op: Op, errno: i32, target: u16, offset: u64) {
        self.note_errors(op, errno, target, [offset]);
    }

    /// An error of a request, at several offsets of its target.
    #[cold]
    pub fn note_errors(
        &mut self,
        op: Op,
        errno: i32,
        target: u16,
        offsets: impl IntoIterator<Item = u64>,
    ) {
        let same =
            |error: &ErrorCount| error.op == op && error.errno == errno && error.target == target;
        let index = match self.errors.iter().position(same) {
            Some(index) => index,
            None if self.errors.len() < ERROR_KINDS => {
                self.errors.push(ErrorCount {
                    op,
                    errno,
                    target,
                    count: 0,
                    offsets: self.room.take(errno),
                });
                self.errors.len() - 1
            }
            None => ERROR_KINDS - 1,
        };
        let error = &mut self.errors[index];
        // No more than there is room for: nothing is allocated while it is measured.
        let room = error.offsets.capacity() - error.offsets.len();
        error.offsets.extend(offsets.into_iter().take(room));
        error.count += 1;
    }

    /// Errors by kind, in the order of their first appearance.
    pub fn errors(&self) -> &[ErrorCount] {
        &self.errors
    }

    /// Intervals that had to be lengthened because the observer was late.
    pub const fn long_intervals(&self) -> u64 {
        self.long_intervals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread that is held up for several intervals between its clock and the system call.
    #[test]
    fn a_request_issued_intervals_late_is_in_flight_from_then_on_alone() {
        let ms = Nanos::from_millis;
        let (mut tally, mut link) = Tally::new(
            || Interval::for_ops(|op| op == Op::Read, false, 0, 0),
            ms(100),
        );
        tally.begin(Timeline {
            start: Nanos::ZERO,
            measure: Nanos::ZERO,
            measure_end: ms(1_000),
            load_end: ms(1_000),
            interval: ms(100),
        });
        tally.sent(1, ms(0));
        tally.returned(1, ms(40));
        // The turn began at 40 ms.
        tally.sent(1, ms(350));
        tally.roll(1, ms(360), |_| 0);
        tally.returned(1, ms(370));
        tally.roll(0, ms(400), |_| 0);
        tally.finish(ms(400));
        let mut in_flight_ms = Vec::new();
        while let Ok(interval) = link.full.pop() {
            in_flight_ms.push(interval.in_flight_ns / 1_000_000);
        }
        assert_eq!(
            in_flight_ms.iter().sum::<u128>(),
            40 + 20,
            "{in_flight_ms:?}"
        );
    }

    #[test]
    fn slices_count_what_completed_in_them() {
        let ms = Nanos::from_millis;
        let (mut tally, mut link) = Tally::new(
            || Interval::for_ops(|op| op == Op::Read, false, 0, 0),
            ms(200),
        );
        tally.begin(Timeline {
            start: Nanos::ZERO,
            measure: Nanos::ZERO,
            measure_end: ms(530),
            load_end: ms(530),
            interval: ms(200),
        });
        // The worker looks at these instants, and sees so many completions.
        for (now, count) in [(10, 2), (49, 1), (50, 4), (310, 8), (399, 16), (529, 32)] {
            if ms(now) >= tally.edge() {
                tally.close_slices(ms(now));
                tally.roll(0, ms(now), |_| 0);
            }
            let age = Age {
                intended: Nanos::ZERO,
                issued: Nanos::ZERO,
                now: ms(now),
            };
            tally.completed(Op::Read, 4096, count, age);
        }
        tally.roll(0, ms(530), |_| 0);
        tally.finish(ms(531));
        let mut slices = Vec::new();
        while let Ok(interval) = link.full.pop() {
            slices.push((interval.index, interval.slices.clone()));
        }
        assert_eq!(
            slices,
            [
                (0, vec![3, 4, 0, 0]),
                (1, vec![0, 0, 8, 16]),
                // The last slice is not whole: its 32 are in none.
                (2, vec![0, 0]),
                (0, vec![])
            ]
        );
    }
}
