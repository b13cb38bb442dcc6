//! Many files instead of one target: how many, what they are, in which directories.
//!
//! A file is a number. The numbers of a thread are a run of `count`, one thread's after the
//! other's, and its directory and its name follow from the number, so that nothing is kept of a
//! file but whether it is there.

use crate::is_default::is_default;
use crate::units::Percent;
use serde::{Deserialize, Serialize};

/// What the files of a job are.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// Regular files.
    #[default]
    File,
    /// Empty directories.
    Directory,
}

/// In whose directories a thread works.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FilePlaces {
    /// Each thread has a tree of its own.
    #[default]
    Own,
    /// All threads work in one tree.
    Shared,
}

/// The files of a job.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Files {
    /// Files of each thread.
    pub count: u64,
    /// What they are.
    pub of: FileKind,
    /// In whose directories.
    pub directories: FilePlaces,
    /// Levels of directories below the topmost of a tree.
    pub depth: u32,
    /// Directories in each that is not of the lowest level.
    pub branches: u32,
    /// Files are in directories of the lowest level alone.
    #[serde(default, skip_serializing_if = "is_default")]
    pub leaves: bool,
    /// Each thread has to do with the files of the thread this number of places after it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub shift: u32,
    /// Share of the files that is there when the tree is used first. Without it: none where the
    /// first job makes files, all where it makes none, half where it makes and removes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub present: Option<Percent>,
    /// The job is over when each file has been dealt with once.
    pub once: bool,
    /// What is written to a file is durable before it is closed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sync: bool,
}

impl Files {
    /// A thousand files of each thread, in one directory of its own, each once.
    pub const PLAIN: Self = Self {
        count: 1000,
        of: FileKind::File,
        directories: FilePlaces::Own,
        depth: 0,
        branches: 1,
        leaves: false,
        shift: 0,
        present: None,
        once: true,
        sync: false,
    };

    /// The tree of `threads` threads.
    pub const fn shape(&self, threads: u32) -> TreeShape {
        TreeShape {
            threads,
            count: self.count,
            of: self.of,
            directories: self.directories,
            depth: self.depth,
            branches: self.branches,
            leaves: self.leaves,
        }
    }
}

/// Where each of the files of some threads is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeShape {
    /// Number of threads.
    pub threads: u32,
    /// Files of each.
    pub count: u64,
    /// What they are.
    pub of: FileKind,
    /// Whether each thread has a tree of its own.
    pub directories: FilePlaces,
    /// Levels below the topmost directory.
    pub depth: u32,
    /// Directories in each.
    pub branches: u32,
    /// Whether only those of the lowest level have files.
    pub leaves: bool,
}

impl TreeShape {
    /// Files of all threads.
    pub const fn files(&self) -> u64 {
        self.count.saturating_mul(self.threads as u64)
    }

    /// Trees: one, or one for each thread.
    pub const fn trees(&self) -> u32 {
        match self.directories {
            FilePlaces::Own => self.threads,
            FilePlaces::Shared => 1,
        }
    }

    /// Directories of one level of a tree.
    const fn level(&self, level: u32) -> u64 {
        (self.branches as u64).saturating_pow(level)
    }

    /// Directories of one tree, its topmost included.
    pub fn directories_of_tree(&self) -> u64 {
        let levels = (0..=self.depth).map(|level| self.level(level));
        levels.fold(0, u64::saturating_add)
    }

    /// Directories of all trees.
    pub fn all_directories(&self) -> u64 {
        let trees = u64::from(self.trees());
        self.directories_of_tree().saturating_mul(trees)
    }

    /// The directory in which another one is, by its number in its tree: in the order of levels,
    /// the topmost is 0 and has none.
    pub const fn parent(&self, directory: u64) -> Option<u64> {
        if directory == 0 {
            None
        } else {
            Some((directory - 1) / self.branches as u64)
        }
    }

    /// The directory of a file: its tree, and its number in that. The files of a thread are laid
    /// out evenly over the directories, one after the other.
    pub fn place(&self, file: u64) -> (u32, u64) {
        let thread = file / self.count.max(1);
        let own = u128::from(file % self.count.max(1));
        let all = self.directories_of_tree();
        let first = if self.leaves {
            all - self.level(self.depth)
        } else {
            0
        };
        let in_order = own * u128::from(all - first) / u128::from(self.count.max(1));
        let tree = match self.directories {
            FilePlaces::Own => thread as u32,
            FilePlaces::Shared => 0,
        };
        (tree, first + in_order as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: TreeShape = TreeShape {
        threads: 2,
        count: 7,
        of: FileKind::File,
        directories: FilePlaces::Own,
        depth: 2,
        branches: 2,
        leaves: false,
    };

    #[test]
    fn files_are_laid_out_evenly_over_the_directories() {
        assert_eq!(TREE.directories_of_tree(), 7);
        let places: Vec<_> = (0..14).map(|file| TREE.place(file)).collect();
        let expected = (0..2).flat_map(|tree| (0..7).map(move |directory| (tree, directory)));
        assert_eq!(places, expected.collect::<Vec<_>>());
        let parents: Vec<_> = (0..7).map(|directory| TREE.parent(directory)).collect();
        let expected = [None, Some(0), Some(0), Some(1), Some(1), Some(2), Some(2)];
        assert_eq!(parents, expected);
    }

    #[test]
    fn leaves_are_of_the_lowest_level_and_a_shared_tree_is_one() {
        let tree = TreeShape {
            count: 4,
            leaves: true,
            directories: FilePlaces::Shared,
            ..TREE
        };
        let places: Vec<_> = (0..8).map(|file| tree.place(file)).collect();
        let expected = [3, 4, 5, 6, 3, 4, 5, 6].map(|directory| (0, directory));
        assert_eq!(places, expected);
        assert_eq!((tree.all_directories(), TREE.all_directories()), (7, 14));
    }
}
