//! A workload that ran three times: what the repeats say together, then each.

use crate::text;
use fathom_core::Op;
use fathom_core::fixture::{self, JobPlan, Stream, series};

#[test]
fn repeats_have_a_mean_and_their_own_rows() {
    let plan = |mean| {
        let stream = Stream::random(Op::Read, 4096, series(mean, 10));
        vec![JobPlan::closed("read", 32, vec![stream])]
    };
    let mut result = fixture::run("repeated", &[("measure", plan(60_000))]);
    for mean in [63_000, 57_000] {
        fixture::repeat(&mut result, vec![fixture::phase("measure", &plan(mean))]);
    }
    insta::assert_snapshot!(text(result));
}
