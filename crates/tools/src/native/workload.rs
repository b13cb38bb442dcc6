//! The whole file: phases, or the short forms with one phase and one job.

use super::group::Tree;
use super::table::Table;
use super::{keys, phase, reading::Reading};
use fathom_core::spec::fields::{PHASE, WORKLOAD};
use fathom_core::spec::{Phase, Workload};
use toml::de::DeTable;

/// How many jobs a text has, before any of them is read; one where they stand in no list.
pub(super) fn jobs(root: &DeTable<'_>) -> usize {
    let items = |table: &DeTable<'_>, key: &str, each: &dyn Fn(&DeTable<'_>) -> usize| {
        let list = table.get(key)?.get_ref().as_array()?;
        let tables = list.iter().filter_map(|item| item.get_ref().as_table());
        Some(tables.map(each).sum::<usize>())
    };
    // A phase without jobs is as much to read as a job.
    let of_phase = |phase: &DeTable<'_>| items(phase, "job", &|_| 1).unwrap_or(0).max(1);
    let jobs = items(root, "phase", &of_phase).or_else(|| items(root, "job", &|_| 1));
    jobs.unwrap_or(1)
}

/// The workload, unless there is anything wrong with the text.
pub(super) fn read<'r>(
    reading: &'r Reading,
    root: &'r DeTable<'r>,
    file: &str,
) -> Option<Workload> {
    let (phase, job, short) = (PHASE.keys(), keys::job(), keys::job_short());
    let known: [&[&'static str]; 4] = [&WORKLOAD.keys(), &phase, &job, &short];
    // A finding about the whole file is shown on its first line.
    let table = Table::open(reading, root, String::new(), 0..0, &known);
    let mut tree = Tree::new();
    let name = table.text("name").unwrap_or_else(|| stem(file));
    tree.insert("name".to_owned(), name.clone().into());
    for field in WORKLOAD.fields {
        if !["name", "phase"].contains(&field.name) {
            let value = table.value(field.name, field);
            table.settle(&mut tree, field, value);
        }
    }
    let phases = phases(&table, &name)?;
    let mut workload: Workload = reading.made(&tree, &WORKLOAD)?;
    workload.phases = phases;
    Some(workload)
}

fn phases(table: &Table<'_>, name: &str) -> Option<Vec<Phase>> {
    if !table.has("phase") {
        let table = table.as_path("phase[0]".to_owned());
        return Some(vec![phase::read_at_top(&table, name)?]);
    }
    check_alone(table);
    let tables = table.tables("phase", &[&PHASE.keys()])?;
    let several = tables.len() > 1;
    let read = |(index, table): (usize, &Table<'_>)| {
        let default = if several {
            format!("phase-{}", index + 1)
        } else {
            "main".to_owned()
        };
        phase::read(table, default, name)
    };
    let is_of_use = |_: &(usize, &Table<'_>)| !table.reading().is_hopeless();
    let tables = tables.iter().enumerate().take_while(is_of_use);
    Some(tables.filter_map(read).collect())
}

/// With phases in the file, keys of a phase or a job at the top would belong to none of them.
fn check_alone(table: &Table<'_>) {
    for group in [PHASE.keys(), keys::job(), keys::job_short()] {
        for entry in table.entries(&group) {
            if entry.key == "name" {
                continue;
            }
            table.reading().error(
                &entry.name,
                format!("`{}` stands outside of the phases of the file", entry.key),
                "move it into a `[[phase]]` or a `[[phase.job]]`, or drop the phases",
            );
        }
    }
}

/// What a file is called without its folder and its ending.
fn stem(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    let stem = name.strip_suffix(".toml").unwrap_or(name).trim();
    if stem.is_empty() { "workload" } else { stem }.to_owned()
}
