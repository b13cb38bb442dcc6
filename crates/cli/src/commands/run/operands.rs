//! The words of `fathom run` that are no options: workloads, or targets of a load that options
//! describe.

use crate::args::{RunArgs, TargetArg, is_of_rw};
use crate::commands::selection;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::spec::Workload;
use fathom_tools::{native, profiles};
use std::path::Path;

/// The load without a name, which options change.
const CUSTOM: &str = r#"
name = "custom"
description = "The load that the options describe"
size = "1GiB"
block_size = "4KiB"
"#;

/// A file that is longer is no workload.
const MOST_WORKLOAD_BYTES: u64 = 1 << 20;

/// What is measured, and where.
pub(super) struct Operands {
    pub(super) workloads: Vec<Workload>,
    pub(super) targets: Vec<TargetArg>,
}

/// Reads all words.
///
/// # Errors
///
/// A word that is no workload; also a target in addition to a workload.
pub(super) fn read(args: &RunArgs) -> Result<Operands, Error> {
    let overrides = &args.options.overrides;
    // That is --rw, or both of what it says.
    let is_described = overrides.has("read") && overrides.has("random");
    let is_bare = is_described && args.target.is_empty();
    let is_path =
        |name: &str| is_bare && (is_place(name) || !Path::new(name).exists() && name.contains('/'));
    let (paths, names): (Vec<&String>, Vec<&String>) = args
        .workloads
        .iter()
        .partition(|name| !is_load(name) && (is_target(name) || is_path(name)));
    if let Some(path) = paths.first()
        && !(is_described && names.is_empty())
    {
        return Err(misplaced(path, names.first().map(|name| name.as_str())).into());
    }
    if let Some(word) = names.iter().find(|name| is_of_rw(name)) {
        let thing = format!("there is no profile `{word}`");
        let remedy = format!("`fathom run --rw {word} DIR`");
        return Err(Problem::new(Exit::Usage, thing).remedy(remedy).into());
    }
    let mut workloads = names
        .into_iter()
        .map(|name| selection::workload(name))
        .collect::<Result<Vec<_>, _>>()?;
    if workloads.is_empty() && args.replay.replay.is_none() {
        workloads.push(native::parse(CUSTOM, "the load of --rw").map_err(Error::Text)?);
    }
    if let Some(path) = paths.iter().find(|path| is_workload_file(path)) {
        let thing = format!("{path} may be a workload or a target");
        let problem = Problem::new(Exit::Usage, thing).because("it is a file with a workload");
        let remedy = format!("--target {path} to measure there; omit --rw to run the workload");
        return Err(problem.remedy(remedy).into());
    }
    let typed = paths.into_iter().map(|path| {
        let Ok(target) = path.parse();
        target
    });
    let targets = args.target.iter().cloned().chain(typed).collect();
    Ok(Operands { workloads, targets })
}

fn is_load(name: &str) -> bool {
    profiles::find(name).is_some() || Path::new(name).extension().is_some_and(|end| end == "toml")
}

/// Whether a word cannot be a workload, but a target. A shell gives its pipes as `/dev/fd`.
fn is_target(name: &str) -> bool {
    let is_pipe = ["/dev/fd/", "/dev/stdin"]
        .iter()
        .any(|begin| name.starts_with(begin));
    let is_device = name.starts_with("/dev/") && !is_pipe;
    is_device
        || name.starts_with("serial:")
        || fathom_platform::is_device_name(Path::new(name))
        || Path::new(name).is_dir()
}

/// Whether there is something that can be measured. A pipe cannot; it may carry a workload.
fn is_place(name: &str) -> bool {
    let kind = std::fs::metadata(name).map(|meta| meta.file_type());
    // A disk of Windows has no attributes of a file.
    fathom_platform::is_device_name(Path::new(name))
        || kind.is_ok_and(|kind| kind.is_file() || kind.is_dir() || is_target(name))
}

/// Whether a regular file holds a workload, which nobody means to overwrite.
fn is_workload_file(name: &str) -> bool {
    let meta = std::fs::metadata(name);
    let is_small = meta.is_ok_and(|meta| meta.is_file() && meta.len() <= MOST_WORKLOAD_BYTES);
    is_small && selection::workload(name).is_ok()
}

fn misplaced(path: &str, workload: Option<&str>) -> Problem {
    let problem = Problem::new(Exit::Usage, format!("{path} is a target, not a workload"));
    match workload {
        Some(workload) => problem.remedy(format!("`fathom run {workload} --target {path}`")),
        None => problem.because("the workload is missing").remedy(format!(
            "`fathom run random-read-4k --target {path}`, or `fathom quick {path}`"
        )),
    }
}
