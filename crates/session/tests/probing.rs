//! Micro-probes on a model whose truth is known, in virtual time: a buffer that acknowledges
//! writes, a flush that does nothing, a read before a write that is out of line.

use fathom_core::result::{MicroProbe, ProbeKind, RunResult};
use fathom_core::spec::{IoKind, Job, Phase, Verify, Workload};
use fathom_core::{Bytes, EngineKind, Nanos, Op};
use fathom_session::probing::{MicroProbes, NotProbed, ProbedCourse, Wishes};
use fathom_session::{Plan, Session, Silent};
use fathom_volume::model::{Admission, Demand, Fate, IoShape, Served, VolumeModel, VolumeState};

const READ_NS: u64 = 5_000_000;
const WRITE_NS: u64 = 1_000_000;
const FLUSH_NS: u64 = 250_000;

/// Serves all requests at once, each in the time of its kind.
#[derive(Clone, Copy, Debug)]
struct Buffered;

impl VolumeModel for Buffered {
    fn admit(&mut self, io: IoShape, at: Nanos) -> Admission {
        let out_of_line = !io.offset.is_multiple_of(4096);
        let takes = match io.op {
            Op::Read => READ_NS,
            Op::Write if out_of_line => READ_NS + WRITE_NS,
            Op::Write => WRITE_NS,
            _ => FLUSH_NS,
        };
        Admission {
            done: at + Nanos(takes),
            bound: None,
            fate: Fate::Good,
        }
    }

    fn serve(&mut self, _: &Demand, _: Nanos, _: Nanos) -> Served {
        Served::default()
    }

    fn state(&self, _: Nanos) -> VolumeState {
        VolumeState::default()
    }

    fn limits(&self) -> Vec<String> {
        Vec::new()
    }

    fn size_bytes(&self) -> u64 {
        1 << 30
    }

    fn title(&self) -> &'static str {
        "buffered"
    }

    fn boxed(&self) -> Box<dyn VolumeModel> {
        Box::new(*self)
    }
}

fn writer() -> Job {
    Job {
        name: "writer".to_owned(),
        threads: 2,
        queue_depth: 4,
        kinds: vec![IoKind::plain(Op::Write, Bytes(8192))],
        ..Job::plain()
    }
}

fn workload(job: Job) -> Workload {
    Workload {
        name: "probed".to_owned(),
        phases: vec![Phase {
            name: "probe".to_owned(),
            duration: Some(Nanos::from_secs(1)),
            jobs: vec![job],
            ..Phase::plain()
        }],
        ..Workload::plain()
    }
}

fn session<'a>(workload: Workload) -> Session<'a> {
    let plan = Plan::new(workload).on("sim").by(EngineKind::Sim);
    Session::new(plan).modelled(Box::new(Buffered))
}

fn probed() -> RunResult {
    let asked = workload(writer());
    let micro = MicroProbes::of(&asked).expect("it can be probed");
    let mut session = session(micro.extend(&asked));
    let wishes = Wishes {
        micro: Some(micro),
        ceiling: true,
        ..Wishes::default()
    };
    let wishes = wishes.with_engine(session.plan.engine.kind);
    let mut course = ProbedCourse::new(&asked, &wishes);
    let result = session.run_along(&mut course, &mut Silent);
    let mut result = result.expect("a simulated run");
    course.sort(&mut result, &asked);
    let seed = Some(fathom_core::spec::Workload::PLAIN_SEED);
    let asked = fathom_core::spec::Workload { seed, ..asked };
    assert_eq!(result.provenance.workload, asked);
    result
}

/// The rounds of a question, with its median times of reads or writes, and of flushes.
fn medians(probe: &MicroProbe) -> (ProbeKind, usize, [Option<u64>; 2]) {
    // The histogram keeps 0.1 %.
    let rounded = |median: Option<u64>| median.map(|median| median / 10_000 * 10_000);
    let both = [probe.median_ns(), probe.flush_median_ns()];
    (probe.kind, probe.rounds.len(), both.map(rounded))
}

#[test]
fn each_question_is_asked_in_rounds_after_the_run() {
    let result = probed();
    let names: Vec<&str> = result
        .phases
        .iter()
        .map(|phase| phase.name.as_str())
        .collect();
    assert_eq!(names, ["probe"]);
    assert_eq!(result.probes, []);
    let found: Vec<_> = result.micro_probes.iter().map(medians).collect();
    let (read, write, flush) = (Some(READ_NS), Some(WRITE_NS), Some(FLUSH_NS));
    let out_of_line = Some(READ_NS + WRITE_NS);
    let expected = [
        (ProbeKind::Read, 9, [read, None]),
        (ProbeKind::Write, 9, [write, None]),
        (ProbeKind::Shifted, 9, [out_of_line, None]),
        (ProbeKind::WriteFlush, 9, [write, flush]),
        (ProbeKind::Flush, 9, [None, flush]),
        (ProbeKind::WriteDurable, 9, [write, None]),
        (ProbeKind::DataRandom, 12, [write, None]),
        (ProbeKind::DataZeros, 12, [write, None]),
        (ProbeKind::DataRepeated, 12, [write, None]),
    ];
    assert_eq!(found, expected);
    let rounds = result.micro_probes.iter().flat_map(|probe| &probe.rounds);
    // With 50 ms of load before each.
    let spent: u64 = rounds.map(|round| round.measured_ns + 50_000_000).sum();
    assert_eq!(spent, 27_000_000_000);
}

#[test]
fn what_cannot_be_probed_is_said() {
    let verified = Job {
        verify: Verify::Check,
        ..writer()
    };
    let fresh = Job {
        fresh: true,
        ..writer()
    };
    let mut buffered = writer();
    buffered.durability.direct = false;
    let cases = [
        (verified, NotProbed::Verified),
        (fresh, NotProbed::Buffered),
        (buffered, NotProbed::Buffered),
    ];
    for (job, cause) in cases {
        assert_eq!(MicroProbes::of(&workload(job)).err(), Some(cause));
    }
}
