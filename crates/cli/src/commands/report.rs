//! `fathom report`: one page of one or more runs.

mod names;

use super::{matrix, results, sinks, standard_input};
use crate::args::ReportArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_device::Existing;
use fathom_report::{NamedSide, html_report_of_sides, matrix_page};
use names::Side;
use std::collections::BTreeSet;
use std::path::Path;

/// Who wrote a page.
const VERSION: &str = concat!("fathom ", env!("CARGO_PKG_VERSION"));

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
        return Ok(matrix_page(&found, VERSION));
    }
    standard_input::refuse_twice(args.runs.iter().map(AsRef::as_ref))?;
    let mut groups = Vec::new();
    // The plan of a suite alone is no run, and is refused as such.
    let names = match args.runs.as_slice() {
        [_] => args.runs.clone(),
        several => results::without_plans(several),
    };
    for name in names {
        let runs = results::load_groups(std::slice::from_ref(&name), args.store.store.as_deref())?;
        groups.push((name, runs));
    }
    // As `compare` does: a side of several workloads has no verdict.
    if groups.len() > 1 && groups.iter().any(|(_, runs)| is_mixed(runs)) {
        let by_name: Vec<Vec<String>> = groups.iter().map(|(name, _)| vec![name.clone()]).collect();
        let found = matrix::gather(&by_name, &args.matrix, &[], args.store.store.as_deref())?;
        return Ok(matrix_page(&found, VERSION));
    }
    let sides = names::sides(groups);
    let sides: Vec<NamedSide<'_>> = sides.iter().map(Side::named).collect();
    Ok(html_report_of_sides(&sides))
}

/// Whether runs are of several workloads.
fn is_mixed(runs: &[RunResult]) -> bool {
    runs.iter()
        .map(RunResult::work)
        .collect::<BTreeSet<_>>()
        .len()
        > 1
}
