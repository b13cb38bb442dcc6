//! Commands whose options are defined where they are asked for: all of them take longer to define
//! than one takes to read.

use clap::error::Error;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::cell::RefCell;
use std::ffi::OsString;
use std::ops::Deref;

thread_local! {
    /// The words that name the commands to define; none of them limits nothing.
    static WORDS: RefCell<Option<Vec<OsString>>> = const { RefCell::new(None) };
}

/// What is defined where only commands among these words have options.
pub(super) fn among(words: &[OsString], define: impl FnOnce() -> Command) -> Command {
    WORDS.set(Some(words.to_vec()));
    let command = define();
    WORDS.set(None);
    command
}

/// The arguments of a command.
#[derive(Debug)]
pub(crate) struct OnDemand<T>(pub(crate) Box<T>);

impl<T> Deref for OnDemand<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Args> Args for OnDemand<T> {
    fn augment_args(command: Command) -> Command {
        let is_named = |words: &Vec<OsString>| words.iter().any(|word| word == command.get_name());
        if WORDS.with_borrow(|words| words.as_ref().is_none_or(is_named)) {
            T::augment_args(command)
        } else {
            command
        }
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

impl<T: FromArgMatches> FromArgMatches for OnDemand<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(|args| Self(Box::new(args)))
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(|args| Self(Box::new(args)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
