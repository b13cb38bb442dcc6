//! Processors that slept so deeply between requests that waking up is part of the latency.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{iops, time};
use fathom_core::result::{Evidence, IdleUse, JobResult, LoadModel, PhaseResult, RunResult};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Service time over what it would be without waking up a processor; the same of a low rate
    /// over a high one
    WAKE: f64 = 1.3, Times, Decided;
    /// Ratio of a high rate to a low one
    WAKE_RATES: f64 = 4.0, Times, Decided;
    /// Requests on which the median of each of the two rates rests
    WAKE_SAMPLES: u64 = 100, Count, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the wake-up from CPU idle states is part of the latency",
    needs: Needs::OurRun(&[Evidence::IdleStates]),
    codes: &[entry! { WakeupLatency: Generator, Machine,
        "qualified; note if seen only between different rates",
        "CPUs left idle states for half of the requests or more, and the mean wake-up time \
         makes service times more than {WAKE} those without; or reads of an open load take \
         more than {WAKE} as long as at {WAKE_RATES:word} times their rate",
        [row::WAKE, row::WAKE_RATES, row::WAKE_SAMPLES],
        Example::Run(samples::reads, |r| {
            let requests = samples::phase(r).jobs[0].completed;
            samples::account(r).generator.idle_states = vec![IdleUse {
                name: "C6".into(),
                exit_latency_ns: 133_000,
                entries: requests,
                time_ns: 40_000_000_000,
            }];
        })
    }],
    run,
};

const REMEDY: &str = "keep the CPUs awake during the run (--awake, or hold /dev/cpu_dma_latency \
                      open with 0), or state that the latency of an idle machine is intended";

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in result.phases.iter().filter(|one| one.measured_ns > 0) {
        let found = residency(phase).map(|one| one.about(subject::phase(result, phase)));
        caveats.extend(found);
    }
    let told = caveats.iter().any(|one| Code::WakeupLatency.is(one));
    if !told && subject::touches_storage(result) {
        caveats.extend(faster_with_load(result));
    }
}

/// By the states that the processors were in: what leaving them takes, over the service time
/// without it.
fn residency(phase: &PhaseResult) -> Option<Caveat> {
    let states = &phase.ledger.as_ref()?.generator.idle_states;
    let entries: u64 = states.iter().map(|state| state.entries).sum();
    let deep = states.iter().filter(|state| state.exit_latency_ns > 0);
    let deep_entries: u64 = deep.clone().map(|state| state.entries).sum();
    let requests: u64 = phase.jobs.iter().map(|job| job.completed).sum();
    // Where processors slept less often than once in two requests, most requests woke none.
    if requests == 0 || deep_entries < requests.div_ceil(2) {
        return None;
    }
    let of_all = |state: &IdleUse| state.exit_latency_ns as f64 * state.entries as f64;
    let exit_ns = states.iter().map(of_all).sum::<f64>() / entries as f64;
    let ops = phase.jobs.iter().flat_map(|job| job.ops.present());
    let fastest = ops.filter(|(_, one)| one.ios > 0);
    let fastest = fastest.map(|(_, one)| one.service_ns.mean);
    let service_ns = fastest.reduce(f64::min)?;
    if service_ns > exit_ns && service_ns <= WAKE * (service_ns - exit_ns) {
        return None;
    }
    let slept = deep.max_by_key(|state| state.time_ns)?;
    let message = format!(
        "a CPU takes {} on average to wake up (mostly from {}, {}), compared with a mean service \
         time of {}",
        time(exit_ns),
        slept.name,
        time(slept.exit_latency_ns as f64),
        time(service_ns)
    );
    Some(
        Code::WakeupLatency
            .caveat(Level::Qualified, message)
            .remedy(REMEDY),
    )
}

