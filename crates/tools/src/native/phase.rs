//! A phase: its times, its end, its jobs.

use super::group::Tree;
use super::table::Table;
use super::{job, keys};
use fathom_core::spec::fields::PHASE;
use fathom_core::spec::{Job, Phase};
use fathom_core::units::Nanos;

/// Time of a phase that nothing else ends.
const DURATION: Nanos = Nanos::from_secs(30);

/// A `[[phase]]`; a job without a name is called after the workload.
pub(super) fn read(table: &Table<'_>, default_name: String, workload: &str) -> Option<Phase> {
    let name = table.text("name").unwrap_or(default_name);
    let tables = jobs(table).unwrap_or_default();
    build(table, name, &tables, workload)
}

/// The phase of a file without one: its keys and its jobs stand at the top of the file, or even
/// the keys of its only job.
pub(super) fn read_at_top(table: &Table<'_>, workload: &str) -> Option<Phase> {
    let tables = if table.has("job") {
        check_alone(table);
        jobs(table).unwrap_or_default()
    } else {
        vec![table.as_path(table.path("job[0]"))]
    };
    // A name at the top is that of the workload.
    build(table, "main".to_owned(), &tables, workload)
}

fn jobs<'r>(table: &Table<'r>) -> Option<Vec<Table<'r>>> {
    table.tables("job", &[&keys::job(), &keys::job_short()])
}

fn build(table: &Table<'_>, name: String, jobs: &[Table<'_>], workload: &str) -> Option<Phase> {
    let several = jobs.len() > 1;
    let read = |(index, table): (usize, &Table<'_>)| {
        let default = if several {
            format!("job-{}", index + 1)
        } else {
            workload.to_owned()
        };
        job::read(table, default)
    };
    let is_of_use = |_: &(usize, &Table<'_>)| !table.reading().is_hopeless();
    let jobs = jobs.iter().enumerate().take_while(is_of_use);
    let jobs: Vec<Job> = jobs.filter_map(read).collect();
    let mut tree = Tree::new();
    tree.insert("name".to_owned(), name.into());
    for field in PHASE.fields {
        if !["name", "job"].contains(&field.name) {
            let value = table.value(field.name, field);
            table.settle(&mut tree, field, value);
        }
    }
    let mut phase: Phase = table.reading().made(&tree, &PHASE)?;
    phase.jobs = jobs;
    end(&mut phase);
    Some(phase)
}

/// Ends a phase after a while that has no other end.
fn end(phase: &mut Phase) {
    let ends = phase.steady.is_some() || phase.jobs.iter().any(Job::ends);
    phase.duration = phase.duration.or((!ends).then_some(DURATION));
}

/// With `[[job]]`s in the file, keys of a job at the top would belong to none of them.
fn check_alone(table: &Table<'_>) {
    for group in [keys::job(), keys::job_short()] {
        for entry in table.entries(&group) {
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
