//! A folder of our own that goes away with everything in it.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::interrupt::Interrupt;
use crate::stats::SplitMix64;

const CHUNK_BYTES: usize = 4 << 20;

/// Removed on drop.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// A new folder in `parent`, named after this process.
    pub(crate) fn new_in(parent: &Path) -> Result<Self> {
        let parent = parent
            .canonicalize()
            .with_context(|| format!("cannot use the folder {}", parent.display()))?;
        let path = parent.join(format!("fathom-benches-{}", std::process::id()));
        fs::create_dir(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Self { path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A file of `bytes` (a multiple of 4 MiB) of random content, written and on the disk when this
    /// returns, so that no write-back runs during a measurement.
    pub(crate) fn write_file(
        &self,
        name: &str,
        bytes: u64,
        interrupt: &Interrupt,
    ) -> Result<PathBuf> {
        let path = self.path.join(name);
        let mut file = File::create_new(&path).with_context(|| path.display().to_string())?;
        let mut random = SplitMix64::new(bytes);
        let mut chunk = vec![0; CHUNK_BYTES];
        for _ in 0..bytes / CHUNK_BYTES as u64 {
            interrupt.check()?;
            for word in chunk.chunks_exact_mut(8) {
                word.copy_from_slice(&random.next_u64().to_le_bytes());
            }
            file.write_all(&chunk)
                .with_context(|| format!("cannot fill {}", path.display()))?;
        }
        file.sync_all()
            .with_context(|| format!("cannot flush {}", path.display()))?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.path) {
            crate::say(&format!("cannot remove {}: {error}", self.path.display()));
        }
    }
}

/// Read a file from end to end, so that all of it is in the page cache.
pub(crate) fn read_through(path: &Path, interrupt: &Interrupt) -> Result<()> {
    let mut file = File::open(path).with_context(|| path.display().to_string())?;
    let mut chunk = vec![0; CHUNK_BYTES];
    while file
        .read(&mut chunk)
        .with_context(|| path.display().to_string())?
        > 0
    {
        interrupt.check()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interrupt::Interrupted;

    #[test]
    fn a_scratch_folder_holds_written_files_and_goes_away() {
        let parent = std::env::temp_dir().join(format!("scratch-test-{}", std::process::id()));
        fs::create_dir(&parent).unwrap();
        let scratch = Scratch::new_in(&parent).unwrap();
        let interrupt = Interrupt::default();
        let file = scratch.write_file("data", 8 << 20, &interrupt).unwrap();
        let metadata = fs::metadata(&file).unwrap();
        let blocks = std::os::unix::fs::MetadataExt::blocks(&metadata);
        assert_eq!((metadata.len(), blocks * 512 >= 8 << 20), (8 << 20, true));
        read_through(&file, &interrupt).unwrap();
        drop(scratch);
        assert_eq!(fs::read_dir(&parent).unwrap().count(), 0);
        fs::remove_dir(&parent).unwrap();
    }

    #[test]
    fn an_interrupt_ends_the_filling() {
        let scratch = Scratch::new_in(&std::env::temp_dir()).unwrap();
        let interrupt = Interrupt::default();
        interrupt.request();
        let error = scratch.write_file("data", 8 << 20, &interrupt).unwrap_err();
        assert_eq!(error.downcast_ref(), Some(&Interrupted));
    }
}
