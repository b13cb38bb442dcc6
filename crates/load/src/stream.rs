//! What the next request is: kind, offset, length. One stream for each thread and target.

use crate::cover::Cover;
use crate::place::{BlockChoice, Pass};
use crate::random::Random;
use crate::request::{Request, Window};
use crate::walking::{Before, Walking};
use crate::zones::ZoneShare;
use fathom_core::Op;
use fathom_core::spec::{Cursor, CursorScope, IoKind, Job, Walk};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Positions that the threads of a job advance together, for reads and for the rest.
pub type SharedCursors = Arc<[AtomicU64; 2]>;

/// Which thread of how many, and the seed of the job.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Number of the thread.
    pub thread: u32,
    /// Seed of the thread's own choices.
    pub thread_seed: u64,
    /// Seed of what the threads of the job have in common.
    pub job_seed: u64,
}

#[derive(Debug)]
struct Kind {
    /// Chosen when a 32-bit draw is below this.
    threshold: u64,
    random_threshold: u64,
    op: Op,
    /// Bytes that it moves.
    len: u32,
    /// Room that it takes in the window.
    room: u64,
    align: u64,
    step: u64,
    place: BlockChoice,
}

/// All requests alike, each anywhere: none has anything to do with the one before.
#[derive(Clone, Copy, Debug)]
struct Scattered {
    blocks: u64,
    align: u64,
    start: u64,
    len: u32,
    op: Op,
}

/// Chooses requests for one thread and target.
#[derive(Debug)]
pub struct Stream {
    random: Random,
    /// What the commonest job comes to, found beforehand: kinds, positions and walks that it does
    /// not have cost 30 instructions a request to look at.
    scattered: Option<Scattered>,
    kinds: Box<[Kind]>,
    /// Whose places a kind takes: of its own number where all bits are set; those of the first
    /// where none is, since a pass over all blocks is one for reads and writes together.
    places: usize,
    window: Window,
    /// Sequential positions, relative to the window: reads, and the rest.
    cursors: [u64; 2],
    /// Where a position goes on past the end of the window: at the first place of the thread's own
    /// lattice, which is not the start of the window if the distance of the threads' starts is
    /// below a step.
    again: u64,
    /// Whether there is one position instead of two.
    one_cursor: bool,
    shared: Option<SharedCursors>,
    /// What binds requests to those before them; seldom anything.
    walk: Option<Walking>,
    /// What passes of requests of several sizes have had.
    cover: Option<Box<Cover>>,
    /// The zones that are written to, where there are write pointers.
    zones: Option<Box<ZoneShare>>,
}

impl Stream {
    /// The stream of one thread over one window.
    pub fn new(job: &Job, window: Window, share: Share, shared: Option<SharedCursors>) -> Self {
        let walk = Walking::of(job, window);
        let room = walk.as_ref().map_or(window, |walk| walk.room(window));
        // The writes that follow trims are not drawn.
        let drawn = match job.access.walk {
            Walk::TrimFirst => job.kinds.len().div_ceil(2),
            _ => job.kinds.len(),
        };
        let total: f64 = job.kinds[..drawn].iter().map(|kind| kind.weight).sum();
        let mut weight = 0.0;
        let last = drawn - 1;
        let cover = job.covers().then(|| {
            let align = job.smallest_align().0.max(1);
            Box::new(Cover::new(room.len / align, share.job_seed))
        });
        let kinds = job.kinds.iter().enumerate().map(|(index, kind)| {
            weight += kind.weight;
            let unit = Unit::of(job, kind);
            let blocks = 1 + room.len.saturating_sub(unit.len) / unit.align;
            let place = if job.access.without_repetition && cover.is_none() {
                let thread = u64::from(share.thread);
                BlockChoice::Once(Pass::new(
                    blocks,
                    share.job_seed,
                    thread,
                    u64::from(job.threads),
                ))
            } else {
                BlockChoice::new(&job.access.distribution, blocks, share.job_seed)
            };
            Kind {
                threshold: if index >= last {
                    1 << 32
                } else {
                    (weight / total * 4_294_967_296.0).round() as u64
                },
                random_threshold: kind.random.threshold(),
                op: kind.op,
                len: kind.block_size.0 as u32,
                room: unit.len,
                align: unit.align,
                step: job.access.stride.map_or(unit.len, |stride| stride.0),
                place,
            }
        });
        let kinds: Box<[Kind]> = kinds.collect();
        let start = first_position(job, room, share.thread);
        Self {
            random: Random::new(share.thread_seed),
            scattered: scattered(&kinds, window).filter(|_| walk.is_none()),
            kinds,
            places: if job.access.without_repetition {
                0
            } else {
                usize::MAX
            },
            window,
            cursors: [start; 2],
            again: first_of_lattice(job, room, start),
            one_cursor: job.access.cursor_scope == CursorScope::Shared,
            shared: shared.filter(|_| job.access.cursor == Cursor::Shared),
            walk,
            cover,
            zones: None,
        }
    }

