//! The laboratory: a guest of QEMU with devices of known truth, which the kernel of Debian has and
//! many others have not, and what Fathom sees of them.
//!
//! The guest is emulated, so nothing in it is fast, and times are only ever too long: a truth about
//! a time is that it is never less and, at its best, little more.

mod arrays;
mod experiment;
mod guest;
mod limits;
mod namespaces;
mod nvme;
mod probes;
mod remote;
mod served;
mod stacks;
mod zone_commands;
mod zoned;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};

use experiment::{EXPERIMENTS, Experiment};
use guest::Guest;
use xtask::dist::{Release, binary};
use xtask::metadata;

/// What an experiment left: files by their names.
pub(crate) type Left = BTreeMap<String, Vec<u8>>;

fn all() -> impl Iterator<Item = &'static Experiment> {
    EXPERIMENTS
        .iter()
        .chain(&nvme::EXPERIMENTS)
        .chain(&arrays::EXPERIMENTS)
        .chain(&zoned::EXPERIMENTS)
        .chain(&zone_commands::EXPERIMENTS)
        .chain(&limits::EXPERIMENTS)
        .chain(&remote::EXPERIMENTS)
        .chain(&probes::EXPERIMENTS)
        .chain(&stacks::EXPERIMENTS)
}

/// `devices [--binary FILE] [EXPERIMENT…]`; true when all was seen as it is.
pub(crate) fn run(words: &[&str]) -> Result<bool> {
    if !xtask::dist::program::is_there("qemu-system-x86_64") {
        bail!("qemu-system-x86_64 is missing (package qemu-system-x86)");
    }
    let (given, names) = match words {
        ["--binary", file, rest @ ..] => (Some(Path::new(file)), rest),
        rest => (None, rest),
    };
    for name in names {
        let is_known = all().any(|one| one.name == *name);
        ensure!(is_known, "there is no experiment {name}");
    }
    let wanted = |one: &&Experiment| names.is_empty() || names.contains(&one.name);
    let chosen: Vec<&Experiment> = all().filter(wanted).collect();
    let binary = match given {
        Some(file) => file.to_owned(),
        None => binary::build(&Release::of_head()?)?,
    };
    let place = tempfile::tempdir().context("cannot make a folder")?;
    let began = Instant::now();
    let guest = Guest::build(&binary, &chosen, place.path())?;
    println!("guest built in {} s", began.elapsed().as_secs());
    let began = Instant::now();
    let left = guest.run(&chosen)?;
    println!("ran for {} s\n", began.elapsed().as_secs());
    let folder = metadata::members()?.target_directory.join("lab");
    fs::create_dir_all(&folder)?;
    println!("| experiment | truth | tolerance | seen | s |\n| --- | --- | --- | --- | ---: |");
    let (mut is_good, mut skipped) = (true, 0);
    let nothing = Left::new();
    for one in chosen {
        let files = left.get(one.name).unwrap_or(&nothing);
        let seen = one.seen(files);
        is_good &= seen.is_ok();
        skipped += usize::from(Experiment::lacks(files).is_some());
        let seen = seen.unwrap_or_else(|error| format!("WRONG: {error:#}"));
        let seconds = experiment::text(files, "seconds").unwrap_or_default();
        println!("{} {seen} | {seconds} |", one.row());
        keep(&folder.join(one.name), files)?;
    }
    println!(
        "\n{skipped} skipped; what each left is in {}",
        folder.display()
    );
    Ok(is_good)
}

/// What an experiment left, for whoever looks closer: what it said, what was said when it was taken
/// down and by the kernel meanwhile, and the files that it made.
fn keep(folder: &Path, files: &Left) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use xtask::sources;

    #[test]
    fn every_experiment_is_in_the_table_of_the_documentation() {
        let text = fs::read_to_string(sources::root().join("docs/lab.md")).unwrap();
        let rows = text.lines().filter(|line| line.starts_with("| `"));
        let told: Vec<String> = rows
            .map(|row| {
                let cells: Vec<&str> = row.split(" | ").take(3).collect();
                format!("{} |", cells.join(" | "))
            })
            .collect();
        let expected: Vec<String> = all().map(Experiment::row).collect();
        assert_eq!(told, expected);
    }
}
