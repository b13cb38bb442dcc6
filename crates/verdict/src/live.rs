//! Whether the storage limits a live system now: by what, since when, and until when.
//!
//! [`Live`] takes what was [`Seen`] in one span of time after the other. The limits are those that
//! a run is compared with, by the same thresholds.

mod credit;
mod evidence;
mod rules;
mod seen;
mod thresholds;
mod until;

#[cfg(test)]
mod tests;

pub use seen::{DiskSeen, Exceeded, GroupSeen, MemorySeen, MountSeen, Seen, Times};
pub use thresholds::LIVE;

use credit::Credits;
use fathom_core::units::rfc3339;
use fathom_core::{Cap, figure};
use rules::{Finding, findings};
use serde::Serialize;

/// What limits a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A limit of a control group: `io.max` or `blkio.throttle`.
    ControlGroup,
    /// The share of a control group by `io.cost`.
    IoCost,
    /// A limit of the volume.
    VolumeCap,
    /// A limit of the instance.
    InstanceCap,
    /// A limit that the user named, of an unknown owner.
    Cap,
    /// Burst credit that is used up.
    Credit,
    /// Dirty pages at the limit of the kernel.
    Writeback,
    /// Flushes that the load waits for.
    Flush,
    /// A queue of a disk or of NFS that is full.
    QueueDepth,
    /// The I/O scheduler, which holds requests back.
    Scheduler,
}

impl Cause {
    /// All of them, each with its word in metrics and alerts.
    pub const WORDS: [(Self, &'static str); 10] = [
        (Self::ControlGroup, "control_group"),
        (Self::IoCost, "io_cost"),
        (Self::VolumeCap, "volume"),
        (Self::InstanceCap, "instance"),
        (Self::Cap, "cap"),
        (Self::Credit, "credit"),
        (Self::Writeback, "writeback"),
        (Self::Flush, "flush"),
        (Self::QueueDepth, "queue_depth"),
        (Self::Scheduler, "scheduler"),
    ];
}

/// What the storage does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Something limits it.
    Limited,
    /// Requests are in flight, and no known limit is reached.
    Busy,
    /// Hardly any request is in flight.
    Idle,
}

/// What a number of the evidence counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Requests completed per second.
    Iops,
    /// Bytes moved per second.
    BytesPerSecond,
    /// An amount of memory, in bytes.
    Bytes,
    /// A mean number of requests at once.
    Requests,
    /// A share of the time, 0 to 1; more where several wait at once.
    Share,
    /// A time, in nanoseconds.
    Nanoseconds,
    /// Tokens of a bucket: requests or bytes.
    Tokens,
}

/// One number of the evidence.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evidence {
    /// Its subject: a device, a control group, a limit.
    pub subject: String,
    /// What was measured.
    pub what: &'static str,
    /// How much.
    pub value: f64,
    /// What is allowed, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// What both count.
    pub unit: Quantity,
    /// Whether the answer rests on it.
    pub is_cause: bool,
}

/// When a limit began to hold, nanoseconds after the first look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Since {
    /// The start of the first span in which it held.
    pub from_ns: u64,
    /// Whether that was the first span of all: it may have held before.
    pub is_earlier: bool,
}

/// What limits the system, with all that shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// What the storage does.
    pub standing: Standing,
    /// What limits it; none where nothing does.
    pub cause: Option<Cause>,
    /// What limits it or what it does, as a clause.
    pub finding: String,
    /// Since when it is limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Since>,
    /// Until when it is limited, as a clause; empty where it is not.
    pub until: String,
    /// In how many seconds the credit is used up at this rate; none where it is not being used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_empty_in_s: Option<f64>,
    /// What it rests on, the numbers of the cause first.
    pub evidence: Vec<Evidence>,
}

impl Answer {
    /// Since when it is limited, in UTC, for an observation that started at this time.
    pub fn since_utc(&self, start_utc_ns: u64) -> Option<String> {
        Some(rfc3339(start_utc_ns + self.since?.from_ns))
    }

    /// All of it in one sentence, with the advice to look elsewhere where the storage idles.
    pub fn sentence(&self, start_utc_ns: u64) -> String {
        let advice = match self.standing {
            Standing::Idle => "; look elsewhere",
            Standing::Limited | Standing::Busy => "",
        };
        self.fact(start_utc_ns) + advice
    }

    /// The same without advice, for somebody who knows what slow requests waited for.
    pub fn fact(&self, start_utc_ns: u64) -> String {
        if self.standing != Standing::Limited {
            return format!("not limited: {}", self.finding);
        }
        let earlier = self.since.is_some_and(|since| since.is_earlier);
        let earlier = if earlier { " or earlier" } else { "" };
        let since = self.since_utc(start_utc_ns);
        let since = since.map_or_else(String::new, |at| format!("; since {at}{earlier}"));
        format!("limited by {}{since}, {}", self.finding, self.until)
    }
}

