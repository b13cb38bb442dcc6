//! Every option of IOR, once: how far it is honoured, and what it does.

use crate::letters::Does::{Count, Flag, Nothing, Number, Text};
use crate::letters::{LetterOption, Letters, Wrong, check_interface, letters};
use fathom_core::spec::IorKind;
use fathom_tools::coverage::OptionRow;

/// What a call asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct IorOptions {
    pub(super) file: String,
    pub(super) tasks: u64,
    pub(super) transfer: u64,
    pub(super) block: u64,
    pub(super) segments: u64,
    pub(super) repetitions: u64,
    pub(super) deadline_s: u64,
    pub(super) node_offset: u64,
    pub(super) random: u64,
    /// That of the data; 0 where none is given, as IOR has it.
    pub(super) stamp: u64,
    pub(super) kind: IorKind,
    pub(super) write: bool,
    pub(super) read: bool,
    pub(super) check: bool,
    pub(super) own_files: bool,
    pub(super) reorder: bool,
    pub(super) fsync: bool,
    pub(super) fsync_each: bool,
    pub(super) keep: bool,
    pub(super) existing: bool,
    pub(super) direct: bool,
}

impl IorOptions {
    /// Whether less may have been written than is to be read.
    pub(super) const fn ends_early(&self) -> bool {
        self.deadline_s > 0 && self.write && self.read
    }

    /// What is asked for without any option.
    pub(super) fn plain() -> Self {
        Self {
            file: "testFile".to_owned(),
            transfer: 256 << 10,
            block: 1 << 20,
            segments: 1,
            repetitions: 1,
            node_offset: 1,
            ..Self::default()
        }
    }
}

const MOST: u64 = 1 << 40;
const MOST_BYTES: u64 = 1 << 60;
const MOST_TRANSFER: u64 = 1 << 30;

