//! What a job asks of the storage, in words that are equal when the jobs are.

use fathom_core::result::{JobResult, LoadModel};
use fathom_core::spec::{Access, Arrivals, Distribution, Job, Pacing, PauseLength, QueueScope};
use fathom_core::units::Nanos;
use fathom_core::{EngineKind, figure};

/// The factors of a job as specified.
pub(super) fn of_spec(job: &Job) -> Vec<(&'static str, String)> {
    let mut flush = String::new();
    if let Some(sync) = job.durability.sync {
        flush = match job.sync_pattern.as_slice() {
            [] => format!(
                ", flush every {}",
                figure::plural(sync.writes.into(), "write")
            ),
            pattern => format!(", flushes after {pattern:?} writes"),
        };
    }
    let direct = if job.durability.direct {
        "direct"
    } else {
        "buffered"
    };
    let through = if job.durability.write_through {
        ", write-through"
    } else {
        ""
    };
    let scope = match job.queue_scope {
        QueueScope::PerTarget => "",
        QueueScope::Shared => " over all targets",
    };
    vec![
        ("load-model", pacing(job)),
        ("mix", mix(job)),
        ("span", span(job)),
        ("access", access(&job.access)),
        ("engine-of-job", engine(job)),
        ("threads", job.threads.to_string()),
        (
            "queue-depth",
            format!("{}{scope}{}", job.queue_depth, batches(job)),
        ),
        ("durability", format!("{direct}{through}{flush}")),
        ("data", data(job)),
        ("verify", format!("{:?}", job.verify).to_lowercase()),
        ("stop", stop(job)),
    ]
}

/// The engine of a job that does not have that of the run.
fn engine(job: &Job) -> String {
    job.engine.map_or("of the run", EngineKind::name).to_owned()
}

/// Batches that were asked for.
fn batches(job: &Job) -> String {
    let submit = job
        .submit_batch
        .map(|batch| format!(", {batch} submitted at once"));
    let complete = job
        .complete_batch
        .map(|batch| format!(", {batch} waited for"));
    submit.into_iter().chain(complete).collect()
}

/// The factors that a result alone tells.
pub(super) fn of_result(job: &JobResult) -> Vec<(&'static str, String)> {
    let model = match job.load_model {
        LoadModel::Closed => "closed",
        LoadModel::Open => "open",
        LoadModel::Bursts => "in bursts",
    };
    let sizes = job
        .ops
        .present()
        .filter(|(_, op)| op.ios > 0)
        .map(|(op, result)| {
            let bytes = result.bytes / result.ios;
            format!("{} of {}", op.name(), figure::size(bytes))
        });
    vec![
        ("load-model", model.to_owned()),
        ("mix", sizes.collect::<Vec<_>>().join(", ")),
        ("threads", job.threads.to_string()),
        ("queue-depth", job.queue_depth.to_string()),
    ]
}

fn pacing(job: &Job) -> String {
    match &job.pacing {
        Pacing::Closed {
            think: Nanos::ZERO, ..
        } => "closed".to_owned(),
        Pacing::Closed { think, burst } => {
            let after = figure::plural(*burst, "request");
            let spread = PauseLength::spread(&job.pauses);
            let curve = job.rate_curve.as_ref();
            let curve = curve.map(|curve| format!(", {curve}")).unwrap_or_default();
            format!("closed, with {think} pause after {after}{spread}{curve}")
        }
        Pacing::Open { rate, arrivals } => {
            let arrivals = match arrivals {
                Arrivals::Constant => "evenly".to_owned(),
                Arrivals::Poisson => "Poisson".to_owned(),
                Arrivals::Bursts(bursts) => bursts.to_string(),
            };
            let curve = job.rate_curve.as_ref();
            let curve = curve.map(|curve| format!(", {curve}")).unwrap_or_default();
            format!("open at {rate}, {arrivals}{curve}")
        }
        Pacing::Cyclic { every, bytes } => format!("{bytes} every {every}"),
        Pacing::Triggered { bytes } => format!("{bytes} after another job"),
    }
}

fn mix(job: &Job) -> String {
    let total: f64 = job.kinds.iter().map(|kind| kind.weight).sum();
    let kinds = job.kinds.iter().map(|kind| {
        // Weights are relative: as rounded shares those of two specifications can be compared.
        let share = figure::percent((kind.weight / total * 1000.0).round() / 10.0);
        let (op, size) = (kind.op.name(), figure::size(kind.block_size.0));
        let align = if kind.align == kind.block_size {
            String::new()
        } else {
            format!(" at multiples of {}", figure::size(kind.align.0))
        };
        format!("{share} {op} {size} {} random{align}", kind.random)
    });
    kinds.collect::<Vec<_>>().join(", ")
}

fn span(job: &Job) -> String {
    let size = |bytes: Option<fathom_core::Bytes>| {
        bytes.map_or_else(|| "all".to_owned(), |bytes| figure::size(bytes.0))
    };
    let offset = if job.offset.0 == 0 {
        String::new()
    } else {
        format!(" from {}", figure::size(job.offset.0))
    };
    let kept = [
        (job.fresh, ", made anew"),
        (job.cold, ", cold"),
        (
            job.compat().cold_again.is_some(),
            " in each pass over the file",
        ),
        (job.warm, ", warm"),
        (job.compat().idle, ", idle"),
    ];
    let kept = kept.iter().filter(|(is, _)| *is).map(|(_, words)| *words);
    let (window, file) = (size(job.window), size(job.size));
    format!("{window}{offset} of {file}{}", kept.collect::<String>())
}

fn access(access: &Access) -> String {
    let distribution = match &access.distribution {
        Distribution::Uniform => "uniform".to_owned(),
        Distribution::Zipf { theta } => format!("Zipf {theta}"),
        Distribution::Pareto { h } => format!("Pareto {h}"),
        Distribution::Normal { deviation } => format!("normal {deviation}"),
        Distribution::Hot { ranges } => {
            let ranges = ranges
                .iter()
                .map(|range| format!("{} to {}", range.ios, range.of));
            format!("hot {}", ranges.collect::<Vec<_>>().join(", "))
        }
    };
    let once = if access.without_repetition {
        ", each offset once"
    } else {
        ""
    };
    let stride = access
        .stride
        .map_or_else(String::new, |stride| format!(", stride {stride}"));
    let cursor = format!("{:?} {:?}", access.cursor, access.cursor_scope).to_lowercase();
    format!("{distribution}{once}{stride}, cursor {cursor}")
}

fn data(job: &Job) -> String {
    if !job.destroys() {
        return "none".to_owned();
    }
    let data = &job.data;
    let fill = format!("{:?}", data.fill).to_lowercase();
    format!(
        "{fill}, compressible to {}, {} duplicate",
        data.compressible_to, data.duplicate
    )
}

fn stop(job: &Job) -> String {
    match (job.stop.bytes, job.stop.ios) {
        (None, None) => "none".to_owned(),
        (Some(bytes), None) => figure::size(bytes.0),
        (None, Some(ios)) => figure::plural(ios, "request"),
        (Some(bytes), Some(ios)) => {
            format!(
                "{} or {}",
                figure::size(bytes.0),
                figure::plural(ios, "request")
            )
        }
    }
}
