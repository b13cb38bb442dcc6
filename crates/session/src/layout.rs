//! Laying a file out: every byte of it is really written before anything is measured.
//!
//! A hole, or an extent that was reserved and never written, is read without the device being
//! asked; and the first write into one costs the file system an allocation that later writes do
//! not have. So the whole length is written, past the page cache where that is possible.

use crate::aligned::{ALIGN_BYTES, AlignedBuffer};
use fathom_core::Bytes;
use fathom_core::spec::{Data, Fill};
use fathom_device::AWAITED;
use fathom_load::control::{Control, Wish};
use fathom_load::fill::Filler;
use fathom_load::observer::{Event, Observer};
use fathom_load::verify::{Mark, Proof};
use fathom_platform::fs::{Advice, FallocateFlags, OFlags};
use fathom_platform::io::Errno;
use fathom_platform::unix::fs::{FileExt as _, MetadataExt as _};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// Bytes of one write.
const CHUNK_BYTES: u64 = 1 << 20;
/// Writes in flight: one at a time leaves most devices half idle.
const WRITERS: usize = 4;
/// Progress is reported after this number of bytes or parts of the whole, whichever is more.
const TELL_BYTES: u64 = 64 << 20;
const TELL_PARTS: u64 = 200;
/// Fillers of the layout count down from here, those of a run's threads up from 0, so that no
/// block of one is like a block of the other.
const LAST_FILLER: u32 = (1 << 24) - 1;
const LAYOUT_FILLERS: u64 = 1 << 23;

/// What to write where.
#[derive(Clone, Copy, Debug)]
pub struct LayoutRange<'a> {
    /// The file's name, for messages.
    pub path: &'a Path,
    /// The first byte and the end of each part, in order; nothing else is touched. A file ends with
    /// the last afterwards if it ended earlier before.
    pub parts: &'a [(u64, u64)],
    /// Compressibility and duplicates. Zeros are replaced by random bytes: storage that is thin
    /// would not store them.
    pub data: Data,
    /// What separates the bytes of the run from those of others.
    pub mark: Mark,
    /// Number of the target among those of the run: no two have a block in common.
    pub number: u32,
    /// Write blocks that are right by this, those that describe themselves as generation 0.
    pub proof: Option<Proof>,
}

/// How a layout went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutReport {
    pub written_bytes: u64,
    /// Whether past the page cache. If not, the pages were written back and dropped.
    pub direct: bool,
    /// Bytes that the file system says the file takes; none for a device.
    pub allocated_bytes: Option<u64>,
}

/// Why a layout could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    /// The file system is full, or the user's quota is used up.
    #[error(
        "cannot lay out {} of {}: no space left after {}",
        Bytes(*needed_bytes),
        path.display(),
        Bytes(*written_bytes)
    )]
    NoSpace {
        path: PathBuf,
        /// Bytes to write.
        needed_bytes: u64,
        /// Bytes written before.
        written_bytes: u64,
    },
    /// A write failed.
    #[error("cannot lay out {} at offset {offset}: {source}", path.display())]
    Write {
        path: PathBuf,
        /// Where, bytes.
        offset: u64,
        /// What the system said.
        source: io::Error,
    },
    /// Ended by the user.
    #[error("the layout of {} was interrupted after {}", path.display(), Bytes(*written_bytes))]
    Interrupted {
        path: PathBuf,
        /// Bytes written before.
        written_bytes: u64,
    },
}

/// Writes all parts to a file or block device that is open for writing, and makes them durable.
///
/// # Errors
///
/// [`LayoutError`]; what was written so far stays.
pub fn lay_out(
    file: &File,
    range: &LayoutRange<'_>,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<LayoutReport, LayoutError> {
    let layout = Layout::new(file, range, control);
    let is_file = file.metadata().map_err(|e| layout.failed(0, e))?.is_file();
    if is_file {
        layout.reserve()?;
    }
    // Not every file system has direct I/O, and some say so only at the first write.
    let mut direct = set_direct(file, true);
    if direct && layout.refuses_direct()? {
        direct = set_direct(file, false);
    }
    layout.tell(0, observer);
    layout.write_all(direct, observer)?;
    if direct {
        set_direct(file, false);
        layout.write_edges()?;
    }
    layout.finish(is_file, direct)
}

/// Turns direct I/O on or off for an open file; whether it is on afterwards.
fn set_direct(file: &File, on: bool) -> bool {
    let Ok(mut flags) = fathom_platform::fs::fcntl_getfl(file) else {
        return false;
    };
    flags.set(OFlags::DIRECT, on);
    fathom_platform::fs::fcntl_setfl(file, flags).is_ok() && on
}