/// By what was measured: the same load is slower at a low rate than at a high one.
fn faster_with_load(result: &RunResult) -> Option<Caveat> {
    let open: Vec<(&PhaseResult, &JobResult, f64, u64)> = subject::jobs(result)
        .filter(|(_, job, _)| job.load_model == LoadModel::Open)
        .filter_map(|(phase, job, _)| {
            let read = job
                .ops
                .get(Op::Read)
                .filter(|one| one.ios >= WAKE_SAMPLES)?;
            let median = read.service_ns.percentile("50")?;
            Some((phase, job, read.iops, median))
        })
        .collect();
    let mut worst: Option<(f64, Caveat)> = None;
    for (slow_phase, slow, low, slow_ns) in &open {
        for (_, fast, high, fast_ns) in &open {
            let ratio = *slow_ns as f64 / (*fast_ns).max(1) as f64;
            let alike = slow.name == fast.name && is_alike(slow, fast);
            if !alike || *high < low * WAKE_RATES || ratio <= WAKE {
                continue;
            }
            if worst.as_ref().is_none_or(|(most, _)| ratio > *most) {
                let message = format!(
                    "reads take {} at {} IOPS and {} at {} IOPS. CPUs or the device idle between \
                     requests, or a cache became warm later",
                    time(*slow_ns as f64),
                    iops(*low),
                    time(*fast_ns as f64),
                    iops(*high)
                );
                let caveat = Code::WakeupLatency
                    .caveat(Level::Note, message)
                    .remedy(REMEDY);
                let about = subject::job(result, slow_phase, slow);
                worst = Some((ratio, caveat.about(about)));
            }
        }
    }
    worst.map(|(_, caveat)| caveat)
}

/// Whether two jobs read alike: the same bytes a request, on the same targets.
fn is_alike(one: &JobResult, other: &JobResult) -> bool {
    let bytes = |job: &JobResult| {
        let read = job.ops.get(Op::Read)?;
        Some(read.bytes / read.ios.max(1))
    };
    one.targets == other.targets && bytes(one) == bytes(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture::{self, JobPlan, Stream};
    use fathom_core::result::Ledger;
    use fathom_core::spec::{Arrivals, Pacing};
    use fathom_core::{Op, Rate};

    fn state(name: &str, exit_latency_ns: u64, entries: u64) -> IdleUse {
        IdleUse {
            name: name.to_owned(),
            exit_latency_ns,
            entries,
            time_ns: entries * 1_000_000,
        }
    }

    fn with(states: Vec<IdleUse>) -> RunResult {
        let mut result = fixture::random_read();
        let mut ledger = Ledger::default();
        ledger.generator.idle_states = states;
        result.phases[0].ledger = Some(Box::new(ledger));
        result
    }

    #[test]
    fn leaving_a_deep_state_counts_by_its_share_of_the_latency() {
        let result = with(Vec::new());
        let job = &result.phases[0].jobs[0];
        let requests = job.completed;
        let mean = job.ops.get(Op::Read).unwrap().service_ns.mean;
        // 1.3 times: three thirteenths of what was measured.
        let just = (mean * 3.0 / 13.0) as u64;
        assert_eq!(found(&CHECK, &with(vec![state("C6", just, requests)])), []);
        assert_eq!(
            found(&CHECK, &with(vec![state("C6", just * 4, requests / 2 - 1)])),
            []
        );
        let half = vec![state("POLL", 0, requests), state("C6", just + 9, requests)];
        assert_eq!(found(&CHECK, &with(half)), []);
        let deep = vec![state("POLL", 0, 0), state("C6", just + 1, requests)];
        let message = format!(
            "a CPU takes {0} on average to wake up (mostly from C6, {0}), compared with a mean \
             service time of {1}",
            time((just + 1) as f64),
            time(mean)
        );
        assert_eq!(
            found(&CHECK, &with(deep)),
            [Code::WakeupLatency
                .caveat(Level::Qualified, message)
                .remedy(REMEDY)
                .about("measure")]
        );
    }

    #[test]
    fn reads_that_get_faster_with_the_rate_are_told() {
        let load = |rate: u64, service_ns| JobPlan {
            pacing: Pacing::Open {
                rate: Rate::Iops(rate as f64),
                arrivals: Arrivals::Constant,
            },
            service_ns: Some(service_ns),
            ..JobPlan::closed(
                "read",
                32,
                vec![Stream::random(Op::Read, 4096, vec![rate; 20])],
            )
        };
        let told = |low_ns, high_ns, high| {
            let phases = [
                ("low", vec![load(300, low_ns)]),
                ("high", vec![load(high, high_ns)]),
            ];
            found(&CHECK, &fixture::run("rates", &phases))
        };
        assert_eq!(told(120_000, 100_000, 6_000), []);
        assert_eq!(told(200_000, 100_000, 1_199), []);
        assert_eq!(told(100_000, 200_000, 6_000), []);
        let slow = told(200_000, 100_000, 1_200);
        let message = "reads take 175 µs at 300.0 IOPS and 87.7 µs at 1,200 IOPS. CPUs or the \
                       device idle between requests, or a cache became warm later";
        let expected = Code::WakeupLatency
            .caveat(Level::Note, message)
            .remedy(REMEDY)
            .about("low/read");
        assert_eq!(slow, [expected]);
    }
}
