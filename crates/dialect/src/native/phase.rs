//! A phase: its times, its end, its jobs.

use super::table::Table;
use super::{job, keys};
use fathom_core::spec::{Job, Phase, Steady, SteadyMetric};
use fathom_core::units::{Nanos, Percent};

const WARM_UP: Nanos = Nanos::from_secs(5);
const DURATION: Nanos = Nanos::from_secs(30);

/// A `[[phase]]`; a job without a name is called after the workload.
pub(super) fn read(table: &Table<'_>, default_name: String, workload: &str) -> Phase {
    let name = table.text("name").unwrap_or(default_name);
    let known = [keys::JOB, keys::JOB_SHORT];
    let tables = table.tables("job", &known).unwrap_or_default();
    build(table, name, &tables, workload)
}

/// The phase of a file without one: its keys and its jobs stand at the top of the file, or even
/// the keys of its only job.
pub(super) fn read_at_top(table: &Table<'_>, workload: &str) -> Phase {
    let known = [keys::JOB, keys::JOB_SHORT];
    let tables = if table.has("job") {
        check_alone(table);
        table.tables("job", &known).unwrap_or_default()
    } else {
        vec![table.as_path(table.path("job[0]"))]
    };
    build(table, "main".to_owned(), &tables, workload)
}

fn build(table: &Table<'_>, name: String, jobs: &[Table<'_>], workload: &str) -> Phase {
    let several = jobs.len() > 1;
    let read = |(index, table): (usize, &Table<'_>)| {
        let default = if several {
            format!("job-{}", index + 1)
        } else {
            workload.to_owned()
        };
        job::read(table, default)
    };
    let jobs: Vec<_> = jobs.iter().enumerate().map(read).collect();
    let steady = steady(table);
    let searches = jobs.iter().any(|job| job.pacing.search().is_some());
    let ends = steady.is_some() || searches || jobs.iter().any(Job::ends);
    Phase {
        name,
        warm_up: table.time("warm_up").unwrap_or(WARM_UP),
        duration: table.time("duration").or((!ends).then_some(DURATION)),
        cool_down: table.time("cool_down").unwrap_or(Nanos::ZERO),
        steady,
        jobs,
    }
}

/// The steady-state rule; what it leaves out is as SNIA has it.
fn steady(table: &Table<'_>) -> Option<Steady> {
    const METRICS: [(&str, SteadyMetric); 3] = [
        ("iops", SteadyMetric::Iops),
        ("throughput", SteadyMetric::Throughput),
        ("service_time", SteadyMetric::ServiceTime),
    ];
    let table = table.table("steady", keys::STEADY)?;
    Some(Steady {
        metric: table
            .choice("metric", &METRICS)
            .unwrap_or(SteadyMetric::Iops),
        round: table.time("round").unwrap_or(Nanos::from_secs(60)),
        rounds: table.small_count("rounds").unwrap_or(5),
        range: table.share("range").unwrap_or(Percent(20.0)),
        slope: table.share("slope").unwrap_or(Percent(10.0)),
        deviation: table.share("deviation"),
        max_rounds: table.small_count("max_rounds").unwrap_or(25),
    })
}

/// With `[[job]]`s in the file, keys of a job at the top would belong to none of them.
fn check_alone(table: &Table<'_>) {
    for group in [keys::JOB, keys::JOB_SHORT] {
        for entry in table.entries(group) {
            if entry.key == "name" {
                continue;
            }
            table.reading().error(
                &entry.name,
                format!("`{}` stands outside of the jobs of the file", entry.key),
                "move it into a `[[job]]`, or drop the jobs",
            );
        }
    }
}
