//! Who acknowledges a write, and what it costs to be sure of one: the probes of 4.4.

use crate::check::{Check, Code, Effect, Entry, Example, Group, Needs, thresholds};
use crate::ledger::devices;
use crate::probed::{find, level, ratio};
use crate::samples;
use crate::subject;
use fathom_core::figure::{decimal, time};
use fathom_core::result::{Evidence, MicroProbe, ProbeKind, ProbeRound, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// A single write over a single read below which a buffer acknowledges it
    WRITE_BACK: f64 = 0.8, Times, Decided "4.4, P30";
    /// A single write over a single read below which that is certain
    WRITE_BACK_CERTAIN: f64 = 0.5, Times, Decided "4.4, P30";
    /// Half a turn of the fastest disks, 15,000 a minute: what takes half of that was not written,
    /// and what is flushed sooner was not either
    HALF_TURN_NS: f64 = 2e6, Nanoseconds, Verified "4.4, P30";
    /// A flush that costs less does nothing
    FLUSH_FREE_NS: f64 = 20_000.0, Nanoseconds, Decided "4.4, P31";
    /// Time of a flushed write over one that is not, from which what is not flushed is volatile
    FLUSH_REAL: f64 = 5.0, Times, Decided "4.4";
    /// Time of a durable write over one that is flushed, from which it is much cheaper
    DSYNC_CHEAPER: f64 = 0.5, Times, Decided "4.4";
}

pub(crate) const ACKNOWLEDGED: Check = Check {
    purpose: "whether writes are acknowledged by a buffer (P30)",
    needs: Needs::OurRun(&[Evidence::Probe]),
    codes: &[Entry {
        code: Code::WritebackAck,
        group: Group::Data,
        effect: Effect::Number,
        point: "P30",
        level: "note; qualified on a rotating disk",
        when: "a single write takes less than {WRITE_BACK:bare} of a single read, or less than \
               {HALF_TURN_NS:half} on a rotating disk whose reads take longer (`--probe`)",
        thresholds: &[row::WRITE_BACK, row::WRITE_BACK_CERTAIN, row::HALF_TURN_NS],
        example: Example::Run(
            || {
                samples::probed(samples::times(&[
                    (ProbeKind::Read, 104_000),
                    (ProbeKind::Write, 21_000),
                ]))
            },
            |_| (),
        ),
    }],
    run: acknowledged,
};

pub(crate) const FLUSH: Check = Check {
    purpose: "whether a flush makes the device do anything (P31)",
    needs: Needs::OurRun(&[Evidence::Probe]),
    codes: &[
        Entry {
            code: Code::FlushFree,
            group: Group::Data,
            effect: Effect::Number,
            point: "P31",
            level: "note; qualified if the run flushes",
            when: "`fdatasync` after a write costs less than {FLUSH_FREE_NS} on a device with a \
                   volatile cache (`--probe`)",
            thresholds: &[row::FLUSH_FREE_NS],
            example: Example::Run(|| samples::probed(samples::flushed(21_000, 2_400)), |_| ()),
        },
        Entry {
            code: Code::FlushReal,
            group: Group::Data,
            effect: Effect::Nothing,
            point: "4.4",
            level: "note",
            when: "a write with `fdatasync` takes more than {FLUSH_REAL} one without, on a device \
                   with a volatile cache (`--probe`)",
            thresholds: &[row::FLUSH_REAL],
            example: Example::Run(
                || samples::probed(samples::flushed(21_000, 890_000)),
                |_| (),
            ),
        },
    ],
    run: flushes,
};

pub(crate) const PERSISTENT: Check = Check {
    purpose: "whether something above a disk that turns claims that data are safe (4.4)",
    needs: Needs::OurRun(&[Evidence::Probe]),
    codes: &[Entry {
        code: Code::CachePersists,
        group: Group::Data,
        effect: Effect::Nothing,
        point: "4.4",
        level: "note",
        when: "a write with `fdatasync` takes less than {HALF_TURN_NS} on a rotating disk \
               (`--probe`)",
        thresholds: &[row::HALF_TURN_NS],
        example: Example::Run(
            || samples::probed(samples::flushed(51_000, 62_000)),
            |r| samples::disk(r).rotational = true,
        ),
    }],
    run: persistent,
};

