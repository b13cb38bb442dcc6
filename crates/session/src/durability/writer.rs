//! The writer: a step, its acknowledgement, the line in the acknowledgement log, and only then the
//! next.

use super::area::Area;
use super::error::DurabilityError;
use super::folder;
use super::witness::Witness;
use crate::aligned::AlignedBuffer;
use fathom_core::Nanos;
use fathom_device::Door;
use fathom_durability::plan::UNIT_BYTES;
use fathom_durability::{Deed, End, LogLine, Plan, Promise, Step};
use fathom_engine::Clock;
use fathom_load::control::{Control, Wish};
use fathom_load::verify::{Stamp, stamp};
use fathom_platform::io::{IoSlice, ReadWriteFlags, pwritev2};
use fathom_platform::unix::fs::FileExt as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The shortest time between two reports of progress.
const TELL_EVERY: Nanos = Nanos::from_millis(1000);

/// When a writer that nobody stops ends by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Until {
    /// After this time.
    pub time: Option<Nanos>,
    /// After this number of steps.
    pub steps: Option<u64>,
}

/// The state of the acknowledgement log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogState {
    /// Steps that were acknowledged.
    pub acknowledged: u64,
    /// How long it took.
    pub time_ms: u64,
    /// Why it ended.
    pub end: End,
}

/// Writes and logs until something ends it. `progress` is called about once a second.
///
/// # Errors
///
/// [`DurabilityError`], where a step failed or the acknowledgement log is gone. Nothing is written
/// after that.
pub fn write(
    area: &mut Area,
    witness: &mut Witness,
    until: Until,
    control: &Control,
    progress: &mut dyn FnMut(u64, Nanos),
) -> Result<LogState, DurabilityError> {
    let mut clock = Clock::new();
    let begin = clock.now();
    let run = area.header.plan.run;
    witness.tell(&LogLine::Plan(area.header.clone()))?;
    let mut pen = Pen::new(area);
    let mut acknowledged = 0;
    let mut told = Nanos::ZERO;
    let milliseconds = |since: Nanos| since.0 / 1_000_000;
    let end = loop {
        let since = clock.now() - begin;
        if since.saturating_sub(told) >= TELL_EVERY {
            told = since;
            progress(acknowledged, since);
        }
        if control.wish() != Wish::Run {
            break Ok(End::Interrupted);
        }
        let is_over = until.time.is_some_and(|time| since >= time)
            || until.steps.is_some_and(|steps| acknowledged >= steps);
        if is_over {
            break Ok(End::Time);
        }
        let sequence = acknowledged + 1;
        if let Err(source) = pen.step(sequence) {
            break Err(pen.failed(sequence, source));
        }
        acknowledged = sequence;
        witness.tell(&LogLine::Ack {
            run,
            sequence,
            time_ms: milliseconds(clock.now() - begin),
        })?;
    };
    let time_ms = milliseconds(clock.now() - begin);
    witness.tell(&LogLine::End {
        run,
        sequence: acknowledged,
        time_ms,
        end: *end.as_ref().unwrap_or(&End::Failed),
    })?;
    Ok(LogState {
        acknowledged,
        time_ms,
        end: end?,
    })
}

/// What writes.
struct Pen<'a> {
    plan: Plan,
    target: PathBuf,
    area: &'a mut Area,
    buffer: AlignedBuffer,
}

impl<'a> Pen<'a> {
    fn new(area: &'a mut Area) -> Self {
        let plan = area.header.plan.clone();
        Self {
            buffer: AlignedBuffer::new(plan.block_bytes as usize),
            target: area.header.target.clone().into(),
            plan,
            area,
        }
    }

    fn failed(&self, sequence: u64, source: io::Error) -> DurabilityError {
        DurabilityError::Step {
            sequence,
            target: self.target.clone(),
            source,
        }
    }

    /// Does a step; it is acknowledged when this is back.
    fn step(&mut self, sequence: u64) -> io::Result<()> {
        let Step { promise, deed, .. } = self.plan.step(sequence);
        match deed {
            Deed::Write { place } => {
                let offset = self.fill(sequence, promise, place);
                let bytes = self.buffer.bytes_mut();
                match promise {
                    Promise::Fua => {
                        write_for_itself(open(self.area.plain.as_ref())?, bytes, offset)
                    }
                    Promise::Dsync => open(self.area.dsync.as_ref())?.write_all_at(bytes, offset),
                    _ => open(self.area.plain.as_ref())?.write_all_at(bytes, offset),
                }
            }
            Deed::Flush => open(self.area.plain.as_ref())?.sync_data(),
            Deed::Append { place, begins } => {
                self.fill(sequence, promise, place);
                let number = (place / self.plan.blocks) as usize;
                let file = open(self.area.records.get_mut(number))?;
                if begins {
                    file.set_len(0)?;
                    file.sync_all()?;
                }
                file.write_all(self.buffer.bytes_mut())?;
                file.sync_data()
            }
            Deed::Rename => {
                self.fill(sequence, promise, 0);
                let folder = open(self.area.folder.as_ref())?;
                rename(folder, self.buffer.bytes_mut())
            }
        }
    }

    /// Makes the block of a step: the offset that it belongs to.
    fn fill(&mut self, sequence: u64, promise: Promise, place: u64) -> u64 {
        let offset = self.plan.offset_bytes(promise, place);
        let own = Stamp {
            generation: sequence,
            sequence: 0,
            seed: self.plan.run,
            run: self.plan.run,
        };
        let bytes = self.buffer.bytes_mut();
        for (number, unit) in bytes.chunks_exact_mut(UNIT_BYTES as usize).enumerate() {
            // No two writes have a word in common, so that each tear is seen by the sum.
            let mut word = sequence ^ (number as u64) << 48;
            for part in unit.chunks_exact_mut(8) {
                word = word.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29) ^ self.plan.run;
                part.copy_from_slice(&word.to_le_bytes());
            }
        }
        stamp(bytes, offset, own);
        offset
    }
}

/// What is open for the promises of the plan; all that a plan asks for is opened with the area.
fn open<T>(opened: Option<T>) -> io::Result<T> {
    opened.ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// A write that is durable by itself (`RWF_DSYNC`).
fn write_for_itself(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < bytes.len() {
        let rest = IoSlice::new(&bytes[done..]);
        let at = offset + done as u64;
        match pwritev2(file, &[rest], at, ReadWriteFlags::DSYNC) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => done += written,
            Err(fathom_platform::io::Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    Ok(())
}

/// A new file takes the name, as an editor or a database does it.
fn rename(folder: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = folder::draft(folder);
    let mut file = Door::default()
        .create_new(&draft)
        .map_err(io::Error::other)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&draft, folder::named(folder))?;
    fathom_device::input::open(folder)?.sync_all()
}
