//! What the generator spends on requests before it hands them on: not in the service time, but the
//! storage has nothing to do meanwhile, unless others keep it busy.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{percent, time};
use fathom_core::result::{JobResult, RunResult};
use fathom_core::summary::Spread;
use fathom_core::{Caveat, Level};

thresholds! {
    /// Mean generation time over the mean service time that is let pass
    GENERATION_TIME: f64 = 0.05, Share, Decided;
    /// Minimum number of requests for a meaningful mean
    GENERATION_LEAST_IOS: u64 = 1_000, Count, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether preparing requests took long compared with the storage",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { GenerationTime: Generator, Machine, "note",
        "requests waited longer than {GENERATION_TIME} of the mean service time while their batch \
         was prepared, which the service time does not include ({GENERATION_LEAST_IOS:count} \
         requests or more, except on the null engine)",
        [row::GENERATION_TIME, row::GENERATION_LEAST_IOS],
        Example::Run(samples::reads, |r| {
            let read = samples::reads_of(r);
            read.generation_ns = Some(Spread {
                count: read.ios,
                mean: read.service_ns.mean * 0.12,
                ..Spread::default()
            });
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    // Where there is no storage, what is left is the generator.
    if !subject::touches_storage(result) {
        return;
    }
    for (phase, job, _) in subject::jobs(result) {
        if let Some(message) = judge(job) {
            let remedy = "use more threads, a smaller queue_depth, or data that costs less to \
                          generate (fill, verify)";
            caveats.push(
                Code::GenerationTime
                    .caveat(Level::Note, message)
                    .remedy(remedy)
                    .about(subject::job(result, phase, job)),
            );
        }
    }
}

/// Every operation for which it is much.
fn judge(job: &JobResult) -> Option<String> {
    let much = job.ops.present().filter_map(|(op, result)| {
        let generation = result.generation_ns?;
        let share = generation.mean / result.service_ns.mean.max(1.0);
        (share > GENERATION_TIME && result.ios >= GENERATION_LEAST_IOS).then(|| {
            format!(
                "each {} waited {} while its batch was prepared, {} of its mean service time",
                op.name(),
                time(generation.mean),
                percent(share * 100.0)
            )
        })
    });
    let much: Vec<String> = much.collect();
    (!much.is_empty()).then(|| format!("{}. The service time does not include it", much.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::{Op, fixture};

    /// Reads that took so much of their mean service time to prepare.
    fn prepared(share: f64) -> RunResult {
        let mut result = fixture::random_read();
        let read = result.phases[0].jobs[0].ops[Op::Read].as_mut().unwrap();
        read.service_ns.mean = 200_000.0;
        read.generation_ns = Some(Spread {
            count: read.ios,
            mean: 200_000.0 * share,
            ..Spread::default()
        });
        result
    }

    #[test]
    fn what_takes_a_twentieth_of_the_service_time_is_told() {
        assert_eq!(found(&CHECK, &fixture::random_read()), []);
        assert_eq!(found(&CHECK, &prepared(0.05)), []);
        let message = "each read waited 24.0 µs while its batch was prepared, 12.0 % of its mean \
                       service time. The service time does not include it";
        let remedy = "use more threads, a smaller queue_depth, or data that costs less to generate \
                      (fill, verify)";
        let expected = Code::GenerationTime
            .caveat(Level::Note, message)
            .remedy(remedy)
            .about("measure/read");
        assert_eq!(found(&CHECK, &prepared(0.12)), [expected]);
    }

    #[test]
    fn without_storage_or_requests_nothing_is_told() {
        let mut null = prepared(0.5);
        null.provenance.engine.name = "null".to_owned();
        assert_eq!(found(&CHECK, &null), []);
        let mut few = prepared(0.5);
        few.phases[0].jobs[0].ops[Op::Read].as_mut().unwrap().ios = GENERATION_LEAST_IOS - 1;
        assert_eq!(found(&CHECK, &few), []);
    }
}
