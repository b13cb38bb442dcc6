//! What is packed with gzip is read as what is in it.

use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Read};

/// Bytes that are unpacked at most.
const MOST_BYTES: u64 = 16 << 30;

/// The text of a source, unpacked where it is packed.
pub(super) fn of(mut from: impl BufRead + 'static) -> io::Result<Box<dyn BufRead>> {
    let mut begin = Vec::new();
    from.by_ref().take(2).read_to_end(&mut begin)?;
    let is_packed = begin == [0x1F, 0x8B];
    let from = io::Cursor::new(begin).chain(from);
    if !is_packed {
        return Ok(Box::new(from));
    }
    Ok(Box::new(BufReader::new(Limited {
        from: MultiGzDecoder::new(from),
        left: MOST_BYTES,
    })))
}

/// A text that is an error beyond its limit.
struct Limited<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(into)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                "it is more than 16 GiB unpacked",
            )
        })?;
        Ok(count)
    }
}
