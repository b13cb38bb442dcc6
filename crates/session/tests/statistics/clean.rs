//! Whether anything is doubted that is not doubtful: devices without any misfortune.

use crate::bench::{Dice, Load, alarms, cap, device, each, judged, noisy, number, under};
use fathom_core::CapUnit;
use fathom_core::result::PhaseResult;
use fathom_volume::models::ServiceLaw;
use fathom_volume::models::layers::{CounterLayer, Lie};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// How near the clean runs come to what is doubted.
#[derive(Debug)]
struct Nearest {
    /// Least share of the slots that held a request, of loads that never pause.
    held: f64,
    /// Least and greatest bytes of the device for each of ours.
    bytes: (f64, f64),
    /// Greatest requests of the device for each of ours.
    requests: f64,
}

impl Nearest {
    fn see(&mut self, load: Load, phase: &PhaseResult) {
        let job = &phase.jobs[0];
        if load.sync.is_none() {
            let share = job.queue_depth_held / job.queue_depth_possible as f64;
            self.held = self.held.min(share);
        }
        let ledger = phase.ledger.as_deref().expect("the device counts");
        for ratio in [ledger.read_ratio, ledger.write_ratio]
            .into_iter()
            .flatten()
        {
            self.bytes = (self.bytes.0.min(ratio), self.bytes.1.max(ratio));
        }
        self.requests = self.requests.max(ledger.split.unwrap_or(1.0));
    }
}

/// The codes above a note of a run on such a device.
pub(crate) fn codes(seed: u64) -> Vec<String> {
    let nearest = Nearest {
        held: 1.0,
        bytes: (1.0, 1.0),
        requests: 1.0,
    };
    false_alarms(seed, &Mutex::new(nearest))
}

/// What is said of a device on which all is well; empty if nothing.
fn false_alarms(seed: u64, nearest: &Mutex<Nearest>) -> Vec<String> {
    let mut dice = Dice::new(seed ^ 0xc1ea);
    let block_bytes = dice.one_of(&[4, 8, 16, 64, 128]) << 10;
    let queue_depth = dice.one_of(&[1, 2, 4, 8, 16, 32]);
    let service_ns = dice.between(500e3, 5e6);
    // Below, at and above what the queue depth alone would give.
    let by_depth = f64::from(queue_depth) / service_ns * 1e9;
    let limit = (by_depth * dice.between(0.2, 3.0)).clamp(60.0, 800.0);
    let service = dice.one_of(&[0, 1, 2]);
    let service = match service {
        0 => ServiceLaw::Constant(service_ns),
        1 => ServiceLaw::Exponential(service_ns),
        _ => ServiceLaw::LogNormal(service_ns, 0.5),
    };
    let caps = [cap("volume", CapUnit::Iops, limit, None)];
    let system = noisy(Box::new(device(&[], &caps, service, seed)), seed);
    let model = under(system, CounterLayer::new(Lie::default()));
    let load = Load {
        block_bytes,
        queue_depth,
        reads: dice.one_of(&[0.0, 30.0, 70.0, 100.0]),
        seconds: dice.one_of(&[15, 30, 60]),
        sync: dice.one_of(&[None, None, None, Some(32)]),
    };
    let result = judged(load, model, &[]);
    nearest
        .lock()
        .expect("no run has panicked")
        .see(load, &result.phases[0]);
    let mut found: Vec<String> = alarms(&result)
        .into_iter()
        .map(ToString::to_string)
        .collect();
    let bound = result.phases[0].bound.as_ref();
    if bound.is_some_and(|bound| bound.bucket.is_some()) {
        found.push("a bucket that is not there".to_owned());
    } else if bound.is_some_and(|bound| bound.fall.is_some()) {
        found.push("a fall that is not there".to_owned());
    }
    found
}

#[test]
fn clean_runs_raise_no_alarm() {
    let runs = number(20, 500);
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut alarmed = 0;
    let nearest = Mutex::new(Nearest {
        held: 1.0,
        bytes: (1.0, 1.0),
        requests: 1.0,
    });
    let found = each(runs, |seed| false_alarms(seed, &nearest));
    for (seed, found) in found.into_iter().enumerate() {
        alarmed += u64::from(!found.is_empty());
        for code in found {
            println!("clean run {seed}: {code}");
            *counts.entry(code).or_default() += 1;
        }
    }
    println!("clean runs with an alarm: {alarmed} of {runs}; by code {counts:?}");
    println!(
        "nearest to an alarm: {:?}",
        nearest.lock().expect("no run has panicked")
    );
    // Fewer than 1 %.
    assert!(alarmed * 100 < runs, "{alarmed} of {runs}: {counts:?}");
}
