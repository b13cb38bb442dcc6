//! Whether pages can be dropped as soon as requests are done with them.

use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::kind::EngineKind;
use crate::target::OpenTarget;
use std::os::fd::AsRawFd as _;
use std::sync::Arc;

/// Asks each target for a byte so, if requests are to be made so; the kernel answers for the file
/// system.
///
/// # Errors
///
/// [`EngineError::Unavailable`] where one cannot.
pub(crate) fn check(
    kind: EngineKind,
    config: &EngineConfig,
    targets: &[Arc<OpenTarget>],
) -> Result<(), EngineError> {
    if !config.flags.uncached {
        return Ok(());
    }
    for target in targets {
        if asks(target) == -libc::EOPNOTSUPP {
            let path = target.path.display();
            return Err(EngineError::Unavailable {
                engine: kind.name(),
                cause: format!(
                    "pages of {path} cannot be dropped as requests are done with them: it takes \
                     Linux 6.14, and a file system that does so"
                ),
                remedy: "direct I/O, or without the flag `uncached`".into(),
            });
        }
    }
    Ok(())
}

/// What the kernel says of a read of one byte.
fn asks(target: &OpenTarget) -> i32 {
    const DONT_CACHE: libc::c_int = 0x80;
    let mut byte = 0_u8;
    let buffer = libc::iovec {
        iov_base: (&raw mut byte).cast(),
        iov_len: 1,
    };
    // SAFETY: the kernel writes at most one byte, where `byte` lives through the call.
    let read = unsafe { libc::preadv2(target.fd.as_raw_fd(), &raw const buffer, 1, 0, DONT_CACHE) };
    if read >= 0 {
        return 0;
    }
    let error = std::io::Error::last_os_error();
    -error.raw_os_error().unwrap_or(libc::EIO)
}
