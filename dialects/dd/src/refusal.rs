//! What GNU dd 9.1 says of operands that it refuses, to the letter: who calls it by a script may
//! look for these words.

use super::number::{Fault, number};
use super::options::{self, List};
use fathom_tools::dialects::Surroundings;
use std::io::ErrorKind;
use std::path::Path;

/// What follows an invalid word.
const USAGE: &str = "Try 'dd --help' for more information.\n";

const MISSING: &str = "No such file or directory";
const FULL_BLOCK: &str = "fullblock";
const NOT_SO: &str = "Invalid argument";

/// Operands with a number, and the least one.
const NUMBERS: [(&str, u64); 9] = [
    ("ibs", 1),
    ("obs", 1),
    ("bs", 1),
    ("cbs", 1),
    ("skip", 0),
    ("iseek", 0),
    ("seek", 0),
    ("oseek", 0),
    ("count", 0),
];

/// Conversions of which there can be one, and what is said of several.
const PAIRS: [(&[&str], &str); 4] = [
    (
        &["ascii", "ebcdic", "ibm"],
        "cannot combine any two of {ascii,ebcdic,ibm}",
    ),
    (&["block", "unblock"], "cannot combine block and unblock"),
    (&["lcase", "ucase"], "cannot combine lcase and ucase"),
    (&["excl", "nocreat"], "cannot combine excl and nocreat"),
];

/// What dd says of these words, if it refuses them, or cannot open the files that they name.
pub(super) fn of(words: &[String], surroundings: &dyn Surroundings) -> Option<String> {
    let asked = RequestedCopy {
        words,
        surroundings,
    };
    let said = asked
        .option()
        .or_else(|| words.iter().find_map(|word| asked.operand(word)))
        .or_else(|| asked.full_block())
        .or_else(|| asked.pair())
        .or_else(|| asked.file())?;
    Some(format!("dd: {said}"))
}

struct RequestedCopy<'a> {
    words: &'a [String],
    surroundings: &'a dyn Surroundings,
}

impl<'a> RequestedCopy<'a> {
    /// Options are looked at before all operands, wherever they stand.
    fn option(&self) -> Option<String> {
        let mut options = self.words.iter().filter(|word| word.len() > 1);
        let option = options.find(|word| word.starts_with('-'))?;
        let asks = |known: &str| known.starts_with(option.as_str());
        if option.len() > 2 && (asks("--help") || asks("--version")) {
            return None;
        }
        let said = match option.strip_prefix("--") {
            Some("") => return None,
            Some(_) => format!("unrecognized option '{option}'"),
            None => format!("invalid option -- '{}'", option.chars().nth(1)?),
        };
        Some(format!("{said}\n{USAGE}"))
    }

    fn operand(&self, word: &str) -> Option<String> {
        // Those that begin so are looked at as options.
        if word.len() > 1 && word.starts_with('-') {
            return None;
        }
        let usage = |said: String| Some(format!("{said}\n{USAGE}"));
        let unrecognized = || usage(format!("unrecognized operand {}", self.quoted(word)));
        let Some((name, value)) = word.split_once('=') else {
            return unrecognized();
        };
        if let Some((_, least)) = NUMBERS.iter().find(|(known, _)| *known == name) {
            let why = match number(value) {
                Ok(number) if number.value >= *least => return None,
                Ok(_) | Err(Fault::Malformed) => "",
                Err(Fault::TooLarge) => ": Value too large for defined data type",
            };
            return Some(format!("invalid number: {}{why}\n", self.quoted(value)));
        }
        if name == options::STATUS {
            let is_known = options::statuses().iter().any(|(known, _)| *known == value);
            let said = || usage(format!("invalid status level: {}", self.quoted(value)));
            return if is_known { None } else { said() };
        }
        if let Some(list) = options::list(name) {
            let what = match list {
                List::Conv => "invalid conversion",
                List::Input => "invalid input flag",
                List::Output => "invalid output flag",
            };
            let mut items = value.split(',');
            // What only the input may have is found when all operands are read.
            let is_late = |item: &&str| list == List::Output && *item == FULL_BLOCK;
            let unknown =
                items.find(|item| options::row(list, item).is_none() && !is_late(item))?;
            return usage(format!("{what}: {}", self.quoted(unknown)));
        }
        if matches!(name, "if" | "of") {
            return None;
        }
        unrecognized()
    }

    /// The one flag that the output must not have.
    fn full_block(&self) -> Option<String> {
        let mut flags = self.values("oflag").flat_map(|list| list.split(','));
        let flag = flags.find(|flag| *flag == FULL_BLOCK)?;
        Some(format!(
            "invalid output flag: {}\n{USAGE}",
            self.quoted(flag)
        ))
    }

