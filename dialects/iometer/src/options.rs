//! What becomes of every key of a configuration file and of every value, as its page shows it. The
//! tables by which they are read and written ([`keys`](super::keys)) are made of these rows.

use fathom_tools::coverage::OptionRow;

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
    "open and close connections after N transactions",
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
    "it becomes a role, which --target ROLE=PATH binds, or its iobw.tst is where --map-drive says",
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
pub(super) const CYCLES: OptionRow = OptionRow::refused(
    "Test Type CYCLE_… and INCREMENT_…",
    "steps of other numbers of workers, targets and outstanding I/Os",
    "not supported by Fathom; `fathom ramp` and suites go through depths and threads",
);
pub(super) const ENDLESS: OptionRow = OptionRow::refused(
    "Run Time 0",
    "until somebody ends it",
    "a measurement needs an end, which `--time` gives it",
);
