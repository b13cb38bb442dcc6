//! Bytes that the device moved beyond ours: the kernel's on our behalf, or somebody else's.

use crate::application::or_direct;
use crate::check::{Check, Code, Example, Look, Needs, entry, thresholds};
use crate::fitness::Facts;
use crate::io_limits;
use crate::samples;
use crate::subject;
use crate::traffic::{Direction, Traffic};
use fathom_core::figure::{decimal, percent, volume};
use fathom_core::figure::{iops, megabytes};
use fathom_core::result::{CountedIo, Evidence, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Bytes beyond ours that are let pass, over ours: the step between a result that may be
    /// compared and one that may not
    FOREIGN: f64 = 0.05, Share, Decided,
        calibrated "in simulation, 40 of 40 devices with another user of a tenth of the load or \
                    more were detected; none of 500 others raised it";
    /// Bytes beyond ours that are let pass however few ours are: a system's own journal and logs
    HOUSEKEEPING_BYTES: u64 = 1 << 20, Bytes, Decided;
    /// Requests a second of others while nobody measures: a system's own journal and logs
    FIT_NEIGHBOUR_IOPS: f64 = 50.0, Iops, Decided;
    /// Bytes a second of others while nobody measures: a system's own journal and logs
    FIT_NEIGHBOUR_BYTES: f64 = 1e6, BytesPerSecond, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the device moved more bytes than fathom",
    needs: Needs::OurRun(&[Evidence::DeviceCounters, Evidence::ProcessIo]),
    codes: &[
        entry! { Neighbour: Account, Number,
            "suspect; qualified at a limit of the control group",
            "the device moved more than {FOREIGN}, one queue and {HOUSEKEEPING_BYTES} in addition \
             to our bytes, and no known overhead explains it",
            [row::FOREIGN, row::HOUSEKEEPING_BYTES, crate::io_limits::row::AT_LIMIT,
                crate::io_limits::row::SLICED, crate::io_limits::row::STOPPED,
                crate::io_limits::row::BETWEEN_STOPS],
            Example::Run(samples::reads, |r| {
                let read_bytes = samples::counters(r).read_bytes;
                samples::account(r).process = Some(CountedIo {
                    read_bytes,
                    ..CountedIo::default()
                });
                samples::counters(r).write_bytes = read_bytes / 100 * 23;
            })
        },
        entry! { Readahead: Account, Number, "qualified",
            "as `neighbour`, for buffered reads",
            [row::FOREIGN, row::HOUSEKEEPING_BYTES],
            Example::Run(samples::reads, |r| {
                samples::spec(r).durability.direct = false;
                samples::counters(r).read_bytes *= 4;
                let read_bytes = samples::counters(r).read_bytes;
                samples::account(r).process = Some(CountedIo {
                    read_bytes,
                    ..CountedIo::default()
                });
            })
        },
        entry! { WriteAmplified: Account, Number, "note",
            "as `neighbour`, for buffered, flushed or durable writes",
            [row::FOREIGN, row::HOUSEKEEPING_BYTES],
            Example::Run(samples::writes, |r| {
                samples::spec(r).durability.write_through = true;
                samples::counters(r).write_bytes = samples::counters(r).write_bytes / 100 * 132;
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let Some(traffic) = Traffic::of(result, phase).filter(Traffic::counts_once) else {
            continue;
        };
        let ours = traffic.read.tool.bytes + traffic.write.tool.bytes;
        if ours == 0 {
            continue;
        }
        let allowed = (ours as f64 * FOREIGN) as u64 + traffic.slack_bytes + HOUSEKEEPING_BYTES;
        let about = subject::phase(result, phase);
        let mut found = judge(result, &traffic, ours, allowed);
        // At a limit of the control group the limit sets the pace, and leaves room for others on
        // the device; but our requests may have waited for theirs.
        if io_limits::hold(result, phase, &traffic) {
            for caveat in found.iter_mut().filter(|one| Code::Neighbour.is(one)) {
                caveat.level = Level::Qualified;
                caveat.message += ". A limit of the control group set the rate, but not the times";
            }
        }
        caveats.extend(found.into_iter().map(|caveat| caveat.about(about.clone())));
    }
}

fn judge(result: &RunResult, traffic: &Traffic, ours: u64, allowed: u64) -> Vec<Caveat> {
    let own = &traffic.own;
    let beyond = |direction: &Direction, asked: u64| direction.device.bytes.saturating_sub(asked);
    let (tool_read, tool_written) = (traffic.read.tool.bytes, traffic.write.tool.bytes);
    let mut read = beyond(&traffic.read, tool_read);
    let mut written = beyond(&traffic.write, tool_written);
    let mut caveats = Vec::new();
    // What the kernel does on our behalf is counted separately where the kernel does so; the rest
    // belongs to nobody.
    let read_for_us = own.map_or(read, |own| own.read_bytes.saturating_sub(tool_read));
    if !traffic.direct && tool_read > 0 && read > allowed && read_for_us > allowed {
        let doubt = if own.is_some() {
            ""
        } else {
            ", or a neighbour"
        };
        let message = format!(
            "{} read {} × the requested bytes: read-ahead{doubt}",
            traffic.devices(),
            decimal(traffic.read.byte_ratio(), 2)
        );
        let remedy = "use direct I/O, or write 0 to queue/read_ahead_kb of the device";
        caveats.push(
            Code::Readahead
                .caveat(Level::Qualified, message)
                .remedy(or_direct(result, remedy)),
        );
        read = read.saturating_sub(read_for_us);
    }
    let journals = !traffic.direct || traffic.synced;
    if journals && tool_written > 0 && written > allowed {
        let message = format!(
            "{} wrote {} × the bytes written: journal and metadata of the file system, or other \
             users",
            traffic.devices(),
            decimal(traffic.write.byte_ratio(), 2)
        );
        let remedy = "measure the device below to exclude the file system; `fathom check` shows \
                      other users";
        caveats.push(
            Code::WriteAmplified
                .caveat(Level::Note, message)
                .remedy(remedy),
        );
        written = 0;
    }
    if let Some(own) = own {
        read = read.min(beyond(&traffic.read, own.read_bytes.max(tool_read)));
        written = written.min(beyond(&traffic.write, own.write_bytes.max(tool_written)));
    }
    if read + written > allowed {
        let whose = if own.is_some() {
            "from other users or a background task, because the kernel did not charge them to \
             fathom"
        } else {
            "from fathom through the file system, or from other users"
        };
        let message = format!(
            "{} moved {} in addition to fathom's own bytes ({} of them): {whose}",
            traffic.devices(),
            volume(read + written),
            percent((read + written) as f64 / ours as f64 * 100.0)
        );
        let remedy = "find the other users (iotop, pidstat -d), stop them, and measure again";
        caveats.push(
            Code::Neighbour
                .caveat(Level::Suspect, message)
                .remedy(remedy),
        );
    }
    caveats
}

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { Neighbour: Before, Number, "suspect",
        "other programs make more than {FIT_NEIGHBOUR_IOPS} or {FIT_NEIGHBOUR_BYTES} on a disk \
         during the 3 s check",
        [row::FIT_NEIGHBOUR_IOPS, row::FIT_NEIGHBOUR_BYTES, crate::fitness::row::LOOK_NS],
        Example::Target(|| Facts {
            idle: vec![("sda".into(), 1_234.0, 52e6)],
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    for (name, requests, bytes) in &facts.idle {
        if *requests > FIT_NEIGHBOUR_IOPS || *bytes > FIT_NEIGHBOUR_BYTES {
            let message = format!(
                "other programs use it: {} IOPS and {} MB/s before the measurement",
                iops(*requests),
                megabytes(*bytes)
            );
            let remedy = "stop them, or measure later; `fathom watch` shows them";
            let caveat = Code::Neighbour
                .caveat(Level::Suspect, message)
                .remedy(remedy);
            found.push(caveat.about(name.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::CodeWord;
    use fathom_core::Op;
    use fathom_core::fixture::{self, JobPlan, Stream, series};

    #[test]
    fn somebody_else_on_the_device_is_suspect() {
        let mut result = fixture::random_read();
        // Ours are 16.6 GB; allowed are 5 % of them, one queue (128 KiB) and 1 MiB.
        let ours = result.phases[0].devices[0].read_bytes;
        let allowed = (ours as f64 * 0.05) as u64 + 32 * 4096 + (1 << 20);
        result.phases[0].devices[0].write_bytes = allowed;
        assert_eq!(found(&CHECK, &result), []);
        result.phases[0].devices[0].write_bytes = allowed + 1;
        let expected = Code::Neighbour
            .caveat(
                Level::Suspect,
                "vda moved 831 MB in addition to fathom's own bytes (5.0 % of them): from fathom \
             through the file system, or from other users",
            )
            .remedy("find the other users (iotop, pidstat -d), stop them, and measure again")
            .about("measure");
        assert_eq!(found(&CHECK, &result), [expected]);
    }

    #[test]
    fn at_a_limit_of_the_control_group_others_do_not_take_the_rate() {
        let mut result = fixture::random_read();
        result.phases[0].devices[0].write_bytes = 1 << 40;
        let rate = result.phases[0].jobs[0]
            .ops
            .get(Op::Read)
            .map_or(0.0, |one| one.iops);
        let codes = |result: &RunResult| {
            let found = found(&CHECK, result).into_iter();
            found.map(|one| (one.code, one.level)).collect::<Vec<_>>()
        };
        let told = |level| [(Code::Neighbour.into(), level)];
        result.provenance.io_limits = vec![format!("io.max vda riops={:.0}", rate * 1.2)];
        assert_eq!(codes(&result), told(Level::Suspect));
        result.provenance.io_limits = vec![format!("io.max vda riops={rate:.0}")];
        assert_eq!(codes(&result), told(Level::Qualified));
    }

    #[test]
    fn several_devices_may_count_a_byte_more_than_once() {
        let mut result = fixture::random_read();
        let mut second = result.phases[0].devices[0].clone();
        second.device = "vdb".to_owned();
        result.phases[0].devices.push(second);
        let mut described = result.provenance.targets[0].devices[0].clone();
        described.name = "vdb".to_owned();
        result.provenance.targets[0].devices.push(described);
        assert_eq!(found(&CHECK, &result), []);
    }

    #[test]
    fn buffered_reads_are_read_ahead() {
        let mut result = fixture::random_read();
        result.provenance.workload.phases[0].jobs[0]
            .durability
            .direct = false;
        result.phases[0].devices[0].read_bytes *= 4;
        let expected = Code::Readahead
            .caveat(
                Level::Qualified,
                "vda read 4.00 × the requested bytes: read-ahead, or a neighbour",
            )
            .remedy("use direct I/O, or write 0 to queue/read_ahead_kb of the device")
            .about("measure");
        assert_eq!(found(&CHECK, &result), [expected]);
    }

    #[test]
    fn flushes_make_a_file_system_write_its_journal() {
        let stream = Stream::random(Op::Write, 4096, series(5_000, 60));
        let job = JobPlan::closed("log", 1, vec![stream]);
        let mut result = fixture::run("log", &[("measure", vec![job])]);
        result.provenance.workload.phases[0].jobs[0]
            .durability
            .write_through = true;
        result.phases[0].devices[0].write_bytes *= 3;
        let expected = Code::WriteAmplified.caveat(Level::Note,
            "vda wrote 3.00 × the bytes written: journal and metadata of the file system, or other \
             users",
        )
        .remedy(
            "measure the device below to exclude the file system; `fathom check` shows other users",
        )
        .about("measure");
        assert_eq!(found(&CHECK, &result), [expected]);
    }

    /// What the kernel charged to this process settles whose bytes they are.
    #[test]
    fn bytes_charged_to_us_are_not_a_neighbours() {
        let with = |direct, kind: &str, own: f64| {
            let mut result = fixture::random_read();
            result.provenance.targets[0].kind = kind.into();
            let tool = result.phases[0].devices[0].read_bytes;
            result.provenance.workload.phases[0].jobs[0]
                .durability
                .direct = direct;
            result.phases[0].devices[0].read_bytes *= 4;
            let process = fathom_core::result::CountedIo {
                read_bytes: (tool as f64 * own) as u64,
                ..fathom_core::result::CountedIo::default()
            };
            result.phases[0].ledger = Some(Box::new(fathom_core::result::Ledger {
                process: Some(process),
                ..fathom_core::result::Ledger::default()
            }));
            let found = found(&CHECK, &result).into_iter();
            found.map(|caveat| caveat.code).collect::<Vec<_>>()
        };
        assert_eq!(with(false, "file", 4.0), [Code::Readahead]);
        assert_eq!(with(false, "file", 2.0), [Code::Readahead, Code::Neighbour]);
        assert_eq!(with(true, "file", 1.0), [Code::Neighbour]);
        assert_eq!(with(true, "file", 4.0), Vec::<CodeWord>::new());
        // The kernel charges twice what io_uring gives to a worker.
        assert_eq!(with(true, "block device", 4.0), [Code::Neighbour]);
    }
}
