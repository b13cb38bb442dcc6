//! The pace of fio's jobs, and which waits for which.

use super::*;
use fathom_core::spec::{Arrivals, Pacing};

/// fio 3.33 read 12,800 blocks and wrote 7,680 of this job, whatever its mix.
#[test]
fn reads_and_writes_have_rates_of_their_own() {
    let words = "--name=x --filename=/data/f --size=80m --bs=4k --rw=randrw --rwmixread=90 \
                 --rate_iops=1000,600";
    let words: Vec<&str> = words.split(' ').collect();
    let found: Vec<_> = jobs(&words)
        .into_iter()
        .map(|job| {
            let blocks = job.stop.bytes.map(|bytes| bytes.0 / 4096);
            (job.name, job.pacing, blocks, job.kinds.len())
        })
        .collect();
    let at = |rate| Pacing::Open {
        rate: Rate::Iops(rate),
        arrivals: Arrivals::Constant,
    };
    let expected = [
        ("x read".to_owned(), at(1000.0), Some(12_800), 1),
        ("x write".to_owned(), at(600.0), Some(7_680), 1),
    ];
    assert_eq!(found, expected);
    let run = run(&words, &[]).expect("a run");
    let rows: Vec<_> = run.jobs.iter().map(|row| row.members.join(", ")).collect();
    assert_eq!(rows, ["x read, x write"]);
}

#[test]
fn waves_keep_their_numbers() {
    let of = |options: &[&str]| {
        let words = [
            "--name=a",
            "--filename=/data/f",
            "--size=1m",
            "--ioengine=libaio",
        ];
        let words: Vec<&str> = words.iter().chain(options).copied().collect();
        let job = jobs(&words).swap_remove(0);
        (job.threads, job.complete_batch)
    };
    assert_eq!(of(&[]), (1, None));
    assert_eq!(of(&["--iodepth=16", "--iodepth_low=4"]), (1, Some(12)));
}

#[test]
fn a_direction_without_a_rate_goes_as_fast_as_it_can() {
    let words = "--name=x --filename=/data/f --size=1m --rw=rw --rate=,1m --numjobs=2 \
                 --group_reporting --runtime=2 --time_based";
    let words: Vec<&str> = words.split(' ').collect();
    let found: Vec<Pacing> = jobs(&words).into_iter().map(|job| job.pacing).collect();
    let writes = Pacing::Open {
        rate: Rate::BytesPerSecond(2.0 * 1_048_576.0),
        arrivals: Arrivals::Constant,
    };
    assert_eq!(found, [Pacing::CLOSED, writes]);
    // Rates as the mix has them are those of one job.
    let alike = ["--name=x", "--filename=/data/f", "--size=1m", "--rw=randrw"];
    for rates in [
        ["--rwmixread=70", "--rate=7m,3m"],
        ["--rwmixread=50", "--rate_iops=10"],
    ] {
        assert_eq!(
            jobs(&[&alike[..], &rates[..]].concat()).len(),
            1,
            "{rates:?}"
        );
    }
}

#[test]
fn amounts_hold_what_is_done_in_the_ramp_and_may_end_all() {
    let words = "--name=x --filename=/data/f --size=1m --rw=write --ramp_time=1 --exitall \
                 --name=y --filename=/data/g --size=2m";
    let words: Vec<&str> = words.split(' ').collect();
    let stops: Vec<_> = jobs(&words)
        .into_iter()
        .map(|job| (job.stop.with_warm_up, job.stop.ends_phase))
        .collect();
    assert_eq!(stops, [(true, true), (false, false)]);
}

/// fio begins to count each job behind its own ramp: what is done before the others are through
/// theirs would be done beside its amount.
#[test]
fn a_job_without_a_ramp_begins_when_the_others_are_through_theirs() {
    let file = "[global]\ndirectory=/data\nsize=1m\nrw=write\n\
                [a]\nramp_time=3\n[b]\n[c]\nramp_time=1\n[d]\nstartdelay=5\n";
    let run = run(&["--as-written"], &[("a.fio", file)]);
    let run = run.unwrap_or_else(|found| panic!("{}", drawn(&found)));
    let phase = &run.translation.workload.phases[0];
    let seconds = |time: fathom_core::Nanos| time.0 / 1_000_000_000;
    let delays: Vec<u64> = phase.jobs.iter().map(|job| seconds(job.delay)).collect();
    assert_eq!((seconds(phase.warm_up), delays), (3, vec![0, 3, 2, 5]));
}

#[test]
fn a_job_waits_for_one_whose_end_is_known() {
    let file = "[global]\nfilename=/data/f\nsize=1m\nrw=read\ntime_based\nruntime=5\n\
                [a]\nstartdelay=1\nramp_time=2\n[b]\n[c]\nwait_for=a\n[d]\nwait_for=c\n\
                [e]\nstonewall\n[f]\nwait_for=a\n";
    let run = run(&["--as-written"], &[("a.fio", file)]);
    let run = run.unwrap_or_else(|found| panic!("{}", drawn(&found)));
    let delays = run.translation.workload.phases.iter().map(|phase| {
        let jobs = phase.jobs.iter();
        jobs.map(|job| job.delay.0 / 1_000_000_000).collect()
    });
    let delays: Vec<Vec<u64>> = delays.collect();
    assert_eq!(delays[0], [1, 2, 8, 13]);
    assert_eq!(delays[1].len(), 2);
    let refused = "[global]\nfilename=/data/f\nsize=1m\nrw=read\n[a]\n[b]\n[c]\nwait_for=a\n";
    let found = as_written(refused).expect_err("the end of `a` is not known");
    assert_eq!(
        first_line(&found),
        "error: `a` is no job whose end is known when this one is to begin"
    );
}

/// fio 3.33 read 256 blocks in so many milliseconds: 256 and 253 at the rate, 384 and 396 with
/// pauses.
#[test]
fn of_a_rate_and_pauses_the_slower_holds() {
    let of = |options: &[&str]| {
        let words = [
            "--name=x",
            "--filename=/data/f",
            "--size=1m",
            "--rw=randread",
        ];
        let words: Vec<&str> = words.iter().chain(options).copied().collect();
        jobs(&words).swap_remove(0).pacing
    };
    let at = |rate| Pacing::Open {
        rate,
        arrivals: Arrivals::Constant,
    };
    let short = of(&["--rate_iops=1000", "--thinktime=500"]);
    assert_eq!(short, at(Rate::Iops(1000.0)));
    let bytes = of(&["--rate=4m", "--thinktime=3000", "--thinktime_blocks=4"]);
    assert_eq!(bytes, at(Rate::BytesPerSecond(4_194_304.0)));
    let longer = of(&[
        "--rate_iops=1000",
        "--thinktime=3000",
        "--thinktime_blocks=2",
    ]);
    let pauses = Pacing::Closed {
        think: fathom_core::Nanos::from_millis(3),
        burst: 2,
    };
    assert_eq!(longer, pauses);
}