static OPTIONS: &[LetterOption<IorOptions>] = letters! {
    "a" kept ("-a API", "the interface: POSIX; all others are refused"), Text(check_interface);
    "A" ignored ("-A N", "a number for the summary", "RefNum is 0 here"), Nothing(true);
    "b" kept ("-b BYTES", "what a task writes in one piece, 1m without it"),
        Number(MOST_BYTES, |asked| &mut asked.block);
    "B" kept ("-B", "past the page cache, as IOR 3 has it; --posix.odirect"),
        Flag(|asked| &mut asked.direct);
    "c" refused ("-c", "collective I/O", "that is of MPI-IO"), Nothing(false);
    "C" kept ("-C",
        "read what the next host has written; on one host that is one's own, as IOR has it where \
         ranks fill a host before the next"), Flag(|asked| &mut asked.reorder);
    "d" refused ("-d S", "wait between repetitions", "nothing is measured then"), Nothing(true);
    "D" kept ("-D S",
        "stop a phase after this time; the following read phase makes as many requests per task as \
         were written"), Number(1 << 30, |asked| &mut asked.deadline_s);
    "e" kept ("-e", "fsync at the end of the write phase, in its time"),
        Flag(|asked| &mut asked.fsync);
    "E" kept ("-E", "write into the file that is there, instead of a new one"),
        Flag(|asked| &mut asked.existing);
    "f" refused ("-f FILE", "a script of tests", "give each test as a call"), Nothing(true);
    "F" kept ("-F", "a file for each task: NAME.00000000 and so on"),
        Flag(|asked| &mut asked.own_files);
    "g" ignored ("-g", "barriers between open, write and close",
        "phases begin together, with their files open"), Nothing(false);
    "G" near ("-G N", "stamp of the data, which -R of another call has to be given",
        "1 without it, where IOR takes the time"),
        Number(i32::MAX as u64, |asked| &mut asked.stamp);
    "i" kept ("-i N", "repetitions"), Number(1 << 20, |asked| &mut asked.repetitions);
    "j" ignored ("-j N", "warn of tasks that take N seconds longer",
        "the verdict looks at that by itself"), Nothing(true);
    "k" kept ("-k", "leave the files"), Flag(|asked| &mut asked.keep);
    "K" refused ("-K", "leave files with errors", "-k leaves them in any case"), Nothing(false);
    "l" kept ("-l TYPE",
        "what the data is: timestamp, which it is without it, offset, incompressible, random"),
        Text(set_kind);
    "m" refused ("-m", "a file for each repetition", "all have the same name here"), Nothing(false);
    "M" refused ("-M SIZE", "take memory from the page cache",
        "it would take it from others too; --posix.odirect does without the cache"), Nothing(true);
    "N" kept ("-N N", "tasks, not more than are started"),
        Number(1 << 20, |asked| &mut asked.tasks);
    "o" kept ("-o FILE", "the file; several, parted by `@`, are refused"), Text(set_file);
    "O" near ("-O stoneWallingWearOut=1",
        "tasks do as much as the fastest had done by the time of -D",
        "each ends at that time; all other directives are refused"), Text(check_directives);
    "Q" kept ("-Q N", "with -C, how many hosts away"),
        Number(1 << 20, |asked| &mut asked.node_offset);
    "r" near ("-r", "the read phase; without -r and -w, both",
        "a file that is not there is written before, untimed"), Flag(|asked| &mut asked.read);
    "R" near ("-R", "check what is read: what IOR 4 has written, or this; without -w it takes -G",
        "requests have to be multiples of 512 bytes"), Flag(|asked| &mut asked.check);
    "s" kept ("-s N", "segments: a block of each task, one after another, N times"),
        Number(MOST, |asked| &mut asked.segments);
    "t" kept ("-t BYTES", "bytes of a request, 256k without it"),
        Number(MOST_TRANSFER, |asked| &mut asked.transfer);
    "T" refused ("-T MIN", "no repetition after this time", "-i says how many, and -D how long"),
        Nothing(true);
    "u" refused ("-u", "a directory for each file", "files are in one directory here"),
        Nothing(false);
    "v" ignored ("-v", "say more", "the history and `fathom show` have all of it"), Nothing(false);
    "w" kept ("-w", "the write phase; without -r and -w, both"), Flag(|asked| &mut asked.write);
    "W" refused ("-W", "check after the write phase", "-w -R checks in the read phase"),
        Nothing(false);
    "x" ignored ("-x", "do not go on with a request that came short",
        "a short request is an error here"), Nothing(false);
    "X" refused ("-X N", "seed of -Z", "as -Z"), Nothing(true);
    "y" refused ("-y", "two mounts of one file system", "one name here"), Nothing(false);
    "Y" near ("-Y", "fsync after each write", "IOR does so after each read as well"),
        Flag(|asked| &mut asked.fsync_each);
    "z" near ("-z", "the requests of each block in random order",
        "once; twice, for places at random that overlap, is refused"),
        Count(|asked| &mut asked.random);
    "Z" refused ("-Z", "read what a task at random has written",
        "-C reads what the next host has written"), Nothing(false);
    "posix.odirect" kept ("--posix.odirect", "past the page cache: multiples of 512 bytes"),
        Flag(|asked| &mut asked.direct);
};

const LONG: OptionRow = OptionRow::refused("--WORD", "other long options", "no equivalent here");
const TASKS: OptionRow = OptionRow::kept(
    "mpirun -n N",
    "tasks, at the start of a line; --tasks of `fathom ior`",
);

/// As they are read.
pub(super) static LETTERS: Letters<IorOptions> = Letters {
    program: "ior",
    example: "-w -r -b 1g -t 1m -o /data/file",
    tasks: TASKS,
    options: OPTIONS,
    other: LONG,
};

fn set_file(asked: &mut IorOptions, file: &str) -> Result<(), Wrong> {
    if file.contains('@') {
        let remedy = "one file; a run for each".to_owned();
        return Err(("several files are not taken".to_owned(), remedy));
    }
    file.clone_into(&mut asked.file);
    Ok(())
}

/// By its first letter, as IOR has it.
fn set_kind(asked: &mut IorOptions, word: &str) -> Result<(), Wrong> {
    let mut kinds = IorKind::ALL.iter();
    let kind = kinds.find(|(name, _)| name.chars().next() == word.chars().next());
    let Some((_, kind)) = kind else {
        let remedy = "timestamp, offset, incompressible or random".to_owned();
        return Err((format!("the data `{word}` are unknown"), remedy));
    };
    asked.kind = *kind;
    Ok(())
}

fn check_directives(_: &mut IorOptions, directives: &str) -> Result<(), Wrong> {
    let taken = ["stoneWallingWearOut=0", "stoneWallingWearOut=1"];
    let mut others = directives.split(',').filter(|one| !taken.contains(one));
    match others.next() {
        None => Ok(()),
        Some(other) => {
            let message = format!("the directive `{other}` is not taken");
            Err((message, "stoneWallingWearOut=1 alone".to_owned()))
        }
    }
}
