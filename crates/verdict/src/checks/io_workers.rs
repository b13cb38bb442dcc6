//! io_uring requests that the kernel could not take without waiting, and gave to threads.

use super::generator_cpu;
use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{percent, plural};
use fathom_core::result::RunResult;
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of the processor time from which the workers of io_uring are part of what is measured
    IO_WORKERS: f64 = 0.05, Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the kernel passed io_uring requests to worker threads",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { IoWorkers: Generator, Machine, "qualified",
        "the kernel's io_uring workers used {IO_WORKERS} of the CPU time or more",
        [row::IO_WORKERS, crate::checks::generator_cpu::row::GENERATOR_LEAST_NS,
            crate::checks::generator_cpu::row::GENERATOR_LEAST_IOS],
        Example::Run(samples::reads, |r| {
            let process = &mut samples::phase(r).process;
            process.kernel_workers = 12;
            process.kernel_worker_ns = process.system_ns / 2;
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    // A thread that polls for submissions was asked for.
    let flags = &result.provenance.engine.flags;
    if flags.iter().any(|flag| flag == "submission_polling") {
        return;
    }
    for phase in &result.phases {
        let process = &phase.process;
        let total = process.user_ns + process.system_ns;
        let share = process.kernel_worker_ns as f64 / total.max(1) as f64;
        let is_little = process.kernel_workers == 0 || !generator_cpu::is_enough(phase);
        if is_little || share < IO_WORKERS {
            continue;
        }
        let message = format!(
            "the kernel passed io_uring requests to {} ({} of the CPU time). The device or file \
             system cannot accept them without blocking (no NOWAIT)",
            plural(u64::from(process.kernel_workers), "worker thread"),
            percent(share * 100.0)
        );
        caveats.push(
            Code::IoWorkers
                .caveat(Level::Qualified, message)
                .remedy("use --engine psync with more threads, or libaio, for this target")
                .about(subject::phase(result, phase)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn workers_that_do_the_work_are_named() {
        let mut result = fixture::random_read();
        let process = &mut result.phases[0].process;
        let total = process.user_ns + process.system_ns;
        process.kernel_workers = 12;
        process.kernel_worker_ns = total / 20 - 1;
        assert_eq!(found(&CHECK, &result), []);
        result.phases[0].process.kernel_worker_ns = total / 2;
        let mut polling = result.clone();
        polling.provenance.engine.flags = vec!["submission_polling".to_owned()];
        assert_eq!(found(&CHECK, &polling), []);
        let expected = Code::IoWorkers
            .caveat(
                Level::Qualified,
                "the kernel passed io_uring requests to 12 worker threads (50.0 % of the CPU \
                 time). The device or file system cannot accept them without blocking (no NOWAIT)",
            )
            .remedy("use --engine psync with more threads, or libaio, for this target")
            .about("measure");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}
