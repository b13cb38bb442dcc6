//! Results that DISKSPD wrote, as Fathom's own.

mod load;
pub(crate) mod text;
mod threads;
pub(crate) mod xml;

use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::results::format::{Import, ResultFile};
use fathom_tools::results::place::Wrong;

/// What each part of the files says; a part comes with the lines before it.
fn each(
    files: &[ResultFile<'_>],
    parts: fn(&str) -> Vec<(usize, &str)>,
    import: fn(&ResultFile<'_>) -> Result<Import, Wrong>,
) -> Result<Vec<Import>, Vec<Diagnostic>> {
    let mut imports = Vec::new();
    for file in files {
        for (skipped, text) in parts(file.text) {
            let part = ResultFile { text, ..*file };
            imports.push(import(&part).map_err(|error| {
                let mut found = error.told();
                found.skipped.lines = skipped;
                vec![found]
            })?);
        }
    }
    Ok(imports)
}
