//! The answers in words.

use super::caps::Match;
use super::figures::Figures;
use super::probes::Reaction;
use super::{Advised as _, Answer, answer};
use crate::bound::thresholds::{APART, EXACT, OTHER_COUNT};
use crate::stats::{BucketFit, Fall};
use fathom_core::result::{BoundKind, Culprit, Mechanism, PhaseResult};
use fathom_core::{Cap, CapUnit, figure};

fn value(cap: &Cap, value: f64) -> String {
    match cap.unit {
        CapUnit::Iops => format!("{} IOPS", figure::iops(value)),
        CapUnit::BytesPerSecond => format!("{} MB/s", figure::megabytes(value)),
    }
}

pub(super) fn at_cap(best: &Match<'_>, figures: &Figures, confirmed: bool) -> String {
    let cap = best.cap;
    let place = if best.above.abs() < EXACT {
        "at it".to_owned()
    } else {
        let side = if best.above > 0.0 { "above" } else { "below" };
        format!("{} {side} it", figure::percent(best.above.abs() * 100.0))
    };
    let sure = if best.is_sliced {
        ". The kernel stopped the load in each of its slices of 100 ms, and let only this part \
         through"
    } else if confirmed {
        "; twice the outstanding requests changed nothing"
    } else {
        ""
    };
    let rate = value(cap, best.rate);
    let seen = match cap.unit {
        // The limit counts large requests several times, the host once.
        CapUnit::Iops
            if cap.request_bytes.is_some()
                && (best.rate / figures.iops - 1.0).abs() > OTHER_COUNT =>
        {
            format!("{rate} as it counts them")
        }
        _ => rate,
    };
    format!(
        "the limit `{}` of {} ({}): the plateau of {seen} is {place}{sure}",
        cap.name,
        value(cap, cap.value),
        cap.source
    )
}

pub(super) fn ambiguous(best: &Match<'_>, other: &Match<'_>, figures: &Figures) -> Answer {
    let (requests, bytes) = if best.cap.unit == CapUnit::Iops {
        (best.cap, other.cap)
    } else {
        (other.cap, best.cap)
    };
    let meet = bytes.value / requests.value;
    let size = |bytes: f64| {
        // Sizes that a workload can have: powers of two.
        figure::size(2_u64.pow(bytes.max(512.0).log2().round() as u32))
    };
    let sentence = format!(
        "ambiguous: with requests of {} the limits `{}` of {} and `{}` of {} nearly coincide",
        figure::size(figures.request_bytes().round() as u64),
        requests.name,
        value(requests, requests.value),
        bytes.name,
        value(bytes, bytes.value)
    );
    answer(BoundKind::Ambiguous, "", sentence).advice(&format!(
        "use --block-size {} and {}: the smaller shows the limit of requests, the larger that \
         of bytes",
        size(meet / APART),
        size(meet * APART)
    ))
}

pub(super) fn by_reaction(reaction: &Reaction, figures: &Figures) -> Answer {
    let change = figure::percent(reaction.by_depth().abs() * 100.0);
    if reaction.grows() {
        let sentence = format!(
            "queue depth: {} outstanding requests do not saturate the storage. Twice as many gave \
             {change} more",
            figure::outstanding(figures.held)
        );
        return answer(BoundKind::QueueDepth, "queue depth", sentence)
            .advice("use more outstanding requests, if the application can");
    }
    if reaction.drops() {
        let sentence = format!(
            "contention: twice the outstanding requests gave {change} less. The load is beyond the \
             saturation point"
        );
        return answer(BoundKind::Contention, "contention", sentence)
            .advice("use `fathom ramp` to find the saturation point");
    }
    if reaction.threads_help() && !reaction.drops() {
        let gain = reaction.by_threads().unwrap_or(0.0) * 100.0;
        let sentence = format!(
            "the load generator: the same requests from twice the threads gave {} more",
            figure::percent(gain)
        );
        return answer(BoundKind::Generator, "generator CPU", sentence).advice("more threads");
    }
    if reaction.is_unfilled() {
        let sentence = "the load generator: twice the outstanding requests left throughput and \
                        latency as they were, so the slots are not filled";
        return answer(BoundKind::Generator, "generator", sentence.to_owned())
            .advice("use more threads with fewer outstanding requests each");
    }
    if reaction.is_stalled() {
        let sentence = format!(
            "bottleneck not found: one request took {} of the time with twice as many outstanding, \
             which gave {change} less. This is a stall, not contention",
            figure::percent(reaction.depth.longest_share * 100.0)
        );
        return answer(BoundKind::Unexplained, "", sentence)
            .advice("measure again; stalls are among the slowest requests of the result");
    }
    if reaction.is_full() {
        return beyond_the_host(reaction);
    }
    if !reaction.is_still_the_same() {
        let sentence = format!(
            "bottleneck not found: the storage changed during the test, so twice the outstanding \
             requests ({change} {}) prove nothing",
            if reaction.by_depth() < 0.0 {
                "less"
            } else {
                "more"
            }
        );
        return answer(BoundKind::Unexplained, "", sentence)
            .advice("run longer, until bursts are over and the rate is sustained");
    }
    answer(
        BoundKind::Unexplained,
        "",
        format!(
            "bottleneck not found: twice the outstanding requests changed throughput by {change}. \
             This is too much for a saturated resource and too little for spare capacity"
        ),
    )
    .advice("run longer, and use `fathom ramp` for the whole curve")
}

