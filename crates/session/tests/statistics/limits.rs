//! Whether the limit is named that holds, and whether a bucket is measured as it is.

use crate::bench::{Dice, Load, cap, device, explained, noisy, number};
use fathom_core::result::{Bound, BoundKind, PhaseResult, ProbeKind, RunResult};
use fathom_core::{Cap, CapBurst, CapUnit};
use fathom_volume::models::ServiceLaw;

const KIB: u64 = 1024;
/// The least that the next limit allows beyond the one that holds. Nearer, both hold by turns.
const MARGIN: f64 = 1.15;
/// Mean time of a request on the slowest storage, seconds.
const SLOWEST_S: f64 = 0.02;
/// The least that a burst gives beyond its baseline. Nearer, the noise of the baseline alone moves
/// what lies between both by more than 5 %; nothing below 1.2 is looked for.
const STEP: f64 = 1.3;
/// Limits of requests and of bytes this near to each other cannot be told apart at one size: the
/// answer then is that it is ambiguous.
const COLLISION: f64 = 1.25;

/// What holds a random device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    VolumeIops,
    VolumeBytes,
    InstanceIops,
    InstanceBytes,
    QueueDepth,
    Bucket,
}

const TRUTHS: [Truth; 6] = [
    Truth::VolumeIops,
    Truth::VolumeBytes,
    Truth::InstanceIops,
    Truth::InstanceBytes,
    Truth::QueueDepth,
    Truth::Bucket,
];

impl Truth {
    /// The name that the answer should have.
    const fn name(self) -> &'static str {
        match self {
            Self::VolumeIops | Self::Bucket => "volume requests",
            Self::VolumeBytes => "volume bytes",
            Self::InstanceIops => "instance requests",
            Self::InstanceBytes => "instance bytes",
            Self::QueueDepth => "queue depth",
        }
    }

    const fn is_bytes(self) -> bool {
        matches!(self, Self::VolumeBytes | Self::InstanceBytes)
    }
}

/// What was said of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Right,
    /// Ambiguous, where two limits of different kinds are as near as that.
    Ambiguous,
    /// Ambiguous where it is not.
    Timid,
    Unexplained,
    Wrong,
}

/// What came out for one kind of device.
#[derive(Clone, Copy, Debug, Default)]
struct Answers {
    right: u32,
    ambiguous: u32,
    timid: u32,
    unexplained: u32,
    wrong: u32,
}

impl Answers {
    fn add(&mut self, said: Said) {
        *match said {
            Said::Right => &mut self.right,
            Said::Ambiguous => &mut self.ambiguous,
            Said::Timid => &mut self.timid,
            Said::Unexplained => &mut self.unexplained,
            Said::Wrong => &mut self.wrong,
        } += 1;
    }
}

/// A device, what holds a load on it, and the rate that comes of it.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) truth: Truth,
    load: Load,
    service_ns: f64,
    volume: Vec<Cap>,
    instance: Vec<Cap>,
    /// Whether a limit of the other kind lies so near that nobody can tell.
    is_near: bool,
}

pub(crate) fn sample(seed: u64) -> Sample {
    let mut dice = Dice::new(seed);
    let truth = TRUTHS[(seed % TRUTHS.len() as u64) as usize];
    let block_bytes = dice.one_of(&[4, 8, 16, 32, 64, 128, 256]) * KIB;
    // Requests a second at which the load lies.
    let holds = dice.between(80.0, 800.0);
    let depth = dice.one_of(&[8, 16, 32, 64]);
    // What the others allow of this load.
    let mut other = |of: Truth| {
        if of == truth || (truth == Truth::Bucket && of == Truth::VolumeIops) {
            holds
        } else {
            let least = if truth == Truth::Bucket { STEP } else { MARGIN };
            holds * dice.between(least, 8.0)
        }
    };
    let allows = TRUTHS.map(&mut other);
    let [
        volume_iops,
        volume_bytes,
        instance_iops,
        instance_bytes,
        by_depth,
        _,
    ] = allows;
    // No storage takes much longer than this for a request, but for those that wait at a limit.
    let most = (by_depth * SLOWEST_S).max(4.0);
    let depth = f64::from(depth).min(most) as u32;
    let bytes = block_bytes as f64;
    let burst = (truth == Truth::Bucket).then(|| bucket(&mut dice, holds, &allows));
    let is_near = TRUTHS.iter().zip(allows).any(|(of, allows)| {
        *of != Truth::QueueDepth
            && truth != Truth::QueueDepth
            && of.is_bytes() != truth.is_bytes()
            && allows / holds < COLLISION
    });
    Sample {
        truth,
        load: Load {
            block_bytes,
            queue_depth: depth,
            reads: dice.one_of(&[0.0, 50.0, 70.0, 100.0]),
            seconds: 30,
            sync: None,
        },
        service_ns: f64::from(depth) / by_depth * 1e9,
        volume: vec![
            cap("volume requests", CapUnit::Iops, volume_iops, burst),
            cap(
                "volume bytes",
                CapUnit::BytesPerSecond,
                volume_bytes * bytes,
                None,
            ),
        ],
        instance: vec![
            cap("instance requests", CapUnit::Iops, instance_iops, None),
            cap(
                "instance bytes",
                CapUnit::BytesPerSecond,
                instance_bytes * bytes,
                None,
            ),
        ],
        is_near,
    }
}

