//! Self-describing blocks: written, read back as they complete, and missed when they are wrong.

use crate::scenario::{Scenario, job, kind};
use fathom_core::spec::Verify;
use fathom_core::{Nanos, Op, Percent};

#[test]
fn what_was_written_is_recognised_and_what_was_not_is_found() {
    let mut mix = job("mix");
    mix.verify = Verify::Check;
    let mut write = kind(Op::Write, 4096);
    let mut read = kind(Op::Read, 4096);
    // Reads follow the writes through the volume, one position for both.
    (write.random, read.random) = (Percent::ZERO, Percent::ZERO);
    mix.access.cursor_scope = fathom_core::spec::CursorScope::PerOp;
    mix.kinds = vec![write];
    mix.stop.ios = Some(256);
    let mut reads = mix.clone();
    reads.name = "reads".to_owned();
    reads.kinds = vec![read];
    let mut scenario = Scenario::new(mix, Nanos::from_micros(100));
    scenario.volume.size_bytes = 1 << 20;
    scenario.contents = true;
    scenario.phase().duration = None;
    let mut second = scenario.phase().clone();
    second.name = "again".to_owned();
    second.jobs = vec![reads];
    scenario.workload.phases.push(second);
    let results = scenario.run_all();
    let verified = results[1].jobs[0].verified.expect("the reads were checked");
    assert_eq!((verified.blocks, verified.wrong), (256 * 8, 0));
    // Without the writes, no block is what it should be.
    scenario.workload.phases.remove(0);
    let job = &scenario.run_all()[0].jobs[0];
    let verified = job.verified.expect("the reads were checked");
    assert_eq!((verified.blocks, verified.wrong), (256 * 8, 256 * 8));
    assert_eq!(
        (job.errors[0].op.as_str(), job.errors[0].count),
        ("verify", 256)
    );
}
