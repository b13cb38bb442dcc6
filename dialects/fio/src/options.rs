//! The table of all options of fio 3.33, and those of later versions that files in the wild use.

mod engine;
mod later;
mod output;
mod pace;
mod pattern;
mod process;
mod target;
mod writes;

use super::option::FioOption;
use fathom_core::nearest::nearest;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The parts of the table that are known when it is compiled, by their titles.
static GROUPS: [(&str, &[FioOption]); 8] = [
    ("Target", target::OPTIONS),
    ("Requests", pattern::OPTIONS),
    ("Pace, amount and time", pace::OPTIONS),
    ("Engine and queue", engine::OPTIONS),
    ("Writes, data and verification", writes::OPTIONS),
    ("Jobs and processes", process::OPTIONS),
    ("Statistics, logs and replay", output::OPTIONS),
    ("Later versions", later::OPTIONS),
];

/// All parts of the table, as its documentation shows them.
pub(super) fn groups() -> impl Iterator<Item = (&'static str, &'static [FioOption])> {
    let known = GROUPS.iter().copied();
    known.chain([("Other engines", later::elsewhere())])
}

pub(super) fn all() -> impl Iterator<Item = &'static FioOption> {
    groups().flat_map(|(_, options)| options)
}

/// The options by all of their names: an input has a line for each, and may have many.
static BY_NAME: LazyLock<HashMap<&'static str, &'static FioOption>> = LazyLock::new(|| {
    let names = |option: &'static FioOption| option.names().map(move |name| (name, option));
    all().flat_map(names).collect()
});

/// The option of this name or alias.
pub(super) fn find(name: &str) -> Option<&'static FioOption> {
    BY_NAME.get(name).copied()
}

/// The name that was probably meant.
pub(super) fn probably(name: &str) -> Option<&'static str> {
    // Nobody means those that do nothing.
    let meant = all().filter(|option| option.remark != later::PROFILE);
    nearest(name, meant.flat_map(FioOption::names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_tools::translation::Standing;
    use std::collections::BTreeSet;

    /// The names that `fio --cmdhelp=all` of version 3.33 lists, and all of 3.42 with those of
    /// every engine that it can be built with.
    const NAMES: [&str; 2] = [
        include_str!("../tests/fio-3.33-options.txt"),
        include_str!("../tests/fio-3.42-options.txt"),
    ];

    #[test]
    fn every_name_is_there_once() {
        let mut seen = BTreeSet::new();
        for name in all().flat_map(FioOption::names) {
            assert!(seen.insert(name), "{name} is there twice");
        }
        let names = NAMES.iter().flat_map(|names| names.lines());
        let missing: Vec<&str> = names.filter(|name| !seen.contains(name)).collect();
        assert_eq!(missing, [""; 0]);
    }

    #[test]
    fn options_that_are_written_have_a_place_and_a_name_of_their_own() {
        let mut places = BTreeSet::new();
        for option in all() {
            let Some(writing) = option.writing else {
                continue;
            };
            assert!(
                places.insert(writing.at),
                "{}: {:?}",
                option.name,
                writing.at
            );
            let is_known = option.names().any(|name| name == option.spelt);
            assert!(
                is_known && option.standing != Standing::Refused,
                "{}",
                option.name
            );
        }
        assert!(places.len() > 60, "{}", places.len());
    }

    #[test]
    fn what_is_kept_is_read_and_all_else_has_a_reason() {
        for option in all() {
            let read = option.set.is_some();
            let (must_be_read, needs_reason) = match option.standing {
                Standing::Kept => (true, false),
                Standing::Approximated => (true, true),
                Standing::Ignored => (read, true),
                Standing::Refused => (false, true),
            };
            assert_eq!(read, must_be_read, "{}", option.name);
            assert!(
                !needs_reason || !option.remark.is_empty(),
                "{}",
                option.name
            );
            assert!(!option.remark.ends_with('.'), "{}", option.name);
        }
    }
}
