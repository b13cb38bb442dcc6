//! What ends a command early, and how it is said: the thing, the cause, the remedy.

use crate::exit::Exit;
use crate::{aside, paragraph, width};
use fathom_device::{DoorError, Shut};
use fathom_tools::Diagnostic;
use std::io;

/// Where the text of a cause or a remedy begins.
const PART_COLUMN: usize = 11;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Error {
    /// A problem with its parts.
    Problem(Problem),
    /// A text has errors; each is drawn with its line.
    Text(Vec<Diagnostic>),
    /// What another program says of its words, and for a person what is wrong with them.
    Said(String, Vec<Diagnostic>),
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

    /// The parts below each other, each in lines of at most `most` columns.
    fn text(&self, lead: &str, most: Option<usize>) -> String {
        let most = most.unwrap_or(usize::MAX);
        let mut text = aside::fitted(&format!("{lead}: {}", self.thing), Some(most));
        for (lead, part) in [("because:", &self.because), ("try:", &self.remedy)] {
            if let Some(part) = part {
                text += &paragraph::hanging_within(lead, PART_COLUMN, part, most);
            }
        }
        text
    }

    /// Says it as a warning, of a command that goes on.
    pub(crate) fn warn(&self) {
        let text = self.text("warning", width::of_asides());
        aside::print(&text);
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
            Self::Text(_) | Self::Said(..) => Exit::Usage,
            Self::BrokenPipe => Exit::Ok,
        }
    }

    /// Says it to a person. Where standard error is closed, the status alone has to say it.
    pub(crate) fn say(&self) {
        let text = self.text(width::of_asides());
        aside::print(&text);
    }

    /// The message, in lines of at most `most` columns, the width of the terminal.
    fn text(&self, most: Option<usize>) -> String {
        match self {
            Self::Problem(problem) => problem.text("error", most),
            Self::Text(diagnostics) => {
                let texts = diagnostics.iter().map(|one| drawn(one, most));
                texts.collect::<Vec<_>>().join("\n")
            }
            // Programs look for the words of the other one, and not for more.
            Self::Said(said, diagnostics) => {
                let texts = diagnostics.iter().map(|one| drawn(one, most));
                let ours = most.map(|_| texts.collect::<Vec<_>>().join("\n"));
                said.clone() + &ours.unwrap_or_default()
            }
            Self::BrokenPipe => String::new(),
        }
    }
}

fn drawn(diagnostic: &Diagnostic, most: Option<usize>) -> String {
    most.map_or_else(|| diagnostic.to_string(), |most| diagnostic.within(most)) + "\n"
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
        error.text(None)
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
    fn a_narrow_terminal_breaks_the_parts() {
        let problem = Problem::new(Exit::Usage, "there is no such thing on this machine")
            .because("nobody has made one")
            .remedy("another thing");
        let expected = "\
error: there is no such
  thing on this machine
  because: nobody has
           made one
  try:     another thing
";
        assert_eq!(Error::from(problem).text(Some(24)), expected);
    }

    #[test]
    fn a_person_is_told_more_than_what_another_program_says() {
        let found = Diagnostic {
            severity: fathom_tools::Severity::Error,
            message: "too small".to_owned(),
            file: "command line".into(),
            text: "dd bs=0".into(),
            skipped: fathom_tools::Skipped::default(),
            span: 3..7,
            suggestion: None,
            remedy: None,
        };
        let error = Error::Said("dd: invalid number: ‘0’\n".to_owned(), vec![found]);
        assert_eq!(printed(&error), "dd: invalid number: ‘0’\n");
        let expected = "\
dd: invalid number: ‘0’
error: too small
 --> command line:1:4
  |
1 | dd bs=0
  |    ^^^^
";
        assert_eq!(error.text(Some(80)), expected);
        assert_eq!(error.exit(), Exit::Usage);
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
