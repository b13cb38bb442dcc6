//! How a stored run is called: the words that `show`, `compare` and `report` take.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// One or more runs, as named on a command line.
///
/// | word | what it names |
/// | --- | --- |
/// | `-` | documents on standard input |
/// | `@latest`, `@latest~2` | the latest run of the history, the one two before it |
/// | `tag:NAME` | the latest run with that tag |
/// | `7f3`, `20260301T12` | the one run whose digits, or whose whole id, begin so |
/// | a word with a slash or a dot | a file: a result document or a bundle, packed or not |
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunSelector {
    /// Standard input.
    Stdin,
    /// The latest run, or the one that many before it.
    Latest {
        /// Runs to go back.
        back: u32,
    },
    /// The latest run with a tag.
    Tag(String),
    /// The run whose digits, or whose id, begin so. In the letters of an id.
    Prefix(String),
    /// The path of a result.
    File(PathBuf),
}

/// Why a word names no run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    /// After `@` only `latest` is known.
    #[error("after @ only `latest` is known, as in @latest or @latest~2")]
    At,
    /// `tag:` without a name.
    #[error("no tag is named, as in tag:baseline")]
    NoTag,
    /// Neither the first digits of an id nor, visibly, a file.
    #[error(
        "it is not the start of a run's id; a file needs a slash or a dot (./{0}), a tag is \
         written tag:{0}"
    )]
    Word(String),
    /// Nothing at all.
    #[error("it is empty")]
    Empty,
}

impl FromStr for RunSelector {
    type Err = SelectorError;

    fn from_str(word: &str) -> Result<Self, SelectorError> {
        if word.is_empty() {
            return Err(SelectorError::Empty);
        }
        if word == "-" {
            return Ok(Self::Stdin);
        }
        if let Some(name) = word.strip_prefix("tag:") {
            return match name {
                "" => Err(SelectorError::NoTag),
                name => Ok(Self::Tag(name.to_owned())),
            };
        }
        if let Some(at) = word.strip_prefix('@') {
            return latest(at).ok_or(SelectorError::At);
        }
        if word == "latest" {
            return Ok(Self::Latest { back: 0 });
        }
        if word.contains(['/', '.']) {
            return Ok(Self::File(word.into()));
        }
        match prefix(word) {
            Some(prefix) => Ok(Self::Prefix(prefix)),
            None => Err(SelectorError::Word(word.to_owned())),
        }
    }
}

fn latest(at: &str) -> Option<RunSelector> {
    let rest = at.strip_prefix("latest")?;
    let back = match rest.strip_prefix('~') {
        Some(number) => number.parse().ok()?,
        None if rest.is_empty() => 0,
        None => return None,
    };
    Some(RunSelector::Latest { back })
}

/// The word with the letters as ids have them: small digits, or a time stamp with `T` and `Z`
/// before them.
fn prefix(word: &str) -> Option<String> {
    const STAMP: &str = "00000000T000000Z-";
    let digits = word.to_ascii_lowercase();
    let is_hex = |text: &str| text.bytes().all(|letter| letter.is_ascii_hexdigit());
    if is_hex(&digits) {
        return Some(digits);
    }
    let same = |(letter, wanted): (u8, u8)| match wanted {
        b'0' => letter.is_ascii_digit(),
        wanted => letter.eq_ignore_ascii_case(&wanted),
    };
    let is_stamp = digits.bytes().zip(STAMP.bytes()).all(same);
    let (stamp, rest) = digits
        .split_at_checked(STAMP.len())
        .unwrap_or((&digits, ""));
    (is_stamp && is_hex(rest)).then(|| stamp.to_ascii_uppercase() + rest)
}

impl fmt::Display for RunSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("-"),
            Self::Latest { back: 0 } => f.write_str("@latest"),
            Self::Latest { back } => write!(f, "@latest~{back}"),
            Self::Tag(name) => write!(f, "tag:{name}"),
            Self::Prefix(prefix) => f.write_str(prefix),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_one_kind() {
        let prefix = |text: &str| RunSelector::Prefix(text.to_owned());
        let cases = [
            ("-", RunSelector::Stdin),
            ("@latest", RunSelector::Latest { back: 0 }),
            ("@latest~2", RunSelector::Latest { back: 2 }),
            ("latest", RunSelector::Latest { back: 0 }),
            ("tag:nightly 7", RunSelector::Tag("nightly 7".to_owned())),
            ("7f3", prefix("7f3")),
            ("7F3", prefix("7f3")),
            ("20260301t12", prefix("20260301T12")),
            ("20260301t120000z", prefix("20260301T120000Z")),
            ("20260301T120000Z-7F", prefix("20260301T120000Z-7f")),
            (
                "20260301T120000Z-7f3a9c44e0b2",
                prefix("20260301T120000Z-7f3a9c44e0b2"),
            ),
            ("run.json", RunSelector::File("run.json".into())),
            ("./7f3", RunSelector::File("./7f3".into())),
        ];
        for (word, expected) in cases {
            assert_eq!(word.parse(), Ok(expected), "{word}");
        }
    }

    #[test]
    fn other_words_are_refused() {
        let word = |text: &str| SelectorError::Word(text.to_owned());
        let cases = [
            ("", SelectorError::Empty),
            ("tag:", SelectorError::NoTag),
            ("@", SelectorError::At),
            ("@last", SelectorError::At),
            ("@latest~", SelectorError::At),
            ("@latest~-1", SelectorError::At),
            ("@latest2", SelectorError::At),
            ("baseline", word("baseline")),
            ("etcd", word("etcd")),
            ("2026-03", word("2026-03")),
            ("20260301T120000Z-7z", word("20260301T120000Z-7z")),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse::<RunSelector>(), Err(expected), "{text}");
        }
    }

    #[test]
    fn a_selector_is_written_as_it_is_read() {
        for word in ["-", "@latest", "@latest~3", "tag:a", "7f3", "./a.json"] {
            let selector: RunSelector = word.parse().unwrap();
            assert_eq!(selector.to_string(), word);
        }
    }
}
