//! The answer in words that can be repeated.

use super::{FIT_VERSION, Fit, Held, Method, OnPath, Original, Unread};
use fathom_core::figure;
use serde::Serialize;
use std::cmp::Ordering;
use std::fmt::Write as _;

/// The share of the rate asked for that a target serves at least.
pub(super) const SERVED: f64 = 0.99;
/// The share of the time, or of the requests, that may wait for a limit without a comparison with
/// today.
const HELD: f64 = 0.01;
/// Requests with which a trace of a constant rate gives a p99 with its interval.
const ENOUGH: u64 = 2_000;
/// Share of a trace without a request that explains parts without requests.
const GAP: f64 = 0.1;
/// A median response time above this multiple of the time without any wait shows a busy disk.
const BUSY: f64 = 2.0;
/// Seconds that a trace has at least: the last requests may take a hundredth of it.
pub(super) const LEAST_SECONDS: f64 = 5.0;

/// Whether a load fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// It is served, and no slower than today where that is known.
    Fits,
    /// It is served, and slower than today.
    FitsSlower,
    /// It is served until a credit is empty.
    FitsForATime,
    /// It is not served, or limits make it slower than today.
    DoesNotFit,
    /// Too little is known.
    CannotTell,
}

impl Answer {
    /// For a cell of a table.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Fits | Self::FitsSlower => "yes",
            Self::FitsForATime => "for a time",
            Self::DoesNotFit => "no",
            Self::CannotTell => "cannot tell",
        }
    }
}

/// The load on all targets.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fits {
    /// Always [`FIT_VERSION`].
    pub fit_version: u32,
    /// The answer in words.
    pub headline: String,
    /// Path of the trace, as it was given.
    pub trace: String,
    /// Where the requests come from.
    pub method: Method,
    /// The same in words.
    pub method_words: String,
    /// The load as it was recorded.
    pub original: Original,
    /// The rate asked for over the recorded one.
    pub scale: f64,
    /// Seeds of service times; 0 on a path.
    pub seeds: u64,
    /// In the order in which they were given.
    pub targets: Vec<Fit>,
    /// Targets without a simulation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
    /// The load on a path, where it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_path: Option<OnPath>,
    /// What was left out of the trace or assumed of it.
    pub notes: Vec<String>,
}

impl Fits {
    /// Decides for each target, and makes the sentences.
    #[must_use]
    pub fn answered(mut self) -> Self {
        self.fit_version = FIT_VERSION;
        let (original, method) = (&self.original, self.method);
        for fit in &mut self.targets {
            let (answer, reason) = decide(fit, original);
            fit.answer = answer;
            fit.sentence = sentence(fit, original, method, &reason);
        }
        let on_path = self.on_path.take();
        self.on_path = on_path.map(|one| one.answered(original, method));
        self.headline = match &self.on_path {
            Some(one) => one.sentence.clone(),
            None => headline(&self.targets, self.unread.len()),
        };
        if (self.scale - 1.0).abs() > f64::EPSILON {
            let (scale, rest) = (self.scale, &self.headline);
            self.headline = format!("at {scale} times the recorded rate: {rest}");
        }
        self
    }
}