struct Layout<'a> {
    file: &'a File,
    range: &'a LayoutRange<'a>,
    control: &'a Control,
    /// For each part the number of its first chunk; chunks begin at multiples of their size.
    firsts: Vec<u64>,
    chunks: u64,
    total_bytes: u64,
    /// Number of the next chunk that no thread has taken.
    next: AtomicU64,
    /// A thread has failed; the others need not go on.
    failed: AtomicBool,
    written_bytes: AtomicU64,
}

impl<'a> Layout<'a> {
    fn new(file: &'a File, range: &'a LayoutRange<'a>, control: &'a Control) -> Self {
        let mut chunks = 0;
        let mut firsts = Vec::with_capacity(range.parts.len());
        for (start, end) in range.parts {
            firsts.push(chunks);
            chunks += end
                .div_ceil(CHUNK_BYTES)
                .saturating_sub(start / CHUNK_BYTES);
        }
        let length = |(start, end): &(u64, u64)| end.saturating_sub(*start);
        Self {
            file,
            range,
            control,
            firsts,
            chunks,
            total_bytes: range.parts.iter().map(length).sum(),
            next: AtomicU64::new(0),
            failed: AtomicBool::new(false),
            written_bytes: AtomicU64::new(0),
        }
    }

    /// From where to where a chunk is written.
    fn bounds(&self, chunk: u64) -> (u64, u64) {
        let part = self.firsts.partition_point(|first| *first <= chunk) - 1;
        let (start, end) = self.range.parts[part];
        let begin = (start / CHUNK_BYTES + chunk - self.firsts[part]) * CHUNK_BYTES;
        (begin.max(start), (begin + CHUNK_BYTES).min(end))
    }

    /// Asks for all space at once: a full disk is known before anything is written, and the file
    /// lies in one piece if that is possible.
    fn reserve(&self) -> Result<(), LayoutError> {
        for &(start, end) in self.range.parts.iter().filter(|(start, end)| start < end) {
            match fathom_platform::fs::fallocate(
                self.file,
                FallocateFlags::empty(),
                start,
                end - start,
            ) {
                Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => {}
                Err(errno) => return Err(self.failed(start, errno.into())),
            }
        }
        Ok(())
    }

