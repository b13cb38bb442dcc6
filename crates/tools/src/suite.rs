//! Suites: several runs that answer one question together, written as TOML.
//!
//! A suite lists workloads and the axes along which they vary; each combination is a cell. Those
//! that come with the program are files in `suites/`, embedded. The keys are described in
//! `docs/suites.md`.

mod text;

pub use text::parse;

use fathom_core::nearest;
use fathom_core::{Bytes, Nanos, Percent};

/// Runs that answer one question together.
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// Its name, as in `ec2-study`.
    pub name: String,
    /// One sentence for lists.
    pub description: String,
    /// Where it comes from, and which reading of the source was taken.
    pub source: String,
    /// Go round until one cell is steady; without it, once.
    pub rounds: Option<Rounds>,
    /// What is run, in the order in which it is run.
    pub cells: Vec<Cell>,
}

/// Rounds over all cells until one of them is steady, by the rule of the SNIA Solid State Storage
/// Performance Test Specification.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounds {
    /// Label of the cell that is followed; its requests a second decide.
    pub follow: String,
    /// Rounds of the window.
    pub window: u32,
    /// Rounds after which to give up.
    pub max: u32,
    /// Allowed range of the window in percent of its mean.
    pub range: Percent,
    /// Allowed excursion of its best-fit line in percent of its mean.
    pub slope: Percent,
}

/// One run of a suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its name, unique in the suite and fit for a file's name.
    pub label: String,
    /// The `[[run]]` it comes from, counted from 0: cells of one run make one table.
    pub run: usize,
    /// Name or file of the workload.
    pub workload: String,
    /// Phase of the workload; all of them without it.
    pub phase: Option<String>,
    /// Where it lies on each axis along which its run varies, as in `("block_size", "8 KiB")`.
    pub place: Vec<(String, String)>,
    /// What is changed in the workload.
    pub settings: Settings,
}

/// Changes to a workload.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Size and alignment of all requests.
    pub block_size: Option<Bytes>,
    /// Share of reads.
    pub read: Option<Percent>,
    /// Share of requests that go to a random place.
    pub random: Option<Percent>,
    /// Outstanding requests of each thread.
    pub queue_depth: Option<u32>,
    /// Threads of each job.
    pub threads: Option<u32>,
    /// Measured time of each phase.
    pub time: Option<Nanos>,
    /// Load before it.
    pub warm_up: Option<Nanos>,
    /// Size of files to make, and of what is used of larger ones.
    pub size: Option<Bytes>,
    /// Bytes after which each job ends.
    pub bytes: Option<Bytes>,
    /// Where all jobs go, instead of where the workload says: a role, as in `@WORK`, or a path.
    pub target: Option<String>,
    /// Writes are there once they are acknowledged; of jobs that write.
    pub write_through: bool,
    /// All threads of a job go through its place as one; of jobs that are sequential only.
    pub shared_cursor: bool,
}

/// A suite that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name; also that of its file.
    pub name: &'static str,
    /// The suite as TOML.
    pub text: &'static str,
}

macro_rules! suites {
    ($($name:literal),* $(,)?) => {
        &[$(BuiltIn {
            name: $name,
            text: include_str!(concat!("../../../suites/", $name, ".toml")),
        }),*]
    };
}

/// All of them, in the order in which they are listed.
pub const SUITES: &[BuiltIn] = suites![
    "size-matrix",
    "ec2-study",
    "proliant-profiles",
    "snia-iops",
    "sas",
    "iris-processes",
    "iris-study",
];

impl BuiltIn {
    /// The suite.
    ///
    /// # Errors
    ///
    /// What is wrong with the text: nothing, in a suite that is in [`SUITES`].
    pub fn suite(&self) -> Result<Suite, Vec<crate::Diagnostic>> {
        parse(self.text, &format!("suites/{}.toml", self.name))
    }
}

/// The built-in suite of that name, or the nearest name.
///
/// # Errors
///
/// The name that was probably meant, if one is near.
pub fn find(name: &str) -> Result<&'static BuiltIn, Option<&'static str>> {
    SUITES
        .iter()
        .find(|suite| suite.name == name)
        .ok_or_else(|| nearest::nearest(name, SUITES.iter().map(|suite| suite.name)))
}