    /// The same, which writes to these zones where its job has write pointers.
    #[must_use]
    pub fn on_zones(mut self, zones: Option<ZoneShare>) -> Self {
        self.zones = zones.map(Box::new);
        self
    }

    /// Whether it is notified of each request that has ended.
    pub const fn follows(&self) -> bool {
        self.zones.is_some()
    }

    /// Notes that a request has ended; whether there can be others.
    pub fn completed(&mut self, op: Op, offset: u64, is_good: bool) -> bool {
        let zones = self.zones.as_mut();
        // A flush is of no zone.
        op == Op::Flush || zones.is_none_or(|zones| zones.completed(op, offset, is_good))
    }

    /// The length that every request has, if they are alike in it.
    pub fn only_len(&self) -> Option<u32> {
        let first = self.kinds.first()?.len;
        let alike = self.walk.is_none() && self.kinds.iter().all(|kind| kind.len == first);
        alike.then_some(first)
    }

    /// First byte of the window.
    pub const fn start(&self) -> u64 {
        self.window.start
    }

    /// The next request.
    #[expect(
        clippy::inline_always,
        reason = "per request; a call costs a third of the work"
    )]
    #[inline(always)]
    pub fn choose(&mut self) -> Request {
        if let Some(all) = &self.scattered {
            return Request {
                offset: all.start + self.random.below(all.blocks) * all.align,
                len: all.len,
                op: all.op,
            };
        }
        if self.walk.is_some() {
            return self.step();
        }
        let kind = self.draw();
        self.place(kind)
    }

    /// The next request of those that are bound to the ones before.
    #[inline(never)]
    fn step(&mut self) -> Request {
        let Some(mut walk) = self.walk.take() else {
            return self.place(0);
        };
        let request = match walk.before() {
            Before::Same(request) => request,
            Before::Fitting => {
                let kind = self.draw();
                self.fitting(kind)
            }
            Before::Cut => self.cut(),
            Before::AtPointer => self.at_pointer(),
            Before::In { start, len, is_new } => {
                if is_new {
                    self.cursors = [0; 2];
                    for kind in &mut self.kinds {
                        kind.place.begin();
                    }
                }
                let whole = std::mem::replace(&mut self.window, Window { start, len });
                let kind = self.draw();
                let request = self.place(kind);
                self.window = whole;
                request
            }
        };
        walk.after(request);
        self.walk = Some(walk);
        request
    }

    /// The next write where a zone's write pointer is, or the reset that comes before.
    fn at_pointer(&mut self) -> Request {
        let is_random = self.random.happens(self.kinds[0].random_threshold);
        match &mut self.zones {
            Some(zones) => zones.choose(is_random, &mut self.random),
            // Without storage there is no pointer.
            None => self.place(0),
        }
    }

    /// The next request in order, or as much of it as there is room for.
    fn cut(&mut self) -> Request {
        let kind = &self.kinds[0];
        let cursor = usize::from(!self.one_cursor && kind.op != Op::Read);
        let at = match self.cursors[cursor] {
            at if at < self.window.len => at,
            _ => self.again,
        };
        let left = self.window.len.saturating_sub(at);
        let len = u64::from(kind.len).min(left) as u32;
        self.cursors[cursor] = at + u64::from(len);
        Request {
            offset: self.window.start + at,
            len,
            op: kind.op,
        }
    }

    /// A request of a kind of a job whose requests are shortened: where a pass that covers the
    /// window meets what it has had, or at the end of one in order.
    fn fitting(&mut self, index: usize) -> Request {
        if self.cover.is_some() {
            return self.uncovered(index);
        }
        let kind = &self.kinds[index];
        let cursor = usize::from(!self.one_cursor && kind.op != Op::Read);
        let ends = self.cursors[cursor] + kind.room > self.window.len;
        if ends && kind.random_threshold == 0 && self.shared.is_none() {
            return self.past_the_end(index, cursor);
        }
        self.place(index)
    }

    /// A request where the pass has none yet, as long as there is room up to what it has had.
    fn uncovered(&mut self, index: usize) -> Request {
        let Some(cover) = &mut self.cover else {
            return self.place(index);
        };
        let drawn = &self.kinds[index];
        let (first, free) = cover.find(u64::from(drawn.len).div_ceil(drawn.align));
        cover.take(first, free);
        let len = u64::from(drawn.len).min(free * drawn.align) as u32;
        let (offset, op) = (self.window.start + first * drawn.align, drawn.op);
        Request { offset, len, op }
    }

    /// Where a request in order does not fit any more: the longest of the job that does, if it has
    /// shorter ones, else one of the next pass.
    fn past_the_end(&mut self, index: usize, cursor: usize) -> Request {
        let at = self.cursors[cursor];
        let room = self.window.len.saturating_sub(at);
        let drawn = &self.kinds[index];
        let fits =
            |kind: &&Kind| kind.op == drawn.op && kind.room <= room && kind.step == kind.room;
        let fitting = self.kinds.iter().filter(fits);
        let (kind, offset) = match fitting.max_by_key(|kind| kind.len) {
            Some(shorter) => (shorter, at),
            None => (drawn, self.again),
        };
        self.cursors[cursor] = offset + kind.step;
        let (offset, len, op) = (self.window.start + offset, kind.len, kind.op);
        Request { offset, len, op }
    }

    /// Number of the next kind.
    #[expect(
        clippy::inline_always,
        reason = "per request; a call costs a third of the work"
    )]
    #[inline(always)]
    fn draw(&mut self) -> usize {
        if self.kinds.len() == 1 {
            0
        } else {
            let draw = self.random.below(1 << 32);
            self.kinds
                .iter()
                .position(|kind| draw < kind.threshold)
                .unwrap_or(0)
        }
    }

    /// A request of a kind.
    #[expect(
        clippy::inline_always,
        reason = "per request; a call costs a third of the work"
    )]
    #[inline(always)]
    fn place(&mut self, index: usize) -> Request {
        let random_threshold = self.kinds[index].random_threshold;
        let picked = if self.random.happens(random_threshold) {
            let place = &mut self.kinds[index & self.places].place;
            Some(place.pick(&mut self.random))
        } else {
            None
        };
        let kind = &self.kinds[index];
        let cursor = usize::from(!self.one_cursor && kind.op != Op::Read);
        let offset = if let Some(block) = picked {
            let offset = block * kind.align;
            self.cursors[cursor] = offset + kind.step;
            offset
        } else if let Some(shared) = &self.shared {
            interlocked(&shared[cursor], kind.step, kind.room, self.window.len)
        } else {
            let at = self.cursors[cursor];
            let offset = if at + kind.room > self.window.len {
                self.again
            } else {
                at
            };
            self.cursors[cursor] = offset + kind.step;
            offset
        };
        Request {
            offset: self.window.start + offset,
            len: kind.len,
            op: kind.op,
        }
    }
}

