//! OpenMetrics text, for Prometheus' text-file collector and whatever reads the same format.
//!
//! Times are in seconds and rates in bytes, as that convention asks. Quantiles are gauges: they
//! are those of a finished run, not of a process that goes on.

use fathom_core::SmallSort as _;
use fathom_core::result::metric::{self, METRICS, MetricSource};
use fathom_core::result::{JobResult, PhaseResult, ResultField, RunResult};
use fathom_core::{Op, State};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};
use std::fmt;

pub(crate) type Labels = Vec<(&'static str, String)>;

const STATES: [State; 4] = [
    State::Valid,
    State::Qualified,
    State::Suspect,
    State::Invalid,
];

pub(crate) fn render(result: &RunResult) -> String {
    text_of(gauges(result))
}

/// Gauges as text.
pub(crate) fn text_of(gauges: Vec<Gauge>) -> String {
    encoded(Gauges(gauges))
}

/// Families in the order in which a collector gives them.
pub(crate) fn encoded(collector: impl Collector) -> String {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(collector));
    let mut text = String::new();
    text::encode(&mut text, &registry).expect("memory takes everything");
    text
}

/// Gauges in a fixed order: the library's own families are hash maps.
#[derive(Debug)]
struct Gauges(Vec<Gauge>);

/// A family with its samples.
#[derive(Debug)]
pub(crate) struct Gauge {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    pub(crate) unit: Option<Unit>,
    pub(crate) samples: Vec<(Labels, f64)>,
}

impl Collector for Gauges {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        for gauge in &self.0 {
            let unit = gauge.unit.as_ref();
            let mut family =
                encoder.encode_descriptor(gauge.name, gauge.help, unit, MetricType::Gauge)?;
            for (labels, number) in &gauge.samples {
                ConstGauge::new(*number).encode(family.encode_family(labels)?)?;
            }
        }
        Ok(())
    }
}

fn gauges(result: &RunResult) -> Vec<Gauge> {
    let mut gauges = of_run(result);
    gauges.extend(of_ops(result));
    if result.provenance.origin.knows(ResultField::QueueDepthHeld) {
        let held = jobs(result).map(|(labels, _, job)| (labels, job.queue_depth_held));
        gauges.push(Gauge {
            name: "fathom_outstanding_requests",
            help: "Mean number of outstanding requests",
            unit: None,
            samples: held.collect(),
        });
    }
    gauges.extend(unknown(result));
    gauges
}

/// The figures of each operation.
fn of_ops(result: &RunResult) -> Vec<Gauge> {
    let origin = &result.provenance.origin;
    let mut gauges: Vec<Gauge> = Vec::new();
    for metric in METRICS.iter() {
        let Some(place) = &metric.gauge else {
            continue;
        };
        let (unit, parts) = match metric.unit {
            metric::Unit::Nanos => (Some(Unit::Seconds), 1e9),
            metric::Unit::Bytes => (Some(Unit::Bytes), 1.0),
            metric::Unit::BytesPerSecond => (Some(per_second()), 1.0),
            metric::Unit::Count | metric::Unit::PerSecond => (None, 1.0),
        };
        let samples = ops(result).filter_map(|(mut labels, op)| {
            labels.extend(
                place
                    .label
                    .clone()
                    .map(|(name, value)| (name, value.into_owned())),
            );
            Some((labels, metric.known(&op, origin)?.real() / parts))
        });
        match gauges.last_mut() {
            Some(gauge) if gauge.name == place.family => gauge.samples.extend(samples),
            _ => gauges.push(Gauge {
                name: place.family,
                help: place.help,
                unit,
                samples: samples.collect(),
            }),
        }
    }
    gauges.retain(|gauge| !gauge.samples.is_empty());
    gauges
}

/// What the source of an import does not say: such a figure has no sample, rather than 0.
fn unknown(result: &RunResult) -> Option<Gauge> {
    let unknown = result.provenance.origin.unknown();
    let fields = unknown.filter(|unknown| !unknown.is_empty())?;
    let samples = fields.iter().map(|field| {
        let mut labels = run_labels(result);
        labels.push(("field", field.to_string()));
        (labels, 1.0)
    });
    Some(Gauge {
        name: "fathom_unknown",
        help: "1 for each field that the source of an import does not contain",
        unit: None,
        samples: samples.collect(),
    })
}

fn per_second() -> Unit {
    Unit::Other("bytes_per_second".to_owned())
}

/// What applies to the whole run: its identity, its state, and the reasons.
fn of_run(result: &RunResult) -> Vec<Gauge> {
    let provenance = &result.provenance;
    let mut info = run_labels(result);
    info.extend([
        ("origin", provenance.origin.word().to_owned()),
        ("version", provenance.version.clone()),
        ("started_at", provenance.started_at.clone()),
        ("host", provenance.host.hostname.clone()),
        ("engine", provenance.engine.name.clone()),
    ]);
    let state = |state: State| {
        let mut labels = run_labels(result);
        labels.push(("state", state.word().to_lowercase()));
        (labels, f64::from(u8::from(state == result.state)))
    };
    let caveats = result.caveats.iter().map(|caveat| {
        let mut labels = run_labels(result);
        labels.extend([
            ("code", caveat.code.to_string()),
            ("level", format!("{:?}", caveat.level).to_lowercase()),
            ("subject", caveat.subject.clone()),
        ]);
        (labels, 1.0)
    });
    let mut caveats: Vec<_> = caveats.collect();
    // A sample may stand once only; two caveats can differ in their words alone.
    caveats.small_sort_by(|a, b| a.0.cmp(&b.0));
    caveats.dedup_by(|a, b| a.0 == b.0);
    let gauge = |name, help, samples| Gauge {
        name,
        help,
        unit: None,
        samples,
    };
    vec![
        gauge("fathom_run", "Description of the run", vec![(info, 1.0)]),
        gauge(
            "fathom_state",
            "1 for the state of the result",
            STATES.map(state).to_vec(),
        ),
        gauge("fathom_caveat", "1 for each warning", caveats),
    ]
}

fn run_labels(result: &RunResult) -> Labels {
    vec![
        ("run", result.run_id.clone()),
        ("workload", result.provenance.workload.name.clone()),
    ]
}

fn job_labels(result: &RunResult, phase: &PhaseResult, job: &JobResult) -> Labels {
    let mut labels = run_labels(result);
    labels.extend([
        ("phase", phase.name.clone()),
        ("repeat", phase.repeat.to_string()),
        ("job", job.name.clone()),
    ]);
    labels
}

fn jobs(result: &RunResult) -> impl Iterator<Item = (Labels, &PhaseResult, &JobResult)> {
    result.phases.iter().flat_map(move |phase| {
        let jobs = phase.jobs.iter();
        jobs.map(move |job| (job_labels(result, phase, job), phase, job))
    })
}

fn ops(result: &RunResult) -> impl Iterator<Item = (Labels, MetricSource<'_>)> {
    jobs(result).flat_map(|(labels, phase, job)| {
        job.ops.present().map(move |(name, op)| {
            let mut labels = labels.clone();
            labels.push(("op", Op::name(name).to_owned()));
            (labels, MetricSource { phase, job, op })
        })
    })
}
