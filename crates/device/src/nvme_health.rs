//! The health of an NVMe controller by its own account: the SMART / health information log page
//! (NVM Express base specification, Get Log Page, log identifier 02h), which is only read.

use std::io;
use std::os::fd::AsRawFd as _;
use std::path::Path;

use fathom_core::result::Health;
use rustix::fs::OFlags;

use crate::pin::read_with;

/// Length of the log page.
pub const LOG_BYTES: usize = 512;

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
/// told nothing but to give the log.
///
/// # Errors
///
/// What the system said: no permission (it takes root), or no such log.
pub fn read(node: &Path) -> io::Result<Health> {
    let device = read_with(node, OFlags::NONBLOCK)?;
    let mut page = [0_u8; LOG_BYTES];
    let mut command = AdminCommand::get_health_log(&mut page);
    // SAFETY: the command is as long as the request says; it names a buffer of LOG_BYTES, which
    // is as long as the log that it asks for and outlives the call.
    let status = unsafe {
        libc::ioctl(
            device.as_raw_fd(),
            NVME_IOCTL_ADMIN_CMD as _,
            std::ptr::from_mut(&mut command),
        )
    };
    match status {
        0 => Ok(parse(&page)),
        // The kernel gives back the status of the controller, above 0.
        1.. => Err(io::Error::other(format!(
            "the controller refused the log, status {status:#x}"
        ))),
        _ => Err(io::Error::last_os_error()),
    }
}

// ---- The kernel's interface, `linux/nvme_ioctl.h`.

/// `_IOWR('N', 0x41, struct nvme_admin_cmd)`.
const NVME_IOCTL_ADMIN_CMD: libc::c_ulong = 0xC048_4E41;
const GET_LOG_PAGE: u8 = 0x02;
const HEALTH_LOG: u32 = 0x02;
/// The whole controller, not one namespace.
const ALL_NAMESPACES: u32 = u32::MAX;

/// `struct nvme_passthru_cmd`.
#[repr(C)]
#[derive(Default)]
struct AdminCommand {
    opcode: u8,
    flags: u8,
    reserved: u16,
    namespace: u32,
    cdw2: u32,
    cdw3: u32,
    metadata: u64,
    data: u64,
    metadata_bytes: u32,
    data_bytes: u32,
    cdw10_to_15: [u32; 6],
    timeout_ms: u32,
    result: u32,
}

impl AdminCommand {
    fn get_health_log(page: &mut [u8; LOG_BYTES]) -> Self {
        // Length in words of four bytes, less one, beside the identifier.
        let words = (LOG_BYTES / 4 - 1) as u32;
        Self {
            opcode: GET_LOG_PAGE,
            namespace: ALL_NAMESPACES,
            data: page.as_mut_ptr().expose_provenance() as u64,
            data_bytes: LOG_BYTES as u32,
            cdw10_to_15: [HEALTH_LOG | words << 16, 0, 0, 0, 0, 0],
            ..Self::default()
        }
    }
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
    fn the_command_is_as_the_kernel_has_it() {
        assert_eq!(size_of::<AdminCommand>(), 0x48);
        let mut page = [0; LOG_BYTES];
        let command = AdminCommand::get_health_log(&mut page);
        assert_eq!(command.cdw10_to_15[0], 0x007F_0002);
    }

    #[test]
    fn what_is_no_controller_refuses() {
        let error = read(Path::new("/dev/null")).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::ENOTTY));
    }
}
