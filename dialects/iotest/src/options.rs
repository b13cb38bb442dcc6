//! Every option of the two scripts, once: how it is read, how it is written, what it means; and
//! what else they do that a result depends on.

use fathom_tools::coverage::OptionRow;

/// What `iotest.sh` is asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct IotestOptions {
    pub(super) streams: u64,
    pub(super) directory: String,
    pub(super) blocks: u64,
    pub(super) block_kib: u64,
}

/// An option of `iotest.sh`.
pub(super) struct Letter {
    pub(super) row: OptionRow,
    pub(super) key: char,
    /// What to give where it is missing.
    advice: &'static str,
    example: &'static str,
    pub(super) value: Value,
}

/// Where the value of an option is kept, from which it is written too.
#[derive(Clone, Copy)]
pub(super) enum Value {
    Number {
        /// The largest that is taken.
        most: u64,
        /// What to do about one that is none.
        remedy: &'static str,
        slot: fn(&mut IotestOptions) -> &mut u64,
    },
    Directory(fn(&mut IotestOptions) -> &mut String),
}

impl Letter {
    /// What to do where it is missing.
    pub(super) fn remedy(&self) -> String {
        format!("{}, as in {}", self.advice, self.with(self.example))
    }

    /// The option with a value, as it is typed.
    pub(super) fn with(&self, value: &str) -> String {
        format!("-{} {value}", self.key)
    }

    fn written(&self, asked: &mut IotestOptions) -> String {
        match self.value {
            Value::Number { slot, .. } => self.with(&slot(asked).to_string()),
            Value::Directory(slot) => self.with(slot(asked)),
        }
    }
}

/// Largest block that one request moves, KiB.
const MAX_BLOCK_KIB: u64 = 1 << 20;
/// Most streams: each is a thread and a file.
const MAX_STREAMS: u64 = 4096;
/// No file is larger.
pub(super) const MAX_FILE_KIB: u64 = 1 << 53;

/// The letter that says how large a file is, in blocks.
pub(super) const BLOCKS: char = 'b';

/// All options of `iotest.sh`.
pub(super) static LETTERS: [Letter; 4] = [
    Letter {
        row: OptionRow::kept("-i N", "number of concurrent streams"),
        key: 'i',
        advice: "give the number of streams",
        example: "5",
        value: Value::Number {
            most: MAX_STREAMS,
            remedy: WHOLE,
            slot: |asked| &mut asked.streams,
        },
    },
    Letter {
        row: OptionRow::kept("-t DIR", "directory of the files, one for each stream"),
        key: 't',
        advice: "give the directory to test",
        example: "/saswork",
        value: Value::Directory(|asked| &mut asked.directory),
    },
    Letter {
        row: OptionRow::kept("-b BLOCKS", "blocks of each file"),
        key: BLOCKS,
        advice: "give the blocks of each file",
        example: "580000",
        value: Value::Number {
            most: MAX_FILE_KIB,
            remedy: WHOLE,
            slot: |asked| &mut asked.blocks,
        },
    },
    Letter {
        row: OptionRow::kept("-s KB", "size of a block in KiB"),
        key: 's',
        advice: "give the size of a block in KiB",
        example: "64",
        value: Value::Number {
            most: MAX_BLOCK_KIB,
            remedy: "give the block size in KiB without a unit, as in -s 64",
            slot: |asked| &mut asked.block_kib,
        },
    },
];

const WHOLE: &str = "give a whole number";

/// The option with this letter.
pub(super) fn letter(letter: char) -> Option<&'static Letter> {
    LETTERS.iter().find(|option| option.key == letter)
}

/// All options in their forms.
pub(super) fn forms() -> String {
    LETTERS.each_ref().map(|option| option.row.form).join(" ")
}

/// A whole command line, without the program.
pub(super) fn example() -> String {
    let words = LETTERS.each_ref().map(|option| option.with(option.example));
    words.join(" ")
}

/// The command line that asks for this.
pub(super) fn command_line(asked: &mut IotestOptions) -> String {
    let words = LETTERS.each_ref().map(|option| option.written(asked));
    format!("iotest.sh {}", words.join(" "))
}

/// What a word asks `rhel_iotest.sh` for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// The directory that follows.
    Directory,
    Help,
    Version,
}

/// All options of `rhel_iotest.sh`, with every way to type them.
static WORDS: [(Word, &[&str], OptionRow); 3] = [
    (
        Word::Directory,
        &["-t"],
        OptionRow::kept(
            "-t DIR",
            "absolute directory; here once for each file system, perhaps named: \
             `-t WORK=/saswork`",
        ),
    ),
    (
        Word::Help,
        &["--help", "-help", "--h", "-h"],
        OptionRow::kept("--help, -help, --h, -h", "usage"),
    ),
    (
        Word::Version,
        &["--version", "-version", "--v", "-v"],
        OptionRow::kept("--version, -version, --v, -v", "version"),
    ),
];

