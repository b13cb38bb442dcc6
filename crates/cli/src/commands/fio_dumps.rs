//! The files that fio's `verify_dump` asks for: blocks that are not what was written there, as they
//! were read and as they should have been.

use crate::aside;
use fathom_device::{Door, Existing};
use fathom_session::{Event, Observer, WrongBlock};
use std::path::{Path, PathBuf};

/// Writes each wrong block into files of its own, and says where they are.
#[derive(Debug)]
pub(super) struct Dumps {
    door: Door,
    directory: PathBuf,
    existing: Existing,
}

impl Dumps {
    /// In this directory, or the current one. What is there stays, but with `overwrite`.
    pub(super) fn new(door: Door, directory: Option<&str>, overwrite: bool) -> Self {
        Self {
            door,
            directory: directory.unwrap_or_default().into(),
            existing: Existing::replaced_if(overwrite),
        }
    }

    fn write(&self, target: &str, block: &WrongBlock) {
        let name = Path::new(target).file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        let received = if block.is_headless {
            "hdr_fail"
        } else {
            "received"
        };
        let parts = [
            (received, Some(&block.received)),
            ("expected", block.expected.as_ref()),
        ];
        for (part, bytes) in parts {
            let Some(bytes) = bytes else {
                continue;
            };
            let path = self
                .directory
                .join(format!("{name}.{}.{part}", block.offset));
            match self.door.write(&path, bytes, self.existing) {
                Ok(()) => aside::say(&format!("{part} data dumped as {}", path.display())),
                Err(error) => aside::say(&format!(
                    "{part} data not dumped as {}: {}",
                    path.display(),
                    error.cause()
                )),
            }
        }
    }
}

impl Observer for Dumps {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::WrongBlock { path, block } => self.write(path, block),
            Event::WrongBlocksLeftOut { count } => {
                aside::say(&format!("{count} further blocks not dumped"));
            }
            _ => {}
        }
    }
}
