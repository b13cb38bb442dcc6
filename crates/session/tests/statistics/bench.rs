//! Random devices, and runs on them with everything that `--find-limit` does.

use fathom_core::CodeWord;
use fathom_core::result::RunResult;
use fathom_core::spec::{Durability, IoKind, Job, Phase, SyncEvery, Workload};
use fathom_core::{
    Bytes, Cap, CapBurst, CapOwner, CapScope, CapUnit, EngineKind, Nanos, Op, Percent,
};
use fathom_session::probing::{ProbedCourse, Wishes};
use fathom_session::{Plan, Session, Silent};
use fathom_verdict::Code;
use fathom_volume::System;
use fathom_volume::catalog::{Accounting, Limit};
use fathom_volume::model::VolumeModel;
use fathom_volume::models::layers::{Layer, Layered, Wobble};
use fathom_volume::models::{Device, Limiter, Node, ServiceLaw, Stage};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Standard deviation of the rates from second to second.
const NOISE: f64 = 0.02;

/// How many of something to try: few with the ordinary tests, all where they are asked for.
pub(crate) fn number(few: u64, all: u64) -> u64 {
    if is_full() { all } else { few }
}

/// Whether all are asked for.
pub(crate) fn is_full() -> bool {
    std::env::var_os("FATHOM_STATISTICS").is_some_and(|value| value == "full")
}

/// Runs `one` for each number below `runs` on all processors. Returns the results in order.
pub(crate) fn each<T: Send>(runs: u64, one: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = AtomicU64::new(0);
    let found = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let run = next.fetch_add(1, Ordering::Relaxed);
                    if run >= runs {
                        return;
                    }
                    let made = one(run);
                    found.lock().expect("no run has panicked").push((run, made));
                }
            });
        }
    });
    let mut found = found.into_inner().expect("no run has panicked");
    found.sort_by_key(|(run, _)| *run);
    found.into_iter().map(|(_, made)| made).collect()
}

/// Draws that make a device.
#[derive(Debug)]
pub(crate) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A share, all alike.
    pub(crate) fn share(&mut self) -> f64 {
        self.unit()
    }

    /// Of the standard normal distribution (Box and Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number between two, the same chance for each factor.
    pub(crate) fn between(&mut self, least: f64, most: f64) -> f64 {
        least * (most / least).powf(self.unit())
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[(self.unit() * all.len() as f64) as usize]
    }
}

/// A limit that counts every request once.
pub(crate) fn cap(name: &str, unit: CapUnit, value: f64, burst: Option<CapBurst>) -> Cap {
    Cap {
        name: name.to_owned(),
        unit,
        owner: owner(name),
        scope: CapScope::All,
        value,
        request_bytes: None,
        burst,
        source: "the test".to_owned(),
    }
}

/// Whose limit it is: names begin with the word.
fn owner(name: &str) -> CapOwner {
    match name.split(' ').next() {
        Some("volume") => CapOwner::Volume,
        Some("instance") => CapOwner::Instance,
        _ => CapOwner::Unknown,
    }
}

/// A device behind limits, those of an instance before those of a volume.
pub(crate) fn device(instance: &[Cap], volume: &[Cap], service: ServiceLaw, seed: u64) -> System {
    let limiters: Vec<Limiter> = instance
        .iter()
        .chain(volume)
        .map(|cap| {
            let limit = Limit {
                cap: cap.clone(),
                accounting: Accounting::Once,
            };
            Limiter::new(&cap.name, &limit, 1.0)
        })
        .collect();
    let split = instance.len() as u16;
    let stages = vec![
        Stage((0..split).collect()),
        Stage((split..limiters.len() as u16).collect()),
    ];
    let device = Device::new(1 << 40, service, seed).behind(stages);
    System::new(
        "device".to_owned(),
        Node::Device(Box::new(device)),
        limiters,
        Vec::new(),
    )
}

