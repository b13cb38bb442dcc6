//! Whether what made a rate fall is told: devices of known truth, each with one mechanism of
//! random size, and with what the host would say beside it.

use crate::bench::{Dice, Load, cap, device, explained, judged, noisy, number, under};
use fathom_core::result::{
    Culprit, DeviceLimits, Ledger, Mechanism, Paging, RunResult, TargetDevice,
};
use fathom_core::{Cap, CapBurst, CapUnit, Nanos};
use fathom_engine::sim::VolumeModel;
use fathom_volume::models::ServiceLaw;
use fathom_volume::models::layers::{Collection, FlashCache, Slowing, WriteCache};

const MECHANISMS: [Mechanism; 8] = [
    Mechanism::VolumeCredit,
    Mechanism::InstanceCredit,
    Mechanism::FlashCache,
    Mechanism::WriteCache,
    Mechanism::DirtyLimit,
    Mechanism::Heat,
    Mechanism::Processor,
    Mechanism::Collection,
];

/// A device, a load on it, and what is known of both.
#[derive(Debug)]
struct Sample {
    truth: Mechanism,
    load: Load,
    /// Requests a second before the fall.
    fast: f64,
    /// The later rate over that.
    left: f64,
    /// Seconds until the fall.
    cliff_s: f64,
    /// Time of a read over that of a write, where they differ.
    slower_reads: f64,
    /// Share of the device that is written until then.
    share: f64,
    caps: Vec<Cap>,
}

fn sample(truth: Mechanism, seed: u64) -> Sample {
    let mut dice = Dice::new(seed ^ 0xfa11);
    let writes = matches!(
        truth,
        Mechanism::FlashCache
            | Mechanism::WriteCache
            | Mechanism::DirtyLimit
            | Mechanism::Collection
    );
    let reads = if writes {
        dice.one_of(&[0.0, 0.0, 30.0, 50.0, 70.0])
    } else {
        dice.one_of(&[0.0, 30.0, 50.0, 70.0, 100.0])
    };
    let fast = dice.between(300.0, 900.0);
    let left = 1.0 / dice.between(1.4, 6.0);
    let cliff_s = dice.between(9.0, 25.0);
    let mut sample = Sample {
        truth,
        load: Load {
            block_bytes: dice.one_of(&[16, 32, 64, 128]) << 10,
            queue_depth: dice.one_of(&[4, 8, 16, 32]),
            reads,
            seconds: 60,
            sync: None,
        },
        fast,
        left,
        cliff_s,
        slower_reads: dice.between(3.0, 10.0),
        share: dice.between(0.01, 0.3),
        caps: Vec::new(),
    };
    if truth == Mechanism::WriteCache {
        // What a controller has: 0.6 to 4 GB beyond what it drains.
        let above = dice.between(0.6e9, 4e9);
        sample.load.block_bytes = 256 << 10;
        let written = above / cliff_s / (1.0 - left);
        sample.fast = written / f64::from(256 << 10) / (1.0 - reads / 100.0);
        sample.share = above / dice.between(1e12, 20e12);
    }
    sample.caps = sample.limits(&mut dice);
    sample
}

impl Sample {
    /// The limits that are known: of clouds those that hold, of others one that does not.
    fn limits(&self, dice: &mut Dice) -> Vec<Cap> {
        let burst = CapBurst {
            value: self.fast,
            capacity: (self.fast * (1.0 - self.left) * self.cliff_s).round(),
        };
        let beyond = self.fast * dice.between(1.3, 4.0);
        let later = self.fast * self.left;
        let [volume, instance] = match self.truth {
            Mechanism::VolumeCredit => [(later, Some(burst)), (beyond, None)],
            Mechanism::InstanceCredit => [(beyond, None), (later, Some(burst))],
            _ => [(beyond, None), (beyond * 1.5, None)],
        };
        vec![
            cap("volume requests", CapUnit::Iops, volume.0, volume.1),
            cap("instance requests", CapUnit::Iops, instance.0, instance.1),
        ]
    }

    fn model(&self, seed: u64) -> Box<dyn VolumeModel> {
        let depth = f64::from(self.load.queue_depth);
        let reads = self.load.reads / 100.0;
        let writes = 1.0 - reads;
        let written = self.fast * writes * self.load.block_bytes as f64;
        // Mean time of a request that makes the fast rate.
        let mean_ns = depth / self.fast * 1e9;
        let law = |mean: f64| ServiceLaw::LogNormal(mean / 0.045_f64.exp(), 0.3);
        let plain = |mean: f64| device(&[], &[], law(mean), seed);
        let at = Nanos((self.cliff_s * 1e9) as u64);
        let model: Box<dyn VolumeModel> = match self.truth {
            Mechanism::VolumeCredit | Mechanism::InstanceCredit => {
                let (volume, instance) = (&self.caps[..1], &self.caps[1..]);
                Box::new(device(instance, volume, law(mean_ns / 1.5), seed))
            }
            Mechanism::FlashCache => {
                let bytes = (written * self.cliff_s) as u64;
                let slow = written * self.left;
                let cache = FlashCache::new(bytes, written, slow, slow / 2.0);
                under(Box::new(plain(mean_ns / 2.0)), cache)
            }
            Mechanism::WriteCache | Mechanism::DirtyLimit => {
                let bytes = (written * (1.0 - self.left) * self.cliff_s) as u64;
                let ack = mean_ns / (reads * self.slower_reads + writes);
                let cache = WriteCache::new(bytes, written * self.left, Nanos(ack as u64));
                under(Box::new(plain(ack * self.slower_reads)), cache)
            }
            Mechanism::Heat => {
                let slowing = Slowing::new(at, Nanos::from_secs(10), self.left);
                under(Box::new(plain(mean_ns)), slowing)
            }
            Mechanism::Processor => {
                let slowing = Slowing::new(at, Nanos::ZERO, self.left);
                under(Box::new(plain(mean_ns)), slowing)
            }
            Mechanism::Collection => {
                // Of each five seconds so much is lost that this share is left.
                let period_s = 5.0;
                let stall_s = period_s * (1.0 - self.left.max(0.4));
                let every = (written * (period_s - stall_s)) as u64;
                let stall = Nanos((stall_s * 1e9) as u64);
                let free = (written * self.cliff_s) as u64;
                let layer = Collection::new(stall, every).after(free);
                under(Box::new(plain(mean_ns)), layer)
            }
        };
        noisy(model, seed)
    }

