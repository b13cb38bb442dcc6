//! Where the answer of a comparison goes: one screen, and as many formats as are asked for.

use super::sinks::{self, TextPlace, text_options};
use crate::args::{CompareOutput, RefereeArgs};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::terminal;
use fathom_device::Existing;
use fathom_report::{ComparisonFormat, TextOptions};
use fathom_verdict::compare::Comparison;
use std::io::IsTerminal as _;
use std::path::PathBuf;

/// The places, opened before anything is measured.
#[derive(Debug)]
pub(super) struct Answers(Vec<Answer>);

#[derive(Debug)]
struct Answer {
    format: &'static ComparisonFormat,
    /// None for standard output.
    file: Option<(PathBuf, TextPlace)>,
}

impl Answers {
    pub(super) fn open(args: &RefereeArgs) -> Result<Self, Problem> {
        let places = args.places();
        let to_stdout = places.iter().filter(|place| place.file.is_none());
        if to_stdout.count() > 1 {
            return Err(
                Problem::new(Exit::Usage, "two outputs cannot both go to standard output")
                    .remedy("write one of them to a file, as in --output json:answer.json"),
            );
        }
        let existing = Existing::replaced_if(args.replace.overwrite);
        let open = |CompareOutput { format, file }| -> Result<Answer, Problem> {
            let file = match file {
                Some(path) => Some((path.clone(), TextPlace::open(&path, existing)?)),
                None => None,
            };
            Ok(Answer { format, file })
        };
        let opened: Result<_, Problem> = places.into_iter().map(open).collect();
        opened.map(Self)
    }

    /// Writes a comparison to all of them, once.
    pub(super) fn tell(&mut self, comparison: &Comparison) -> Result<(), Error> {
        self.write(&|format, options| Ok(format.render(comparison, options)))
    }

    /// Writes what `render` makes of each format to its place, once.
    pub(super) fn write(
        &mut self,
        render: &dyn Fn(&ComparisonFormat, TextOptions) -> Result<String, Error>,
    ) -> Result<(), Error> {
        let mut written = Vec::new();
        for Answer { format, file } in self.0.drain(..) {
            if let Some((path, place)) = file {
                place.write(&render(format, TextOptions::default())?)?;
                written.push((path, format.name));
            } else {
                let options = text_options(terminal::raw_stdout().is_terminal());
                super::print(&render(format, options)?)?;
            }
        }
        sinks::tell(&written);
        Ok(())
    }
}
