//! The answers in words.

use super::caps::Match;
use super::figures::Figures;
use super::probes::Reaction;
use super::{Advised as _, Answer, answer};
use crate::thresholds::{APART, EXACT, OTHER_COUNT};
use fathom_core::result::BoundKind;
use fathom_core::stats::BucketFit;
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
    let sure = if confirmed {
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
        "the limit `{}` of {} ({}): the plateau of {seen} lies {place}{sure}",
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
        "--block-size {} and {}: the smaller shows the limit of requests, the larger that of bytes",
        size(meet / APART),
        size(meet * APART)
    ))
}

pub(super) fn by_reaction(reaction: &Reaction, figures: &Figures) -> Answer {
    let change = figure::percent(reaction.by_depth().abs() * 100.0);
    if reaction.grows() {
        let sentence = format!(
            "queue depth: {} outstanding requests do not fill the storage; twice as many gave \
             {change} more",
            figure::outstanding(figures.held)
        );
        return answer(BoundKind::QueueDepth, "queue depth", sentence)
            .advice("more outstanding requests, if the application can have them");
    }
    if reaction.drops() {
        let sentence = format!(
            "contention: twice the outstanding requests gave {change} less; the load is beyond \
             the best point"
        );
        return answer(BoundKind::Contention, "contention", sentence)
            .advice("`fathom ramp` shows where the best point lies");
    }
    if reaction.threads_help() {
        let gain = reaction.by_threads().unwrap_or(0.0) * 100.0;
        let sentence = format!(
            "the generator: the same requests from twice the threads gave {} more",
            figure::percent(gain)
        );
        return answer(BoundKind::Generator, "generator CPU", sentence).advice("more threads");
    }
    if reaction.is_flat() {
        let what = match reaction.same_bytes() {
            Some(true) => ", and it counts bytes: requests of another size moved as many",
            Some(false) => {
                ", and it counts requests: another size made no difference to their number"
            }
            None => "",
        };
        let mut bound = answer(
            BoundKind::BeyondHost,
            "beyond the host",
            format!(
                "beyond the host: twice the outstanding requests left {} IOPS and took {} times \
                 as long; the device, a link or a limit without a name is full{what}",
                figure::iops(reaction.same.iops),
                figure::decimal(reaction.latency_ratio(), 2)
            ),
        )
        .advice("--cap NAME=RATE for a limit that you know, as in --cap vm=1920iops");
        bound.confirmed = true;
        return bound;
    }
    answer(
        BoundKind::Unexplained,
        "",
        format!(
            "unexplained: twice the outstanding requests changed throughput by {change}, too much \
             for a full resource and too little for one with room"
        ),
    )
    .advice("a longer run, and `fathom ramp` for the whole curve")
}

pub(super) fn bucket(fit: &BucketFit) -> String {
    let seconds = |value: f64| figure::duration((value * 1e9) as u64);
    format!(
        "a burst bucket ran dry after {}: {} IOPS, then {}; at least {} requests of credit, full \
         again after {} at rest",
        seconds(fit.cliff_s),
        figure::iops(fit.burst),
        figure::iops(fit.baseline),
        figure::count(fit.capacity as u64),
        seconds(fit.refill_s)
    )
}
