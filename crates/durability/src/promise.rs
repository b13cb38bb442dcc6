//! What can be promised of a write once it was acknowledged.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// After which acknowledgement something is to survive a loss of power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Promise {
    /// A write alone. No storage with a volatile cache promises that.
    Write,
    /// The flush after some writes (`fdatasync`).
    Flush,
    /// A write that asks for itself alone (`RWF_DSYNC`; FUA where the device has it).
    Fua,
    /// A write to what was opened with `O_DSYNC`.
    Dsync,
    /// A file takes the name of another, its content and then the directory flushed.
    Rename,
    /// A record at the end of a file, then a flush.
    Append,
}

impl Promise {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Write,
        Self::Flush,
        Self::Fua,
        Self::Dsync,
        Self::Rename,
        Self::Append,
    ];

    /// Its word on the command line and in results.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Flush => "flush",
            Self::Fua => "fua",
            Self::Dsync => "dsync",
            Self::Rename => "rename",
            Self::Append => "append",
        }
    }

    /// Whether it is about files and their names, which a device does not have.
    pub const fn needs_directory(self) -> bool {
        matches!(self, Self::Rename | Self::Append)
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.word())
    }
}

impl FromStr for Promise {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|one| one.word() == text);
        found.ok_or_else(|| {
            let words = Self::ALL.map(Self::word).join(", ");
            format!("`{text}` is no promise; there are {words}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_read_again() {
        for promise in Promise::ALL {
            assert_eq!(promise.word().parse(), Ok(promise));
        }
        let error = "`sync` is no promise; there are write, flush, fua, dsync, rename, append";
        assert_eq!("sync".parse::<Promise>(), Err(error.to_owned()));
    }
}
