//! What the user names to be read: opened here, so that nobody waits for ever at a named pipe that
//! nobody writes to.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags};

/// The file system of pipes without a name, those of a shell's `<(…)` (`linux/magic.h`).
const PIPES: i64 = 0x5049_5045;

/// Opens a file, a device or a pipe without a name to read.
///
/// # Errors
///
/// What the system says, and of a named pipe that it is one.
pub fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
    #[expect(clippy::disallowed_methods, reason = "it is opened to read alone")]
    let opened = rustix::fs::open(path, flags, Mode::empty())?;
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&opened)?.st_mode);
    let is_pipe = kind == FileType::Fifo;
    if is_pipe && rustix::fs::fstatfs(&opened)?.f_type as i64 != PIPES {
        let cause = "it is a named pipe, at which nobody may ever write; take a file, or standard \
                     input";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, cause));
    }
    let flags = rustix::fs::fcntl_getfl(&opened)?;
    rustix::fs::fcntl_setfl(&opened, flags - OFlags::NONBLOCK)?;
    Ok(File::from(opened))
}

/// All that is in it.
///
/// # Errors
///
/// As [`open`], and what reading says.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The same as text.
///
/// # Errors
///
/// As [`read`], and where it is no text.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::CWD;
    use std::io::Write as _;
    use std::os::fd::AsRawFd as _;

    #[test]
    fn a_named_pipe_is_refused_and_one_without_a_name_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let named = folder.path().join("pipe");
        rustix::fs::mknodat(CWD, &named, FileType::Fifo, Mode::RWXU, 0).expect("a pipe");
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
        let error = read(&folder.path().join("none")).expect_err("it is not there");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        let error = read(folder.path()).expect_err("it is a folder");
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
    }
}
