//! Reading what a job uses of its targets into the page cache, before any clock runs.

use crate::prepare::{PrepareError, PreparedTarget};
use fathom_engine::OpenOptions;
use fathom_load::control::{Control, Wish};
use fathom_load::stream::Window;
use rustix::io::Errno;

/// Bytes of one read.
const CHUNK_BYTES: u64 = 1 << 20;

/// Reads a part of a target through the page cache, unless the user wants no more.
pub(crate) fn preload(
    target: &PreparedTarget,
    window: Window,
    control: &Control,
) -> Result<(), PrepareError> {
    let options = OpenOptions {
        read: true,
        write: false,
        direct: false,
        write_through: false,
    };
    let open = target.open(&options)?;
    let mut buffer = vec![0; CHUNK_BYTES as usize];
    let end = window.start.saturating_add(window.len);
    let mut offset = window.start;
    while offset < end && control.wish() == Wish::Run {
        let most = CHUNK_BYTES.min(end - offset) as usize;
        match rustix::io::pread(&open.fd, &mut buffer[..most], offset) {
            Ok(0) => break,
            Ok(read) => offset += read as u64,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(PrepareError::system(&target.path, "read")(errno.into())),
        }
    }
    Ok(())
}
