//! One metric of many runs, in the order in which they were made.

use crate::list::WHERE;
use crate::{Filter, Store, StoreError};
use fathom_verdict::compare::Metric;
use fathom_verdict::trend::{Series, SeriesKey, SeriesPoint};
use rusqlite::{Row, named_params};
use std::collections::HashMap;

impl Store {
    /// A metric of all complete runs that `filter` lets through, each operation of each job by
    /// itself, by key, in the order of their first runs. `None` for a metric that the tables do
    /// not have. `filter.limit` is not used.
    pub fn series(
        &self,
        filter: &Filter,
        metric: Metric,
    ) -> Result<Option<Vec<Series>>, StoreError> {
        let Some(columns) = Columns::of(metric) else {
            return Ok(None);
        };
        let Columns { value, weight, .. } = &columns;
        // In the order of the indices, so that nothing is sorted. Of a row only these columns are
        // read.
        let sql = format!(
            "SELECT run.id, run.run_id, run.started_at, run.state, {value}, {weight}, op.job,
                    run.workload, run.targets, run.hostname, run.engine, run.origin, phase.name,
                    op.job_name, op.op, op.load_model, op.threads, op.queue_depth,
                    run.disk
             FROM run CROSS JOIN phase ON phase.run = run.id
             CROSS JOIN op ON op.run = phase.run AND op.phase = phase.phase
             {WHERE} AND run.status = 'complete'
             ORDER BY run.started_at, run.id, phase.phase, op.job, op.op"
        );
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query(named_params! {
            ":tag": filter.tag,
            ":host": filter.host,
            ":workload": filter.workload,
            ":since": filter.since,
            ":state": filter.state,
            ":target": filter.target,
        })?;
        let mut gathered = Gathered::default();
        let mut parts: Vec<Part> = Vec::new();
        while let Some(row) = rows.next()? {
            let part = Part::of(row)?;
            if parts.first().is_some_and(|first| first.run != part.run) {
                gathered.take(&mut parts, &columns);
            }
            match parts.iter_mut().find(|one| one.is_same(&part)) {
                Some(earlier) => earlier.add(&part),
                None => parts.push(part),
            }
        }
        gathered.take(&mut parts, &columns);
        Ok(Some(gathered.series))
    }
}

/// How a metric over all repeats of a phase follows from the columns of each.
struct Columns {
    value: String,
    weight: &'static str,
    scale: f64,
    /// Percentiles are never averaged.
    adds_up: bool,
}

impl Columns {
    fn of(metric: Metric) -> Option<Self> {
        let sum = |value: &str, weight, scale| Self {
            value: value.to_owned(),
            weight,
            scale,
            adds_up: true,
        };
        let percentile = |name: &str| Self {
            adds_up: false,
            ..sum(&format!("op.response_p{name}_ns"), "1", 1.0)
        };
        Some(match metric.name() {
            "iops" => sum("op.ios", "op.active_ns", 1e9),
            "throughput" => sum("op.bytes", "op.active_ns", 1e9),
            "mean" => sum("op.response_mean_ns * op.ios", "op.ios", 1.0),
            "p50" => percentile("50"),
            "p90" => percentile("90"),
            "p99" => percentile("99"),
            "p99.9" => percentile("99_9"),
            "p99.99" => percentile("99_99"),
            _ => return None,
        })
    }
}

/// An operation of a job in the repeats of a phase of one run.
struct Part {
    run: i64,
    job: i64,
    point: SeriesPoint,
    key: SeriesKey,
    total: Option<f64>,
    weight: f64,
    repeats: u32,
}

impl Part {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            run: row.get(0)?,
            job: row.get(6)?,
            point: SeriesPoint {
                run_id: row.get(1)?,
                started_at: row.get(2)?,
                state: row.get(3)?,
                disk: row.get(18)?,
                value: None,
            },
            key: SeriesKey {
                workload: row.get(7)?,
                targets: row.get(8)?,
                hostname: row.get(9)?,
                engine: row.get(10)?,
                origin: row.get(11)?,
                phase: row.get(12)?,
                job: row.get(13)?,
                op: row.get(14)?,
                load_model: row.get(15)?,
                threads: row.get(16)?,
                queue_depth: row.get(17)?,
            },
            total: row.get(4)?,
            weight: row.get(5)?,
            repeats: 1,
        })
    }

    fn is_same(&self, other: &Self) -> bool {
        (self.job, &self.key.phase, &self.key.op) == (other.job, &other.key.phase, &other.key.op)
    }

    fn add(&mut self, other: &Self) {
        self.total = self.total.zip(other.total).map(|(one, two)| one + two);
        self.weight += other.weight;
        self.repeats += 1;
        self.key.threads = self.key.threads.max(other.key.threads);
        self.key.queue_depth = self.key.queue_depth.max(other.key.queue_depth);
    }
}

/// The series so far, and where each is.
#[derive(Default)]
struct Gathered {
    series: Vec<Series>,
    places: HashMap<SeriesKey, usize>,
}

impl Gathered {
    /// Adds the points of a run.
    fn take(&mut self, parts: &mut Vec<Part>, columns: &Columns) {
        for part in parts.drain(..) {
            let is_known = part.weight > 0.0 && (columns.adds_up || part.repeats == 1);
            let value = part.total.filter(|_| is_known);
            let point = SeriesPoint {
                value: value.map(|total| total / part.weight * columns.scale),
                ..part.point
            };
            if let Some(place) = self.places.get(&part.key) {
                self.series[*place].points.push(point);
                continue;
            }
            self.places.insert(part.key.clone(), self.series.len());
            self.series.push(Series {
                key: part.key,
                points: vec![point],
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::Op;
    use fathom_core::fixture::{self, JobPlan, Stream};

    #[test]
    fn runs_of_one_kind_are_a_series() {
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
            let all = store.series(&filter, metric.parse().unwrap()).unwrap();
            let series = |series: Series| {
                let points = series.points.into_iter();
                let points = points.map(|point| (point.started_at[17..19].to_owned(), point.value));
                (series.key.queue_depth, points.collect::<Vec<_>>())
            };
            all.map(|all| all.into_iter().map(series).collect::<Vec<_>>())
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
