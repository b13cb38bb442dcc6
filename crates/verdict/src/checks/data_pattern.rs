//! Whether the storage spares itself what is zeros, can be compressed or was there before: the
//! probes of 4.5.

use crate::check::Check;
use crate::probed::rates;
use crate::subject;
use crate::thresholds::SPARED;
use fathom_core::figure::decimal;
use fathom_core::result::{Evidence, ProbeKind, RunResult};
use fathom_core::spec::Fill;
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    codes: &["compresses", "dedupes"],
    needs: &[Evidence::Probe],
    purpose: "whether zeros or repeats are written faster than random data (P40, P41)",
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let random = rates(result, ProbeKind::DataRandom);
    let faster = |kind| least_ratio(&rates(result, kind), &random).filter(|ratio| *ratio > SPARED);
    let (zeros, repeats) = (
        faster(ProbeKind::DataZeros),
        faster(ProbeKind::DataRepeated),
    );
    let level = level(result);
    // A compressor that looks further than one block finds its repeats as well: both are told.
    let found = [
        ("compresses", zeros, "zeros"),
        ("dedupes", repeats, "one block over and over"),
    ];
    for (code, ratio, what) in found {
        let Some(ratio) = ratio else { continue };
        let message = format!(
            "{what} went {} × as fast as random data: the storage does not write all that it is \
             given",
            decimal(ratio, 2)
        );
        caveats.push(
            Caveat::new(code, level, message)
                .remedy("write data like that of the application (compressible-to, duplicate)"),
        );
    }
}

/// The ratio that all rounds reach: what drifts does not come back in the second.
fn least_ratio(ours: &[f64], random: &[f64]) -> Option<f64> {
    let pairs = ours.iter().zip(random).filter(|(_, random)| **random > 0.0);
    pairs.map(|(ours, random)| ours / random).reduce(f64::min)
}

/// The number is that of data such as was written: narrower where that could be spared.
fn level(result: &RunResult) -> Level {
    let spared = subject::jobs(result).any(|(_, job, spec)| {
        let data = spec.map(|spec| spec.data);
        job.write.is_some()
            && data.is_some_and(|data| {
                let whole = data.compressible_to.0 >= 100.0 && data.duplicate.0 <= 0.0;
                data.fill == Fill::Zero || !whole
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

    fn with(zeros: [f64; 2], repeated: [f64; 2]) -> RunResult {
        let kinds = [
            (ProbeKind::DataRandom, [1e8, 2e8]),
            (ProbeKind::DataZeros, zeros),
            (ProbeKind::DataRepeated, repeated),
        ];
        let probes = kinds
            .iter()
            .flat_map(|(kind, rates)| rates.iter().map(|rate| made_up::with_rate(*kind, *rate)));
        made_up::run(probes.collect())
    }

    fn caveat(code: &str, level: Level, message: &str) -> Caveat {
        Caveat::new(code, level, message)
            .remedy("write data like that of the application (compressible-to, duplicate)")
    }

    #[test]
    fn what_is_spared_is_told_by_what_it_is() {
        assert_eq!(found(&CHECK, &made_up::run(vec![])), []);
        // The second round of zeros is no faster: the device had drifted.
        assert_eq!(found(&CHECK, &with([3e8, 2.3e8], [1e8, 2e8])), []);
        let message = "zeros went 1.16 × as fast as random data: the storage does not write all \
                       that it is given";
        assert_eq!(
            found(&CHECK, &with([3e8, 2.32e8], [1e8, 2e8])),
            [caveat("compresses", Level::Note, message)]
        );
        let message = "one block over and over went 1.50 × as fast as random data: the storage \
                       does not write all that it is given";
        assert_eq!(
            found(&CHECK, &with([1e8, 2e8], [1.5e8, 3e8])),
            [caveat("dedupes", Level::Note, message)]
        );
        let both = found(&CHECK, &with([3e8, 6e8], [1.5e8, 3e8]));
        let codes: Vec<&str> = both.iter().map(|one| one.code.as_str()).collect();
        assert_eq!(codes, ["compresses", "dedupes"]);
    }

    #[test]
    fn a_run_that_wrote_what_is_spared_is_narrower() {
        let stream = Stream::random(Op::Write, 4096, series(5_000, 60));
        let jobs = vec![JobPlan::closed("log", 1, vec![stream])];
        let mut result = fixture::run("log", &[("measure", jobs)]);
        result.probes = with([3e8, 6e8], [1e8, 2e8]).probes;
        let level = |result: &RunResult| found(&CHECK, result)[0].level;
        assert_eq!(level(&result), Level::Note);
        let data = &mut result.provenance.workload.phases[0].jobs[0].data;
        data.compressible_to = fathom_core::Percent(50.0);
        assert_eq!(level(&result), Level::Qualified);
    }
}
