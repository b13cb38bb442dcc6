//! Direct I/O that was not direct.

use crate::check::Check;
use crate::ledger::Ledger;
use crate::subject;
use crate::thresholds::{LEAK, RESIDENT, RESIDENT_DEVICE};
use fathom_core::figure::{percent, size};
use fathom_core::result::{CacheUse, Evidence, PhaseResult, RunResult, TargetInfo};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    codes: &["direct_unsupported", "direct_fallback", "direct_leak"],
    needs: &[Evidence::PageCache, Evidence::DeviceCounters],
    purpose: "whether direct I/O passed by the page cache (P20 to P22)",
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for target in result.provenance.targets.iter().filter(|one| one.direct) {
        let layout = target.layout.as_ref();
        if layout.and_then(|layout| layout.direct_align_bytes) == Some(0) {
            let message = "the file system says that this file has no direct I/O";
            caveats.push(
                Caveat::new("direct_unsupported", Level::Suspect, message)
                    .remedy(REMEDY)
                    .about(target.path.clone()),
            );
        }
    }
    for phase in &result.phases {
        let Some(account) = &phase.ledger else {
            continue;
        };
        for cache in &account.caches {
            let target = result.provenance.targets.iter();
            let target = target.clone().find(|one| one.path == cache.target);
            let Some(target) = target.filter(|target| target.direct) else {
                continue;
            };
            let found = judge(result, phase, target, cache);
            caveats.extend(found.map(|one| one.about(subject::phase(result, phase))));
        }
    }
}

const REMEDY: &str = "measure the device below, or a file system with direct I/O (btrfs keeps it \
                      from files with checksums, ZFS before 2.3 ignores it)";

fn judge(
    result: &RunResult,
    phase: &PhaseResult,
    target: &TargetInfo,
    cache: &CacheUse,
) -> Option<Caveat> {
    let account = phase.ledger.as_ref()?;
    let ledger = Ledger::of(result, phase)?;
    let resident = cache.end_bytes as f64 / target.size_bytes.max(1) as f64;
    let tool = &account.tool;
    let moved = tool.read_bytes + tool.write_bytes;
    let device = account.device?;
    let reached = (device.read_bytes + device.write_bytes) as f64 / moved.max(1) as f64;
    let enough = ledger.is_comparable(&ledger.read) || ledger.is_comparable(&ledger.write);
    if enough && resident > RESIDENT && reached < RESIDENT_DEVICE {
        let message = format!(
            "direct I/O was asked for; {} of {} were in the page cache at the end and the device \
             moved {} of the bytes: this describes buffered I/O",
            percent(resident * 100.0),
            target.path,
            percent(reached * 100.0)
        );
        return Some(Caveat::new("direct_fallback", Level::Suspect, message).remedy(REMEDY));
    }
    let grown = cache.end_bytes.saturating_sub(cache.begin_bytes);
    let could = moved.min(target.size_bytes);
    if enough && grown as f64 > LEAK * could as f64 {
        let message = format!(
            "{} of {} got into the page cache although direct I/O was asked for",
            size(grown),
            target.path
        );
        return Some(
            Caveat::new("direct_leak", Level::Qualified, message)
                .remedy("find out who else reads the file, or what of it is not direct"),
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::{Ledger as Account, Tally};

    fn with(end_bytes: u64, device: f64) -> Vec<(String, Level)> {
        let mut result = fixture::random_read();
        let bytes = result.phases[0].devices[0].read_bytes;
        let tally = |read_bytes| Tally {
            read_bytes,
            ..Tally::default()
        };
        result.phases[0].ledger = Some(Box::new(Account {
            tool: tally(bytes),
            device: Some(tally((bytes as f64 * device) as u64)),
            caches: vec![CacheUse {
                target: "/data/fathom.dat".to_owned(),
                end_bytes,
                ..CacheUse::default()
            }],
            ..Account::default()
        }));
        let found = found(&CHECK, &result).into_iter();
        found.map(|one| (one.code, one.level)).collect()
    }

    #[test]
    fn what_stays_in_the_cache_is_found() {
        assert_eq!(with(0, 1.0), []);
        let leak = ("direct_leak".to_owned(), Level::Qualified);
        assert_eq!(with(1 << 30, 1.0), [leak]);
        let fallback = ("direct_fallback".to_owned(), Level::Suspect);
        assert_eq!(with(32 << 30, 0.1), [fallback]);
    }
}
