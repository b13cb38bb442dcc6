//! Every option of mdtest, once: how far it is honoured, and what it does.

use crate::letters::{Does, LetterOption, Letters, Wrong, check_interface};
use fathom_tools::coverage::OptionRow;

/// What a call asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
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

impl Default for Asked {
    fn default() -> Self {
        Self {
            directory: "./out".to_owned(),
            items: 0,
            items_per_directory: 0,
            depth: 0,
            branches: 1,
            iterations: 1,
            stride: 0,
            write_bytes: 0,
            read_bytes: 0,
            stonewall_s: 0,
            create: false,
            stat: false,
            read: false,
            remove: false,
            rename: false,
            files_only: false,
            directories_only: false,
            leaves: false,
            own: false,
            random: false,
            sync: false,
        }
    }
}

type MdtestOption = LetterOption<Asked>;

const MOST: u64 = 1 << 32;
const MOST_BYTES: u64 = 1 << 30;

/// All of one letter.
static OPTIONS: &[MdtestOption] = &[
    MdtestOption::new(
        "a",
        OptionRow::near(
            "-a API",
            "the interface",
            "POSIX alone: all others are refused",
        ),
        Does::Text(check_interface),
    ),
    MdtestOption::new(
        "b",
        OptionRow::kept("-b N", "branching factor of the tree"),
        Does::Number(65_536, |asked| &mut asked.branches),
    ),
    MdtestOption::new(
        "B",
        OptionRow::refused(
            "-B",
            "no barriers between phases",
            "phases begin together here",
        ),
        Does::Nothing(false),
    ),
    MdtestOption::new(
        "c",
        OptionRow::refused(
            "-c",
            "task 0 makes all files",
            "each thread makes its own here",
        ),
        Does::Nothing(false),
    ),
    MdtestOption::new(
        "C",
        OptionRow::kept(
            "-C",
            "the phase that creates; without -C, -T, -E and -r, all of them",
        ),
        Does::Flag(|asked| &mut asked.create),
    ),
    MdtestOption::new(
        "d",
        OptionRow::near(
            "-d DIR",
            "where",
            "one directory, which has to be there; several, parted by `@`, are refused",
        ),
        Does::Text(set_directory),
    ),
    MdtestOption::new(
        "D",
        OptionRow::kept("-D", "directories alone, no files"),
        Does::Flag(|asked| &mut asked.directories_only),
    ),
    MdtestOption::new(
        "e",
        OptionRow::kept("-e BYTES", "bytes read from each file"),
        Does::Number(MOST_BYTES, |asked| &mut asked.read_bytes),
    ),
    MdtestOption::new(
        "E",
        OptionRow::kept("-E", "the phase that reads files"),
        Does::Flag(|asked| &mut asked.read),
    ),
    MdtestOption::new(
        "f",
        OptionRow::refused(
            "-f N",
            "first number of tasks",
            "a run for each number says more",
        ),
        Does::Nothing(true),
    ),
    MdtestOption::new(
        "F",
        OptionRow::kept("-F", "files alone, no directories"),
        Does::Flag(|asked| &mut asked.files_only),
    ),
    MdtestOption::new(
        "g",
        OptionRow::refused(
            "-g",
            "the default layout of Lustre",
            "Fathom sets no layout",
        ),
        Does::Nothing(false),
    ),
    MdtestOption::new(
        "G",
        OptionRow::ignored("-G N", "what the buffer holds", "it holds random bytes"),
        Does::Nothing(true),
    ),
    MdtestOption::new(
        "i",
        OptionRow::kept("-i N", "iterations"),
        Does::Number(1 << 20, |asked| &mut asked.iterations),
    ),
    MdtestOption::new(
        "I",
        OptionRow::near(
            "-I N",
            "files in each directory of the tree",
            "the resulting number of files; refused together with -n",
        ),
        Does::Number(MOST, |asked| &mut asked.items_per_directory),
    ),
    MdtestOption::new(
        "k",
        OptionRow::refused("-k", "mknod instead of open", "files are opened to be made"),
        Does::Nothing(false),
    ),
    MdtestOption::new(
        "l",
        OptionRow::refused(
            "-l N",
            "last number of tasks",
            "a run for each number says more",
        ),
        Does::Nothing(true),
    ),
    MdtestOption::new(
        "L",
        OptionRow::kept("-L", "files in the lowest directories alone"),
        Does::Flag(|asked| &mut asked.leaves),
    ),
    MdtestOption::new(
        "n",
        OptionRow::near(
            "-n N",
            "files and directories of each task",
            "all of them, where mdtest makes as many as divide by the directories of the tree",
        ),
        Does::Number(MOST, |asked| &mut asked.items),
    ),
    MdtestOption::new(
        "N",
        OptionRow::kept(
            "-N N",
            "look at the files of the Nth task from one's own, read those of the 2Nth, remove \
             those of the 3Nth",
        ),
        Does::Number(MOST, |asked| &mut asked.stride),
    ),
    MdtestOption::new(
        "p",
        OptionRow::refused(
            "-p S",
            "wait before each iteration",
            "nothing is measured then",
        ),
        Does::Nothing(true),
    ),
    MdtestOption::new(
        "P",
        OptionRow::ignored("-P", "print times too", "both tables are printed"),
        Does::Nothing(false),
    ),
    MdtestOption::new(
        "r",
        OptionRow::near(
            "-r",
            "the phase that removes",
            "without it files are removed after the run, unmeasured",
        ),
        Does::Flag(|asked| &mut asked.remove),
    ),
    MdtestOption::new(
        "R",
        OptionRow::kept("-R", "look at files in random order"),
        Does::Flag(|asked| &mut asked.random),
    ),
    MdtestOption::new(
        "s",
        OptionRow::refused(
            "-s N",
            "step of the number of tasks",
            "a run for each number says more",
        ),
        Does::Nothing(true),
    ),
    MdtestOption::new(
        "S",
        OptionRow::refused(
            "-S",
            "one file for all tasks",
            "each thread makes its own here",
        ),
        Does::Nothing(false),
    ),
    MdtestOption::new(
        "t",
        OptionRow::ignored(
            "-t",
            "time the making of task directories",
            "that is not measured",
        ),
        Does::Nothing(false),
    ),
    MdtestOption::new(
        "T",
        OptionRow::kept("-T", "the phase that asks for attributes"),
        Does::Flag(|asked| &mut asked.stat),
    ),
    MdtestOption::new(
        "u",
        OptionRow::kept("-u", "a tree for each task"),
        Does::Flag(|asked| &mut asked.own),
    ),
    MdtestOption::new(
        "U",
        OptionRow::near(
            "-U",
            "the phase that renames directories, if there are several",
            "each gets another name, not that of its neighbour",
        ),
        Does::Flag(|asked| &mut asked.rename),
    ),
    MdtestOption::new(
        "v",
        OptionRow::ignored(
            "-v",
            "say more",
            "the history and `fathom show` have all of it",
        ),
        Does::Nothing(false),
    ),
    MdtestOption::new(
        "V",
        OptionRow::ignored("-V N", "how much to say", "as -v"),
        Does::Nothing(true),
    ),
    MdtestOption::new(
        "w",
        OptionRow::kept("-w BYTES", "bytes written to each file"),
        Does::Number(MOST_BYTES, |asked| &mut asked.write_bytes),
    ),
    MdtestOption::new(
        "W",
        OptionRow::near(
            "-W S",
            "maximum time for creating files",
            "the later phases have the files that were made; mdtest first has all tasks come to \
             the number of the fastest",
        ),
        Does::Number(1 << 30, |asked| &mut asked.stonewall_s),
    ),
    MdtestOption::new(
        "x",
        OptionRow::refused(
            "-x FILE",
            "keep the number of files between calls",
            "give all phases in one call",
        ),
        Does::Nothing(true),
    ),
    MdtestOption::new(
        "X",
        OptionRow::refused(
            "-X",
            "check what is read",
            "the contents of many files are not checked",
        ),
        Does::Nothing(false),
    ),
    MdtestOption::new(
        "y",
        OptionRow::kept("-y", "fsync each file after it is written"),
        Does::Flag(|asked| &mut asked.sync),
    ),
    MdtestOption::new(
        "Y",
        OptionRow::refused(
            "-Y",
            "sync(2) after each phase",
            "it writes what others have in memory",
        ),
        Does::Nothing(false),
    ),
    MdtestOption::new(
        "z",
        OptionRow::kept("-z N", "depth of the tree"),
        Does::Number(64, |asked| &mut asked.depth),
    ),
    MdtestOption::new(
        "Z",
        OptionRow::ignored(
            "-Z",
            "print times instead of rates",
            "both tables are printed",
        ),
        Does::Nothing(false),
    ),
];

const LONG: OptionRow = OptionRow::refused("--WORD", "any long option", "no equivalent here");
const TASKS: OptionRow = OptionRow::kept(
    "mpirun -n N",
    "tasks, at the start of a line; --tasks of `fathom mdtest`",
);

/// As they are read.
pub(super) static LETTERS: Letters<Asked> = Letters {
    program: "mdtest",
    example: "-n 1000 -d /data",
    tasks: TASKS,
    options: OPTIONS,
    other: LONG,
};

fn set_directory(asked: &mut Asked, directory: &str) -> Result<(), Wrong> {
    if directory.contains('@') {
        let remedy = "one directory; a run for each".to_owned();
        return Err(("several directories are not taken".to_owned(), remedy));
    }
    directory.clone_into(&mut asked.directory);
    Ok(())
}
