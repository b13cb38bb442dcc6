//! Every key of a configuration file, and what becomes of it.

use crate::coverage::OptionRow;

pub(super) const SIZE_ALL: OptionRow = OptionRow::near(
    "Disk maximum size 0",
    "the whole disk",
    "a target that is there is used whole; a file that has to be made gets the size of --size, \
     where Iometer fills the disk",
);
pub(super) const BURST: OptionRow = OptionRow::near(
    "burst above 1, several lines",
    "requests drawn from a line before the next line is drawn",
    "each request draws its line anew; the shares of the lines are those of the bursts",
);
pub(super) const DELAY: OptionRow = OptionRow::near(
    "delay",
    "pause after a burst, ms",
    "the pause counts from the last completion of the burst",
);
pub(super) const DELAYS: OptionRow = OptionRow::near(
    "delay or burst that differ between lines",
    "pauses of their own",
    "a worker pauses for the mean of its lines' delays, after the mean of their bursts",
);
pub(super) const PATTERN_REPEATING: OptionRow = OptionRow::near(
    "Data pattern 0",
    "repeating bytes",
    "bytes that compress to 1 %, and are not zero",
);
pub(super) const PATTERN_PSEUDO: OptionRow = OptionRow::near(
    "Data pattern 1",
    "pseudo-random bytes",
    "random bytes, different in every block, where Iometer repeats one buffer",
);
pub(super) const SEED: OptionRow = OptionRow::near(
    "use fixed seed ENABLED",
    "the same requests in every run",
    "so are those of Fathom with one seed, but they are not Iometer's; of several seeds the first \
     counts",
);
pub(super) const CONNECTIONS: OptionRow = OptionRow::ignored(
    "test connection rate ENABLED",
    "open and close connections after so many transactions",
    "a target stays open for the whole step",
);
pub(super) const NETWORK: OptionRow = OptionRow::ignored(
    "Worker type NETWORK",
    "a worker that talks to another manager",
    "Fathom measures storage, not networks",
);
pub(super) const MANAGERS: OptionRow = OptionRow::near(
    "several managers",
    "several machines",
    "the workers of all managers run on this machine",
);
pub(super) const ROLE: OptionRow = OptionRow::near(
    "Target with a name of Windows",
    "a drive letter or a physical drive",
    "it becomes a role, which --target ROLE=PATH binds",
);
pub(super) const NO_TARGET: OptionRow = OptionRow::near(
    "no target of a worker",
    "nothing",
    "the targets of the run: --target PATH",
);
pub(super) const DEFAULTS: OptionRow = OptionRow::near(
    "no worker in the file",
    "workers and specifications by default",
    "as many workers as \"Default Disk Workers to Spawn\" says, with the specifications that are \
     assigned by default, or with all",
);
pub(super) const UNKNOWN: OptionRow =
    OptionRow::ignored("other keys", "", "Iometer does not know the key either");
pub(super) const REPLY: OptionRow = OptionRow::refused(
    "reply above 0",
    "an answer in the other direction after each request",
    "no request here causes another one",
);
pub(super) const INCREMENTS: OptionRow = OptionRow::refused(
    "Test Type INCREMENT_TARGETS_PARALLEL, INCREMENT_TARGETS_SERIAL",
    "targets join step by step, over all managers",
    "the order in which they join is Iometer's own",
);
pub(super) const ENDLESS: OptionRow = OptionRow::refused(
    "Run Time 0",
    "until somebody ends it",
    "a measurement needs an end",
);

/// All of them.
pub const OPTIONS: &[OptionRow] = &[
    OptionRow::kept(
        "Version",
        "1998 to 1.1.0; blank-separated lines before May 1998",
    ),
    OptionRow::kept("Test Description", "description of the workload"),
    OptionRow::kept("Run Time", "measured time of each step"),
    ENDLESS,
    OptionRow::kept("Ramp Up Time (s)", "load before it"),
    OptionRow::kept(
        "Default Disk Workers to Spawn",
        "workers when the file lists none",
    ),
    OptionRow::near(
        "Default Disk Workers to Spawn NUMBER_OF_CPUS",
        "a worker for each processor",
        "one worker: a text does not know the machine",
    ),
    OptionRow::ignored(
        "Default Network Workers to Spawn",
        "network workers",
        "Fathom measures storage, not networks",
    ),
    OptionRow::ignored(
        "Record Results",
        "which rows are written",
        "all rows that there are",
    ),
    OptionRow::kept(
        "Test Type NORMAL",
        "one step for each assigned specification",
    ),
    OptionRow::kept(
        "Test Type CYCLE_OUTSTANDING_IOS, Queue Depth Cycling",
        "a step for each depth",
    ),
    OptionRow::kept(
        "Test Type CYCLE_TARGETS, Disk Cycling",
        "a step for each number of targets",
    ),
    OptionRow::kept(
        "Test Type CYCLE_WORKERS, Worker Cycling",
        "a step for each number of workers",
    ),
    OptionRow::kept(
        "Test Type CYCLE_WORKERS_AND_TARGETS",
        "both, the targets inside",
    ),
    OptionRow::kept(
        "Test Type CYCLE_OUTSTANDING_IOS_AND_TARGETS",
        "both, the depths inside",
    ),
    INCREMENTS,
    OptionRow::ignored(
        "RESULTS DISPLAY",
        "what the window shows",
        "it has no influence on the load",
    ),
    OptionRow::kept("Access specification name", "name of the steps"),
    OptionRow::kept(
        "default assignment",
        "which workers get it that the file does not list",
    ),
    OptionRow::kept("size", "bytes of a request"),
    OptionRow::kept(
        "% of size",
        "share of the line; all lines have 100 together",
    ),
    OptionRow::kept("% reads", "share of reads in the line"),
    OptionRow::kept(
        "% random",
        "share of random places in the line; the others go on from the last",
    ),
    OptionRow::kept("align", "random places are multiples of it; 0 for a sector"),
    DELAY,
    DELAYS,
    BURST,
    REPLY,
    OptionRow::kept("Manager", "where workers run"),
    MANAGERS,
    OptionRow::kept("Worker", "a thread"),
    NETWORK,
    OptionRow::kept("Number of outstanding IOs", "queue depth for each target"),
    CONNECTIONS,
    SEED,
    OptionRow::kept("Disk maximum size", "sectors used from the first"),
    SIZE_ALL,
    OptionRow::kept("starting sector", "first sector used"),
    PATTERN_REPEATING,
    PATTERN_PSEUDO,
    OptionRow::kept("Data pattern 2", "random bytes"),
    OptionRow::kept("Assigned access specs", "what a worker does, step by step"),
    OptionRow::kept("Target that begins with a slash", "a path"),
    ROLE,
    NO_TARGET,
    DEFAULTS,
    UNKNOWN,
];
