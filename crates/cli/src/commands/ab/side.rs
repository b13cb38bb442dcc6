//! One side of `fathom ab`: the words of a command line of ours.

use crate::args::{self, Command, ForeignCommand};
use crate::error::Problem;
use crate::exit::Exit;
use fathom_tools::shell_words;
use std::path::PathBuf;

/// The words after `fathom`.
#[derive(Clone, Debug)]
pub(super) struct Side(pub(super) Vec<String>);

impl Side {
    /// Whether its runs go into the history.
    pub(super) fn is_kept(&self) -> bool {
        !self.0.iter().any(|word| word == "--no-save")
    }

    /// The history that its runs are kept in, if one is named.
    pub(super) fn store(&self) -> Option<PathBuf> {
        let words = self.0.iter().enumerate();
        let mut named = words.filter_map(|(index, word)| match word.strip_prefix("--store") {
            Some("") => self.0.get(index + 1).map(String::as_str),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        });
        named.next().map(PathBuf::from)
    }

    /// Splits the words and checks that they are a command that measures.
    pub(super) fn parse(option: &str, text: &str) -> Result<Self, Problem> {
        let remedy = "a command as in \"run ms-oltp --target /data\"";
        let unusable = |cause: String| {
            let thing = format!("{option} is not a command line");
            Problem::new(Exit::Usage, thing)
                .because(cause)
                .remedy(remedy)
        };
        let words = shell_words(text).map_err(unusable)?;
        let command = args::parse_within(&words).map_err(unusable)?;
        let usual = ForeignCommand::NAMESAKES;
        let outputs = match &command {
            Command::Run(args) if args.workloads.len() > 1 => {
                Some("more than one workload".to_owned())
            }
            Command::Run(_) | Command::Quick(_) => None,
            Command::Foreign(command) if usual.contains(&command.args().program()) => None,
            _ => {
                let usual = usual.join(" and ");
                Some(format!("use another command: run, quick, {usual}"))
            }
        };
        match outputs {
            Some(what) => Err(unusable(format!("it has {what}"))),
            None => Ok(Self(words)),
        }
    }
}
