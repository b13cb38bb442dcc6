//! `fathom report`: one page of one or more runs.

use super::{matrix, results, sinks};
use crate::args::ReportArgs;
use crate::error::Error;
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_core::selector::RunSelector;
use fathom_device::Existing;
use fathom_report::{NamedRun, html_report, matrix_page};

pub(crate) fn run(args: &ReportArgs) -> Result<Exit, Error> {
    let place =
        sinks::TextPlace::open(&args.output, Existing::replaced_if(args.replace.overwrite))?;
    let page = page(args)?;
    place.write(&page)?;
    if args.output.as_os_str() != "-" {
        sinks::tell(&[(args.output.clone(), "html")]);
    }
    Ok(Exit::Ok)
}

/// The page of the runs, or of all of them in one table.
fn page(args: &ReportArgs) -> Result<String, Error> {
    let is_of_suites = args.runs.len() > 1 && matrix::is_meant(&args.runs);
    if args.matrix.matrix || args.matrix.by.is_some() || is_of_suites {
        let groups: Vec<Vec<String>> = args.runs.iter().map(|name| vec![name.clone()]).collect();
        let store = args.store.store.as_deref();
        let found = matrix::gather(&groups, &args.matrix, &[], store)?;
        let version = concat!("fathom ", env!("CARGO_PKG_VERSION"));
        return Ok(matrix_page(&found, version));
    }
    let results = results::load_groups(&args.runs, args.store.store.as_deref())?;
    let labels = labels(&args.runs, &results);
    let named = results.iter().zip(&labels);
    let runs: Vec<NamedRun<'_>> = named
        .map(|(result, label)| NamedRun { label, result })
        .collect();
    Ok(html_report(&runs))
}

/// What the runs are called beside each other: as the user called them where that tells them
/// apart, else by the digits of their ids.
fn labels(names: &[String], results: &[RunResult]) -> Vec<String> {
    let digits = |result: &RunResult| {
        let (_, digits) = result
            .run_id
            .split_once('-')
            .unwrap_or(("", &result.run_id));
        digits.chars().take(6).collect::<String>()
    };
    // A bundle gives several runs for one name.
    if names.len() == results.len() {
        let pairs = names.iter().zip(results);
        let called: Vec<String> = pairs
            .map(|(name, result)| called(name).unwrap_or_else(|| digits(result)))
            .collect();
        let unlike = |(index, label): (usize, &String)| !called[..index].contains(label);
        if called.iter().enumerate().all(unlike) {
            return called;
        }
    }
    let by_digits: Vec<String> = results.iter().map(digits).collect();
    let unlike = |(index, label): (usize, &String)| !by_digits[..index].contains(label);
    if by_digits.iter().enumerate().all(unlike) {
        return by_digits;
    }
    results.iter().map(|result| result.run_id.clone()).collect()
}

/// The user's own word for a run: the stem of a file, a tag.
fn called(name: &str) -> Option<String> {
    match name.parse() {
        Ok(RunSelector::File(path)) => Some(path.file_stem()?.to_string_lossy().into_owned()),
        Ok(RunSelector::Tag(tag)) => Some(tag),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;

    fn runs(ids: &[&str]) -> Vec<RunResult> {
        let run = |id: &&str| {
            let mut run = fixture::random_read();
            run.run_id = format!("20260301T120000Z-{id}");
            run
        };
        ids.iter().map(run).collect()
    }

    #[test]
    fn runs_are_called_as_the_user_called_them() {
        let two = runs(&["7f3a9c44e0b2", "81d2aa00ffee"]);
        let cases: [(&[&str], [&str; 2]); 4] = [
            (&["a/before.json", "tag:after"], ["before", "after"]),
            (&["a/x.json", "b/x.json"], ["7f3a9c", "81d2aa"]),
            (&["@latest", "81d"], ["7f3a9c", "81d2aa"]),
            (&["bundle.json"], ["7f3a9c", "81d2aa"]),
        ];
        for (names, expected) in cases {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(labels(&names, &two), expected);
        }
        let same = runs(&["7f3a9c44e0b2", "7f3a9c00ffee"]);
        let ids: Vec<String> = same.iter().map(|run| run.run_id.clone()).collect();
        assert_eq!(labels(&["@latest".into(), "7f3".into()], &same), ids);
    }
}
