//! What a controller says of a command that it has not done: status code type and status code, in
//! the words of the NVM Express specifications, and the system error that the kernel makes of it on
//! the block device of the same namespace.

use fathom_platform::io::Errno;

/// Bits of the status type and the status code; above them are hints about trying again.
pub(crate) const CODE_BITS: i32 = 0x7FF;

struct Status {
    code: u16,
    errno: Errno,
    name: &'static str,
}

const fn status(code: u16, errno: Errno, name: &'static str) -> Status {
    Status { code, errno, name }
}

/// By code; what is not here is an error of input and output.
const STATUSES: [Status; 45] = [
    status(0x001, Errno::OPNOTSUPP, "invalid command opcode"),
    status(0x002, Errno::OPNOTSUPP, "invalid field in command"),
    status(0x003, Errno::IO, "command id conflict"),
    status(0x004, Errno::IO, "data transfer error"),
    status(0x005, Errno::IO, "commands aborted due to power loss"),
    status(0x006, Errno::IO, "internal error"),
    status(0x007, Errno::IO, "command abort requested"),
    status(0x008, Errno::IO, "command aborted, queue deleted"),
    status(0x00B, Errno::OPNOTSUPP, "invalid namespace or format"),
    status(0x00C, Errno::IO, "command sequence error"),
    status(0x013, Errno::IO, "invalid PRP offset"),
    status(0x015, Errno::IO, "operation denied"),
    status(0x01C, Errno::IO, "sanitize failed"),
    status(0x01D, Errno::IO, "sanitize in progress"),
    status(0x020, Errno::IO, "namespace is write protected"),
    status(0x021, Errno::REMOTEIO, "command interrupted"),
    status(0x022, Errno::IO, "transient transport error"),
    status(0x080, Errno::REMOTEIO, "LBA out of range"),
    status(0x081, Errno::NOSPC, "capacity exceeded"),
    status(0x082, Errno::REMOTEIO, "namespace not ready"),
    status(0x083, Errno::BADE, "reservation conflict"),
    status(0x084, Errno::IO, "format in progress"),
    status(0x180, Errno::OPNOTSUPP, "conflicting attributes"),
    status(0x181, Errno::ILSEQ, "invalid protection information"),
    status(0x182, Errno::NODATA, "attempted write to read only range"),
    status(0x1B8, Errno::IO, "zone boundary error"),
    status(0x1B9, Errno::IO, "zone is full"),
    status(0x1BA, Errno::IO, "zone is read only"),
    status(0x1BB, Errno::IO, "zone is offline"),
    status(0x1BC, Errno::IO, "zone invalid write"),
    status(0x1BD, Errno::OVERFLOW, "too many active zones"),
    status(0x1BE, Errno::TOOMANYREFS, "too many open zones"),
    status(0x1BF, Errno::IO, "invalid zone state transition"),
    status(0x280, Errno::NODATA, "write fault"),
    status(0x281, Errno::NODATA, "unrecovered read error"),
    status(0x282, Errno::ILSEQ, "end-to-end guard check error"),
    status(
        0x283,
        Errno::ILSEQ,
        "end-to-end application tag check error",
    ),
    status(0x284, Errno::ILSEQ, "end-to-end reference tag check error"),
    status(0x285, Errno::NODATA, "compare failure"),
    status(0x286, Errno::NODATA, "access denied"),
    status(
        0x287,
        Errno::NODATA,
        "deallocated or unwritten logical block",
    ),
    status(0x301, Errno::IO, "asymmetric access persistent loss"),
    status(0x302, Errno::IO, "asymmetric access inaccessible"),
    status(0x303, Errno::IO, "asymmetric access transition"),
    status(0x370, Errno::NOLINK, "host path error"),
];

fn find(code: u16) -> Option<&'static Status> {
    let at = STATUSES.binary_search_by_key(&code, |status| status.code);
    at.ok().map(|at| &STATUSES[at])
}

/// The system error of a status.
pub(crate) fn errno(code: u16) -> i32 {
    let errno = find(code).map_or(Errno::IO, |status| status.errno);
    errno.raw_os_error()
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
            assert_eq!(errno(status.code), status.errno.raw_os_error());
        }
        assert_eq!(
            (name(0x0C0), errno(0x0C0)),
            (None, Errno::IO.raw_os_error())
        );
    }
}
