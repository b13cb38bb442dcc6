//! Other paths for those that the words of a program name: its line runs here as it was pasted.

use crate::diagnostic::Diagnostic;
use crate::dialects::Surroundings;
use crate::words::CommandWords;
use std::collections::BTreeMap;
use std::path::Path;

/// What a name of the words becomes.
pub type Rebound = BTreeMap<String, String>;

/// What is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Files, which a folder takes each by its own name.
    Files,
    /// Folders, each replaced as a whole.
    Folders,
}

/// Binds names to the paths given as `PATH` or `NAME=PATH`.
///
/// # Errors
///
/// Names that are not there, and paths of which nobody knows what they are for.
pub fn rebind(
    given: &[String],
    names: &[&str],
    kind: Kind,
    surroundings: &dyn Surroundings,
) -> Result<Rebound, Vec<Diagnostic>> {
    let words = CommandWords::of("--target", given);
    let wrong = |index: usize, message: String, remedy: &str| {
        let place = words.list[index].span.clone();
        vec![words.error(place, message, None, remedy)]
    };
    let path_for = |name: &str, path: &str| {
        let own = name.rsplit(['/', '\\', ':']).next().unwrap_or_default();
        let is_inside =
            kind == Kind::Files && !own.is_empty() && surroundings.is_folder(Path::new(path));
        if is_inside {
            Path::new(path).join(own).display().to_string()
        } else {
            path.to_owned()
        }
    };
    let mut bound = Rebound::new();
    let mut plain: Vec<(usize, &String)> = Vec::new();
    for (index, text) in given.iter().enumerate() {
        let called = |name: &&&str| {
            let rest = text.strip_prefix(**name);
            rest.is_some_and(|rest| rest.starts_with('='))
        };
        let name = names.iter().filter(called).max_by_key(|name| name.len());
        match (name, text.split_once('=')) {
            (Some(name), _) => {
                let path = &text[name.len() + 1..];
                bound.insert((*name).to_owned(), path_for(name, path));
            }
            (None, Some((name, _))) => {
                let remedy = format!("the words name {}", list(names));
                return Err(wrong(index, format!("nothing is called `{name}`"), &remedy));
            }
            (None, None) => plain.push((index, text)),
        }
    }
    if let [_, (second, _), ..] = plain[..] {
        let message = "it is not said what the second path is for".to_owned();
        return Err(wrong(second, message, "NAME=PATH for each of several"));
    }
    let Some((index, path)) = plain.pop() else {
        return Ok(bound);
    };
    let rest: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| !bound.contains_key(*name))
        .collect();
    if rest.is_empty() {
        let message = "the words have no target that it could be".to_owned();
        return Err(wrong(index, message, "leave it out"));
    }
    for name in &rest {
        bound.insert((*name).to_owned(), path_for(name, path));
    }
    let alike = rest.iter().any(|name| {
        let mut others = rest.iter().filter(|other| *other != name);
        others.any(|other| bound[*other] == bound[*name])
    });
    if alike {
        let message = format!("one path stands for {}", list(&rest));
        return Err(wrong(
            index,
            message,
            "NAME=PATH for each of them, or a folder",
        ));
    }
    Ok(bound)
}

/// The words with what is named by the value of a letter bound: `-t DIR`, or `-tDIR`.
///
/// # Errors
///
/// Those of [`rebind`].
pub fn after_letter(
    letter: &str,
    words: &[String],
    given: &[String],
    kind: Kind,
    surroundings: &dyn Surroundings,
) -> Result<Vec<String>, Vec<Diagnostic>> {
    let is_value = |index: usize| index > 0 && words[index - 1] == letter;
    let attached = |word: &str| {
        let value = word.strip_prefix(letter)?;
        (!value.is_empty()).then(|| value.to_owned())
    };
    let value = |(index, word): (usize, &String)| {
        if is_value(index) {
            Some(word.clone())
        } else {
            attached(word)
        }
    };
    let mut names: Vec<String> = words.iter().enumerate().filter_map(value).collect();
    names.sort();
    names.dedup();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let bound = rebind(given, &names, kind, surroundings)?;
    let put = |(index, word): (usize, &String)| {
        if is_value(index) {
            return bound.get(word).cloned().unwrap_or_else(|| word.clone());
        }
        let path = attached(word).and_then(|value| bound.get(&value).cloned());
        path.map_or_else(|| word.clone(), |path| format!("{letter}{path}"))
    };
    Ok(words.iter().enumerate().map(put).collect())
}

