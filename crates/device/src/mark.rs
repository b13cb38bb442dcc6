//! The mark on files that Fathom made, an extended attribute, by which a later run knows that it
//! may overwrite them.

use std::io;
use std::os::fd::AsFd;

use rustix::fs::{XattrFlags, fgetxattr, fsetxattr};
use rustix::io::Errno;

/// Name of the extended attribute.
pub const ATTRIBUTE: &str = "user.fathom";
const VALUE: &[u8] = b"1";

/// Marks an open file as made by Fathom. `Ok(false)` where the file system has no extended
/// attributes: the file then counts as someone else's from the next run on.
pub fn mark(file: impl AsFd) -> io::Result<bool> {
    match fsetxattr(file, ATTRIBUTE, VALUE, XattrFlags::empty()) {
        Ok(()) => Ok(true),
        Err(Errno::NOTSUP) => Ok(false),
        Err(errno) => Err(errno.into()),
    }
}

/// Whether an open file carries the mark.
pub fn is_marked(file: impl AsFd) -> io::Result<bool> {
    let mut value = [0_u8; 8];
    match fgetxattr(file, ATTRIBUTE, &mut value) {
        Ok(length) => Ok(value.get(..length) == Some(VALUE)),
        // No such attribute, none supported at all, or a value longer than ours.
        Err(Errno::NODATA | Errno::NOTSUP | Errno::RANGE) => Ok(false),
        Err(errno) => Err(errno.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marked_file_is_known_again() {
        let file = tempfile::tempfile().unwrap();
        assert!(!is_marked(&file).unwrap());
        if !mark(&file).unwrap() {
            eprintln!("skipped: the temporary directory has no extended attributes");
            return;
        }
        assert!(is_marked(&file).unwrap());
        fsetxattr(&file, ATTRIBUTE, b"something else", XattrFlags::empty()).unwrap();
        assert!(!is_marked(&file).unwrap());
    }
}
