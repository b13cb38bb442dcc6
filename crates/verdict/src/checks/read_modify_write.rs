//! Whether a write that is out of line makes the storage read first: the probe of 4.6.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::probed::{find, ratio};
use crate::samples;
use crate::subject;
use fathom_core::figure::{decimal, time};
use fathom_core::result::{Evidence, MicroProbe, ProbeKind, ProbeRound, RunResult};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Time of misaligned writes over that of aligned ones
    MISALIGNED: f64 = 1.3, Times, Decided;
    /// The unit that the aligned writes keep to: the physical block of today's disks
    ALIGNED_BYTES: u64 = 4096, Bytes, Decided;

    listed:

    /// The unit of the others: a sector
    fathom_core::result::MicroProbe::SHIFT_BYTES as SHIFT_BYTES, Bytes, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether misaligned writes also cost a read",
    needs: Needs::OurRun(&[Evidence::Probe]),
    codes: &[
        entry! { Rmw: Data, Number, "note; qualified if the run writes misaligned",
            "a write at a multiple of {SHIFT_BYTES} takes more than {MISALIGNED} one at a multiple \
             of {ALIGNED_BYTES} (`--probe`)",
            [row::MISALIGNED, row::ALIGNED_BYTES, row::SHIFT_BYTES],
            Example::Run(
                || {
                    samples::probed(samples::times(&[
                        (ProbeKind::Write, 104_000),
                        (ProbeKind::Shifted, 251_000),
                    ]))
                },
                |_| (),
            )
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let own = ProbeRound::service;
    let ratio = ratio(result, (ProbeKind::Shifted, own), (ProbeKind::Write, own));
    let Some(ratio) = ratio.filter(|ratio| ratio.low > MISALIGNED) else {
        return;
    };
    let median = |kind| find(result, kind).and_then(MicroProbe::median_ns);
    let (Some(aligned), Some(shifted)) = (median(ProbeKind::Write), median(ProbeKind::Shifted))
    else {
        return;
    };
    let ours = subject::jobs(result).any(|(_, job, spec)| {
        let kinds = spec.map_or(&[][..], |spec| &spec.kinds);
        let aligned = |bytes: u64| bytes.is_multiple_of(ALIGNED_BYTES);
        let mut writes = kinds.iter().filter(|kind| kind.op == Op::Write);
        job.ops[Op::Write].is_some()
            && writes.any(|kind| !aligned(kind.align.0 | kind.block_size.0))
    });
    let message = format!(
        "a 4 KiB write at a multiple of 512 bytes took {}, at a multiple of 4 KiB {} ({} ×). The \
         storage first reads the surrounding block",
        time(shifted as f64),
        time(aligned as f64),
        decimal(ratio.estimate, 2)
    );
    let level = if ours { Level::Qualified } else { Level::Note };
    caveats.push(
        Code::Rmw
            .caveat(level, message)
            .remedy("align partitions, files and requests to at least 4 KiB"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use crate::probed::made_up::{run, with_median};
    use fathom_core::fixture::{self, JobPlan, Stream, series};

    fn probes(shifted_ns: u64) -> Vec<MicroProbe> {
        vec![
            with_median(ProbeKind::Write, 100_000),
            with_median(ProbeKind::Shifted, shifted_ns),
        ]
    }

    fn caveat(level: Level) -> Caveat {
        let message = "a 4 KiB write at a multiple of 512 bytes took 131 µs, at a multiple of 4 \
                       KiB 100 µs (1.31 ×). The storage first reads the surrounding block";
        Code::Rmw
            .caveat(level, message)
            .remedy("align partitions, files and requests to at least 4 KiB")
    }

    #[test]
    fn out_of_line_writes_that_take_longer_are_told() {
        assert_eq!(found(&CHECK, &run(vec![])), []);
        assert_eq!(found(&CHECK, &run(probes(130_000))), []);
        assert_eq!(found(&CHECK, &run(probes(131_000))), [caveat(Level::Note)]);
    }

    #[test]
    fn they_narrow_a_run_that_makes_them() {
        let stream = Stream::random(Op::Write, 4096, series(5_000, 60));
        let jobs = vec![JobPlan::closed("log", 1, vec![stream])];
        let mut result = fixture::run("log", &[("measure", jobs)]);
        result.micro_probes = probes(131_000);
        assert_eq!(found(&CHECK, &result), [caveat(Level::Note)]);
        result.provenance.workload.phases[0].jobs[0].kinds[0]
            .align
            .0 = 512;
        assert_eq!(found(&CHECK, &result), [caveat(Level::Qualified)]);
    }
}
