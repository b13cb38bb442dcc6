//! The world, for translations that ask about it.

use fathom_device::{FreeSpace, input};
use fathom_engine::{OpenOptions, OpenTarget, TargetKind};
use fathom_tools::Surroundings;
use std::io;
use std::path::Path;

/// The files and the environment of this process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Live;

impl Surroundings for Live {
    fn size_bytes(&self, path: &Path) -> Option<u64> {
        let open = |direct| {
            let options = OpenOptions {
                direct,
                ..OpenOptions::default()
            };
            OpenTarget::open(path, &options)
        };
        // To an NVMe namespace there are no other requests than direct ones.
        let target = open(false).or_else(|_| open(true)).ok()?;
        (target.kind == TargetKind::File || target.kind.is_device()).then_some(target.size_bytes)
    }

    fn free_bytes(&self, path: &Path) -> Option<u64> {
        let directory = path.parent().filter(|parent| *parent != Path::new(""));
        let space = FreeSpace::of_path(directory.unwrap_or(Path::new(".")));
        space.ok().map(|space| space.available_bytes)
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        input::read_text(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn read_bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        input::read(path)
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}
