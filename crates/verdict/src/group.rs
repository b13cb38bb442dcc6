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
    /// What times can be told apart.
    Tail,
    /// What stands beside a result.
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
            Self::Number => "Whether there is a number at all",
            Self::Subject => "What was measured",
            Self::Account => "The account of the bytes",
            Self::File => "The file on its device",
            Self::DirectIo => "Direct I/O",
            Self::Data => "Write cache, data, alignment",
            Self::TooFast => "Faster than can be",
            Self::Surroundings => "Others, heat, limits",
            Self::Generator => "The generator",
            Self::Load => "The load",
            Self::Steadiness => "Steadiness",
            Self::Tail => "The clock and the tail",
            Self::Beside => "Beside a result",
            Self::Simulated => "Of a simulated result",
            Self::Hosts => "Of many hosts",
            Self::Before => "Before a run: `fathom check`",
        }
    }

    /// What they have in common, in a sentence or two.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Number => "Requests that failed, were cut off, or cannot have been.",
            Self::Subject => "Something else than the storage of this machine.",
            Self::Account => {
                "Our own bytes and requests beside those that the block devices counted over \
                the same time (methodology 4.1)."
            }
            Self::File => {
                "How the blocks lie (4.2). The first three are found while the target is \
                prepared."
            }
            Self::DirectIo => "An open flag says what was asked for, not what was done (4.3).",
            Self::Data => {
                "All but `zero_data`, `content_held`, `partition_start` and `below_block` rest on \
                 micro-probes and \
                 need `--probe` (4.4 to 4.6)."
            }
            Self::TooFast => "What the link carries and the medium can do (4.7).",
            Self::Surroundings => "What went on around the run (4.8).",
            Self::Generator => "Whether fathom itself was fast enough (3.1, 3.3 to 3.5).",
            Self::Load => "Whether the load was the one that was asked for (2.2).",
            Self::Steadiness => "Whether a mean says what the storage does (1.2, 5.5).",
            Self::Tail => "What times and percentiles can be told apart (8.3, 8.4).",
            Self::Beside => {
                "Not doubts but what else is known; they are no checks and stay when a stored \
                result is judged again."
            }
            Self::Simulated => "What `fathom simulate` says of its own numbers.",
            Self::Hosts => {
                "Members that are missing or gone, and what they have in common that they should \
                 not."
            }
            Self::Before => {
                "The same codes where a check of a result has them, and some that only matter \
                before."
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
