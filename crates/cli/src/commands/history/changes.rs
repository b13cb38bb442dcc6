//! `fathom history --changes`: at which run a number shifted, by how much, and what came with it.

use super::{archive, begin};
use crate::args::HistoryArgs;
use crate::commands::{listed, print, show_text};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::on_terminal;
use crate::table::Table;
use fathom_core::figure::{count, decimal, percent, plural};
use fathom_store::{Course, CoursePoint, Filter, Store, Wanted};
use fathom_verdict::compare::{Factor, Metric, differences};
use fathom_verdict::stats::{LEAST_RUNS, LevelChange, LevelChanges, Shift};
use serde::Serialize;

/// The history of one number, as JSON has it.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    course: Course,
    metric: Metric,
    /// Runs whose value does not count: SUSPECT, INVALID, or without such a value.
    left_out: usize,
    /// None where fewer than eight runs count.
    found: Option<Found>,
}

#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    changes: LevelChanges,
    /// What differs between the last run before each change and the first after it.
    differences: Vec<Vec<Factor>>,
}

/// The answer to `--changes`.
pub(super) fn tell(store: &Store, filter: &Filter, args: &HistoryArgs) -> Result<Exit, Error> {
    let metric = args.metric.unwrap_or(Metric::Iops);
    let courses = store.courses(filter, metric);
    let Some(courses) = courses.map_err(|error| archive::problem(&error))? else {
        let thing = format!("the history has no table of {}", metric.name());
        return Err(Problem::new(Exit::Usage, thing)
            .remedy("use another --metric, such as p90 or p99")
            .into());
    };
    let told: Result<Vec<Told>, Problem> = courses
        .into_iter()
        .map(|course| one(store, course, metric))
        .collect();
    let told = told?;
    if args.json {
        return print(&listed::document("changes", &told)?);
    }
    show_text(&on_terminal(text(&told)))
}

fn one(store: &Store, mut course: Course, metric: Metric) -> Result<Told, Problem> {
    let all = course.points.len();
    let counts = |point: &CoursePoint| {
        ["VALID", "QUALIFIED"].contains(&point.state.as_str()) && point.value > Some(0.0)
    };
    course.points.retain(counts);
    let values: Vec<f64> = course
        .points
        .iter()
        .filter_map(|point| point.value)
        .collect();
    let found = match LevelChanges::of(&values) {
        None => None,
        Some(changes) => Some(Found {
            differences: changes
                .changes
                .iter()
                .map(|change| between(store, &course.points[change.at - 1..=change.at]))
                .collect::<Result<_, _>>()?,
            changes,
        }),
    };
    Ok(Told {
        left_out: all - course.points.len(),
        course,
        metric,
        found,
    })
}

/// What differs between two runs of the history.
fn between(store: &Store, points: &[CoursePoint]) -> Result<Vec<Factor>, Problem> {
    let result = |point: &CoursePoint| {
        let found = store.result(Wanted::Prefix(&point.run_id));
        found.map_err(|error| archive::problem(&error))
    };
    match points {
        [one, two] => Ok(differences(&result(one)?, &result(two)?)),
        _ => Ok(Vec::new()),
    }
}

fn text(told: &[Told]) -> String {
    let (enough, few): (Vec<&Told>, Vec<&Told>) = told.iter().partition(|one| one.found.is_some());
    let mut parts: Vec<String> = enough.into_iter().map(course).collect();
    if !few.is_empty() {
        let runs: usize = few.iter().map(|one| one.course.points.len()).sum();
        let (numbers, runs) = (plural(few.len() as u64, "number"), count(runs as u64));
        parts.push(format!(
            "{numbers} with fewer than {LEAST_RUNS} usable runs ({runs} together): too few to find \
             changes\n"
        ));
    }
    if parts.is_empty() {
        return "no run of the history matches\n".to_owned();
    }
    parts.join("\n")
}

fn course(told: &Told) -> String {
    let (key, points) = (&told.course.key, &told.course.points);
    let origin = match key.origin.as_str() {
        "measured" => String::new(),
        other => format!(", {other}"),
    };
    let mut text = format!(
        "{} on {}, {}, {}{origin}\n{}/{} {}, {}, {} × {}: {} of {}",
        key.workload,
        key.targets,
        key.hostname,
        key.engine,
        key.phase,
        key.job,
        key.op,
        key.load_model,
        key.threads,
        key.queue_depth,
        told.metric.name(),
        plural(points.len() as u64, "run"),
    );
    if told.left_out > 0 {
        let left = plural(told.left_out as u64, "run");
        text.extend([format!(
            "; {left} left out: SUSPECT, INVALID or without value"
        )]);
    }
    let Some(found) = &told.found else {
        return text + "\n";
    };
    text.extend([format!("\n\n{}", levels(told, &found.changes))]);
    text.push('\n');
    if found.changes.changes.is_empty() {
        text += "no change of 5 % or more found\n";
    }
    for (change, factors) in found.changes.changes.iter().zip(&found.differences) {
        text += &sentence(told, change, factors);
    }
    if let Some(correlation) = found.changes.correlation {
        text.extend([format!(
            "neighbouring runs are correlated beyond their level ({}): p is too small\n",
            decimal(correlation, 2)
        )]);
    }
    text
}

