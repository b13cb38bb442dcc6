//! Looks for the rows of the table on a device or part of one.

use fathom_platform::unix::fs::FileExt as _;
use std::fs::File;
use std::io;

use fathom_core::content;
use serde::Serialize;

use crate::signature::table::{ALIASES, At, ROWS, SignatureRow};
use crate::signature::unknown::DATA;

/// A part of a device: all of it, or a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Where it begins.
    pub start_bytes: u64,
    /// How long it is.
    pub size_bytes: u64,
}

impl Extent {
    /// A device from its beginning.
    pub const fn whole(size_bytes: u64) -> Self {
        Self {
            start_bytes: 0,
            size_bytes,
        }
    }
}

/// Something found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Signature {
    /// Name as in `--destroy DEVICE=NAME`.
    pub name: &'static str,
    /// Where in the extent its bytes were found.
    pub offset_bytes: u64,
}

/// An extent of an open device, read at offsets within the extent.
pub struct Probe<'a> {
    file: &'a File,
    extent: Extent,
}

impl<'a> Probe<'a> {
    /// A part of a device.
    pub const fn of(file: &'a File, extent: Extent) -> Self {
        Self { file, extent }
    }

    /// How long it is.
    pub const fn size_bytes(&self) -> u64 {
        self.extent.size_bytes
    }

    /// Whether a run wrote what is at an offset: bytes that a row looks for are there by chance
    /// then.
    fn is_own(&self, offset: u64) -> io::Result<bool> {
        const BLOCK: u64 = 4096;
        let begin = offset / BLOCK * BLOCK;
        let length = BLOCK.min(self.extent.size_bytes - begin) as usize;
        let mut block = [0; BLOCK as usize];
        self.fill(begin, &mut block[..length])?;
        let place = (offset - begin) as usize;
        let mut heads = (0..=place).step_by(512);
        Ok(heads.any(|head| head + content::own_bytes(&block[head..length]) > place))
    }

    /// Bytes at an offset; none if they would reach beyond the end.
    pub fn read<const N: usize>(&self, offset: u64) -> io::Result<Option<[u8; N]>> {
        let mut bytes = [0; N];
        Ok(self.fill(offset, &mut bytes)?.then_some(bytes))
    }

    /// Fills a buffer; `false` if it would reach beyond the end.
    pub fn fill(&self, offset: u64, buffer: &mut [u8]) -> io::Result<bool> {
        let end = offset.checked_add(buffer.len() as u64);
        if end.is_none_or(|end| end > self.extent.size_bytes) {
            return Ok(false);
        }
        self.file
            .read_exact_at(buffer, self.extent.start_bytes + offset)?;
        Ok(true)
    }

    /// Whether these bytes are at this offset. At most 32 of them.
    pub fn has(&self, offset: u64, magic: &[u8]) -> io::Result<bool> {
        let mut bytes = [0; 32];
        let bytes = &mut bytes[..magic.len()];
        Ok(self.fill(offset, bytes)? && bytes == magic)
    }
}

/// All that the extent carries, in the order of the table, each name once. An error if any of the
/// places cannot be read: then nothing is known.
pub fn detect(file: &File, extent: Extent) -> io::Result<Vec<Signature>> {
    let probe = Probe::of(file, extent);
    let mut found: Vec<Signature> = Vec::new();
    for row in ROWS {
        if found.iter().any(|known| known.name == row.name) {
            continue;
        }
        if let Some(offset_bytes) = find(&probe, row)? {
            found.push(Signature {
                name: row.name,
                offset_bytes,
            });
        }
    }
    Ok(found)
}

fn find(probe: &Probe<'_>, row: &SignatureRow) -> io::Result<Option<u64>> {
    for at in row.at {
        let Some(offset) = offset_of(*at, probe.extent.size_bytes) else {
            continue;
        };
        if probe.has(offset, row.magic)?
            && (row.confirm)(probe, offset)?
            && !probe.is_own(offset)?
        {
            return Ok(Some(offset));
        }
    }
    Ok(None)
}

fn offset_of(at: At, size_bytes: u64) -> Option<u64> {
    match at {
        At::Start(offset) => Some(offset),
        At::End { back, align, plus } => Some(size_bytes.checked_sub(back)? / align * align + plus),
    }
}

/// The name of the table for what a user may write: case does not matter, and the names of
/// blkid and mdadm are understood. None if nothing is called so.
pub fn canonical_name(text: &str) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    let lower = lower.strip_suffix("_member").unwrap_or(&lower);
    let alias = ALIASES
        .iter()
        .find(|(alias, _)| *alias == lower)
        .map(|(_, name)| *name);
    let names = ROWS.iter().map(|row| row.name).chain([DATA]);
    alias.or_else(|| names.into_iter().find(|name| *name == lower))
}

/// Names as the user writes them: each once, in order, joined with `+`.
pub fn join(signatures: &[Signature]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for signature in signatures {
        if !names.contains(&signature.name) {
            names.push(signature.name);
        }
    }
    names.join("+")
}