/// Something there is full: twice as much asked for is twice as long waited for.
fn beyond_the_host(reaction: &Reaction) -> Answer {
    let what = match reaction.same_bytes() {
        Some(true) => ", and it limits bytes: requests of another size moved as many",
        Some(false) => ", and it limits requests: another size did not change their number",
        None => "",
    };
    let mut bound = answer(
        BoundKind::BeyondHost,
        "outside this host",
        format!(
            "outside this host: twice the outstanding requests left {} IOPS and took {} times as \
             long. The device, a link or an unknown limit is saturated{what}",
            figure::iops(reaction.base().iops),
            figure::decimal(reaction.latency_ratio(), 2)
        ),
    )
    .advice("use --cap NAME=RATE for a known limit, such as --cap vm=1920iops");
    bound.confirmed = true;
    bound
}

pub(super) fn bucket(fit: &BucketFit) -> String {
    let seconds = |value: f64| figure::duration((value * 1e9) as u64);
    format!(
        "a burst bucket is empty after {}: {} IOPS, then {}. It holds at least {} requests of \
         credit, and is full again after {} idle",
        seconds(fit.cliff_s),
        figure::iops(fit.burst),
        figure::iops(fit.baseline),
        figure::count(fit.capacity as u64),
        seconds(fit.refill_s)
    )
}

/// How the rate fell, where it is no bucket's doing.
pub(super) fn fall(fall: &Fall, phase: &PhaseResult, figures: &Figures) -> String {
    let seconds = fall.from as f64 * phase.interval_s().unwrap_or(0.0);
    let bytes = fall.above * figures.request_bytes();
    format!(
        "the rate fell after {}: {} IOPS, then {}. Before that, {} requests ({}) exceeded the \
         later rate",
        figure::duration((seconds * 1e9) as u64),
        figure::iops(fall.before),
        figure::iops(fall.after),
        figure::count(fall.above as u64),
        figure::size(bytes as u64)
    )
}

/// What most likely made it fall, a line for each.
pub(super) fn culprits(culprits: &[Culprit]) -> impl Iterator<Item = String> + '_ {
    culprits.iter().enumerate().map(|(place, culprit)| {
        let word = if place == 0 { "most like" } else { "or" };
        let mut line = format!("{word} {}", culprit.mechanism.words());
        if !culprit.signs.is_empty() {
            line.push_str(": ");
            line.push_str(&culprit.signs.join(", "));
        }
        if !culprit.against.is_empty() {
            line.push_str("; against it: ");
            line.push_str(&culprit.against.join(", "));
        }
        line
    })
}

/// The same as an answer.
pub(super) fn fell(fall: &Fall, culprits: &[Culprit]) -> String {
    let words: Vec<&str> = culprits.iter().map(|one| one.mechanism.words()).collect();
    format!(
        "{}: afterwards the rate is {} IOPS instead of {}",
        words.join(", or "),
        figure::iops(fall.after),
        figure::iops(fall.before)
    )
}

/// What to do about a mechanism, or to be surer of it.
pub(super) const fn cure(mechanism: Mechanism) -> &'static str {
    match mechanism {
        Mechanism::VolumeCredit | Mechanism::InstanceCredit => {
            "use --cap NAME=RATE for the limits of volume and instance, and a load below the later \
             rate"
        }
        Mechanism::FlashCache => {
            "the later rate is the sustained one; after an idle time the fast rate returns"
        }
        Mechanism::WriteCache => {
            "the later rate is the sustained one; measure reads alone to exclude the cache"
        }
        Mechanism::DirtyLimit => "use --direct, or report the earlier rate as that of memory",
        Mechanism::Heat => "cool the device, or report the hot rate as the intended one",
        Mechanism::Processor => "use a machine or quota with spare CPU time",
        Mechanism::Collection => {
            "run longer, until the rate is steady; `steady` in a workload stops it then"
        }
    }
}