impl Evidence {
    /// Its value, and its limit if there is one, for people.
    pub fn printed(&self) -> (String, String) {
        let printed = |value: f64| match self.unit {
            Quantity::Iops => figure::iops(value) + "/s",
            Quantity::BytesPerSecond => figure::megabytes(value) + " MB/s",
            Quantity::Bytes => figure::volume(value as u64),
            Quantity::Requests => figure::outstanding(value),
            Quantity::Share => figure::percent(value * 100.0),
            Quantity::Nanoseconds => figure::time(value),
            Quantity::Tokens => figure::significant(value),
        };
        let limit = self.limit.map(printed);
        (printed(self.value), limit.unwrap_or_default())
    }
}

/// Follows a system.
#[derive(Clone, Debug)]
pub struct Live {
    caps: Vec<Cap>,
    credits: Credits,
    passed_ns: u64,
    run: Option<Run>,
}

/// Spans in a row in which the same held.
#[derive(Clone, Copy, Debug)]
struct Run {
    cause: Cause,
    from_ns: u64,
    /// Spans since it was seen for the last time.
    missed: u32,
}

/// Spans without the cause after which it no longer holds: one may be off by chance.
const MOST_MISSED: u32 = 1;

impl Live {
    /// With the limits that are known, and the share of full buckets that their credit starts with,
    /// 0 to 1.
    pub fn new(caps: Vec<Cap>, credit: f64) -> Self {
        Self {
            credits: Credits::new(&caps, credit),
            caps,
            passed_ns: 0,
            run: None,
        }
    }

    /// Takes in the next span, and says what held in it.
    pub fn take(&mut self, seen: &Seen) -> Answer {
        self.credits
            .take(&seen.figures(), seen.length_ns, &self.caps);
        let finding = self.first(seen);
        let cause = finding.as_ref().map(|one| one.cause);
        if let (Some(Cause::Credit), Some(cap)) = (cause, finding.and_then(|one| one.cap)) {
            self.credits.used_up(&cap, &self.caps);
        }
        let from_ns = self.passed_ns;
        self.passed_ns += seen.length_ns;
        self.run = match (self.run, cause) {
            (Some(run), Some(cause)) if run.cause == cause => Some(Run { missed: 0, ..run }),
            (Some(run), None) if run.missed < MOST_MISSED => Some(Run {
                missed: run.missed + 1,
                ..run
            }),
            (_, Some(cause)) => Some(Run {
                cause,
                from_ns,
                missed: 0,
            }),
            (_, None) => None,
        };
        self.answer(seen)
    }

    fn first(&self, seen: &Seen) -> Option<Finding> {
        findings(seen, &self.caps).into_iter().next()
    }

    /// What holds over a longer time, whose spans were all taken in.
    pub fn answer(&self, seen: &Seen) -> Answer {
        let finding = self.first(seen);
        let figures = seen.figures();
        let empty_in = self.credits.first_empty(&figures, &self.caps);
        let mut evidence = evidence::evidence(seen, &self.caps, &self.credits);
        let Some(finding) = finding else {
            return Answer {
                standing: seen.standing(),
                cause: None,
                finding: nothing(seen, empty_in),
                since: None,
                until: String::new(),
                credit_empty_in_s: empty_in.map(|(_, seconds)| seconds),
                evidence,
            };
        };
        for one in &mut evidence {
            one.is_cause = finding.rests_on(one);
        }
        evidence.sort_by_key(|one| !one.is_cause);
        let run = self.run.filter(|run| run.cause == finding.cause);
        Answer {
            standing: Standing::Limited,
            cause: Some(finding.cause),
            since: run.map(|run| Since {
                from_ns: run.from_ns,
                is_earlier: run.from_ns == 0,
            }),
            until: until::words(&finding, seen, empty_in),
            finding: finding.words,
            credit_empty_in_s: empty_in.map(|(_, seconds)| seconds),
            evidence,
        }
    }
}

/// What it does where nothing limits it.
fn nothing(seen: &Seen, empty_in: Option<(&Cap, f64)>) -> String {
    let in_flight = figure::outstanding(seen.in_flight());
    let words = if seen.standing() == Standing::Idle {
        format!("the storage idles ({in_flight} requests in flight on average)")
    } else {
        format!(
            "the storage serves {} IOPS with {in_flight} requests in flight, and no known limit is \
             reached",
            figure::iops(seen.figures().iops)
        )
    };
    let credit = empty_in.map(|(cap, seconds)| {
        let time = until::duration(seconds);
        format!(
            "; the credit of {} is empty in {time} at this rate",
            cap.name
        )
    });
    words + &credit.unwrap_or_default()
}