fn list(names: &[&str]) -> String {
    match names {
        [] => "no target".to_owned(),
        names => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    /// One folder and nothing else.
    struct Folder;

    impl Surroundings for Folder {
        fn size_bytes(&self, _: &Path) -> Option<u64> {
            None
        }

        fn read(&self, _: &Path) -> io::Result<String> {
            Err(io::ErrorKind::NotFound.into())
        }

        fn variable(&self, _: &str) -> Option<String> {
            None
        }

        fn is_folder(&self, path: &Path) -> bool {
            path == Path::new("/data")
        }
    }

    fn bound(given: &[&str], names: &[&str], kind: Kind) -> Result<Vec<String>, String> {
        let given: Vec<String> = given.iter().map(|&text| text.to_owned()).collect();
        let bound = rebind(&given, names, kind, &Folder);
        let bound = bound.map_err(|found| found[0].message.clone())?;
        Ok(bound.into_values().collect())
    }

    #[test]
    fn one_path_is_for_the_one_name() {
        let windows = r"r:\temp\io.dat";
        let cases = [
            (&["/x/io"][..], &[windows][..], Ok(&["/x/io"][..])),
            (&["/data"], &[windows], Ok(&["/data/io.dat"])),
            (
                &["/data"],
                &[windows, "/b"],
                Ok(&["/data/b", "/data/io.dat"]),
            ),
            (&["/data"], &["r:"], Ok(&["/data"])),
            (&[r"r:\temp\io.dat=/a=b"], &[windows], Ok(&["/a=b"])),
            (&["/b=/x", "/y"], &["/b", "/c"], Ok(&["/x", "/y"])),
            (&[], &[windows], Ok(&[])),
            (&["/x"], &["/b", "/c"], Err("one path stands for /b, /c")),
            (
                &["/data"],
                &["/b/f", "/c/f"],
                Err("one path stands for /b/f, /c/f"),
            ),
            (&["/d=/x"], &["/b"], Err("nothing is called `/d`")),
            (
                &["/x", "/y"],
                &["/b", "/c"],
                Err("it is not said what the second path is for"),
            ),
            (
                &["/b=/x", "/y"],
                &["/b"],
                Err("the words have no target that it could be"),
            ),
        ];
        for (given, names, expected) in cases {
            let expected = expected
                .map(|paths| {
                    paths
                        .iter()
                        .map(|&path| path.to_owned())
                        .collect::<Vec<_>>()
                })
                .map_err(str::to_owned);
            assert_eq!(bound(given, names, Kind::Files), expected, "{given:?}");
        }
        let folder = bound(&["/data"], &["/opt/VIODISK/"], Kind::Folders);
        assert_eq!(folder, Ok(vec!["/data".to_owned()]));
    }

    #[test]
    fn values_of_a_letter_are_put_in_their_place() {
        let words = ["-i", "1", "-t", "/opt/VIODISK/", "-t/x", "-b"].map(str::to_owned);
        let given = ["/opt/VIODISK/=/a", "/b"].map(str::to_owned);
        let put = after_letter("-t", &words, &given, Kind::Folders, &Folder);
        let expected = ["-i", "1", "-t", "/a", "-t/b", "-b"].map(str::to_owned);
        assert_eq!(put, Ok(expected.to_vec()));
    }
}
