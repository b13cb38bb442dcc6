//! What a volume does with requests, one by one or many at once.
//!
//! Two fidelities of the same physics. [`VolumeModel::admit`] takes single requests in virtual
//! time: queues and latencies come out of it. [`VolumeModel::serve`] takes a demand over a span
//! in closed form: fifteen hours are a few steps, and there are no latencies but the mean. Each is
//! the other's oracle in the tests.

use fathom_core::{Nanos, Op};

/// One request as a volume sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IoShape {
    /// What is asked.
    pub op: Op,
    /// First byte.
    pub offset: u64,
    /// Size of the request, bytes.
    pub bytes: u32,
}

/// How a request ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// As asked.
    #[default]
    Good,
    /// Half of the bytes were moved.
    Short,
    /// Reported as good; a write was not kept.
    Lost,
    /// Reported as good; the second half of a write was not kept.
    Torn,
    /// Reported as good; a write was kept right behind its place.
    Misdirected,
    /// With this error number of the system.
    Failed(i32),
}

/// The place of a limit in [`VolumeModel::limits`].
pub type LimitIndex = u16;

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    /// When it is done.
    pub done: Nanos,
    /// The limit that held it back longest, if one did.
    pub bound: Option<LimitIndex>,
    /// How it ends.
    pub fate: Fate,
}

/// What is asked of a volume over a span of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Demand {
    /// The requests of a closed load, by kind.
    pub closed: Flow,
    /// Requests that the closed load keeps outstanding.
    pub outstanding: f64,
    /// The requests of an open load, by kind.
    pub open: Flow,
    /// Requests of the open load a second.
    pub open_iops: f64,
    /// Requests of the open load that wait already.
    pub backlog: f64,
}

/// Kinds of requests with their shares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flow {
    /// The kinds; weights count in proportion to each other.
    pub kinds: Vec<FlowKind>,
}

/// One kind of request in a flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowKind {
    /// What is asked.
    pub op: Op,
    /// Bytes of each.
    pub bytes: f64,
    /// Share that continues the request before, 0 to 1.
    pub sequential: f64,
    /// Requests of one sequential stream that are outstanding together, 1 or more: only they can
    /// be counted as one.
    pub together: f64,
    /// How many of these, in proportion to the other kinds.
    pub weight: f64,
}

impl Flow {
    /// Requests of one kind alone.
    pub fn of(op: Op, bytes: f64) -> Self {
        Self {
            kinds: vec![FlowKind {
                op,
                bytes,
                sequential: 0.0,
                together: 1.0,
                weight: 1.0,
            }],
        }
    }

    /// The same with weights that add up to one; empty where there are none.
    #[must_use]
    pub fn normalized(&self) -> Self {
        let sum: f64 = self.kinds.iter().map(|kind| kind.weight).sum();
        let kinds = self.kinds.iter().filter(|kind| kind.weight > 0.0);
        Self {
            kinds: kinds
                .map(|kind| FlowKind {
                    weight: kind.weight / sum,
                    ..*kind
                })
                .collect(),
        }
    }

    /// Mean bytes of a request; 0 for an empty flow.
    pub fn mean_bytes(&self) -> f64 {
        let flow = self.normalized();
        flow.kinds.iter().map(|kind| kind.weight * kind.bytes).sum()
    }
}

/// What was served of a demand, in the steps in which it went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Served {
    /// The steps, each at one rate, adding up to the span.
    pub steps: Vec<ServedStep>,
    /// Requests of the open load that wait at the end.
    pub backlog: f64,
}

/// A time of one rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServedStep {
    /// Begin.
    pub at: Nanos,
    /// Length.
    pub span: Nanos,
    /// Requests a second of the closed load.
    pub closed_iops: f64,
    /// Requests a second of the open load.
    pub open_iops: f64,
    /// What held the load back; none where it got all it asked for.
    pub bound: Bound,
}

impl ServedStep {
    /// Requests a second of both loads.
    pub fn iops(&self) -> f64 {
        self.closed_iops + self.open_iops
    }
}

/// What holds a load back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// Nothing: an open load that gets what it asks for.
    #[default]
    Demand,
    /// A closed load: this number of outstanding requests at this latency gives no more.
    Outstanding,
    /// A limit, at its peak while credit lasts or because it has no other rate.
    Limit(LimitIndex),
    /// A limit whose credit is spent.
    Spent(LimitIndex),
    /// A device that is busy all the time.
    Busy,
}

/// Levels of a model at an instant, for charts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeState {
    /// The buckets.
    pub levels: Vec<Level>,
}

/// The level of a bucket.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Whose, as in `gp2 IOPS credit, lowest of 4`.
    pub name: String,
    /// `I/Os` or `bytes`.
    pub unit: &'static str,
    /// Tokens in it.
    pub value: f64,
    /// Tokens when full.
    pub full: f64,
}

/// What a device says that it has done so far: a second source, independent of the load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Reads completed.
    pub reads: u64,
    /// Bytes of completed reads.
    pub read_bytes: u64,
    /// Writes completed.
    pub writes: u64,
    /// Bytes written.
    pub write_bytes: u64,
    /// Trims completed.
    pub discards: u64,
    /// Flushes completed.
    pub flushes: u64,
    /// Time in which any request was under way, nanoseconds.
    pub busy_ns: u64,
    /// Time of all requests together, nanoseconds.
    pub queue_ns: u64,
    /// Bytes that reads asked for and layers above the counting answered.
    pub spared_read_bytes: u64,
}

/// A volume, an array of them, or anything else that serves requests.
///
/// Instants given to [`Self::admit`] must not go back. After [`Self::serve`], requests may be
/// admitted from the end of the span on.
pub trait VolumeModel: std::fmt::Debug + Send + Sync {
    /// Takes one request at an instant: when it is done, and what held it back.
    fn admit(&mut self, io: IoShape, at: Nanos) -> Admission;

    /// Takes a demand from an instant over a span: the same physics, many requests at once.
    fn serve(&mut self, demand: &Demand, at: Nanos, span: Nanos) -> Served;

    /// Why [`Self::serve`] cannot follow it, if it cannot.
    fn open_form(&self) -> Option<&'static str> {
        None
    }

    /// What its device says that it has done until an instant; none where nothing counts. Instants
    /// must not go back, those of [`Self::admit`] included.
    fn counters(&mut self, _at: Nanos) -> Option<Counters> {
        None
    }

    /// The levels of its buckets at an instant.
    fn state(&self, at: Nanos) -> VolumeState;

    /// Names of its limits, for [`Admission::bound`] and [`Bound`].
    fn limits(&self) -> Vec<String>;

    /// Usable size in bytes.
    fn size_bytes(&self) -> u64;

    /// First byte and size of one of several targets that it serves, by its number. Targets of one
    /// volume share all of it, and begin at even distances.
    fn place(&self, target: u64, targets: u64) -> (u64, u64) {
        let size = self.size_bytes();
        (size / targets.max(1) * target, size)
    }

    /// A title of one line: `4x gp2:250GiB under r5d.xlarge`.
    fn title(&self) -> &str;

    /// A copy of its own.
    fn boxed(&self) -> Box<dyn VolumeModel>;
}

impl Clone for Box<dyn VolumeModel> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}
