//! What went in and what came out: requests, the queue that was held, the processor time.

use crate::figure::{
    count, duration, mebibytes, megabytes, outstanding, percent, plural, size, time,
};
use crate::page::Page;
use fathom_core::Op;
use fathom_core::result::{
    JobResult, Lateness, LoadModel, OpResult, PhaseResult, REPLAY_LATE_NS, Replayed,
};

pub(super) fn write(page: &mut Page, phase: &PhaseResult) {
    let jobs = || {
        phase
            .jobs
            .iter()
            .map(|job| (super::job_prefix(phase, &job.name), job))
    };
    for (prefix, job) in jobs() {
        for (op, result) in job.ops.present().filter(|(op, _)| *op != Op::Flush) {
            page.entry("throughput", &(prefix.clone() + &throughput(op, result)));
        }
    }
    for (prefix, job) in jobs() {
        page.entry("requests", &(prefix + &requests(job, phase.measured_ns)));
    }
    for (prefix, job) in jobs() {
        page.entry("queue", &(prefix + &queue(job)));
    }
    for (prefix, job) in jobs() {
        if let Some(text) = generation(job) {
            page.entry("generation", &(prefix + &text));
        }
    }
    for (prefix, job) in jobs() {
        if let Some(text) = lateness(job) {
            page.entry("lateness", &(prefix + &text));
        }
    }
    for (prefix, job) in jobs() {
        if let Some(replay) = &job.replay {
            page.entry("replay", &(prefix + &replayed(replay)));
        }
    }
    page.entry("processor", &processor(phase));
}

/// How much of a trace was replayed, and how late.
pub(crate) fn replayed(replay: &Replayed) -> String {
    let selected = count(replay.selected);
    let recorded = plural(replay.recorded, "recorded request");
    let mut text = format!("{selected} of {recorded}");
    text += match replay.order {
        Some(true) => ", with no more outstanding than recorded",
        Some(false) => ". None waited for another: the trace has too few completions",
        None => "",
    };
    if let Some(lag) = &replay.lag {
        let percentile = |name| lag.time_ns.percentile(name).map(|ns| time(ns as f64));
        let shown = ["50", "99"].map(|name| {
            let value = percentile(name).map(|value| format!("p{name} {value}, "));
            value.unwrap_or_default()
        });
        text += &format!(
            "; issued late by {}max {}, {} of them by more than {}",
            shown.concat(),
            time(lag.time_ns.max as f64),
            percent(lag.late_share() * 100.0),
            time(REPLAY_LATE_NS as f64)
        );
    }
    text
}

