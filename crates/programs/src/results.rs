//! The results of all programs, and the files of them that belong together.

use crate::PROGRAMS;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::results::{Import, ResultFile, ResultFormat, place};

/// All formats.
pub fn result_formats() -> impl DoubleEndedIterator<Item = &'static ResultFormat> {
    PROGRAMS.iter().flat_map(|program| program.results)
}

/// The format that is surest of a text, if any is.
pub fn detect_result(file: &str, text: &str) -> Option<&'static ResultFormat> {
    let surest = result_formats()
        .map(|format| ((format.detect)(file, text), format))
        .rev()
        .max_by_key(|(confidence, _)| *confidence)?;
    (surest.0 > 0).then_some(surest.1)
}

/// Reads files of any formats; those that are one result are put together. The results are in the
/// order of the files.
///
/// # Errors
///
/// All that is wrong with any of the files.
pub fn read_results(files: &[ResultFile<'_>]) -> Result<Vec<Import>, Vec<Diagnostic>> {
    let mut groups: Vec<(&'static ResultFormat, Option<String>, Vec<ResultFile<'_>>)> = Vec::new();
    let mut errors = Vec::new();
    for file in files {
        let Some(format) = detect_result(file.name, file.text) else {
            errors.push(unknown(file));
            continue;
        };
        let set = format.set.map(|set| set(file.name));
        let same = groups
            .iter_mut()
            .find(|group| set.is_some() && group.0.name == format.name && group.1 == set);
        match same {
            Some(group) => group.2.push(*file),
            None => groups.push((format, set, vec![*file])),
        }
    }
    let mut imports = Vec::new();
    for (format, _, files) in groups {
        match (format.parse)(&files) {
            Ok(read) => imports.extend(read),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() {
        Ok(imports)
    } else {
        Err(errors)
    }
}

fn unknown(file: &ResultFile<'_>) -> Diagnostic {
    let names: Vec<&str> = result_formats().map(|format| format.name).collect();
    let remedy = format!(
        "the formats are {}; logs are known by their names, as in x_lat.1.log",
        names.join(", ")
    );
    place::line_of(file, 0, "this is no result that can be read", &remedy).told()
}
