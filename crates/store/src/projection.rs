//! The figures of a document as rows, for lists and for other tools.

use crate::headline::Headline;
use fathom_core::interval::Part;
use fathom_core::result::{
    EndReason, IntervalJob, IntervalResult, JobResult, LoadModel, PhaseResult, Provenance,
    RampReport, RunResult, TargetInfo,
};
use fathom_core::summary::LatencySummary;
use rusqlite::{Connection, ToSql, params};

/// Writes what the run's own row says of its origin.
pub(crate) fn describe(
    connection: &Connection,
    id: i64,
    provenance: &Provenance,
) -> rusqlite::Result<()> {
    connection.execute(
        "UPDATE run SET started_at = ?2, workload = ?3, targets = ?4, hostname = ?5, engine = ?6,
                        version = ?7, origin = ?8, disk = ?9
         WHERE id = ?1",
        params![
            id,
            provenance.started_at,
            provenance.workload.name,
            paths(&provenance.targets),
            provenance.host.hostname,
            provenance.engine.name,
            provenance.version,
            provenance.origin.word(),
            provenance.disk(),
        ],
    )?;
    Ok(())
}

/// The paths of targets in one text.
pub(crate) fn paths(targets: &[TargetInfo]) -> String {
    let paths: Vec<&str> = targets.iter().map(|target| target.path.as_str()).collect();
    paths.join(", ")
}

/// Writes all rows of a run, in place of those that there are.
pub(crate) fn project(
    connection: &Connection,
    id: i64,
    result: &RunResult,
) -> rusqlite::Result<()> {
    describe(connection, id, &result.provenance)?;
    let headline = Headline::of(result);
    let measured_ns: u64 = result.phases.iter().map(|phase| phase.measured_ns).sum();
    connection.execute(
        "UPDATE run SET state = ?2, phases = ?3, measured_ns = ?4, iops = ?5,
                        bytes_per_second = ?6, answer = ?7, interruption = ?8
         WHERE id = ?1",
        params![
            id,
            result.state.word(),
            headline.phases as i64,
            measured_ns as i64,
            headline.iops,
            headline.bytes_per_second,
            result
                .ramp
                .as_ref()
                .and_then(RampReport::answer_words)
                .unwrap_or_default(),
            result.interruption().unwrap_or_default(),
        ],
    )?;
    connection.execute("DELETE FROM phase WHERE run = ?1", [id])?;
    for (number, phase) in result.phases.iter().enumerate() {
        let place = (id, number as i64);
        insert_phase(connection, place, phase)?;
        for (job, result) in phase.jobs.iter().enumerate() {
            insert_job(connection, place, job as i64, result)?;
        }
        for (interval, result) in phase.intervals.iter().enumerate() {
            for job in &result.jobs {
                insert_interval(connection, place, interval as i64, result, job)?;
            }
        }
        insert_devices(connection, place, phase)?;
    }
    Ok(())
}

/// Run and phase by number.
type PhaseKey = (i64, i64);

fn insert_phase(
    connection: &Connection,
    (run, number): PhaseKey,
    phase: &PhaseResult,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO phase VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    connection.prepare_cached(sql)?.execute(params![
        run,
        number,
        phase.name,
        phase.repeat,
        phase.start_ns as i64,
        phase.warm_up_ns as i64,
        phase.measured_ns as i64,
        phase.cool_down_ns as i64,
        end_word(phase.ended_by),
    ])?;
    Ok(())
}

fn insert_job(
    connection: &Connection,
    (run, phase): PhaseKey,
    job: i64,
    result: &JobResult,
) -> rusqlite::Result<()> {
    let marks: Vec<String> = (1..=29).map(|number| format!("?{number}")).collect();
    let sql = format!("INSERT INTO op VALUES ({})", marks.join(", "));
    let mut statement = connection.prepare_cached(&sql)?;
    for (op, one) in result.ops.present() {
        let service = Latencies::of(&one.service_ns);
        let response = Latencies::of(&one.response_ns);
        let head: [&dyn ToSql; 15] = [
            &run,
            &phase,
            &job,
            &op.name(),
            &result.name,
            &load_word(result.load_model),
            &(result.active_ns as i64),
            &result.threads,
            &(result.queue_depth as i64),
            &result.queue_depth_held,
            &(one.ios as i64),
            &(one.bytes as i64),
            &(one.errors as i64),
            &one.iops,
            &one.bytes_per_second,
        ];
        let values = head
            .into_iter()
            .chain(service.values())
            .chain(response.values());
        statement.execute(rusqlite::params_from_iter(values))?;
    }
    Ok(())
}

/// What a row says of a distribution.
struct Latencies {
    mean: f64,
    percentiles: [Option<i64>; 5],
    max: i64,
}

impl Latencies {
    fn of(summary: &LatencySummary) -> Self {
        let names = ["50", "90", "99", "99.9", "99.99"];
        Self {
            mean: summary.mean,
            percentiles: names.map(|name| summary.percentile(name).map(|value| value as i64)),
            max: summary.max as i64,
        }
    }

    fn values(&self) -> impl Iterator<Item = &dyn ToSql> {
        let percentiles = self.percentiles.iter().map(|value| value as &dyn ToSql);
        std::iter::once(&self.mean as &dyn ToSql)
            .chain(percentiles)
            .chain(std::iter::once(&self.max as &dyn ToSql))
    }
}

fn insert_interval(
    connection: &Connection,
    (run, phase): PhaseKey,
    number: i64,
    interval: &IntervalResult,
    job: &IntervalJob,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO interval VALUES
               (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";
    let mut statement = connection.prepare_cached(sql)?;
    for (op, one) in job.ops.present() {
        let latencies = Latencies::of(&one.service_ns);
        statement.execute(params![
            run,
            phase,
            number,
            job.job,
            op.name(),
            part_word(interval.part),
            interval.start_ns as i64,
            interval.length_ns as i64,
            job.queue_depth_held,
            one.ios as i64,
            one.bytes as i64,
            one.errors as i64,
            latencies.mean,
            latencies.percentiles[0],
            latencies.percentiles[2],
            latencies.max,
        ])?;
    }
    Ok(())
}

fn insert_devices(
    connection: &Connection,
    (run, phase): PhaseKey,
    result: &PhaseResult,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO device_sample VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    let mut statement = connection.prepare_cached(sql)?;
    for sample in &result.machine {
        for device in &sample.devices {
            statement.execute(params![
                run,
                phase,
                device.device,
                sample.start_ns as i64,
                sample.length_ns as i64,
                device.reads as i64,
                device.read_bytes as i64,
                device.writes as i64,
                device.write_bytes as i64,
                device.busy_ns as i64,
                device.queue_ns as i64,
            ])?;
        }
    }
    Ok(())
}

/// As in the document.
const fn end_word(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Duration => "duration",
        EndReason::Amount => "amount",
        EndReason::Steady => "steady",
        EndReason::NotSteady => "not_steady",
        EndReason::Interrupted => "interrupted",
        EndReason::Errors => "errors",
        EndReason::Overloaded => "overloaded",
    }
}

const fn load_word(model: LoadModel) -> &'static str {
    match model {
        LoadModel::Closed => "closed",
        LoadModel::Open => "open",
        LoadModel::Bursts => "bursts",
    }
}

const fn part_word(part: Part) -> &'static str {
    match part {
        Part::WarmUp => "warm_up",
        Part::Measure => "measure",
        Part::CoolDown => "cool_down",
    }
}
