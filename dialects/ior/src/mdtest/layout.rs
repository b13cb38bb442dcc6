//! The summary of mdtest: a row for each of its phases, over the iterations.
#![expect(
    clippy::format_push_string,
    reason = "a report is written once; growing lines read better than write! does"
)]

use crate::tables::processes_and_nodes;
use fathom_core::Op;
use fathom_core::result::{JobResult, PhaseResult, RunResult};
use fathom_core::spec::FileKind;

/// What mdtest calls its phases, in its order.
const ROWS: [(FileKind, Op, &str); 8] = [
    (FileKind::Directory, Op::Create, "Directory creation"),
    (FileKind::Directory, Op::Stat, "Directory stat"),
    (FileKind::Directory, Op::Rename, "Directory rename"),
    (FileKind::Directory, Op::Unlink, "Directory removal"),
    (FileKind::File, Op::Create, "File creation"),
    (FileKind::File, Op::Stat, "File stat"),
    (FileKind::File, Op::Read, "File read"),
    (FileKind::File, Op::Unlink, "File removal"),
];

/// The report of a result, as mdtest lays it out.
pub fn render(result: &RunResult) -> String {
    let workload = &result.provenance.workload;
    let jobs = workload.phases.iter().flat_map(|phase| &phase.jobs);
    let tasks = jobs.map(|job| job.threads).max().unwrap_or(0);
    let (processes, nodes) = processes_and_nodes(result);
    let tasks = u64::from(tasks) * processes as u64;
    let mut text = format!(
        "mdtest was launched with {tasks} total task(s) on {nodes} node(s)\n\
         Command line used: {}\n",
        workload.source
    );
    for target in &result.provenance.targets {
        text.push_str(&format!("Path                : {}\n", target.path));
    }
    text.push_str(&format!(
        "{tasks} tasks, {}\n",
        things(result, processes as u64)
    ));
    let rates: Vec<(&str, Vec<f64>)> = ROWS
        .iter()
        .map(|(of, op, name)| (*name, rates(result, *of, *op)))
        .filter(|(_, rates)| !rates.is_empty())
        .collect();
    text.push_str(&table("rate (in ops/sec)", workload.repeat, &rates));
    let times: Vec<(&str, Vec<f64>)> = rates
        .into_iter()
        .map(|(name, rates)| (name, rates.into_iter().map(|rate| 1e3 / rate).collect()))
        .collect();
    text.push_str(&table("time (in ms/op)", workload.repeat, &times));
    text
}

/// How many files there are of all processes, and what they are called.
fn things(result: &RunResult, processes: u64) -> String {
    let jobs = result.provenance.workload.phases.iter();
    let shapes = jobs.flat_map(|phase| &phase.jobs);
    let of: Vec<(FileKind, u64)> = shapes
        .filter_map(|job| {
            job.files
                .map(|files| (files.of, files.shape(job.threads).files()))
        })
        .collect();
    let has = |kind| of.iter().any(|(of, _)| *of == kind);
    let word = match (has(FileKind::File), has(FileKind::Directory)) {
        (true, true) => "files/directories",
        (false, true) => "directories",
        _ => "files",
    };
    let most = of.iter().map(|(_, files)| *files).max().unwrap_or(0);
    format!("{} {word}", most * processes)
}

/// Operations a second, one for each iteration in which there was any.
fn rates(result: &RunResult, of: FileKind, op: Op) -> Vec<f64> {
    let is_it = |phase: &PhaseResult, job: &JobResult| {
        let spec = result.job_spec(&phase.name, &job.name);
        spec.and_then(|spec| spec.files)
            .is_some_and(|files| files.of == of)
    };
    let phases = result.phases.iter();
    let jobs = phases.flat_map(|phase| phase.jobs.iter().map(move |job| (phase, job)));
    jobs.filter(|(phase, job)| is_it(phase, job))
        .filter_map(|(_, job)| {
            let done = job.ops.get(op)?;
            let seconds = job.active_ns as f64 / 1e9;
            (done.ios > 0 && seconds > 0.0).then(|| done.ios as f64 / seconds)
        })
        .collect()
}

fn table(of: &str, iterations: u32, rows: &[(&str, Vec<f64>)]) -> String {
    let mut text = format!("\nSUMMARY {of}: (of {iterations} iterations)\n");
    let heads = ["Operation", "Max", "Min", "Mean", "Std Dev"];
    let line = |cells: [&str; 5]| {
        let [name, max, min, mean, deviation] = cells;
        format!("   {name:<18}{max:>15}{min:>15}{mean:>15}{deviation:>15}\n")
    };
    text.push_str(&line(heads));
    let lines = heads.map(|head| "-".repeat(head.len()));
    text.push_str(&line(lines.each_ref().map(String::as_str)));
    for (name, values) in rows {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = if values.len() > 1 {
            (squares / (count - 1.0)).sqrt()
        } else {
            0.0
        };
        let max = values.iter().copied().fold(f64::MIN, f64::max);
        let min = values.iter().copied().fold(f64::MAX, f64::min);
        text.push_str(&format!(
            "   {name:<22}{max:>15.3}{min:>15.3}{mean:>15.3}{deviation:>15.3}\n"
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_as_those_of_mdtest_do() {
        let rows = [
            ("File creation", vec![25_000.0, 16_000.0, 19_000.0]),
            ("File stat", vec![1e6]),
        ];
        let expected = "
SUMMARY rate (in ops/sec): (of 3 iterations)
   Operation                     Max            Min           Mean        Std Dev
   ---------                     ---            ---           ----        -------
   File creation               25000.000      16000.000      20000.000       4582.576
   File stat                 1000000.000    1000000.000    1000000.000          0.000
";
        assert_eq!(table("rate (in ops/sec)", 3, &rows), expected);
    }
}
