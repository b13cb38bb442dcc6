//! A profile in Fathom's terms.

mod job;
mod notes;
mod pool;
mod ranges;
mod target;

pub(super) use job::LAST_LEVEL;

use super::options;
use super::profile::{Profile, TimeSpan};
use super::source::{At, PlacedNote, Source};
use fathom_core::SmallSort as _;
use fathom_core::spec::validate::{Violation, check_jobs, validate};
use fathom_core::spec::{Phase, Workload};
use fathom_core::units::Nanos;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::Surroundings;
use fathom_tools::faults::Faults;
use fathom_tools::translation::{Affinity, RunWishes, Translation};
use std::collections::HashSet;

/// Bounds of the length of an interval, milliseconds.
const INTERVAL_MS: std::ops::RangeInclusive<u32> = 100..=60_000;

/// Collects what is said on the way.
struct Work<'a> {
    source: &'a Source,
    surroundings: &'a dyn Surroundings,
    notes: Vec<PlacedNote>,
    errors: Faults,
}

/// Translates a profile that DISKSPD accepts. `notes` are those of reading it.
///
/// # Errors
///
/// What Fathom cannot honour, and what cannot be on this system.
pub(super) fn translate(
    profile: &Profile,
    source: &Source,
    notes: Vec<PlacedNote>,
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let mut work = Work {
        source,
        surroundings,
        notes,
        errors: Faults::default(),
    };
    let jobs = profile.spans.iter().map(|span| span.targets.len().max(1));
    if let Some(violation) = check_jobs(jobs.sum()) {
        let error = work.violation(&violation, profile);
        return Err(vec![error]);
    }
    work.of_profile(profile);
    let mut phases = Vec::new();
    for (number, span) in profile.spans.iter().enumerate() {
        if work.errors.is_hopeless() {
            break;
        }
        work.of_span(span, number);
        phases.push(Phase {
            name: format!("timespan {}", number + 1),
            warm_up: Nanos::from_secs(u64::from(span.warm_up_s)),
            duration: Some(Nanos::from_secs(u64::from(span.duration_s))),
            cool_down: Nanos::from_secs(u64::from(span.cool_down_s)),
            jobs: work.jobs(span, number),
            ..Phase::plain()
        });
    }
    let first = profile.spans.first().cloned().unwrap_or_default();
    let workload = Workload {
        name: "diskspd".to_owned(),
        source: source.origin().to_owned(),
        seed: (!first.fresh_seed).then_some(first.seed),
        interval: interval(&first),
        phases,
        ..Workload::plain()
    };
    if work.errors.is_empty() {
        for violation in validate(&workload) {
            let error = work.violation(&violation, profile);
            work.errors.push(error);
        }
        // A default that follows from what is stated already.
        if work
            .errors
            .told()
            .iter()
            .any(|error| !source.is_whole(&error.span))
        {
            work.errors.retain(|error| !source.is_whole(&error.span));
        }
    }
    // What targets have in common is said once.
    work.notes.small_sort_by_key(|(start, _)| *start);
    let mut said = HashSet::new();
    work.notes.retain(|(_, note)| said.insert(note.clone()));
    if !work.errors.is_empty() {
        return Err(work.errors.into_vec());
    }
    let wishes = wishes(profile, &first);
    Ok(Translation {
        workload,
        notes: work.notes.into_iter().map(|(_, note)| note).collect(),
        wishes,
    })
}

fn wishes(profile: &Profile, first: &TimeSpan) -> RunWishes {
    let cpus = first.affinity.iter().map(|(_, cpu)| u32::from(*cpu));
    let mut targets = profile.spans.iter().flat_map(|span| &span.targets);
    RunWishes {
        affinity: match first {
            span if span.no_affinity => Affinity::Free,
            span if span.affinity.is_empty() => Affinity::RoundRobin,
            _ => Affinity::List(cpus.collect()),
        },
        huge_pages: targets.any(|target| target.large_pages),
        // DISKSPD leaves its files.
        keep_files: true,
        ..RunWishes::default()
    }
}

/// The interval from which the buckets of a span can be added up.
fn interval(span: &TimeSpan) -> Nanos {
    let bucket = span
        .iops_bucket_ms
        .unwrap_or(1000)
        .max(*INTERVAL_MS.start());
    let most = *INTERVAL_MS.end();
    let parts = bucket.div_ceil(most)..=bucket / INTERVAL_MS.start();
    let whole = parts.clone().find(|parts| bucket.is_multiple_of(*parts));
    Nanos::from_millis(u64::from(whole.map_or(1000, |parts| bucket / parts)))
}

impl Work<'_> {
    /// A broken rule of the specification, reported at the option that it came from.
    fn violation(&self, violation: &Violation, profile: &Profile) -> Diagnostic {
        let index = |list: &str| {
            let (_, rest) = violation.path.split_once(list)?;
            rest.split_once(']')?.0.parse::<usize>().ok()
        };
        let span = index("phase[").unwrap_or(0);
        let target = index("job[");
        let pool = profile.spans.get(span).is_some_and(|span| span.threads > 0);
        let random = target
            .and_then(|target| profile.spans.get(span)?.targets.get(target))
            .is_some_and(|target| target.order.random_percent > 0);
        let key = violation.path.rsplit('.').next().unwrap_or_default();
        let row = match key {
            "block_size" => &options::BLOCK,
            "align" => &options::RANDOM,
            "stride" if random => &options::RANDOM,
            "stride" => &options::SEQUENTIAL,
            "offset" => &options::BASE,
            "window" => &options::MAX,
            "size" => &options::CREATE,
            "threads" if pool => &options::POOL,
            "threads" => &options::THREADS,
            "queue_depth" if pool => &options::POOL_OUTSTANDING,
            "queue_depth" => &options::OUTSTANDING,
            "cursor" => &options::THREAD_STRIDE,
            "distribution" => &options::RANGE_PERCENT,
            "rate" => &options::RATE,
            "duration" => &options::DURATION,
            "warm_up" => &options::WARM_UP,
            "cool_down" => &options::COOL,
            _ => &options::TARGET,
        };
        let at = At { span, target };
        let remedy = match key {
            "block_size" | "align" | "stride" | "offset" | "cursor" => {
                "use a multiple of 512, or `-Sb` to go through the page cache"
            }
            "threads" | "queue_depth" => &violation.remedy,
            _ => "choose another value",
        };
        self.source
            .error_about(row, at, violation.message.clone(), remedy)
    }
}
