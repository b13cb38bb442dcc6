//! Where an answer goes: one screen, and as many formats as are asked for.

use super::sinks::{self, TextPlace, text_options};
use crate::args::{AnswerArgs, AnswerOutput, AnswerPlaces, Answered};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::terminal;
use fathom_device::Existing;
use fathom_report::{FormatOf, TextOptions};
use std::io::IsTerminal as _;
use std::path::PathBuf;

/// What makes a text of a format.
type Render<'a, T> = &'a dyn Fn(&FormatOf<T>, TextOptions) -> Result<String, Error>;

/// The places, opened before anything is measured.
#[derive(Debug)]
pub(super) struct Answers<T: 'static>(Vec<Answer<T>>);

#[derive(Debug)]
struct Answer<T: 'static> {
    format: &'static FormatOf<T>,
    /// None for standard output.
    file: Option<(PathBuf, TextPlace)>,
}

impl<T: Answered> Answers<T> {
    pub(super) fn open(args: &AnswerArgs<T>) -> Result<Self, Problem> {
        Self::at(&args.places, args.existing())
    }

    pub(super) fn at(places: &AnswerPlaces<T>, existing: Existing) -> Result<Self, Problem> {
        let places = places.all();
        let to_stdout = places.iter().filter(|place| place.file.is_none());
        if to_stdout.count() > 1 {
            return Err(
                Problem::new(Exit::Usage, "two outputs cannot both go to standard output")
                    .remedy("write one of them to a file, as in --output json:answer.json"),
            );
        }
        let open = |AnswerOutput { format, file }| -> Result<Answer<T>, Problem> {
            let file = match file {
                Some(path) => Some((path.clone(), TextPlace::open(&path, existing)?)),
                None => None,
            };
            Ok(Answer { format, file })
        };
        let opened: Result<_, Problem> = places.into_iter().map(open).collect();
        opened.map(Self)
    }

    /// Writes the answer to all of them, once.
    pub(super) fn tell(&mut self, answer: &T) -> Result<(), Error> {
        self.write(&|format, options| Ok(format.render(answer, options)))
    }

    /// Writes what `render` makes of each format to its place, once.
    pub(super) fn write(&mut self, render: Render<'_, T>) -> Result<(), Error> {
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
