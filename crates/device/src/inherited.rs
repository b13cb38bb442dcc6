//! Descriptors that whoever started this process left open for it.

use fathom_platform::fd::OwnedFd;
use std::io;

use crate::platform;

/// A copy of the descriptor of this number, which somebody else opened; the first stays as it is.
///
/// # Errors
///
/// If there is none of this number.
pub fn inherited(number: i32) -> io::Result<OwnedFd> {
    platform::inherited(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::fd::AsRawFd as _;
    use std::io::{Read as _, Write as _};

    #[test]
    fn a_copy_leads_to_the_same_end() {
        let (mut reader, writer) = io::pipe().expect("a pipe");
        let copy = inherited(writer.as_raw_fd()).expect("it is open");
        drop(writer);
        std::fs::File::from(copy)
            .write_all(b"x")
            .expect("it is open");
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("it ended");
        assert_eq!(text, "x");
    }

    #[test]
    fn what_is_not_open_is_an_error() {
        let errno = inherited(1_000_000).expect_err("nobody opened it");
        assert_eq!(errno.raw_os_error(), Some(libc::EBADF));
    }
}
