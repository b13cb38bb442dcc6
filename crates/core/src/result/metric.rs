//! The numbers of an operation of a job over the measured time, one row for each.

use super::{JobResult, OpResult, Origin, PhaseResult, ResultField};
use crate::figure;
use crate::summary::{LatencySummary, PERCENTILES, Spread};
use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Threads, requests, intervals.
    Count,
    /// An amount of bytes.
    Bytes,
    /// Requests a second.
    PerSecond,
    /// Throughput, bytes a second.
    BytesPerSecond,
    /// Nanoseconds.
    Nanos,
}

impl Unit {
    /// As documents print it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Count => "",
            Self::Bytes => "bytes",
            Self::PerSecond => "1/s",
            Self::BytesPerSecond => "bytes/s",
            Self::Nanos => "ns",
        }
    }

    /// A value for people; the unit of a rate is left out.
    pub fn digits(self, value: f64) -> String {
        match self {
            Self::Count => figure::count(value as u64),
            Self::Bytes => figure::size(value as u64),
            Self::PerSecond => figure::iops(value),
            Self::BytesPerSecond => figure::megabytes(value),
            Self::Nanos => figure::time(value),
        }
    }

    /// The same with its unit.
    pub fn figure(self, value: f64) -> String {
        let unit = match self {
            Self::PerSecond => " IOPS",
            Self::BytesPerSecond => " MB/s",
            Self::Count | Self::Bytes | Self::Nanos => "",
        };
        self.digits(value) + unit
    }
}

/// A number as the document has it: in its shortest form as text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A count.
    Whole(u64),
    /// A mean, a rate or a deviation.
    Real(f64),
}

impl Number {
    /// As a floating point number.
    pub const fn real(self) -> f64 {
        match self {
            Self::Whole(number) => number as f64,
            Self::Real(number) => number,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Real(number) => number.fmt(f),
        }
    }
}

/// Where a number is read: an operation of a job of a phase.
#[derive(Clone, Copy, Debug)]
pub struct MetricSource<'a> {
    /// The phase to read.
    pub phase: &'a PhaseResult,
    /// The job to read.
    pub job: &'a JobResult,
    /// The operation.
    pub op: &'a OpResult,
}

/// One number of an operation.
#[derive(Debug)]
pub struct Metric {
    /// Its name in tables, with its unit last.
    pub key: Cow<'static, str>,
    /// Its name in a requirement, a comparison and a course; empty where it has none.
    pub word: Cow<'static, str>,
    /// What it counts.
    pub unit: Unit,
    /// Its meaning in words.
    pub meaning: Cow<'static, str>,
    /// The field of the document that an import without it lacks.
    pub field: Option<ResultField>,
    /// Its place among gauges.
    pub gauge: Option<Gauge>,
    value: Value,
}

/// The place of a number among the gauges of OpenMetrics.
#[derive(Debug)]
pub struct Gauge {
    /// The family, without unit.
    pub family: &'static str,
    /// What the family is.
    pub help: &'static str,
    /// The label that tells it from others of the family.
    pub label: Option<(&'static str, Cow<'static, str>)>,
}

impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

