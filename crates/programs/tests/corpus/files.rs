//! The files of a corpus, and what becomes of each.

use crate::outcome::Translated;
use fathom_tools::native;
use std::path::{Path, PathBuf};

/// The files of a folder of the corpus, each with its name.
pub(crate) fn files(folder: &str) -> Vec<(String, String)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let entries = std::fs::read_dir(corpus.join(folder)).expect("a folder");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    assert_ne!(paths, Vec::<PathBuf>::new());
    let read = |path: &PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy();
        let text = std::fs::read_to_string(path).expect("a text");
        (name.into_owned(), text)
    };
    paths.iter().map(read).collect()
}

/// All that is said about a file. Its workload is the same when it was printed and read again.
pub(crate) fn drawn(name: &str, outcome: Translated) -> String {
    match outcome {
        Ok(translation) => {
            let notes = translation.notes.iter().map(|note| format!("{note}\n"));
            let notes: String = notes.collect();
            let printed = native::print(&translation.workload);
            let again = native::parse(&printed, "printed.toml");
            assert_eq!(again, Ok(translation.workload), "{name}");
            format!("{notes}{printed}")
        }
        Err(errors) => {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            errors.join("\n")
        }
    }
}