/// The answer, and what speaks against a fit.
fn decide(fit: &Fit, original: &Original) -> (Answer, String) {
    if original.touched_bytes > fit.size_bytes {
        let [touched, size] = [original.touched_bytes, fit.size_bytes].map(figure::size);
        let reason = format!("the trace touches {touched}, and the target has {size}");
        return (Answer::DoesNotFit, reason);
    }
    if let Some(refused) = &fit.refused {
        return (Answer::DoesNotFit, refused.clone());
    }
    if let Some(unknown) = &fit.unknown {
        return (Answer::CannotTell, unknown.clone());
    }
    if original.seconds < LEAST_SECONDS {
        let length = figure::duration((original.seconds * 1e9) as u64);
        let reason = format!("the trace has {length}, and an answer takes {LEAST_SECONDS} s");
        return (Answer::CannotTell, reason);
    }
    let least = fit.asked_iops * SERVED;
    if fit.delivered_iops.high < least {
        return (Answer::DoesNotFit, held(fit));
    }
    let Some(p99) = fit.p99_ns else {
        return (Answer::CannotTell, without_interval(original));
    };
    if fit.delivered_iops.low < least {
        return (Answer::CannotTell, held(fit));
    }
    let is_held = is_held(fit);
    let answer = match original.p99_ns {
        None if is_held => {
            let reason = "and the trace has no service times to compare with";
            return (Answer::CannotTell, format!("{}, {reason}", held(fit)));
        }
        Some(today) if is_held && p99.low > today => return (Answer::DoesNotFit, held(fit)),
        Some(today) if is_held && p99.high > today => {
            let reason = "and p99 may be higher or lower than today";
            return (Answer::CannotTell, format!("{}, {reason}", held(fit)));
        }
        Some(today) if p99.low > today => Answer::FitsSlower,
        _ => Answer::Fits,
    };
    match fit.played.credits.first() {
        Some(end) => (
            Answer::FitsForATime,
            format!(
                "{}, until the credit of {} is empty",
                figure::duration((end.seconds * 1e9) as u64),
                end.limit
            ),
        ),
        None => (answer, String::new()),
    }
}

/// Why there is no p99 with its interval.
pub(super) fn without_interval(original: &Original) -> String {
    let interval = "for a p99 with its interval";
    let (gap, length) = (original.longest_gap_seconds, original.seconds);
    if original.requests < ENOUGH {
        let requests = figure::plural(original.requests, "request");
        format!("the trace has {requests}, which are too few {interval}")
    } else if gap > GAP * length {
        let [gap, length] = [gap, length].map(|one| figure::duration((one * 1e9) as u64));
        format!(
            "no request comes for {gap} of {length}, so that the trace has too few parts \
             {interval}. Use a trace without this gap"
        )
    } else {
        format!("too few requests are done there {interval}")
    }
}

/// Whether enough waits for limits. In a long trace a burst takes little time and many requests.
fn is_held(fit: &Fit) -> bool {
    fit.held_share > HELD || held_requests(fit) > HELD
}

/// The share of the requests that the limit holds back which does so longest.
fn held_requests(fit: &Fit) -> f64 {
    let first = fit.played.limits.first();
    first.map_or(0.0, |limit| {
        limit.requests as f64 / fit.played.requests.max(1) as f64
    })
}

/// What holds requests back: `io1 IOPS (1,500) holds requests back for 31.0 % of the time`.
fn held(fit: &Fit) -> String {
    let played = &fit.played;
    let Some(limit) = played.limits.first().filter(|_| is_held(fit)) else {
        let [served, asked] = [fit.delivered_iops.estimate, fit.asked_iops].map(figure::iops);
        let disk = fit.disk();
        let disk = disk.map_or_else(String::new, |disk| format!(", limited by {disk}"));
        return format!("it serves {served} of {asked} IOPS{disk}");
    };
    let part = if fit.held_share > HELD {
        format!(
            "requests back for {} of the time",
            figure::percent(fit.held_share * 100.0)
        )
    } else {
        format!(
            "{} of the requests back",
            figure::percent(held_requests(fit) * 100.0)
        )
    };
    let mut reason = format!("{} holds {part}", limit.in_words());
    let mut ends = played.credits.iter().filter(|end| !end.is_repeated);
    if let Some(end) = ends.find(|end| limit.limit == end.limit) {
        let after = figure::duration((end.seconds * 1e9) as u64);
        let _ = write!(reason, " (its credit is empty after {after})");
    }
    if played.waiting_at_end > 0 {
        let waiting = figure::plural(played.waiting_at_end, "request");
        let longest = figure::time(played.longest_wait_seconds * 1e9);
        let _ = write!(
            reason,
            ", the backlog grows to {waiting} and a wait of {longest}"
        );
    }
    reason
}

