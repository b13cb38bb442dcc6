//! The lines of the corpus as words, and the files that they speak of.

use fathom_tools::Surroundings;
use std::io;
use std::path::Path;

/// A file of the corpus.
pub(crate) fn corpus(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/diskspd");
    std::fs::read_to_string(format!("{folder}/{name}")).expect(name)
}

/// A line as a shell splits it: what follows `>` is the shell's. A profile that stands alone is
/// one that leaves no target open.
pub(crate) fn words(line: &str) -> Vec<String> {
    let line = match line.strip_suffix("-Xprofile.xml") {
        Some(program) => format!("{program}-Xwhole.xml"),
        None => line.to_owned(),
    };
    let line = line.split(" > ").next().unwrap_or_default();
    line.split_whitespace().map(str::to_owned).collect()
}

/// The lines that are no remarks.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
}

/// The words with paths of Windows and bare names put into `/data`.
pub(crate) fn on_linux(words: &[String]) -> Vec<String> {
    let path = |word: &String| {
        let name = word.rsplit(['\\', ':']).next().unwrap_or(word);
        let is_path = !word.starts_with(['-', '/', '#', '*']);
        if is_path {
            format!("/data/{name}")
        } else {
            word.clone()
        }
    };
    let program = words.first().cloned();
    program
        .into_iter()
        .chain(words.iter().skip(1).map(path))
        .collect()
}

/// A machine with 10 GiB files in `/data` and the profiles of the corpus.
pub(crate) struct Lab;

impl Surroundings for Lab {
    fn size_bytes(&self, path: &Path) -> Option<u64> {
        let name = path.file_name()?.to_str()?;
        let known = path.starts_with("/data") || path.starts_with("/dev");
        let missing = ["new.dat", "none.dat"].contains(&name) || name.ends_with(',');
        (known && !missing).then_some(10 << 30)
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        match path.to_str() {
            Some(name @ ("mixed.xml" | "broken.xml")) => Ok(corpus(name)),
            // As the wiki means it: with a place for each of its two targets.
            Some("profile.xml") => Ok(corpus("mixed.xml").replace("/data/io.dat", "*2")),
            Some("whole.xml") => Ok(corpus("mixed.xml").replace("*1", "/data/io.dat")),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }
}
