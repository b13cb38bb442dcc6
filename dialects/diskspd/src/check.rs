//! What DISKSPD refuses in a profile whose values are each fine: a command line's and a file's.

use super::options::{self, OptionForm};
use super::profile::{Cache, Content, MOST_TARGETS, Profile, Ranges, Target, Throttle, TimeSpan};
use super::source::{At, Source};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::faults::Faults;

/// One rule: whether it is broken, the option to point at, what is wrong, what to do.
type Rule = (bool, &'static OptionForm, &'static str, &'static str);

/// Rules of these words: when it is broken, the option, what is wrong, what to do.
macro_rules! rules {
    ($($broken:expr => $form:ident, $message:literal, $remedy:literal;)+) => {
        [$(($broken, &options::$form, $message, $remedy)),+]
    };
}

/// All that the parts of a profile contradict in each other.
pub(super) fn check(profile: &Profile, source: &Source) -> Vec<Diagnostic> {
    // Targets of one command line break the same rule at the same place, which is reported once.
    let mut found = Faults::default();
    for (number, span) in profile.spans.iter().enumerate() {
        if found.is_hopeless() {
            break;
        }
        let mut tell = |at: At, rules: &[Rule]| {
            let broken = rules.iter().filter(|rule| rule.0);
            found
                .extend(broken.map(|(_, row, message, remedy)| {
                    source.error_about(row, at, *message, remedy)
                }));
        };
        tell(At::span(number), &of_span(span));
        for (index, target) in span.targets.iter().enumerate() {
            let at = At::target(number, index);
            tell(at, &of_threads(span, target));
            tell(at, &of_order(target));
            tell(at, &of_target(target));
            tell(at, &of_ranges(target));
            tell(at, &of_pool(span, target));
        }
    }
    found.into_vec()
}

fn of_span(span: &TimeSpan) -> [Rule; 3] {
    rules! {
        span.no_affinity && !span.affinity.is_empty() => NO_AFFINITY,
            "threads are pinned to a list of processors and not pinned", "leave `-n` or `-a` out";
        span.targets.is_empty() => TARGET, "the time span has no target", "add one";
        span.targets.len() > MOST_TARGETS => TARGET, "more than 1024 targets are too many",
            "fewer targets, or several runs";
    }
}

fn of_threads(span: &TimeSpan, target: &Target) -> [Rule; 8] {
    let pool = span.has_shared_queue();
    let stride = target.thread_stride_bytes > 0;
    // A rate that comes to nothing is none.
    let limited = target
        .throttle
        .is_some_and(|rate| rate.bytes_per_ms(target.block_bytes) > 0);
    rules! {
        span.threads > 0 && target.threads > 1 => THREADS,
            "threads are counted for each target and over all", "leave `-t` or `-F` out";
        pool && limited => RATE, "a rate for each target does not go with `-O`",
            "`-o` instead of `-O`";
        pool && (target.burst.is_some() || target.think_ms.is_some()) => THINK,
            "bursts for each target do not go with `-O`", "`-o` instead of `-O`";
        pool && target.parallel => PARALLEL, "positions of slots do not go with `-O`",
            "`-o` instead of `-O`";
        stride && span.threads_of(target) == 1 => THREAD_STRIDE,
            "one thread has no distance to the next", "leave `-T` out, or raise `-t`";
        stride && target.order.random_percent > 0 => THREAD_STRIDE,
            "random requests have no place to start from", "leave `-T` or `-r` out";
        stride && target.order.interlocked => THREAD_STRIDE,
            "threads that share one position do not start apart",
            "leave `-T` or the `i` of `-si` out";
        span.completion_routines && (limited || target.memory_mapped) => COMPLETION,
            "completion routines go neither with a rate nor with mapped files", "leave `-x` out";
    }
}

fn of_order(target: &Target) -> [Rule; 6] {
    let random = target.order.random_percent > 0;
    rules! {
        target.max_bytes.is_some_and(|max| max <= target.base_bytes) => MAX,
            "the used part ends before it begins", "make `-f` larger than `-B`";
        target.parallel && random => PARALLEL, "random requests have no position to keep",
            "leave `-p` or `-r` out";
        target.parallel && target.order.interlocked => PARALLEL,
            "slots that keep a position each do not share one",
            "leave `-p` or the `i` of `-si` out";
        target.order.interlocked && random => INTERLOCKED,
            "sequential and random exclude each other", "leave one of them out";
        target.order.ranges != Ranges::Uniform && !random => RANGE_PERCENT,
            "a distribution needs random requests", "add `-r` or `-rs`";
        random && target.order.stride_bytes == 0 => RANDOM, "offsets cannot be a multiple of 0",
            "`-r` alone aligns to the block size";
    }
}

/// Ranges with a share of the requests each, and the rest that goes without saying.
fn of_ranges(target: &Target) -> [Rule; 5] {
    let (row, remedy, list) = match &target.order.ranges {
        Ranges::Uniform => (&options::RANGE_PERCENT, "", &[][..]),
        Ranges::Percent(list) => (
            &options::RANGE_PERCENT,
            "as in `-rdpct90/10:0/10:5/20`: percent of requests / percent of the target",
            list.as_slice(),
        ),
        Ranges::Absolute(list) => (
            &options::RANGE_ABSOLUTE,
            "as in `-rdabs90/10G:0/10G:5/20G`: percent of requests / bytes of the target",
            list.as_slice(),
        ),
    };
    let is_percent = matches!(target.order.ranges, Ranges::Percent(_));
    let ios: u64 = list.iter().map(|(ios, _)| u64::from(*ios)).sum();
    let of = list
        .iter()
        .fold(0, |sum: u64, (_, of)| sum.saturating_add(*of));
    let least = if is_percent { 1 } else { target.block_bytes };
    let is_short = list.iter().any(|(_, of)| *of < least);
    let message = if is_percent {
        "a range of 0 % of the target holds nothing"
    } else {
        "a range is smaller than a block and does not hold one request"
    };
    [
        (is_short, row, message, remedy),
        (
            ios > 100,
            row,
            "the ranges have more than 100 % of the requests",
            remedy,
        ),
        (
            is_percent && of > 100,
            row,
            "the ranges have more than 100 % of the target",
            remedy,
        ),
        (
            is_percent && of == 100 && ios < 100,
            row,
            "the target is used up before the requests are",
            remedy,
        ),
        (
            is_percent && ios == 100 && of < 100,
            row,
            "the requests are used up before the target is",
            "add a range of 0 % of the requests for the rest of the target",
        ),
    ]
}

/// The shares of targets in a pool of threads.
fn of_pool(span: &TimeSpan, target: &Target) -> [Rule; 3] {
    let pool = span.has_shared_queue();
    let chosen = &target.thread_targets;
    rules! {
        pool && target.weight == 0 => WEIGHTS, "a target without weight gets no request",
            "a weight of at least 1";
        pool && chosen.iter().any(|chosen| chosen.thread >= span.threads) => THREAD_TARGETS,
            "a thread is chosen that the pool does not have",
            "threads are counted from 0 to ThreadCount - 1";
        !pool && !chosen.is_empty() => THREAD_TARGETS,
            "threads are chosen where they are not a pool with one queue",
            "add ThreadCount and RequestCount to the time span, or leave ThreadTargets out";
    }
}

fn of_target(target: &Target) -> [Rule; 7] {
    let buffer = match target.content {
        Content::Buffer { bytes, .. } => bytes,
        _ => u64::MAX,
    };
    rules! {
        target.flush.is_some() && !target.memory_mapped => MAP_FLUSH,
            "only mapped writes are flushed so", "add `-Sm`, or leave `-N` out";
        target.memory_mapped && target.cache == Cache::Uncached => MAPPED,
            "a mapped file is cached", "leave `u` or `h` out";
        buffer < target.block_bytes => SOURCE, "the buffer is smaller than a block",
            "make it at least as large as `-b`";
        target.burst.is_some() && target.think_ms.is_none() => BURST, "a burst needs a pause",
            "add `-j<ms>`";
        target.think_ms.is_some() && target.burst.is_none() => THINK,
            "a pause needs the length of a burst", "add `-i<requests>`";
        target.block_bytes == 0 || target.write_percent > 100 || target.outstanding == 0 ||
            target.threads == 0 || !(1..=3).contains(&target.priority) => BLOCK,
            "a value is out of range",
            "a block, an outstanding request, a thread at least; writes to 100, priority 1 to 3";
        matches!(target.throttle, Some(Throttle::BytesPerMs(0) | Throttle::Iops(0))) => RATE,
            "a rate of 0 does nothing", "leave it out for no limit";
    }
}
