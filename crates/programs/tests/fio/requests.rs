//! How the requests of fio's jobs go: when, and with which priority.

use super::*;
use fathom_core::spec::IoClass;

const WORDS: [&str; 4] = [
    "--name=x",
    "--filename=/data/f",
    "--size=1m",
    "--rw=randread",
];

fn with(more: &[&str]) -> fathom_core::spec::Job {
    jobs(&[&WORDS[..], more].concat()).remove(0)
}

#[test]
fn a_job_has_the_priority_that_fio_gives_it() {
    let of = |more: &[&str]| {
        let job = with(more);
        (job.io_class, job.io_level)
    };
    let found = [
        of(&[]),
        // As fio 3.33 calls ioprio_set: BE 3, BE 0, idle.
        of(&["--prio=3"]),
        of(&["--prioclass=2"]),
        of(&["--prioclass=3", "--prio=5"]),
        of(&["--prioclass=1", "--prio=7"]),
    ];
    let best = |level| (Some(IoClass::BestEffort), Some(level));
    let expected = [
        (None, None),
        best(3),
        best(0),
        (Some(IoClass::Idle), None),
        (Some(IoClass::RealTime), Some(7)),
    ];
    assert_eq!(found, expected);
}

/// fio's time has the ramp before a steady state in it, and ends the job, steady or not.
#[test]
fn a_steady_state_is_looked_for_as_long_as_there_is_time() {
    let of = |more: &[&str]| {
        let words = [
            "--name=x",
            "--filename=/data/f",
            "--size=1m",
            "--time_based",
        ];
        let steady = ["--ss=iops_slope:1%", "--ss_dur=10"];
        let run = run(&[&words[..], &steady, more].concat(), &[]).expect("a line");
        let phase = &run.translation.workload.phases[0];
        let rounds = phase.steady.map(|steady| steady.max_rounds);
        (
            rounds,
            phase.warm_up.0 / 1_000_000_000,
            run.jobs[0].steady.is_some(),
        )
    };
    let found = [
        of(&["--runtime=100", "--ss_ramp=20"]),
        of(&["--runtime=30", "--ss_ramp=20", "--ramp_time=5"]),
        of(&["--runtime=29", "--ss_ramp=20", "--ramp_time=5"]),
        of(&["--runtime=10", "--ss_ramp=500"]),
    ];
    let expected = [
        (Some(80), 20, true),
        (Some(10), 25, true),
        (None, 5, true),
        (None, 0, true),
    ];
    assert_eq!(found, expected);
}

/// What fio 3.33 does of 1000 KiB or 1 MiB in requests of 64 KiB.
#[test]
fn passes_go_on_where_those_of_fio_do() {
    let requests = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let all = ["--name=x", "--filename=/data/f", "--bs=64k"];
        let job = jobs(&[&all[..], &words[..]].concat()).remove(0);
        job.stop.bytes.map(|bytes| bytes.0.div_ceil(65_536))
    };
    let cases = [
        ("--size=1000k --rw=randread", 15),
        ("--size=1000k --rw=randread --norandommap", 16),
        ("--size=1000k --rw=randread --norandommap --loops=3", 47),
        (
            "--size=1000k --rw=randread --random_distribution=zipf:1.1",
            16,
        ),
        (
            "--size=1000k --rw=randread --norandommap --random_generator=lfsr",
            15,
        ),
        ("--size=1000k --rw=rw", 16),
        ("--size=1000k --rw=rw --rwmixread=100", 15),
        ("--size=1000k --rw=rw --loops=3", 47),
        ("--size=1000k --rw=read --loops=3", 45),
        ("--size=1000k --rw=write --io_size=2m --loops=2", 45),
        ("--size=1m --rw=randread --io_size=1028k", 16),
        ("--size=1m --rw=randread --io_size=2500k", 40),
        ("--size=1m --rw=randread --io_size=2500k --loops=2", 48),
        (
            "--size=1m --rw=randread --io_size=2500k --loops=2 --norandommap",
            79,
        ),
        ("--size=1m --rw=write --io_size=512k --loops=3", 24),
    ];
    for (words, expected) in cases {
        assert_eq!(requests(words), Some(expected), "{words}");
    }
}

/// What is drawn at the end may leave some bytes unwritten, and the file has them all the same.
#[test]
fn only_what_is_written_to_its_end_makes_the_file() {
    let grows = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let all = ["--name=x", "--filename=/data/f", "--size=1m", "--rw=write"];
        jobs(&[&all[..], &words[..]].concat()).remove(0).fresh
    };
    assert!(grows("--bs=4k"));
    assert!(grows("--bsrange=4k-16k"));
    assert!(!grows("--bsrange=4k-10k"));
    assert!(!grows("--bssplit=4k/50:6k/50"));
}

/// As an offset in percent of a file that is not there yet.
#[test]
fn an_increment_in_percent_of_nothing_is_nothing() {
    let words = "--name=x --directory=/data --size=1m --rw=write --numjobs=2 \
                 --offset_increment=10%";
    let words: Vec<&str> = words.split(' ').collect();
    let offsets: Vec<u64> = jobs(&words).iter().map(|job| job.offset.0).collect();
    assert_eq!(offsets, [0, 0]);
}
