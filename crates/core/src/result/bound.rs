//! Why a phase was not faster: what held it back, with what confidence.

use super::PhaseResult;
use serde::{Deserialize, Serialize};

/// What held a phase back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BoundKind {
    /// A limit with a name: the user's, the catalogue's, the kernel's.
    Cap,
    /// Several limits lie too close together to tell which.
    Ambiguous,
    /// The load asked for no more.
    Schedule,
    /// The generator: its processor time, or its time between two requests.
    Generator,
    /// Too few outstanding requests: the time that each takes is the limit.
    QueueDepth,
    /// Something beyond the host's submission path: the device, a link, a limit without a name.
    BeyondHost,
    /// More load makes it slower.
    Contention,
    /// Nothing that is known explains it.
    Unexplained,
}

/// A bucket of tokens that ran dry in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BucketReport {
    /// Requests a second while tokens lasted.
    pub burst_iops: f64,
    /// Requests a second afterwards.
    pub baseline_iops: f64,
    /// Tokens used, requests: the bucket holds at least this number.
    pub capacity_ios: f64,
    /// Begin of the baseline, seconds of measured time.
    pub cliff_s: f64,
    /// Seconds that an empty bucket takes to fill at rest.
    pub refill_s: f64,
}

/// How a rate went down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FallReport {
    /// Seconds of measured time until the later rate is reached.
    pub at_s: f64,
    /// Requests a second before.
    pub before_iops: f64,
    /// Requests a second afterwards.
    pub after_iops: f64,
    /// Requests done above the later rate until then.
    pub above_ios: f64,
}

/// A fall that needs no guess, for a model knows when and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnownFall {
    /// Seconds of measured time; below nothing during the warm-up.
    pub at_s: f64,
    /// Requests a second before.
    pub before_iops: f64,
    /// Requests a second afterwards.
    pub after_iops: f64,
    /// What made it, as in `the credit of gp2 IOPS ends`.
    pub cause: String,
    /// Whether that is credit that was spent.
    pub is_credit: bool,
}

/// What can make a rate fall during a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mechanism {
    /// The volume's bucket of credit.
    VolumeCredit,
    /// The bucket of the instance, or of its link, which all its volumes share.
    InstanceCredit,
    /// Fast cells of flash in front of slow ones (pseudo-SLC).
    FlashCache,
    /// The write-back cache of a controller.
    WriteCache,
    /// The kernel's limit of pages that wait to be written.
    DirtyLimit,
    /// Thermal throttling.
    Heat,
    /// Credit or quota of the processor.
    Processor,
    /// Garbage collection of flash.
    Collection,
}

impl Mechanism {
    /// Its name in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::VolumeCredit => "the volume's credit bucket",
            Self::InstanceCredit => "the instance's credit or its link",
            Self::FlashCache => "the fast cells of the flash (SLC cache)",
            Self::WriteCache => "the controller's write-back cache",
            Self::DirtyLimit => "the kernel's limit of dirty pages",
            Self::Heat => "heat",
            Self::Processor => "credit or quota of the processor",
            Self::Collection => "garbage collection of the flash",
        }
    }
}

/// One of the mechanisms that may have made a rate fall, with the signs for and against it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Culprit {
    /// Which.
    pub mechanism: Mechanism,
    /// Weight of the signs that it has, less that of those that speak against it.
    pub score: i32,
    /// Signs that it has, in words.
    pub signs: Vec<String>,
    /// Signs that speak against it, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<String>,
}

/// Why a phase was not faster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bound {
    /// What held it back.
    pub kind: BoundKind,
    /// Name of the limit, where it has one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Whether more load was tried and changed nothing.
    pub confirmed: bool,
    /// The answer in one sentence.
    pub sentence: String,
    /// What it rests on.
    pub evidence: Vec<String>,
    /// What to do to be surer, or to go beyond it; empty where there is nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub advice: String,
    /// The bucket that ran dry, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bucket: Option<BucketReport>,
    /// How the rate fell, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fall: Option<FallReport>,
    /// Falls that are known and not found in the rates, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub falls: Vec<KnownFall>,
    /// What most likely made it fall: the two best, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub culprits: Vec<Culprit>,
    /// Requests of the largest bucket that a run of this length and rate cannot exclude.
    pub hidden_bucket_ios: f64,
}

/// How a probe differs from its phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ProbeKind {
    /// The same once more, as short as the other probes.
    Same,
    /// The same again, after [`ProbeKind::DoubleDepth`]: whether the storage is still the same.
    SameAgain,
    /// As many requests, all of them reads.
    Reads,
    /// The same after a rest: what a bucket has got back.
    Recovery,
    /// One outstanding request.
    Single,
    /// Twice the outstanding requests.
    DoubleDepth,
    /// Twice the threads with half the outstanding requests of each.
    DoubleThreads,
    /// Requests of another size.
    OtherBlockSize,
    /// The generator alone: requests complete at once.
    Ceiling,
    /// Single random reads of 4 KiB. This and the following are questions of
    /// [`MicroProbe`](super::MicroProbe); earlier versions had them among the probes.
    Read,
    /// Single random writes of 4 KiB.
    Write,
    /// The same, each followed by `fdatasync`.
    WriteFlush,
    /// `fdatasync` alone, with nothing to write back.
    Flush,
    /// The same, through `O_DSYNC`.
    WriteDurable,
    /// As [`ProbeKind::Write`], repeated to compare it with the one that follows.
    Aligned,
    /// The same at any multiple of 512 bytes.
    Shifted,
    /// Writes of 64 KiB, random data.
    DataRandom,
    /// The same, zeros.
    DataZeros,
    /// The same, one block of random data over and over.
    DataRepeated,
}

/// A short run in addition to a phase, to find out what limited it, or what the storage does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Probe {
    /// Name of the phase that it explains; empty for a probe of the run as a whole.
    pub of_phase: String,
    /// How it differs.
    pub kind: ProbeKind,
    /// What it showed.
    pub phase: PhaseResult,
}
