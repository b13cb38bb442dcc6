//! `fathom import`: results that other programs have written.

use super::sinks;
use crate::args::ImportArgs;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_dialect::results::{self, ResultFile};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

pub(crate) fn run(args: &ImportArgs) -> Result<Exit, Error> {
    let paths: Vec<&Path> = args.results.iter().map(AsRef::as_ref).collect();
    let results = load(&paths, args.quiet)?;
    let names: Vec<&str> = results
        .iter()
        .map(|result| result.provenance.workload.name.as_str())
        .collect();
    let sinks = sinks::open(&args.output, &names, &[])?;
    for (result, sinks) in results.iter().zip(sinks) {
        sinks.write(result)?;
    }
    Ok(Exit::Ok)
}

/// The results in files of other programs, judged. What is left out of them is noted on standard
/// error, unless `quiet`.
pub(crate) fn load(paths: &[&Path], quiet: bool) -> Result<Vec<RunResult>, Error> {
    if paths.iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(Problem::new(Exit::Usage, "standard input is named twice")
            .remedy("one of the results in a file")
            .into());
    }
    let mut texts = Vec::new();
    for path in paths {
        texts.push((name(path), read(path)?));
    }
    let files: Vec<ResultFile<'_>> = texts
        .iter()
        .map(|(name, text)| ResultFile { name, text })
        .collect();
    let imports = results::read(&files).map_err(Error::Text)?;
    let mut results = Vec::new();
    for import in imports {
        if !quiet {
            for note in &import.notes {
                // Where standard error is closed, there is nobody to tell.
                let _ = writeln!(io::stderr(), "note: {note}");
            }
        }
        let mut result = import.result;
        fathom_verdict::judge(&mut result);
        results.push(result);
    }
    Ok(results)
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn name(path: &Path) -> String {
    if is_stdin(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

fn read(path: &Path) -> Result<String, Problem> {
    let cannot = |cause: String| {
        let thing = format!("cannot read a result from {}", name(path));
        Problem::new(Exit::Environment, thing).because(cause)
    };
    let bytes = if is_stdin(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|error| cannot(system_words(&error)))?;
    results::decode(bytes).map_err(|cause| cannot(cause.to_owned()))
}
