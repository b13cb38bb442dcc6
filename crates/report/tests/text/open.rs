//! An open load: response, service and lag are three numbers.

use crate::text;
use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::result::{EndReason, RunResult};
use fathom_core::spec::{Arrivals, Pacing};
use fathom_core::{Op, Rate};

fn users() -> RunResult {
    let stream = Stream::random(Op::Read, 8192, series(8_000, 30));
    let job = JobPlan {
        pacing: Pacing::Open {
            rate: Rate::Iops(8_000.0),
            arrivals: Arrivals::Poisson,
        },
        service_ns: Some(90_000),
        lag_ns: 260_000,
        ..JobPlan::closed("users", 256, vec![stream])
    };
    fixture::run("users", &[("measure", vec![job])])
}

#[test]
fn an_open_load_has_three_times() {
    insta::assert_snapshot!(text(users()));
}

#[test]
fn an_overloaded_one_says_so_first() {
    let mut result = users();
    result.phases[0].ended_by = EndReason::Overloaded;
    let job = &mut result.phases[0].jobs[0];
    job.due = Some(300_000);
    job.offered_iops = Some(10_000.0);
    job.max_lag_ns = Some(10_000_000_000);
    let text = text(result);
    let headline: Vec<&str> = text.lines().take(3).collect();
    let expected = [
        "SUSPECT     vda, 137 GB Virtio Block, ext4: 8,002 random 8 KiB read IOPS, p99 857 µs",
        "            measured: users; 1 warning below",
        "            measure/users: overloaded: offered 10,000/s, served 8,002/s, backlog grew by \
         1,998/s",
    ];
    assert_eq!(headline, expected);
}
