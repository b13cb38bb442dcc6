//! The search for the highest rate under an objective, against queueing theory: servers with
//! exponential service under Poisson arrivals (L. Kleinrock, "Queueing Systems", volume 1).

use fathom_core::spec::{
    Access, Cursor, CursorScope, Data, Distribution, Durability, Fill, IoKind, Job, JobStop,
    Pacing, Phase, QueueScope, Verify, Workload,
};
use fathom_core::{Bytes, Nanos, Op, Percent};
use fathom_engine::EngineKind;
use fathom_engine::sim::SimVolume;
use fathom_load::control::Control;
use fathom_load::observer::Silent;
use fathom_load::plan::{EnginePlan, RunPlan, TargetBinding};
use fathom_load::ramp::{ObjectiveSearch, SearchTimes};
use fathom_load::run_course;
use fathom_volume::System;
use fathom_volume::models::{Device, Node, ServiceLaw};
use std::collections::BTreeMap;

fn job() -> Job {
    Job {
        name: "clients".to_owned(),
        targets: Vec::new(),
        threads: 1,
        queue_depth: 512,
        queue_scope: QueueScope::PerTarget,
        size: None,
        offset: Bytes(0),
        window: None,
        fresh: false,
        cold: false,
        delay: Nanos::ZERO,
        replay: None,
        access: Access {
            distribution: Distribution::Uniform,
            without_repetition: false,
            stride: None,
            cursor: Cursor::Own { stride: None },
            cursor_scope: CursorScope::PerOp,
        },
        pacing: Pacing::CLOSED,
        after: None,
        durability: Durability {
            direct: true,
            write_through: false,
            sync: None,
        },
        data: Data {
            fill: Fill::Random,
            compressible_to: Percent::ALL,
            duplicate: Percent::ZERO,
        },
        verify: Verify::Off,
        stop: JobStop::default(),
        kinds: vec![IoKind {
            op: Op::Read,
            block_size: Bytes(4096),
            random: Percent::ALL,
            align: Bytes(4096),
            weight: 1.0,
        }],
    }
}

/// A run on `servers` servers of `mean_ns` each, exponential.
fn plan(servers: u32, mean_ns: f64, seed: u64) -> RunPlan {
    let device = Device::new(1 << 40, ServiceLaw::Exponential(mean_ns), seed).servers(servers);
    let node = Node::Device(Box::new(device));
    let system = System::new(format!("M/M/{servers}"), node, Vec::new(), Vec::new());
    RunPlan {
        workload: Workload {
            name: "theory".to_owned(),
            description: String::new(),
            source: String::new(),
            seed,
            interval: Nanos::from_secs(1),
            repeat: 1,
            phases: vec![Phase {
                name: "main".to_owned(),
                warm_up: Nanos::from_secs(1),
                duration: Some(Nanos::from_secs(1)),
                cool_down: Nanos::ZERO,
                steady: None,
                jobs: vec![job()],
            }],
        },
        targets: vec![TargetBinding {
            role: None,
            path: "sim".into(),
        }],
        engine: EnginePlan {
            kind: Some(EngineKind::Sim),
            submission_polling: false,
            completion_polling: false,
            huge_pages: false,
            volume: SimVolume::default(),
            model: Some(Box::new(system)),
        },
        permissions: fathom_device::Permissions::default(),
        keep: false,
        stop_on_error: false,
        affinity: Vec::new(),
        journals: BTreeMap::new(),
        traces: Vec::new(),
        command_line: Vec::new(),
        process_start: Nanos::ZERO,
    }
}

/// The rate that the search finds.
fn found(servers: u32, mean_ns: f64, objective: &str, seed: u64, step: Nanos) -> f64 {
    let plan = plan(servers, mean_ns, seed);
    let times = SearchTimes {
        step,
        precision: 0.01,
        repetitions: 1,
    };
    let objectives = vec![objective.parse().expect("an objective")];
    let template = plan.workload.phases[0].clone();
    let mut course = ObjectiveSearch::new(template, objectives, times);
    let result =
        run_course(&plan, &mut course, &Control::new(), &mut Silent).expect("a simulated run");
    let answer = course.answer(&result.phases).expect("an answer");
    answer.rate.unwrap_or(0.0)
}

#[test]
fn the_rate_found_is_that_of_theory() {
    let step = Nanos::from_secs(20);
    // One server of 10,000 a second: the mean is 1 / (10,000 - rate).
    let rate = found(1, 1e5, "mean<=1ms", 1, step);
    assert!((rate / 9000.0 - 1.0).abs() <= 0.02, "{rate}");
}
