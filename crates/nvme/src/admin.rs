//! A command of administration, as the kernel takes it.

use std::io;

use fathom_platform::fd::BorrowedFd;
use fathom_platform::ioctl;

/// `_IOWR('N', 0x41, struct nvme_admin_cmd)`.
const NVME_IOCTL_ADMIN_CMD: u32 = 0xC048_4E41;

/// `struct nvme_passthru_cmd`.
#[repr(C)]
#[derive(Default)]
struct Frame {
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

// The size is part of the number of the ioctl.
const _: () = assert!(size_of::<Frame>() as u32 == NVME_IOCTL_ADMIN_CMD >> 16 & 0x3FFF);

/// A command that brings data from the controller and changes nothing.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(crate) enum Question {
    GetLogPage = 0x02,
    Identify = 0x06,
}

/// Sends a command and has its answer in `page`. Status 0 is success; the kernel gives back
/// another status of the controller as it is.
pub(crate) fn send(
    fd: BorrowedFd<'_>,
    question: Question,
    namespace: u32,
    cdw10: u32,
    page: &mut [u8],
) -> io::Result<()> {
    let too_long = |_| io::Error::from(io::ErrorKind::InvalidInput);
    let mut frame = Frame {
        opcode: question as u8,
        namespace,
        data: page.as_mut_ptr().expose_provenance() as u64,
        data_bytes: u32::try_from(page.len()).map_err(too_long)?,
        cdw10_to_15: [cdw10, 0, 0, 0, 0, 0],
        ..Frame::default()
    };
    // SAFETY: the frame has the length that the request's number says; it names a buffer that is
    // borrowed for the call, with its length, beyond which the kernel does not write.
    match unsafe { ioctl(fd, NVME_IOCTL_ADMIN_CMD, &raw mut frame) }? {
        0 => Ok(()),
        status => Err(io::Error::other(format!(
            "the controller refused, NVMe status {status:#x}"
        ))),
    }
}