pub(crate) const DURABLE: Check = Check {
    purpose: "whether durable writes cost less than writes and flushes (4.4)",
    needs: Needs::OurRun(&[Evidence::Probe]),
    codes: &[Entry {
        code: Code::DsyncCheaper,
        group: Group::Data,
        effect: Effect::Nothing,
        point: "4.4",
        level: "note",
        when: "a write through `O_DSYNC` takes less than {DSYNC_CHEAPER:part} of one with \
               `fdatasync` (`--probe`)",
        thresholds: &[row::DSYNC_CHEAPER],
        example: Example::Run(
            || {
                samples::probed({
                    let mut probes = samples::flushed(21_000, 890_000);
                    probes.extend(samples::times(&[(ProbeKind::WriteDurable, 140_000)]));
                    probes
                })
            },
            |_| (),
        ),
    }],
    run: durable,
};

/// Median time of all requests of a question, or of their flushes, nanoseconds.
fn median(result: &RunResult, kind: ProbeKind, of: fn(&MicroProbe) -> Option<u64>) -> Option<f64> {
    find(result, kind).and_then(of).map(|median| median as f64)
}

/// A write and its flush.
fn flushed_ns(result: &RunResult) -> Option<f64> {
    median(result, ProbeKind::WriteFlush, MicroProbe::flushed_ns)
}

/// Whether there is a disk with a platter: virtual disks carry the flag without one.
fn turns(result: &RunResult) -> bool {
    devices(result).any(|device| device.leaf && device.rotational && device.kind == "disk")
}

/// Whether a device says that it loses what it has not flushed.
fn is_volatile(result: &RunResult) -> bool {
    devices(result).any(|device| device.leaf && device.write_cache == "write back")
}

/// Nothing writes to a medium faster than it reads one request at a time, but through a buffer.
fn acknowledged(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let ratio = ratio(
        result,
        (ProbeKind::Write, ProbeRound::service),
        (ProbeKind::Read, ProbeRound::service),
    );
    let read = median(result, ProbeKind::Read, MicroProbe::median_ns);
    let write = median(result, ProbeKind::Write, MicroProbe::median_ns);
    let (Some(ratio), Some(read), Some(write)) = (ratio, read, write) else {
        return;
    };
    let turns = turns(result);
    // Where reads come before a quarter turn too, a cache holds what is read, or it does not turn,
    // whatever it says: then only the two are compared.
    let quarter_turn = HALF_TURN_NS / 2.0;
    let before_turn = turns && write < quarter_turn && read >= quarter_turn;
    if ratio.high >= WRITE_BACK && !before_turn {
        return;
    }
    let certain = ratio.high < WRITE_BACK_CERTAIN || before_turn;
    let doubt = if certain { "" } else { ", it seems" };
    let message = format!(
        "a single write took {} and a single read {}: a buffer acknowledges writes{doubt}",
        time(write),
        time(read)
    );
    // All SSDs have one, and count on it; a disk that turns answers for its platters.
    let level = if turns { Level::Qualified } else { Level::Note };
    caveats.push(
        Code::WritebackAck
            .caveat(level, message)
            .remedy("count on writes only as far as the buffer survives the loss of power"),
    );
}

fn flushes(result: &RunResult, caveats: &mut Vec<Caveat>) {
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
            "a write with a flush takes {}, {} × one without: the device keeps writes in a \
             volatile cache, and a flush empties it",
            time(flushed),
            decimal(factor.estimate, 1)
        );
        caveats.push(
            Code::FlushReal
                .caveat(Level::Note, message)
                .remedy("count commits by the write with a flush, and let several share one flush"),
        );
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
        "a flush after a write costs {}{alone}, although the device says that it keeps writes in a \
         volatile cache: the cache is safe from power loss, or the flush does nothing",
        time(cost)
    );
    let flushes = subject::jobs(result).any(|(_, job, spec)| {
        let durable = spec.is_some_and(|spec| spec.durability.write_through);
        job.flush.is_some() || durable
    });
    let level = if flushes {
        Level::Qualified
    } else {
        Level::Note
    };
    let caveat = Code::FlushFree.caveat(level, message);
    Some(caveat.remedy(
        "find out whether the cache survives a loss of power (data sheet, state of its battery)",
    ))
}

