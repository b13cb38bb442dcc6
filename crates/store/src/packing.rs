//! Documents as they lie in the file: JSON on one line, packed with gzip; and how much is unpacked.

use flate2::Compression;
use flate2::read::{GzDecoder, MultiGzDecoder};
use flate2::write::GzEncoder;
use std::cell::Cell;
use std::io::{self, Read, Write as _};

/// Bytes that are unpacked at most: more than any run tells, and what a machine can hold.
const MOST_BYTES: usize = 512 << 20;
/// From here on a text is unpacked only as long as it is a text: gzip makes a thousandth of what is
/// all alike, and of results a tenth to a fiftieth.
const FREE_BYTES: usize = 64 << 20;
const MOST_TIMES: usize = 200;
/// Bytes that are unpacked between two looks at the limits.
const STEP_BYTES: u64 = 1 << 20;

/// Packs bytes of which there may be many, quickly.
pub(crate) fn pack_bytes(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Unpacks bytes, which may all be alike.
pub(crate) fn unpack_bytes(packed: &[u8]) -> io::Result<Vec<u8>> {
    take(GzDecoder::new(packed), &|bytes| bytes <= MOST_BYTES)
}

pub(crate) fn pack(text: &str) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes())?;
    encoder.finish()
}

/// Unpacks a text.
pub(crate) fn unpack(packed: &[u8]) -> io::Result<String> {
    unpack_from(packed)
}

/// Unpacks a text that is read piece by piece.
pub(crate) fn unpack_from(packed: impl Read) -> io::Result<String> {
    let count = Cell::new(0);
    let counted = Counted {
        inner: packed,
        count: &count,
    };
    let fits = |bytes| {
        let is_text = || bytes / MOST_TIMES <= count.get();
        bytes <= FREE_BYTES || bytes <= MOST_BYTES && is_text()
    };
    text(take(MultiGzDecoder::new(counted), &fits)?)
}

/// A text that is not packed.
pub(crate) fn text_from(from: impl Read) -> io::Result<String> {
    text(take(from, &|bytes| bytes <= MOST_BYTES)?)
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// All that is read, as long as it fits.
fn take(mut from: impl Read, fits: &dyn Fn(usize) -> bool) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while (&mut from).take(STEP_BYTES).read_to_end(&mut bytes)? > 0 {
        if !fits(bytes.len()) {
            let cause = format!(
                "it is more than a result: {} MiB of it were read",
                bytes.len() >> 20
            );
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, cause));
        }
    }
    Ok(bytes)
}

/// Counts the bytes that are read.
struct Counted<'a, R> {
    inner: R,
    count: &'a Cell<usize>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(into)?;
        self.count.set(self.count.get() + length);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_unpacks_without_an_end_is_given_up_early() {
        // 256 MiB of the same letter in a quarter of a MiB.
        let bomb = {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            let letters = vec![b' '; 1 << 20];
            for _ in 0..256 {
                encoder.write_all(&letters).expect("memory");
            }
            encoder.finish().expect("memory")
        };
        let error = unpack(&bomb).expect_err("it is no text");
        let cause = "it is more than a result: 65 MiB of it were read";
        assert_eq!(error.to_string(), cause);
        assert_eq!(unpack_bytes(&bomb).expect("an account").len(), 256 << 20);
        let small = pack(&"a".repeat(1 << 20)).expect("memory");
        assert_eq!(unpack(&small).expect("a text").len(), 1 << 20);
    }
}