/// What of the response times of an open load is the generator's.
fn lateness(job: &JobResult) -> Option<String> {
    let of_op = |(op, result): (Op, &OpResult)| {
        let named =
            Lateness::of(job, result).filter(|one| matches!(one.percentile, "50" | "99" | "99.9"));
        let parts: Vec<String> = named
            .map(|one| {
                format!(
                    "{} of p{} ({})",
                    time(one.generator_ns() as f64),
                    one.percentile,
                    percent(one.generator_share() * 100.0)
                )
            })
            .collect();
        (!parts.is_empty()).then(|| format!("{} {}", op.name(), parts.join(", ")))
    };
    let ops: Vec<String> = job.ops.present().filter_map(of_op).collect();
    let waited = job.queued.filter(|queued| *queued > 0);
    let waited =
        waited.map(|queued| format!("{} waited for a free slot", plural(queued, "request")));
    let all: Vec<String> = ops.into_iter().chain(waited).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// What the generator spent on each request.
fn generation(job: &JobResult) -> Option<String> {
    let told = job.ops.present().filter_map(|(op, result)| {
        // Virtual time stands still meanwhile.
        let generation = result.generation_ns.filter(|one| one.mean > 0.0)?;
        let share = generation.mean / result.service_ns.mean.max(1.0);
        Some(format!(
            "{} {} per request, {} of the mean service time, which does not include it",
            op.name(),
            time(generation.mean),
            percent(share * 100.0)
        ))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join("; "))
}

/// In both units: data sheets and quotas use either and seldom say which.
fn throughput(op: Op, result: &OpResult) -> String {
    let rate = result.bytes_per_second;
    let mut text = format!(
        "{} {} MB/s = {} MiB/s",
        op.name(),
        megabytes(rate),
        mebibytes(rate)
    );
    if let Some(mean) = result.bytes.checked_div(result.ios) {
        text += &format!(", {} a request", size(mean));
    }
    text
}

fn requests(job: &JobResult, measured_ns: u64) -> String {
    let due = job.due.map(|due| format!("{} due, ", count(due)));
    let edges = job.edges.unwrap_or_default();
    let mut text = format!(
        "{}{} submitted",
        due.unwrap_or_default(),
        count(job.submitted)
    );
    if edges.before > 0 {
        text += &format!(" and {} in flight before", count(edges.before));
    }
    text += &format!(
        ", {} completed, {} failed",
        count(job.completed),
        count(job.failed)
    );
    let short = job.short();
    if short > 0 {
        text += &format!(", {} short", count(short));
    }
    if edges.after > 0 {
        text += &format!(", {} in flight after", count(edges.after));
    }
    if let Some(lag) = job.max_lag_ns {
        text += &format!("; longest lag {}", time(lag as f64));
    }
    if let Some(flush_ns) = job.end_flush_ns {
        text += &format!("; flushed for {} at the end", duration(flush_ns));
    }
    if job.active_ns < measured_ns {
        text += &format!("; active for {}", duration(job.active_ns));
    }
    text
}

/// Little's law in two readings: the integral that was measured, and X·R from the results.
fn queue(job: &JobResult) -> String {
    let by_law: f64 = job
        .ops
        .present()
        .map(|(_, op)| op.iops * op.service_ns.mean / 1e9)
        // The empty sum of floats is -0.
        .fold(0.0, std::ops::Add::add);
    let held = job.queue_depth_held;
    let allowed = job.queue_depth_possible.min(job.queue_depth);
    let mut text = if job.load_model == LoadModel::Closed {
        format!(
            "{} of {} outstanding achieved ({})",
            outstanding(held),
            count(allowed),
            percent(held / allowed.max(1) as f64 * 100.0)
        )
    } else {
        format!("{} outstanding on average", outstanding(held))
    };
    // Where requests were not followed one by one, the second reading is not there.
    if job
        .ops
        .present()
        .all(|(_, op)| op.ios == 0 || op.service_ns.count > 0)
    {
        text += &format!(", IOPS × mean service time = {}", outstanding(by_law));
    }
    if allowed < job.queue_depth {
        text += &format!("; {} asked for", count(job.queue_depth));
    }
    let batches = job.workers.iter().filter_map(|worker| worker.submit_batch);
    if let Some(range) = range(batches.map(u64::from), count) {
        text += &format!("; at most {range} submitted at once");
    }
    let spins = job.workers.iter().filter_map(|worker| worker.spin_ns);
    if let Some(range) = range(spins, |ns| time(ns as f64)) {
        text += &format!("; threads wake {range} before each start");
    }
    text
}

/// From the least to the most of some numbers; one where they are equal.
fn range(of: impl Iterator<Item = u64> + Clone, figure: fn(u64) -> String) -> Option<String> {
    let (least, most) = (of.clone().min()?, of.max()?);
    Some(if least < most {
        format!("{} to {}", figure(least), figure(most))
    } else {
        figure(most)
    })
}

fn processor(phase: &PhaseResult) -> String {
    let process = &phase.process;
    let ios: u64 = phase
        .jobs
        .iter()
        .map(|job| job.completed + job.failed)
        .sum();
    let (user, system) = (process.user_ns as f64, process.system_ns as f64);
    if user + system == 0.0 {
        return "not known".to_owned();
    }
    let busy = (user + system) / phase.measured_ns.max(1) as f64;
    let mut text = format!("{} of one CPU busy", percent(busy * 100.0));
    if ios > 0 {
        let each = |total: f64| time(total / ios as f64);
        text = format!(
            "{} per I/O ({} user + {} kernel), {text}",
            each(user + system),
            each(user),
            each(system)
        );
    }
    if process.kernel_workers > 0 {
        let share = process.kernel_worker_ns as f64 / system.max(1.0) * 100.0;
        text += &format!(
            "; {} of the kernel's time in {} of io_uring",
            percent(share),
            plural(u64::from(process.kernel_workers), "worker thread")
        );
    }
    if process.steal_percent > 0.0 {
        text += &format!(
            "; {} stolen by the hypervisor",
            percent(process.steal_percent)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::result::ReplayLag;
    use fathom_core::summary::LatencySummary;

    #[test]
    fn a_replay_states_its_part_of_the_trace_and_its_lag() {
        let fast = Replayed {
            recorded: 5_000,
            selected: 2_000,
            ..Replayed::default()
        };
        let in_order = |order| Replayed {
            order,
            ..fast.clone()
        };
        let percentiles = [("50", 1_200), ("99", 41_800)];
        let percentiles = percentiles.map(|(name, ns)| (name.to_owned(), ns));
        let timed = Replayed {
            lag: Some(ReplayLag {
                time_ns: LatencySummary {
                    count: 2_000,
                    max: 1_310_000,
                    percentiles: percentiles.into(),
                    ..LatencySummary::default()
                },
                late: 10,
                late_queued: 0,
            }),
            ..fast.clone()
        };
        assert_eq!(replayed(&fast), "2,000 of 5,000 recorded requests");
        let expected = "2,000 of 5,000 recorded requests, with no more outstanding than recorded";
        assert_eq!(replayed(&in_order(Some(true))), expected);
        let expected = "2,000 of 5,000 recorded requests. None waited for another: the trace has \
                        too few completions";
        assert_eq!(replayed(&in_order(Some(false))), expected);
        let expected = "2,000 of 5,000 recorded requests; issued late by p50 1.20 µs, p99 41.8 µs, \
                        max 1.31 ms, 0.5 % of them by more than 1.00 ms";
        assert_eq!(replayed(&timed), expected);
    }
}
