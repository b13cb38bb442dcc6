//! What a session offers to whoever drives several of them: a plan that can be sent, an instant to
//! begin at, intervals while it goes on, and a way to stop.

use fathom_core::result::{EndReason, RampAxis};
use fathom_core::spec::{IoKind, Job, JobStop, Phase, Workload};
use fathom_core::{Bytes, EngineKind, Nanos, Op};
use fathom_engine::clock::utc_now_ns;
use fathom_session::ramp::Ramp;
use fathom_session::{
    Control, Event, Explain, Observer, Plan, Session, Silent, Starter, TargetBinding, Watching,
};

fn workload(phases: &[&str], duration: Option<Nanos>, ios: Option<u64>) -> Workload {
    let job = Job {
        name: "reads".to_owned(),
        size: Some(Bytes(1 << 30)),
        kinds: vec![IoKind::plain(Op::Read, Bytes(4096))],
        stop: JobStop {
            ios,
            ..JobStop::default()
        },
        ..Job::plain()
    };
    let phase = |name: &&str| Phase {
        name: (*name).to_owned(),
        duration,
        jobs: vec![job.clone()],
        ..Phase::plain()
    };
    Workload {
        name: "together".to_owned(),
        interval: Nanos::from_millis(10),
        phases: phases.iter().map(phase).collect(),
        ..Workload::plain()
    }
}

fn plan(workload: Workload) -> Plan {
    Plan::new(workload).on("null").by(EngineKind::Null)
}

#[test]
fn a_plan_arrives_as_it_was_sent() {
    let mut sent = plan(workload(&["one", "two"], Some(Nanos::from_secs(5)), None));
    sent.targets.push(TargetBinding {
        role: Some("log".to_owned()),
        path: "/data/log".into(),
    });
    sent.engine.volume.servers = 3;
    sent.permissions.destroy = vec!["/dev/sdx=ext4".parse().expect("a permission")];
    sent.affinity = vec![3, 1];
    sent.watching = Watching::Nothing;
    sent.journals
        .insert("one".to_owned(), vec!["reads".to_owned()]);
    sent.explain = Explain {
        load: true,
        probe: true,
        cliff: Some(Bytes(1 << 30)),
        caps: vec!["vm=1920iops".parse().expect("a limit")],
    };
    sent.ramp = Some(Ramp {
        axis: RampAxis::Rate,
        from: 1,
        to: Some(8),
        objectives: ["p99.9<=5ms", "mean<=1ms", "max<=1s"]
            .map(|text| text.parse().expect("an objective"))
            .to_vec(),
        step: Nanos::from_millis(2500),
        precision: 0.03,
        searches: 3,
    });
    sent.command_line = vec!["fathom".to_owned()];
    let text = serde_json::to_string(&sent).expect("a text");
    let got: Plan = serde_json::from_str(&text).expect("a plan");
    assert_eq!(got, sent);
    let unknown = text.replacen("\"awake\"", "\"asleep\"", 1);
    assert!(serde_json::from_str::<Plan>(&unknown).is_err());
}

/// Asks for the begin a little after everything is ready, and notes when it was.
#[derive(Default)]
struct Soon {
    asked: Vec<(usize, u64)>,
    begun: Vec<(usize, u64)>,
}

impl Starter for Soon {
    fn ready(&mut self, phase: usize) -> Option<u64> {
        let at = utc_now_ns() + 30_000_000;
        self.asked.push((phase, at));
        Some(at)
    }

    fn begun(&mut self, phase: usize, utc_ns: u64) {
        self.begun.push((phase, utc_ns));
    }
}

#[test]
fn each_phase_waits_for_its_instant() {
    let mut soon = Soon::default();
    let session = Session::new(plan(workload(&["one", "two"], None, Some(1000))));
    let session = session.started_by(&mut soon);
    let judged = session.measure(&mut Silent).expect("it runs");
    let jobs = judged.result().phases.iter().map(|phase| &phase.jobs[0]);
    assert_eq!(
        jobs.map(|job| job.completed).collect::<Vec<_>>(),
        [1000, 1000]
    );
    assert_eq!(soon.asked.len(), 2);
    for ((phase, asked), (of, begun)) in soon.asked.into_iter().zip(soon.begun) {
        assert_eq!(phase, of);
        // Two clocks are read, one after the other: what lies between is no start before its time.
        assert!(begun + 1_000_000 >= asked, "phase {phase}");
    }
}

/// Says an instant that is long gone.
struct Late;

impl Starter for Late {
    fn ready(&mut self, _phase: usize) -> Option<u64> {
        Some(1)
    }
}

#[test]
fn an_instant_that_has_passed_is_now() {
    let mut late = Late;
    let session = Session::new(plan(workload(&["one"], None, Some(10)))).started_by(&mut late);
    let judged = session.measure(&mut Silent).expect("it runs");
    assert_eq!(judged.result().phases[0].jobs[0].completed, 10);
}

/// Ends the run with its third interval.
struct Enough {
    control: Control,
    intervals: u32,
}

impl Observer for Enough {
    fn event(&mut self, event: &Event<'_>) {
        if matches!(event, Event::Interval { .. }) {
            self.intervals += 1;
            if self.intervals == 3 {
                self.control.finish();
            }
        }
    }
}

#[test]
fn it_is_seen_by_intervals_and_stopped_from_outside() {
    let control = Control::new();
    let mut enough = Enough {
        control: control.clone(),
        intervals: 0,
    };
    let plan = plan(workload(
        &["one", "two"],
        Some(Nanos::from_secs(3600)),
        None,
    ));
    let session = Session::new(plan).stopped_by(&control);
    let judged = session.measure(&mut enough).expect("there is a result");
    assert!(enough.intervals >= 3);
    let [phase] = judged.result().phases.as_slice() else {
        panic!("the second phase was begun");
    };
    assert_eq!(phase.ended_by, EndReason::Interrupted);
    assert!(
        judged
            .reasons()
            .any(|reason| reason.code == fathom_verdict::Code::Interrupted)
    );
    assert_eq!(judged.state(), judged.result().state);
}