/// What a platter cannot have in so short a time, something else has.
fn persistent(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let cost = level(result, ProbeKind::WriteFlush, ProbeRound::flushed);
    let is_sooner = cost.is_some_and(|cost| cost.high < HALF_TURN_NS);
    let Some(flushed) = flushed_ns(result).filter(|_| is_sooner && turns(result)) else {
        return;
    };
    let message = format!(
        "a write with a flush takes {}, sooner than the platter of a disk turns half: a cache \
         below claims that it keeps data without power",
        time(flushed)
    );
    caveats.push(
        Code::CachePersists
            .caveat(Level::Note, message)
            .remedy("see that the controller's cache has a battery or flash, and that it is well"),
    );
}

fn durable(result: &RunResult, caveats: &mut Vec<Caveat>) {
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
        "a durable write (O_DSYNC) takes {}, a write with fdatasync {} ({} × as long as it): the \
         storage writes through faster than it flushes",
        time(durable),
        time(flushed),
        decimal(1.0 / ratio.estimate, 1)
    );
    caveats.push(Code::DsyncCheaper.caveat(Level::Note, message).remedy(
        "let a database open its log with O_DSYNC (PostgreSQL: wal_sync_method = open_datasync; \
         MySQL: innodb_flush_method = O_DSYNC)",
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use crate::probed::made_up::{run, with_flush, with_flush_alone, with_median};

    fn reads_and_writes(read_ns: u64, write_ns: u64) -> RunResult {
        run(vec![
            with_median(ProbeKind::Read, read_ns),
            with_median(ProbeKind::Write, write_ns),
        ])
    }

    fn acknowledgement(level: Level, message: &str) -> Caveat {
        Code::WritebackAck
            .caveat(level, message)
            .remedy("count on writes only as far as the buffer survives the loss of power")
    }

    fn on_platters(mut result: RunResult) -> RunResult {
        let device = &mut result.provenance.targets[0].devices[0];
        device.rotational = true;
        device.kind = "disk".to_owned();
        result
    }

    fn volatile(mut result: RunResult) -> RunResult {
        result.provenance.targets[0].devices[0].write_cache = "write back".to_owned();
        result
    }

    #[test]
    fn writes_faster_than_reads_are_a_buffers() {
        assert_eq!(found(&ACKNOWLEDGED, &run(vec![])), []);
        assert_eq!(found(&ACKNOWLEDGED, &reads_and_writes(100_000, 80_100)), []);
        let message = "a single write took 79.9 µs and a single read 100 µs: a buffer \
                       acknowledges writes, it seems";
        assert_eq!(
            found(&ACKNOWLEDGED, &reads_and_writes(100_000, 79_900)),
            [acknowledgement(Level::Note, message)]
        );
        let message = "a single write took 49.9 µs and a single read 100 µs: a buffer \
                       acknowledges writes";
        assert_eq!(
            found(&ACKNOWLEDGED, &reads_and_writes(100_000, 49_900)),
            [acknowledgement(Level::Note, message)]
        );
    }

    #[test]
    fn reads_that_were_slow_for_a_while_are_no_buffer() {
        let mut result = reads_and_writes(100_000, 100_000);
        for round in &mut result.micro_probes[0].rounds[..3] {
            round.median_ns = Some(400_000);
        }
        assert_eq!(found(&ACKNOWLEDGED, &result), []);
    }

    #[test]
    fn a_disk_that_turns_cannot_write_within_a_quarter_of_its_turn() {
        let with = |write_ns| on_platters(reads_and_writes(1_200_000, write_ns));
        assert_eq!(found(&ACKNOWLEDGED, &with(1_001_000)), []);
        let message = "a single write took 999 µs and a single read 1.20 ms: a buffer \
                       acknowledges writes";
        assert_eq!(
            found(&ACKNOWLEDGED, &with(999_000)),
            [acknowledgement(Level::Qualified, message)]
        );
        // A virtual disk with the flag of one that turns has no platter.
        let mut virtual_disk = with(999_000);
        virtual_disk.provenance.targets[0].devices[0].kind = "virtio".to_owned();
        assert_eq!(found(&ACKNOWLEDGED, &virtual_disk), []);
        // Its reads take no quarter turn either.
        let quick = on_platters(reads_and_writes(300_000, 250_000));
        assert_eq!(found(&ACKNOWLEDGED, &quick), []);
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
                           µs), although the device says that it keeps writes in a volatile \
                           cache: the cache is safe from power loss, or the flush does nothing";
            Code::FlushFree.caveat(level, message).remedy(
                "find out whether the cache survives a loss of power (data sheet, state of its \
                 battery)",
            )
        };
        assert_eq!(found(&FLUSH, &with(20_000)), []);
        assert_eq!(found(&FLUSH, &with(19_900)), [expected(Level::Note)]);
        let mut through = with(19_900);
        through.provenance.targets[0].devices[0].write_cache = "write through".to_owned();
        assert_eq!(found(&FLUSH, &through), []);
        let mut durable = with(19_900);
        durable.provenance.workload.phases[0].jobs[0]
            .durability
            .write_through = true;
        assert_eq!(found(&FLUSH, &durable), [expected(Level::Qualified)]);
    }

    #[test]
    fn a_flush_that_costs_much_is_real() {
        let with = |flush_ns| {
            volatile(run(vec![
                with_median(ProbeKind::Write, 50_000),
                with_flush(50_000, flush_ns),
            ]))
        };
        assert_eq!(found(&FLUSH, &with(200_000)), []);
        let message = "a write with a flush takes 260 µs, 5.2 × one without: the device keeps \
                       writes in a volatile cache, and a flush empties it";
        let expected = Code::FlushReal
            .caveat(Level::Note, message)
            .remedy("count commits by the write with a flush, and let several share one flush");
        assert_eq!(found(&FLUSH, &with(210_000)), [expected]);
    }

    #[test]
    fn a_flush_that_no_platter_can_have_answered_is_told() {
        let with = |flush_ns| on_platters(run(vec![with_flush(50_000, flush_ns)]));
        assert_eq!(found(&PERSISTENT, &with(1_960_000)), []);
        assert_eq!(
            found(&PERSISTENT, &run(vec![with_flush(50_000, 50_000)])),
            []
        );
        let message = "a write with a flush takes 1.95 ms, sooner than the platter of a disk \
                       turns half: a cache below claims that it keeps data without power";
        let expected = Code::CachePersists
            .caveat(Level::Note, message)
            .remedy("see that the controller's cache has a battery or flash, and that it is well");
        assert_eq!(found(&PERSISTENT, &with(1_900_000)), [expected]);
    }

    #[test]
    fn durable_writes_that_cost_half_a_flush_are_advised() {
        let with = |durable_ns| {
            run(vec![
                with_flush(50_000, 950_000),
                with_median(ProbeKind::WriteDurable, durable_ns),
            ])
        };
        assert_eq!(found(&DURABLE, &with(500_000)), []);
        let message = "a durable write (O_DSYNC) takes 100 µs, a write with fdatasync 1.00 ms \
                       (10.0 × as long as it): the storage writes through faster than it flushes";
        let expected = Code::DsyncCheaper.caveat(Level::Note, message).remedy(
            "let a database open its log with O_DSYNC (PostgreSQL: wal_sync_method = \
             open_datasync; MySQL: innodb_flush_method = O_DSYNC)",
        );
        assert_eq!(found(&DURABLE, &with(100_000)), [expected]);
    }
}
