//! Every key of a configuration file, every column below one and every type of test, once: how it
//! is read, how it is written, and what becomes of it.
#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method of a parser of one lifetime is no function for parsers of any"
)]

use super::icf::{Access, At, Worker};
use super::layout::number;
use super::options::{
    BURST, CONNECTIONS, CYCLES, DEFAULTS, DELAY, DELAYS, ENDLESS, MANAGERS, NETWORK, NO_TARGET,
    PATTERN_PSEUDO, PATTERN_REPEATING, REPLY, ROLE, SEED, SIZE_ALL, UNKNOWN,
};
use super::parse::Parser;
use fathom_core::rows;
use fathom_tools::coverage::OptionRow;

/// A key of the file format.
pub(super) struct Key {
    names: &'static [Name],
    rows: &'static [OptionRow],
    pub(super) read: Read,
    below: Below,
}

/// How a key is known, in lower case.
enum Name {
    Is(&'static str),
    Begins(&'static str),
}
use Name::{Begins, Is};

/// Reads what follows a key.
type Read = fn(&mut Parser<'_, '_>, key: &str);

/// What a key has below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    Nothing,
    Access,
    Columns,
}

impl Key {
    const fn new(names: &'static [Name], rows: &'static [OptionRow], read: Read) -> Self {
        Self {
            names,
            rows,
            read,
            below: Below::Nothing,
        }
    }

    /// A key whose line says nothing to us.
    const fn passed_over(names: &'static [Name], rows: &'static [OptionRow]) -> Self {
        Self::new(names, rows, |to, _| {
            to.lines.data();
        })
    }

    const fn with(mut self, below: Below) -> Self {
        self.below = below;
        self
    }

    fn is(&self, key: &str) -> bool {
        self.names.iter().any(|name| match name {
            Is(name) => *name == key,
            Begins(begin) => key.starts_with(begin),
        })
    }
}

/// The key that ends the section about the window.
pub(super) const END_OF_DISPLAY: &str = "end results display";

static KEYS: &[Key] = rows! { Key;
    new(&[Is("test description")],
        &[OptionRow::kept("Test Description", "description of the workload")],
        |to, _| to.description());
    new(&[Is("run time")], &[OptionRow::kept("Run Time", "measured time of each step"), ENDLESS],
        |to, _| to.run_time());
    new(&[Begins("ramp up time")], &[OptionRow::kept("Ramp Up Time (s)", "load before it")],
        |to, _| to.icf.setup.ramp_seconds = to.lone_number().unwrap_or(0));
    new(&[Begins("default disk workers"), Begins("default workers")],
        &[OptionRow::kept("Default Disk Workers to Spawn", "workers when the file lists none"),
            OptionRow::near("Default Disk Workers to Spawn NUMBER_OF_CPUS",
            "a worker for each processor", "one worker: a text does not know the machine")],
        |to, _| to.default_workers());
    passed_over(&[Begins("default network workers")],
        &[OptionRow::ignored("Default Network Workers to Spawn", "network workers",
            NETWORK.remark)]);
    passed_over(&[Is("record results")],
        &[OptionRow::ignored("Record Results", "which rows are written",
            "all rows that there are")]);
    new(&[Is("test type")],
        &[OptionRow::kept("Test Type NORMAL", "one step for each assigned specification"), CYCLES],
        |to, _| to.test_type());
    passed_over(&[Is("worker cycling"), Is("disk cycling"), Is("target cycling"),
            Is("queue depth cycling")],
        &[OptionRow::ignored("Worker, Disk and Queue Depth Cycling",
            "the steps of a test that cycles", "a test of type NORMAL has none")]);
    new(&[Is("results display")],
        &[OptionRow::ignored("RESULTS DISPLAY", "what the window shows",
            "it has no influence on the load")], |to, _| to.display = true);
    new(&[Is(END_OF_DISPLAY)], &[], |to, _| to.display = false);
    new(&[Begins("access specification name")],
        &[OptionRow::kept("Access specification name", "name of the steps"),
            OptionRow::kept("default assignment",
            "which workers get it that the file does not list")],
        |to, _| {
            if let Some(line) = to.lines.data() {
                to.begin_spec(&line);
            }
        });
    new(&[Begins("size,")], &[], |to, _| to.accesses()).with(Below::Access);
    new(&[Begins("manager id")], &[OptionRow::kept("Manager", "where workers run"), MANAGERS],
        |to, _| to.manager());
    passed_over(&[Is("manager network address")], &[]);
    new(&[Is("worker"), Is("worker name")], &[OptionRow::kept("Worker", "a thread")],
        |to, _| to.worker());
    new(&[Is("worker type")], &[NETWORK], |to, _| to.worker_type());
    new(&[Begins("number of outstanding ios"), Begins("disk maximum size")], &[],
        |to, key| to.columns(key)).with(Below::Columns);
    new(&[Is("assigned access specs")],
        &[OptionRow::kept("Assigned access specs", "what a worker does, step by step")],
        |to, _| to.assigned());
    new(&[Is("target")],
        &[OptionRow::kept("Target that begins with a slash", "a path"), ROLE, NO_TARGET],
        |to, _| to.target());
    passed_over(&[Is("target type")], &[]);
};

/// The key that a line names.
pub(super) fn find(key: &str) -> Option<&'static Key> {
    KEYS.iter().find(|known| known.is(key))
}

