//! What a controller says of a command that it has not done: status code type and status code, in
//! the words of the NVM Express specifications, and the system error that the kernel makes of it on
//! the block device of the same namespace.

/// Bits of the status type and the status code; above them are hints about trying again.
pub(crate) const CODE_BITS: i32 = 0x7FF;

struct Status {
    code: u16,
    errno: i32,
    name: &'static str,
}

const fn status(code: u16, errno: i32, name: &'static str) -> Status {
    Status { code, errno, name }
}

/// By code; what is not here is an error of input and output.
const STATUSES: [Status; 45] = [
    status(0x001, libc::EOPNOTSUPP, "invalid command opcode"),
    status(0x002, libc::EOPNOTSUPP, "invalid field in command"),
    status(0x003, libc::EIO, "command id conflict"),
    status(0x004, libc::EIO, "data transfer error"),
    status(0x005, libc::EIO, "commands aborted due to power loss"),
    status(0x006, libc::EIO, "internal error"),
    status(0x007, libc::EIO, "command abort requested"),
    status(0x008, libc::EIO, "command aborted, queue deleted"),
    status(0x00B, libc::EOPNOTSUPP, "invalid namespace or format"),
    status(0x00C, libc::EIO, "command sequence error"),
    status(0x013, libc::EIO, "invalid PRP offset"),
    status(0x015, libc::EIO, "operation denied"),
    status(0x01C, libc::EIO, "sanitize failed"),
    status(0x01D, libc::EIO, "sanitize in progress"),
    status(0x020, libc::EIO, "namespace is write protected"),
    status(0x021, libc::EREMOTEIO, "command interrupted"),
    status(0x022, libc::EIO, "transient transport error"),
    status(0x080, libc::EREMOTEIO, "LBA out of range"),
    status(0x081, libc::ENOSPC, "capacity exceeded"),
    status(0x082, libc::EREMOTEIO, "namespace not ready"),
    status(0x083, libc::EBADE, "reservation conflict"),
    status(0x084, libc::EIO, "format in progress"),
    status(0x180, libc::EOPNOTSUPP, "conflicting attributes"),
    status(0x181, libc::EILSEQ, "invalid protection information"),
    status(0x182, libc::ENODATA, "attempted write to read only range"),
    status(0x1B8, libc::EIO, "zone boundary error"),
    status(0x1B9, libc::EIO, "zone is full"),
    status(0x1BA, libc::EIO, "zone is read only"),
    status(0x1BB, libc::EIO, "zone is offline"),
    status(0x1BC, libc::EIO, "zone invalid write"),
    status(0x1BD, libc::EOVERFLOW, "too many active zones"),
    status(0x1BE, libc::ETOOMANYREFS, "too many open zones"),
    status(0x1BF, libc::EIO, "invalid zone state transition"),
    status(0x280, libc::ENODATA, "write fault"),
    status(0x281, libc::ENODATA, "unrecovered read error"),
    status(0x282, libc::EILSEQ, "end-to-end guard check error"),
    status(
        0x283,
        libc::EILSEQ,
        "end-to-end application tag check error",
    ),
    status(0x284, libc::EILSEQ, "end-to-end reference tag check error"),
    status(0x285, libc::ENODATA, "compare failure"),
    status(0x286, libc::ENODATA, "access denied"),
    status(
        0x287,
        libc::ENODATA,
        "deallocated or unwritten logical block",
    ),
    status(0x301, libc::EIO, "asymmetric access persistent loss"),
    status(0x302, libc::EIO, "asymmetric access inaccessible"),
    status(0x303, libc::EIO, "asymmetric access transition"),
    status(0x370, libc::ENOLINK, "host path error"),
];

fn find(code: u16) -> Option<&'static Status> {
    let at = STATUSES.binary_search_by_key(&code, |status| status.code);
    at.ok().map(|at| &STATUSES[at])
}

/// The system error of a status.
pub(crate) fn errno(code: u16) -> i32 {
    find(code).map_or(libc::EIO, |status| status.errno)
}

/// Its name, if the specifications have one that is known here.
pub(crate) fn name(code: u16) -> Option<&'static str> {
    find(code).map(|status| status.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_found_by_its_code() {
        for status in &STATUSES {
            assert_eq!(name(status.code), Some(status.name));
            assert_eq!(errno(status.code), status.errno);
        }
        assert_eq!((name(0x0C0), errno(0x0C0)), (None, libc::EIO));
    }
}
