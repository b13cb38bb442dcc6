//! Everything that is attacked, watched byte by byte.

pub(crate) mod contents;
pub(crate) mod devices;
pub(crate) mod fuse;
pub(crate) mod kinds;
pub(crate) mod signatures;
mod watched;

use std::any::Any;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use crate::siege::fathom::Fathom;
use kinds::Kind;
use watched::{Entries, Watched};

/// A device, file or other thing that was made to be attacked.
pub(crate) struct Made {
    /// The path by which it is named.
    pub(crate) target: PathBuf,
    /// Devices and files that hold its bytes.
    watched: Vec<(PathBuf, Option<u64>)>,
    /// What has to be taken down again, in the order in which it was made.
    guards: Vec<Box<dyn Any>>,
}

impl Made {
    pub(crate) fn of(target: impl Into<PathBuf>) -> Self {
        Self {
            target: target.into(),
            watched: Vec::new(),
            guards: Vec::new(),
        }
    }

    /// Bytes that nobody may change without permission.
    pub(crate) fn watch(mut self, path: impl Into<PathBuf>) -> Self {
        self.watched.push((path.into(), None));
        self
    }

    /// The same of the first bytes alone, where the kernel may change the others.
    pub(crate) fn watch_begin(mut self, path: impl Into<PathBuf>, bytes: u64) -> Self {
        self.watched.push((path.into(), Some(bytes)));
        self
    }

    /// Keeps something up as long as this is there.
    pub(crate) fn guard(mut self, guard: impl Any) -> Self {
        self.guards.push(Box::new(guard));
        self
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        while self.guards.pop().is_some() {}
    }
}

/// One kind, made, with its bytes as they should be.
pub(crate) struct Exhibit {
    pub(crate) kind: &'static Kind,
    pub(crate) target: PathBuf,
    watched: Vec<Watched>,
    _made: Made,
}

/// All that could be made.
pub(crate) struct Lab {
    pub(crate) exhibits: Vec<Exhibit>,
    /// Kinds that this machine cannot make, and why.
    pub(crate) missing: Vec<String>,
    entries: Entries,
    folder: TempDir,
}

/// What an attack did to the laboratory.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Damage {
    /// Whether what may have been written was.
    pub(crate) is_named_changed: bool,
    /// Whether a file was left in a directory that was named.
    pub(crate) is_room_used: bool,
    /// What was changed, made or removed though nobody named it.
    pub(crate) unnamed: Vec<String>,
}

impl Lab {
    /// Makes these kinds.
    pub(crate) fn new(fathom: &Fathom, wanted: impl Fn(&Kind) -> bool) -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a folder")?;
        let mut exhibits = Vec::new();
        let mut missing = Vec::new();
        for kind in kinds::KINDS.iter().filter(|kind| wanted(kind)) {
            let own = folder.path().join(kind.name.replace([' ', '/'], "-"));
            std::fs::create_dir(&own)?;
            match (kind.make)(&own, fathom) {
                Ok(made) => exhibits.push((kind, made)),
                Err(error) => missing.push(format!("{}: {error:#}", kind.name)),
            }
        }
        let exhibits = exhibits.into_iter().map(|(kind, made)| {
            let watched = made.watched.iter();
            let watched = watched.map(|(path, bytes)| Watched::new(path, *bytes));
            Ok(Exhibit {
                kind,
                target: made.target.clone(),
                watched: watched.collect::<Result<_>>()?,
                _made: made,
            })
        });
        let exhibits = exhibits.collect::<Result<_>>()?;
        Ok(Self {
            exhibits,
            missing,
            entries: Entries::of(folder.path())?,
            folder,
        })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Looks at everything. What is marked as named may have changed.
    pub(crate) fn damage(&self, named: Option<&Exhibit>) -> Result<Damage> {
        let mut damage = Damage::default();
        for exhibit in &self.exhibits {
            let is_named = named.is_some_and(|named| std::ptr::eq(named, exhibit));
            for watched in &exhibit.watched {
                match watched.change() {
                    None => {}
                    Some(_) if is_named => damage.is_named_changed = true,
                    Some(what) => damage
                        .unnamed
                        .push(format!("{}: {what}", exhibit.kind.name)),
                }
            }
        }
        let named = named.map(|named| named.target.as_path());
        let changes = self.entries.changes(self.folder.path(), named)?;
        damage.unnamed.extend(changes);
        Ok(damage)
    }

    /// Brings back the bytes of what was named; false if that cannot be done.
    pub(crate) fn restore(&self, named: &Exhibit) -> Result<bool> {
        for watched in &named.watched {
            if watched.restore().is_err() {
                return Ok(false);
            }
        }
        Ok(self.damage(None)? == Damage::default())
    }
}
