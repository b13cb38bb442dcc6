//! Rules of a phase.

use super::good::{Expected, SNIA, found, job, job_breaks, phase_breaks, violation};
use fathom_core::spec::{Pacing, Phase, Steady};
use fathom_core::units::{Bytes, Nanos, Percent};

#[test]
fn a_phase_has_jobs_and_an_end() {
    phase_breaks(
        |phase| phase.jobs.clear(),
        ("job", "the phase has no job", "add a `[[phase.job]]`"),
    );
    phase_breaks(
        |phase| phase.duration = Some(Nanos::ZERO),
        (
            "duration",
            "a duration of 0 measures nothing",
            "give it a positive time",
        ),
    );
    phase_breaks(
        |phase| phase.duration = None,
        (
            "duration",
            "the phase never ends",
            "give it a `duration`, a `steady` rule, or a job with `stop`",
        ),
    );
    let too_long = |key| {
        let message = "a phase of more than ten years is not possible";
        (key, message, "choose less")
    };
    phase_breaks(|phase| phase.warm_up = Nanos::MAX, too_long("warm_up"));
    phase_breaks(
        |phase| phase.duration = Some(Nanos::MAX),
        too_long("duration"),
    );
    phase_breaks(|phase| phase.cool_down = Nanos::MAX, too_long("cool_down"));
}

#[test]
fn each_kind_of_end_is_enough() {
    let ends: [fn(&mut Phase); 3] = [
        |phase| phase.steady = Some(SNIA),
        |phase| phase.jobs[0].stop.bytes = Some(Bytes(1)),
        |phase| phase.jobs[0].stop.ios = Some(1),
    ];
    for end in ends {
        let found = found(|workload| {
            workload.phases[0].duration = None;
            end(&mut workload.phases[0]);
        });
        assert_eq!(found, []);
    }
}

#[test]
fn a_steady_rule_can_be_met() {
    let breaks = |change: fn(&mut Steady), expected: Expected<'_>| {
        let mut steady = SNIA;
        change(&mut steady);
        phase_breaks(|phase| phase.steady = Some(steady), expected);
    };
    breaks(
        |steady| steady.rounds = 2,
        (
            "steady.rounds",
            "fewer than 3 rounds have no trend",
            "use 5, as SNIA does",
        ),
    );
    breaks(
        |steady| steady.max_rounds = 4,
        (
            "steady.max_rounds",
            "4 rounds at most never fill 5 rounds",
            "make `max_rounds` at least as large as `rounds`",
        ),
    );
    breaks(
        |steady| steady.round = Nanos::from_millis(99),
        (
            "steady.round",
            "a round shorter than 100ms is noise",
            "use 1s or more",
        ),
    );
    let snia = "SNIA's are `range = 20` and `slope = 10`";
    breaks(
        |steady| steady.range = Percent(0.0),
        ("steady.range", "0% is not a tolerance", snia),
    );
    breaks(
        |steady| steady.slope = Percent(101.0),
        ("steady.slope", "101% is not a tolerance", snia),
    );
    let amount = "a number above 0, in the unit of the metric";
    breaks(
        |steady| steady.deviation_most = Some(0.0),
        ("steady.deviation_most", "0 is not a tolerance", amount),
    );
    breaks(
        |steady| steady.slope_most = Some(f64::NAN),
        ("steady.slope_most", "NaN is not a tolerance", amount),
    );
}

#[test]
fn a_job_waits_for_bursts_of_another_job() {
    let cyclic = Pacing::Cyclic {
        every: Nanos::from_secs(80),
        bytes: Bytes::MIB,
    };
    let triggered = Pacing::Triggered { bytes: Bytes::MIB };
    let with_second = |pacing: Pacing| {
        let mut second = job("b");
        second.pacing = pacing;
        second.after = Some("a".into());
        second
    };
    let chain = found(|workload| {
        let jobs = &mut workload.phases[0].jobs;
        jobs[0].pacing = cyclic.clone();
        jobs.push(with_second(triggered.clone()));
    });
    assert_eq!(chain, []);
    phase_breaks(
        |phase| phase.jobs.push(with_second(triggered.clone())),
        (
            "job[1].after",
            "job `a` has no bursts to wait for",
            "give it `pacing = { cyclic = { every = \"80s\", bytes = \"2GiB\" } }`",
        ),
    );
    job_breaks(
        |job| job.after = Some("c".into()),
        (
            "after",
            "the phase has no job `c` to wait for",
            "name a job of the same phase",
        ),
    );
    job_breaks(
        |job| job.pacing = triggered.clone(),
        (
            "pacing",
            "a triggered burst waits for nobody",
            "name the job it follows, as in `after = \"wij\"`",
        ),
    );
    let circle = found(|workload| {
        let jobs = &mut workload.phases[0].jobs;
        jobs[0].pacing = triggered.clone();
        jobs[0].after = Some("b".into());
        jobs.push(with_second(triggered.clone()));
    });
    let waits = |key| {
        let message = "jobs wait for each other in a circle";
        violation("phase[0].", (key, message, "break the circle"))
    };
    assert_eq!(circle, [waits("job[0].after"), waits("job[1].after")]);
}
