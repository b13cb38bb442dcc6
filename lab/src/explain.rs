//! `cargo lab explain`: what `fathom explain` answers to public threads with a known cause.

mod page;
mod threads;

use std::path::PathBuf;

use anyhow::{Result, bail};
use xtask::sources;

use threads::Thread;

const PAGE: &str = "docs/explain-threads.md";
const CORPUS: &str = "lab/corpus/explain";
/// Threads to build with.
const BUILDING: &str = "threads";
/// Sets that were held out, each until a change to the rules was complete.
const HELD_OUT: [&str; 11] = [
    "held-out",
    "held-out-2",
    "held-out-3",
    "held-out-4",
    "held-out-5",
    "held-out-6",
    "held-out-7",
    "held-out-8",
    "held-out-9",
    "held-out-10",
    "held-out-11",
];

/// The score on the threads to build with; with `--held-out`, on the others too. `--write` renews
/// the page.
pub(crate) fn run(words: &[&str]) -> Result<bool> {
    let mut sets = vec![BUILDING];
    let mut is_written = false;
    for word in words {
        match *word {
            "--held-out" => sets.extend(HELD_OUT),
            "--write" => is_written = true,
            other => bail!("`{other}` is none of --held-out, --write"),
        }
    }
    let corpus: PathBuf = sources::root().join(CORPUS);
    let mut text = page::HEAD.to_owned();
    for set in sets {
        let threads = Thread::all(&corpus.join(set))?;
        text += &page::section(set, &threads);
    }
    if is_written {
        std::fs::write(sources::root().join(PAGE), text)?;
    } else {
        print!("{text}");
    }
    Ok(true)
}
