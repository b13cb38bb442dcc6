//! The slot: room in an image for the configuration and keys of a site, which are put there without
//! building the image anew.
//!
//! It is an archive of its own behind the one with the system, so a kernel unpacks it over that.
//! Its first entry is a file with a mark and the size of the slot; what follows it is replaced, and
//! the rest is zeros, which a kernel passes over. It is the same in an ISO image, in a unified
//! kernel image and in the file that a network start loads, and none of these has a sum over it.

use crate::cpio::{Archive, HEADER_BYTES};

/// Room in a slot, in bytes: keys, known hosts and the certificates of a site take less.
pub const SIZE_BYTES: usize = 1 << 20;

/// The entry that begins it; the system has the file afterwards, and no use for it.
const NAME: &str = ".fathom-slot";

/// What the file begins with. Its halves are joined when it is used: the program that looks for it
/// does not hold it, and an image may hold the program.
const MARK: [&str; 2] = ["fathom-image-", "slot "];

/// Length of the file: the mark, the size in hexadecimal digits, and a newline.
const FILE_BYTES: usize = 27;

/// An image into which nothing can be put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlotError {
    /// No slot.
    #[error("it is no image of fathom: there is no room for a site in it")]
    None,
    /// More than one.
    #[error("it has room for a site at {0} places, and only one can be the right one")]
    Several(usize),
    /// More than fits.
    #[error("the site takes {needed} bytes, and there is room for {room}")]
    Full {
        /// What it takes.
        needed: usize,
        /// Free space, bytes.
        room: usize,
    },
}

fn mark() -> String {
    MARK.concat()
}

/// An archive that begins as a slot.
pub fn archive() -> Archive {
    let mut archive = Archive::new(0);
    let text = format!("{}{SIZE_BYTES:08x}\n", mark());
    archive.file(NAME, 0o444, text.as_bytes());
    archive
}

/// A slot with nothing in it, as every image has when it is built.
pub fn empty() -> Vec<u8> {
    let mut bytes = archive().finish();
    bytes.resize(SIZE_BYTES, 0);
    bytes
}

/// Where the slot of an image is, and how long it is.
fn find(image: &[u8]) -> Result<(usize, usize), SlotError> {
    let mark = mark();
    let before = (HEADER_BYTES + NAME.len() + 1).next_multiple_of(4);
    let slots: Vec<(usize, usize)> = memmem(image, mark.as_bytes())
        .filter_map(|at| {
            let start = at.checked_sub(before)?;
            let name = image.get(start + HEADER_BYTES..)?;
            let is_entry =
                image[start..].starts_with(b"070701") && name.starts_with(NAME.as_bytes());
            let digits = image.get(at + mark.len()..at + FILE_BYTES - 1)?;
            let size = usize::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
            let fits = start.checked_add(size)? <= image.len();
            (is_entry && fits).then_some((start, size))
        })
        .collect();
    match slots[..] {
        [] => Err(SlotError::None),
        [slot] => Ok(slot),
        _ => Err(SlotError::Several(slots.len())),
    }
}

/// The places of some bytes in others.
fn memmem<'a>(all: &'a [u8], wanted: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let first = wanted[0];
    let begins = all
        .iter()
        .enumerate()
        .filter(move |(_, byte)| **byte == first);
    begins.filter_map(move |(at, _)| all[at..].starts_with(wanted).then_some(at))
}

/// Puts an archive that began as [`archive`] into the slot of an image, in place of its contents.
///
/// # Errors
///
/// [`SlotError`] of an image that has no slot, or too small a one.
pub fn fill(image: &mut [u8], site: Archive) -> Result<(), SlotError> {
    let (start, room) = find(image)?;
    let bytes = site.finish();
    if bytes.len() > room {
        return Err(SlotError::Full {
            needed: bytes.len(),
            room,
        });
    }
    let slot = &mut image[start..start + room];
    slot.fill(0);
    slot[..bytes.len()].copy_from_slice(&bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image() -> Vec<u8> {
        [vec![7; 4096], empty(), vec![9; 100]].concat()
    }

    #[test]
    fn what_is_put_into_a_slot_is_there_and_nothing_around_it_changes() {
        let mut filled = image();
        let mut site = archive();
        site.file("etc/fathom.toml", 0o600, b"job = \"quick\"\n");
        let expected = site.clone().finish();
        fill(&mut filled, site).unwrap();
        assert_eq!(filled.len(), image().len());
        assert_eq!(filled[..4096], [7; 4096]);
        assert_eq!(filled[4096..4096 + expected.len()], expected);
        assert_eq!(filled[4096 + SIZE_BYTES..], [9; 100]);
        // And again: the second site replaces the first.
        fill(&mut filled, archive()).unwrap();
        assert_eq!(filled, image());
    }

    #[test]
    fn an_image_without_one_slot_is_refused() {
        let cases = [
            (vec![0; 9000], SlotError::None),
            (mark().into_bytes(), SlotError::None),
            ([empty(), empty()].concat(), SlotError::Several(2)),
            // Cut off in the middle.
            (empty()[..5000].to_vec(), SlotError::None),
        ];
        for (mut image, expected) in cases {
            assert_eq!(fill(&mut image, archive()), Err(expected));
        }
        let mut site = archive();
        site.file("etc/large", 0o600, &vec![1; SIZE_BYTES]);
        let needed = site.clone().finish().len();
        let room = SIZE_BYTES;
        assert_eq!(
            fill(&mut image(), site),
            Err(SlotError::Full { needed, room })
        );
    }

    #[test]
    fn the_file_is_as_long_as_it_is_said() {
        assert_eq!(format!("{}{SIZE_BYTES:08x}\n", mark()).len(), FILE_BYTES);
    }
}
