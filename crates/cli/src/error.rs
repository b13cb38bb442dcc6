//! What ends a command early, and how it is said: the thing, the cause, the remedy.

use crate::exit::Exit;
use fathom_device::{DoorError, Shut};
use fathom_tools::Diagnostic;
use std::io::{self, Write};

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Error {
    /// A problem with its parts.
    Problem(Problem),
    /// A text has errors; each is drawn with its line.
    Text(Vec<Diagnostic>),
    /// Nobody reads our output any more, which is not our problem.
    BrokenPipe,
}

/// The parts of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) exit: Exit,
    /// What cannot be done, with its name.
    pub(crate) thing: String,
    /// Why.
    pub(crate) because: Option<String>,
    /// What to do instead.
    pub(crate) remedy: Option<String>,
}

impl Problem {
    pub(crate) fn new(exit: Exit, thing: impl Into<String>) -> Self {
        Self {
            exit,
            thing: thing.into(),
            because: None,
            remedy: None,
        }
    }

    pub(crate) fn because(mut self, cause: impl Into<String>) -> Self {
        self.because = Some(cause.into());
        self
    }

    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// A file that the door does not open. `replaces` names the option by which one that is there
    /// is replaced.
    pub(crate) fn of_door(
        thing: impl Into<String>,
        error: &DoorError,
        replaces: Option<&str>,
    ) -> Self {
        let exit = match error.shut {
            Shut::Target => Exit::Usage,
            _ => Exit::Environment,
        };
        Self {
            exit,
            thing: thing.into(),
            because: Some(error.cause()),
            remedy: error.remedy(replaces),
        }
    }

    /// What to do where there is no better advice.
    pub(crate) fn otherwise(mut self, remedy: &str) -> Self {
        self.remedy.get_or_insert_with(|| remedy.to_owned());
        self
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl Error {
    /// A write to standard output that failed.
    pub(crate) fn stdout(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::BrokenPipe;
        }
        Problem::new(Exit::Environment, "cannot write to standard output")
            .because(system_words(error))
            .into()
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Problem(problem) => problem.exit,
            Self::Text(_) => Exit::Usage,
            Self::BrokenPipe => Exit::Ok,
        }
    }

    /// Writes the message for a person.
    pub(crate) fn print(&self, to: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Problem(problem) => {
                writeln!(to, "error: {}", problem.thing)?;
                for (lead, part) in [
                    ("  because: ", &problem.because),
                    ("  try:     ", &problem.remedy),
                ] {
                    if let Some(part) = part {
                        writeln!(to, "{lead}{part}")?;
                    }
                }
                Ok(())
            }
            Self::Text(diagnostics) => {
                for (index, diagnostic) in diagnostics.iter().enumerate() {
                    if index > 0 {
                        writeln!(to)?;
                    }
                    writeln!(to, "{diagnostic}")?;
                }
                Ok(())
            }
            Self::BrokenPipe => Ok(()),
        }
    }
}

/// What the system said, as a fragment.
pub(crate) fn system_words(error: &io::Error) -> String {
    fragment(&error.to_string())
}

/// A message without the number that Rust adds to what the system says, and without its capital.
pub(crate) fn fragment(message: &str) -> String {
    let words = message.split(" (os error ").next().unwrap_or(message);
    let mut letters = words.chars();
    let first = letters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(error: &Error) -> String {
        let mut bytes = Vec::new();
        error.print(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_parts_stand_below_each_other() {
        let problem = Problem::new(Exit::Environment, "cannot open /x");
        assert_eq!(printed(&problem.clone().into()), "error: cannot open /x\n");
        let full = problem.because("it is not there").remedy("another path");
        assert_eq!(
            printed(&full.into()),
            "error: cannot open /x\n  because: it is not there\n  try:     another path\n"
        );
    }

    #[test]
    fn what_the_system_says_is_a_fragment() {
        let denied = io::Error::from_raw_os_error(13);
        assert_eq!(system_words(&denied), "permission denied");
        assert_eq!(fragment("it is full"), "it is full");
        assert_eq!(fragment(""), "");
    }

    #[test]
    fn a_broken_pipe_is_silent() {
        let error = Error::stdout(&io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!((printed(&error), error.exit()), (String::new(), Exit::Ok));
        let full = Error::stdout(&io::Error::from_raw_os_error(28));
        assert_eq!(
            printed(&full),
            "error: cannot write to standard output\n  because: no space left on device\n"
        );
    }
}
