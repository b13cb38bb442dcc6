//! An NVMe namespace that is open by its generic character device, `/dev/ngXnY`.

use fathom_platform::fd::BorrowedFd;
use std::io;

use fathom_nvme::IDENTIFY_BYTES;

/// What a request to it needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Namespace {
    /// Its identifier at the controller.
    pub id: u32,
    /// Bytes of a logical block, as a power of two.
    pub block_shift: u32,
    /// Logical blocks.
    pub blocks: u64,
    /// Bytes of metadata of each block, in addition to its data.
    pub metadata_bytes: u16,
}

impl Namespace {
    /// The namespace behind an open character device; none if it is another kind of device.
    ///
    /// # Errors
    ///
    /// It is a namespace, but the controller does not describe it.
    pub(crate) fn of(fd: BorrowedFd<'_>) -> io::Result<Option<Self>> {
        let Ok(id) = fathom_nvme::namespace_id(fd) else {
            return Ok(None);
        };
        let page = fathom_nvme::identify_namespace(fd, id)?;
        Self::parse(id, &page).map(Some)
    }

    /// Bytes of a logical block.
    pub const fn block_bytes(self) -> u32 {
        1 << self.block_shift
    }

    /// Reads the identify data structure of a namespace, whose numbers are little-endian: its size
    /// in blocks at 0, the format in use at 26, the formats from 128.
    fn parse(id: u32, page: &[u8; IDENTIFY_BYTES]) -> io::Result<Self> {
        let blocks = u64::from_le_bytes(std::array::from_fn(|byte| page[byte]));
        let in_use = page[26];
        let format = usize::from(in_use & 0xF | (in_use >> 5 & 0b11) << 4);
        let at = 128 + 4 * format;
        let block_shift = u32::from(page[at + 2]);
        // The kernel takes blocks from 512 bytes; beyond 64 KiB there is no memory for one.
        if !(9..=16).contains(&block_shift) {
            let words = format!("the controller says that its blocks have 2^{block_shift} bytes");
            return Err(io::Error::other(words));
        }
        Ok(Self {
            id,
            block_shift,
            blocks,
            metadata_bytes: u16::from_le_bytes([page[at], page[at + 1]]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::fd::AsFd as _;

    #[test]
    fn a_format_is_read_where_the_specification_puts_it() {
        let mut page = [0xEE; IDENTIFY_BYTES];
        let mut put = |at: usize, bytes: &[u8]| page[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &0x1_0000_0001_u64.to_le_bytes());
        // Format 17: the lower bits at 0 to 3, the upper at 5 and 6; bit 4 is of no concern.
        put(26, &[0b0011_0001]);
        put(128 + 4 * 17, &[8, 0, 12, 0]);
        let expected = Namespace {
            id: 3,
            block_shift: 12,
            blocks: 0x1_0000_0001,
            metadata_bytes: 8,
        };
        assert_eq!(Namespace::parse(3, &page).unwrap(), expected);
        page[128 + 4 * 17 + 2] = 0;
        let error = Namespace::parse(3, &page).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the controller says that its blocks have 2^0 bytes"
        );
    }

    #[test]
    fn other_devices_are_none() {
        let null = std::fs::File::open("/dev/null").expect("the null device");
        assert_eq!(Namespace::of(null.as_fd()).expect("asked"), None);
    }
}
