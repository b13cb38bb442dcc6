//! A generator that did not make the requests it was to make.

use super::overloaded::is_overloaded;
use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::pauses;
use crate::samples;
use crate::subject;
use fathom_core::figure::{iops, percent};
use fathom_core::result::{JobResult, PhaseResult, RunResult};
use fathom_core::spec::{Arrivals, Job, Pacing};
use fathom_core::{Caveat, Level, Op, Rate};

thresholds! {
    /// Deviation from the rate that was asked for: noted (what the generator promises), qualified
    RATE_OFF: (f64, f64) = (0.001, 0.01), Share, Decided;
    /// Deviations of the number of Poisson arrivals, the square root of it, that are let pass
    RATE_SIGMAS: f64 = 3.0, Sigmas, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether an open load was submitted at the requested rate",
    needs: Needs::OurRun(&[]),
    codes: &[
        entry! { RateMissed: Load, Machine, "qualified; note from {RATE_OFF.0}",
            "submitted at a rate more than {RATE_OFF.1} off (beyond {RATE_SIGMAS:word} deviations \
             of random arrivals)",
            [row::RATE_OFF, row::RATE_SIGMAS],
            Example::Run(samples::reads, |r| {
                samples::phase(r).jobs[0].offered_iops = Some(70_000.0);
                samples::spec(r).pacing = Pacing::Open {
                    rate: Rate::Iops(70_000.0),
                    arrivals: Arrivals::Poisson,
                };
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, spec) in subject::jobs(result) {
        if is_overloaded(phase, job) {
            continue;
        }
        let about = subject::job(result, phase, job);
        caveats.extend(judge(phase, job, spec).map(|caveat| caveat.about(about)));
    }
}

fn judge(phase: &PhaseResult, job: &JobResult, spec: Option<&Job>) -> Option<Caveat> {
    let offered = job.offered_iops.filter(|offered| *offered > 0.0)?;
    let seconds = job.active_ns.max(1) as f64 / 1e9;
    // Flushes follow their writes; the rate is that of the requests.
    let flushes = job.ops.get(Op::Flush).map_or(0, |flush| flush.ios);
    let requests = job.submitted.saturating_sub(flushes);
    let made = requests as f64 / seconds;
    let expected = offered * seconds;
    let chance = chance(job, spec, expected);
    // Arrivals that came due while the generator stood still are reported by another check.
    let paused = pauses::missed(phase, job);
    let off = (requests as f64 - expected).abs() - chance - paused;
    let excess = off.max(0.0) / expected;
    let level = match excess {
        met if met <= RATE_OFF.0 => return None,
        near if near <= RATE_OFF.1 => Level::Note,
        _ => Level::Qualified,
    };
    let message = format!(
        "{} requests per second were requested but {} were made, {} off",
        iops(offered),
        iops(made),
        percent((made / offered - 1.0).abs() * 100.0)
    );
    let remedy = "use more threads (--threads): the load generator may be at its limit";
    Some(Code::RateMissed.caveat(level, message).remedy(remedy))
}

/// Arrivals by which a load may differ from its rate: one at either edge of the grid of each
/// thread, or the scatter that the arrivals, or their sizes, are to have.
fn chance(job: &JobResult, spec: Option<&Job>, expected: f64) -> f64 {
    // Variance over mean of the arrivals of the whole time.
    let mut dispersion = 1.0;
    let is_even = spec.is_none_or(|spec| match spec.pacing {
        Pacing::Open {
            arrivals: Arrivals::Poisson,
            ..
        } => false,
        Pacing::Open {
            arrivals: Arrivals::Bursts(bursts),
            ..
        } => {
            let seconds = job.active_ns.max(1) as f64 / 1e9;
            dispersion = bursts.dispersion(expected / seconds, seconds);
            false
        }
        Pacing::Open {
            rate: Rate::BytesPerSecond(_),
            ..
        } => {
            let mut sizes = spec.kinds.windows(2);
            sizes.all(|two| two[0].block_size == two[1].block_size)
        }
        _ => true,
    });
    let edges = f64::from(job.threads);
    if is_even {
        edges
    } else {
        edges.max(RATE_SIGMAS * (dispersion * expected).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    /// 60 s at 10,000 a second.
    fn with_made(submitted: u64, arrivals: Arrivals) -> RunResult {
        let mut result = fixture::random_read();
        let job = &mut result.phases[0].jobs[0];
        job.offered_iops = Some(10_000.0);
        job.submitted = submitted;
        result.provenance.workload.phases[0].jobs[0].pacing = Pacing::Open {
            rate: Rate::Iops(10_000.0),
            arrivals,
        };
        result
    }

    fn caveat(level: Level, message: &str) -> Caveat {
        Code::RateMissed
            .caveat(level, message)
            .remedy("use more threads (--threads): the load generator may be at its limit")
            .about("measure/read")
    }

    #[test]
    fn a_rate_is_met_within_a_thousandth() {
        assert_eq!(found(&CHECK, &with_made(599_399, Arrivals::Constant)), []);
        let message = "10,000 requests per second were requested but 9,990 were made, 0.1 % off";
        assert_eq!(
            found(&CHECK, &with_made(599_398, Arrivals::Constant)),
            [caveat(Level::Note, message)]
        );
        let message = "10,000 requests per second were requested but 13,200 were made, 32.0 % off";
        assert_eq!(
            found(&CHECK, &with_made(792_000, Arrivals::Constant)),
            [caveat(Level::Qualified, message)]
        );
    }

    /// 40 requests of eight threads: each thread's grid may have one more or less at its edges.
    #[test]
    fn threads_may_round() {
        let few = |threads, submitted| {
            let mut result = with_made(submitted, Arrivals::Constant);
            let job = &mut result.phases[0].jobs[0];
            job.offered_iops = Some(40.0 / 60.0);
            job.threads = threads;
            found(&CHECK, &result).len()
        };
        let cases = [(8, 40), (8, 32), (8, 48), (1, 41), (1, 42), (8, 49)];
        let found = cases.map(|(threads, submitted)| few(threads, submitted));
        assert_eq!(found, [0, 0, 0, 0, 1, 1]);
    }

    #[test]
    fn flushes_are_no_arrivals() {
        let mut result = with_made(900_000, Arrivals::Constant);
        let job = &mut result.phases[0].jobs[0];
        job.ops[Op::Flush] = job.ops[Op::Read].clone().map(|mut flush| {
            flush.ios = 300_000;
            flush
        });
        assert_eq!(found(&CHECK, &result), []);
    }

    #[test]
    fn poisson_arrivals_may_scatter() {
        // Three times the square root of 600,000 is 2,324; a thousandth of it is 600 more.
        assert_eq!(found(&CHECK, &with_made(597_077, Arrivals::Poisson)), []);
        let message = "10,000 requests per second were requested but 9,951 were made, 0.5 % off";
        assert_eq!(
            found(&CHECK, &with_made(597_075, Arrivals::Poisson)),
            [caveat(Level::Note, message)]
        );
    }
}
