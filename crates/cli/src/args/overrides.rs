//! Options that change the workload itself, made of the rows of its fields.

use super::seconds::seconds;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use fathom_core::spec::fields::{Field, Kind, Opt, ValueForm, Word, options};
use fathom_core::{Bytes, Nanos, Percent, Rate};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;

/// Changes to the workload, applied to all of its phases and jobs: the options that were given, by
/// name, with their values as a specification has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OverrideArgs {
    given: BTreeMap<&'static str, Value>,
}

impl OverrideArgs {
    /// The value of an option, if it was given.
    pub(crate) fn get<T: DeserializeOwned>(&self, option: &'static str) -> Option<T> {
        serde_json::from_value(self.value(option)?.clone()).ok()
    }

    /// As [`get`](Self::get), as it is.
    pub(crate) fn value(&self, option: &'static str) -> Option<&Value> {
        debug_assert!(is_option(option), "no option is called --{option}");
        self.given.get(option)
    }

    /// Whether an option was given.
    pub(crate) fn has(&self, option: &'static str) -> bool {
        self.value(option).is_some()
    }

    /// The same with an option given, if there is a value for it.
    pub(crate) fn with(mut self, option: &'static str, value: Option<impl Serialize>) -> Self {
        debug_assert!(is_option(option), "no option is called --{option}");
        let value = value.and_then(|value| serde_json::to_value(value).ok());
        if let Some(value) = value {
            self.given.insert(option, value);
        }
        self
    }

    /// The same without an option.
    pub(crate) fn without(mut self, option: &'static str) -> Self {
        self.given.remove(option);
        self
    }
}

fn is_option(name: &str) -> bool {
    options().iter().any(|(_, option)| option.name == name)
}

impl Args for OverrideArgs {
    fn augment_args(command: Command) -> Command {
        let command = command.next_help_heading("Changes to the workload");
        let command = command.arg(rw());
        options()
            .into_iter()
            .fold(command, |command, (field, option)| {
                let command = command.arg(arg(field, option));
                match option.negative {
                    None => command,
                    Some((name, help)) => {
                        command.arg(flag(name).help(help).overrides_with(option.name))
                    }
                }
            })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OverrideArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for (field, option) in options() {
            if let Some(value) = given(matches, field, option) {
                self.given.insert(option.name, value);
            }
        }
        let rw = matches.get_one::<String>(RW);
        if let Some((_, read, random)) =
            rw.and_then(|word| WORDS_OF_RW.iter().find(|of| of.0 == word))
        {
            let share = |is_all: &f64| serde_json::to_value(Percent(*is_all)).unwrap_or_default();
            self.given.insert("read", share(read));
            self.given.insert("random", share(random));
        }
        Ok(())
    }
}

/// Options that fio has too, and what it calls them.
const OF_FIO: [(&str, &str); 4] = [
    ("time", "runtime"),
    ("block-size", "bs"),
    ("queue-depth", "iodepth"),
    ("threads", "numjobs"),
];

/// fio's word for the direction and the order of requests.
const RW: &str = "rw";

/// Its values: each is a share of reads and a share of random requests, percent.
const WORDS_OF_RW: [(&str, f64, f64); 6] = [
    ("read", 100.0, 0.0),
    ("write", 0.0, 0.0),
    ("rw", 50.0, 0.0),
    ("randread", 100.0, 100.0),
    ("randwrite", 0.0, 100.0),
    ("randrw", 50.0, 100.0),
];

/// Whether a word is a value of `--rw`.
pub(crate) fn is_of_rw(word: &str) -> bool {
    WORDS_OF_RW.iter().any(|(one, ..)| *one == word)
}

fn rw() -> Arg {
    Arg::new(RW)
        .long(RW)
        .visible_alias("readwrite")
        .value_name("KIND")
        .value_parser(WORDS_OF_RW.map(|(word, ..)| word))
        .hide_possible_values(true)
        .conflicts_with_all(["read", "random"])
        .help(
            "Operation mix in fio's words, instead of --read and --random: read, write, rw, \
             randread, randwrite, randrw",
        )
}

fn flag(name: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue)
}

