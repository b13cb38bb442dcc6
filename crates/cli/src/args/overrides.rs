//! Options that change the workload itself.

use clap::{Args, ValueEnum};
use fathom_core::spec::{Arrivals, Verify};
use fathom_core::{Bytes, Nanos, Percent, Rate};

/// Changes to the workload, applied to all of its phases and jobs.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Changes to the workload")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option that the command line has or has not"
)]
pub(crate) struct OverrideArgs {
    /// Measured time of each phase, as 60s or 1h30m
    #[arg(long, value_name = "DURATION")]
    pub(crate) time: Option<Nanos>,
    /// Size of files to make, and of what is used of larger ones
    #[arg(long, value_name = "SIZE")]
    pub(crate) size: Option<Bytes>,
    /// Where the used part of the target begins
    #[arg(long, value_name = "SIZE")]
    pub(crate) offset: Option<Bytes>,
    /// Length of the used part of the target
    #[arg(long, value_name = "SIZE")]
    pub(crate) window: Option<Bytes>,
    /// Size and alignment of all requests, as 8KiB
    #[arg(long, value_name = "SIZE")]
    pub(crate) block_size: Option<Bytes>,
    /// Share of reads; the others write
    #[arg(long, value_name = "PERCENT")]
    pub(crate) read: Option<Percent>,
    /// Share of requests that go to a random place; the others continue from the last
    #[arg(long, value_name = "PERCENT")]
    pub(crate) random: Option<Percent>,
    /// Outstanding requests of each thread
    #[arg(long, value_name = "N")]
    pub(crate) queue_depth: Option<u32>,
    /// Threads of each job
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<u32>,
    /// Open load: requests arrive by the clock, as "1000 IOPS" or "100 MB/s" for each job
    #[arg(long, value_name = "RATE")]
    pub(crate) rate: Option<Rate>,
    /// How the arrivals of an open load are spread
    #[arg(long, value_name = "HOW")]
    pub(crate) arrivals: Option<ArrivalsChoice>,
    /// End each job after so many requests; without --time, only then
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) ios: Option<u64>,
    /// End each job after so many bytes; without --time, only then
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Option<Bytes>,
    /// Seed of all random choices
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Length of an interval of the time series, 100ms to 60s
    #[arg(long, value_name = "DURATION")]
    pub(crate) interval: Option<Nanos>,
    /// Load before the measured time
    #[arg(long, value_name = "DURATION")]
    pub(crate) warm_up: Option<Nanos>,
    /// Load after the measured time
    #[arg(long, value_name = "DURATION")]
    pub(crate) cool_down: Option<Nanos>,
    /// How often to go through the phases
    #[arg(long, value_name = "N")]
    pub(crate) repeat: Option<u32>,
    /// Past the page cache (`O_DIRECT`)
    #[arg(long, overrides_with = "no_direct")]
    pub(crate) direct: bool,
    /// Through the page cache
    #[arg(long, overrides_with = "direct")]
    pub(crate) no_direct: bool,
    /// What the page cache holds is meant: the result says how much it answered; for jobs that
    /// read through it
    #[arg(long, conflicts_with = "direct")]
    pub(crate) warm: bool,
    /// A write completes when its data is durable (`O_DSYNC`); for jobs that write
    #[arg(long)]
    pub(crate) write_through: bool,
    /// Flush after every so many writes; for jobs that write
    ///
    /// With fsync, or with fdatasync where the workload flushes by fdatasync already.
    #[arg(long, value_name = "N")]
    pub(crate) sync_every: Option<u32>,
    /// Self-describing blocks and their checks
    #[arg(long, value_name = "MODE")]
    pub(crate) verify: Option<VerifyChoice>,
}

/// How the arrivals of an open load are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ArrivalsChoice {
    /// Equal gaps
    Constant,
    /// Exponential gaps: many independent users
    Poisson,
}

impl From<ArrivalsChoice> for Arrivals {
    fn from(choice: ArrivalsChoice) -> Self {
        match choice {
            ArrivalsChoice::Constant => Self::Constant,
            ArrivalsChoice::Poisson => Self::Poisson,
        }
    }
}

/// Self-describing blocks and their checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerifyChoice {
    /// Writes carry plain data
    Off,
    /// Writes are stamped, for a later `fathom verify`
    Stamp,
    /// Writes are stamped, and every read is checked as it completes
    Check,
    /// As check; after the phase all that was written is read back and checked
    ReadBack,
}

impl From<VerifyChoice> for Verify {
    fn from(choice: VerifyChoice) -> Self {
        match choice {
            VerifyChoice::Off => Self::Off,
            VerifyChoice::Stamp => Self::Stamp,
            VerifyChoice::Check => Self::Check,
            VerifyChoice::ReadBack => Self::ReadBack,
        }
    }
}
