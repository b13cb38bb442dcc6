//! Direct I/O that was not direct.

use super::memory_target::{self, is_in_memory};
use crate::check::{Check, Code, Example, Look, Needs, entry, thresholds};
use crate::fitness::Facts;
use crate::samples;
use crate::subject;
use crate::traffic::Traffic;
use fathom_core::figure::{percent, size, volume};
use fathom_core::result::{CacheUse, Evidence, PhaseResult, RunResult, TargetInfo, TargetLayout};
use fathom_core::{Bytes, Caveat, Level};

thresholds! {
    /// Share of the file that may get into the page cache in a direct run
    LEAK: f64 = 0.01, Share, Decided;
    /// Share of the file in the page cache from which direct I/O was not direct
    RESIDENT: f64 = 0.05, Share, Decided;
    /// Share of the tool's bytes below which a device must have moved for that
    RESIDENT_DEVICE: f64 = 0.9, Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether direct I/O bypassed the page cache",
    needs: Needs::OurRun(&[Evidence::PageCache, Evidence::DeviceCounters]),
    codes: &[
        entry! { DirectUnsupported: DirectIo, Number, "suspect",
            "direct I/O was requested, and statx reports that the file does not support it",
            [],
            Example::Run(samples::reads, |r| {
                let direct_align_bytes = Some(0);
                samples::layout(
                    r,
                    TargetLayout {
                        direct_align_bytes,
                        ..TargetLayout::default()
                    },
                );
            })
        },
        entry! { DirectFallback: DirectIo, Elsewhere, "suspect; qualified in memory",
            "direct I/O was requested, but more than {RESIDENT} of the file is cached and the \
             device moved less than {RESIDENT_DEVICE} of the bytes; or btrfs wrote \
             {RESIDENT_DEVICE} of the bytes through the page cache, as it does for files with \
             checksums; or the file is in memory",
            [row::RESIDENT, row::RESIDENT_DEVICE],
            Example::Run(samples::reads, |r| samples::kept(r, 63 * Bytes::GIB.0, 2))
        },
        entry! { DirectLeak: DirectIo, Number, "qualified",
            "all jobs of the phase requested direct I/O, but more than {LEAK} of the file entered \
         the page cache",
            [row::LEAK],
            Example::Run(samples::reads, |r| samples::kept(r, 3 * Bytes::GIB.0, 100))
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for target in result.provenance.targets.iter().filter(|one| one.direct) {
        let layout = target.layout.as_ref();
        if layout.and_then(|layout| layout.direct_align_bytes) == Some(0) {
            let message = "the file system reports that this file does not support direct I/O";
            caveats.push(
                Code::DirectUnsupported
                    .caveat(Level::Suspect, message)
                    .remedy(REMEDY)
                    .about(target.path.clone()),
            );
        } else if is_in_memory(target) && subject::touches_storage(result) {
            let message = "direct I/O was requested for a file that exists only in the page cache";
            caveats.push(
                Code::DirectFallback
                    .caveat(Level::Qualified, message)
                    .remedy(memory_target::REMEDY)
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
            // What a job puts into the page cache on purpose is no leak.
            if !result.buffered_jobs(phase, &target.path).is_empty() {
                continue;
            }
            let found = judge(result, phase, target, cache);
            caveats.extend(found.map(|one| one.about(subject::phase(result, phase))));
        }
    }
}

/// Whether the file has checksums of its data on btrfs, which since Linux 6.14 takes direct writes
/// to such files by way of the page cache without a word, and then drops the pages, so that none is
/// left to be found.
fn has_checksums(target: &TargetInfo) -> bool {
    let in_place = target.layout.as_ref().and_then(|layout| layout.in_place);
    let mut options = target.mount_options.split(',');
    target.file_system == "btrfs"
        && in_place == Some(false)
        && options.all(|option| option != "nodatasum")
}

const REMEDY: &str = "measure the device below, or a file system with direct I/O (btrfs disables \
                      it for files with checksums, ZFS before 2.3 ignores it)";

fn judge(
    result: &RunResult,
    phase: &PhaseResult,
    target: &TargetInfo,
    cache: &CacheUse,
) -> Option<Caveat> {
    let account = phase.ledger.as_ref()?;
    let traffic = Traffic::of(result, phase)?;
    let resident = cache.end_bytes as f64 / target.size_bytes.max(1) as f64;
    let tool = &account.tool;
    let moved = tool.read_bytes + tool.write_bytes;
    let device = account.device?;
    let reached = (device.read_bytes + device.write_bytes) as f64 / moved.max(1) as f64;
    let enough = traffic.is_comparable(&traffic.read) || traffic.is_comparable(&traffic.write);
    if enough && resident > RESIDENT && reached < RESIDENT_DEVICE {
        let message = format!(
            "direct I/O was requested, but {} of {} was in the page cache at the end and the \
             device moved {} of the bytes. This result describes buffered I/O",
            percent(resident * 100.0),
            target.path,
            percent(reached * 100.0)
        );
        return Some(
            Code::DirectFallback
                .caveat(Level::Suspect, message)
                .remedy(REMEDY),
        );
    }
    let copied = account.paging.and_then(|paging| paging.dirtied_bytes);
    let written = traffic.write.tool.bytes;
    // Others dirty pages too: only where the kernel is known for it.
    if let Some(copied) = copied.filter(|copied| {
        traffic.direct
            && has_checksums(target)
            && traffic.is_comparable(&traffic.write)
            && *copied as f64 >= RESIDENT_DEVICE * written as f64
    }) {
        let message = format!(
            "direct I/O was requested. {} were written directly, but {} through the page cache, as \
             {} does for files with checksums",
            volume(written),
            volume(copied),
            target.file_system
        );
        return Some(
            Code::DirectFallback
                .caveat(Level::Suspect, message)
                .remedy(REMEDY),
        );
    }
    let grown = cache.end_bytes.saturating_sub(cache.begin_bytes);
    let could = moved.min(target.size_bytes);
    if enough && grown as f64 > LEAK * could as f64 {
        let message = format!(
            "{} of {} entered the page cache although direct I/O was requested",
            size(grown),
            target.path
        );
        return Some(
            Code::DirectLeak
                .caveat(Level::Qualified, message)
                .remedy("find other readers of the file (fuser, lsof)"),
        );
    }
    None
}

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { DirectUnsupported: Before, Number, "suspect",
        "the file system reports that the file does not support direct I/O",
        [],
        Example::Target(|| Facts {
            direct_align_bytes: Some(0),
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    if facts.direct_align_bytes == Some(0) {
        let message = "the file system does not support direct I/O for this file. The run would \
                       measure the page cache";
        let remedy = "use another target, or --no-direct with a file of twice the memory";
        found.push(
            Code::DirectUnsupported
                .caveat(Level::Suspect, message)
                .remedy(remedy),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::CodeWord;
    use fathom_core::Op;
    use fathom_core::fixture::{self, JobPlan, Stream, series};
    use fathom_core::result::{CountedIo, Ledger as Account, Paging, TargetLayout};

    fn with(end_bytes: u64, device: f64) -> Vec<(CodeWord, Level)> {
        let found = found(&CHECK, &caching(end_bytes, device)).into_iter();
        found.map(|one| (one.code, one.level)).collect()
    }

    fn caching(end_bytes: u64, device: f64) -> RunResult {
        let mut result = fixture::random_read();
        let bytes = result.phases[0].devices[0].read_bytes;
        let tally = |read_bytes| CountedIo {
            read_bytes,
            ..CountedIo::default()
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
        result
    }

    #[test]
    fn what_a_job_puts_into_the_page_cache_on_purpose_is_no_leak() {
        let mut result = caching(1 << 30, 1.0);
        assert_eq!(found(&CHECK, &result).len(), 1);
        // A second job of the phase uses the file through the page cache.
        let jobs = &mut result.provenance.workload.phases[0].jobs;
        let mut buffered = jobs[0].clone();
        buffered.name = "checkpoint".to_owned();
        buffered.durability.direct = false;
        jobs.push(buffered);
        let mut job = result.phases[0].jobs[0].clone();
        job.name = "checkpoint".to_owned();
        result.phases[0].jobs.push(job);
        assert_eq!(found(&CHECK, &result), []);
    }

    /// Direct writes while the machine wrote this share of them to pages of files.
    fn with_copies(file_system: &str, in_place: bool, share: f64) -> Vec<String> {
        let stream = Stream::random(Op::Write, 4096, series(5_000, 60));
        let jobs = vec![JobPlan::closed("log", 1, vec![stream])];
        let mut result = fixture::run("log", &[("measure", jobs)]);
        let bytes = result.phases[0].devices[0].write_bytes;
        let target = &mut result.provenance.targets[0];
        target.file_system = file_system.to_owned();
        target.layout = Some(Box::new(TargetLayout {
            in_place: Some(in_place),
            ..TargetLayout::default()
        }));
        let tally = CountedIo {
            write_bytes: bytes,
            ..CountedIo::default()
        };
        result.phases[0].ledger = Some(Box::new(Account {
            tool: tally,
            device: Some(tally),
            caches: vec![CacheUse {
                target: target.path.clone(),
                ..CacheUse::default()
            }],
            paging: Some(Paging {
                dirtied_bytes: Some((bytes as f64 * share) as u64),
                ..Paging::default()
            }),
            ..Account::default()
        }));
        let found = found(&CHECK, &result).into_iter();
        found.map(|one| one.message).collect()
    }

    #[test]
    fn writes_by_way_of_the_page_cache_leave_a_trace() {
        // On ext4 somebody else wrote as much.
        assert_eq!(with_copies("ext4", false, 1.0), [""; 0]);
        assert_eq!(with_copies("btrfs", true, 1.0), [""; 0]);
        assert_eq!(with_copies("btrfs", false, 0.89), [""; 0]);
        let expected = "direct I/O was requested. 1.23 GB were written directly, but 1.12 GB \
                        through the page cache, as btrfs does for files with checksums";
        assert_eq!(with_copies("btrfs", false, 0.91), [expected]);
    }

    #[test]
    fn what_stays_in_the_cache_is_found() {
        assert_eq!(with(0, 1.0), []);
        let leak = (Code::DirectLeak.into(), Level::Qualified);
        assert_eq!(with(1 << 30, 1.0), [leak]);
        let fallback = (Code::DirectFallback.into(), Level::Suspect);
        assert_eq!(with(32 << 30, 0.1), [fallback]);
    }
}
