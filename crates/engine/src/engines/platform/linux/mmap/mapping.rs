//! One file in memory.

use super::copy;
use crate::error::EngineError;
use crate::target::{OpenTarget, TargetKind};
use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, MsyncFlags, ProtFlags};
use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};

const PAGE_BYTES: u64 = 4096;

/// What to try where a target cannot be mapped.
const OTHER: &str = "--engine psync, or a file or block device";

/// A target in memory, for as long as this lives.
#[derive(Debug)]
pub(super) struct Mapping {
    base: NonNull<c_void>,
    /// Bytes of the target as it was mapped.
    bytes: usize,
    writes: bool,
    /// Whether a write is to be durable when it is done.
    write_through: bool,
}

impl Mapping {
    /// Maps a target, for reading and, where it is open for that, for writing.
    ///
    /// # Errors
    ///
    /// [`EngineError::Open`], for what cannot be mapped.
    pub(super) fn of(target: &OpenTarget) -> Result<Self, EngineError> {
        let refuse = |cause: String, remedy: &str| EngineError::Open {
            path: target.path.display().to_string(),
            purpose: " to map it".to_owned(),
            cause,
            remedy: remedy.to_owned(),
        };
        if target.direct {
            let cause = "a mapping goes through the page cache, and direct requests pass by it";
            return Err(refuse(cause.to_owned(), "--no-direct, or --engine psync"));
        }
        if !matches!(target.kind, TargetKind::File | TargetKind::BlockDevice) {
            return Err(refuse("it is no file or block device".to_owned(), OTHER));
        }
        if target.size_bytes == 0 {
            return Err(refuse("it is empty".to_owned(), "a file with its bytes"));
        }
        let bytes = usize::try_from(target.size_bytes).unwrap_or(usize::MAX);
        copy::outlive_missing_pages()
            .map_err(|errno| refuse(format!("SIGBUS cannot be handled: {errno}"), OTHER))?;
        let mut access = ProtFlags::READ;
        if target.writes {
            access |= ProtFlags::WRITE;
        }
        // SAFETY: a mapping at an address of the kernel's choice touches no existing memory.
        let mapped =
            unsafe { rustix::mm::mmap(null_mut(), bytes, access, MapFlags::SHARED, &target.fd, 0) };
        let base = mapped.map_err(|errno| refuse(errno.to_string(), OTHER))?;
        let base = NonNull::new(base)
            .ok_or_else(|| refuse("it was mapped at address 0".to_owned(), OTHER))?;
        if target.random {
            // SAFETY: the range was just mapped; this advice changes no content. A kernel that does
            // not take it reads more than is asked for, which shows in what the device counts.
            let _ = unsafe { rustix::mm::madvise(base.as_ptr(), bytes, Advice::Random) };
        }
        Ok(Self {
            base,
            bytes,
            writes: target.writes,
            write_through: target.write_through,
        })
    }

    /// Where `offset` is, and how many of `wanted` bytes from there on are the target's.
    #[inline]
    fn part(&self, offset: u64, wanted: usize) -> (*mut u8, usize) {
        let start = usize::try_from(offset)
            .unwrap_or(usize::MAX)
            .min(self.bytes);
        let address = self.base.as_ptr().cast::<u8>().wrapping_add(start);
        (address, wanted.min(self.bytes - start))
    }

    /// Copies what is at `offset`; the bytes that there were.
    ///
    /// # Errors
    ///
    /// Not even the first page is available.
    #[inline]
    pub(super) fn read(&self, offset: u64, into: &mut [u8]) -> Result<usize, Errno> {
        let (from, bytes) = self.part(offset, into.len());
        // SAFETY: a mapping is made after missing pages are outlived; `part` stays within it, and
        // it is mapped for as long as `self` lives. `into` is ours and as long at least.
        let moved = unsafe { copy::copy(into.as_mut_ptr(), from, bytes) };
        made(moved, bytes)
    }

    /// Puts `from` at `offset`; the bytes that there was place for.
    ///
    /// # Errors
    ///
    /// Not even for the first of them is there a page, what was put there cannot be made durable,
    /// or the target is not open for writing.
    #[inline]
    pub(super) fn write(&self, offset: u64, from: &[u8]) -> Result<usize, Errno> {
        if !self.writes {
            return Err(Errno::BADF);
        }
        let (to, bytes) = self.part(offset, from.len());
        // SAFETY: as for reading; it is mapped for writing.
        let moved = made(unsafe { copy::copy(to, from.as_ptr(), bytes) }, bytes)?;
        if self.write_through && moved > 0 {
            self.make_durable(offset, moved)?;
        }
        Ok(moved)
    }

    /// Waits until the pages of a part of the target are durable.
    fn make_durable(&self, offset: u64, bytes: usize) -> Result<(), Errno> {
        let before = (offset % PAGE_BYTES) as usize;
        let (start, bytes) = self.part(offset - before as u64, before + bytes);
        // SAFETY: the range lies in the mapping; its content stays as it is.
        unsafe { rustix::mm::msync(start.cast(), bytes, MsyncFlags::SYNC) }
    }
}

