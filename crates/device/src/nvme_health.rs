//! The health of an NVMe controller by its own account: the SMART / health information log page
//! (NVM Express base specification, Get Log Page, log identifier 02h), which is only read.

use fathom_platform::fd::AsFd as _;
use std::io;
use std::path::Path;

use fathom_core::result::Health;

use crate::input;

/// Length of the log page.
pub const LOG_BYTES: usize = 512;

/// Its identifier.
const HEALTH_LOG: u8 = 0x02;

/// Parses a log page. Numbers in it are little-endian; an absent one reads as 0, and a count that
/// takes more than 64 of its 128 bits as their largest value.
pub fn parse(page: &[u8; LOG_BYTES]) -> Health {
    let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| page[at + byte]));
    let wide = |at: usize| {
        let bytes = std::array::from_fn(|byte| page[at + byte]);
        u64::try_from(u128::from_le_bytes(bytes)).unwrap_or(u64::MAX)
    };
    Health {
        critical_warning: page[0],
        kelvin: u16::from_le_bytes([page[1], page[2]]),
        spare_percent: page[3],
        spare_threshold_percent: page[4],
        used_percent: page[5],
        media_errors: wide(160),
        warning_minutes: word(192),
        critical_minutes: word(196),
        throttled_lightly: word(216),
        throttled_heavily: word(220),
        throttled_lightly_s: word(224),
        throttled_heavily_s: word(228),
    }
}

/// Asks the controller of a namespace, by its device node. The device is opened for reading and
/// asked for nothing but the log.
///
/// # Errors
///
/// What the system said: no permission (it takes root), or no such log.
pub fn read(node: &Path) -> io::Result<Health> {
    let device = input::open(node)?;
    let mut page = [0_u8; LOG_BYTES];
    fathom_nvme::log_page(device.as_fd(), HEALTH_LOG, None, &mut page)?;
    Ok(parse(&page))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_where_the_specification_puts_its_fields() {
        let mut page = [0xEE; LOG_BYTES];
        let mut put = |at: usize, bytes: &[u8]| page[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &[0b10]);
        put(1, &[0x44, 0x01]);
        put(3, &[99, 10, 103]);
        put(160, &7_u128.to_le_bytes());
        put(192, &[0x01, 0x02, 0, 0]);
        put(196, &3_u32.to_le_bytes());
        put(216, &[0x04, 0, 0, 0x05]);
        put(220, &6_u32.to_le_bytes());
        put(224, &70_u32.to_le_bytes());
        put(228, &80_u32.to_le_bytes());
        let expected = Health {
            critical_warning: 2,
            kelvin: 324,
            spare_percent: 99,
            spare_threshold_percent: 10,
            used_percent: 103,
            media_errors: 7,
            warning_minutes: 513,
            critical_minutes: 3,
            throttled_lightly: 83_886_084,
            throttled_heavily: 6,
            throttled_lightly_s: 70,
            throttled_heavily_s: 80,
        };
        assert_eq!(parse(&page), expected);
        page[160..176].fill(0xFF);
        assert_eq!(parse(&page).media_errors, u64::MAX);
    }

    #[test]
    fn what_is_no_controller_refuses() {
        let error = read(Path::new("/dev/null")).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::ENOTTY));
    }
}
