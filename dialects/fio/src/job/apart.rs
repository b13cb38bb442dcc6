//! Reads and writes that have a rate each: a job of their own for each, as fio lets either of them
//! go on without regard for the other.

use super::Maker;
use super::kinds::round;
use crate::source::Findings;
use fathom_core::spec::{
    Access, Arrivals, Data, Distribution, Durability, IoKind, Job, JobStop, Pacing, Verify,
};
use fathom_core::{Bytes, Op, Rate};
use fathom_tools::translation::Standing;

/// The rates of reads and of writes, none for as fast as they go.
type Rates = [Option<Rate>; 2];

const OPS: [Op; 2] = [Op::Read, Op::Write];

impl Maker<'_> {
    /// A job, or one of its reads and one of its writes.
    pub(super) fn apart(&self, job: Job, findings: &mut Findings) -> Vec<Job> {
        let Some(rates) = self.rates(&job) else {
            return vec![job];
        };
        if job.verify != Verify::Off {
            // Reads that check writes are of one job with them.
            if let Some(word) = self
                .settings
                .word("rate")
                .or(self.settings.word("rate_iops"))
            {
                let message = "reads and writes that are checked keep their mix: the rate is that \
                               at which the busier of them keeps its limit";
                findings.note(Standing::Approximated, &word.what(), message);
            }
            return vec![job];
        }
        let stops = stops(&job, rates);
        let parts = OPS.into_iter().zip(rates).zip(stops);
        let part = |((op, rate), stop): ((Op, Option<Rate>), JobStop)| Job {
            name: format!("{} {}", job.name, op.name()),
            access: access(&job.access, &of(&job.kinds, op)),
            kinds: of(&job.kinds, op),
            pacing: self.paced(rate.map(|rate| rate.scaled(f64::from(job.threads)))),
            stop,
            ..job.clone()
        };
        let mut jobs: Vec<Job> = parts.map(part).collect();
        // What only writes have is none of the reads' business.
        jobs[0].data = Data::PLAIN;
        // The first of them only reads.
        jobs[0].sync_at_end = false;
        jobs[0].durability = Durability {
            direct: job.durability.direct,
            write_through: false,
            sync: None,
        };
        // And the page cache answers reads alone.
        jobs[1].warm = false;
        jobs[1].set_compat(|compat| compat.read_ahead = None);
        let told = super::read_ahead(&jobs[0]).filter(|_| !self.settings.is_untold);
        jobs[0].set_compat(|compat| compat.read_ahead = told);
        jobs
    }

    /// The rates of a clone's reads and writes, where one rate for both of them is something else.
    fn rates(&self, job: &Job) -> Option<Rates> {
        let settings = self.settings;
        let (bytes, ios) = (settings.rate, settings.rate_iops);
        let both = OPS
            .iter()
            .all(|op| job.kinds.iter().any(|kind| kind.op == *op));
        // Pauses may hold the job back more than its rates do.
        if !both || job.replay.is_some() || !job.pacing.is_open() {
            return None;
        }
        let rate = |index: usize| match (bytes[index], ios[index]) {
            (0, 0) => None,
            (0, ios) => Some(Rate::Iops(ios as f64)),
            (bytes, _) => Some(Rate::BytesPerSecond(bytes as f64)),
        };
        let rates = [rate(0), rate(1)];
        let [Some(read), Some(write)] = rates else {
            return (rates != [None, None]).then_some(rates);
        };
        // As many of each as the mix has, all together do the same.
        let [reads, writes] = OPS.map(|op| weight(&job.kinds, op, read));
        let alike = read.per_second() * writes - write.per_second() * reads;
        (alike.abs() > 1e-6 * read.per_second() * writes).then_some(rates)
    }

    fn paced(&self, rate: Option<Rate>) -> Pacing {
        let arrivals = if self.settings.poisson {
            Arrivals::Poisson
        } else {
            Arrivals::Constant
        };
        rate.map_or(Pacing::CLOSED, |rate| Pacing::Open { rate, arrivals })
    }
}

/// Where requests go: only those at random have a distribution.
fn access(all: &Access, kinds: &[IoKind]) -> Access {
    if kinds.iter().any(|kind| kind.random.0 > 0.0) {
        return all.clone();
    }
    Access {
        distribution: Distribution::Uniform,
        without_repetition: false,
        ..all.clone()
    }
}

/// The requests of one operation, with weights in percent.
fn of(kinds: &[IoKind], op: Op) -> Vec<IoKind> {
    let its = kinds.iter().filter(|kind| kind.op == op);
    let all: f64 = its.clone().map(|kind| kind.weight).sum();
    let one = |kind: &IoKind| IoKind {
        weight: round(kind.weight * 100.0 / all),
        ..*kind
    };
    its.map(one).collect()
}

/// What an operation weighs in the unit of a rate.
fn weight(kinds: &[IoKind], op: Op, unit: Rate) -> f64 {
    let its = kinds.iter().filter(|kind| kind.op == op);
    let one = |kind: &IoKind| match unit {
        Rate::Iops(_) => kind.weight,
        Rate::BytesPerSecond(_) => kind.weight * kind.block_size.0 as f64,
    };
    its.map(one).sum()
}

/// The amounts of reads and of writes: what each does in the time that both take for all of it. One
/// that nothing holds back does all of it, and the other goes on meanwhile.
fn stops(job: &Job, rates: Rates) -> [JobStop; 2] {
    let stop = job.stop;
    let none = JobStop {
        bytes: None,
        ios: None,
        ..stop
    };
    let [Some(read), Some(write)] = rates else {
        return rates.map(|rate| if rate.is_some() { none } else { stop });
    };
    let mean = |op: Op| {
        let kinds = of(&job.kinds, op);
        let weights: f64 = kinds.iter().map(|kind| kind.weight).sum();
        weight(&kinds, op, Rate::BytesPerSecond(0.0)) / weights
    };
    let requests = |rate: Rate, op: Op| match rate {
        Rate::Iops(ios) => ios,
        Rate::BytesPerSecond(bytes) => bytes / mean(op),
    };
    let [reads, writes] = [requests(read, OPS[0]), requests(write, OPS[1])];
    let (read_bytes, write_bytes) = (reads * mean(OPS[0]), writes * mean(OPS[1]));
    let ios = stop.ios.map(|all| part(all, 1, reads / (reads + writes)));
    let block = job.largest_io().0.max(1);
    let share = read_bytes / (read_bytes + write_bytes);
    let bytes = stop.bytes.map(|all| part(all.0, block, share));
    [
        JobStop {
            ios: ios.map(|ios| ios.0),
            bytes: bytes.map(|bytes| Bytes(bytes.0)),
            ..stop
        },
        JobStop {
            ios: ios.map(|ios| ios.1),
            bytes: bytes.map(|bytes| Bytes(bytes.1)),
            ..stop
        },
    ]
}

/// An amount in two, in whole units, each at least one.
fn part(all: u64, unit: u64, share: f64) -> (u64, u64) {
    let units = all.div_ceil(unit).max(2);
    let first = ((units as f64 * share).round() as u64).clamp(1, units - 1);
    let first = first * unit;
    (first, all.saturating_sub(first).max(unit.min(all)))
}
