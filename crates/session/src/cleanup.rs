//! Files that Fathom made for a run are gone after it, however the run ended.
//!
//! The removal is in `drop`, so it happens on an error, on a panic, and after an interrupt:
//! signals do not end the process, they ask the run to return through
//! [`Control`].

use crate::Control;
use crate::plan::MadeFiles;
use fathom_device::mark::Purpose;
use fathom_device::{OwnDirectory, mark, removal};
use fathom_engine::FileTree;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Removes the files that were made for a run when it is dropped, and nothing else.
#[derive(Debug, Default)]
pub struct Cleanup {
    files: MadeFiles,
    made: Vec<Made>,
    /// Directories of files.
    trees: Vec<(OwnDirectory, Arc<FileTree>)>,
    /// Files of earlier runs that this one wrote to.
    used: Vec<(PathBuf, Arc<File>)>,
    /// Says whether the storage answers.
    control: Control,
}

#[derive(Debug)]
struct Made {
    path: PathBuf,
    device: u64,
    inode: u64,
}

impl Cleanup {
    /// A guard without files.
    pub fn new(files: MadeFiles, control: &Control) -> Self {
        Self {
            files,
            control: control.clone(),
            made: Vec::new(),
            used: Vec::new(),
            trees: Vec::new(),
        }
    }

    /// Takes charge of a directory of files.
    pub fn made_files(&mut self, own: OwnDirectory, tree: Arc<FileTree>) {
        self.trees.push((own, tree));
    }

    /// Takes charge of a file that was just created here.
    ///
    /// # Errors
    ///
    /// What the system says of the open file.
    pub fn made(&mut self, path: &Path, file: Arc<File>) -> io::Result<()> {
        let (device, inode) = fathom_platform::identity(&file)?;
        // The run may change its directory, the file does not move with it.
        let path = std::path::absolute(path)?;
        if self.files != MadeFiles::Removed {
            self.used.push((path.clone(), file));
        }
        self.made.push(Made {
            path,
            device,
            inode,
        });
        Ok(())
    }

    /// Takes notice of a file of an earlier run that this one writes to: it stays, and its mark is
    /// to be true of it afterwards.
    ///
    /// # Errors
    ///
    /// What the system said of the path.
    pub fn used(&mut self, path: &Path, file: Arc<File>) -> io::Result<()> {
        self.used.push((std::path::absolute(path)?, file));
        Ok(())
    }

    /// Nothing was measured: what was made goes, whatever was to become of it.
    pub fn abandon(&mut self) {
        let made = std::mem::take(&mut self.made);
        self.used
            .retain(|(path, _)| made.iter().all(|made| made.path != *path));
        made.iter().for_each(Made::remove);
    }

    /// Whether files are left where they are.
    pub fn keeps(&self) -> bool {
        self.files == MadeFiles::Kept
    }

    /// Whether what lies at a path is there after the run.
    pub fn leaves(&self, path: &Path) -> bool {
        let absolute = std::path::absolute(path);
        match self.files {
            MadeFiles::Kept => true,
            // Scratch of this process: it is in the way of nobody's account.
            MadeFiles::Lent => false,
            MadeFiles::Removed => absolute.is_ok_and(|path| self.files().all(|made| made != path)),
        }
    }

    /// The files that it is to remove and leaves, because the storage does not answer: the call
    /// would not come back.
    pub fn left(&self) -> impl Iterator<Item = &Path> {
        let leaves = self.control.hangs() && self.files == MadeFiles::Removed;
        self.files().filter(move |_| leaves)
    }

    /// The files it is in charge of.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.made.iter().map(|made| made.path.as_path())
    }
}

impl Drop for Cleanup {
    fn drop(&mut self) {
        if self.control.hangs() {
            // The marks are on the files: the next run removes them, or `fathom clean`. Closing a
            // file may wait for the storage as well.
            std::mem::forget(std::mem::take(&mut self.used));
            return;
        }
        for (path, file) in &self.used {
            // Without a mark the file is somebody's from now on, which is the safe side.
            let _ = if self.keeps() && self.files().any(|made| made == path) {
                file.metadata()
                    .and_then(|meta| mark::mark(file, path, Purpose::Kept, meta.len()).map(drop))
            } else {
                mark::renew(file, path)
            };
        }
        for (own, tree) in &self.trees {
            if self.files == MadeFiles::Kept {
                own.leave();
            } else {
                // What somebody put there stays, and so does the directory that it is in.
                tree.remove();
                own.remove();
            }
        }
        if self.files != MadeFiles::Removed {
            return;
        }
        self.made.iter().for_each(Made::remove);
    }
}

impl Made {
    fn remove(&self) {
        // Another file may have taken the name meanwhile, and there is nobody left to tell.
        let _ = removal::remove(&self.path, (self.device, self.inode));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Which of three files are left: one made by the run, one that took the name of another
    /// made by it, and one that was there before.
    fn left(files: MadeFiles, end: impl FnOnce(Cleanup)) -> [bool; 3] {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["made", "replaced", "before"].map(|name| folder.path().join(name));
        let mut cleanup = Cleanup::new(files, &Control::new());
        for path in &paths[..2] {
            cleanup
                .made(path, File::create_new(path).unwrap().into())
                .unwrap();
        }
        fs::write(&paths[2], "mine").unwrap();
        fs::rename(&paths[2], &paths[1]).unwrap();
        fs::write(&paths[2], "mine").unwrap();
        end(cleanup);
        paths.map(|path| path.exists())
    }

    #[test]
    fn only_what_was_made_is_removed() {
        assert_eq!(left(MadeFiles::Removed, drop), [false, true, true]);
    }

    #[test]
    fn nothing_is_removed_if_files_are_kept() {
        assert_eq!(left(MadeFiles::Kept, drop), [true, true, true]);
    }

    #[test]
    fn a_panic_removes_as_well() {
        let panics = |cleanup| {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
                let _cleanup: Cleanup = cleanup;
                std::panic::resume_unwind(Box::new("as from a bug"));
            }));
            assert!(result.is_err());
        };
        assert_eq!(left(MadeFiles::Removed, panics), [false, true, true]);
    }
}
