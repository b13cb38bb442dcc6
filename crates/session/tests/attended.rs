//! What is done around the phases of a session.

use fathom_core::spec::{IoKind, Job, JobStop, Phase, Workload};
use fathom_core::{Bytes, Op};
use fathom_engine::EngineKind;
use fathom_session::{Attendant, Control, LeftOut, Plan, RunError, Session, Silent};
use std::cell::RefCell;
use std::rc::Rc;

/// What an attendant was asked, in its order.
type Asked = Rc<RefCell<Vec<String>>>;

/// Leaves one job of the second phase out.
struct Attends(Asked);

impl Attendant for Attends {
    fn before(&mut self, phase: &str, _: &Control) -> LeftOut {
        self.0.borrow_mut().push(format!("before {phase}"));
        let out = ("b".to_owned(), "nobody is there".to_owned());
        (phase == "two").then_some(out).into_iter().collect()
    }

    fn after(&mut self, phase: &str, _: &Control) {
        self.0.borrow_mut().push(format!("after {phase}"));
    }
}

/// Ends the run before its first phase.
struct Ends(Asked);

impl Attendant for Ends {
    fn before(&mut self, _: &str, control: &Control) -> LeftOut {
        control.interrupt();
        LeftOut::new()
    }

    fn after(&mut self, phase: &str, _: &Control) {
        self.0.borrow_mut().push(format!("after {phase}"));
    }
}

fn plan() -> Plan {
    let job = |name: &str| Job {
        name: name.to_owned(),
        size: Some(Bytes(1 << 20)),
        kinds: vec![IoKind::plain(Op::Read, Bytes(4096))],
        stop: JobStop {
            ios: Some(100),
            ..JobStop::default()
        },
        ..Job::plain()
    };
    let phase = |name: &str| Phase {
        name: name.to_owned(),
        jobs: vec![job("a"), job("b")],
        ..Phase::plain()
    };
    let workload = Workload {
        name: "attended".to_owned(),
        phases: vec![phase("one"), phase("two")],
        ..Workload::plain()
    };
    Plan::new(workload).on("null").by(EngineKind::Null)
}

#[test]
fn a_job_that_is_left_out_does_nothing_and_says_why() {
    let asked = Asked::default();
    let session = Session::new(plan()).attended_by(Box::new(Attends(Rc::clone(&asked))));
    let judged = session.measure(&mut Silent).expect("it runs");
    let jobs = judged.result().phases.iter().flat_map(|phase| &phase.jobs);
    let did = jobs.map(|job| (job.completed, job.left_out.as_deref()));
    let expected = [
        (100, None),
        (100, None),
        (100, None),
        (0, Some("nobody is there")),
    ];
    assert_eq!(did.collect::<Vec<_>>(), expected);
    let order = ["before one", "after one", "before two", "after two"];
    assert_eq!(*asked.borrow(), order);
}

/// Who was asked before a phase is told of its end, also where there was none.
#[test]
fn an_end_before_the_load_is_told_too() {
    let asked = Asked::default();
    let session = Session::new(plan()).attended_by(Box::new(Ends(Rc::clone(&asked))));
    let judged = session.measure(&mut Silent).expect("it has a result");
    assert_eq!(judged.result().phases, []);
    assert_eq!(*asked.borrow(), ["after one"]);
    let asked = Asked::default();
    let mut broken = plan();
    broken.workload.phases[0].jobs[0].targets = vec!["/nowhere/a".to_owned()];
    broken.engine.kind = Some(EngineKind::Psync);
    let session = Session::new(broken).attended_by(Box::new(Attends(Rc::clone(&asked))));
    let refused = session.measure(&mut Silent);
    assert!(matches!(refused, Err(RunError::Prepare(_))));
    assert_eq!(asked.borrow().as_slice(), [""; 0]);
}
