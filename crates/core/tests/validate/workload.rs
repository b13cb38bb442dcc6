//! Rules of the whole.

use super::good::{found, job, job_breaks, phase, phase_breaks, workload, workload_breaks};
use fathom_core::spec::SyncEvery;
use fathom_core::spec::validate::validate;
use fathom_core::units::Nanos;

#[test]
fn a_good_workload_breaks_no_rule() {
    assert_eq!(validate(&workload()), []);
}

#[test]
fn the_workload_has_a_name_an_interval_a_repeat_and_a_phase() {
    workload_breaks(
        |workload| workload.name = " ".into(),
        (
            "name",
            "the workload has no name",
            "name it, as in `name = \"oltp\"`",
        ),
    );
    for (interval, message) in [
        (
            Nanos::from_millis(99),
            "an interval of 99ms is out of range",
        ),
        (Nanos::from_secs(61), "an interval of 61s is out of range"),
    ] {
        workload_breaks(
            |workload| workload.interval = interval,
            ("interval", message, "choose one from 100ms to 60s"),
        );
    }
    workload_breaks(
        |workload| workload.repeat = 0,
        ("repeat", "zero repeats measure nothing", "give at least 1"),
    );
    workload_breaks(
        |workload| workload.phases.clear(),
        (
            "phase",
            "the workload has no phase",
            "add a `[[phase]]` with a job",
        ),
    );
}

#[test]
fn names_are_given_and_differ() {
    workload_breaks(
        |workload| workload.phases.push(phase("p")),
        (
            "phase[1].name",
            "two phases are called `p`",
            "give each phase a name of its own",
        ),
    );
    phase_breaks(
        |phase| phase.jobs.push(job("a")),
        (
            "job[1].name",
            "two jobs of the phase are called `a`",
            "give each job a name of its own",
        ),
    );
    phase_breaks(
        |phase| phase.name.clear(),
        ("name", "the phase has no name", "name it"),
    );
    job_breaks(
        |job| job.name.clear(),
        ("name", "the job has no name", "name it"),
    );
}

#[test]
fn all_violations_are_told_in_reading_order() {
    let paths: Vec<String> = found(|workload| {
        workload.repeat = 0;
        workload.phases[0].duration = None;
        let job = &mut workload.phases[0].jobs[0];
        job.threads = 0;
        job.kinds[1].weight = 0.0;
        job.durability.sync = Some(SyncEvery {
            writes: 0,
            data_only: false,
        });
    })
    .into_iter()
    .map(|violation| violation.path)
    .collect();
    assert_eq!(
        paths,
        [
            "repeat",
            "phase[0].duration",
            "phase[0].job[0].threads",
            "phase[0].job[0].io[1].weight",
            "phase[0].job[0].durability.sync"
        ]
    );
}