    /// What the host would say beside it.
    fn tell(&self, result: &mut RunResult) {
        let written = self.fast * (1.0 - self.load.reads / 100.0) * self.load.block_bytes as f64;
        let of_device = match self.truth {
            Mechanism::WriteCache => written * (1.0 - self.left),
            _ => written,
        };
        let is = |mechanism: Mechanism| self.truth == mechanism;
        let limits = DeviceLimits {
            begin_millidegrees: Some(35_000),
            end_millidegrees: Some(if is(Mechanism::Heat) { 78_000 } else { 39_000 }),
            ..DeviceLimits::default()
        };
        let disk = TargetDevice {
            name: "sim0".to_owned(),
            kind: "disk".to_owned(),
            model: String::new(),
            size_bytes: (of_device.max(1e6) * self.cliff_s / self.share) as u64,
            scheduler: String::new(),
            queue_requests: 0,
            rotational: false,
            write_cache: String::new(),
            logical_block_bytes: 512,
            leaf: true,
            backing_file_system: String::new(),
            backing_direct: None,
            transport: String::new(),
            limits: Some(Box::new(limits)),
        };
        for target in &mut result.provenance.targets {
            target.devices = vec![disk.clone()];
        }
        for phase in &mut result.phases {
            let ledger: &mut Ledger = phase.ledger.get_or_insert_default();
            let dirty = if is(Mechanism::DirtyLimit) { 9 } else { 1 };
            ledger.paging = Some(Paging {
                dirty_bytes: dirty << 30,
                dirty_limit_bytes: 10 << 30,
                ..Paging::default()
            });
            let kept = if is(Mechanism::Processor) { 20 } else { 0 };
            ledger.generator.throttled_ns = Some(kept * 1_000_000_000);
        }
        let phases = &mut result.provenance.workload.phases;
        for job in phases.iter_mut().flat_map(|phase| &mut phase.jobs) {
            job.durability.direct = !is(Mechanism::DirtyLimit);
        }
    }

    /// What is told, without limits and probes or with both.
    fn culprits(&self, seed: u64, with_all: bool) -> Vec<Culprit> {
        let model = self.model(seed);
        let (mut result, caps) = if with_all {
            (
                explained(self.load, model, &self.caps),
                self.caps.as_slice(),
            )
        } else {
            (judged(self.load, model, &[]), &[][..])
        };
        self.tell(&mut result);
        fathom_verdict::explain(&mut result, caps);
        let bound = result.phases[0].bound.take().expect("a bound");
        bound.culprits
    }
}

/// A run on a device whose rate fell by a mechanism, with what the host says and all limits.
pub(crate) fn told(truth: Mechanism, seed: u64) -> RunResult {
    let sample = sample(truth, seed);
    let mut result = explained(sample.load, sample.model(seed), &sample.caps);
    sample.tell(&mut result);
    fathom_verdict::explain(&mut result, &sample.caps);
    result
}

/// How often the right one is first, and among those told.
#[derive(Clone, Copy, Debug, Default)]
struct Ranked {
    first: u64,
    among: u64,
}

#[expect(clippy::print_stdout, reason = "the table is asked for")]
fn row(truth: Mechanism, seeds: std::ops::Range<u64>, with_all: bool) -> Ranked {
    let mut row = Ranked::default();
    for seed in seeds {
        let sample = sample(truth, seed);
        let told = sample.culprits(seed, with_all);
        let place = told.iter().position(|one| one.mechanism == truth);
        row.first += u64::from(place == Some(0));
        row.among += u64::from(place.is_some());
        if place != Some(0) {
            println!(
                "seed {seed}, all {with_all}: {truth:?} is {place:?}\n  {told:?}\n  {sample:?}"
            );
        }
    }
    row
}

#[test]
fn what_made_a_rate_fall_is_told() {
    let devices = number(1, 20);
    let begin = std::env::var("FATHOM_STATISTICS_SEED").ok();
    let begin: u64 = begin.and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut lines =
        vec!["fell by          run: first  among two   explained: first  among two".to_owned()];
    let (mut first, mut among, mut total) = (0, 0, 0);
    for truth in MECHANISMS {
        let [plain, full] = [false, true].map(|all| row(truth, begin..begin + devices, all));
        lines.push(format!(
            "{:<17}{:>10}{:>11}{:>19}{:>11}",
            format!("{truth:?}"),
            plain.first,
            plain.among,
            full.first,
            full.among
        ));
        first += full.first;
        among += full.among;
        total += devices;
    }
    println!("{}", lines.join("\n"));
    assert!(first * 100 >= total * 90, "{first} of {total} first");
    assert!(among * 100 >= total * 95, "{among} of {total} among two");
}
