//! Who acknowledges a write, and what a flush costs: the probes of 4.4.

use crate::check::Check;
use crate::ledger::devices;
use crate::probed::median_ns;
use crate::subject;
use crate::thresholds::{FLUSH_FREE_NS, HALF_TURN_NS, WRITE_BACK, WRITE_BACK_CERTAIN};
use fathom_core::figure::time;
use fathom_core::result::{Evidence, ProbeKind, RunResult};
use fathom_core::{Caveat, Level, Op};

pub(crate) const ACKNOWLEDGED: Check = Check {
    codes: &["writeback_ack"],
    needs: &[Evidence::Probe],
    purpose: "whether writes are acknowledged by a buffer (P30)",
    run: acknowledged,
};

pub(crate) const FLUSH: Check = Check {
    codes: &["flush_free"],
    needs: &[Evidence::Probe],
    purpose: "whether a flush makes the device do anything (P31)",
    run: flush,
};

/// Nothing writes to a medium faster than it reads one request at a time, but through a buffer.
fn acknowledged(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let read = median_ns(result, ProbeKind::Read, Op::Read);
    let write = median_ns(result, ProbeKind::Write, Op::Write);
    let (Some(read), Some(write)) = (read, write) else {
        return;
    };
    let rotates = devices(result).any(|device| device.leaf && device.rotational);
    // Where reads come before a quarter turn too, it does not turn, whatever it says (the disks of
    // many virtual machines), or a cache holds what is read: then only the two are compared.
    let quarter_turn = HALF_TURN_NS / 2.0;
    let before_turn = rotates && write < quarter_turn && read >= quarter_turn;
    if write >= read * WRITE_BACK && !before_turn {
        return;
    }
    let certain = write < read * WRITE_BACK_CERTAIN || before_turn;
    let doubt = if certain { "" } else { ", it seems" };
    let message = format!(
        "a single write took {} and a single read {}: a buffer acknowledges writes{doubt}",
        time(write),
        time(read)
    );
    // All SSDs have one, and count on it; a disk that turns answers for its platters.
    let level = if rotates {
        Level::Qualified
    } else {
        Level::Note
    };
    caveats.push(
        Caveat::new("writeback_ack", level, message)
            .remedy("count on writes only as far as the buffer survives the loss of power"),
    );
}

fn flush(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let Some(cost) = median_ns(result, ProbeKind::WriteFlush, Op::Flush) else {
        return;
    };
    let keeps = |cache: &str| cache == "write back";
    let keeps = devices(result).any(|device| device.leaf && keeps(&device.write_cache));
    if cost >= FLUSH_FREE_NS || !keeps {
        return;
    }
    let flushes = subject::jobs(result).any(|(_, job, spec)| {
        let durable = spec.is_some_and(|spec| spec.durability.write_through);
        job.flush.is_some() || durable
    });
    let message = format!(
        "a flush after a write costs {}, although the device says that it keeps writes in a \
         volatile cache: the cache is safe from power loss, or the flush does nothing",
        time(cost)
    );
    let level = if flushes {
        Level::Qualified
    } else {
        Level::Note
    };
    caveats.push(
        Caveat::new("flush_free", level, message)
            .remedy("make sure of the cache's protection (a data sheet, a battery) before trust"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use crate::probed::made_up::{run, with_flush, with_median};

    fn reads_and_writes(read_ns: u64, write_ns: u64) -> RunResult {
        run(vec![
            with_median(ProbeKind::Read, Op::Read, read_ns),
            with_median(ProbeKind::Write, Op::Write, write_ns),
        ])
    }

    fn acknowledgement(level: Level, message: &str) -> Caveat {
        Caveat::new("writeback_ack", level, message)
            .remedy("count on writes only as far as the buffer survives the loss of power")
    }

    #[test]
    fn writes_faster_than_reads_are_a_buffers() {
        assert_eq!(found(&ACKNOWLEDGED, &run(vec![])), []);
        assert_eq!(found(&ACKNOWLEDGED, &reads_and_writes(100_000, 80_000)), []);
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
    fn a_disk_that_turns_cannot_write_within_a_quarter_of_its_turn() {
        let with = |write_ns| {
            let mut result = reads_and_writes(1_200_000, write_ns);
            result.provenance.targets[0].devices[0].rotational = true;
            result
        };
        assert_eq!(found(&ACKNOWLEDGED, &with(1_000_000)), []);
        // Its reads take no quarter turn either.
        let mut virtual_disk = reads_and_writes(300_000, 250_000);
        virtual_disk.provenance.targets[0].devices[0].rotational = true;
        assert_eq!(found(&ACKNOWLEDGED, &virtual_disk), []);
        let message = "a single write took 999 µs and a single read 1.20 ms: a buffer \
                       acknowledges writes";
        assert_eq!(
            found(&ACKNOWLEDGED, &with(999_000)),
            [acknowledgement(Level::Qualified, message)]
        );
    }

    #[test]
    fn a_flush_for_nothing_is_told_where_a_cache_is_volatile() {
        let with = |flush_ns| {
            let probes = vec![
                with_median(ProbeKind::Write, Op::Write, 50_000),
                with_flush(ProbeKind::WriteFlush, 50_000, flush_ns),
            ];
            let mut result = run(probes);
            result.provenance.targets[0].devices[0].write_cache = "write back".to_owned();
            result
        };
        let expected = |level| {
            let message = "a flush after a write costs 20.0 µs, although the device says that it \
                           keeps writes in a volatile cache: the cache is safe from power loss, \
                           or the flush does nothing";
            Caveat::new("flush_free", level, message).remedy(
                "make sure of the cache's protection (a data sheet, a battery) before trust",
            )
        };
        assert_eq!(found(&FLUSH, &with(20_000)), []);
        assert_eq!(found(&FLUSH, &with(19_999)), [expected(Level::Note)]);
        let mut through = with(19_999);
        through.provenance.targets[0].devices[0].write_cache = "write through".to_owned();
        assert_eq!(found(&FLUSH, &through), []);
        let mut durable = with(19_999);
        durable.provenance.workload.phases[0].jobs[0]
            .durability
            .write_through = true;
        assert_eq!(found(&FLUSH, &durable), [expected(Level::Qualified)]);
    }
}
