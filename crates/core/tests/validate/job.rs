//! Rules of a job.

use super::good::{job_breaks, job_is_fine, only};
use fathom_core::EngineKind;
use fathom_core::op::Op;
use fathom_core::spec::{Arrivals, Fill, IoClass, Job, Pacing, ReadAhead, SyncEvery, Verify};
use fathom_core::units::{Bytes, Nanos, Percent, Rate};

#[test]
fn threads_and_depth_are_possible() {
    for (threads, message) in [
        (0, "0 threads are not possible"),
        (4097, "4097 threads are not possible"),
    ] {
        job_breaks(
            |job| job.threads = threads,
            ("threads", message, "choose 1 to 4096"),
        );
    }
    for (depth, message) in [
        (0, "a queue depth of 0 is not possible"),
        (32_769, "a queue depth of 32769 is not possible"),
    ] {
        job_breaks(
            |job| job.queue_depth = depth,
            ("queue_depth", message, "choose 1 to 32768"),
        );
    }
}

#[test]
fn the_window_holds_a_request_and_lies_in_the_target() {
    let small = "8191B does not hold one request of 8KiB";
    let larger = "make it at least 8KiB";
    job_breaks(|job| job.size = Some(Bytes(8191)), ("size", small, larger));
    job_breaks(
        |job| job.window = Some(Bytes(8191)),
        ("window", small, larger),
    );
    let remedy = "make `size` larger, or `offset` and `window` smaller";
    job_breaks(
        |job| {
            job.size = Some(Bytes::MIB);
            job.offset = Bytes::MIB;
        },
        (
            "offset",
            "the window ends at 1032KiB in a target of 1MiB",
            remedy,
        ),
    );
    job_breaks(
        |job| {
            job.size = Some(Bytes::MIB);
            job.offset = Bytes::KIB;
            job.window = Some(Bytes::MIB);
        },
        (
            "window",
            "the window ends at 1025KiB in a target of 1MiB",
            remedy,
        ),
    );
    job_breaks(
        |job| job.offset = Bytes(100),
        (
            "offset",
            "direct I/O cannot begin at 100B",
            "use a multiple of 512B, or `direct = false`",
        ),
    );
    let beyond = |key| (key, "no target reaches beyond 8 EiB", "choose less");
    let most = Some(Bytes(u64::MAX));
    job_breaks(|job| job.size = most, beyond("size"));
    job_breaks(|job| job.window = most, beyond("window"));
    job_breaks(|job| job.offset = Bytes(1 << 63), beyond("offset"));
}

/// Writes in order to a file that is made for them.
#[test]
fn a_warm_cache_is_read() {
    let warm = |job: &mut Job| {
        job.warm = true;
        job.durability.direct = false;
    };
    job_is_fine(warm);
    let message = "only reads through the page cache meet what it holds";
    let remedy = "read, with `direct = false`, or drop `warm`";
    job_breaks(|job| job.warm = true, ("warm", message, remedy));
    job_breaks(
        |job| {
            warm(job);
            job.cold = true;
        },
        (
            "warm",
            "what the page cache holds cannot be dropped and meant",
            "choose `cold` or `warm`",
        ),
    );
}

fn writes_a_fresh_file(job: &mut Job) {
    job.fresh = true;
    job.size = Some(Bytes::MIB);
    only(job, Op::Write);
    job.kinds[0].random = Percent::ZERO;
}

#[test]
fn levels_are_of_a_class() {
    job_is_fine(|job| (job.io_class, job.io_level) = (Some(IoClass::BestEffort), Some(7)));
    job_is_fine(|job| job.io_class = Some(IoClass::Idle));
    let no_class = (
        "io_level",
        "only requests in real time and by best effort have levels",
        "add `io_class = \"best_effort\"`, or drop `io_level`",
    );
    job_breaks(|job| job.io_level = Some(1), no_class);
    job_breaks(
        |job| (job.io_class, job.io_level) = (Some(IoClass::Idle), Some(1)),
        no_class,
    );
    job_breaks(
        |job| (job.io_class, job.io_level) = (Some(IoClass::RealTime), Some(8)),
        ("io_level", "a level of 8 is not possible", "choose 0 to 7"),
    );
}

