//! Where the report of a suite goes in addition to its folder.

use crate::args::{Formats as _, SuiteArgs, SuiteFormat};
use crate::commands::print;
use crate::commands::sinks::{self, TextPlace};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::terminal;
use fathom_device::Existing;
use fathom_report::TextOptions;
use std::io::IsTerminal as _;
use std::path::PathBuf;

/// The places, opened before anything is measured.
#[derive(Debug)]
pub(super) struct Outputs(Vec<OutputFile>);

#[derive(Debug)]
struct OutputFile {
    format: SuiteFormat,
    /// None for standard output.
    file: Option<(PathBuf, TextPlace)>,
}

impl Outputs {
    pub(super) fn open(args: &SuiteArgs) -> Result<Self, Problem> {
        let to_stdout = args.output.iter().filter(|place| place.file.is_none());
        if to_stdout.count() > 1 {
            return Err(
                Problem::new(Exit::Usage, "two outputs cannot both go to standard output")
                    .remedy("name a file for one of them, as in --output html:suite.html"),
            );
        }
        let existing = Existing::replaced_if(args.safety.overwrite || args.safety.replace_results);
        let places = args.output.iter().map(|one| {
            let file = match &one.file {
                Some(path) => Some((path.clone(), TextPlace::open(path, existing)?)),
                None => None,
            };
            Ok(OutputFile {
                format: one.format,
                file,
            })
        });
        places.collect::<Result<_, Problem>>().map(Self)
    }

    /// Writes the report to all of them, and the text to standard output where nothing else goes
    /// there.
    pub(super) fn tell(
        self,
        args: &SuiteArgs,
        rendered: impl Fn(SuiteFormat, TextOptions) -> String,
    ) -> Result<(), Error> {
        let is_printed = self.0.iter().any(|place| place.file.is_none());
        let mut written = Vec::new();
        let is_alone = self.0.is_empty();
        for OutputFile { format, file } in self.0 {
            match file {
                Some((path, place)) => {
                    place.write(&rendered(format, TextOptions::default()))?;
                    written.push((path, format.name()));
                }
                None => {
                    print(&rendered(format, here()))?;
                }
            }
        }
        if !is_printed && (is_alone || !args.quiet) {
            print(&rendered(SuiteFormat::Text, here()))?;
        }
        if !args.quiet {
            sinks::tell(&written);
        }
        Ok(())
    }
}

/// The looks of standard output.
fn here() -> TextOptions {
    sinks::text_options(terminal::raw_stdout().is_terminal())
}