/// What a word of `rhel_iotest.sh` asks for.
pub(super) fn word(text: &str) -> Option<Word> {
    let mut all = WORDS.iter();
    all.find(|(_, names, _)| names.contains(&text))
        .map(|(word, ..)| *word)
}

/// The options of `rhel_iotest.sh`, each as it is typed first.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    WORDS
        .iter()
        .filter_map(|(_, names, _)| names.first().copied())
}

/// The rows for the page of `iotest.sh`.
pub(super) fn rows() -> Vec<OptionRow> {
    let letters = LETTERS.iter().map(|option| option.row);
    letters.chain(BESIDE.iter().copied()).collect()
}

/// The rows for the page of `rhel_iotest.sh`.
pub(super) fn rhel_rows() -> Vec<OptionRow> {
    let words = WORDS.iter().map(|(.., row)| *row);
    words.chain(RHEL_BESIDE.iter().copied()).collect()
}

pub(super) const REST: OptionRow = OptionRow::refused(
    "words after the options",
    "nothing",
    "the script reads its options up to the first other word and nothing after it",
);
pub(super) const SYNC: OptionRow = OptionRow::near(
    "sync before the reads",
    "write everything back that waits in memory",
    "what the streams have written is written back before their reads begin, where the script \
     waits for the whole machine",
);
pub(super) const READS: OptionRow = OptionRow::kept(
    "reads of what was just written",
    "through the page cache, which may hold all of it; `--cold` drops it first, and the report \
     says what came from memory",
);

pub(super) const DF: OptionRow = OptionRow::ignored(
    "df line of TARGET DETAILS",
    "how full the file system is",
    "a result does not hold it; the mount point is there",
);

/// What `iotest.sh` does without being asked.
const BESIDE: &[OptionRow] = &[
    REST,
    OptionRow::kept(
        "zeros",
        "what is written; `--incompressible` writes random bytes",
    ),
    OptionRow::kept("writes without a flush", "as `dd` does without `conv=`"),
    SYNC,
    READS,
    OptionRow::kept("removal of the files", "at the end; `--keep` leaves them"),
    DF,
    OptionRow::near(
        "iotest.sh.results.N",
        "file with the results",
        "the results go to standard output; `--output iotest:FILE` writes them to a file",
    ),
];

/// What `rhel_iotest.sh` does without being asked.
const RHEL_BESIDE: &[OptionRow] = &[
    OptionRow::kept("streams", "one for each physical core"),
    OptionRow::kept("blocks of 64 KiB", "size of a request"),
    OptionRow::kept("files of MemTotal", "size of each file, in whole blocks"),
    OptionRow::kept(
        "XFS preallocation",
        "room that XFS takes beyond the end of a growing file",
    ),
    OptionRow::kept("10 % of the file system", "room that stays free"),
    OptionRow::kept(
        "smaller files",
        "when there is not enough room; the report says that it is no full test",
    ),
    OptionRow::kept(
        "4 GB RAM for each core",
        "refused below; `--file-size` says how large the files are instead",
    ),
    OptionRow::kept(
        "conv=fsync",
        "each file is flushed at its end, inside the time",
    ),
    SYNC,
    READS,
    DF,
    OptionRow::near(
        "logs in a tar file",
        "what the script collects about the host",
        "the JSON result holds the facts about the host: `--output json:FILE`",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_is_there_once_and_its_form_says_it() {
        for (index, option) in LETTERS.iter().enumerate() {
            let before = &LETTERS[..index];
            let letter = option.key;
            assert!(before.iter().all(|other| other.key != letter));
            assert!(option.row.form.starts_with(&option.with("")), "{letter}");
        }
    }

    #[test]
    fn every_way_to_type_a_word_is_in_its_form() {
        for (word, names, row) in &WORDS {
            let names = names.join(", ");
            assert_eq!(row.form.trim_end_matches(" DIR"), names, "{word:?}");
        }
    }

    #[test]
    fn what_is_asked_for_is_written_as_it_was_read() {
        let mut asked = IotestOptions {
            streams: 5,
            directory: "/saswork".to_owned(),
            blocks: 580_000,
            block_kib: 64,
        };
        let line = command_line(&mut asked);
        assert_eq!(line, format!("iotest.sh {}", example()));
        assert_eq!(line, "iotest.sh -i 5 -t /saswork -b 580000 -s 64");
    }
}