/// A model with a layer over it.
pub(crate) fn under(
    below: Box<dyn VolumeModel>,
    layer: impl Layer + 'static,
) -> Box<dyn VolumeModel> {
    Box::new(Layered::new("layer", Box::new(layer), below))
}

/// A model whose rates wobble.
pub(crate) fn noisy(below: Box<dyn VolumeModel>, seed: u64) -> Box<dyn VolumeModel> {
    under(below, Wobble::new(NOISE, Nanos::from_secs(1), seed))
}

/// A closed load of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) block_bytes: u64,
    pub(crate) queue_depth: u32,
    /// Share of reads, percent.
    pub(crate) reads: f64,
    pub(crate) seconds: u64,
    /// A flush after so many writes.
    pub(crate) sync: Option<u32>,
}

/// A run as `fathom run --find-limit --cap …` makes it, judged and explained.
pub(crate) fn explained(load: Load, model: Box<dyn VolumeModel>, caps: &[Cap]) -> RunResult {
    let mut session = session(load, model);
    let wishes = Wishes {
        explain: true,
        ..Wishes::default()
    };
    let mut course = ProbedCourse::new(&session.plan.workload, &wishes);
    let result = session.run_along(&mut course, &mut Silent);
    let mut result = result.expect("a simulated run");
    course.sort(&mut result, &session.plan.workload);
    fathom_verdict::judge(&mut result);
    fathom_verdict::explain(&mut result, caps);
    result
}

/// A run as `fathom run` makes it, judged and explained as far as it can be.
pub(crate) fn judged(load: Load, model: Box<dyn VolumeModel>, caps: &[Cap]) -> RunResult {
    let mut session = session(load, model);
    let mut result = session.run(&mut Silent).expect("a simulated run");
    fathom_verdict::judge(&mut result);
    fathom_verdict::explain(&mut result, caps);
    result
}

/// A run of a job that is changed; judged by nobody yet.
pub(crate) fn run_of(
    load: Load,
    model: Box<dyn VolumeModel>,
    change: impl FnOnce(&mut Job),
) -> RunResult {
    let mut job = job(load);
    change(&mut job);
    let mut session = session_of(load, job, model);
    session.run(&mut Silent).expect("a simulated run")
}

/// Codes above a note, without that of every simulation.
pub(crate) fn alarms(result: &RunResult) -> Vec<&CodeWord> {
    let caveats = result.caveats.iter();
    let doubts = caveats.filter(|caveat| caveat.level > fathom_core::Level::Note);
    doubts
        .map(|caveat| &caveat.code)
        .filter(|code| **code != Code::Simulated)
        .collect()
}

fn session<'a>(load: Load, model: Box<dyn VolumeModel>) -> Session<'a> {
    session_of(load, job(load), model)
}

fn session_of<'a>(load: Load, job: Job, model: Box<dyn VolumeModel>) -> Session<'a> {
    let phase = Phase {
        duration: Some(Nanos::from_secs(load.seconds)),
        jobs: vec![job],
        ..Phase::plain()
    };
    let workload = Workload {
        name: "statistics".to_owned(),
        phases: vec![phase],
        ..Workload::plain()
    };
    let plan = Plan::new(workload).on("sim").by(EngineKind::Sim);
    Session::new(plan).modelled(model)
}

fn job(load: Load) -> Job {
    let kind = |op, weight| IoKind {
        op,
        block_size: Bytes(load.block_bytes),
        random: Percent(100.0),
        align: Bytes(load.block_bytes),
        weight,
    };
    let kinds = [
        kind(Op::Read, load.reads),
        kind(Op::Write, 100.0 - load.reads),
    ];
    Job {
        name: "job".to_owned(),
        queue_depth: load.queue_depth,
        durability: Durability {
            sync: load.sync.map(|writes| SyncEvery {
                writes,
                data_only: false,
            }),
            ..Durability::PLAIN
        },
        kinds: kinds.into_iter().filter(|kind| kind.weight > 0.0).collect(),
        ..Job::plain()
    }
}
