//! Where results go. All are opened before anything is measured, so that a bad path fails at once
//! and not after an hour.

use super::for_people;
use crate::appearance;
use crate::args::OutputSpec;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::live::HastyStderr;
use crate::terminal;
use crate::width;
use fathom_core::result::RunResult;
use fathom_device::{Door, Existing, Opened};
use fathom_report::{Format, Stored, TextOptions};
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

/// The place for a text: a file, or standard output for `-`.
#[derive(Debug)]
pub(crate) struct TextPlace(Option<OpenFile>);

impl TextPlace {
    /// Opens the place, before anything is done that takes long.
    pub(crate) fn open(path: &Path, existing: Existing) -> Result<Self, Problem> {
        let file = (path != Path::new("-"))
            .then(|| OpenFile::open(&Door::default(), path.to_owned(), existing));
        Ok(Self(file.transpose()?))
    }

    /// Writes the text; what was in the file is gone.
    pub(crate) fn write(self, text: &str) -> Result<(), Error> {
        self.stream(&|out: &mut dyn Write| out.write_all(text.as_bytes()))
    }

    /// The same of a text that is made while it is written.
    pub(crate) fn stream(
        self,
        put: &dyn Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        if let Some(mut file) = self.0 {
            let put = |out: &mut dyn Write| buffered(out, put);
            return file.replace(&put).map_err(Error::from);
        }
        let written = buffered(&mut terminal::stdout(), put);
        written.map_err(|error| Error::stdout(&error))
    }

    /// The same of a text for people, on standard output in the signs that the locale knows.
    pub(crate) fn write_words(self, text: &str) -> Result<(), Error> {
        match self.0 {
            Some(_) => self.write(text),
            None => self.write(&for_people(text)),
        }
    }
}

fn buffered(out: &mut dyn Write, put: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    put(&mut out)?;
    out.flush()
}

/// What stands for the name of the workload in a file's name.
const NAME: &str = "{name}";

/// The places for the result of one run.
#[derive(Debug)]
pub(crate) struct Sinks(Vec<Sink>);

#[derive(Debug)]
struct Sink {
    format: Format,
    /// None for standard output.
    file: Option<OpenFile>,
}

/// A file that waits for its result. What was in it stays until then.
#[derive(Debug)]
struct OpenFile {
    path: PathBuf,
    /// To be taken back if it is new and no result comes.
    opened: Option<Opened>,
    is_written: bool,
}

/// Opens all places for all workloads, one `Sinks` for each.
pub(crate) fn open(
    outputs: &[OutputSpec],
    workloads: &[&str],
    door: &Door,
    existing: Existing,
) -> Result<Vec<Sinks>, Problem> {
    let to_stdout = outputs
        .iter()
        .filter(|output| output.file.is_none())
        .count();
    if to_stdout > 1 {
        return Err(
            Problem::new(Exit::Usage, "two outputs cannot both go to standard output")
                .remedy("write one of them to a file, as in --output json:result.json"),
        );
    }
    let mut taken: Vec<PathBuf> = Vec::new();
    let mut all = Vec::new();
    for name in workloads {
        let mut sinks = Sinks(Vec::new());
        for output in outputs {
            let path = output.file.as_deref().map(|file| file_for(file, name));
            if let Some(path) = &path {
                if taken.contains(path) {
                    return Err(taken_twice(output, path, workloads.len()));
                }
                taken.push(path.clone());
            }
            sinks.0.push(Sink {
                format: output.format,
                file: path
                    .map(|path| OpenFile::open(door, path, existing))
                    .transpose()?,
            });
        }
        all.push(sinks);
    }
    Ok(all)
}

fn file_for(file: &Path, workload: &str) -> PathBuf {
    match file.to_str() {
        Some(text) => text.replace(NAME, workload).into(),
        None => file.to_owned(),
    }
}

