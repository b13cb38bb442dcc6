//! Where the blocks of a file lie, as its file system tells: FIEMAP, and the alignment that
//! direct I/O needs.

use fathom_platform::fd::AsFd;
use fathom_platform::unix::fs::MetadataExt as _;
use std::fs::File;
use std::io;

/// Extents asked for at once.
const BATCH: usize = 256;
/// Extents after which no more are asked for; what they say is then a lower bound.
const MOST: u64 = 1 << 16;

/// Numbers of the kernel's `linux/fiemap.h`.
const FS_IOC_FIEMAP: u32 = 0xC020_660B;
const FLAG_LAST: u32 = 0x1;
const FLAG_UNKNOWN: u32 = 0x2;
const FLAG_DELALLOC: u32 = 0x4;
const FLAG_ENCODED: u32 = 0x8;
const FLAG_ENCRYPTED: u32 = 0x80;
const FLAG_INLINE: u32 = 0x200;
const FLAG_UNWRITTEN: u32 = 0x800;
const FLAG_SHARED: u32 = 0x2000;

/// Bytes of a range by the state of their extents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtentMap {
    /// Extents.
    pub count: u64,
    pub mapped_bytes: u64,
    /// Reserved, never written.
    pub unwritten_bytes: u64,
    /// Without a place yet.
    pub delayed_bytes: u64,
    /// Inline, compressed or encrypted.
    pub encoded_bytes: u64,
    /// Shared with another file.
    pub shared_bytes: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Extent {
    logical: u64,
    physical: u64,
    length: u64,
    reserved: [u64; 2],
    flags: u32,
    reserved_more: [u32; 3],
}

impl Extent {
    const fn end(&self) -> u64 {
        self.logical.saturating_add(self.length)
    }
}

#[repr(C)]
struct Request {
    start: u64,
    length: u64,
    flags: u32,
    mapped: u32,
    room: u32,
    reserved: u32,
    extents: [Extent; BATCH],
}

impl ExtentMap {
    /// The map of a range of an open file that is written back where it must be: until then a dirty
    /// block has no place, and one under way counts as never written.
    ///
    /// # Errors
    ///
    /// What the system said: `EOPNOTSUPP` where the file system does not tell.
    pub fn written_back(file: impl AsFd, start: u64, end: u64) -> io::Result<Self> {
        let map = Self::of(&file, start, end)?;
        if map.delayed_bytes == 0 && map.unwritten_bytes == 0 {
            return Ok(map);
        }
        fathom_platform::fs::fsync(&file)?;
        Self::of(&file, start, end)
    }

    /// The map of a range of an open file as it is, for whoever only looks.
    ///
    /// # Errors
    ///
    /// As of [`written_back`](Self::written_back).
    pub fn of(file: impl AsFd, start: u64, end: u64) -> io::Result<Self> {
        if let Some(found) = crate::platform::extents(&file, start, end) {
            return found;
        }
        Self::told(start, end, |at, length| {
            let request = ask(&file, at, length)?;
            Ok(request.extents[..(request.mapped as usize).min(BATCH)].to_vec())
        })
    }

    /// The map from extents as a file system tells them, from an offset on. It may tell what is no
    /// extent, and the same again.
    fn told(
        start: u64,
        end: u64,
        mut ask: impl FnMut(u64, u64) -> io::Result<Vec<Extent>>,
    ) -> io::Result<Self> {
        let mut map = Self::default();
        let mut at = start;
        while at < end && map.count < MOST {
            let extents = ask(at, end - at)?;
            for extent in &extents {
                map.add(extent, at, end);
            }
            let told = extents.iter().map(Extent::end).max().unwrap_or(0);
            let is_last = extents.last().is_some_and(|one| one.flags & FLAG_LAST != 0);
            if is_last || told <= at {
                break;
            }
            at = told;
        }
        Ok(map)
    }

    fn add(&mut self, extent: &Extent, start: u64, end: u64) {
        let from = extent.logical.max(start);
        let bytes = extent.end().min(end).saturating_sub(from);
        if bytes == 0 {
            return;
        }
        let has = |flags: u32| if extent.flags & flags != 0 { bytes } else { 0 };
        self.count += 1;
        self.mapped_bytes += bytes;
        self.unwritten_bytes += has(FLAG_UNWRITTEN);
        self.delayed_bytes += has(FLAG_DELALLOC | FLAG_UNKNOWN);
        self.encoded_bytes += has(FLAG_ENCODED | FLAG_ENCRYPTED | FLAG_INLINE);
        self.shared_bytes += has(FLAG_SHARED);
    }
}

