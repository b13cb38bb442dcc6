//! Whether the storage spares itself what is zeros, can be compressed or was there before: the
//! probes of 4.5.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::probed::ratio;
use crate::samples;
use crate::stats::Middle;
use crate::subject;
use fathom_core::figure::decimal;
use fathom_core::result::{Evidence, ProbeKind, ProbeRound, RunResult};
use fathom_core::spec::Fill;
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Rate of zeros or repeats over that of random data
    SPARED: f64 = 1.15, Times, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether zeros or repeated data are written faster than random data",
    needs: Needs::OurRun(&[Evidence::Probe]),
    codes: &[
        entry! { Compresses: Data, Number,
            "note; qualified if the run does not write random data",
            "zeros are written more than {SPARED} as fast as random data (`--probe`)",
            [row::SPARED],
            Example::Run(|| samples::probed(samples::rates(6.1e8, 2.0e8)), |_| ())
        },
        entry! { Dedupes: Data, Number,
            "note; qualified if the run does not write random data",
            "one repeated block is written more than {SPARED} as fast as random data (`--probe`)",
            [row::SPARED],
            Example::Run(|| samples::probed(samples::rates(6.1e8, 5.8e8)), |_| ())
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let rate = ProbeRound::rate;
    let over = |kind| ratio(result, (kind, rate), (ProbeKind::DataRandom, rate));
    let (zeros, repeats) = (over(ProbeKind::DataZeros), over(ProbeKind::DataRepeated));
    let (Some(zeros), Some(repeats)) = (zeros, repeats) else {
        return;
    };
    let spares = |middle: &Middle| middle.low > SPARED;
    let level = level(result);
    let numbers = format!(
        "compared with random data, zeros were written {} as fast and one repeated block {} as \
         fast",
        factor(&zeros),
        factor(&repeats)
    );
    let mut tell = |code: Code, what| {
        caveats
            .push(code.caveat(level, format!("{numbers}: {what}")).remedy(
                "write data similar to the application's (`compressible_to`, `duplicate`)",
            ));
    };
    // A compressor that looks further than one block finds its repeats as well: both are reported.
    if spares(&zeros) {
        tell(Code::Compresses, "the storage compresses or detects zeros");
    }
    if spares(&repeats) {
        tell(
            Code::Dedupes,
            "the storage does not write all repeated data",
        );
    }
}

/// `1.66 × (1.52 to 1.80)`
fn factor(middle: &Middle) -> String {
    format!(
        "{} × ({} to {})",
        decimal(middle.estimate, 2),
        decimal(middle.low, 2),
        decimal(middle.high, 2)
    )
}

/// The number is that of data such as was written: narrower where that could be spared.
fn level(result: &RunResult) -> Level {
    let spared = subject::jobs(result).any(|(_, job, spec)| {
        let data = spec.map(|spec| spec.data);
        job.ops[Op::Write].is_some()
            && data.is_some_and(|data| {
                let whole = data.compressible_to.0 >= 100.0 && data.duplicate.0 <= 0.0;
                let told = matches!(data.fill, Fill::Zero | Fill::File) || data.fill.is_given();
                told || !whole
            })
    });
    if spared {
        Level::Qualified
    } else {
        Level::Note
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use crate::probed::made_up;
    use fathom_core::Op;
    use fathom_core::fixture::{self, JobPlan, Stream, series};

    /// A storage that becomes faster from round to round.
    fn drifting(number: u32) -> f64 {
        1e8 * f64::from(number + 1)
    }

    fn with(zeros: impl Fn(u32) -> f64, repeated: impl Fn(u32) -> f64) -> RunResult {
        made_up::run(vec![
            made_up::with_rates(ProbeKind::DataRandom, drifting),
            made_up::with_rates(ProbeKind::DataZeros, zeros),
            made_up::with_rates(ProbeKind::DataRepeated, repeated),
        ])
    }

    fn times(factor: f64) -> impl Fn(u32) -> f64 {
        move |number| factor * drifting(number)
    }

    fn caveat(code: Code, message: &str) -> Caveat {
        code.caveat(Level::Note, message)
            .remedy("write data similar to the application's (`compressible_to`, `duplicate`)")
    }

    #[test]
    fn what_is_spared_is_told_by_what_it_is() {
        assert_eq!(found(&CHECK, &made_up::run(vec![])), []);
        assert_eq!(found(&CHECK, &with(times(1.149), times(1.149))), []);
        let message = "compared with random data, zeros were written 1.16 × (1.16 to 1.16) as fast \
                       and one repeated block 1.00 × (1.00 to 1.00) as fast: the storage \
                       compresses or detects zeros";
        assert_eq!(
            found(&CHECK, &with(times(1.16), times(1.0))),
            [caveat(Code::Compresses, message)]
        );
        let numbers = "compared with random data, zeros were written 3.00 × (3.00 to 3.00) as fast \
                       and one repeated block 1.50 × (1.50 to 1.50) as fast: the storage";
        assert_eq!(
            found(&CHECK, &with(times(3.0), times(1.5))),
            [
                caveat(
                    Code::Compresses,
                    &format!("{numbers} compresses or detects zeros")
                ),
                caveat(
                    Code::Dedupes,
                    &format!("{numbers} does not write all repeated data")
                ),
            ]
        );
    }

    #[test]
    fn rounds_that_do_not_agree_say_nothing() {
        // A busy machine: in the mean 1.7 times as fast, in half of the rounds.
        let wild = |number| drifting(number) * if number % 2 == 0 { 2.4 } else { 1.0 };
        assert_eq!(found(&CHECK, &with(wild, wild)), []);
        // Nor do too few of them.
        let mut few = with(times(3.0), times(3.0));
        for probe in &mut few.micro_probes {
            probe.rounds.truncate(5);
        }
        assert_eq!(found(&CHECK, &few), []);
    }

    #[test]
    fn a_run_that_wrote_what_is_spared_is_narrower() {
        let stream = Stream::random(Op::Write, 4096, series(5_000, 60));
        let jobs = vec![JobPlan::closed("log", 1, vec![stream])];
        let mut result = fixture::run("log", &[("measure", jobs)]);
        result.micro_probes = with(times(3.0), times(1.0)).micro_probes;
        let level = |result: &RunResult| found(&CHECK, result)[0].level;
        assert_eq!(level(&result), Level::Note);
        let data = &mut result.provenance.workload.phases[0].jobs[0].data;
        data.compressible_to = fathom_core::Percent(50.0);
        assert_eq!(level(&result), Level::Qualified);
    }
}
