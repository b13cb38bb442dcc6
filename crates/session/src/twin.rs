//! The requests of a workload without I/O: its workers run in virtual time, on storage that takes
//! as long as recorded requests took.

use fathom_capture::learn::Services;
use fathom_capture::{Early, Flags, Request, Task};
use fathom_core::spec::{Job, Phase, Workload};
use fathom_core::{Nanos, Op, Tolerated};
use fathom_engine::EngineConfig;
use fathom_engine::sim::World;
use fathom_load::LoadError;
use fathom_load::assembly::PhasePlan;
use fathom_load::control::Control;
use fathom_load::observer::{Event, Observer};
use fathom_load::phase::simulate;
use fathom_load::request::Window;
use fathom_load::targets::JobTargets;
use fathom_load::verify::Mark;
use fathom_volume::model::{Admission, Demand, Fate, IoShape, Served, VolumeModel, VolumeState};
use std::collections::BTreeMap;

/// Service time where none is known.
const ASSUMED_NS: u64 = 100_000;

/// What a workload requests.
#[derive(Debug, Default)]
pub struct Played {
    /// In the order of their instants, which count from the start of the phase.
    pub requests: Vec<Request>,
    /// One for each thread.
    pub tasks: Vec<Task>,
}

/// Plays the first phase of a workload on storage that takes as long as recorded requests took; see
/// [`play_on`].
///
/// # Errors
///
/// [`LoadError`], if the simulation cannot be run.
pub fn play(workload: &Workload, services: &Services) -> Result<Played, LoadError> {
    let jobs = workload.phases.first().map_or(&[][..], |phase| &phase.jobs);
    let ends = jobs.iter().map(|job| window(job).start + window(job).len);
    let storage = Recorded {
        quantiles: services.quantiles(),
        size_bytes: ends.max().unwrap_or(0),
        drawn: workload.seed(),
    };
    play_on(workload, Box::new(storage))
}

/// Plays the first phase of a workload whose jobs name no targets and have a window each. Equal
/// input has equal output. The requests are held in memory, 100 bytes each.
///
/// # Errors
///
/// [`LoadError`], if the simulation cannot be run.
pub fn play_on(workload: &Workload, storage: Box<dyn VolumeModel>) -> Result<Played, LoadError> {
    let Some(phase) = workload.phases.first() else {
        return Ok(Played::default());
    };
    let targets: Vec<JobTargets> = phase.jobs.iter().map(targets).collect();
    let journals: Vec<String> = phase.jobs.iter().map(|job| job.name.clone()).collect();
    let tolerated = Tolerated::default();
    let plan = PhasePlan {
        workload,
        phase,
        mark: Mark {
            run: 1,
            seed: workload.seed(),
            salt: workload.salt(),
        },
        number: 0,
        targets: &targets,
        stop_on_error: false,
        tolerated: &tolerated,
        journals: &journals,
        splits: &[],
        apart: &[],
        traces: &[],
        contents: &[],
        rereads: &[],
    };
    let world = World::modelled(storage, 1, false);
    let mut gathering = Gathering::new(phase);
    let config = EngineConfig::default();
    simulate(&plan, &world, config, &Control::new(), &mut gathering)?;
    let mut played = gathering.played;
    played.requests.sort_by_key(|request| request.at_ns);
    Ok(played)
}

fn window(job: &Job) -> Window {
    let len = job.window.or(job.size).unwrap_or_default();
    Window {
        start: job.offset.0,
        len: len.0,
    }
}

fn targets(job: &Job) -> JobTargets {
    JobTargets {
        paths: vec!["twin".to_owned()],
        windows: vec![window(job)],
        numbers: vec![0],
        ..JobTargets::default()
    }
}

/// Gathers the requests of all threads.
struct Gathering {
    played: Played,
    /// The task of the first thread of each job.
    first: Vec<u32>,
}

impl Gathering {
    fn new(phase: &Phase) -> Self {
        let (mut tasks, mut first) = (Vec::new(), Vec::new());
        for job in &phase.jobs {
            first.push(tasks.len() as u32);
            let thread = |number: u32| Task {
                thread: number as i32 + 1,
                name: format!("{}/{number}", job.name),
                process: Some(1),
                process_name: Some("fathom".to_owned()),
            };
            tasks.extend((0..job.threads).map(thread));
        }
        let requests = Vec::new();
        Self {
            played: Played { requests, tasks },
            first,
        }
    }
}

impl Observer for Gathering {
    fn event(&mut self, event: &Event<'_>) {
        let Event::Requests {
            job,
            thread,
            start,
            entries,
        } = event
        else {
            return;
        };
        let first = self.first.get(*job).copied().unwrap_or(0);
        let requests = entries.iter().map(|entry| Request {
            at_ns: entry.issued.saturating_sub(*start).0,
            service_ns: Some(entry.completed.saturating_sub(entry.issued).0),
            device: 0,
            offset: if entry.op == Op::Flush {
                0
            } else {
                entry.offset
            },
            bytes: entry.len.into(),
            flags: Flags::of_op(entry.op),
            task: first + thread,
            early: Early::default(),
        });
        self.played.requests.extend(requests);
    }
}

/// Storage whose service times are drawn from recorded ones, whatever else it serves.
#[derive(Clone, Debug)]
struct Recorded {
    quantiles: BTreeMap<(Op, u32), Vec<u64>>,
    size_bytes: u64,
    /// What is drawn next.
    drawn: u64,
}

impl Recorded {
    /// A service time of requests of this operation and size, or of the nearest size.
    fn service(&mut self, op: Op, bytes: u64) -> u64 {
        self.drawn = self.drawn.wrapping_add(0x9e37_79b9_7f4a_7c15);
        // The finaliser of SplitMix64.
        let mut mixed = self.drawn;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let (_, size) = Services::key(op, bytes);
        let of_op = self.quantiles.range((op, 0)..=(op, u32::MAX));
        let nearest = of_op.min_by_key(|((_, other), _)| other.abs_diff(size));
        let Some((_, values)) = nearest else {
            return ASSUMED_NS;
        };
        let place = (u128::from(mixed) * values.len() as u128) >> 64;
        values.get(place as usize).copied().unwrap_or(ASSUMED_NS)
    }
}

impl VolumeModel for Recorded {
    fn admit(&mut self, io: IoShape, at: Nanos) -> Admission {
        let service_ns = self.service(io.op, io.bytes.into());
        Admission {
            done: at.saturating_add(Nanos(service_ns)),
            bound: None,
            fate: Fate::Good,
        }
    }

    fn serve(&mut self, _demand: &Demand, _at: Nanos, _span: Nanos) -> Served {
        Served::default()
    }

    fn open_form(&self) -> Option<&'static str> {
        Some("recorded service times are drawn one by one")
    }

    fn state(&self, _at: Nanos) -> VolumeState {
        VolumeState::default()
    }

    fn limits(&self) -> Vec<String> {
        Vec::new()
    }

    fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    fn title(&self) -> &'static str {
        "recorded service times"
    }

    fn boxed(&self) -> Box<dyn VolumeModel> {
        Box::new(self.clone())
    }
}
