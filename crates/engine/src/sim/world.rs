//! The simulated world: one clock, the volumes of the targets, and what they hold.

use super::volume::{Service, SimVolume};
use crate::io::Submission;
use fathom_core::{Nanos, Op};
use fathom_volume::model::{Counters, Fate, IoShape, VolumeModel, VolumeState};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

const PAGE_BYTES: usize = 4096;

/// What serves the targets.
#[derive(Debug)]
enum Storage {
    /// A volume for each target, all alike.
    Alike(Vec<Service>),
    /// One model for all targets, each with its part of the places.
    Model {
        model: Box<dyn VolumeModel>,
        targets: u64,
    },
}

impl Storage {
    fn size_bytes(&self, target: u16) -> u64 {
        match self {
            Self::Alike(volumes) => volumes[usize::from(target)].volume().size_bytes,
            Self::Model { model, targets } => model.place(u64::from(target), *targets).1,
        }
    }

    /// When a request that arrives at `now` is done, and how.
    fn admit(&mut self, io: &Submission, now: Nanos) -> (Nanos, Fate) {
        match self {
            Self::Alike(volumes) => volumes[usize::from(io.target)].admit(now),
            Self::Model { model, targets } => {
                let (base, _) = model.place(u64::from(io.target), *targets);
                let size = model.size_bytes().max(1);
                let moves = matches!(io.op, Op::Read | Op::Write | Op::Trim);
                let admission = model.admit(
                    IoShape {
                        op: io.op,
                        offset: (base + io.offset) % size,
                        bytes: if moves { io.len } else { 0 },
                    },
                    now,
                );
                (admission.done, admission.fate)
            }
        }
    }
}

/// Bytes of the unit in which is noted what has to be there.
const UNIT_BYTES: usize = 512;

/// Of each page, by (target, page number), a bit for each unit that was reported as written.
type Promises = BTreeMap<(u16, u64), u8>;

type Pages = BTreeMap<(u16, u64), Box<[u8; PAGE_BYTES]>>;

/// A world shared by the simulated workers of one thread.
pub type WorldRef = Rc<RefCell<World>>;

/// What a world was asked for, all workers together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestedBytes {
    /// Bytes to read.
    pub read_bytes: u64,
    /// Bytes to write.
    pub write_bytes: u64,
}

/// One clock and the volumes in it.
#[derive(Debug)]
pub struct World {
    now: Nanos,
    storage: Storage,
    /// Written pages by (target, page number), kept only when contents matter.
    pages: Option<Pages>,
    /// What has to be there, whatever is; kept with the pages.
    promises: Promises,
    sequence: u64,
    asked: RequestedBytes,
    /// How late each sleep of a worker ends, in turn; empty where all end in time.
    wake_ups: Box<[Nanos]>,
    slept: usize,
}

impl World {
    /// A world at instant zero with `targets` volumes like `volume`. With `contents`, what is
    /// written can be read back; without, reads leave the buffer as it is.
    pub fn new(volume: &SimVolume, targets: usize, contents: bool) -> WorldRef {
        let volumes = (0..targets).map(|_| Service::new(volume.clone())).collect();
        Self::over(Storage::Alike(volumes), contents)
    }

    /// A world at instant zero in which one model serves all targets.
    pub fn modelled(model: Box<dyn VolumeModel>, targets: usize, contents: bool) -> WorldRef {
        let targets = targets.max(1) as u64;
        Self::over(Storage::Model { model, targets }, contents)
    }

    fn over(storage: Storage, contents: bool) -> WorldRef {
        Rc::new(RefCell::new(Self {
            now: Nanos::ZERO,
            storage,
            pages: contents.then(BTreeMap::new),
            promises: BTreeMap::new(),
            sequence: 0,
            asked: RequestedBytes::default(),
            wake_ups: Box::default(),
            slept: 0,
        }))
    }

    /// Has the sleeps of all workers end late: by each of these times in turn, again and again.
    pub fn wake_late(&mut self, by: impl Into<Box<[Nanos]>>) {
        self.wake_ups = by.into();
    }

    /// Whether what is written can be read back.
    pub(crate) fn keeps_content(&self) -> bool {
        self.pages.is_some()
    }

    /// Whether sleeps end late.
    pub(crate) fn wakes_late(&self) -> bool {
        !self.wake_ups.is_empty()
    }

    /// How late the next sleep ends.
    pub(crate) fn next_wake_up(&mut self) -> Nanos {
        let turn = self.slept % self.wake_ups.len().max(1);
        self.slept += 1;
        self.wake_ups.get(turn).copied().unwrap_or_default()
    }

    /// What the model's device says that it has done until an instant; none where nothing counts.
    pub fn counters(&mut self, at: Nanos) -> Option<Counters> {
        match &mut self.storage {
            Storage::Alike(_) => None,
            Storage::Model { model, .. } => model.counters(at),
        }
    }

    /// What was asked for until now.
    pub const fn asked(&self) -> RequestedBytes {
        self.asked
    }

    /// The levels of the model's buckets at an instant; none without a model.
    pub fn state(&self, at: Nanos) -> VolumeState {
        match &self.storage {
            Storage::Alike(_) => VolumeState::default(),
            Storage::Model { model, .. } => model.state(at),
        }
    }

    /// The present instant.
    pub const fn now(&self) -> Nanos {
        self.now
    }

