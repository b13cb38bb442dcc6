//! OpenMetrics text, for Prometheus' text-file collector and whatever reads the same format.
//!
//! Times are in seconds and rates in bytes, as that convention asks. Quantiles are gauges: they
//! are those of a finished run, not of a process that goes on.

use fathom_core::result::{JobResult, OpResult, PhaseResult, ResultField, RunResult};
use fathom_core::summary::{LatencySummary, PERCENTILES};
use fathom_core::{Op, State};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};
use std::fmt;

type Labels = Vec<(&'static str, String)>;

const STATES: [State; 4] = [
    State::Valid,
    State::Qualified,
    State::Suspect,
    State::Invalid,
];

pub(crate) fn render(result: &RunResult) -> String {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(Gauges(gauges(result))));
    let mut text = String::new();
    text::encode(&mut text, &registry).expect("memory takes everything");
    text
}

/// Gauges in a fixed order: the library's own families are hash maps.
#[derive(Debug)]
struct Gauges(Vec<Gauge>);

#[derive(Debug)]
struct Gauge {
    name: &'static str,
    help: &'static str,
    unit: Option<Unit>,
    samples: Vec<(Labels, f64)>,
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

/// What there is of each operation, still without samples.
fn of_ops() -> [(ResultField, Gauge); 5] {
    use ResultField::{Bytes, BytesPerSecond, Failed, Iops, Ios};
    let gauge = |name, help, unit| Gauge {
        name,
        help,
        unit,
        samples: Vec::new(),
    };
    let (a_second, bytes) = (Some(per_second()), Some(Unit::Bytes));
    let throughput = gauge("fathom_throughput", "Bytes moved a second", a_second);
    let completed = gauge("fathom_completed_requests", "Requests completed", None);
    let failed = gauge("fathom_failed_requests", "Requests that failed", None);
    [
        (
            Iops,
            gauge("fathom_iops", "Requests completed a second", None),
        ),
        (BytesPerSecond, throughput),
        (Ios, completed),
        (Bytes, gauge("fathom_moved", "Bytes moved", bytes)),
        (Failed, failed),
    ]
}

fn gauges(result: &RunResult) -> Vec<Gauge> {
    let mut gauges = of_run(result);
    let origin = &result.provenance.origin;
    let values: [fn(&OpResult) -> f64; 5] = [
        |op| op.iops,
        |op| op.bytes_per_second,
        |op| op.ios as f64,
        |op| op.bytes as f64,
        |op| op.errors as f64,
    ];
    for ((field, mut gauge), value) in of_ops().into_iter().zip(values) {
        if origin.knows(field) {
            let samples = ops(result).map(|(labels, op)| (labels, value(op)));
            gauge.samples = samples.collect();
            gauges.push(gauge);
        }
    }
    gauges.extend(latency(
        result,
        "fathom_service_time",
        "Issue to completion",
        |op| &op.service_ns,
    ));
    gauges.extend(latency(
        result,
        "fathom_response_time",
        "Intended start to completion",
        |op| &op.response_ns,
    ));
    if origin.knows(ResultField::QueueDepthHeld) {
        gauges.push(Gauge {
            name: "fathom_outstanding_requests",
            help: "Mean number of outstanding requests",
            unit: None,
            samples: jobs(result)
                .map(|(labels, job)| (labels, job.queue_depth_held))
                .collect(),
        });
    }
    gauges.extend(unknown(result));
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
        help: "1 for each field about which the source of an import says nothing",
        unit: None,
        samples: samples.collect(),
    })
}

fn per_second() -> Unit {
    Unit::Other("bytes_per_second".to_owned())
}

/// What goes for the whole run: what it is, how far it may be trusted, why.
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
    caveats.sort_by(|a, b| a.0.cmp(&b.0));
    caveats.dedup_by(|a, b| a.0 == b.0);
    let gauge = |name, help, samples| Gauge {
        name,
        help,
        unit: None,
        samples,
    };
    vec![
        gauge("fathom_run", "What the run is", vec![(info, 1.0)]),
        gauge(
            "fathom_state",
            "1 for the state of the result",
            STATES.map(state).to_vec(),
        ),
        gauge("fathom_caveat", "1 for each reason to doubt", caveats),
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

fn jobs(result: &RunResult) -> impl Iterator<Item = (Labels, &JobResult)> {
    result.phases.iter().flat_map(move |phase| {
        let jobs = phase.jobs.iter();
        jobs.map(move |job| (job_labels(result, phase, job), job))
    })
}

fn ops(result: &RunResult) -> impl Iterator<Item = (Labels, &OpResult)> {
    jobs(result).flat_map(|(labels, job)| {
        job.ops.present().map(move |(op, figures)| {
            let mut labels = labels.clone();
            labels.push(("op", Op::name(op).to_owned()));
            (labels, figures)
        })
    })
}

/// Mean, extremes and the quantiles that the sample supports, in seconds.
fn latency(
    result: &RunResult,
    name: &'static str,
    help: &'static str,
    time: fn(&OpResult) -> &LatencySummary,
) -> Option<Gauge> {
    let origin = &result.provenance.origin;
    let mut samples = Vec::new();
    for (labels, op) in ops(result) {
        let summary = time(op);
        if summary.count == 0 {
            continue;
        }
        let mut push = |stat: &'static str, value: &str, ns: f64| {
            let mut labels = labels.clone();
            labels.push((stat, value.to_owned()));
            samples.push((labels, ns / 1e9));
        };
        push("stat", "mean", summary.mean);
        let extremes = [
            ("min", ResultField::ServiceNsMin, summary.min),
            ("max", ResultField::ServiceNsMax, summary.max),
        ];
        for (stat, field, value) in extremes {
            if let Some(value) = origin.known(field, value) {
                push("stat", stat, value as f64);
            }
        }
        for (name, quantile) in PERCENTILES {
            if let Some(value) = summary.percentile(name) {
                push("quantile", &quantile.to_string(), value as f64);
            }
        }
    }
    (!samples.is_empty()).then_some(Gauge {
        name,
        help,
        unit: Some(Unit::Seconds),
        samples,
    })
}
