//! A target opened to be read back: past the page cache as long as that works.

use crate::aligned::{ALIGN_BYTES, AlignedBuffer};
use fathom_device::Pin;
use fathom_platform::fd::OwnedFd;
use fathom_platform::fs::{Advice, OFlags};
use fathom_platform::io::Errno;
use fathom_platform::unix::fs::FileExt as _;
use std::fs::File;
use std::io;
use std::path::Path;

/// An open target, direct as long as that works.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) file: File,
    pub(crate) direct: bool,
}

impl Source {
    pub(crate) fn open(path: &Path, opened: Option<&OwnedFd>) -> io::Result<Self> {
        let pin = match opened {
            Some(opened) => Pin::of_open(&File::from(opened.try_clone()?), path)?,
            None => Pin::of(path)?,
        };
        match pin.read(OFlags::DIRECT) {
            Ok(file) => Ok(Self { file, direct: true }),
            Err(error) if is_invalid(&error) => {
                let mut source = Self {
                    file: pin.read(OFlags::empty())?,
                    direct: false,
                };
                source.forget_pages();
                Ok(source)
            }
            Err(error) => Err(error),
        }
    }

    pub(crate) fn note(&self) -> Option<String> {
        (!self.direct).then(|| {
            "read through the page cache, because direct I/O is refused. Pages still in memory \
             were not checked on the device"
                .to_owned()
        })
    }

    fn forget_pages(&mut self) {
        // Only advice; the note says what remains.
        let _ = fathom_platform::fs::fadvise(&self.file, 0, None, Advice::DontNeed);
    }

    /// The bytes of a range that is no longer than a read.
    pub(crate) fn read<'b>(
        &mut self,
        range: &std::ops::Range<u64>,
        buffer: &'b mut AlignedBuffer,
    ) -> io::Result<&'b [u8]> {
        let align = ALIGN_BYTES as u64;
        // More than asked for, so that direct I/O accepts it whatever the sector size is.
        let first = range.start - range.start % align;
        let padded = (range.end.next_multiple_of(align) - first) as usize;
        let needed = (range.end - first) as usize;
        let memory = &mut buffer.bytes_mut()[..padded];
        match read_at_least(&self.file, memory, needed, first) {
            Err(error) if self.direct && is_invalid(&error) => {
                self.direct = false;
                let flags = fathom_platform::fs::fcntl_getfl(&self.file)?;
                fathom_platform::fs::fcntl_setfl(&self.file, flags.difference(OFlags::DIRECT))?;
                self.forget_pages();
                read_at_least(&self.file, memory, needed, first)?;
            }
            other => other?,
        }
        Ok(&memory[(range.start - first) as usize..needed])
    }
}

fn is_invalid(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::INVAL.raw_os_error())
}

/// Reads until `needed` bytes are there; those after may be beyond the end of the file.
fn read_at_least(file: &File, memory: &mut [u8], needed: usize, offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < needed {
        match file.read_at(&mut memory[done..], offset + done as u64) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => done += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