/// How places are counted: in bytes, or one by one where each is a file.
struct Unit {
    len: u64,
    align: u64,
}

impl Unit {
    fn of(job: &Job, kind: &IoKind) -> Self {
        if job.files.is_some() {
            return Self { len: 1, align: 1 };
        }
        Self {
            len: kind.block_size.0,
            align: kind.align.0,
        }
    }
}

/// What requests of these kinds have in common, if each may be anywhere; the draws are those of
/// [`Stream::place`].
fn scattered(kinds: &[Kind], window: Window) -> Option<Scattered> {
    match kinds {
        [
            Kind {
                random_threshold: 0x1_0000_0000..,
                place: BlockChoice::Uniform { blocks },
                op,
                len,
                align,
                ..
            },
        ] => Some(Scattered {
            blocks: *blocks,
            align: *align,
            start: window.start,
            len: *len,
            op: *op,
        }),
        _ => None,
    }
}

/// Advances a common position. The one write that threads share by design: the specification
/// asks for it.
#[inline(never)]
fn interlocked(cursor: &AtomicU64, step: u64, len: u64, window_len: u64) -> u64 {
    // Whole steps that fit with a request at each; the position wraps after the last.
    let steps = 1 + window_len.saturating_sub(len) / step;
    let position = cursor.fetch_add(1, Ordering::Relaxed);
    (position % steps) * step
}

/// The first place from which whole steps lead to `start`; 0 where steps differ, where threads
/// share the window out, or where no request fits there.
fn first_of_lattice(job: &Job, window: Window, start: u64) -> u64 {
    let Cursor::Own { stride: Some(_) } = job.access.cursor else {
        return 0;
    };
    let largest = job.largest_io();
    let step = job.access.stride.unwrap_or(largest).0.max(1);
    let alike = job.kinds.iter().all(|kind| kind.block_size == largest);
    let first = start % step;
    let fits = first + largest.0 <= window.len;
    if fits && (alike || job.access.stride.is_some()) {
        first
    } else {
        0
    }
}