/// A burst that ends within the run, and is not held by anything else.
fn bucket(dice: &mut Dice, baseline: f64, allows: &[f64; 6]) -> CapBurst {
    let [_, volume_bytes, instance_iops, instance_bytes, by_depth, _] = *allows;
    let most = [volume_bytes, instance_iops, instance_bytes, by_depth]
        .into_iter()
        .fold(f64::INFINITY, f64::min);
    let value = dice.between(STEP, 8.0) * baseline;
    // Whatever else holds the burst is the rate that is seen.
    let seen = value.min(most);
    let cliff_s = dice.between(8.0, 20.0);
    CapBurst {
        value,
        capacity: ((seen - baseline) * cliff_s).round(),
    }
}

impl Sample {
    pub(crate) fn run(&self, seed: u64) -> RunResult {
        let sigma = 0.3_f64;
        // The mean of the law is the service time.
        let median = self.service_ns / (sigma * sigma / 2.0).exp();
        let service = ServiceLaw::LogNormal(median, sigma);
        let system = device(&self.instance, &self.volume, service, seed);
        let caps: Vec<Cap> = self.instance.iter().chain(&self.volume).cloned().collect();
        let model = noisy(Box::new(system), seed);
        explained(self.load, model, &caps)
    }

    /// How far the plateau lies from what holds it, as a share.
    pub(crate) fn off(&self, result: &RunResult) -> f64 {
        let phase = &result.phases[0];
        let fit = phase.bound.as_ref().and_then(|bound| bound.bucket);
        let rate = fit.map_or_else(|| rate(phase), |fit| fit.baseline_iops);
        let bytes = self.load.block_bytes as f64;
        let held = match self.truth {
            Truth::VolumeIops | Truth::Bucket => self.volume[0].value,
            Truth::VolumeBytes => self.volume[1].value / bytes,
            Truth::InstanceIops => self.instance[0].value,
            Truth::InstanceBytes => self.instance[1].value / bytes,
            Truth::QueueDepth => f64::from(self.load.queue_depth) / self.service_ns * 1e9,
        };
        (rate / held - 1.0).abs()
    }

    fn said(&self, bound: &Bound) -> Said {
        match bound.kind {
            BoundKind::Ambiguous if self.is_near => Said::Ambiguous,
            BoundKind::Ambiguous => Said::Timid,
            BoundKind::Unexplained => Said::Unexplained,
            _ if bound.name == self.truth.name() => Said::Right,
            _ => Said::Wrong,
        }
    }

    /// How far the fit is off: burst, baseline and capacity, as shares of each.
    fn errors(&self, bound: &Bound) -> Option<[f64; 3]> {
        let cap = &self.volume[0];
        let burst = cap.burst?;
        let fit = bound.bucket?;
        let by_depth = f64::from(self.load.queue_depth) / self.service_ns * 1e9;
        let bytes = self.load.block_bytes as f64;
        let allowed = [
            self.volume[1].value / bytes,
            self.instance[0].value,
            self.instance[1].value / bytes,
            by_depth,
        ];
        let seen = allowed.into_iter().fold(burst.value, f64::min);
        let off = |found: f64, truth: f64| found / truth - 1.0;
        Some([
            off(fit.burst_iops, seen),
            off(fit.baseline_iops, cap.value),
            off(fit.capacity_ios, burst.capacity),
        ])
    }
}

/// Requests a second of all operations.
fn rate(phase: &PhaseResult) -> f64 {
    let ops = phase.jobs.iter().flat_map(|job| job.ops.present());
    ops.map(|(_, op)| op.iops).sum()
}

/// What twice the outstanding requests changed, as a share of the mean before and after it.
pub(crate) fn doubled(result: &RunResult) -> Option<f64> {
    let of = |kind| {
        let mut probes = result.probes.iter();
        probes
            .find(|probe| probe.kind == kind)
            .map(|probe| rate(&probe.phase))
    };
    let base = f64::midpoint(of(ProbeKind::Same)?, of(ProbeKind::SameAgain)?);
    Some(of(ProbeKind::DoubleDepth)? / base - 1.0)
}