impl Fit {
    /// How the disk itself limits the load; none where it does not, or where a limit explains it.
    pub fn disk(&self) -> Option<String> {
        if is_held(self) {
            return None;
        }
        let (mean, alone) = (self.played.responses.mean_ns(), self.service_ns);
        let median = self.p50_ns.unwrap_or(mean);
        if median > BUSY * alone {
            let [alone, median] = [alone, median].map(figure::time);
            let words = format!("a request takes {alone} alone and {median} behind others");
            return Some(format!("the disk itself, which is busy: {words}"));
        }
        let is_served = self.delivered_iops.estimate >= self.asked_iops * SERVED;
        let takes = figure::time(mean);
        (!is_served).then(|| {
            format!(
                "the latency of the disk: a request takes {takes}, and the next one waits for it"
            )
        })
    }
}

impl Held {
    /// `gp3 IOPS (3,000)`, `gp3 throughput (131.1 MB/s)`, `gp2 IOPS (750, burst 3,000)`.
    pub fn in_words(&self) -> String {
        let figure = |per_second: f64| {
            if self.is_of_bytes {
                figure::megabytes(per_second) + " MB/s"
            } else {
                figure::iops(per_second)
            }
        };
        let burst = self.burst_per_second.map(figure);
        let burst = burst.map_or_else(String::new, |burst| format!(", burst {burst}"));
        format!("{} ({}{burst})", self.limit, figure(self.per_second))
    }
}

fn sentence(fit: &Fit, original: &Original, method: Method, reason: &str) -> String {
    let rate = match method {
        Method::Replay => String::new(),
        Method::Twin => {
            let of = [fit.delivered_iops.estimate, original.iops].map(figure::iops);
            format!("{} IOPS (today {}), ", of[0], of[1])
        }
    };
    let p99 = fit.p99_ns.map_or_else(String::new, |p99| {
        let today = original.p99_ns.map_or_else(String::new, |today| {
            format!(" (today {})", figure::time(today))
        });
        let [low, high] = [p99.low, p99.high].map(figure::time);
        let estimate = figure::time(p99.estimate);
        format!(
            "{rate}p99 {estimate} [{low}, {high}] on {}{today}",
            fit.target
        )
    });
    let bill = &fit.bill;
    match fit.answer {
        Answer::Fits => format!("fits: {p99}, {bill}"),
        Answer::FitsSlower => format!("fits, but slower than today: {p99}, {bill}"),
        Answer::FitsForATime => format!("fits for {reason}: {p99}, {bill}"),
        Answer::DoesNotFit => format!("does not fit on {}: {reason}; {bill}", fit.target),
        Answer::CannotTell => format!("cannot tell for {}: {reason}; {bill}", fit.target),
    }
}

/// The sentence of the only target, or of the cheapest one with the best answer; where none fits,
/// of the one that serves most.
fn headline(targets: &[Fit], unread: usize) -> String {
    let rank = |fit: &Fit| match fit.answer {
        Answer::Fits | Answer::FitsSlower => 0,
        Answer::FitsForATime => 1,
        Answer::CannotTell => 2,
        Answer::DoesNotFit => 3,
    };
    let price = |fit: &Fit| fit.cost.as_ref().map_or(f64::INFINITY, |cost| cost.total);
    let serves = |fit: &Fit| fit.delivered_iops.estimate;
    let best = targets.iter().min_by(|one, other| {
        let ranks = rank(one).cmp(&rank(other));
        let serves_less = serves(other).total_cmp(&serves(one));
        let serves_less = if rank(one) == 3 {
            serves_less
        } else {
            Ordering::Equal
        };
        ranks
            .then(serves_less)
            .then(price(one).total_cmp(&price(other)))
    });
    let all = targets.len() + unread;
    let Some(best) = best.filter(|_| all > 1) else {
        return best.map_or_else(String::new, |fit| fit.sentence.clone());
    };
    let fitting = targets.iter().filter(|fit| rank(fit) == 0).count();
    let sentence = &best.sentence;
    match fitting {
        0 => format!("none of {all} targets fits without end; the nearest {sentence}"),
        1 => format!("1 of {all} targets {sentence}"),
        _ => format!("{fitting} of {all} targets fit; the cheapest {sentence}"),
    }
}
