//! Several phases: the table first, the detail of each below.

use crate::text;
use fathom_core::Op;
use fathom_core::fixture::{self, JobPlan, Stream, series};

#[test]
fn six_phases_share_one_table() {
    let phases = [
        ("read-1m", Op::Read, 1 << 20, 8, 1_830, false),
        ("write-1m", Op::Write, 1 << 20, 8, 1_210, false),
        ("read-4k-deep", Op::Read, 4096, 32, 67_512, true),
        ("write-4k-deep", Op::Write, 4096, 32, 41_080, true),
        ("read-4k-single", Op::Read, 4096, 1, 9_640, true),
        ("write-4k-single", Op::Write, 4096, 1, 1_870, true),
    ];
    let phases = phases.map(|(name, op, block, depth, iops, random)| {
        let series = series(iops, 5);
        let stream = if random {
            Stream::random(op, block, series)
        } else {
            Stream::sequential(op, block, series)
        };
        (name, vec![JobPlan::closed(name, depth, vec![stream])])
    });
    let mut result = fixture::run("quick", &phases);
    result.provenance.targets[0].size_bytes = 4 << 30;
    insta::assert_snapshot!(text(result));
}