fn arg(field: &Field, option: &'static Opt) -> Arg {
    let mut arg = match &field.kind {
        Kind::Flag => flag(option.name),
        kind => {
            let arg = Arg::new(option.name).long(option.name);
            let arg = arg.value_name(option.value).action(ArgAction::Set);
            match kind {
                Kind::Count => {
                    let least = field.range.map_or(0, |range| range.least);
                    if least > 0 {
                        arg.value_parser(value_parser!(u64).range(least..))
                    } else {
                        arg.value_parser(value_parser!(u64))
                    }
                }
                Kind::SmallCount => arg.value_parser(value_parser!(u32)),
                Kind::Integer => arg
                    .value_parser(value_parser!(i32))
                    .allow_negative_numbers(true),
                Kind::Number => arg.value_parser(value_parser!(f64)),
                Kind::Share => arg.value_parser(value_parser!(Percent)),
                Kind::Size => arg.value_parser(value_parser!(Bytes)),
                Kind::Time => arg.value_parser(seconds),
                Kind::Rate => arg.value_parser(value_parser!(Rate)),
                Kind::Word(words) => arg.value_parser(choices(words)),
                Kind::Form(forms) => arg.value_parser(words_of(forms)),
                _ => arg,
            }
        }
    };
    if let Some((_, alias)) = OF_FIO.iter().find(|(name, _)| *name == option.name) {
        arg = arg.visible_alias(*alias);
    }
    arg = arg.help(option.help);
    if !option.more.is_empty() {
        arg = arg.long_help(format!("{}\n\n{}", option.help, option.more));
    }
    if let Some((name, _)) = option.negative {
        arg = arg.overrides_with(name);
    }
    if let Some(other) = option.against {
        arg = arg.conflicts_with(other);
    }
    arg
}

/// Words as the command line has them, with hyphens.
fn choices(words: &'static [Word]) -> PossibleValuesParser {
    let offered = words.iter().filter(|word| !word.is_refused);
    PossibleValuesParser::new(
        offered.map(|word| PossibleValue::new(word.word.replace('_', "-")).help(word.meaning)),
    )
}

/// The forms that a word alone names.
fn words_of(forms: &'static [ValueForm]) -> PossibleValuesParser {
    let alone = forms.iter().filter(|form| form.alone);
    PossibleValuesParser::new(alone.map(|form| PossibleValue::new(form.name).help(form.meaning)))
}

/// What was typed for an option, as a specification has it.
fn given(matches: &ArgMatches, field: &Field, option: &Opt) -> Option<Value> {
    fn read<T: Serialize + Clone + Send + Sync + 'static>(
        matches: &ArgMatches,
        name: &str,
    ) -> Option<Value> {
        serde_json::to_value(matches.get_one::<T>(name)?).ok()
    }
    let name = option.name;
    match &field.kind {
        Kind::Flag => {
            let negative = option.negative.map(|(negative, _)| negative);
            if negative.is_some_and(|negative| matches.get_flag(negative)) {
                return Some(Value::Bool(false));
            }
            matches.get_flag(name).then_some(Value::Bool(true))
        }
        Kind::Count => read::<u64>(matches, name),
        Kind::SmallCount => read::<u32>(matches, name),
        Kind::Integer => read::<i32>(matches, name),
        Kind::Number => read::<f64>(matches, name),
        Kind::Share => read::<Percent>(matches, name),
        Kind::Size => read::<Bytes>(matches, name),
        Kind::Time => read::<Nanos>(matches, name),
        Kind::Rate => read::<Rate>(matches, name),
        Kind::Word(_) | Kind::Form(_) => {
            let word = matches.get_one::<String>(name)?;
            Some(word.replace('-', "_").into())
        }
        _ => read::<String>(matches, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_has_a_name_and_a_place_of_its_own() {
        let options = options();
        let names: Vec<&str> = options.iter().map(|(_, option)| option.name).collect();
        let places: Vec<u8> = options.iter().map(|(_, option)| option.place).collect();
        let twice =
            |at: usize| names[..at].contains(&names[at]) || places[..at].contains(&places[at]);
        let found: Vec<&str> = (0..names.len())
            .filter(|at| twice(*at))
            .map(|at| names[at])
            .collect();
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn directions_of_fio_are_shares_of_ours() {
        let given = |word: &str| {
            let command = OverrideArgs::augment_args(Command::new("run"));
            let matches = command.try_get_matches_from(["run", "--rw", word]);
            let args = OverrideArgs::from_arg_matches(&matches.expect("options")).expect("values");
            ["read", "random"].map(|name| args.get::<Percent>(name).map(|share| share.0))
        };
        assert_eq!(given("randread"), [Some(100.0), Some(100.0)]);
        assert_eq!(given("write"), [Some(0.0), Some(0.0)]);
        assert_eq!(given("randrw"), [Some(50.0), Some(100.0)]);
    }

    #[test]
    fn what_fio_calls_otherwise_is_an_option_of_ours() {
        let unknown: Vec<&str> = OF_FIO
            .iter()
            .filter(|(name, _)| !is_option(name))
            .map(|(name, _)| *name)
            .collect();
        assert_eq!(unknown, [""; 0]);
    }
}
