//! The codes in the order in which people read of them.

use crate::check::{Check, Entry};
use crate::checks::{BEFORE, BESIDE, CHECKS};

/// Codes that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Whether there is a number.
    Number,
    /// What was measured.
    Subject,
    /// Bytes of ours and of the devices.
    Account,
    /// How a file lies on its device.
    File,
    /// Whether direct I/O was direct.
    DirectIo,
    /// Who acknowledges writes, what data and alignment do.
    Data,
    /// What cannot be.
    TooFast,
    /// What went on around the run.
    Surroundings,
    /// Whether fathom was fast enough.
    Generator,
    /// Whether the load was the one asked for.
    Load,
    /// Whether a mean says what the storage does.
    Steadiness,
    /// Which times can be distinguished.
    Tail,
    /// What accompanies a result.
    Beside,
    /// What a simulated result says of itself.
    Simulated,
    /// What became of the members of a measurement from many hosts.
    Hosts,
    /// What `fathom check` says before a run.
    Before,
}

/// A code where one thing raises it, with that.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// What is known of the code.
    pub entry: &'static Entry,
    /// The check of results that raises it.
    pub check: Option<&'static Check>,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 16] = [
        Self::Number,
        Self::Subject,
        Self::Account,
        Self::File,
        Self::DirectIo,
        Self::Data,
        Self::TooFast,
        Self::Surroundings,
        Self::Generator,
        Self::Load,
        Self::Steadiness,
        Self::Tail,
        Self::Beside,
        Self::Simulated,
        Self::Hosts,
        Self::Before,
    ];

    /// Heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Number => "Validity of the numbers",
            Self::Subject => "Measured object",
            Self::Account => "Bytes compared with device counters",
            Self::File => "The file on its device",
            Self::DirectIo => "Direct I/O",
            Self::Data => "Write cache, data, alignment",
            Self::TooFast => "Faster than possible",
            Self::Surroundings => "Other users, heat, limits",
            Self::Generator => "The generator",
            Self::Load => "The load",
            Self::Steadiness => "Steadiness",
            Self::Tail => "Clock and tail latency",
            Self::Beside => "Information",
            Self::Simulated => "Simulated results",
            Self::Hosts => "Several hosts",
            Self::Before => "Before a run: `fathom check`",
        }
    }

    /// What they have in common, in a sentence or two.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Number => "Requests that failed, were cut off, or are impossible.",
            Self::Subject => "Something other than the storage of this machine.",
            Self::Account => {
                "Bytes and requests of fathom compared with the counters of the block devices over \
                 the same time."
            }
            Self::File => {
                "Layout of the blocks. The first three are found while the target is \
                 prepared."
            }
            Self::DirectIo => {
                "The open flag shows what was requested. These checks find what \
                               happened."
            }
            Self::Data => {
                "All except `zero_data`, `content_held`, `partition_start` and `below_block` use \
                 micro-probes and need `--probe` (4.4 to 4.6)."
            }
            Self::TooFast => "Limits of the link and the medium.",
            Self::Surroundings => "Events on the machine during the run.",
            Self::Generator => "Whether fathom itself was fast enough (3.1, 3.3 to 3.5).",
            Self::Load => "Whether the load was the requested one.",
            Self::Steadiness => "Whether the mean describes the storage.",
            Self::Tail => "Resolution of times and percentiles.",
            Self::Beside => {
                "Information instead of warnings. These are not checks and remain when a stored \
                 result is evaluated again."
            }
            Self::Simulated => "Remarks of `fathom simulate` on its own numbers.",
            Self::Hosts => {
                "Members that are missing or lost, or that share something they should not."
            }
            Self::Before => {
                "The same codes as the checks of a result, and some that matter only before a run."
            }
        }
    }

    /// Its codes.
    pub fn topics(self) -> impl Iterator<Item = Topic> {
        topics().filter(move |topic| topic.entry.group == self)
    }
}

/// Everything that can be said, in the order of the tables.
pub fn topics() -> impl Iterator<Item = Topic> {
    let alone = |entry| Topic { entry, check: None };
    let beside = BESIDE.iter().map(alone);
    let checks = CHECKS.iter().flat_map(|check| {
        let entries = check.codes.iter();
        entries.map(move |entry| Topic {
            entry,
            check: Some(check),
        })
    });
    let before = BEFORE.iter().map(move |look| alone(&look.entry));
    beside.chain(checks).chain(before)
}

impl Topic {
    /// Whether `fathom check` says it, and no result.
    pub fn is_before(&self) -> bool {
        self.entry.group == Group::Before
    }

    /// The evidence that its check needs, in words; none for what needs the result alone.
    pub fn evidence(&self) -> Option<String> {
        let needs = self.check?.needs.evidence();
        let words: Vec<&str> = needs.iter().map(|need| need.words()).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}
