//! Why a request failed, in one number: the system error, and above it what the device itself said.

use crate::nvme_status as status;

/// A failed request by its number, which is that of a [`Completion`](crate::Completion) without its
/// sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure(i32);

/// Bits of a system error.
const ERRNO_BITS: u32 = 16;

impl Failure {
    /// From its number.
    pub const fn of_number(number: i32) -> Self {
        Self(number)
    }

    /// From the status of an NVMe command, as the kernel hands it on.
    pub fn of_status(status: i32) -> Self {
        let code = status & status::CODE_BITS;
        Self(code << ERRNO_BITS | status::errno(code as u16))
    }

    /// The error number of the system.
    pub const fn number(self) -> i32 {
        self.0
    }

    /// The system error number.
    pub const fn errno(self) -> i32 {
        self.0 & ((1 << ERRNO_BITS) - 1)
    }

    /// What the device said, as in `NVMe status 0x281, unrecovered read error`.
    pub fn status(self) -> Option<String> {
        let code = (self.0 >> ERRNO_BITS) as u16;
        let name = status::name(code).map_or(String::new(), |name| format!(", {name}"));
        (code != 0).then(|| format!("NVMe status {code:#x}{name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_says_both() {
        let plain = Failure::of_number(libc::EBADF);
        assert_eq!((plain.errno(), plain.status()), (libc::EBADF, None));
        let cases = [
            (
                0x4281,
                libc::ENODATA,
                "NVMe status 0x281, unrecovered read error",
            ),
            (0x80, libc::EREMOTEIO, "NVMe status 0x80, LBA out of range"),
            (0x7FFF, libc::EIO, "NVMe status 0x7ff"),
        ];
        for (status, errno, words) in cases {
            let number = Failure::of_status(status).number();
            assert!(number > 0);
            let failure = Failure::of_number(number);
            assert_eq!(failure.errno(), errno);
            assert_eq!(failure.status().as_deref(), Some(words));
        }
    }
}
