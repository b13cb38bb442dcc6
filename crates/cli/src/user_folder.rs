//! Folders of the user.

use std::ffi::OsString;
use std::path::PathBuf;

/// The folder `fathom` of the first variable that names one; `folders` has the variables, each with
/// the path below it.
pub(crate) fn user_folder(
    folders: &[(&str, &str)],
    of: impl Fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
    // By the rule for XDG_DATA_HOME a path that is not absolute counts as not set.
    let mut found = folders.iter().filter_map(|(name, below)| {
        let folder = PathBuf::from(of(name)?);
        (*name == "HOME" || folder.is_absolute()).then(|| folder.join(below))
    });
    Some(found.next()?.join("fathom"))
}
