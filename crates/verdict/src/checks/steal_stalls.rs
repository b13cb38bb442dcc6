//! Whether requests took longer when the hypervisor kept the processor.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::stats::rank_correlation;
use crate::subject;
use fathom_core::figure::{decimal, percent};
use fathom_core::interval::Part;
use fathom_core::result::{
    CpuShares, Evidence, IntervalResult, MachineInterval, PhaseResult, RunResult,
};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Rank correlation of stolen time and service time from which they rise together
    TOGETHER: f64 = 0.5, Count, Decided;
    /// Chance (p) of as high a rank correlation below which it is none
    TOGETHER_P: f64 = 0.01, Count, Decided;
    /// Intervals that a rank correlation rests on at least
    TOGETHER_INTERVALS: usize = 10, Count, Decided;
    /// Mean percent of stolen time below which none is reported
    TOGETHER_STEAL: f64 = 0.1, Percent, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether stalls coincide with stolen CPU time",
    needs: Needs::OurRun(&[Evidence::Steal]),
    codes: &[entry! { StealStalls: Surroundings, Machine, "qualified",
        "stolen time and service times rise together (rank correlation above {TOGETHER}, p < \
         {TOGETHER_P}) over {TOGETHER_INTERVALS:word} intervals or more",
        [row::TOGETHER, row::TOGETHER_P, row::TOGETHER_INTERVALS, row::TOGETHER_STEAL],
        Example::Run(samples::reads, stolen)
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let (stolen, took): (Vec<f64>, Vec<f64>) = pairs(phase).into_iter().unzip();
        let mean = stolen.iter().sum::<f64>() / stolen.len().max(1) as f64;
        if stolen.len() < TOGETHER_INTERVALS || mean < TOGETHER_STEAL {
            continue;
        }
        let Some(found) = rank_correlation(&stolen, &took) else {
            continue;
        };
        if found.rho <= TOGETHER || found.p >= TOGETHER_P {
            continue;
        }
        let message = format!(
            "requests took longer when the hypervisor gave the CPU to others ({} of the time; rank \
             correlation {} over {} intervals)",
            percent(mean),
            decimal(found.rho, 2),
            stolen.len()
        );
        caveats.push(
            Code::StealStalls
                .caveat(Level::Qualified, message)
                .remedy("measure again when the host is less busy, or on a dedicated host")
                .about(subject::phase(result, phase)),
        );
    }
}

/// Share of stolen time and mean service time, for each interval that has both.
fn pairs(phase: &PhaseResult) -> Vec<(f64, f64)> {
    let measured = phase.intervals.iter();
    let measured = measured.filter(|one| one.part == Part::Measure);
    let pair = |interval: &IntervalResult| {
        let near = |start_ns: u64| start_ns.abs_diff(interval.start_ns) * 2 < interval.length_ns;
        let machine = phase.machine.iter().find(|one| near(one.start_ns))?;
        Some((machine.cpu?.steal_percent, mean_service_ns(interval)?))
    };
    measured.filter_map(pair).collect()
}

fn mean_service_ns(interval: &IntervalResult) -> Option<f64> {
    let ops = interval.jobs.iter();
    let ops = ops.flat_map(|job| job.ops.present());
    let (sum, count) = ops.fold((0.0, 0), |(sum, count), (_, one)| {
        let own = one.service_ns.count;
        (sum + one.service_ns.mean * own as f64, count + own)
    });
    (count > 0).then(|| sum / count as f64)
}

/// Ten intervals that took the longer the more the hypervisor kept.
fn stolen(result: &mut RunResult) {
    let stolen = [0.0, 3.0, 0.0, 5.0, 0.0, 1.0, 2.0, 0.0, 4.0, 0.0];
    let phase = samples::phase(result);
    phase.intervals.retain(|one| one.part == Part::Measure);
    phase.intervals.truncate(stolen.len());
    for (interval, percent) in phase.intervals.iter_mut().zip(stolen) {
        let read = interval.jobs[0].ops[Op::Read].as_mut().expect("it reads");
        read.service_ns.count = read.ios;
        read.service_ns.mean = 1e5 + percent * 1e4;
        let cpu = CpuShares {
            steal_percent: percent,
            ..CpuShares::default()
        };
        phase.machine.push(MachineInterval {
            start_ns: interval.start_ns,
            length_ns: interval.length_ns,
            cpu: Some(cpu),
            ..MachineInterval::default()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::{CpuShares, MachineInterval};

    /// A run whose intervals lost so much to the hypervisor, and took so much longer.
    fn with(stolen: &[f64], took_ns: &[f64]) -> RunResult {
        let mut result = fixture::random_read();
        let phase = &mut result.phases[0];
        phase.intervals.retain(|one| one.part == Part::Measure);
        phase.intervals.truncate(stolen.len());
        for (interval, took) in phase.intervals.iter_mut().zip(took_ns) {
            let read = interval.jobs[0].ops[Op::Read].as_mut().expect("it reads");
            read.service_ns.count = read.ios;
            read.service_ns.mean = *took;
        }
        let machine = phase.intervals.iter().zip(stolen).map(|(one, stolen)| {
            let cpu = CpuShares {
                steal_percent: *stolen,
                ..CpuShares::default()
            };
            MachineInterval {
                start_ns: one.start_ns + 1_000_000,
                length_ns: one.length_ns,
                cpu: Some(cpu),
                ..MachineInterval::default()
            }
        });
        phase.machine = machine.collect();
        result
    }

    #[test]
    fn time_that_is_lost_together_is_told() {
        let stolen = [0.0, 3.0, 0.0, 5.0, 0.0, 0.0, 2.0, 0.0, 4.0, 0.0];
        let took = stolen.map(|stolen| 1e5 + stolen * 1e4);
        let message = "requests took longer when the hypervisor gave the CPU to others (1.4 % of \
                       the time; rank correlation 1.00 over 10 intervals)";
        let expected = Code::StealStalls
            .caveat(Level::Qualified, message)
            .remedy("measure again when the host is less busy, or on a dedicated host")
            .about("measure");
        assert_eq!(found(&CHECK, &with(&stolen, &took)), [expected]);
        assert_eq!(found(&CHECK, &with(&stolen[..9], &took[..9])), []);
        let mut other = took;
        other.rotate_left(1);
        assert_eq!(found(&CHECK, &with(&stolen, &other)), []);
        let little = stolen.map(|stolen| stolen / 20.0);
        assert_eq!(found(&CHECK, &with(&little, &took)), []);
        assert_eq!(found(&CHECK, &fixture::random_read()), []);
    }
}