fn levels(told: &Told, found: &LevelChanges) -> Table {
    let mut table = Table::new(&[
        "FROM (UTC)",
        "RUN",
        ">RUNS",
        ">MEDIAN",
        ">CHANGE",
        "INTERVAL",
        ">P",
    ]);
    let changes = std::iter::once(None).chain(found.changes.iter().map(Some));
    for (level, change) in found.levels.iter().zip(changes) {
        let first = &told.course.points[level.begin];
        let of = |part: fn(&Shift) -> String| {
            change.map_or_else(String::new, |change| part(&change.ratio))
        };
        table.row([
            begin(&first.started_at),
            first.run_id.clone(),
            count(level.runs as u64),
            told.metric.figure(level.median),
            of(|ratio| signed(ratio.estimate)),
            of(|ratio| format!("{} … {}", signed(ratio.low), signed(ratio.high))),
            of(|ratio| decimal(ratio.p, 3)),
        ]);
    }
    table
}

/// `-12.7 %`.
fn signed(ratio: f64) -> String {
    let change = (ratio - 1.0) * 100.0;
    let sign = if change > 0.0 { "+" } else { "" };
    format!("{sign}{} %", decimal(change, 1))
}

fn sentence(told: &Told, change: &LevelChange, factors: &[Factor]) -> String {
    let first = &told.course.points[change.at];
    let is_better = (change.ratio.estimate > 1.0) == told.metric.is_rate();
    let word = if is_better { "FASTER" } else { "SLOWER" };
    let by = percent((change.ratio.estimate - 1.0).abs() * 100.0);
    let direction = if change.ratio.estimate > 1.0 {
        "more"
    } else {
        "less"
    };
    let mut text = format!("{word} from {}: {by} {direction}\n", first.run_id);
    if factors.is_empty() {
        text += "  with it   no other known difference of the runs\n";
    }
    for (index, factor) in factors.iter().enumerate() {
        let head = if index == 0 { "with it" } else { "" };
        let known = |value: &str| match value {
            "" => "unknown".to_owned(),
            value => value.to_owned(),
        };
        let (before, after) = (known(&factor.base), known(&factor.other));
        text.extend([format!(
            "  {head:<8}  {}: {before} → {after}\n",
            factor.name
        )]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_store::CourseKey;
    use fathom_verdict::compare::FactorRole;

    fn told(values: &[f64]) -> Told {
        let key = CourseKey {
            workload: "nightly".to_owned(),
            targets: "/data/f.dat".to_owned(),
            hostname: "lab7".to_owned(),
            engine: "io_uring".to_owned(),
            origin: "measured".to_owned(),
            phase: "main".to_owned(),
            job: "oltp".to_owned(),
            op: "read".to_owned(),
            load_model: "closed".to_owned(),
            threads: 2,
            queue_depth: 32,
        };
        let points = values.iter().enumerate().map(|(day, value)| CoursePoint {
            run_id: format!("run-{:02}", day + 1),
            started_at: format!("2026-03-{:02}T12:00:00.000Z", day + 1),
            state: "VALID".to_owned(),
            value: Some(*value),
        });
        let kernel = Factor {
            name: "kernel",
            place: String::new(),
            base: "6.1.0".to_owned(),
            other: "6.8.0".to_owned(),
            role: FactorRole::Noted,
        };
        Told {
            course: Course {
                key,
                points: points.collect(),
            },
            metric: Metric::Iops,
            left_out: 2,
            found: LevelChanges::of(values).map(|changes| Found {
                differences: vec![vec![kernel]; changes.changes.len()],
                changes,
            }),
        }
    }

    #[test]
    fn the_run_and_what_came_with_it_are_named() {
        let changed = [
            5010.0, 4990.0, 5005.0, 4985.0, 5020.0, 5000.0, 4500.0, 4490.0, 4510.0, 4505.0, 4485.0,
        ];
        let steady = changed.map(|value| if value < 4800.0 { value + 500.0 } else { value });
        let all = [told(&changed), told(&steady), told(&steady[..7])];
        let expected = "\
nightly on /data/f.dat, lab7, io_uring
main/oltp read, closed, 2 × 32: iops of 11 runs; 2 runs left out: SUSPECT, INVALID or without value

FROM (UTC)           RUN     RUNS      MEDIAN   CHANGE  INTERVAL              P
2026-03-01 12:00:00  run-01     6  5,002 IOPS
2026-03-07 12:00:00  run-07     5  4,500 IOPS  -10.1 %  -10.4 % … -9.7 %  0.008

SLOWER from run-07: 10.1 % less
  with it   kernel: 6.1.0 → 6.8.0

nightly on /data/f.dat, lab7, io_uring
main/oltp read, closed, 2 × 32: iops of 11 runs; 2 runs left out: SUSPECT, INVALID or without value

FROM (UTC)           RUN     RUNS      MEDIAN  CHANGE  INTERVAL  P
2026-03-01 12:00:00  run-01    11  5,000 IOPS

no change of 5 % or more found

1 number with fewer than 8 usable runs (7 together): too few to find changes
";
        assert_eq!(text(&all), expected);
        assert_eq!(text(&[]), "no run of the history matches\n");
    }
}
