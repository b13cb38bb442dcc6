//! The questions.

use std::io;

use fathom_platform::fd::BorrowedFd;
use fathom_platform::ioctl;

use crate::admin::{Question, send};

/// Bytes of a structure that the controller identifies something with.
pub const IDENTIFY_BYTES: usize = 4096;

/// `_IO('N', 0x40)`.
const NVME_IOCTL_ID: u32 = 0x4E40;

/// The identifier of the namespace that an open device node is a way to.
///
/// # Errors
///
/// What the system said; `ENOTTY` if it is no node of a namespace.
pub fn namespace_id(fd: BorrowedFd<'_>) -> io::Result<u32> {
    // SAFETY: the operation has no argument; its answer is a number.
    match unsafe { ioctl(fd, NVME_IOCTL_ID, std::ptr::null_mut::<()>()) }? {
        0 => Err(io::Error::other(
            "it says of no namespace that it is its own",
        )),
        id => Ok(id),
    }
}

/// Asks the controller what a namespace is: the identify namespace data structure.
///
/// # Errors
///
/// What the system said, or the status with which the controller refused.
pub fn identify_namespace(
    fd: BorrowedFd<'_>,
    namespace: u32,
) -> io::Result<Box<[u8; IDENTIFY_BYTES]>> {
    let mut page = Box::new([0; IDENTIFY_BYTES]);
    send(fd, Question::Identify, namespace, 0, page.as_mut_slice())?;
    Ok(page)
}

/// Asks for a log of the whole controller, or of one namespace. As much of it as `page` has room
/// for, which is a multiple of four bytes.
///
/// # Errors
///
/// What the system said: no permission (it takes root), no such log; or the status with which the
/// controller refused.
pub fn log_page(
    fd: BorrowedFd<'_>,
    log: u8,
    namespace: Option<u32>,
    page: &mut [u8],
) -> io::Result<()> {
    let cdw10 = log_of(log, page.len()).ok_or(io::ErrorKind::InvalidInput)?;
    let namespace = namespace.unwrap_or(u32::MAX);
    send(fd, Question::GetLogPage, namespace, cdw10, page)
}

/// The identifier of a log, with the number of words of four bytes to read, less one.
fn log_of(log: u8, bytes: usize) -> Option<u32> {
    let words = u16::try_from((bytes / 4).checked_sub(1)?).ok()?;
    bytes
        .is_multiple_of(4)
        .then_some(u32::from(log) | u32::from(words) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::fd::AsFd as _;
    use fathom_platform::io::Errno;
    use std::fs::File;

    #[test]
    fn the_length_of_a_log_stands_beside_its_identifier() {
        assert_eq!(log_of(0x02, 512), Some(0x007F_0002));
        assert_eq!(log_of(0xD0, 4096), Some(0x03FF_00D0));
        for bytes in [0, 3, 6, 4 * 65_537] {
            assert_eq!(log_of(0x02, bytes), None, "{bytes} bytes");
        }
    }

    #[test]
    fn what_is_no_controller_refuses() {
        let null = File::open("/dev/null").expect("the null device");
        let mut page = [0; 512];
        let errors = [
            namespace_id(null.as_fd()).unwrap_err(),
            identify_namespace(null.as_fd(), 1).unwrap_err(),
            log_page(null.as_fd(), 2, None, &mut page).unwrap_err(),
        ];
        let numbers = errors.map(|error| error.raw_os_error());
        assert_eq!(numbers, [Some(Errno::NOTTY.raw_os_error()); 3]);
    }
}