/// A line of an access specification as it is written, with shares that may have a fraction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) size: u64,
    pub(super) of_size: f64,
    pub(super) reads: f64,
    pub(super) random: f64,
    pub(super) delay_ms: u64,
    pub(super) burst: u64,
    pub(super) align: u64,
}

/// A column of the lines of access specifications.
pub(super) struct AccessColumn {
    pub(super) name: &'static str,
    /// Where it is read to.
    pub(super) slot: fn(&mut Access) -> &mut u64,
    pub(super) is_share: bool,
    /// What is written there.
    written: fn(&Written) -> String,
    rows: &'static [OptionRow],
}

/// All of them, in their order.
pub(super) static ACCESS: [AccessColumn; 8] = [
    AccessColumn {
        name: "size",
        slot: |access| &mut access.size,
        is_share: false,
        written: |line| line.size.to_string(),
        rows: &[OptionRow::kept("size", "request size")],
    },
    AccessColumn {
        name: "% of size",
        slot: |access| &mut access.of_size,
        is_share: true,
        written: |line| number(line.of_size),
        rows: &[OptionRow::kept(
            "% of size",
            "share of the line; all lines have 100 together",
        )],
    },
    AccessColumn {
        name: "% reads",
        slot: |access| &mut access.reads,
        is_share: true,
        written: |line| number(line.reads),
        rows: &[OptionRow::kept("% reads", "share of reads in the line")],
    },
    AccessColumn {
        name: "% random",
        slot: |access| &mut access.random,
        is_share: true,
        written: |line| number(line.random),
        rows: &[OptionRow::kept(
            "% random",
            "share of random places in the line; the others go on from the last",
        )],
    },
    AccessColumn {
        name: "delay",
        slot: |access| &mut access.delay_ms,
        is_share: false,
        written: |line| line.delay_ms.to_string(),
        rows: &[DELAY, DELAYS],
    },
    AccessColumn {
        name: "burst",
        slot: |access| &mut access.burst,
        is_share: false,
        written: |line| line.burst.to_string(),
        rows: &[BURST],
    },
    AccessColumn {
        name: "align",
        slot: |access| &mut access.align,
        is_share: false,
        written: |line| line.align.to_string(),
        rows: &[OptionRow::kept(
            "align",
            "random places are multiples of it; 0 for a sector",
        )],
    },
    AccessColumn {
        name: "reply",
        slot: |access| &mut access.reply,
        is_share: false,
        written: |_| "0".to_owned(),
        rows: &[REPLY],
    },
];

/// The key line above the name of a specification.
pub(super) const SPEC_HEADER: &str = "'Access specification name,default assignment";

/// The names of the columns of access specifications.
pub(super) fn access_names() -> String {
    ACCESS.each_ref().map(|column| column.name).join(",")
}

/// A line of an access specification.
pub(super) fn access_line(line: &Written) -> String {
    ACCESS
        .each_ref()
        .map(|column| (column.written)(line))
        .join(",")
}

