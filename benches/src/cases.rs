//! The cases: what is run on both sides, and what the project wants to reach.

/// One comparison.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// What Fathom is compared with, as printed.
    pub(crate) against: &'static str,
    pub(crate) fixture: Fixture,
    pub(crate) metric: Metric,
    pub(crate) baseline: Tool,
    /// Arguments of the baseline, separated by blanks; `{target}` stands for the fixture.
    pub(crate) baseline_args: &'static str,
    pub(crate) fathom_args: &'static str,
    /// Keep both sides on one CPU, where there are several.
    pub(crate) pinned: bool,
    /// The ratio to reach, if any.
    pub(crate) goal: Option<f64>,
    pub(crate) limits: &'static [Limit],
}

/// A program that is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    Fio,
    /// The shortest path to the kernel: `fathom-bare`.
    Bare,
    Fathom,
}

/// What is compared. A ratio above 1 always speaks for Fathom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Metric {
    /// I/Os per second as the tool reports them; runs last as long as asked.
    Iops,
    /// Wall time of a run of a single I/O.
    WallTime,
}

/// What a case does its I/O on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fixture {
    /// The tools' own null engines.
    Nothing,
    /// The null character device: writes complete inline and copy nothing.
    NullDevice,
    /// A file of 1 GiB, all of it in the page cache.
    CachedFile,
    /// A file of 4 GiB, really written.
    WrittenFile,
    /// A zram device of 2 GiB never written: reads are a memset in the kernel.
    Zram,
}

/// Something of Fathom that must stay at or below a stated value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Limit {
    pub(crate) quantity: Quantity,
    pub(crate) at_most: f64,
}

/// What a limit is about; the unit is the name's last word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// User CPU of the whole process, start-up included, over the I/Os it reports.
    UserNs,
    /// From the start of the process to its first I/O, as Fathom reports it.
    FirstIoMs,
    /// Peak resident memory.
    PeakMemoryMib,
}

/// fio, out of the box, on its null engine.
const FIO_NULL: &str = "--ioengine=null --size=2G --rw=randread --iodepth=32";
const FIO_NULL_TUNED: &str = "--ioengine=null --size=2G --rw=randread --iodepth=32 \
    --gtod_reduce=1 --norandommap --iodepth_batch_submit=16 --iodepth_batch_complete_min=16";
const FATHOM_NULL: &str = "random-read-4k --target null --engine null --size 2GiB \
    --queue-depth 32 --threads 1";
/// Without the last two options fio drops the page cache first and asks for read-ahead.
const FIO_CFILE_QD32: &str = "--ioengine=io_uring --filename={target} --size=1G --rw=randread \
    --direct=0 --invalidate=0 --fadvise_hint=0 --iodepth=32";
const FIO_CFILE_QD128: &str = "--ioengine=io_uring --filename={target} --size=1G --rw=randread \
    --direct=0 --invalidate=0 --fadvise_hint=0 --iodepth=128";
const FATHOM_CFILE_QD32: &str = "random-read-4k --target {target} --engine io_uring --size 1GiB \
    --no-direct --queue-depth 32 --threads 1";
const FATHOM_CFILE_QD128: &str = "random-read-4k --target {target} --engine io_uring --size 1GiB \
    --no-direct --queue-depth 128 --threads 1";
const FATHOM_CFILE_TWO_THREADS: &str = "random-read-4k --target {target} --engine io_uring \
    --size 1GiB --no-direct --queue-depth 32 --threads 2";
const FIO_NULLDEV: &str =
    "--ioengine=io_uring --filename={target} --size=1G --rw=randwrite --iodepth=32";
const FATHOM_NULLDEV: &str = "random-write-4k --target {target} --engine io_uring --size 1GiB \
    --no-direct --queue-depth 32 --threads 1";