/// Largest error that counts as measured.
const FIT: f64 = 0.05;

/// Devices of the table, how the limit was named, and how many buckets were measured.
struct LimitSurvey {
    rows: Vec<(Truth, Answers)>,
    buckets: u32,
    fitted: u32,
    worst: [f64; 3],
    /// Farthest plateau from its limit, most that a doubling changed at a limit, least that it gave
    /// below all.
    extremes: [f64; 3],
}

fn outcome(seeds: std::ops::Range<u64>, is_told: bool) -> LimitSurvey {
    let mut outcome = LimitSurvey {
        rows: TRUTHS.map(|truth| (truth, Answers::default())).to_vec(),
        buckets: 0,
        fitted: 0,
        worst: [0.0; 3],
        extremes: [0.0, 0.0, f64::INFINITY],
    };
    for seed in seeds {
        let sample = sample(seed);
        let result = sample.run(seed);
        let bound = result.phases[0].bound.as_deref().expect("a bound");
        outcome.stretch(&sample, &result);
        let said = sample.said(bound);
        let row = outcome.rows.iter_mut().find(|(of, _)| *of == sample.truth);
        row.expect("a row for each").1.add(said);
        let errors = sample.errors(bound);
        let is_off = errors.is_none_or(|errors| errors.iter().any(|off| off.abs() > FIT));
        if sample.truth == Truth::Bucket {
            outcome.buckets += 1;
            outcome.fitted += u32::from(!is_off);
            for (worst, off) in outcome.worst.iter_mut().zip(errors.unwrap_or([1.0; 3])) {
                *worst = worst.max(off.abs());
            }
        }
        let is_odd = !matches!(said, Said::Right | Said::Ambiguous)
            || (sample.truth == Truth::Bucket && is_off)
            || (sample.truth != Truth::Bucket && bound.bucket.is_some());
        if is_told && is_odd {
            tell(seed, &sample, bound, said, errors);
        }
    }
    outcome
}

impl LimitSurvey {
    fn stretch(&mut self, sample: &Sample, result: &RunResult) {
        let [off, flat, grown] = &mut self.extremes;
        let change = doubled(result).expect("both probes");
        if sample.truth == Truth::QueueDepth {
            *grown = grown.min(change);
        } else {
            *off = off.max(sample.off(result));
            *flat = flat.max(change.abs());
        }
    }
}

#[expect(clippy::print_stdout, reason = "the table is asked for")]
fn tell(seed: u64, sample: &Sample, bound: &Bound, said: Said, errors: Option<[f64; 3]>) {
    println!(
        "seed {seed}: {:?} is {said:?}, fit {errors:?}: {}\n  {:?}\n  {:?}",
        sample.truth, bound.sentence, bound.evidence, sample
    );
}

#[expect(clippy::print_stdout, reason = "the table is asked for")]
fn print(outcome: &LimitSurvey) {
    println!("held by          right  ambiguous  (too timid)  unexplained  wrong");
    for (truth, row) in &outcome.rows {
        println!(
            "{:<17}{:>5}{:>11}{:>13}{:>13}{:>7}",
            format!("{truth:?}"),
            row.right,
            row.ambiguous,
            row.timid,
            row.unexplained,
            row.wrong
        );
    }
    println!(
        "buckets measured within 5 %: {} of {}; worst of burst, baseline, capacity: {:.1?} %",
        outcome.fitted,
        outcome.buckets,
        outcome.worst.map(|worst| worst * 100.0)
    );
    let [off, flat, grown] = outcome.extremes.map(|share| share * 100.0);
    println!(
        "plateaus lie within {off:.2} % of their limit; a doubling changes {flat:.2} % there at \
         most, and gives {grown:.1} % at least below all limits"
    );
}

/// Named rightly, or said to be ambiguous where it is.
fn right(outcome: &LimitSurvey) -> u32 {
    let rows = outcome.rows.iter();
    rows.map(|(_, row)| row.right + row.ambiguous).sum()
}

#[test]
fn limits_are_named_and_buckets_measured() {
    let devices = number(12, 200);
    let found = outcome(0..devices, true);
    print(&found);
    let right = u64::from(right(&found));
    assert!(right * 100 >= devices * 95, "{right} of {devices}");
    let (fitted, buckets) = (found.fitted, found.buckets);
    assert!(fitted * 100 >= buckets * 95, "{fitted} of {buckets}");
}
