//! Jobs that begin after the phase and end before it, and the requests that a job tells of.

use crate::scenario::{Scenario, job, kind, open};
use fathom_core::spec::Arrivals;
use fathom_core::{Nanos, Op};
use fathom_load::{Entry, Event, Observer};

/// Three seconds of reads all along, of writes from the first second to the second, and of trims
/// by the clock for the last two.
fn apart() -> Scenario {
    let mut writes = job("writes");
    writes.kinds = vec![kind(Op::Write, 4096)];
    writes.delay = Nanos::from_secs(1);
    writes.stop.time = Some(Nanos::from_secs(1));
    let mut trims = job("trims");
    trims.kinds = vec![kind(Op::Trim, 4096)];
    trims.delay = Nanos::from_secs(1);
    trims.pacing = open(100.0, Arrivals::Constant);
    let mut scenario = Scenario::new(job("reads"), Nanos::from_millis(1));
    scenario.phase().jobs.extend([writes, trims]);
    scenario.volume.servers = 64;
    scenario.lasting(Nanos::from_secs(3))
}

#[test]
fn each_job_has_its_own_begin_and_end() {
    let result = apart().run();
    let figures = result.jobs.iter().map(|job| {
        let seconds = job.active_ns as f64 / 1e9;
        let rate = job.completed as f64 / seconds;
        (
            job.completed,
            job.active_ns / 1_000_000,
            rate.round() as u64,
        )
    });
    let figures: Vec<_> = figures.collect();
    // The last read completes as the phase ends, and no longer belongs to it.
    assert_eq!(
        figures,
        [(2999, 3000, 1000), (1000, 1000, 1000), (200, 2000, 100)]
    );
    let first = |job: usize| {
        let busy = result
            .intervals
            .iter()
            .position(|interval| interval.jobs[job].queue_depth_held > 0.0);
        busy.expect("the job was at work")
    };
    assert_eq!([first(0), first(1), first(2)], [0, 1, 1]);
}

#[test]
fn a_time_of_its_own_begins_with_the_measured_time() {
    let mut reads = job("reads");
    reads.stop.time = Some(Nanos::from_secs(1));
    let mut scenario = Scenario::new(reads, Nanos::from_millis(1));
    scenario.phase().warm_up = Nanos::from_secs(2);
    scenario.phase().duration = None;
    let result = scenario.run();
    // The last read of the warm-up completes as the measured time begins.
    assert_eq!(
        (result.jobs[0].completed, result.measured_ns),
        (1001, 1_000_000_000)
    );
}

#[derive(Default)]
struct DelayLog(Vec<(usize, Entry)>);

impl Observer for DelayLog {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Requests { job, entries, .. } = event {
            self.0.extend(entries.iter().map(|entry| (*job, *entry)));
        }
    }
}

#[test]
fn a_journal_tells_every_request() {
    let mut scenario = apart();
    scenario.journals = vec!["writes".to_owned()];
    let mut told = DelayLog::default();
    let result = scenario.run_observed(&mut told);
    let writes = told.0.iter().filter(|(job, entry)| {
        let took = entry.completed - entry.issued;
        (*job, entry.op, entry.len, took.0) == (1, Op::Write, 4096, 1_000_000)
    });
    assert_eq!(
        (told.0.len(), writes.count(), result.jobs[1].completed),
        (1000, 1000, 1000)
    );
    let (first, last) = (told.0[0].1, told.0[999].1);
    assert_eq!(
        (first.issued, last.completed),
        (Nanos::from_secs(1), Nanos::from_secs(2))
    );
}

/// In virtual time the generator takes none, so that the whole time is the service time.
#[test]
fn a_journal_splits_the_time_of_every_request() {
    let mut scenario = apart();
    scenario.journals = vec!["writes".to_owned()];
    let result = scenario.run();
    let op = |job: usize, op| result.jobs[job].ops.get(op).expect("the job has it");
    let writes = op(1, Op::Write);
    let split = writes.split.as_ref().expect("it is kept");
    assert_eq!(
        (split.generation_ns.count, split.generation_ns.max),
        (writes.ios, 0)
    );
    assert_eq!(split.total_ns, writes.service_ns);
    assert_eq!(
        split.total_histogram,
        *writes.service_histogram.as_ref().expect("it is kept")
    );
    assert_eq!(op(0, Op::Read).split, None);
}

/// A request takes a millisecond: of 2,500 writes 1,000 are done in the warm-up of a second.
#[test]
fn amounts_may_hold_what_is_done_in_the_warm_up() {
    let measured = |with_warm_up: bool| {
        let mut writes = job("writes");
        writes.kinds = vec![kind(Op::Write, 4096)];
        writes.stop.ios = Some(2500);
        writes.stop.with_warm_up = with_warm_up;
        let mut scenario = Scenario::new(writes, Nanos::from_millis(1));
        scenario.phase().warm_up = Nanos::from_secs(1);
        scenario.phase().duration = None;
        scenario.run().measured_ns / 1_000_000
    };
    assert_eq!([measured(false), measured(true)], [2500, 1500]);
}

#[test]
fn an_amount_that_is_done_in_the_warm_up_leaves_nothing_to_measure() {
    let mut writes = job("writes");
    writes.stop.ios = Some(10);
    writes.stop.with_warm_up = true;
    let mut scenario = Scenario::new(writes, Nanos::from_millis(1));
    scenario.phase().warm_up = Nanos::from_secs(1);
    scenario.phase().duration = None;
    let result = scenario.run();
    assert_eq!((result.jobs[0].completed, result.measured_ns), (0, 0));
}

#[test]
fn the_first_job_to_be_through_may_end_the_phase() {
    let mut first = job("first");
    first.stop.ios = Some(500);
    first.stop.ends_phase = true;
    let mut second = job("second");
    second.stop.ios = Some(5000);
    let mut scenario = Scenario::new(first, Nanos::from_millis(1));
    scenario.phase().jobs.push(second);
    scenario.volume.servers = 64;
    scenario.phase().duration = None;
    let result = scenario.run();
    let done: Vec<u64> = result.jobs.iter().map(|job| job.completed).collect();
    assert_eq!(done[0], 500);
    assert!((499..=501).contains(&done[1]), "{done:?}");
}
