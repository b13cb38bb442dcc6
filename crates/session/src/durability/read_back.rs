//! What the places of a run hold.

use super::error::DurabilityError;
use super::folder;
use crate::aligned::AlignedBuffer;
use crate::source::Source;
use fathom_durability::plan::UNIT_BYTES;
use fathom_durability::{Header, Plan, Promise, Storage, Unit};
use fathom_load::verify::{WrongKind, examine};
use std::collections::BTreeMap;
use std::io::{self, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// A target, open to be read.
#[derive(Debug)]
pub struct ReadBack {
    plan: Plan,
    /// The directory of the run, or what holds the blocks.
    place: PathBuf,
    is_folder: bool,
    /// Each file that was asked for; none if it is not there.
    files: BTreeMap<PathBuf, Option<Opened>>,
    buffer: AlignedBuffer,
    note: Option<String>,
}

#[derive(Debug)]
struct Opened {
    source: Source,
    size_bytes: u64,
}

impl ReadBack {
    /// Opens the target of a run, or its name by now.
    ///
    /// # Errors
    ///
    /// [`DurabilityError::Read`], where the directory, the file or the device is not there. Files
    /// that are missing in the directory are what is to be found out.
    pub fn open(header: &Header, target: &Path) -> Result<Self, DurabilityError> {
        let place = match &header.folder {
            Some(folder) => target.join(folder),
            None => target.to_owned(),
        };
        let block_bytes = header.plan.block_bytes as usize;
        let mut back = Self {
            plan: header.plan.clone(),
            place: place.clone(),
            is_folder: header.folder.is_some(),
            files: BTreeMap::new(),
            buffer: AlignedBuffer::new(block_bytes + 2 * crate::aligned::ALIGN_BYTES),
            note: None,
        };
        let found = if back.is_folder {
            std::fs::read_dir(target).map(drop)
        } else {
            back.opened(&place).map(drop)
        };
        found.map_err(|source| DurabilityError::Read {
            target: target.to_owned(),
            source,
        })?;
        Ok(back)
    }

    /// What to know about the reading, in a sentence.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    fn opened(&mut self, path: &Path) -> io::Result<Option<&mut Opened>> {
        if !self.files.contains_key(path) {
            let opened = match Source::open(path, None) {
                Ok(mut source) => {
                    self.note = self.note.take().or_else(|| source.note());
                    let size_bytes = source.file.seek(SeekFrom::End(0))?;
                    Some(Opened { source, size_bytes })
                }
                Err(error) if self.is_folder && error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(error),
            };
            self.files.insert(path.to_owned(), opened);
        }
        Ok(self.files.get_mut(path).and_then(Option::as_mut))
    }

    fn path(&self, promise: Promise, place: u64) -> PathBuf {
        match promise {
            _ if !self.is_folder => self.place.clone(),
            Promise::Append => folder::records(&self.place, place / self.plan.blocks),
            Promise::Rename => folder::named(&self.place),
            _ => folder::blocks(&self.place),
        }
    }
}

impl Storage for ReadBack {
    fn units(&mut self, promise: Promise, place: u64) -> Vec<Unit> {
        let path = self.path(promise, place);
        let offset = self.plan.offset_bytes(promise, place);
        let (run, block_bytes) = (self.plan.run, self.plan.block_bytes);
        let mut buffer = std::mem::replace(&mut self.buffer, AlignedBuffer::new(0));
        let units = match self.opened(&path) {
            Ok(None) => Vec::new(),
            Ok(Some(opened)) => opened.units(offset, block_bytes, run, &mut buffer),
            Err(_) => vec![Unit::Unreadable; self.plan.units()],
        };
        self.buffer = buffer;
        units
    }
}

impl Opened {
    /// The units of a block: all at once, or each by itself where that fails.
    fn units(&mut self, offset: u64, len: u64, run: u64, buffer: &mut AlignedBuffer) -> Vec<Unit> {
        let end = (offset + len).min(self.size_bytes - self.size_bytes % UNIT_BYTES);
        let there = end.saturating_sub(offset);
        let missing = ((len - there) / UNIT_BYTES) as usize;
        let mut units = if there == 0 {
            Vec::new()
        } else if let Ok(bytes) = self.source.read(&(offset..end), buffer) {
            let parts = bytes.chunks_exact(UNIT_BYTES as usize);
            let parts = parts.zip((offset..).step_by(UNIT_BYTES as usize));
            parts.map(|(part, at)| unit(part, at, run)).collect()
        } else {
            let each = (offset..end).step_by(UNIT_BYTES as usize);
            each.map(
                |at| match self.source.read(&(at..at + UNIT_BYTES), buffer) {
                    Ok(bytes) => unit(bytes, at, run),
                    Err(_) => Unit::Unreadable,
                },
            )
            .collect()
        };
        units.extend(std::iter::repeat_n(Unit::Missing, missing));
        units
    }
}

/// What 512 bytes say of themselves.
fn unit(bytes: &[u8], offset: u64, run: u64) -> Unit {
    match examine(bytes, offset, Some(run)) {
        Ok(stamp) => Unit::Of(stamp.generation),
        Err(WrongKind::Misplaced { .. }) => Unit::Misplaced,
        Err(WrongKind::Corrupt) => {
            // What an earlier run left half-written is not of this one.
            let is_ours = bytes.get(24..32) == Some(&run.to_le_bytes()[..]);
            if is_ours { Unit::Damaged } else { Unit::Before }
        }
        Err(_) => Unit::Before,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_load::verify::{Stamp, stamp};

    #[test]
    fn a_unit_says_whose_it_is() {
        let block = |run, offset| {
            let mut bytes = [7; 512];
            let own = Stamp {
                generation: 9,
                sequence: 0,
                seed: run,
                run: 0,
            };
            stamp(&mut bytes, offset, own);
            bytes
        };
        let damaged = |run| {
            let mut bytes = block(run, 512);
            bytes[300] ^= 1;
            bytes
        };
        assert_eq!(unit(&block(3, 512), 512, 3), Unit::Of(9));
        assert_eq!(unit(&block(3, 512), 1024, 3), Unit::Misplaced);
        assert_eq!(unit(&block(4, 512), 512, 3), Unit::Before);
        assert_eq!(unit(&damaged(3), 512, 3), Unit::Damaged);
        assert_eq!(unit(&damaged(4), 512, 3), Unit::Before);
        assert_eq!(unit(&[0; 512], 512, 3), Unit::Before);
    }
}
