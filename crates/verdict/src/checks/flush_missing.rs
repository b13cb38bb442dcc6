//! Flushes that no device got.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use crate::subject;
use crate::traffic::{counts_flushes, devices};
use fathom_core::figure::{count, plural};
use fathom_core::result::{CountedIo, Evidence, Ledger, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether flushes reached a device that needs them",
    needs: Needs::OurRun(&[Evidence::DeviceFlushes]),
    codes: &[entry! { FlushMissing: Account, Number, "suspect",
        "flushes returned, but the devices have a volatile cache and counted none",
        [],
        Example::Run(samples::writes, |r| {
            let (writes, write_bytes) = (
                samples::counters(r).writes,
                samples::counters(r).write_bytes,
            );
            let side = |flushes| CountedIo {
                write_bytes,
                writes: Some(writes),
                flushes: Some(flushes),
                ..CountedIo::default()
            };
            *samples::account(r) = Ledger {
                tool: side(5_000),
                device: Some(side(0)),
                ..Ledger::default()
            };
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    if !counts_flushes(result) {
        return;
    }
    // A device that writes through has nothing to flush.
    let leaves = || devices(result).filter(|device| device.leaf);
    if leaves().next().is_none() || leaves().any(|device| device.write_cache != "write back") {
        return;
    }
    for phase in &result.phases {
        let Some(ledger) = &phase.ledger else {
            continue;
        };
        let asked = ledger.tool.flushes.unwrap_or(0);
        let Some(device) = ledger.device.filter(|device| device.flushes == Some(0)) else {
            continue;
        };
        // Nothing dirty, nothing to flush.
        if asked == 0 || ledger.tool.write_bytes == 0 || device.write_bytes == 0 {
            continue;
        }
        let message = format!(
            "{} returned, but the devices received none although they have a volatile write cache. \
             A power loss may lose {} writes",
            plural(asked, "fsync"),
            count(ledger.tool.writes.unwrap_or(0))
        );
        caveats.push(
            Code::FlushMissing
                .caveat(Level::Suspect, message)
                .remedy(
                    "check for nobarrier in the mount options, or for a layer that drops \
                         flushes",
                )
                .about(subject::phase(result, phase)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::{CountedIo, Ledger};

    #[test]
    fn flushes_that_vanish_are_suspect() {
        let mut result = fixture::random_read();
        let side = |flushes| CountedIo {
            write_bytes: 4096,
            writes: Some(1),
            flushes: Some(flushes),
            ..CountedIo::default()
        };
        let mut ledger = Ledger {
            tool: side(5000),
            device: Some(side(1)),
            ..Ledger::default()
        };
        result.phases[0].ledger = Some(Box::new(ledger.clone()));
        assert_eq!(found(&CHECK, &result), []);
        ledger.device = Some(side(0));
        result.phases[0].ledger = Some(Box::new(ledger));
        let levels: Vec<Level> = found(&CHECK, &result).iter().map(|c| c.level).collect();
        assert_eq!(levels, [Level::Suspect]);
        let mut old = result.clone();
        old.provenance.host.kernel = "5.4.0-150-generic".to_owned();
        assert_eq!(found(&CHECK, &old), []);
        result.provenance.targets[0].devices[0].write_cache = "write through".to_owned();
        assert_eq!(found(&CHECK, &result), []);
    }
}
