//! A folder of our own that goes away with everything in it.

use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

const CHUNK_BYTES: usize = 1 << 20;

/// Removed on drop.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A new folder in `parent`, named after this process.
    pub(crate) fn new_in(parent: &Path) -> Result<Self> {
        let parent = parent
            .canonicalize()
            .with_context(|| format!("cannot use the folder {}", parent.display()))?;
        let path = parent.join(format!("fathom-peers-{}", std::process::id()));
        fs::create_dir(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, name: &str, content: &[u8]) -> Result<()> {
        fs::write(self.0.join(name), content).with_context(|| format!("cannot write {name}"))
    }

    /// A file of `bytes` (a multiple of 1 MiB), really written, that nothing can compress.
    pub(crate) fn fill(&self, name: &str, bytes: u64) -> Result<()> {
        let mut file = File::create(self.0.join(name)).with_context(|| name.to_owned())?;
        let mut state = bytes | 1;
        let mut chunk = vec![0; CHUNK_BYTES];
        for _ in 0..bytes / CHUNK_BYTES as u64 {
            for word in chunk.chunks_exact_mut(8) {
                // Xorshift (Marsaglia 2003): enough for content that nobody looks at.
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                word.copy_from_slice(&state.to_le_bytes());
            }
            file.write_all(&chunk)
                .with_context(|| format!("cannot fill {name}"))?;
        }
        file.sync_all()
            .with_context(|| format!("cannot flush {name}"))
    }

    /// Everything in it.
    pub(crate) fn names(&self) -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(&self.0).context("cannot list our folder")?;
        entries
            .map(|entry| Ok(entry.context("cannot list our folder")?.path()))
            .collect()
    }

    /// Removes everything in it.
    pub(crate) fn empty(&self) -> Result<()> {
        for path in self.names()? {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing can be done about a folder that cannot be removed, and the page is out by now.
        let _ = fs::remove_dir_all(&self.0);
    }
}
