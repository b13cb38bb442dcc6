//! Telling file systems and devices how long what is written lives.

use crate::error::EngineError;
use crate::target::OpenTarget;
use fathom_core::spec::WriteLife;
use std::os::fd::AsRawFd as _;

/// `F_SET_RW_HINT` of `linux/fcntl.h`: of all that is written to the file, by whatever opens it.
const SET_HINT: libc::c_int = 1024 + 12;

impl OpenTarget {
    /// Says how long what is written to it lives. The hint stays with the file, or the device,
    /// until another one is given.
    ///
    /// # Errors
    ///
    /// [`EngineError::Call`] where the kernel does not take it.
    pub fn set_write_life(&self, life: WriteLife) -> Result<(), EngineError> {
        let hint: u64 = match life {
            WriteLife::None => 1,
            WriteLife::Short => 2,
            WriteLife::Medium => 3,
            WriteLife::Long => 4,
            WriteLife::Extreme => 5,
        };
        // SAFETY: the kernel reads one `u64` at `hint`, which lives through the call.
        let answer = unsafe { libc::fcntl(self.fd.as_raw_fd(), SET_HINT, &raw const hint) };
        if answer < 0 {
            return Err(EngineError::Call {
                call: "fcntl with F_SET_RW_HINT",
                cause: std::io::Error::last_os_error().to_string(),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::OpenOptions;

    #[test]
    fn each_life_is_what_the_file_has_then() {
        /// `F_GET_RW_HINT`.
        const GET_HINT: libc::c_int = 1024 + 11;
        let file = tempfile::NamedTempFile::new().expect("a file");
        let options = OpenOptions {
            write: true,
            ..OpenOptions::default()
        };
        let target = OpenTarget::open(file.path(), &options).expect("opened");
        let lives = [
            WriteLife::Short,
            WriteLife::Medium,
            WriteLife::Long,
            WriteLife::Extreme,
            WriteLife::None,
        ];
        let hints = lives.map(|life| {
            target.set_write_life(life).expect("the owner may");
            let mut hint = 0_u64;
            // SAFETY: the kernel writes one `u64` at `hint`, which lives through the call.
            let answer = unsafe { libc::fcntl(target.fd.as_raw_fd(), GET_HINT, &raw mut hint) };
            assert_eq!(answer, 0);
            hint
        });
        assert_eq!(hints, [2, 3, 4, 5, 1]);
    }
}