    /// Conversions of which there can be one.
    fn pair(&self) -> Option<String> {
        let conversions = || {
            let lists = self.values("conv");
            lists.flat_map(|list| list.split(','))
        };
        let several = |words: &[&str]| {
            let given = words
                .iter()
                .filter(|word| conversions().any(|one| one == **word));
            given.count() > 1
        };
        let (_, said) = PAIRS.iter().find(|(words, _)| several(words))?;
        Some(format!("{said}\n"))
    }

    /// A file that cannot be opened, the input first.
    fn file(&self) -> Option<String> {
        let has = |word: &str| {
            self.values("conv")
                .any(|list| list.split(',').any(|one| one == word))
        };
        let failed = |path: &str, why: &str| {
            let path = path.replace('\'', "'\\''");
            Some(format!("failed to open '{path}': {why}\n"))
        };
        let direct = |list: &'static str| {
            let mut flags = self.values(list).flat_map(|list| list.split(','));
            flags.any(|flag| flag == "direct")
        };
        if let Some(path) = self.values("if").last() {
            if self.is_absent(path) {
                return failed(path, MISSING);
            }
            if direct("iflag") && options::made(path).is_some() {
                return failed(path, NOT_SO);
            }
        }
        let path = self.values("of").last()?;
        let is_there = !self.is_absent(path);
        if has("nocreat") && !is_there {
            return failed(path, MISSING);
        }
        if has("excl") && is_there {
            return failed(path, "File exists");
        }
        if direct("oflag") && path == "/dev/null" {
            return failed(path, NOT_SO);
        }
        None
    }

    /// The values of an operand.
    fn values(&self, name: &'a str) -> impl DoubleEndedIterator<Item = &'a str> {
        let words = self.words.iter();
        words
            .filter_map(move |word| word.split_once('=').filter(|(known, _)| *known == name))
            .map(|(_, value)| value)
    }

    /// Whether nothing has this name. What is below it is asked for, so that nothing is opened: of
    /// all that is there, that is not a folder or cannot be read.
    fn is_absent(&self, path: &str) -> bool {
        let below = Path::new(path).join(".");
        let found = self.surroundings.read(&below);
        found.is_err_and(|error| error.kind() == ErrorKind::NotFound)
    }

    /// In the quotes of the user's language.
    fn quoted(&self, text: &str) -> String {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].iter();
        let mut set = names.filter_map(|name| self.surroundings.variable(name));
        let language = set.find(|language| !language.is_empty());
        let language = language.unwrap_or_default().to_ascii_lowercase();
        if language.ends_with("utf-8") || language.ends_with("utf8") {
            format!("‘{text}’")
        } else {
            format!("'{text}'")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    /// A folder with one file, and a language.
    struct Folder(&'static str);

    impl Surroundings for Folder {
        fn size_bytes(&self, _: &Path) -> Option<u64> {
            None
        }

        fn read(&self, path: &Path) -> io::Result<String> {
            let kind = match path.to_str() {
                Some("there/.") => ErrorKind::NotADirectory,
                Some("folder/.") => ErrorKind::IsADirectory,
                _ => ErrorKind::NotFound,
            };
            Err(kind.into())
        }

        fn variable(&self, name: &str) -> Option<String> {
            (name == "LANG").then(|| self.0.to_owned())
        }
    }

    fn said(line: &str, language: &'static str) -> Option<String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        of(&words, &Folder(language))
    }

    #[test]
    fn the_words_are_those_of_dd() {
        let cases = [
            ("bs=0", "invalid number: '0'\n"),
            (
                "bs=1Y",
                "invalid number: '1Y': Value too large for defined data type\n",
            ),
            ("conv=lcase,ucase", "cannot combine lcase and ucase\n"),
            (
                "-x",
                "invalid option -- 'x'\nTry 'dd --help' for more information.\n",
            ),
            (
                "of=x'y conv=nocreat",
                "failed to open 'x'\\''y': No such file or directory\n",
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(said(line, "C"), Some(format!("dd: {expected}")), "{line}");
        }
        let unicode = "dd: invalid number: ‘1m’\n".to_owned();
        assert_eq!(said("bs=1m", "de_DE.UTF-8"), Some(unicode));
        for fine in [
            "if=there of=folder/new bs=1k",
            "of=new conv=excl",
            "--help",
            "count=0",
        ] {
            assert_eq!(said(fine, "C"), None, "{fine}");
        }
    }
}
