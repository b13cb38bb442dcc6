//! `fathom report`: one page of one or more runs.

use super::{matrix, results, sinks};
use crate::args::ReportArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_core::selector::RunSelector;
use fathom_device::Existing;
use fathom_report::{NamedRun, html_report, matrix_page};
use std::path::Path;

pub(crate) fn run(args: &ReportArgs) -> Result<Exit, Error> {
    refuse_other_formats(&args.output)?;
    let place =
        sinks::TextPlace::open(&args.output, Existing::replaced_if(args.replace.overwrite))?;
    let page = page(args)?;
    place.write(&page)?;
    if args.output.as_os_str() != "-" {
        sinks::tell(&[(args.output.clone(), "html")]);
    }
    Ok(Exit::Ok)
}

/// Refuses a file whose name promises another format than a page: by its end, as a format alone,
/// or as a format and a file.
fn refuse_other_formats(file: &Path) -> Result<(), Problem> {
    let name = file.to_str().unwrap_or_default();
    let (format, path) = name.split_once(':').unwrap_or((name, "run"));
    let extension = file.extension().and_then(|end| end.to_str());
    let others = || fathom_report::formats().filter(|format| format.name != "html");
    let is_format = format == "pdf" || others().any(|other| other.name == format);
    let is_other = others().any(|other| Some(other.extension) == extension);
    if !is_format && !is_other && extension != Some("pdf") {
        return Ok(());
    }
    let page = if is_format { Path::new(path) } else { file };
    let page = page.with_extension("html");
    let page = page.display();
    let remedy = if format == "pdf" || extension == Some("pdf") {
        format!("use -o {page}, and print it to PDF in a browser")
    } else {
        format!("`fathom show RUN -o {name}`, or -o {page}")
    };
    let thing = format!("`{name}` is not the name of an HTML page");
    let problem = Problem::new(Exit::Usage, thing).because("`fathom report` writes HTML");
    Err(problem.remedy(remedy))
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

/// What the runs of one page are called: as the user called them, else by the first of disk,
/// path, workload, host and start that tells them apart, else by their ids.
fn labels(names: &[String], results: &[RunResult]) -> Vec<String> {
    // A bundle gives several runs for one name.
    let is_each_named = names.len() == results.len();
    let named: Vec<Option<String>> = if is_each_named {
        names.iter().map(|name| called(name)).collect()
    } else {
        vec![None; results.len()]
    };
    let apart: [fn(&RunResult) -> String; 6] = [
        |run| run.provenance.disk(),
        |run| run.provenance.place(),
        |run| run.provenance.workload.name.clone(),
        |run| run.provenance.host.hostname.clone(),
        |run| run.provenance.started_at.clone(),
        |run| run.run_id.clone(),
    ];
    let label = |named: &[Option<String>], word: fn(&RunResult) -> String| -> Vec<String> {
        let pairs = named.iter().zip(results);
        pairs
            .map(|(name, run)| name.clone().unwrap_or_else(|| word(run)))
            .collect()
    };
    let is_apart = |labels: &Vec<String>| {
        let mut labels = labels.iter().enumerate();
        let all = labels.clone();
        !labels.any(|(index, label)| {
            label.is_empty() || all.clone().take(index).any(|(_, other)| other == label)
        })
    };
    let unnamed = vec![None; results.len()];
    let mut tries = [&named, &unnamed]
        .into_iter()
        .flat_map(|named| apart.iter().map(|word| label(named, *word)));
    tries
        .find(is_apart)
        .unwrap_or_else(|| results.iter().map(|run| run.run_id.clone()).collect())
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
        let mut two = runs(&["7f3a9c44e0b2", "81d2aa00ffee"]);
        two[1].provenance.targets[0].path = "/mnt/fathom-data.dat".to_owned();
        let cases: [(&[&str], [&str; 2]); 4] = [
            (&["a/before.json", "tag:after"], ["before", "after"]),
            (&["a/x.json", "b/x.json"], ["/data", "/mnt"]),
            (&["@latest", "81d"], ["/data", "/mnt"]),
            (&["bundle.json"], ["/data", "/mnt"]),
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
