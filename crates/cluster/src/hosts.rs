//! Lists of hosts as pdsh writes them: `db[1-8],web3`, `rack[1-2]-node[01-16]`.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// Names of hosts, in the order in which they were written, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostList(pub Vec<String>);

/// Why a text is no list of hosts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostListError {
    /// There is no name in it.
    #[error("no host is named")]
    Empty,
    /// A bracket is not closed, or not opened.
    #[error("a bracket in `{0}` has no other side")]
    Bracket(String),
    /// The text in a bracket is not a range.
    #[error("`{0}` is no range of numbers; write [1-8], [01-12,15] or [3]")]
    Range(String),
    /// It would be more hosts than there can be members.
    #[error("`{0}` names more hosts than {most}", most = crate::limits::MEMBERS)]
    Many(String),
    /// A name is there twice, of which one is probably mistyped.
    #[error(
        "`{0}` is named twice; name each host once, and use --per-host for several members on it"
    )]
    Twice(String),
    /// A name begins with a dash, which ssh would take for an option, or has odd signs.
    #[error("`{0}` is no name of a host")]
    Name(String),
}

/// Signs that are shown of what is no name.
const SHOWN: usize = 60;

/// A sign as it can be shown.
fn plain(sign: char) -> char {
    if sign.is_control() { '?' } else { sign }
}

impl FromStr for HostList {
    type Err = HostListError;

    fn from_str(text: &str) -> Result<Self, HostListError> {
        let names = names(text)?;
        let mut seen = HashSet::new();
        match names.iter().find(|name| !seen.insert(*name)) {
            Some(name) => Err(HostListError::Twice(name.clone())),
            None => Ok(Self(names)),
        }
    }
}

/// All names, in their order.
fn names(text: &str) -> Result<Vec<String>, HostListError> {
    let mut names: Vec<String> = Vec::new();
    for word in words(text)? {
        for name in expand(&word)? {
            let first = name.chars().next();
            let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "._-@:%".contains(sign);
            if first.is_none_or(|sign| sign == '-') || !name.chars().all(is_plain) {
                let shown = name.chars().take(SHOWN).map(plain).collect();
                return Err(HostListError::Name(shown));
            }
            names.push(name);
        }
    }
    if names.is_empty() {
        return Err(HostListError::Empty);
    }
    Ok(names)
}

impl fmt::Display for HostList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

impl HostList {
    /// From a file with names in lines or separated by commas; what follows a `#` is a comment.
    /// Each name counts once, because schedulers write one line for each slot of a host.
    ///
    /// # Errors
    ///
    /// [`HostListError`]
    pub fn of_file(text: &str) -> Result<Self, HostListError> {
        let plain = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or(""));
        let mut names = names(&plain.collect::<Vec<_>>().join(","))?;
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
        Ok(Self(names))
    }
}

/// Names between commas and white space, but for commas in brackets.
fn words(text: &str) -> Result<Vec<String>, HostListError> {
    let mut words = vec![String::new()];
    let mut inside = false;
    for sign in text.chars() {
        let is_wrong = match sign {
            '[' => std::mem::replace(&mut inside, true),
            ']' => !std::mem::replace(&mut inside, false),
            _ => false,
        };
        if is_wrong {
            return Err(HostListError::Bracket(text.to_owned()));
        }
        if !inside && (sign == ',' || sign.is_whitespace()) {
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            word.push(sign);
        }
    }
    if inside {
        return Err(HostListError::Bracket(text.to_owned()));
    }
    words.retain(|word| !word.is_empty());
    Ok(words)
}

/// All names of one word.
fn expand(word: &str) -> Result<Vec<String>, HostListError> {
    let mut names = vec![String::new()];
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('[') {
        let (ranges, after) = after
            .split_once(']')
            .ok_or_else(|| HostListError::Bracket(word.to_owned()))?;
        let numbers = numbers(ranges)?;
        if names.len().saturating_mul(numbers.len()) > crate::limits::MEMBERS {
            return Err(HostListError::Many(word.to_owned()));
        }
        names = names
            .iter()
            .flat_map(|name| {
                numbers
                    .iter()
                    .map(move |number| format!("{name}{before}{number}"))
            })
            .collect();
        rest = after;
    }
    for name in &mut names {
        name.push_str(rest);
    }
    Ok(names)
}

/// The numbers of `1-8` or `01-12,15`, with their leading zeros.
fn numbers(ranges: &str) -> Result<Vec<String>, HostListError> {
    let mut numbers = Vec::new();
    for range in ranges.split(',') {
        let no_range = || HostListError::Range(range.to_owned());
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let plain = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        if !plain(first) || !plain(last) {
            return Err(no_range());
        }
        let width = first.len();
        let first: u32 = first.parse().map_err(|_| no_range())?;
        let last: u32 = last.parse().map_err(|_| no_range())?;
        if last < first {
            return Err(no_range());
        }
        if (last - first) as usize >= crate::limits::MEMBERS {
            return Err(HostListError::Many(range.to_owned()));
        }
        numbers.extend((first..=last).map(|number| format!("{number:0width$}")));
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_those_of_pdsh() {
        for (text, expected) in [
            ("db1", "db1"),
            ("db[1-3]", "db1,db2,db3"),
            ("db[08-10,3],web", "db08,db09,db10,db3,web"),
            (
                "r[1-2]n[01-02].lan",
                "r1n01.lan,r1n02.lan,r2n01.lan,r2n02.lan",
            ),
            ("root@a  b,a", "root@a,b,a"),
        ] {
            let hosts: HostList = text.parse().expect(text);
            assert_eq!(hosts.to_string(), expected, "{text}");
        }
        let file = "db[1-2]  # the old ones\n\n# none\nweb3\n";
        let hosts = HostList::of_file(file).expect("three hosts");
        assert_eq!(hosts.to_string(), "db1,db2,web3");
    }

    #[test]
    fn what_is_no_list_is_said() {
        for (text, expected) in [
            ("", "no host is named"),
            (
                "db[1-3],db2",
                "`db2` is named twice; name each host once, and use --per-host for several \
                 members on it",
            ),
            ("db[1-8", "a bracket in `db[1-8` has no other side"),
            ("db1-8]", "a bracket in `db1-8]` has no other side"),
            (
                "db[8-1]",
                "`8-1` is no range of numbers; write [1-8], [01-12,15] or [3]",
            ),
            (
                "db[a-c]",
                "`a-c` is no range of numbers; write [1-8], [01-12,15] or [3]",
            ),
            ("n[1-99999]", "`1-99999` names more hosts than 65536"),
            (
                "-oProxyCommand=x",
                "`-oProxyCommand=x` is no name of a host",
            ),
            ("a;b", "`a;b` is no name of a host"),
        ] {
            let error = text.parse::<HostList>().expect_err(text);
            assert_eq!(error.to_string(), expected, "{text}");
        }
    }
}