/// A column of what a worker is set to.
pub(super) struct Column {
    pub(super) name: &'static str,
    /// It says ENABLED or DISABLED, and not a number.
    pub(super) is_switch: bool,
    pub(super) set: fn(&mut Worker, At<u64>),
    rows: &'static [OptionRow],
}

impl Column {
    const fn number(
        name: &'static str,
        rows: &'static [OptionRow],
        set: fn(&mut Worker, At<u64>),
    ) -> Self {
        Self {
            name,
            is_switch: false,
            set,
            rows,
        }
    }

    const fn switch(
        name: &'static str,
        rows: &'static [OptionRow],
        set: fn(&mut Worker, At<u64>),
    ) -> Self {
        Self {
            is_switch: true,
            ..Self::number(name, rows, set)
        }
    }
}

/// All of them.
static COLUMNS: [Column; 7] = [
    Column::number(
        "number of outstanding ios",
        &[OptionRow::kept(
            "Number of outstanding IOs",
            "queue depth for each target",
        )],
        |worker, depth| worker.outstanding = Some(depth),
    ),
    Column::switch("test connection rate", &[CONNECTIONS], |worker, is_on| {
        worker.connection_rate = is_on.value > 0;
    }),
    Column::switch("use fixed seed", &[SEED], |worker, is_on| {
        worker.seed = (is_on.value > 0).then_some(0);
    }),
    Column::number("fixed seed value", &[], |worker, seed| {
        worker.seed = worker.seed.map(|_| seed.value);
    }),
    Column::number(
        "disk maximum size",
        &[
            OptionRow::kept("Disk maximum size", "sectors used from the first"),
            SIZE_ALL,
        ],
        |worker, sectors| worker.sectors = sectors.value,
    ),
    Column::number(
        "starting sector",
        &[OptionRow::kept("starting sector", "first sector used")],
        |worker, sector| worker.first_sector = sector.value,
    ),
    Column::number(
        "data pattern",
        &[
            PATTERN_REPEATING,
            PATTERN_PSEUDO,
            OptionRow::kept("Data pattern 2", "random bytes"),
        ],
        |worker, pattern| worker.pattern = pattern.value,
    ),
];

pub(super) fn column(name: &str) -> Option<&'static Column> {
    COLUMNS.iter().find(|column| column.name == name)
}

/// The rows for the page.
pub(super) fn rows() -> Vec<OptionRow> {
    let mut rows = vec![OptionRow::kept("Version", "those of 2000 to 1.1.0")];
    for key in KEYS {
        rows.extend(key.rows);
        match key.below {
            Below::Nothing => {}
            Below::Access => rows.extend(ACCESS.iter().flat_map(|column| column.rows)),
            Below::Columns => rows.extend(COLUMNS.iter().flat_map(|column| column.rows)),
        }
    }
    rows.extend([DEFAULTS, UNKNOWN]);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_tools::translation::Standing;

    #[test]
    fn every_key_is_found_by_one_row_alone() {
        let names = KEYS.iter().flat_map(|key| key.names);
        for name in names.map(|name| match name {
            Is(name) | Begins(name) => *name,
        }) {
            let count = KEYS.iter().filter(|key| key.is(name)).count();
            assert_eq!(count, 1, "{name}");
        }
    }

    #[test]
    fn every_form_is_there_once_and_every_difference_has_a_reason() {
        let rows = rows();
        for (index, row) in rows.iter().enumerate() {
            let before = &rows[..index];
            assert!(
                before.iter().all(|other| other.form != row.form),
                "{}",
                row.form
            );
            let kept = row.standing == Standing::Kept;
            assert_eq!(row.remark.is_empty(), kept, "{}", row.form);
        }
    }

    #[test]
    fn a_line_that_is_written_has_its_columns_in_their_order() {
        let line = Written {
            size: 4096,
            of_size: 33.5,
            reads: 67.0,
            random: 100.0,
            delay_ms: 5,
            burst: 2,
            align: 512,
        };
        assert_eq!(
            (access_names(), access_line(&line)),
            (
                "size,% of size,% reads,% random,delay,burst,align,reply".to_owned(),
                "4096,33.5,67,100,5,2,512,0".to_owned()
            )
        );
    }
}
