//! One number of many runs, in the order in which they were made.

use crate::list::WHERE;
use crate::{Filter, Store, StoreError};
use fathom_verdict::compare::Metric;
use rusqlite::{Row, named_params};
use serde::Serialize;

/// What runs have in common that are put into one history: the same work on the same storage, as
/// far as the tables tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CourseKey {
    /// Name of the workload.
    pub workload: String,
    /// Paths of the targets.
    pub targets: String,
    /// Name of the machine.
    pub hostname: String,
    /// Name of the engine.
    pub engine: String,
    /// `measured`, `simulated` or `imported`.
    pub origin: String,
    /// Name of the phase.
    pub phase: String,
    /// Name of the job.
    pub job: String,
    /// Operation.
    pub op: String,
    /// `closed`, `open` or `bursts`.
    pub load_model: String,
    /// Threads of the job.
    pub threads: u32,
    /// Requests outstanding.
    pub queue_depth: u32,
}

/// The value of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoursePoint {
    /// Id of the run.
    pub run_id: String,
    /// Begin in UTC, RFC 3339.
    pub started_at: String,
    /// VALID, QUALIFIED, SUSPECT or INVALID.
    pub state: String,
    /// The number in the unit of its metric (1/s, B/s, ns); `None` where the sample does not
    /// support it, or where it would have to be averaged over repeats.
    pub value: Option<f64>,
}

/// The runs of one key.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Course {
    /// What they have in common.
    #[serde(flatten)]
    pub key: CourseKey,
    /// The runs, the earliest first.
    pub points: Vec<CoursePoint>,
}

impl Store {
    /// A number of all complete runs that `filter` lets through, each operation of each job by
    /// itself, by key. `None` for a metric that the tables do not have. `filter.limit` is not
    /// used.
    pub fn courses(
        &self,
        filter: &Filter,
        metric: Metric,
    ) -> Result<Option<Vec<Course>>, StoreError> {
        let Some(value) = column(metric) else {
            return Ok(None);
        };
        let sql = format!(
            "SELECT run.run_id, run.started_at, run.state, {value},
                    run.workload, run.targets, run.hostname, run.engine, run.origin, phase.name,
                    op.job_name, op.op, op.load_model, max(op.threads), max(op.queue_depth)
             FROM run JOIN phase ON phase.run = run.id
             JOIN op ON op.run = phase.run AND op.phase = phase.phase
             {WHERE} AND run.status = 'complete'
             GROUP BY run.id, phase.name, op.job, op.op
             ORDER BY run.started_at, run.id, min(phase.phase), op.job, op.op"
        );
        let mut statement = self.connection.prepare(&sql)?;
        let parameters = named_params! {
            ":tag": filter.tag,
            ":host": filter.host,
            ":workload": filter.workload,
            ":since": filter.since,
            ":state": filter.state,
            ":target": filter.target,
        };
        let rows = statement.query_map(parameters, |row| Ok((key(row)?, point(row)?)))?;
        let mut courses: Vec<Course> = Vec::new();
        for row in rows {
            let (key, point) = row?;
            match courses.iter_mut().find(|course| course.key == key) {
                Some(course) => course.points.push(point),
                None => courses.push(Course {
                    key,
                    points: vec![point],
                }),
            }
        }
        Ok(Some(courses))
    }
}

/// The number over all repeats of a phase. Rates and means are those of all together; percentiles
/// are never averaged.
fn column(metric: Metric) -> Option<String> {
    let percentile =
        |name: &str| format!("CASE WHEN count(*) = 1 THEN max(op.response_p{name}_ns) END");
    Some(match metric.name() {
        "iops" => "sum(op.ios) * 1e9 / nullif(sum(op.active_ns), 0)".to_owned(),
        "throughput" => "sum(op.bytes) * 1e9 / nullif(sum(op.active_ns), 0)".to_owned(),
        "mean" => "sum(op.response_mean_ns * op.ios) / nullif(sum(op.ios), 0)".to_owned(),
        "p50" => percentile("50"),
        "p90" => percentile("90"),
        "p99" => percentile("99"),
        "p99.9" => percentile("99_9"),
        "p99.99" => percentile("99_99"),
        _ => return None,
    })
}

fn point(row: &Row<'_>) -> rusqlite::Result<CoursePoint> {
    Ok(CoursePoint {
        run_id: row.get(0)?,
        started_at: row.get(1)?,
        state: row.get(2)?,
        value: row.get(3)?,
    })
}

fn key(row: &Row<'_>) -> rusqlite::Result<CourseKey> {
    Ok(CourseKey {
        workload: row.get(4)?,
        targets: row.get(5)?,
        hostname: row.get(6)?,
        engine: row.get(7)?,
        origin: row.get(8)?,
        phase: row.get(9)?,
        job: row.get(10)?,
        op: row.get(11)?,
        load_model: row.get(12)?,
        threads: row.get(13)?,
        queue_depth: row.get(14)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::Op;
    use fathom_core::fixture::{self, JobPlan, Stream};

    #[test]
    fn runs_of_one_kind_are_a_course() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("history.db")).unwrap();
        let run = |number: u32, name: &str, ios: u64, depth: u32| {
            let stream = Stream::random(Op::Read, 4096, vec![ios; 10]);
            let job = JobPlan::closed("read", depth, vec![stream]);
            let mut run = fixture::run(name, &[("main", vec![job])]);
            run.run_id = format!("20260301T12000{number}Z-{number}f3a00000000");
            run.provenance.started_at = format!("2026-03-01T12:00:0{number}.000Z");
            run
        };
        // Kept in another order than they were made in.
        for run in [
            run(3, "a", 3000, 32),
            run(1, "a", 1000, 32),
            run(2, "b", 7000, 32),
            run(4, "a", 9000, 64),
        ] {
            store.save(&run).unwrap();
        }
        let found = |metric: &str| {
            let filter = Filter {
                workload: Some("a".to_owned()),
                ..Filter::default()
            };
            let courses = store.courses(&filter, metric.parse().unwrap()).unwrap();
            let course = |course: Course| {
                let points = course.points.into_iter();
                let points = points.map(|point| (point.started_at[17..19].to_owned(), point.value));
                (course.key.queue_depth, points.collect::<Vec<_>>())
            };
            courses.map(|courses| courses.into_iter().map(course).collect::<Vec<_>>())
        };
        let at = |second: &str, value: f64| (second.to_owned(), Some(value));
        let expected = vec![
            (32, vec![at("01", 1000.0), at("03", 3000.0)]),
            (64, vec![at("04", 9000.0)]),
        ];
        assert_eq!(found("iops"), Some(expected));
        assert_eq!(found("p95"), None);
    }
}