/// Where its value is.
#[derive(Clone, Copy, Debug)]
enum Value {
    Of(fn(&MetricSource<'_>) -> Option<Number>),
    Moment(Time, fn(&LatencySummary) -> Number),
    Percentile(Time, &'static str),
}

/// One of the two times of a request.
#[derive(Clone, Copy, Debug)]
enum Time {
    Service,
    Response,
}

impl Time {
    const fn of(self, op: &OpResult) -> &LatencySummary {
        match self {
            Self::Service => &op.service_ns,
            Self::Response => &op.response_ns,
        }
    }
}

impl Metric {
    /// Its value; none where the sample does not support one.
    pub fn of(&self, place: &MetricSource<'_>) -> Option<Number> {
        match self.value {
            Value::Of(get) => get(place),
            Value::Moment(time, get) => {
                let summary = time.of(place.op);
                (summary.count > 0).then(|| get(summary))
            }
            Value::Percentile(time, name) => time.of(place.op).percentile(name).map(Number::Whole),
        }
    }

    /// The same; none either where the source of an import says nothing of it.
    pub fn known(&self, place: &MetricSource<'_>, origin: &Origin) -> Option<Number> {
        let knows = self.field.is_none_or(|field| origin.knows(field));
        self.of(place).filter(|_| knows)
    }

    /// The one with this name in a requirement.
    pub fn named(word: &str) -> Option<&'static Self> {
        METRICS
            .iter()
            .find(|metric| !word.is_empty() && metric.word == word)
    }
}

/// All of them, in the order in which tables list them.
pub static METRICS: LazyLock<Vec<Metric>> = LazyLock::new(|| {
    let mut all = Vec::from(counted());
    all.extend(times(
        Time::Service,
        "service",
        "fathom_service_time",
        "Issue to completion",
    ));
    all.extend(times(
        Time::Response,
        "response",
        "fathom_response_time",
        "Intended start to completion",
    ));
    all.extend(lags());
    all
});

/// A row that has only what each has.
const fn row(
    key: &'static str,
    unit: Unit,
    meaning: &'static str,
    get: fn(&MetricSource<'_>) -> Option<Number>,
) -> Metric {
    Metric {
        key: Cow::Borrowed(key),
        word: Cow::Borrowed(""),
        unit,
        meaning: Cow::Borrowed(meaning),
        field: None,
        gauge: None,
        value: Value::Of(get),
    }
}

impl Metric {
    fn by(self, field: ResultField) -> Self {
        Self {
            field: Some(field),
            ..self
        }
    }

    fn called(self, word: &'static str) -> Self {
        Self {
            word: Cow::Borrowed(word),
            ..self
        }
    }

    fn gauge(self, family: &'static str) -> Self {
        let Cow::Borrowed(help) = self.meaning else {
            return self;
        };
        let gauge = Gauge {
            family,
            help,
            label: None,
        };
        Self {
            gauge: Some(gauge),
            ..self
        }
    }
}

/// What is counted, and rates.
#[expect(clippy::too_many_lines, reason = "a table")]
fn counted() -> [Metric; 16] {
    use Number::{Real, Whole};
    use ResultField as Field;
    use Unit::{Bytes, BytesPerSecond, Count, Nanos, PerSecond};
    [
        row("threads", Count, "Threads of the job", |at| {
            Some(Whole(at.job.threads.into()))
        })
        .by(Field::Threads),
        row(
            "queue_depth",
            Count,
            "Most requests outstanding at once",
            |at| Some(Whole(at.job.queue_depth.min(at.job.queue_depth_possible))),
        )
        .by(Field::QueueDepth),
        row(
            "queue_depth_held",
            Count,
            "Mean number of outstanding requests",
            |at| Some(Real(at.job.queue_depth_held)),
        )
        .by(Field::QueueDepthHeld),
        row(
            "offered_iops",
            PerSecond,
            "Requests a second that an open load asks for",
            |at| at.job.offered_iops.map(Real),
        ),
        row("measured_ns", Nanos, "Measured time of the phase", |at| {
            Some(Whole(at.phase.measured_ns))
        }),
        row(
            "active_ns",
            Nanos,
            "Measured time until the job had done its amount",
            |at| Some(Whole(at.job.active_ns)),
        ),
        row("ios", Count, "Requests completed", |at| {
            Some(Whole(at.op.ios))
        })
        .by(Field::Ios)
        .gauge("fathom_completed_requests"),
        row("bytes", Bytes, "Bytes moved", |at| Some(Whole(at.op.bytes)))
            .by(Field::Bytes)
            .gauge("fathom_moved"),
        row("errors", Count, "Requests that failed", |at| {
            Some(Whole(at.op.errors))
        })
        .by(Field::Failed)
        .gauge("fathom_failed_requests"),
        row(
            "short",
            Count,
            "Requests completed with fewer bytes than asked for",
            |at| Some(Whole(at.op.short)),
        )
        .by(Field::Short),
        row("iops", PerSecond, "Requests completed a second", |at| {
            Some(Real(at.op.iops))
        })
        .by(Field::Iops)
        .called("iops")
        .gauge("fathom_iops"),
        row(
            "bytes_per_second",
            BytesPerSecond,
            "Bytes moved a second",
            |at| Some(Real(at.op.bytes_per_second)),
        )
        .by(Field::BytesPerSecond)
        .called("throughput")
        .gauge("fathom_throughput"),
        row(
            "iops_stddev",
            PerSecond,
            "Standard deviation of the rate over the intervals",
            |at| by_interval(at).map(|spread| Real(spread.stddev)),
        )
        .by(Field::Iops),
        row("iops_min", PerSecond, "Lowest rate of an interval", |at| {
            by_interval(at).map(|spread| Real(spread.min))
        })
        .by(Field::IopsByIntervalMin),
        row("iops_max", PerSecond, "Highest rate of an interval", |at| {
            by_interval(at).map(|spread| Real(spread.max))
        })
        .by(Field::IopsByIntervalMax),
        row("intervals", Count, "Complete intervals", |at| {
            Some(Whole(at.op.iops_by_interval.count))
        }),
    ]
}

fn by_interval<'a>(at: &MetricSource<'a>) -> Option<&'a Spread> {
    let spread = &at.op.iops_by_interval;
    (spread.count > 0).then_some(spread)
}

/// How late an open load issued its requests; percentiles and late ones of a timed replay only.
fn lags() -> [Metric; 4] {
    use Number::Whole;
    fn percentile(at: &MetricSource<'_>, name: &str) -> Option<Number> {
        let lag = at.job.replay_lag()?;
        lag.time_ns.percentile(name).map(Whole)
    }
    [
        row(
            "lag_p50_ns",
            Unit::Nanos,
            "Recorded time to issue of a timed replay: percentile 50",
            |at| percentile(at, "50"),
        ),
        row(
            "lag_p99_ns",
            Unit::Nanos,
            "Recorded time to issue of a timed replay: percentile 99",
            |at| percentile(at, "99"),
        )
        .called("lag_p99"),
        row(
            "lag_max_ns",
            Unit::Nanos,
            "Intended start to issue of the job: longest",
            |at| at.job.max_lag_ns.map(Whole),
        ),
        row(
            "late",
            Unit::Count,
            "Requests of a timed replay issued more than 1 ms late",
            |at| at.job.replay_lag().map(|lag| Whole(lag.late)),
        ),
    ]
}

/// What is said of one of the two times.
fn times(
    time: Time,
    name: &'static str,
    family: &'static str,
    help: &'static str,
) -> impl Iterator<Item = Metric> {
    // Percentiles and extremes that are asked for are those of the response time.
    let word = move |word: String| match time {
        Time::Service => Cow::Borrowed(""),
        Time::Response => Cow::Owned(word),
    };
    let row = move |stat: &str, label, word, meaning: &str, field, value| Metric {
        key: Cow::Owned(format!("{name}_{stat}_ns")),
        word,
        unit: Unit::Nanos,
        meaning: Cow::Owned(format!("{help}: {meaning}")),
        field,
        gauge: Option::map(label, |label| Gauge {
            family,
            help,
            label: Some(label),
        }),
        value,
    };
    let stat = |stat| Some(("stat", Cow::Borrowed(stat)));
    let moment = move |get: fn(&LatencySummary) -> Number| Value::Moment(time, get);
    let min = Some(ResultField::ServiceNsMin);
    let max = Some(ResultField::ServiceNsMax);
    let scatter = Some(ResultField::ServiceNsStddev);
    let moments = [
        row(
            "mean",
            stat("mean"),
            word("mean".to_owned()),
            "mean",
            None,
            moment(|of| Number::Real(of.mean)),
        ),
        row(
            "stddev",
            None,
            Cow::Borrowed(""),
            "standard deviation",
            scatter,
            moment(|of| Number::Real(of.stddev)),
        ),
        row(
            "min",
            stat("min"),
            Cow::Borrowed(""),
            "shortest",
            min,
            moment(|of| Number::Whole(of.min)),
        ),
        row(
            "max",
            stat("max"),
            word("max".to_owned()),
            "longest",
            max,
            moment(|of| Number::Whole(of.max)),
        ),
    ];
    let percentiles = PERCENTILES.into_iter().map(move |(percent, share)| {
        let label = Some(("quantile", Cow::Owned(share.to_string())));
        let stat = format!("p{percent}");
        let meaning = format!("percentile {percent}");
        let value = Value::Percentile(time, percent);
        row(&stat, label, word(stat.clone()), &meaning, None, value)
    });
    moments.into_iter().chain(percentiles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    const PAGE: &str = "../../docs/numbers.md";
    const BEGIN: &str = "<!-- metrics:begin -->\n";
    const END: &str = "<!-- metrics:end -->";

    #[test]
    fn each_name_stands_once() {
        let count = |of: fn(&Metric) -> &str| {
            let names = METRICS.iter().map(of).filter(|name| !name.is_empty());
            let mut names: Vec<_> = names.collect();
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            (all, names.len())
        };
        assert_eq!(count(|metric| &metric.key), (48, 48));
        assert_eq!(count(|metric| &metric.word), (15, 15));
    }

    fn table() -> String {
        let mut text = "| CSV | unit | meaning | `--require` | OpenMetrics |\n\
                        | --- | --- | --- | --- | --- |\n"
            .to_owned();
        for metric in METRICS.iter() {
            // All percentiles of a time in one row.
            let name = |name: &str| match metric.value {
                Value::Percentile(..) => name.replace("25", "…"),
                _ => name.to_owned(),
            };
            if matches!(metric.value, Value::Percentile(_, percent) if percent != "25") {
                continue;
            }
            let code = |name: &str| match name {
                "" => String::new(),
                name => format!("`{name}`"),
            };
            let gauge = metric.gauge.as_ref().map(|gauge| match &gauge.label {
                Some((label, value)) => format!("{}{{{label}={}}}", gauge.family, name(value)),
                None => gauge.family.to_owned(),
            });
            writeln!(
                text,
                "| `{}` | {} | {} | {} | {} |",
                name(&metric.key),
                metric.unit.word(),
                name(&metric.meaning),
                code(&name(&metric.word)),
                code(&gauge.unwrap_or_default())
            )
            .expect("memory takes everything");
        }
        text
    }

    /// With `FATHOM_WRITE_DOCS=1` it writes the table.
    #[test]
    fn the_page_has_every_row() {
        let page = std::fs::read_to_string(PAGE).expect("the page");
        let (before, rest) = page.split_once(BEGIN).expect("where it begins");
        let (found, after) = rest.split_once(END).expect("where it ends");
        if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
            let page = [before, BEGIN, &table(), END, after].concat();
            std::fs::write(PAGE, page).expect("it can be written");
            return;
        }
        assert_eq!(found, table());
    }
}