const FIO_PSYNC: &str = "--ioengine=psync --filename={target} --direct=1 --rw=randread";
const FATHOM_PSYNC: &str = "random-read-4k --target {target} --engine psync --queue-depth 1 \
    --threads 1";
const FIO_LIBAIO: &str = "--ioengine=libaio --filename={target} --direct=1 --rw=randread \
    --iodepth=32 --iodepth_batch_submit=16 --iodepth_batch_complete_min=16 \
    --iodepth_batch_complete_max=16";
const FATHOM_LIBAIO: &str = "random-read-4k --target {target} --engine libaio --queue-depth 32 \
    --threads 1";
const FIO_DISK: &str = "--ioengine=io_uring --filename={target} --size=4G --direct=1 \
    --rw=randread --iodepth=32";
const FATHOM_DISK: &str = "random-read-4k --target {target} --engine io_uring --size 4GiB \
    --queue-depth 32 --threads 1";
const BARE_CFILE: &str = "io_uring {target} --size 1073741824 --queue-depth 32";
const BARE_PSYNC: &str = "preadv2 {target} --size 2147483648 --direct";
const BARE_LIBAIO: &str = "libaio {target} --size 2147483648 --queue-depth 32 --direct";
const BARE_DISK: &str = "io_uring {target} --size 4294967296 --queue-depth 32 --direct";
const FIO_STARTUP: &str = "--ioengine=null --size=1M --rw=randread --number_ios=1";
const FATHOM_STARTUP: &str = "random-read-4k --target null --engine null --size 1MiB --ios 1 \
    --queue-depth 1 --threads 1";

/// A case against fio in IOPS on one pinned thread; the others differ from it where they say so.
const AGAINST_FIO: Case = Case {
    name: "",
    against: "fio",
    fixture: Fixture::Nothing,
    metric: Metric::Iops,
    baseline: Tool::Fio,
    baseline_args: "",
    fathom_args: "",
    pinned: true,
    goal: None,
    limits: &[],
};

/// A case against the bare path, which leaves out all that a measurement is made of.
const AGAINST_BARE: Case = Case {
    against: "the bare path",
    baseline: Tool::Bare,
    ..AGAINST_FIO
};