    /// Writes all chunks with several threads, and tells how far they are.
    fn write_all(&self, direct: bool, observer: &mut dyn Observer) -> Result<(), LayoutError> {
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS)
                .map_while(|_| {
                    let sender = sender.clone();
                    let thread = thread::Builder::new().name(AWAITED.to_owned());
                    let written = move || self.write_chunks(direct, &sender);
                    // The others do the work of one that cannot be started.
                    thread.spawn_scoped(scope, written).ok()
                })
                .collect();
            if writers.is_empty() {
                self.write_chunks(direct, &sender)?;
            }
            drop(sender);
            self.follow(&receiver, observer);
            writers.into_iter().try_for_each(|writer| {
                writer
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })
    }

    /// Tells of progress until the last writer has ended.
    fn follow(&self, receiver: &Receiver<u64>, observer: &mut dyn Observer) {
        let step = TELL_BYTES.max(self.total_bytes / TELL_PARTS);
        let mut done_bytes = 0;
        let mut told_bytes = 0;
        for bytes in receiver {
            done_bytes += bytes;
            if done_bytes - told_bytes >= step || done_bytes == self.total_bytes {
                self.tell(done_bytes, observer);
                told_bytes = done_bytes;
            }
        }
    }

    fn tell(&self, done_bytes: u64, observer: &mut dyn Observer) {
        observer.event(&Event::Layout {
            path: &self.range.path.to_string_lossy(),
            done_bytes,
            total_bytes: self.total_bytes,
        });
    }

    /// What one thread does.
    fn write_chunks(&self, direct: bool, written: &Sender<u64>) -> Result<(), LayoutError> {
        let mut buffer = AlignedBuffer::new(CHUNK_BYTES as usize);
        loop {
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            if chunk >= self.chunks || self.failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            let (begin, end) = self.bounds(chunk);
            if self.control.wish() != Wish::Run {
                return Err(LayoutError::Interrupted {
                    path: self.range.path.to_owned(),
                    written_bytes: self.written_bytes.load(Ordering::Relaxed),
                });
            }
            self.write_chunk(&mut buffer, chunk, direct)
                .inspect_err(|_| self.failed.store(true, Ordering::Relaxed))?;
            self.written_bytes.fetch_add(end - begin, Ordering::Relaxed);
            // Nobody listens only if the main thread is gone, and then all ends anyway.
            let _ = written.send(end - begin);
        }
    }

    /// Tries the first write.
    fn refuses_direct(&self) -> Result<bool, LayoutError> {
        let mut buffer = AlignedBuffer::new(CHUNK_BYTES as usize);
        let is_there = |chunk: &u64| {
            let (begin, end) = inner(self.bounds(*chunk));
            begin < end
        };
        let Some(first) = (0..self.chunks).find(is_there) else {
            return Ok(false);
        };
        match self.write_chunk(&mut buffer, first, true) {
            Err(LayoutError::Write { source, .. })
                if source.raw_os_error() == Some(Errno::INVAL.raw_os_error()) =>
            {
                Ok(true)
            }
            other => other.map(|()| false),
        }
    }

    /// Writes a chunk; if that is direct, without the edges that are not aligned.
    fn write_chunk(
        &self,
        buffer: &mut AlignedBuffer,
        chunk: u64,
        direct: bool,
    ) -> Result<(), LayoutError> {
        let bounds = self.bounds(chunk);
        self.write_part(buffer, if direct { inner(bounds) } else { bounds })
    }

    /// Writes the edges of parts that are not aligned, through the page cache.
    fn write_edges(&self) -> Result<(), LayoutError> {
        let mut buffer = AlignedBuffer::new(CHUNK_BYTES as usize);
        for &(start, end) in self.range.parts {
            let (begin, after) = inner((start, end));
            let begin = begin.min(end);
            self.write_part(&mut buffer, (start, begin))?;
            self.write_part(&mut buffer, (after.max(begin), end))?;
        }
        Ok(())
    }

    /// Writes what belongs between two offsets of one chunk.
    fn write_part(
        &self,
        buffer: &mut AlignedBuffer,
        (begin, end): (u64, u64),
    ) -> Result<(), LayoutError> {
        if begin >= end {
            return Ok(());
        }
        let chunk = begin - begin % CHUNK_BYTES;
        let content = self.content(buffer, chunk);
        let (from, to) = ((begin - chunk) as usize, (end - chunk) as usize);
        self.write(&content[from..to], begin)
    }

    /// What belongs into the chunk at `offset`. It depends on the salt, the target and the place
    /// only, not on which thread writes it.
    fn content<'b>(&self, buffer: &'b mut AlignedBuffer, offset: u64) -> &'b [u8] {
        let range = self.range;
        let data = Data {
            fill: Fill::Random,
            ..range.data
        };
        let number = LAST_FILLER - (offset / CHUNK_BYTES % LAYOUT_FILLERS) as u32;
        let mut filler = Filler::new(&data, range.mark.salt, number).numbered(range.number);
        let buffer = buffer.bytes_mut();
        filler.prepare(buffer);
        filler.refresh(buffer, buffer.len());
        if let Some(proof) = range.proof {
            proof.lay(buffer, offset, range.mark);
        }
        buffer
    }

    fn write(&self, content: &[u8], offset: u64) -> Result<(), LayoutError> {
        self.file
            .write_all_at(content, offset)
            .map_err(|error| self.failed(offset, error))
    }

    fn finish(&self, is_file: bool, direct: bool) -> Result<LayoutReport, LayoutError> {
        let end = self.range.parts.last().map_or(0, |(_, end)| *end);
        let at_end = |error| self.failed(end, error);
        self.file.sync_all().map_err(at_end)?;
        if !direct {
            // Only advice: pages that stay make reads look faster, which the caller's check of
            // the page cache finds.
            let _ = fathom_platform::fs::fadvise(self.file, 0, None, Advice::DontNeed);
        }
        let allocated_bytes = self.file.metadata().map_err(at_end)?.blocks() * 512;
        Ok(LayoutReport {
            written_bytes: self.total_bytes,
            direct,
            allocated_bytes: is_file.then_some(allocated_bytes),
        })
    }

    fn failed(&self, offset: u64, error: io::Error) -> LayoutError {
        let path = self.range.path.to_owned();
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => LayoutError::NoSpace {
                path,
                needed_bytes: self.total_bytes,
                written_bytes: self.written_bytes.load(Ordering::Relaxed),
            },
            _ => LayoutError::Write {
                path,
                offset,
                source: error,
            },
        }
    }
}

/// What is left of a part without the edges that are not aligned.
const fn inner((start, end): (u64, u64)) -> (u64, u64) {
    let align = ALIGN_BYTES as u64;
    (start.next_multiple_of(align), end - end % align)
}

#[cfg(test)]
mod tests;
