//! Extents in a state that changes what a request costs.

use crate::check::{Check, Code, Example, Look, Needs, entry, thresholds};
use crate::checks::sparse::FRESH;
use crate::fitness;
use crate::fitness::Facts;
use crate::samples;
use crate::subject;
use fathom_core::figure::size;
use fathom_core::figure::{count, percent};
use fathom_core::result::{Evidence, Extents, RunResult, TargetInfo};
use fathom_core::spec::Job;
use fathom_core::{Bytes, Caveat, Level};

thresholds! {
    /// Share of the bytes of a file in a state that may be let pass
    EXTENT_SHARE: f64 = 0.001, Share, Decided;
    /// Extents, and extents in a GiB, from which a sequential run is no more one
    EXTENTS_PER_GIB: f64 = 1000.0, Count, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the file is stored plainly on its device",
    needs: Needs::OurRun(&[Evidence::FileLayout]),
    codes: &[
        entry! { DelayedExtents: File, Number, "suspect",
            "more than {EXTENT_SHARE} of the file has no blocks on the device after writeback",
            [row::EXTENT_SHARE],
            Example::Run(samples::reads, |r| {
                let delayed_bytes = Bytes::GIB.0;
                samples::extents(
                    r,
                    Extents {
                        delayed_bytes,
                        ..Extents::default()
                    },
                );
            })
        },
        entry! { EncodedExtents: File, Number, "qualified",
            "more than {EXTENT_SHARE} of the file is compressed, encrypted or inline",
            [row::EXTENT_SHARE],
            Example::Run(samples::reads, |r| {
                let encoded_bytes = 60 * Bytes::GIB.0;
                samples::extents(
                    r,
                    Extents {
                        encoded_bytes,
                        ..Extents::default()
                    },
                );
            })
        },
        entry! { SharedExtents: File, Number, "qualified",
            "more than {EXTENT_SHARE} of the file is shared with another file, and the run writes \
             it",
            [row::EXTENT_SHARE],
            Example::Run(samples::writes, |r| {
                let shared_bytes = 64 * Bytes::GIB.0;
                samples::extents(
                    r,
                    Extents {
                        shared_bytes,
                        ..Extents::default()
                    },
                );
            })
        },
        entry! { Fragmented: File, Number, "note",
            "a sequential run over a file with more than {EXTENTS_PER_GIB} extents, and more than \
             {EXTENTS_PER_GIB} per GiB",
            [row::EXTENTS_PER_GIB],
            Example::Run(samples::scan, |r| {
                let count = 812_345;
                samples::extents(
                    r,
                    Extents {
                        count,
                        ..Extents::default()
                    },
                );
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for target in &result.provenance.targets {
        let layout = target.layout.as_ref();
        let Some(extents) = layout.and_then(|layout| layout.extents) else {
            continue;
        };
        let span = layout.map_or(0, |layout| layout.span_bytes).max(1) as f64;
        let found = judge(result, target, &extents, span);
        caveats.extend(found.into_iter().map(|one| one.about(target.path.clone())));
    }
}

fn judge(result: &RunResult, target: &TargetInfo, extents: &Extents, span: f64) -> Vec<Caveat> {
    let share = |bytes: u64| Some(bytes as f64 / span).filter(|share| *share > EXTENT_SHARE);
    let mut found = Vec::new();
    if let Some(share) = share(extents.delayed_bytes) {
        let message = format!(
            "{} of the file had no blocks on the device even after writeback",
            percent(share * 100.0)
        );
        found.push(
            Code::DelayedExtents
                .caveat(Level::Suspect, message)
                .remedy("measure the device, or a file on another file system"),
        );
    }
    if let Some(share) = share(extents.encoded_bytes) {
        let message = format!(
            "{} of the file is compressed, encrypted or stored with the metadata. The device sees \
             other bytes than fathom",
            percent(share * 100.0)
        );
        found.push(
            Code::EncodedExtents
                .caveat(Level::Qualified, message)
                .remedy("rewrite the file without compression, or measure the device below"),
        );
    }
    let writes = jobs_on(result, target).any(Job::destroys);
    if let Some(share) = share(extents.shared_bytes).filter(|_| writes) {
        let message = format!(
            "{} of the file is shared with another file or snapshot. The first write to each block \
             copies it",
            percent(share * 100.0)
        );
        found.push(
            Code::SharedExtents
                .caveat(Level::Qualified, message)
                .remedy(
                    "use a copy without shared blocks (cp --reflink=never), or a file created by \
                 fathom",
                ),
        );
    }
    let per_gib = extents.count as f64 / (span / f64::from(1 << 30));
    let sequential = jobs_on(result, target).any(reads_in_order);
    // A handful of extents of a small file are no fragments.
    if sequential && per_gib > EXTENTS_PER_GIB && extents.count > EXTENTS_PER_GIB as u64 {
        let message = format!(
            "the file consists of {} extents. Sequential requests to the file are not sequential \
             on the device",
            count(extents.count)
        );
        found.push(
            Code::Fragmented
                .caveat(Level::Note, message)
                .remedy("create a new file on a file system with contiguous free space"),
        );
    }
    found
}

fn jobs_on<'a>(
    result: &'a RunResult,
    target: &'a TargetInfo,
) -> impl Iterator<Item = &'a Job> + 'a {
    let jobs = subject::jobs(result);
    let ours = jobs.filter(|(_, job, _)| job.targets.contains(&target.path));
    ours.filter_map(|(_, _, spec)| spec)
}

fn reads_in_order(job: &Job) -> bool {
    job.kinds.iter().any(|kind| kind.random.0 < 100.0)
}

/// Of `fathom check`.
pub(crate) const ENCODED_BEFORE: Look = Look {
    entry: entry! { EncodedExtents: Before, Number, "qualified",
        "more than {EXTENT_SHARE} of the file is compressed, encrypted or inline",
        [row::EXTENT_SHARE],
        Example::Target(fitness::samples::of_a_file)
    },
    run: encoded_before,
};

/// Of `fathom check`.
pub(crate) const SHARED_BEFORE: Look = Look {
    entry: entry! { SharedExtents: Before, Number, "qualified",
        "more than {EXTENT_SHARE} of the file is shared with others",
        [row::EXTENT_SHARE],
        Example::Target(fitness::samples::of_a_file)
    },
    run: shared_before,
};

fn encoded_before(facts: &Facts, found: &mut Vec<Caveat>) {
    let Some(file) = &facts.file else { return };
    if file.encoded_bytes as f64 > file.size_bytes as f64 * EXTENT_SHARE {
        let message = format!(
            "{} of the file are compressed, encrypted or stored with the metadata. The device \
             would see other bytes than fathom",
            size(file.encoded_bytes)
        );
        let remedy = "rewrite the file without compression, or measure the device below";
        found.push(
            Code::EncodedExtents
                .caveat(Level::Qualified, message)
                .remedy(remedy),
        );
    }
}

fn shared_before(facts: &Facts, found: &mut Vec<Caveat>) {
    let Some(file) = &facts.file else { return };
    if file.shared_bytes as f64 > file.size_bytes as f64 * EXTENT_SHARE {
        let message = format!(
            "{} of the file is shared. The first write to each block makes a copy",
            size(file.shared_bytes)
        );
        found.push(
            Code::SharedExtents
                .caveat(Level::Qualified, message)
                .remedy(FRESH),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::result::TargetLayout;
    use fathom_core::{CodeWord, fixture};

    #[test]
    fn a_thousandth_is_let_pass() {
        let with = |bytes| {
            let mut result = fixture::random_read();
            let layout = TargetLayout {
                span_bytes: 1_000_000,
                extents: Some(Extents {
                    count: 1,
                    mapped_bytes: 1_000_000,
                    encoded_bytes: bytes,
                    shared_bytes: bytes,
                    delayed_bytes: bytes,
                    ..Extents::default()
                }),
                ..TargetLayout::default()
            };
            result.provenance.targets[0].layout = Some(Box::new(layout));
            let found = found(&CHECK, &result);
            found.into_iter().map(|one| one.code).collect::<Vec<_>>()
        };
        assert_eq!(with(1_000), Vec::<CodeWord>::new());
        // Nobody writes: what is shared stays shared.
        assert_eq!(with(1_001), [Code::DelayedExtents, Code::EncodedExtents]);
    }
}