    /// Numbers of the 4 KiB pages of a target that were written, rising; none without contents.
    pub fn written_pages(&self, target: u16) -> Vec<u64> {
        let pages = self.pages.iter().flat_map(BTreeMap::keys);
        pages
            .filter(|(of, _)| *of == target)
            .map(|(_, page)| *page)
            .collect()
    }

    /// The 512-byte units of a target that were reported as written, by their offset, with what
    /// they hold; none without contents.
    pub fn promised(&self, target: u16) -> impl Iterator<Item = (u64, &[u8])> + '_ {
        const NOTHING: [u8; PAGE_BYTES] = [0; PAGE_BYTES];
        let promises = self.promises.range((target, 0)..=(target, u64::MAX));
        promises.flat_map(move |(at, units)| {
            let page = self.pages.as_ref().and_then(|pages| pages.get(at));
            let bytes: &[u8] = page.map_or(&NOTHING[..], |page| &page[..]);
            let first = at.1 * PAGE_BYTES as u64;
            let numbered = bytes.chunks_exact(UNIT_BYTES).enumerate();
            let kept = numbered.filter(move |(unit, _)| units >> unit & 1 == 1);
            kept.map(move |(unit, bytes)| (first + (unit * UNIT_BYTES) as u64, bytes))
        })
    }

    /// Notes whether whole units have to be there from now on.
    fn promise(&mut self, io: &Submission, bytes: usize, is_written: bool) {
        if self.pages.is_none() {
            return;
        }
        let first = io.offset.div_ceil(UNIT_BYTES as u64);
        let last = (io.offset + bytes as u64) / UNIT_BYTES as u64;
        let in_page = (PAGE_BYTES / UNIT_BYTES) as u64;
        for unit in first..last {
            let units = self
                .promises
                .entry((io.target, unit / in_page))
                .or_default();
            let bit = 1 << (unit % in_page);
            *units = if is_written {
                *units | bit
            } else {
                *units & !bit
            };
        }
    }

    /// Moves the clock forward; never back.
    pub(super) fn advance(&mut self, to: Nanos) {
        self.now = self.now.max(to);
    }

    /// Admits a request: when it is done, its number, and its result.
    pub(crate) fn admit(&mut self, io: &Submission, buffer: &mut [u8]) -> (Nanos, u64, i32) {
        self.sequence += 1;
        let size_bytes = self.storage.size_bytes(io.target);
        let room = size_bytes.saturating_sub(io.offset).min(u64::from(io.len));
        match io.op {
            Op::Read => self.asked.read_bytes += room,
            Op::Write => self.asked.write_bytes += room,
            _ => {}
        }
        let (done, fate) = self.storage.admit(io, self.now);
        let moved = match fate {
            Fate::Good | Fate::Lost | Fate::Torn | Fate::Misdirected => room as u32,
            Fate::Short => (room / 2) as u32,
            Fate::Failed(errno) => return (done, self.sequence, -errno),
        };
        let result = match io.op {
            Op::Read => {
                self.read(io, &mut buffer[..moved as usize]);
                moved
            }
            Op::Write => {
                let kept = match fate {
                    Fate::Lost => 0,
                    Fate::Torn => moved / 2,
                    _ => moved,
                };
                self.promise(io, moved as usize, true);
                let mut kept_at = *io;
                if fate == Fate::Misdirected {
                    let next = io.offset + u64::from(moved);
                    let fits = next + u64::from(moved) <= size_bytes;
                    kept_at.offset = if fits { next } else { 0 };
                }
                self.write(&kept_at, &buffer[..kept as usize]);
                moved
            }
            Op::Trim => {
                self.promise(io, moved as usize, false);
                self.write(
                    io,
                    &vec![
                        0;
                        if self.pages.is_some() {
                            moved as usize
                        } else {
                            0
                        }
                    ],
                );
                0
            }
            Op::Flush | Op::Create | Op::Stat | Op::Rename | Op::Unlink => 0,
        };
        (done, self.sequence, result as i32)
    }

    fn read(&self, io: &Submission, buffer: &mut [u8]) {
        let Some(pages) = &self.pages else { return };
        for_pages(io.offset, buffer.len(), |page, within, range| {
            let part = &mut buffer[range];
            match pages.get(&(io.target, page)) {
                Some(bytes) => part.copy_from_slice(&bytes[within..within + part.len()]),
                None => part.fill(0),
            }
        });
    }

    fn write(&mut self, io: &Submission, buffer: &[u8]) {
        let Some(pages) = &mut self.pages else { return };
        for_pages(io.offset, buffer.len(), |page, within, range| {
            let part = &buffer[range];
            let bytes = pages
                .entry((io.target, page))
                .or_insert_with(|| Box::new([0; PAGE_BYTES]));
            bytes[within..within + part.len()].copy_from_slice(part);
        });
    }
}

/// Calls `each` with (page, offset within it, range of the buffer) for a run of bytes.
fn for_pages(offset: u64, len: usize, mut each: impl FnMut(u64, usize, std::ops::Range<usize>)) {
    let mut at = 0;
    while at < len {
        let position = offset + at as u64;
        let within = (position % PAGE_BYTES as u64) as usize;
        let step = (PAGE_BYTES - within).min(len - at);
        each(position / PAGE_BYTES as u64, within, at..at + step);
        at += step;
    }
}
