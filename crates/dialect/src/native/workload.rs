//! The whole file: phases, or the short forms with one phase and one job.

use super::table::Table;
use super::{keys, phase, reading::Reading};
use fathom_core::spec::Workload;
use fathom_core::units::Nanos;
use toml::de::DeTable;

pub(super) fn read<'r>(
    reading: &'r Reading,
    root: &'r DeTable<'r>,
    file: &str,
) -> Option<Workload> {
    let known = [keys::WORKLOAD, keys::PHASE, keys::JOB, keys::JOB_SHORT];
    // A finding about the whole file is shown on its first line.
    let table = Table::open(reading, root, String::new(), 0..0, &known);
    let name = table.text("name").unwrap_or_else(|| stem(file));
    let phases = if table.has("phase") {
        check_alone(&table);
        let tables = table.tables("phase", &[keys::PHASE])?;
        let several = tables.len() > 1;
        let read = |(index, table): (usize, &Table<'r>)| {
            let default = if several {
                format!("phase-{}", index + 1)
            } else {
                "main".to_owned()
            };
            phase::read(table, default, &name)
        };
        tables.iter().enumerate().map(read).collect()
    } else {
        let path = "phase[0]".to_owned();
        vec![phase::read_at_top(&table.as_path(path), &name)]
    };
    Some(Workload {
        description: table.text("description").unwrap_or_default(),
        source: table.text("source").unwrap_or_default(),
        seed: table.count("seed").unwrap_or(1),
        interval: table.time("interval").unwrap_or(Nanos::from_secs(1)),
        repeat: table.small_count("repeat").unwrap_or(1),
        phases,
        name,
    })
}

/// With phases in the file, keys of a phase or a job at the top would belong to none of them.
fn check_alone(table: &Table<'_>) {
    let groups = [keys::PHASE, keys::JOB, keys::JOB_SHORT];
    for group in groups {
        for entry in table.entries(group) {
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