fn taken_twice(output: &OutputSpec, path: &Path, workloads: usize) -> Problem {
    let thing = format!("{} would be written twice", path.display());
    let problem = Problem::new(Exit::Usage, thing);
    if workloads == 1 {
        return problem.remedy("use a separate file for each --output");
    }
    let (stem, extension) = match (path.file_stem(), path.extension()) {
        (Some(stem), Some(extension)) => (stem, extension.to_string_lossy()),
        (stem, _) => (stem.unwrap_or_default(), output.format.extension.into()),
    };
    let stem = stem.to_string_lossy();
    let example = path.with_file_name(format!("{stem}-{NAME}.{extension}"));
    problem
        .because("each workload has its own result")
        .remedy(format!(
            "use --output '{}:{}', or run one workload after another",
            output.format.name,
            example.display()
        ))
}

impl OpenFile {
    fn open(door: &Door, path: PathBuf, existing: Existing) -> Result<Self, Problem> {
        let opened = door.open(&path, existing).map_err(|error| {
            let thing = format!("cannot write the result to {}", path.display());
            Problem::of_door(thing, &error, Some("--replace-results"))
                .otherwise("use another file, or - for standard output")
        })?;
        Ok(Self {
            path,
            opened: Some(opened),
            is_written: false,
        })
    }

    fn write(&mut self, format: Format, result: &RunResult) -> Result<(), Problem> {
        self.replace(&|file| fathom_report::write(result, format, TextOptions::default(), file))
    }

    fn replace(&mut self, put: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> Result<(), Problem> {
        let written = self.put(put);
        written.map_err(|error| {
            Problem::new(
                Exit::Environment,
                format!("cannot write the result to {}", self.path.display()),
            )
            .because(system_words(&error))
        })
    }

    fn put(&mut self, put: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let Some(opened) = &mut self.opened else {
            return Ok(());
        };
        opened.replace(|file| put(file))?;
        self.is_written = true;
        Ok(())
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        if let (Some(opened), false) = (self.opened.take(), self.is_written) {
            opened.take_back();
        }
    }
}

impl Sinks {
    /// Whether any of them gets what traced requests waited for.
    pub(crate) fn have_blame(&self) -> bool {
        self.0.iter().any(|sink| sink.format.has_blame())
    }

    /// Writes the result everywhere; tells the first failure after having tried all, else the
    /// files that were written, each with the name of its format.
    pub(crate) fn write(
        mut self,
        result: &RunResult,
        stored: Stored,
    ) -> Result<Vec<(PathBuf, &'static str)>, Error> {
        let mut outcome = Ok(());
        let mut written = Vec::new();
        for sink in &mut self.0 {
            let done = match &mut sink.file {
                Some(file) => {
                    written.push((file.path.clone(), sink.format.name));
                    file.write(sink.format, result).map_err(Error::from)
                }
                None => write_to_stdout(sink.format, result, stored),
            };
            outcome = outcome.and(done);
        }
        outcome.map(|()| written)
    }
}

/// Says on standard error which files were written.
pub(crate) fn tell(written: &[(PathBuf, &str)]) {
    for (path, format) in written {
        // Only a note: the file is there whether it is said or not.
        let _ = writeln!(HastyStderr, "written: {} ({format})", path.display());
    }
}

fn write_to_stdout(format: Format, result: &RunResult, stored: Stored) -> Result<(), Error> {
    let options = TextOptions {
        stored,
        ..text_options(terminal::raw_stdout().is_terminal())
    };
    fathom_report::write(result, format, options, &mut terminal::stdout())
        .map_err(|error| Error::stdout(&error))
}

/// Colours and width as standard output can have them.
pub(super) fn text_options(is_terminal: bool) -> TextOptions {
    let looks = appearance::looks(is_terminal);
    TextOptions {
        color: looks.color,
        ascii: looks.ascii,
        width: width::known().unwrap_or(TextOptions::default().width),
        ..TextOptions::default()
    }
}