/// All cases, in the order of the table.
pub(crate) const CASES: &[Case] = &[
    Case {
        name: "null-qd32",
        baseline_args: FIO_NULL,
        fathom_args: FATHOM_NULL,
        goal: Some(7.0),
        ..AGAINST_FIO
    },
    Case {
        name: "null-qd32-tuned",
        against: "fio, no latencies, batches of 16",
        baseline_args: FIO_NULL_TUNED,
        fathom_args: FATHOM_NULL,
        ..AGAINST_FIO
    },
    Case {
        name: "cfile-qd32",
        fixture: Fixture::CachedFile,
        baseline_args: FIO_CFILE_QD32,
        fathom_args: FATHOM_CFILE_QD32,
        goal: Some(1.3),
        limits: &[Limit {
            quantity: Quantity::UserNs,
            at_most: 100.0,
        }],
        ..AGAINST_FIO
    },
    Case {
        name: "cfile-qd128",
        fixture: Fixture::CachedFile,
        baseline_args: FIO_CFILE_QD128,
        fathom_args: FATHOM_CFILE_QD128,
        goal: Some(1.3),
        limits: &[Limit {
            quantity: Quantity::UserNs,
            at_most: 100.0,
        }],
        ..AGAINST_FIO
    },
    Case {
        name: "nulldev-qd32",
        fixture: Fixture::NullDevice,
        baseline_args: FIO_NULLDEV,
        fathom_args: FATHOM_NULLDEV,
        goal: Some(2.5),
        ..AGAINST_FIO
    },
    Case {
        name: "psync-zram",
        fixture: Fixture::Zram,
        baseline_args: FIO_PSYNC,
        fathom_args: FATHOM_PSYNC,
        goal: Some(1.3),
        ..AGAINST_FIO
    },
    Case {
        name: "libaio-zram-qd32",
        against: "fio, batches of 16",
        fixture: Fixture::Zram,
        baseline_args: FIO_LIBAIO,
        fathom_args: FATHOM_LIBAIO,
        goal: Some(1.35),
        ..AGAINST_FIO
    },
    Case {
        name: "disk-qd32",
        fixture: Fixture::WrittenFile,
        baseline_args: FIO_DISK,
        fathom_args: FATHOM_DISK,
        // The disk decides: "the same" here means not more than 3 % less.
        goal: Some(0.97),
        limits: &[Limit {
            quantity: Quantity::UserNs,
            at_most: 250.0,
        }],
        ..AGAINST_FIO
    },
    Case {
        name: "bare-cfile-qd32",
        fixture: Fixture::CachedFile,
        baseline_args: BARE_CFILE,
        fathom_args: FATHOM_CFILE_QD32,
        ..AGAINST_BARE
    },
    Case {
        name: "bare-psync-zram",
        fixture: Fixture::Zram,
        baseline_args: BARE_PSYNC,
        fathom_args: FATHOM_PSYNC,
        ..AGAINST_BARE
    },
    Case {
        name: "bare-libaio-zram-qd32",
        fixture: Fixture::Zram,
        baseline_args: BARE_LIBAIO,
        fathom_args: FATHOM_LIBAIO,
        ..AGAINST_BARE
    },
    Case {
        name: "bare-disk-qd32",
        fixture: Fixture::WrittenFile,
        baseline_args: BARE_DISK,
        fathom_args: FATHOM_DISK,
        ..AGAINST_BARE
    },
    Case {
        name: "two-threads",
        against: "Fathom, one thread",
        fixture: Fixture::CachedFile,
        baseline: Tool::Fathom,
        baseline_args: FATHOM_CFILE_QD32,
        fathom_args: FATHOM_CFILE_TWO_THREADS,
        pinned: false,
        goal: Some(1.9),
        ..AGAINST_FIO
    },
    Case {
        name: "startup",
        metric: Metric::WallTime,
        baseline_args: FIO_STARTUP,
        fathom_args: FATHOM_STARTUP,
        pinned: false,
        limits: &[
            Limit {
                quantity: Quantity::FirstIoMs,
                at_most: 10.0,
            },
            Limit {
                quantity: Quantity::PeakMemoryMib,
                at_most: 32.0,
            },
        ],
        ..AGAINST_FIO
    },
];

/// The cases named, in the order of the table; all of them for none. The error is the first name
/// there is no case for.
pub(crate) fn select(names: &[String]) -> Result<Vec<&'static Case>, String> {
    let known = |name: &&String| CASES.iter().all(|case| case.name != name.as_str());
    if let Some(unknown) = names.iter().find(known) {
        return Err(unknown.clone());
    }
    let wanted = |case: &&Case| names.is_empty() || names.iter().any(|name| name == case.name);
    Ok(CASES.iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_the_tables_and_unknown_names_are_given_back() {
        let select_names = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            select(&names).map(|cases| cases.iter().map(|case| case.name).collect::<Vec<_>>())
        };
        let all: Vec<_> = CASES.iter().map(|case| case.name).collect();
        assert_eq!(select_names(&[]), Ok(all));
        assert_eq!(
            select_names(&["startup", "null-qd32", "startup"]),
            Ok(vec!["null-qd32", "startup"])
        );
        assert_eq!(select_names(&["null-qd32", "nul"]), Err("nul".to_owned()));
    }

    #[test]
    fn a_case_names_a_target_exactly_when_it_has_one() {
        for case in CASES {
            let named = |args: &str| args.matches("{target}").count();
            let times = usize::from(case.fixture != Fixture::Nothing);
            let found = [named(case.baseline_args), named(case.fathom_args)];
            assert_eq!(found, [times; 2], "{}", case.name);
        }
    }
}