/// Where a thread's own sequential position begins, relative to the window.
fn first_position(job: &Job, window: Window, thread: u32) -> u64 {
    let Cursor::Own { stride } = job.access.cursor else {
        return 0;
    };
    let thread = u64::from(thread);
    let position = if let Some(stride) = stride {
        thread.saturating_mul(stride.0)
    } else {
        let largest = match job.files {
            Some(_) => 1,
            None => job.largest_io().0.max(job.smallest_align().0),
        };
        let share = window.len / u64::from(job.threads) / largest * largest;
        thread * share
    };
    if window.len == 0 {
        0
    } else {
        position % window.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::spec::Walk;
    use fathom_core::units::{Bytes, Percent};

    #[test]
    fn requests_go_on_to_the_last_byte_and_begin_anew() {
        let mut job = Job {
            kinds: vec![IoKind {
                op: Op::Write,
                block_size: Bytes(4096),
                random: Percent::ZERO,
                align: Bytes(4096),
                weight: 1.0,
            }],
            ..Job::plain()
        };
        job.access.walk = Walk::ToTheEnd;
        let share = Share {
            thread: 0,
            thread_seed: 1,
            job_seed: 1,
        };
        let places = |len: u64, count: usize| -> Vec<(u64, u32)> {
            let window = Window { start: 512, len };
            let mut stream = Stream::new(&job, window, share, None);
            assert_eq!(stream.only_len(), None);
            (0..count)
                .map(|_| stream.choose())
                .map(|request| (request.offset, request.len))
                .collect()
        };
        assert_eq!(
            places(9000, 4),
            [(512, 4096), (4608, 4096), (8704, 808), (512, 4096)]
        );
        assert_eq!(places(8192, 3), [(512, 4096), (4608, 4096), (512, 4096)]);
        assert_eq!(places(100, 2), [(512, 100), (512, 100)]);
    }

    /// Trims and then writes of several sizes.
    fn pairs(random: Percent) -> Job {
        let of = |op| {
            [512, 1024, 2048, 4096].map(|bytes| IoKind {
                op,
                block_size: Bytes(bytes),
                random,
                align: Bytes(512),
                weight: 1.0,
            })
        };
        let mut job = Job {
            kinds: [of(Op::Trim), of(Op::Write)].concat(),
            ..Job::plain()
        };
        job.access.walk = Walk::TrimFirst;
        job
    }

    #[test]
    fn requests_in_order_of_several_sizes_reach_the_end() {
        let mut job = pairs(Percent::ZERO);
        job.kinds.drain(..4);
        job.access.walk = Walk::Free;
        let window = Window {
            start: 0,
            len: 9 << 10,
        };
        let share = Share {
            thread: 0,
            thread_seed: 3,
            job_seed: 7,
        };
        // Threads that all begin at the first byte are no others.
        for stride in [None, Some(Bytes(0))] {
            job.access.cursor = Cursor::Own { stride };
            let mut stream = Stream::new(&job, window, share, None);
            for _pass in 0..20 {
                let mut end = 0;
                while end < window.len {
                    let request = stream.choose();
                    assert_eq!(request.offset, end);
                    end += u64::from(request.len);
                }
                assert_eq!(end, window.len);
            }
        }
    }

    #[test]
    fn each_write_is_as_its_trim_and_a_pass_has_each_place_once() {
        let window = Window {
            start: 8192,
            len: 64 << 10,
        };
        let share = Share {
            thread: 0,
            thread_seed: 3,
            job_seed: 7,
        };
        for random in [Percent::ZERO, Percent::ALL] {
            let mut job = pairs(random);
            job.access.without_repetition = random == Percent::ALL;
            let mut stream = Stream::new(&job, window, share, None);
            for _pass in 0..3 {
                let mut had = vec![0; 128];
                while had.contains(&0) {
                    let (trim, write) = (stream.choose(), stream.choose());
                    assert_eq!((trim.op, write.op), (Op::Trim, Op::Write));
                    assert_eq!((trim.offset, trim.len), (write.offset, write.len));
                    let first = (trim.offset - window.start) / 512;
                    for place in first..first + u64::from(trim.len) / 512 {
                        had[place as usize] += 1;
                    }
                }
                assert_eq!(had, vec![1; 128]);
            }
        }
    }
}
