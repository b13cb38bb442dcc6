//! Fathom's own options behind the first word of another program, which knows none of them.

use crate::args::command;
use crate::aside;

/// Says where the first such option has to stand.
pub(crate) fn tell(program: &str, words: &[String]) {
    let all = command();
    let Some(known) = all.find_subcommand(program) else {
        return;
    };
    let is_own = |word: &&String| {
        let long = word.strip_prefix("--").map(|word| word.split('=').next());
        let mut arguments = known.get_arguments();
        long.is_some_and(|long| arguments.any(|one| one.get_long() == long))
    };
    if let Some(option) = words.iter().find(is_own) {
        let first = option.split('=').next().unwrap_or_default();
        aside::say(&format!(
            "note: {first} is an option of fathom, and comes before the words of {program}: \
             fathom {program} {first} …"
        ));
    }
}
