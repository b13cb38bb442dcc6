//! Durable writes that cost less than writes and flushes.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::probed::{flushed_ns, median, ratio};
use crate::samples;
use fathom_core::figure::{decimal, time};
use fathom_core::result::{Evidence, MicroProbe, ProbeKind, ProbeRound, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Time of a durable write over one that is flushed, from which it is much cheaper
    DSYNC_CHEAPER: f64 = 0.5, Times, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether durable writes cost less than writes plus flushes",
    needs: Needs::OurRun(&[Evidence::Probe]),
    codes: &[entry! { DsyncCheaper: Data, Nothing, "note",
        "a write with `O_DSYNC` takes less than {DSYNC_CHEAPER:part} of one with `fdatasync` \
         (`--probe`)",
        [row::DSYNC_CHEAPER],
        Example::Run(
            || {
                samples::probed({
                    let mut probes = samples::flushed(21_000, 890_000);
                    probes.extend(samples::times(&[(ProbeKind::WriteDurable, 140_000)]));
                    probes
                })
            },
            |_| (),
        )
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let ratio = ratio(
        result,
        (ProbeKind::WriteDurable, ProbeRound::service),
        (ProbeKind::WriteFlush, ProbeRound::flushed),
    );
    let Some(ratio) = ratio.filter(|ratio| ratio.high < DSYNC_CHEAPER) else {
        return;
    };
    let durable = median(result, ProbeKind::WriteDurable, MicroProbe::median_ns);
    let (Some(durable), Some(flushed)) = (durable, flushed_ns(result)) else {
        return;
    };
    let message = format!(
        "a durable write (O_DSYNC) takes {}, a write with fdatasync {} ({} × as long). The storage \
         writes through faster than it flushes",
        time(durable),
        time(flushed),
        decimal(1.0 / ratio.estimate, 1)
    );
    caveats.push(Code::DsyncCheaper.caveat(Level::Note, message).remedy(
        "configure the database to open its log with O_DSYNC (PostgreSQL: wal_sync_method = \
         open_datasync; MySQL: innodb_flush_method = O_DSYNC)",
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use crate::probed::made_up::{run, with_flush, with_median};

    #[test]
    fn durable_writes_that_cost_half_a_flush_are_advised() {
        let with = |durable_ns| {
            run(vec![
                with_flush(50_000, 950_000),
                with_median(ProbeKind::WriteDurable, durable_ns),
            ])
        };
        assert_eq!(found(&CHECK, &with(500_000)), []);
        let message = "a durable write (O_DSYNC) takes 100 µs, a write with fdatasync 1.00 ms \
                       (10.0 × as long). The storage writes through faster than it flushes";
        let expected = Code::DsyncCheaper.caveat(Level::Note, message).remedy(
            "configure the database to open its log with O_DSYNC (PostgreSQL: wal_sync_method = \
             open_datasync; MySQL: innodb_flush_method = O_DSYNC)",
        );
        assert_eq!(found(&CHECK, &with(100_000)), [expected]);
    }
}