/// The result of a copy of `wanted` bytes that moved this many.
#[inline]
const fn made(moved: usize, wanted: usize) -> Result<usize, Errno> {
    if moved == 0 && wanted > 0 {
        // The kernel tells no cause with the signal.
        return Err(Errno::IO);
    }
    Ok(moved)
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: `of` mapped it with this length, and no copy is under way while it is dropped.
        let _ = unsafe { rustix::mm::munmap(self.base.as_ptr(), self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::OpenOptions;
    use std::io::Write as _;
    use tempfile::NamedTempFile;

    fn file(bytes: usize) -> NamedTempFile {
        let mut file = NamedTempFile::new().expect("a file");
        file.write_all(&vec![7; bytes]).expect("its bytes");
        file
    }

    fn mapping(file: &NamedTempFile, write: bool) -> Result<Mapping, EngineError> {
        let options = OpenOptions {
            read: true,
            write,
            ..OpenOptions::default()
        };
        Mapping::of(&OpenTarget::open(file.path(), &options).expect("it opens"))
    }

    #[test]
    fn a_file_that_became_shorter_ends_a_copy_and_not_the_program() {
        let file = file(8 * 4096);
        let mapping = mapping(&file, true).expect("it is mapped");
        file.as_file().set_len(2 * 4096).expect("shorter");
        let mut into = vec![0; 4 * 4096];
        let mut read = |offset| mapping.read(offset, &mut into);
        // Whole, up to the end, behind it, and behind what was mapped.
        assert_eq!(read(0), Ok(2 * 4096));
        assert_eq!(read(4096 + 100), Ok(4096 - 100));
        assert_eq!(read(2 * 4096), Err(Errno::IO));
        assert_eq!(read(8 * 4096), Ok(0));
        assert_eq!(mapping.write(4096, &[9; 3 * 4096]), Ok(4096));
        assert_eq!(mapping.write(5 * 4096, &[9; 4096]), Err(Errno::IO));
        let mut expected = vec![7; 4096];
        expected.extend([9; 4096]);
        assert_eq!(std::fs::read(file.path()).expect("the file"), expected);
        // What was cut off is there again as soon as the file is longer.
        file.as_file().set_len(8 * 4096).expect("longer");
        assert_eq!(mapping.read(5 * 4096, &mut into), Ok(3 * 4096));
        assert_eq!(into[..3 * 4096], [0; 3 * 4096]);
    }

    #[test]
    fn what_cannot_be_mapped_is_refused_with_what_to_try() {
        let empty = file(0);
        let told = |error: EngineError| {
            let remedy = error.remedy().unwrap_or_default().to_owned();
            (error.to_string(), remedy)
        };
        let (message, remedy) = told(mapping(&empty, false).expect_err("it has no bytes"));
        let path = empty.path().display();
        assert_eq!(
            message,
            format!("cannot open {path} to map it: it is empty")
        );
        assert_eq!(remedy, "a file with its bytes");
        let null = OpenTarget::open("/dev/null".as_ref(), &OpenOptions::default());
        let refused = Mapping::of(&null.expect("it opens")).expect_err("nothing to map");
        assert_eq!(
            told(refused).0,
            "cannot open /dev/null to map it: it is no file or block device"
        );
    }

    /// Pages of the file that the page cache has.
    fn resident(mapping: &Mapping) -> usize {
        let mut pages = vec![0_u8; mapping.bytes.div_ceil(4096)];
        // SAFETY: the range is mapped, and there is a byte for each of its pages.
        let answer =
            unsafe { libc::mincore(mapping.base.as_ptr(), mapping.bytes, pages.as_mut_ptr()) };
        assert_eq!(answer, 0);
        pages.iter().filter(|page| **page & 1 == 1).count()
    }

    #[test]
    fn random_reads_bring_no_more_than_is_asked_for() {
        // On a disk: what lies in memory is there in any case.
        let program = std::env::current_exe().expect("this program");
        let place = program.parent().expect("its folder");
        let mut file = NamedTempFile::new_in(place).expect("a file");
        file.write_all(&vec![7; 1 << 20]).expect("its bytes");
        file.as_file().sync_all().expect("on the disk");
        let options = OpenOptions {
            read: true,
            ..OpenOptions::default()
        };
        let mut target = OpenTarget::open(file.path(), &options).expect("it opens");
        target.random = true;
        rustix::fs::fadvise(&target.fd, 0, None, rustix::fs::Advice::DontNeed).expect("advice");
        let mapping = Mapping::of(&target).expect("it is mapped");
        let before = resident(&mapping);
        let mut into = [0; 4096];
        assert_eq!(mapping.read(512 << 10, &mut into), Ok(4096));
        assert_eq!(into, [7; 4096]);
        assert_eq!(resident(&mapping) - before, 1);
    }

    #[test]
    fn a_durable_write_is_in_the_file() {
        let file = file(3 * 4096);
        let options = OpenOptions {
            read: true,
            write: true,
            write_through: true,
            direct: false,
        };
        let target = OpenTarget::open(file.path(), &options).expect("it opens");
        let mapping = Mapping::of(&target).expect("it is mapped");
        assert_eq!(mapping.write(4000, &[5; 512]), Ok(512));
        let content = std::fs::read(file.path()).expect("the file");
        assert_eq!(content[4000..4512], [5; 512]);
        assert_eq!((content[3999], content[4512]), (7, 7));
    }
}
