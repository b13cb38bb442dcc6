//! Every option of mdtest, once: how far it is honoured, and what it does.

use crate::coverage::OptionRow;

/// What a call asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "a list of independent options, each yes or no"
)]
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

/// What an option does.
#[derive(Clone, Copy)]
pub(super) enum Does {
    /// Sets a number, which is this at most; `k`, `m` and `g` multiply it.
    Number(u64, fn(&mut Asked) -> &mut u64),
    /// Sets a flag.
    Flag(fn(&mut Asked) -> &mut bool),
    /// Names the directory.
    Directory,
    /// Names the interface.
    Interface,
    /// Nothing; whether it has a value.
    Nothing(bool),
}

/// An option.
pub(super) struct MdtestOption {
    pub(super) row: OptionRow,
    pub(super) letter: char,
    pub(super) does: Does,
}

const fn option(letter: char, row: OptionRow, does: Does) -> MdtestOption {
    MdtestOption { row, letter, does }
}

const MOST: u64 = 1 << 32;
const MOST_BYTES: u64 = 1 << 30;

/// All of one letter.
pub(super) static OPTIONS: &[MdtestOption] = &[
    option(
        'a',
        OptionRow::near(
            "-a API",
            "the interface",
            "POSIX alone: all others are refused",
        ),
        Does::Interface,
    ),
    option(
        'b',
        OptionRow::kept("-b N", "branching factor of the tree"),
        Does::Number(65_536, |asked| &mut asked.branches),
    ),
    option(
        'B',
        OptionRow::refused(
            "-B",
            "no barriers between phases",
            "phases begin together here",
        ),
        Does::Nothing(false),
    ),
    option(
        'c',
        OptionRow::refused(
            "-c",
            "task 0 makes all files",
            "each thread makes its own here",
        ),
        Does::Nothing(false),
    ),
    option(
        'C',
        OptionRow::kept(
            "-C",
            "the phase that creates; without -C, -T, -E and -r, all of them",
        ),
        Does::Flag(|asked| &mut asked.create),
    ),
    option(
        'd',
        OptionRow::near(
            "-d DIR",
            "where",
            "one directory, which has to be there; several, parted by `@`, are refused",
        ),
        Does::Directory,
    ),
    option(
        'D',
        OptionRow::kept("-D", "directories alone, no files"),
        Does::Flag(|asked| &mut asked.directories_only),
    ),
    option(
        'e',
        OptionRow::kept("-e BYTES", "read so much of each file"),
        Does::Number(MOST_BYTES, |asked| &mut asked.read_bytes),
    ),
    option(
        'E',
        OptionRow::kept("-E", "the phase that reads files"),
        Does::Flag(|asked| &mut asked.read),
    ),
    option(
        'f',
        OptionRow::refused(
            "-f N",
            "first number of tasks",
            "a run for each number says more",
        ),
        Does::Nothing(true),
    ),
    option(
        'F',
        OptionRow::kept("-F", "files alone, no directories"),
        Does::Flag(|asked| &mut asked.files_only),
    ),
    option(
        'g',
        OptionRow::refused(
            "-g",
            "the default layout of Lustre",
            "Fathom sets no layout",
        ),
        Does::Nothing(false),
    ),
    option(
        'G',
        OptionRow::ignored("-G N", "what the buffer holds", "it holds random bytes"),
        Does::Nothing(true),
    ),
    option(
        'i',
        OptionRow::kept("-i N", "iterations"),
        Does::Number(1 << 20, |asked| &mut asked.iterations),
    ),
    option(
        'I',
        OptionRow::near(
            "-I N",
            "files in each directory of the tree",
            "as many as that come to; beside -n it is refused",
        ),
        Does::Number(MOST, |asked| &mut asked.items_per_directory),
    ),
    option(
        'k',
        OptionRow::refused("-k", "mknod instead of open", "files are opened to be made"),
        Does::Nothing(false),
    ),
    option(
        'l',
        OptionRow::refused(
            "-l N",
            "last number of tasks",
            "a run for each number says more",
        ),
        Does::Nothing(true),
    ),
    option(
        'L',
        OptionRow::kept("-L", "files in the lowest directories alone"),
        Does::Flag(|asked| &mut asked.leaves),
    ),
    option(
        'n',
        OptionRow::near(
            "-n N",
            "files and directories of each task",
            "all of them, where mdtest makes as many as divide by the directories of the tree",
        ),
        Does::Number(MOST, |asked| &mut asked.items),
    ),
    option(
        'N',
        OptionRow::kept(
            "-N N",
            "look at the files of the Nth task from one's own, read those of the 2Nth, remove \
             those of the 3Nth",
        ),
        Does::Number(MOST, |asked| &mut asked.stride),
    ),
    option(
        'p',
        OptionRow::refused(
            "-p S",
            "wait before each iteration",
            "nothing is measured then",
        ),
        Does::Nothing(true),
    ),
    option(
        'P',
        OptionRow::ignored("-P", "print times too", "both tables are printed"),
        Does::Nothing(false),
    ),
    option(
        'r',
        OptionRow::near(
            "-r",
            "the phase that removes",
            "without it files are removed after the run, unmeasured",
        ),
        Does::Flag(|asked| &mut asked.remove),
    ),
    option(
        'R',
        OptionRow::kept("-R", "look at files in random order"),
        Does::Flag(|asked| &mut asked.random),
    ),
    option(
        's',
        OptionRow::refused(
            "-s N",
            "step of the number of tasks",
            "a run for each number says more",
        ),
        Does::Nothing(true),
    ),
    option(
        'S',
        OptionRow::refused(
            "-S",
            "one file for all tasks",
            "each thread makes its own here",
        ),
        Does::Nothing(false),
    ),
    option(
        't',
        OptionRow::ignored(
            "-t",
            "time the making of task directories",
            "that is not measured",
        ),
        Does::Nothing(false),
    ),
    option(
        'T',
        OptionRow::kept("-T", "the phase that asks for attributes"),
        Does::Flag(|asked| &mut asked.stat),
    ),
    option(
        'u',
        OptionRow::kept("-u", "a tree for each task"),
        Does::Flag(|asked| &mut asked.own),
    ),
    option(
        'U',
        OptionRow::near(
            "-U",
            "the phase that renames directories",
            "each gets another name, not that of its neighbour",
        ),
        Does::Flag(|asked| &mut asked.rename),
    ),
    option(
        'v',
        OptionRow::ignored(
            "-v",
            "say more",
            "the history and `fathom show` have all of it",
        ),
        Does::Nothing(false),
    ),
    option(
        'V',
        OptionRow::ignored("-V N", "how much to say", "as -v"),
        Does::Nothing(true),
    ),
    option(
        'w',
        OptionRow::kept("-w BYTES", "write so much into each file"),
        Does::Number(MOST_BYTES, |asked| &mut asked.write_bytes),
    ),
    option(
        'W',
        OptionRow::near(
            "-W S",
            "make files for so long at most",
            "the later phases have the files that were made; mdtest first has all tasks come to \
             the number of the fastest",
        ),
        Does::Number(1 << 30, |asked| &mut asked.stonewall_s),
    ),
    option(
        'x',
        OptionRow::refused(
            "-x FILE",
            "keep the number of files between calls",
            "give all phases in one call",
        ),
        Does::Nothing(true),
    ),
    option(
        'X',
        OptionRow::refused(
            "-X",
            "check what is read",
            "the contents of many files are not checked",
        ),
        Does::Nothing(false),
    ),
    option(
        'y',
        OptionRow::kept("-y", "fsync each file after it is written"),
        Does::Flag(|asked| &mut asked.sync),
    ),
    option(
        'Y',
        OptionRow::refused(
            "-Y",
            "sync(2) after each phase",
            "it writes what others have in memory",
        ),
        Does::Nothing(false),
    ),
    option(
        'z',
        OptionRow::kept("-z N", "depth of the tree"),
        Does::Number(64, |asked| &mut asked.depth),
    ),
    option(
        'Z',
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
    "tasks, at the begin of a line; --tasks of `fathom mdtest`",
);

/// All rows.
pub(super) fn rows() -> Vec<OptionRow> {
    let letters = OPTIONS.iter().map(|option| option.row);
    std::iter::once(TASKS)
        .chain(letters)
        .chain([LONG])
        .collect()
}

/// Why long options are refused.
pub(super) const NO_LONG: &str = LONG.remark;