fn ask(file: &impl AsFd, start: u64, length: u64) -> io::Result<Box<Request>> {
    let mut request = Box::new(Request {
        start,
        length,
        flags: 0,
        mapped: 0,
        room: BATCH as u32,
        reserved: 0,
        extents: [Extent::default(); BATCH],
    });
    // SAFETY: the pointer is to a request of the kernel's layout with room for as many extents as
    // it says; the kernel writes no more of them.
    unsafe { fathom_platform::ioctl(file, FS_IOC_FIEMAP, &raw mut *request) }?;
    Ok(request)
}

/// What is allocated of an open file.
///
/// # Errors
///
/// What the system said.
pub fn allocated_bytes(file: &File) -> io::Result<u64> {
    let meta = file.metadata()?;
    match crate::platform::extents(file, 0, meta.len()) {
        Some(Ok(found)) => Ok(found.mapped_bytes),
        _ => Ok(meta.blocks() * 512),
    }
}

/// Unit to which direct I/O on a file must be aligned, by statx(2); 0 where it has no direct I/O,
/// none where the kernel (before 6.1) or the file system does not say.
pub fn direct_align_bytes(file: impl AsFd) -> io::Result<Option<u32>> {
    let flags = fathom_platform::fs::AtFlags::EMPTY_PATH;
    let found =
        fathom_platform::fs::statx(file, c"", flags, fathom_platform::fs::StatxFlags::DIOALIGN)?;
    let told = found.stx_mask & fathom_platform::fs::StatxFlags::DIOALIGN.bits() != 0;
    Ok(told.then_some(found.stx_dio_offset_align))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::unix::fs::FileExt as _;

    #[test]
    fn reserved_and_written_extents_are_told_apart() {
        let file = tempfile::tempfile().unwrap();
        let reserved = fathom_platform::fs::fallocate(
            &file,
            fathom_platform::fs::FallocateFlags::empty(),
            0,
            1 << 20,
        );
        file.write_all_at(&vec![1; 65536], 0).unwrap();
        file.sync_all().unwrap();
        match (reserved, ExtentMap::of(&file, 0, 1 << 20)) {
            (Ok(()), Ok(map)) => {
                let states = (map.mapped_bytes, map.unwritten_bytes, map.delayed_bytes);
                assert_eq!(states, (1 << 20, (1 << 20) - 65536, 0));
            }
            (_, Err(error)) => fathom_testing::skip(format_args!("no extent map here: {error}")),
            (Err(error), _) => {
                fathom_testing::skip(format_args!("no room can be reserved here: {error}"));
            }
        }
    }

    #[test]
    fn what_is_told_again_ends_the_map() {
        let extent = |logical, length| Extent {
            logical,
            length,
            ..Extent::default()
        };
        let cases: [(&[Extent], u64, u64); 4] = [
            (&[extent(0, 0)], 0, 1),
            (&[extent(0, 4096), extent(4096, 0)], 4096, 2),
            (&[extent(0, 4096), extent(0, 512)], 4608, 2),
            (&[extent(4096, u64::MAX)], (1 << 20) - 4096, 1),
        ];
        for (told, mapped_bytes, asked) in cases {
            let mut calls = 0;
            let map = ExtentMap::told(0, 1 << 20, |_, _| {
                calls += 1;
                assert!(calls < 10, "it does not end");
                Ok(told.to_vec())
            });
            let map = map.unwrap();
            assert_eq!((map.mapped_bytes, calls), (mapped_bytes, asked));
        }
    }

    #[test]
    fn an_extent_counts_as_far_as_it_lies_in_the_range() {
        let extent = Extent {
            logical: 4096,
            length: 8192,
            flags: FLAG_SHARED | FLAG_ENCODED,
            ..Extent::default()
        };
        let mut map = ExtentMap::default();
        map.add(&extent, 8192, 1 << 20);
        map.add(&extent, 0, 4096);
        let expected = ExtentMap {
            count: 1,
            mapped_bytes: 4096,
            encoded_bytes: 4096,
            shared_bytes: 4096,
            ..ExtentMap::default()
        };
        assert_eq!(map, expected);
    }
}
