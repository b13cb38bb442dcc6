//! Every option of mdtest, once: how far it is honoured, and what it does.

use crate::letters::Does::{Flag, Nothing, Number, Text};
use crate::letters::{LetterOption, Letters, Wrong, check_interface, letters};
use fathom_tools::coverage::OptionRow;

/// What a call asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MdtestOptions {
    pub(super) directory: String,
    pub(super) items: u64,
    pub(super) items_per_directory: u64,
    pub(super) depth: u64,
    pub(super) branches: u64,
    pub(super) iterations: u64,
    pub(super) stride: u64,
    pub(super) write_bytes: u64,
    pub(super) read_bytes: u64,
    pub(super) stonewall_s: u64,
    pub(super) create: bool,
    pub(super) stat: bool,
    pub(super) read: bool,
    pub(super) remove: bool,
    pub(super) rename: bool,
    pub(super) files_only: bool,
    pub(super) directories_only: bool,
    pub(super) leaves: bool,
    pub(super) own: bool,
    pub(super) random: bool,
    pub(super) sync: bool,
}

impl MdtestOptions {
    /// What is asked for without any option.
    pub(super) fn plain() -> Self {
        Self {
            directory: "./out".to_owned(),
            branches: 1,
            iterations: 1,
            ..Self::default()
        }
    }
}

const MOST: u64 = 1 << 32;
const MOST_BYTES: u64 = 1 << 30;

/// All of one letter.
static OPTIONS: &[LetterOption<MdtestOptions>] = letters! {
    "a" near ("-a API", "the interface", "POSIX alone: all others are refused"),
        Text(check_interface);
    "b" kept ("-b N", "branching factor of the tree"), Number(65_536, |asked| &mut asked.branches);
    "B" refused ("-B", "no barriers between phases", "phases begin together here"), Nothing(false);
    "c" refused ("-c", "task 0 makes all files", "each thread makes its own here"), Nothing(false);
    "C" kept ("-C", "the phase that creates; without -C, -T, -E and -r, all of them"),
        Flag(|asked| &mut asked.create);
    "d" near ("-d DIR", "where",
        "one directory, which has to be there; several, parted by `@`, are refused"),
        Text(set_directory);
    "D" kept ("-D", "directories alone, no files"), Flag(|asked| &mut asked.directories_only);
    "e" kept ("-e BYTES", "bytes read from each file"),
        Number(MOST_BYTES, |asked| &mut asked.read_bytes);
    "E" kept ("-E", "the phase that reads files"), Flag(|asked| &mut asked.read);
    "f" refused ("-f N", "first number of tasks", "a run for each number says more"), Nothing(true);
    "F" kept ("-F", "files alone, no directories"), Flag(|asked| &mut asked.files_only);
    "g" refused ("-g", "the default layout of Lustre", "Fathom sets no layout"), Nothing(false);
    "G" ignored ("-G N", "what the buffer holds", "it holds random bytes"), Nothing(true);
    "i" kept ("-i N", "iterations"), Number(1 << 20, |asked| &mut asked.iterations);
    "I" near ("-I N", "files in each directory of the tree",
        "the resulting number of files; refused together with -n"),
        Number(MOST, |asked| &mut asked.items_per_directory);
    "k" refused ("-k", "mknod instead of open", "files are opened to be made"), Nothing(false);
    "l" refused ("-l N", "last number of tasks", "a run for each number says more"), Nothing(true);
    "L" kept ("-L", "files in the lowest directories alone"), Flag(|asked| &mut asked.leaves);
    "n" near ("-n N", "files and directories of each task",
        "all of them, where mdtest makes as many as divide by the directories of the tree"),
        Number(MOST, |asked| &mut asked.items);
    "N" kept ("-N N",
        "look at the files of the Nth task from one's own, read those of the 2Nth, remove those of \
         the 3Nth"), Number(MOST, |asked| &mut asked.stride);
    "p" refused ("-p S", "wait before each iteration", "nothing is measured then"), Nothing(true);
    "P" ignored ("-P", "print times too", "both tables are printed"), Nothing(false);
    "r" near ("-r", "the phase that removes",
        "without it files are removed after the run, unmeasured"), Flag(|asked| &mut asked.remove);
    "R" kept ("-R", "look at files in random order"), Flag(|asked| &mut asked.random);
    "s" refused ("-s N", "step of the number of tasks", "a run for each number says more"),
        Nothing(true);
    "S" refused ("-S", "one file for all tasks", "each thread makes its own here"), Nothing(false);
    "t" ignored ("-t", "time the making of task directories", "that is not measured"),
        Nothing(false);
    "T" kept ("-T", "the phase that asks for attributes"), Flag(|asked| &mut asked.stat);
    "u" kept ("-u", "a tree for each task"), Flag(|asked| &mut asked.own);
    "U" near ("-U", "the phase that renames directories, if there are several",
        "each gets another name, not that of its neighbour"), Flag(|asked| &mut asked.rename);
    "v" ignored ("-v", "say more", "the history and `fathom show` have all of it"), Nothing(false);
    "V" ignored ("-V N", "how much to say", "as -v"), Nothing(true);
    "w" kept ("-w BYTES", "bytes written to each file"),
        Number(MOST_BYTES, |asked| &mut asked.write_bytes);
    "W" near ("-W S", "maximum time for creating files",
        "the later phases have the files that were made; mdtest first has all tasks come to the \
         number of the fastest"), Number(1 << 30, |asked| &mut asked.stonewall_s);
    "x" refused ("-x FILE", "keep the number of files between calls",
        "give all phases in one call"), Nothing(true);
    "X" refused ("-X", "check what is read", "the contents of many files are not checked"),
        Nothing(false);
    "y" kept ("-y", "fsync each file after it is written"), Flag(|asked| &mut asked.sync);
    "Y" refused ("-Y", "sync(2) after each phase", "it writes what others have in memory"),
        Nothing(false);
    "z" kept ("-z N", "depth of the tree"), Number(64, |asked| &mut asked.depth);
    "Z" ignored ("-Z", "print times instead of rates", "both tables are printed"), Nothing(false);
};

const LONG: OptionRow = OptionRow::refused("--WORD", "any long option", "no equivalent here");
const TASKS: OptionRow = OptionRow::kept(
    "mpirun -n N",
    "tasks, at the start of a line; --tasks of `fathom mdtest`",
);

/// As they are read.
pub(super) static LETTERS: Letters<MdtestOptions> = Letters {
    program: "mdtest",
    example: "-n 1000 -d /data",
    tasks: TASKS,
    options: OPTIONS,
    other: LONG,
};

fn set_directory(asked: &mut MdtestOptions, directory: &str) -> Result<(), Wrong> {
    if directory.contains('@') {
        let remedy = "one directory; a run for each".to_owned();
        return Err(("several directories are not taken".to_owned(), remedy));
    }
    directory.clone_into(&mut asked.directory);
    Ok(())
}
