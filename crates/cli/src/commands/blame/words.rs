//! The cause in one sentence, and the tables below it.

use super::Shown;
use crate::table::Table;
use fathom_capture::Tail;
use fathom_capture::blame::{Blame, Cause, Owner, OwnerKind, Part, Presence};
use fathom_core::Op;
use fathom_core::figure::{self, count, percent, plural, time};
use fathom_core::foreign::visible;
use std::fmt::Write as _;

/// Rows of those who were in the device.
const MOST_ROWS: usize = 8;
/// Times p50 from which a percentile is worth a comparison with it.
const NOTABLE: f64 = 1.5;
/// Share of the time from which it was spent in front of the driver.
const MOST_OF: f64 = 0.5;

pub(super) fn text(shown: &Shown<'_>) -> String {
    let blame = shown.blame;
    let mut text = format!("{}\n", sentence(blame));
    let requests = plural(blame.time_ns.count, "request");
    let _ = writeln!(
        text,
        "{}: {requests} of {}, from the queue of the block layer to completion",
        shown.file.display(),
        named(&blame.owner)
    );
    for warning in warnings(shown) {
        let _ = writeln!(text, "{warning}");
    }
    text.push('\n');
    let mut table = Table::new(&["OF", ">MEAN TIME", ">SUBMIT", ">HELD", ">DEVICE"]);
    blame.parts.iter().for_each(|part| table.row(parts(part)));
    text += &table.to_string();
    if blame.company.is_empty() && blame.flush_of_slow == 0.0 {
        return text;
    }
    let heads = [
        "IN THE DEVICE",
        ">MEAN SIZE",
        ">AHEAD OF SLOW",
        ">OF USUAL",
        ">TIME OF SLOW",
        ">OF USUAL",
    ];
    let mut table = Table::new(&heads);
    for presence in blame.company.iter().take(MOST_ROWS) {
        table.row(company(presence));
    }
    if blame.flush_of_slow > 0.0 {
        let shares = [blame.flush_of_slow, blame.flush_of_usual];
        let [slow, usual] = shares.map(|share| percent(share * 100.0));
        let empty = String::new;
        table.row(["flushes".to_owned(), empty(), empty(), empty(), slow, usual]);
    }
    text + "\n" + &table.to_string()
}

/// The cause, so that somebody who has not seen the numbers can repeat it.
pub(super) fn sentence(blame: &Blame) -> String {
    let whose = named(&blame.owner);
    let name = blame.slow_from;
    let value = blame.time_ns.percentile(name).unwrap_or(0);
    let cause = match &blame.cause {
        Cause::Throttle { requests, of } => {
            return format!(
                "a throttle of control groups (blkio or io.max) delayed {} of {} requests, of the \
                 kind that {whose} makes; without that wait p{name} is {}",
                count(*requests),
                count(*of),
                time(value as f64)
            );
        }
        Cause::None => nothing(blame, value),
        Cause::Tags { share, tags } => format!(
            ": {} of that time waiting for a free tag, while {} had one, the most of this capture",
            part(*share),
            plural(tags.round() as u64, "request")
        ),
        Cause::Admission {
            share,
            tags,
            most_tags,
        } => format!(
            ": {} of that time before it got a tag, with {} of up to {} in use: writeback \
             throttling, io.cost, io.latency or a frozen queue delay requests there",
            part(*share),
            count(tags.round() as u64),
            count(*most_tags)
        ),
        Cause::Flush {
            share,
            owner,
            is_own,
        } => {
            let whose = if *is_own {
                "its own".to_owned()
            } else {
                named(owner)
            };
            let share = part(*share);
            format!(": a flush of {whose} was in the device for {share} of that time")
        }
        Cause::Neighbour {
            owner,
            op,
            ahead,
            is_large,
            ..
        } => {
            let requests = requests(*op, *ahead, *is_large);
            format!(": it waited for {requests} of {}", named(owner))
        }
        Cause::Own { ahead, wait_share } if *wait_share >= MOST_OF => {
            let (share, requests) = (part(*wait_share), requests(None, *ahead, false));
            format!(
                ": {share} of that time behind {requests} {}",
                its_own(&blame.owner)
            )
        }
        Cause::Own { ahead, .. } => {
            let requests = requests(None, *ahead, false);
            let own = its_own(&blame.owner);
            format!(": {requests} {own} went to the device first")
        }
    };
    format!("p{name} of {whose} is {}{cause}", time(value as f64))
}

