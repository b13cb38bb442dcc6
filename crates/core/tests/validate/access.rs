//! Rules of where requests go.

use super::good::{deviation, hot, job_breaks, job_is_fine, sequential};
use fathom_core::spec::{Cursor, Distribution, IoKind};
use fathom_core::units::Bytes;

#[test]
fn a_pass_without_repetition_has_one_block_size_and_no_hot_blocks() {
    job_is_fine(|job| job.access.without_repetition = true);
    job_breaks(
        |job| {
            job.access.without_repetition = true;
            job.kinds[0].block_size = Bytes(4096);
        },
        (
            "access.without_repetition",
            "a pass over each block once needs one block size, or one thread and sizes that are \
             multiples of the smallest",
            "give all kinds the same `block_size` and `align`; or one thread, `random = 100`, and \
             the smallest size as `align` of all",
        ),
    );
    job_is_fine(|job| {
        job.access.without_repetition = true;
        job.threads = 1;
        for kind in &mut job.kinds {
            kind.align = Bytes(4096);
            kind.block_size = Bytes(4096);
        }
        let larger = IoKind {
            block_size: Bytes(12288),
            ..job.kinds[0].clone()
        };
        job.kinds.push(larger);
    });
    job_breaks(
        |job| {
            job.access.without_repetition = true;
            job.access.distribution = Distribution::Zipf { theta: 1.0 };
        },
        (
            "access.without_repetition",
            "a pass over each block once has no hot blocks",
            "drop `without_repetition` or the distribution",
        ),
    );
    job_breaks(
        |job| {
            sequential(job);
            job.access.without_repetition = true;
        },
        (
            "access.without_repetition",
            "no request of the job is random",
            "set `random = 100`, or drop `without_repetition`",
        ),
    );
}

#[test]
fn strides_and_cursors_need_sequential_requests_and_aligned_places() {
    job_breaks(
        |job| job.access.stride = Some(Bytes::MIB),
        (
            "access.stride",
            "no request of the job is sequential",
            "set `random = 0`",
        ),
    );
    job_breaks(
        |job| {
            sequential(job);
            job.access.stride = Some(Bytes(0));
        },
        (
            "access.stride",
            "a stride of 0 stays at one place",
            "give it a positive size",
        ),
    );
    job_breaks(
        |job| {
            sequential(job);
            job.access.stride = Some(Bytes(1000));
        },
        (
            "access.stride",
            "direct I/O needs aligned offsets",
            "use a multiple of 512B",
        ),
    );
    job_breaks(
        |job| job.access.cursor = Cursor::Shared,
        (
            "access.cursor",
            "no request of the job is sequential, so there is no position to share",
            "set `random` below 100, or drop the cursor",
        ),
    );
    job_breaks(
        |job| {
            sequential(job);
            job.access.cursor = Cursor::Own {
                stride: Some(Bytes(1000)),
            };
        },
        (
            "access.cursor",
            "direct I/O needs aligned offsets",
            "start the threads a multiple of 512B apart",
        ),
    );
}

#[test]
fn a_distribution_is_possible() {
    job_breaks(
        |job| {
            sequential(job);
            job.access.distribution = Distribution::Zipf { theta: 1.0 };
        },
        (
            "access.distribution",
            "no request of the job is random",
            "set `random = 100`, or drop the distribution",
        ),
    );
    let zipf = "choose one above 0, usually 0.8 to 1.2";
    let pareto = "choose one between 0 and 1, as in 0.9";
    let normal = "choose one above 0 and up to 100";
    let cases = [
        (
            Distribution::Zipf { theta: 0.0 },
            "a zipf theta of 0 is not possible",
            zipf,
        ),
        (
            Distribution::Zipf { theta: 11.0 },
            "a zipf theta of 11 is not possible",
            zipf,
        ),
        (
            Distribution::Pareto { h: 0.0 },
            "a pareto power of 0 is not possible",
            pareto,
        ),
        (
            Distribution::Pareto { h: 1.0 },
            "a pareto power of 1 is not possible",
            pareto,
        ),
        (
            deviation(0.0),
            "a deviation of 0% of the window is not possible",
            normal,
        ),
        (
            deviation(101.0),
            "a deviation of 101% of the window is not possible",
            normal,
        ),
    ];
    for (distribution, message, remedy) in cases {
        job_breaks(
            |job| job.access.distribution = distribution,
            ("access.distribution", message, remedy),
        );
    }
}

#[test]
fn hot_ranges_fit_into_the_window() {
    let remedy = "keep both sums at 100 or below, and leave space for what is left";
    let cases = [
        (
            hot(&[]),
            "the ranges take 0 % of the requests over 0 % of the window",
        ),
        (
            hot(&[(60.0, 10.0), (50.0, 10.0)]),
            "the ranges take 110 % of the requests over 20 % of the window",
        ),
        (
            hot(&[(60.0, 100.0)]),
            "the ranges take 60 % of the requests over 100 % of the window",
        ),
        (
            hot(&[(60.0, 0.0)]),
            "the ranges take 60 % of the requests over 0 % of the window",
        ),
    ];
    for (distribution, message) in cases {
        job_breaks(
            |job| job.access.distribution = distribution,
            ("access.distribution", message, remedy),
        );
    }
    for distribution in [
        hot(&[(90.0, 10.0), (5.0, 10.0)]),
        hot(&[(90.0, 10.0), (10.0, 90.0)]),
        deviation(100.0),
    ] {
        job_is_fine(|job| job.access.distribution = distribution);
    }
}
