//! `fathom explain`: what a pasted result shows, what is wrong with it, and what decides.

use super::answers::Answers;
use super::{ab, standard_input};
use crate::args::{Command, PasteArgs};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_device::input;
use fathom_explain::explanation::{Explanation, explain_against, explain_with};
use fathom_explain::{Importer, quoted};
use fathom_programs::read_results;
use fathom_tools::results::ResultFile;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Bytes of a paste that are read: more than any output, less than a dump.
const MOST_BYTES: u64 = 256 << 20;

pub(crate) fn run(args: &PasteArgs) -> Result<Exit, Error> {
    let mut answers = Answers::open(&args.answer)?;
    let files = if args.files.is_empty() {
        vec![PathBuf::from("-")]
    } else {
        args.files.clone()
    };
    let all = files.iter().chain(&args.against);
    standard_input::refuse_twice(all.map(|file| file.as_os_str()))?;
    let parts = files
        .iter()
        .map(|file| Ok((file.display().to_string(), read(file)?)))
        .collect::<Result<Vec<Part>, Problem>>()?;
    let bytes = parts
        .iter()
        .map(|(_, bytes)| bytes.as_slice())
        .collect::<Vec<_>>()
        .join(&b'\n');
    let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
    let names = names.join(", ");
    let imported = |text: &str| match parts.as_slice() {
        [_] => import(text, &names),
        parts => import_all(parts),
    };
    let explanation = match &args.against {
        Some(other) => {
            let name = other.display().to_string();
            let imports: [Importer<'_>; 2] = [&imported, &|text| import(text, &name)];
            explain_against(&bytes, &read(other)?, [&names, &name], imports)
        }
        None => explain_with(&bytes, &names, args.purpose, &imported),
    };
    answers.tell(&explanation)?;
    match &args.target {
        Some(target) => decide(&explanation, target),
        None => Ok(Exit::Ok),
    }
}

/// Results of our own, and those that `fathom import` reads. Logs of fio are known by their names.
fn import(text: &str, name: &str) -> Vec<RunResult> {
    match own(text) {
        Some(own) => vec![own],
        None => results(&[ResultFile { name, text }]),
    }
}

fn own(text: &str) -> Option<RunResult> {
    let is_document = text.trim_start().starts_with('{');
    is_document.then(|| RunResult::from_json(text).ok())?
}

/// The name of a file, and its bytes.
type Part = (String, Vec<u8>);

/// Several files, of which logs of one run are one result.
fn import_all(parts: &[Part]) -> Vec<RunResult> {
    let texts: Vec<_> = parts
        .iter()
        .map(|(name, bytes)| (name.as_str(), String::from_utf8_lossy(bytes)))
        .collect();
    let mut found: Vec<RunResult> = texts.iter().filter_map(|(_, text)| own(text)).collect();
    let others = texts.iter().filter(|(_, text)| own(text).is_none());
    let others: Vec<_> = others
        .map(|(name, text)| ResultFile { name, text })
        .collect();
    found.extend(results(&others));
    found
}

fn results(files: &[ResultFile<'_>]) -> Vec<RunResult> {
    let read = read_results(files).unwrap_or_default();
    read.into_iter().map(|one| one.result).collect()
}

/// Runs both loads of the experiment in turn. The words are ours, made from numbers and from names
/// of profiles: nothing of a paste is among them.
fn decide(explanation: &Explanation, target: &Path) -> Result<Exit, Error> {
    let pair = explanation
        .contrast
        .as_ref()
        .and_then(|contrast| contrast.fathom.as_ref());
    let Some([first, second]) = pair else {
        return Err(
            Problem::new(Exit::Usage, "no experiment decides between these two")
                .because("they do not differ in anything that fathom can vary")
                .remedy("compare two results with different settings")
                .into(),
        );
    };
    let side = |command: &str| {
        let words = command.split(' ').skip(1);
        let words = words.map(|word| match word {
            "PATH" => quoted(&target.display().to_string()),
            word => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let words = ["fathom", "ab", "--a", &side(first), "--b", &side(second)];
    match crate::args::parse(words) {
        Ok(cli) => match &cli.command {
            Command::Ab(args) => ab::run(args),
            _ => Ok(Exit::Defect),
        },
        Err(refusal) => Ok(crate::args::refuse(&refusal)),
    }
}

/// The bytes of a file, or of a command line that is no file.
fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    let text = path.to_string_lossy();
    if text.contains(' ') && !path.exists() {
        return Ok(text.into_owned().into_bytes());
    }
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        let input = standard_input::once()?;
        input.take(MOST_BYTES + 1).read_to_end(&mut bytes)
    } else {
        input::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
    };
    match read {
        Ok(_) if bytes.len() as u64 > MOST_BYTES => {
            let thing = format!("{} is too large to be a pasted output", path.display());
            Err(Problem::new(Exit::Usage, thing)
                .because("it has more than 256 MiB")
                .remedy("use the part with the output"))
        }
        Ok(_) => Ok(bytes),
        Err(error) => {
            let thing = format!("cannot read {}", path.display());
            Err(Problem::new(Exit::Environment, thing)
                .because(system_words(&error))
                .remedy("use a file with an output, or - for standard input"))
        }
    }
}
