//! Where the requests of a job go.

use crate::profile::{Ranges, Target};
use fathom_core::Percent;
use fathom_core::spec::{Cursor, CursorScope, Distribution, HotRange, Job, Walk};
use fathom_tools::losses::Losses;
use fathom_tools::translation::Standing;
use fathom_tools::writers::{is_sequential, largest, used_bytes, zones};

/// Order and distribution; block size, alignment and shares are in the target already.
pub(super) fn write(job: &Job, target: &mut Target, losses: &mut Losses) {
    let random = target.order.random_percent;
    let sequential = is_sequential(job);
    if random > 0 {
        target.order.ranges = ranges(job, target.block_bytes, losses);
    }
    losses.say_if(
        job.access.without_repetition && random > 0,
        Standing::Approximated,
        "without_repetition",
        "DISKSPD keeps no account of the blocks visited; blocks come again within a pass",
    );
    if sequential {
        stride(job, target, losses);
        cursor(job, target, losses);
    }
    losses.say_if(
        job.access.walk != Walk::Free,
        Standing::Refused,
        "walk",
        "DISKSPD binds no request to the ones before it, but for their order",
    );
    let both = (1..100).contains(&target.write_percent);
    losses.say_if(
        sequential && both && job.access.cursor_scope == CursorScope::PerOp,
        Standing::Approximated,
        "cursor_scope",
        "DISKSPD has one position for reads and writes: a write moves the next read",
    );
}

fn stride(job: &Job, target: &mut Target, losses: &mut Losses) {
    let stride = job
        .access
        .stride
        .map_or(target.block_bytes, |stride| stride.0);
    if target.order.random_percent == 0 {
        target.order.stride_bytes = stride;
    } else if target.order.stride_bytes != stride {
        let message = "DISKSPD steps by the alignment of random requests where both are mixed";
        losses.say(Standing::Refused, "stride", message);
    }
}

fn cursor(job: &Job, target: &mut Target, losses: &mut Losses) {
    if job.threads < 2 {
        return;
    }
    let mixed = target.order.random_percent > 0;
    let apart = match job.access.cursor {
        Cursor::Shared if mixed => {
            let message = "DISKSPD shares no position where requests at random are mixed in; \
                           each thread has its own";
            losses.say(Standing::Refused, "cursor", message);
            0
        }
        Cursor::Shared => {
            target.order.interlocked = true;
            0
        }
        Cursor::Own { stride: Some(gap) } => gap.0,
        Cursor::Own { stride: None } => {
            let threads = u64::from(job.threads);
            let share = used_bytes(job).map(|used| used / threads / largest(job) * largest(job));
            if share.is_none() {
                let message = "the size of the target is not known, so that threads cannot \
                               begin evenly apart; all begin at its start";
                losses.say(Standing::Refused, "cursor", message);
            }
            share.unwrap_or(0)
        }
    };
    if mixed && apart > 0 {
        let message = "DISKSPD's threads begin at one place where requests at random are mixed in";
        losses.say(Standing::Approximated, "cursor", message);
    } else {
        target.thread_stride_bytes = apart;
    }
}

fn ranges(job: &Job, block_bytes: u64, losses: &mut Losses) -> Ranges {
    let hot = match &job.access.distribution {
        Distribution::Uniform => return Ranges::Uniform,
        Distribution::Hot { ranges } => ranges.clone(),
        Distribution::Pareto { h } => {
            let message = "DISKSPD has ranges only: one of the share that is asked for most and \
                           one of the rest, each uniform";
            losses.say(Standing::Refused, "distribution", message);
            vec![HotRange {
                ios: Percent(h * 100.0),
                of: Percent(100.0 - h * 100.0),
            }]
        }
        Distribution::Zipf { .. } | Distribution::Normal { .. } => {
            let message = "DISKSPD has ranges only; it is uniform";
            losses.say(Standing::Refused, "distribution", message);
            return Ranges::Uniform;
        }
    };
    let (zones, exact) = zones(&hot);
    let absolute = used_bytes(job).and_then(|length| absolute(&hot, length, block_bytes));
    if let (Some(list), false) = (absolute, exact) {
        return Ranges::Absolute(list);
    }
    losses.say_if(
        !exact,
        Standing::Approximated,
        "distribution",
        "DISKSPD's ranges have whole percents; rounded",
    );
    let zones = zones.into_iter().map(|(ios, of)| (ios, u64::from(of)));
    Ranges::Percent(zones.collect())
}

/// The ranges in bytes of the used part, where that says them exactly.
fn absolute(hot: &[HotRange], length: u64, block_bytes: u64) -> Option<Vec<(u32, u64)>> {
    let whole = |number: f64, within: f64| {
        let rounded = number.round();
        ((number - rounded).abs() <= within).then_some(rounded)
    };
    let range = |range: &HotRange| {
        let ios = whole(range.ios.0, 1e-9)?;
        // As far as the share can tell one byte from the next.
        let bytes = whole(length as f64 * range.of.0 / 100.0, 0.01)? as u64;
        (bytes >= block_bytes).then_some((ios as u32, bytes))
    };
    hot.iter().map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_whole_bytes_are_said_in_bytes() {
        let length = 7 << 30;
        let hot = |ios: f64, bytes: u64| HotRange {
            ios: Percent(ios),
            of: Percent(bytes as f64 / length as f64 * 100.0),
        };
        let one = [hot(90.0, 1 << 30), hot(5.0, 12_345 << 12)];
        let expected = vec![(90, 1 << 30), (5, 12_345 << 12)];
        assert_eq!(absolute(&one, length, 4096), Some(expected));
        // Less than a block, and shares that are no whole percents, cannot be said so.
        assert_eq!(absolute(&[hot(90.0, 1 << 10)], length, 4096), None);
        assert_eq!(absolute(&[hot(0.5, 1 << 30)], length, 4096), None);
    }
}
