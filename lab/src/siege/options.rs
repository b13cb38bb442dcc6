//! The words after `cargo lab siege`.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};

use crate::siege::groups::GROUPS;

/// What of the siege is made, and of which program.
pub(crate) struct Options {
    pub(crate) seed: u64,
    pub(crate) is_quick: bool,
    pub(crate) effort: u32,
    /// Names of groups; all where it is empty.
    pub(crate) groups: Vec<String>,
    /// The program, where it is not to be built.
    pub(crate) fathom: Option<PathBuf>,
    /// Where the table goes, if not to standard output.
    pub(crate) write: Option<PathBuf>,
    /// Where lines are kept, from which the table is made.
    pub(crate) keep: Option<PathBuf>,
    /// Lines of another program, for the table.
    pub(crate) before: Option<PathBuf>,
    /// Which part of groups that are long, of how many.
    pub(crate) slice: Option<(u32, u32)>,
    /// Whether nothing is attacked, and only the table made.
    pub(crate) is_table: bool,
}

const DEFAULT_SEED: u64 = 20_260_301;

impl Options {
    pub(crate) fn quick() -> Self {
        Self {
            seed: DEFAULT_SEED,
            is_quick: true,
            effort: 1,
            groups: Vec::new(),
            fathom: None,
            write: None,
            keep: None,
            before: None,
            slice: None,
            is_table: false,
        }
    }

    pub(crate) fn parse(words: &[&str]) -> Result<Self> {
        let mut options = Self {
            is_quick: false,
            ..Self::quick()
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .with_context(|| format!("{word} needs a value"))
            };
            match *word {
                "--quick" => options.is_quick = true,
                "--seed" => options.seed = value()?.parse().context("the seed is a number")?,
                "--effort" => {
                    options.effort = value()?.parse().context("the effort is a number")?;
                }
                "--fathom" => options.fathom = Some(std::fs::canonicalize(value()?)?),
                "--write" => options.write = Some(value()?.into()),
                "--keep" => options.keep = Some(value()?.into()),
                "--before" => options.before = Some(value()?.into()),
                "--slice" => options.slice = Some(slice(value()?)?),
                "--table" => options.is_table = true,
                name => {
                    let is_group = GROUPS.iter().any(|group| group.name == name);
                    ensure!(is_group, "`{name}` is no group\n{}", usage());
                    options.groups.push(name.to_owned());
                }
            }
        }
        if options.effort == 0 {
            bail!("an effort of 0 attacks nothing");
        }
        ensure!(
            options.keep.is_some() || (!options.is_table && options.before.is_none()),
            "--table and --before need --keep"
        );
        Ok(options)
    }

    pub(crate) fn wants(&self, group: &str) -> bool {
        if self.is_table {
            return false;
        }
        if self.groups.is_empty() {
            let quick = |name| GROUPS.iter().any(|one| one.name == name && one.is_quick);
            !self.is_quick || quick(group)
        } else {
            self.groups.iter().any(|name| name == group)
        }
    }
}

/// `K/N`: the part K, from 1, of N.
fn slice(text: &str) -> Result<(u32, u32)> {
    let parts = text.split_once('/').context("a slice is K/N")?;
    let (part, of) = (parts.0.parse()?, parts.1.parse()?);
    ensure!(
        (1..=of).contains(&part),
        "of {of} slices there is no {part}"
    );
    Ok((part, of))
}

pub(crate) fn usage() -> String {
    let groups = GROUPS.iter().map(|group| {
        let quick = if group.is_quick { " (quick too)" } else { "" };
        format!("  {:<12} {}{quick}\n", group.name, group.purpose)
    });
    format!(
        "\
usage: cargo lab siege [GROUP...] [--quick] [--seed N] [--effort N] [--fathom PROGRAM]
                         [--write FILE] [--keep FOLDER] [--before FOLDER] [--slice K/N] [--table]

All groups unless some are named. The status is 1 if anything was not as expected.

  --quick    only as much as `cargo test` makes
  --seed     of what is left to chance (default {DEFAULT_SEED})
  --effort   the factor of attempts where there is chance (default 1)
  --fathom   this program, instead of a release build of the workspace
  --write    the table into this file, as in --write docs/siege.md
  --keep     what was seen into this folder, a file for each group; the table is then of all in it
  --before   what was kept of another program, next to it in the table
  --slice    the K-th of N parts of the clean runs, which take long
  --table    attack nothing, make the table of what was kept

{}",
        groups.collect::<String>()
    )
}