#[test]
fn a_fresh_file_is_written_in_order() {
    job_is_fine(writes_a_fresh_file);
    let full = (
        "fresh",
        "a fresh file has nothing to read or to trim, and writes at random leave holes in it",
        "write only, with `random = 0` or each block once (`random = 100` and \
         `without_repetition`), or drop `fresh`",
    );
    job_is_fine(|job| {
        writes_a_fresh_file(job);
        job.kinds[0].random = Percent::ALL;
        job.access.without_repetition = true;
    });
    for (op, random) in [(Op::Read, 0.0), (Op::Write, 1.0)] {
        let changed = |job: &mut Job| {
            writes_a_fresh_file(job);
            only(job, op);
            job.kinds[0].random = Percent(random);
        };
        job_breaks(changed, full);
    }
    job_breaks(
        |job| {
            writes_a_fresh_file(job);
            job.size = None;
        },
        (
            "fresh",
            "a fresh file has no size of its own",
            "give `size`",
        ),
    );
    job_breaks(
        |job| {
            writes_a_fresh_file(job);
            job.verify = Verify::Check;
        },
        (
            "fresh",
            "a fresh file has no blocks to check before they are written",
            "use `verify = \"stamp\"`, or drop `fresh`",
        ),
    );
}

#[test]
fn a_kind_of_request_is_possible() {
    job_breaks(
        |job| job.kinds.clear(),
        (
            "io",
            "the job has no kind of request",
            "give `block_size` and `read`, or an `io` list",
        ),
    );
    job_breaks(
        |job| job.kinds[1].op = Op::Flush,
        (
            "io[1].op",
            "a flush is not drawn by weight",
            "use `durability.sync = { writes = N, data_only = true }`",
        ),
    );
    let remedy = "choose 1B to 1GiB, of a trim below 4GiB; direct I/O needs a multiple of the \
                  sector size";
    for (size, message) in [
        (Bytes(0), "a block size of 0B is not possible"),
        (Bytes(2 << 30), "a block size of 2GiB is not possible"),
    ] {
        job_breaks(
            |job| job.kinds[0].block_size = size,
            ("io[0].block_size", message, remedy),
        );
    }
}

#[test]
fn direct_requests_are_whole_sectors() {
    job_breaks(
        |job| job.kinds[0].block_size = Bytes(1000),
        (
            "io[0].block_size",
            "direct I/O cannot move 1000B",
            "use a multiple of 512B, or `direct = false`",
        ),
    );
    job_breaks(
        |job| {
            job.kinds[0].block_size = Bytes(1000);
            job.kinds[0].align = Bytes(1000);
        },
        (
            "io[0].block_size",
            "direct I/O cannot move 1000B",
            "use a multiple of 512B, or `direct = false`",
        ),
    );
    job_is_fine(|job| {
        job.kinds[0].block_size = Bytes(1000);
        job.kinds[0].align = Bytes(1000);
        job.durability.direct = false;
    });
    for (align, message) in [
        (Bytes(0), "offsets cannot be a multiple of 0B"),
        (Bytes(100), "offsets cannot be a multiple of 100B"),
    ] {
        job_breaks(
            |job| job.kinds[1].align = align,
            (
                "io[1].align",
                message,
                "use the block size, or for direct I/O a multiple of 512B",
            ),
        );
    }
}

#[test]
fn shares_and_weights_are_possible() {
    job_breaks(
        |job| job.kinds[0].random = Percent(101.0),
        ("io[0].random", "101% is not a share", "give 0 to 100"),
    );
    for (weight, message) in [
        (0.0, "a weight of 0 is not possible"),
        (-1.0, "a weight of -1 is not possible"),
        (f64::NAN, "a weight of NaN is not possible"),
        (f64::INFINITY, "a weight of inf is not possible"),
    ] {
        job_breaks(
            |job| job.kinds[1].weight = weight,
            (
                "io[1].weight",
                message,
                "give a positive number, or leave the kind out",
            ),
        );
    }
}

#[test]
fn pacing_is_possible() {
    let closed = |think, burst| Pacing::Closed { think, burst };
    job_breaks(
        |job| job.pacing = closed(Nanos::from_secs(1), 0),
        (
            "pacing.burst",
            "a burst of 0 requests never ends",
            "give at least 1",
        ),
    );
    job_breaks(
        |job| job.pacing = closed(Nanos::ZERO, 2),
        (
            "pacing.burst",
            "a burst without `think` is no burst",
            "add `think`",
        ),
    );
    for (rate, message) in [
        (Rate::Iops(0.0), "a rate of 0 IOPS is not possible"),
        (
            Rate::BytesPerSecond(f64::INFINITY),
            "a rate of inf B/s is not possible",
        ),
    ] {
        job_breaks(
            |job| {
                job.pacing = Pacing::Open {
                    rate,
                    arrivals: Arrivals::Constant,
                }
            },
            (
                "pacing.rate",
                message,
                "give a positive rate, as in `1000 IOPS`",
            ),
        );
    }
    job_breaks(
        |job| {
            job.pacing = Pacing::Cyclic {
                every: Nanos::ZERO,
                bytes: Bytes::MIB,
            }
        },
        (
            "pacing.every",
            "a period of 0 is no period",
            "as in `every = \"80s\"`",
        ),
    );
    job_breaks(
        |job| {
            job.threads = 4;
            job.pacing = Pacing::Cyclic {
                every: Nanos::from_secs(1),
                bytes: Bytes(31 * 1024),
            };
        },
        (
            "pacing.bytes",
            "a burst of 31KiB gives not every thread a request",
            "make it at least 32KiB",
        ),
    );
}

