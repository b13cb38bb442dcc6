//! What a rule found, and where.

use std::fmt;

use serde::Deserialize;

/// A rule of `tidy`; its name is what an exception in `tidy.toml` says.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Rule {
    /// A file longer than the hard limit.
    Length,
    /// A line wider than the limit.
    Width,
    /// Anything but modules and re-exports in `lib.rs` or `mod.rs`.
    Facade,
    /// A word that must not be committed.
    Word,
    /// A crate root without `#![forbid(unsafe_code)]`.
    Unsafe,
    /// A pure crate that reaches for the system.
    Purity,
    /// Code outside of the platform folders that knows on which system it runs.
    Platform,
    /// A test that asserts a part of a value.
    Contains,
    /// A test that sleeps.
    Sleep,
    /// A file name that names nothing.
    Name,
    /// Modules that import each other in a circle through folders.
    Cycle,
    /// A document that names or links a file or a heading which is not there.
    Path,
    /// A document that promises another toolchain than the manifest.
    Toolchain,
    /// The layer table and the manifests disagree.
    Layers,
    /// A dependency under a licence not on the list of `deny.toml`.
    Licence,
    /// A dependency from elsewhere than crates.io, or of which any version would do.
    Origin,
    /// More private words, long sentences or empty comments than `english.toml` allows.
    English,
    /// A page of `docs` that the front page does not link.
    Index,
    /// An exception that excuses nothing.
    Exception,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length => "length",
            Self::Width => "width",
            Self::Facade => "facade",
            Self::Word => "word",
            Self::Unsafe => "unsafe",
            Self::Purity => "purity",
            Self::Platform => "platform",
            Self::Contains => "contains",
            Self::Sleep => "sleep",
            Self::Name => "name",
            Self::Cycle => "cycle",
            Self::Path => "path",
            Self::Toolchain => "toolchain",
            Self::Layers => "layers",
            Self::Licence => "licence",
            Self::Origin => "origin",
            Self::English => "english",
            Self::Index => "index",
            Self::Exception => "exception",
        })
    }
}

/// One broken rule at one place.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Finding {
    pub(crate) path: String,
    /// Counted from 1; 0 means the file as a whole.
    pub(crate) line: usize,
    pub(crate) rule: Rule,
    pub(crate) message: String,
}

impl Finding {
    pub(crate) fn new(path: &str, line: usize, rule: Rule, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            rule,
            message: message.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}: {}", self.path, self.rule, self.message),
            line => write!(f, "{}:{line}: {}: {}", self.path, self.rule, self.message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_reads_like_a_compiler_message() {
        let at_line = Finding::new("a/b.rs", 7, Rule::Sleep, "waits by the clock");
        let whole_file = Finding::new("a/b.rs", 0, Rule::Length, "701 lines");
        assert_eq!(at_line.to_string(), "a/b.rs:7: sleep: waits by the clock");
        assert_eq!(whole_file.to_string(), "a/b.rs: length: 701 lines");
    }
}