/// `of its own`; several processes of a name have requests of each other's ahead.
fn its_own(owner: &Owner) -> &'static str {
    match (owner.kind, owner.pid) {
        (OwnerKind::Process, None) => "of processes of this name",
        _ => "of its own",
    }
}

/// What is said where nothing stands out, with somebody who was there more than usual.
fn nothing(blame: &Blame, value_ns: u64) -> String {
    let usual_ns = blame.time_ns.percentile("50").unwrap_or(0);
    let times = value_ns as f64 / usual_ns.max(1) as f64;
    let mut text = String::new();
    if times >= NOTABLE {
        let _ = write!(text, ", {} times p50", figure::significant(times));
    }
    text += ": nothing stands out";
    let guests = blame.company.iter().filter(|one| one.is_unusual);
    let most = guests.max_by(|one, two| one.share_of_slow.total_cmp(&two.share_of_slow));
    if let Some(most) = most {
        let (whose, share) = (named(&most.owner), part(most.share_of_slow));
        let _ = write!(
            text,
            "; requests of {whose} were in the device for {share} of that time"
        );
    }
    text
}

/// A mean number of requests, as `16 large writes`.
fn requests(op: Option<Op>, mean: f64, is_large: bool) -> String {
    let what = match op {
        Some(Op::Read) => "read",
        Some(Op::Write) => "write",
        Some(Op::Trim) => "discard",
        _ => "request",
    };
    let large = if is_large { "large " } else { "" };
    plural(mean.round().max(1.0) as u64, &format!("{large}{what}"))
}

fn part(share: f64) -> String {
    percent(share * 100.0)
}

/// A process as it is named in sentences.
pub(super) fn named(owner: &Owner) -> String {
    match (owner.kind, owner.pid) {
        (OwnerKind::Process, Some(pid)) => format!("`{}` (pid {pid})", visible(&owner.name)),
        (OwnerKind::Process, None) => format!("`{}`", visible(&owner.name)),
        (OwnerKind::Writeback, _) => "page cache writeback".to_owned(),
        (OwnerKind::Throttle, _) => "a throttle of control groups".to_owned(),
        (OwnerKind::Worker, _) => "workers of the kernel".to_owned(),
    }
}

fn parts(part: &Part) -> [String; 5] {
    let parts = &part.parts;
    let total = parts.total_ns().max(1) as f64;
    let share = |time_ns: u64| percent(time_ns as f64 / total * 100.0);
    [
        part.of.clone(),
        time(total / part.requests.max(1) as f64),
        share(parts.submit_ns),
        share(parts.held_ns),
        share(parts.device_ns),
    ]
}

fn company(presence: &Presence) -> [String; 6] {
    let own = if presence.is_own {
        "its own requests"
    } else {
        ""
    };
    let who = if own.is_empty() {
        named(&presence.owner)
    } else {
        own.to_owned()
    };
    let has_ahead = presence.ahead_of_slow > 0.0;
    let bytes = presence.mean_bytes as u64;
    [
        who,
        if has_ahead {
            figure::size(bytes)
        } else {
            String::new()
        },
        figure::decimal(presence.ahead_of_slow, 1),
        figure::decimal(presence.ahead_of_usual, 1),
        percent(presence.share_of_slow * 100.0),
        percent(presence.share_of_usual * 100.0),
    ]
}

fn warnings(shown: &Shown<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    if shown.tail.is_none() {
        warnings.push("QUALIFIED: the file ends before the end of the capture.".to_owned());
    }
    if let Some(tail) = shown.tail.filter(|tail| !Tail::is_complete(tail)) {
        warnings.push(format!(
            "QUALIFIED: the kernel lost {}. Requests are missing, and some times are wrong.",
            plural(tail.lost_events, "event")
        ));
    }
    let missing = &shown.head.missing_events;
    if !missing.is_empty() {
        let names: Vec<_> = missing.iter().map(|name| visible(name)).collect();
        let names = names.join(", ");
        let text = "the kernel does not have these events, so parts are wrong";
        warnings.push(format!("QUALIFIED: {text}: {names}"));
    }
    if shown.blame.devices > 1 {
        warnings.push(format!(
            "QUALIFIED: these requests went to {}, and the slowest of them may be the only cause. \
             Record one with `fathom capture --device`.",
            plural(shown.blame.devices as u64, "device")
        ));
    }
    let without = shown.blame.without_times;
    if without > 0 {
        let requests = plural(without, "more request");
        let text = "without the time of its queueing or completion, left out";
        warnings.push(format!("note: {requests} {text}"));
    }
    warnings
}
