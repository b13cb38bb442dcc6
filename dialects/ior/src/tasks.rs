//! What starts the tasks of a program of the IOR project: `mpirun -n 8` and its like, before the
//! program's own words.

use fathom_tools::faults::Faults;
use fathom_tools::words::{CommandWords, Word};

/// Programs that start the tasks.
const LAUNCHERS: [&str; 4] = ["mpirun", "mpiexec", "srun", "orterun"];

/// How sure it is that a text is a command line of this program, with what starts its tasks or
/// without it.
pub(crate) fn detect(text: &str, program: &str) -> u8 {
    let mut words = text.split_whitespace().map(base);
    match words.next() {
        Some(first) if first == program => 90,
        Some(first) if LAUNCHERS.contains(&first) && words.any(|word| word == program) => 90,
        _ => 0,
    }
}

/// The words of the program itself, and how many tasks are started, if the line says.
pub(crate) fn started<'a>(
    text: &str,
    words: &'a CommandWords,
    program: &str,
    errors: &mut Faults,
) -> Option<(&'a [Word], Option<u32>)> {
    let first = text.split_whitespace().next().unwrap_or_default();
    if LAUNCHERS.contains(&base(first)) {
        launched(words, program, errors)
    } else {
        Some((&words.list, None))
    }
}

/// Whether the words of a call begin with what starts the tasks.
pub(crate) fn are_started(argv: &[String]) -> bool {
    argv.first()
        .is_some_and(|word| LAUNCHERS.contains(&base(word)))
}

/// Whether a program is called by these words.
pub(crate) fn call(argv: &[String], program: &str) -> bool {
    argv.iter().any(|word| base(word) == program)
}

/// The same as `started` of the words of a call that begins with what starts the tasks.
pub(crate) fn started_words(argv: &[String]) -> CommandWords {
    let (first, rest) = argv
        .split_first()
        .map_or(("", argv), |(first, rest)| (first.as_str(), rest));
    CommandWords::of(first, rest)
}

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn launched<'a>(
    words: &'a CommandWords,
    program: &str,
    errors: &mut Faults,
) -> Option<(&'a [Word], Option<u32>)> {
    let mut list = words.list.iter().enumerate();
    let mut tasks = None;
    while let Some((index, word)) = list.next() {
        if base(&word.text) == program {
            return Some((&words.list[index + 1..], tasks));
        }
        let value = match word.text.as_str() {
            "-n" | "-np" | "--ntasks" => list.next().map(|(_, word)| word),
            _ => {
                let message = format!("`{}` of what starts the tasks is unknown here", word.text);
                let remedy = "-n with the number of tasks alone";
                errors.push(words.error(word.span.clone(), message, None, remedy));
                continue;
            }
        };
        tasks = value.and_then(|word| word.text.parse().ok());
        if tasks.is_none() {
            let span = value.unwrap_or(word).span.clone();
            let message = "that is no number of tasks";
            let remedy = format!("as in `mpirun -n 8 {program}` and its options");
            errors.push(words.error(span, message, None, &remedy));
        }
    }
    let message = format!("{program} is not called");
    errors.push(words.error(words.end(), message, None, "name it"));
    None
}
