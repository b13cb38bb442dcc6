//! Threads without time to spare: the processor sets the pace, not the storage.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{percent, plural};
use fathom_core::result::{LoadModel, PhaseResult, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of a processor that each thread that does not poll may use: noted, suspect
    GENERATOR_CPU: (f64, f64) = (0.70, 0.90), Share, Decided;
    /// Minimum measured time for CPU time and waiting time of the load generator to be evaluated:
    /// the counters are read within milliseconds, and some of them have a resolution of 10 ms
    GENERATOR_LEAST_NS: u64 = 1_000_000_000, Nanoseconds, Decided;
    /// Requests below which the processor time is that of the run and not that of the requests
    GENERATOR_LEAST_IOS: u64 = 1_000, Count, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the threads of the load generator had spare CPU time",
    needs: Needs::OurRun(&[]),
    codes: &[
        entry! { GeneratorCpu: Generator, Machine, "suspect; note from {GENERATOR_CPU.0}",
            "a closed loop without polling used {GENERATOR_CPU.1} of its threads' CPU time, over \
             {GENERATOR_LEAST_NS:one} and {GENERATOR_LEAST_IOS:count} requests or more",
            [row::GENERATOR_CPU, row::GENERATOR_LEAST_NS, row::GENERATOR_LEAST_IOS],
            Example::Run(samples::reads, |r| {
                samples::phase(r).process.system_ns = samples::phase(r).measured_ns / 100 * 92;
                samples::phase(r).process.user_ns = samples::phase(r).measured_ns / 100 * 5;
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let engine = &result.provenance.engine;
    // Polling burns a processor by design; without storage the processor is what is measured.
    let polls = engine.flags.iter().any(|flag| flag.ends_with("_polling"));
    if polls || !subject::touches_storage(result) {
        return;
    }
    for phase in &result.phases {
        // An open load spins before each arrival; whether it kept up is another check.
        if phase
            .jobs
            .iter()
            .any(|job| job.load_model == LoadModel::Open)
        {
            continue;
        }
        if !is_enough(phase) {
            continue;
        }
        let (threads, busy) = busy(result, phase);
        let level = match busy {
            idle if idle < GENERATOR_CPU.0 => continue,
            high if high < GENERATOR_CPU.1 => Level::Note,
            _ => Level::Suspect,
        };
        let message = format!(
            "{} used {} of the available CPU time. The CPU may be the limit instead of the storage",
            plural(threads, "thread"),
            percent(busy * 100.0)
        );
        caveats.push(
            Code::GeneratorCpu
                .caveat(level, message)
                .remedy("use more threads, up to the number of CPUs, or larger requests")
                .about(subject::phase(result, phase)),
        );
    }
}

/// Whether a phase had the time and the requests that make its processor time theirs.
pub(crate) fn is_enough(phase: &PhaseResult) -> bool {
    let requests: u64 = phase
        .jobs
        .iter()
        .map(|job| job.completed + job.failed)
        .sum();
    phase.measured_ns >= GENERATOR_LEAST_NS && requests >= GENERATOR_LEAST_IOS
}

/// The threads of a phase, and the share of the processor time they could have had that they used.
/// The kernel's workers are left out.
fn busy(result: &RunResult, phase: &PhaseResult) -> (u64, f64) {
    let threads: u64 = phase.jobs.iter().map(|job| u64::from(job.threads)).sum();
    let processors = u64::from(result.provenance.host.cpus.max(1));
    let process = &phase.process;
    let used = (process.user_ns + process.system_ns).saturating_sub(process.kernel_worker_ns);
    let available = threads.min(processors).max(1) * phase.measured_ns.max(1);
    (threads, used as f64 / available as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    fn with_busy_percent(share: u64) -> RunResult {
        let mut result = fixture::random_read();
        let phase = &mut result.phases[0];
        phase.process.user_ns = 0;
        phase.process.system_ns = phase.measured_ns / 100 * share;
        result
    }

    fn caveat(level: Level, message: &str) -> Caveat {
        Code::GeneratorCpu
            .caveat(level, message)
            .remedy("use more threads, up to the number of CPUs, or larger requests")
            .about("measure")
    }

    #[test]
    fn a_busy_thread_is_noted_and_a_full_one_suspect() {
        assert_eq!(found(&CHECK, &with_busy_percent(69)), []);
        let message = "1 thread used 70.0 % of the available CPU time. The CPU may be the limit \
                       instead of the storage";
        assert_eq!(
            found(&CHECK, &with_busy_percent(70)),
            [caveat(Level::Note, message)]
        );
        let message = "1 thread used 97.0 % of the available CPU time. The CPU may be the limit \
                       instead of the storage";
        assert_eq!(
            found(&CHECK, &with_busy_percent(97)),
            [caveat(Level::Suspect, message)]
        );
    }

    /// Ten requests in a moment: the time is that of the thread that reads the counters.
    #[test]
    fn little_is_not_judged() {
        let mut few = with_busy_percent(192);
        few.phases[0].jobs[0].completed = 999;
        let mut short = with_busy_percent(192);
        short.phases[0].measured_ns = 999_999_999;
        for result in [few, short] {
            assert_eq!(found(&CHECK, &result), []);
        }
    }

    #[test]
    fn polling_open_loads_and_no_storage_are_not_judged() {
        let mut polling = with_busy_percent(100);
        polling.provenance.engine.flags = vec!["completion_polling".to_owned()];
        let mut open = with_busy_percent(100);
        open.phases[0].jobs[0].load_model = LoadModel::Open;
        let mut null = with_busy_percent(100);
        null.provenance.engine.name = "null".to_owned();
        for result in [polling, open, null] {
            assert_eq!(found(&CHECK, &result), []);
        }
    }
}