#[test]
fn only_writes_are_made_durable() {
    let sync = |writes| {
        Some(SyncEvery {
            writes,
            data_only: true,
        })
    };
    job_breaks(
        |job| job.durability.sync = sync(0),
        (
            "durability.sync",
            "a flush after every 0 writes is not possible",
            "give 1 or more",
        ),
    );
    job_breaks(
        |job| {
            only(job, Op::Read);
            job.durability.sync = sync(1);
        },
        (
            "durability.sync",
            "the job writes nothing to flush",
            "drop `sync`",
        ),
    );
    job_breaks(
        |job| {
            only(job, Op::Read);
            job.durability.write_through = true;
        },
        (
            "durability.write_through",
            "the job writes nothing to write through",
            "drop `write_through`",
        ),
    );
}

#[test]
fn data_agrees_with_itself_and_with_verification() {
    job_breaks(
        |job| job.data.compressible_to = Percent(-1.0),
        (
            "data.compressible_to",
            "-1% is not a share",
            "give 0 to 100",
        ),
    );
    job_breaks(
        |job| job.data.duplicate = Percent(200.0),
        ("data.duplicate", "200% is not a share", "give 0 to 100"),
    );
    job_breaks(
        |job| {
            job.data.fill = Fill::Zero;
            job.data.compressible_to = Percent(50.0);
        },
        (
            "data.fill",
            "zeros are fully compressible and duplicate already",
            "use `fill = \"random\"` with `compressible_to` or `duplicate`",
        ),
    );
    job_breaks(
        |job| {
            job.verify = Verify::Stamp;
            job.data.fill = Fill::Zero;
        },
        (
            "data.fill",
            "self-describing blocks are neither zero nor duplicate",
            "use `fill = \"random\"` without `duplicate`, or `verify = \"off\"`",
        ),
    );
    job_breaks(
        |job| {
            job.verify = Verify::Check;
            job.durability.direct = false;
            job.kinds[0].align = Bytes(100);
        },
        (
            "verify",
            "self-describing blocks are 512B each",
            "use block sizes and alignments that are a multiple of 512B",
        ),
    );
    job_breaks(
        |job| {
            job.verify = Verify::ReadBack;
            only(job, Op::Trim);
        },
        (
            "verify",
            "a trimmed block has no content to check",
            "drop the trims",
        ),
    );
}

#[test]
fn a_job_ends_after_something() {
    job_breaks(
        |job| job.stop.bytes = Some(Bytes(0)),
        (
            "stop.bytes",
            "a job that ends after 0B does nothing",
            "give a positive size",
        ),
    );
    job_breaks(
        |job| job.stop.ios = Some(0),
        (
            "stop.ios",
            "a job that ends after 0 requests does nothing",
            "give at least 1",
        ),
    );
}

#[test]
fn an_engine_of_whole_runs_is_no_job_s() {
    let cases = [
        (
            EngineKind::Sim,
            "`sim` makes the requests of a whole run",
            "--engine sim, without it here",
        ),
        (
            EngineKind::Files,
            "`files` is chosen for jobs with `files`, and for no other",
            "drop `engine`",
        ),
    ];
    for (kind, message, remedy) in cases {
        job_breaks(|job| job.engine = Some(kind), ("engine", message, remedy));
    }
    job_is_fine(|job| job.engine = Some(EngineKind::Psync));
}

#[test]
fn read_ahead_is_told_of_what_is_read_ahead() {
    job_is_fine(|job| {
        job.durability.direct = false;
        job.set_compat(|compat| compat.read_ahead = Some(ReadAhead::Sequential));
    });
    job_breaks(
        |job| {
            job.durability.direct = true;
            job.set_compat(|compat| compat.read_ahead = Some(ReadAhead::Sequential));
        },
        (
            "compat.read_ahead",
            "nothing is read ahead for the job",
            "drop `read_ahead`, or read without `direct`",
        ),
    );
}
