//! Whether a flush makes the device do anything.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::probed::{flushed_ns, level, median, ratio};
use crate::samples;
use crate::subject;
use crate::traffic::devices;
use fathom_core::figure::{decimal, time};
use fathom_core::result::{Evidence, MicroProbe, ProbeKind, ProbeRound, RunResult};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// A flush that costs less does nothing
    FLUSH_FREE_NS: f64 = 20_000.0, Nanoseconds, Decided;
    /// Time of a flushed write over one that is not, from which what is not flushed is volatile
    FLUSH_REAL: f64 = 5.0, Times, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether a flush has any effect on the device",
    needs: Needs::OurRun(&[Evidence::Probe]),
    codes: &[
        entry! { FlushFree: Data, Number, "note; qualified if the run flushes",
            "`fdatasync` after a write costs less than {FLUSH_FREE_NS} on a device with a volatile \
             cache (`--probe`)",
            [row::FLUSH_FREE_NS],
            Example::Run(|| samples::probed(samples::flushed(21_000, 2_400)), |_| ())
        },
        entry! { FlushReal: Data, Nothing, "note",
            "a write with `fdatasync` takes more than {FLUSH_REAL} one without, on a device with a \
             volatile cache (`--probe`)",
            [row::FLUSH_REAL],
            Example::Run(
                || samples::probed(samples::flushed(21_000, 890_000)),
                |_| (),
            )
        },
    ],
    run,
};

/// Whether a device says that it loses what it has not flushed.
fn is_volatile(result: &RunResult) -> bool {
    devices(result).any(|device| device.leaf && device.write_cache == "write back")
}

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    if !is_volatile(result) {
        return;
    }
    let cost = level(result, ProbeKind::WriteFlush, ProbeRound::flush);
    if cost.is_some_and(|cost| cost.high < FLUSH_FREE_NS) {
        caveats.extend(free(result));
    }
    let factor = ratio(
        result,
        (ProbeKind::WriteFlush, ProbeRound::flushed),
        (ProbeKind::Write, ProbeRound::service),
    );
    if let Some(factor) = factor.filter(|factor| factor.low > FLUSH_REAL)
        && let Some(flushed) = flushed_ns(result)
    {
        let message = format!(
            "a write with a flush takes {}, {} × one without. The device has a volatile write \
             cache, and a flush empties it",
            time(flushed),
            decimal(factor.estimate, 1)
        );
        caveats.push(Code::FlushReal.caveat(Level::Note, message).remedy(
            "count commits as writes with a flush, and let several commits share one \
                         flush",
        ));
    }
}

/// A flush that costs nothing.
fn free(result: &RunResult) -> Option<Caveat> {
    let cost = median(result, ProbeKind::WriteFlush, MicroProbe::flush_median_ns)?;
    let alone = median(result, ProbeKind::Flush, MicroProbe::flush_median_ns);
    let alone = alone.map_or_else(String::new, |alone| {
        format!(" (with nothing to write back {})", time(alone))
    });
    let message = format!(
        "a flush after a write costs {}{alone}, although the device reports a volatile write \
         cache. Either the cache has power-loss protection, or the flush does nothing",
        time(cost)
    );
    let flushes = subject::jobs(result).any(|(_, job, spec)| {
        let durable = spec.is_some_and(|spec| spec.durability.write_through);
        job.ops[Op::Flush].is_some() || durable
    });
    let level = if flushes {
        Level::Qualified
    } else {
        Level::Note
    };
    let caveat = Code::FlushFree.caveat(level, message);
    Some(caveat.remedy("check the power-loss protection of the cache (data sheet, battery state)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use crate::probed::made_up::{run, with_flush, with_flush_alone, with_median};

    fn volatile(mut result: RunResult) -> RunResult {
        result.provenance.targets[0].devices[0].write_cache = "write back".to_owned();
        result
    }

    #[test]
    fn a_flush_for_nothing_is_told_where_a_cache_is_volatile() {
        let with = |flush_ns| {
            volatile(run(vec![
                with_median(ProbeKind::Write, 50_000),
                with_flush(50_000, flush_ns),
                with_flush_alone(12_000),
            ]))
        };
        let expected = |level| {
            let message = "a flush after a write costs 19.9 µs (with nothing to write back 12.0 \
                           µs), although the device reports a volatile write cache. Either the \
                           cache has power-loss protection, or the flush does nothing";
            Code::FlushFree
                .caveat(level, message)
                .remedy("check the power-loss protection of the cache (data sheet, battery state)")
        };
        assert_eq!(found(&CHECK, &with(20_000)), []);
        assert_eq!(found(&CHECK, &with(19_900)), [expected(Level::Note)]);
        let mut through = with(19_900);
        through.provenance.targets[0].devices[0].write_cache = "write through".to_owned();
        assert_eq!(found(&CHECK, &through), []);
        let mut durable = with(19_900);
        durable.provenance.workload.phases[0].jobs[0]
            .durability
            .write_through = true;
        assert_eq!(found(&CHECK, &durable), [expected(Level::Qualified)]);
    }

    #[test]
    fn a_flush_that_costs_much_is_real() {
        let with = |flush_ns| {
            volatile(run(vec![
                with_median(ProbeKind::Write, 50_000),
                with_flush(50_000, flush_ns),
            ]))
        };
        assert_eq!(found(&CHECK, &with(200_000)), []);
        let message = "a write with a flush takes 260 µs, 5.2 × one without. The device has a \
                       volatile write cache, and a flush empties it";
        let expected = Code::FlushReal.caveat(Level::Note, message).remedy(
            "count commits as writes with a flush, and let several commits share one flush",
        );
        assert_eq!(found(&CHECK, &with(210_000)), [expected]);
    }
}
