//! What a reader takes for each thing in a text.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::budgets::Reading;
use super::callgrind::{self, Counted};

/// Instructions of the things that the long text has more than the short one.
pub(super) fn measure(reading: &Reading, program: &Path, scratch: &Path) -> Result<u64> {
    let mut all = [0; 2];
    for (count, things) in all.iter_mut().zip(reading.things) {
        let args = [reading.kind.clone(), things.to_string()];
        let (threads, printed) = match callgrind::count(program, &args, scratch)? {
            Counted::Instructions(threads, printed) => (threads, printed),
            Counted::Failed(words) => bail!("`read {}` ended with {words}", args.join(" ")),
        };
        // All of them, or the count would be that of something else.
        ensure!(
            printed.trim() == things.to_string(),
            "`read {}` read {} things",
            args.join(" "),
            printed.trim()
        );
        *count = threads.values().sum();
    }
    let [short, long] = all;
    let more = long.checked_sub(short);
    more.context("the long text took fewer instructions than the short one")
}
