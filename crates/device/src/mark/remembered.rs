//! Marks of files on file systems that keep none: this process remembers them, as long as it lasts.
//! So it knows scratch of its own again, to use it for a later run and to remove it at the end.

use std::fs::File;
use std::io;
use std::sync::Mutex;

use super::Mark;
use crate::removal::Identity;

/// Each file once, with its mark.
static MARKS: Mutex<Vec<(Identity, Mark)>> = Mutex::new(Vec::new());

/// Remembers the mark of an open file, in the place of an older one.
///
/// # Errors
///
/// The file has no identity.
pub(super) fn remember(file: &File, mark: Mark) -> io::Result<()> {
    let file = fathom_platform::identity(file)?;
    let mut marks = MARKS
        .lock()
        .map_err(|_| io::Error::other("a thread panicked"))?;
    marks.retain(|(known, _)| *known != file);
    marks.push((file, mark));
    Ok(())
}

/// The mark of an open file, if this process has given it one.
pub(super) fn recall(file: &File) -> Option<Mark> {
    let file = fathom_platform::identity(file).ok()?;
    let marks = MARKS.lock().ok()?;
    let found = marks.iter().find(|(known, _)| *known == file);
    found.map(|(_, mark)| mark.clone())
}
