//! The door for reading: every file that Fathom reads is opened here, so that nobody waits for ever
//! at a named pipe that nobody writes to, and nobody takes more into memory than there is.
//!
//! Anybody who may write to a folder can put a pipe there under a name that Fathom looks for. So
//! the open itself never waits, and the type is checked on the open file. Clippy refuses all other
//! ways to open a file for reading.

use fathom_platform::fd::OwnedFd;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use fathom_platform::fs::{FileType, Mode, OFlags};
use fathom_platform::io::Errno;

use crate::nodes::{Node, NodeKind};

/// The file system of pipes without a name, those of a shell's `<(…)` (`linux/magic.h`).
const PIPES: i64 = 0x5049_5045;

/// Bytes that are taken into memory at most.
const MOST_BYTES: u64 = 2 << 30;

/// Opens a file, a device or a pipe without a name to read.
///
/// # Errors
///
/// What the system says, and of a named pipe that it is one.
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    open_with(path.as_ref(), OFlags::empty())
}

/// The same with flags that [`File::open`] does not know.
///
/// # Errors
///
/// As [`open`].
pub fn open_with(path: &Path, flags: OFlags) -> io::Result<File> {
    debug_assert!(!flags.intersects(OFlags::WRONLY | OFlags::RDWR | OFlags::CREATE));
    let flags = flags | OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
    #[expect(clippy::disallowed_methods, reason = "this is the door for reading")]
    let opened = fathom_platform::fs::open(path, flags, Mode::empty())?;
    waiting(opened, flags)
}

/// What was opened without waiting, as others open it: who reads from it or writes to it waits for
/// its data. A named pipe is not read from.
pub(crate) fn waiting(opened: OwnedFd, flags: OFlags) -> io::Result<File> {
    let kind = FileType::from_raw_mode(fathom_platform::fs::fstat(&opened)?.st_mode);
    let is_read = !flags.intersects(OFlags::WRONLY | OFlags::RDWR | OFlags::PATH);
    let is_read_pipe = kind == FileType::Fifo && is_read;
    if is_read_pipe && fathom_platform::fs::fstatfs(&opened)?.f_type as i64 != PIPES {
        let cause = "it is a named pipe, at which nobody may ever write; take a file, or standard \
                     input";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, cause));
    }
    let flags = fathom_platform::fs::fcntl_getfl(&opened)?;
    fathom_platform::fs::fcntl_setfl(&opened, flags - OFlags::NONBLOCK)?;
    Ok(File::from(opened))
}

/// Why something was not opened without waiting.
pub(crate) fn refused(node: &Node, errno: Errno) -> io::Error {
    if node.kind == NodeKind::Fifo && errno == Errno::NXIO {
        let cause = "it is a named pipe, and no process reads from it";
        return io::Error::new(io::ErrorKind::BrokenPipe, cause);
    }
    errno.into()
}

/// All that is in it.
///
/// # Errors
///
/// As [`open`], what reading says, and [`io::ErrorKind::FileTooLarge`] of more than 2 GiB.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    if let Some(text) = crate::platform::kernel_file(path.as_ref()) {
        return text.map(String::into_bytes);
    }
    let mut bytes = Vec::new();
    open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let cause = "it is longer than 2 GiB";
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, cause));
    }
    Ok(bytes)
}

/// The same as text.
///
/// # Errors
///
/// As [`read`], and where it is no text.
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    let no_text = "stream did not contain valid UTF-8";
    String::from_utf8(read(path)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, no_text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::fd::AsRawFd as _;
    use fathom_platform::fs::CWD;
    use std::io::Write as _;

    #[test]
    fn a_named_pipe_is_refused_and_one_without_a_name_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let named = folder.path().join("pipe");
        fathom_platform::fs::mknodat(CWD, &named, FileType::Fifo, Mode::RWXU, 0).expect("a pipe");
        let error = read(&named).expect_err("nobody writes there");
        let cause = "it is a named pipe, at which nobody may ever write; take a file, or standard \
                     input";
        assert_eq!(error.to_string(), cause);
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        writer.write_all(b"[job]\n").expect("room");
        drop(writer);
        let place = format!("/proc/self/fd/{}", reader.as_raw_fd());
        assert_eq!(read_text(Path::new(&place)).expect("a text"), "[job]\n");
    }

    #[test]
    fn a_file_is_read_and_what_is_not_there_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, [0, 255]).expect("a file");
        assert_eq!(read(&file).expect("it is there"), [0, 255]);
        let error = read_text(&file).expect_err("it is no text");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        let error = read(folder.path().join("none")).expect_err("it is not there");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        let error = read(folder.path()).expect_err("it is a folder");
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
    }
}
