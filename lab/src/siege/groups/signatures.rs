//! What the tools of this machine make, on a device that `--destroy` names without its contents.
//! What `wipefs` finds is lost to its owner if it is overwritten.

use std::path::Path;

use anyhow::{Context as _, Result};

use crate::siege::Siege;
use crate::siege::lab::contents::MIB;
use crate::siege::lab::devices::{LoopDevice, system};
use crate::siege::line::GroupLines;

/// A line for each way to make something; the words are those of the test of the signatures.
const RECIPES: &str = include_str!("../../../../crates/device/tests/recipes.txt");

const SIZE_BYTES: usize = 512 * MIB;
/// What is compared: all that is written by the run lies in it.
const WATCHED: usize = 8 * MIB;

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for recipe in RECIPES.lines() {
        siege.go_on()?;
        let folder = tempfile::tempdir()?;
        match made(folder.path(), recipe) {
            Ok((device, found)) => attack(siege, lines, recipe, &device, &found)?,
            Err(error) => lines.skip(format!("{recipe}: {error:#}")),
        }
    }
    Ok(())
}

/// A device with it, and what `wipefs` finds there.
fn made(folder: &Path, recipe: &str) -> Result<(LoopDevice, String)> {
    let at = |name: &str| folder.join(name);
    for name in ["IMAGE", "OTHER"] {
        std::fs::File::create(at(name))?.set_len(SIZE_BYTES as u64)?;
    }
    std::fs::create_dir(at("DIR"))?;
    std::fs::write(at("DIR").join("file"), "content")?;
    std::fs::write(at("KEY"), "passphrase")?;
    let words = recipe.split(' ').map(|word| match word {
        "IMAGE" | "OTHER" | "DIR" | "KEY" => at(word).to_string_lossy().into_owned(),
        other => other.to_owned(),
    });
    let words: Vec<String> = words.collect();
    let line = format!(
        "printf ',,L\\n' | PATH=$PATH:/usr/sbin:/sbin {}",
        words.join(" ")
    );
    system("sh", &["-c", &line])?;
    // Room for what is written to what is made in a file as long as its contents.
    let image = std::fs::File::options().write(true).open(at("IMAGE"))?;
    if image.metadata()?.len() < WATCHED as u64 {
        image.set_len(WATCHED as u64)?;
    }
    let device = LoopDevice::over(&at("IMAGE"), "")?;
    let path = device.path.to_string_lossy().into_owned();
    let words = ["--no-act", "--noheadings", "--output", "TYPE", &path];
    let found = system("wipefs", &words)?
        .split_whitespace()
        .collect::<Vec<_>>()
        .join("+");
    (!found.is_empty())
        .then_some((device, found))
        .context("wipefs finds nothing")
}

fn attack(
    siege: &Siege,
    lines: &mut GroupLines<'_>,
    recipe: &str,
    device: &LoopDevice,
    found: &str,
) -> Result<()> {
    let begin = || -> Result<Vec<u8>> {
        let mut bytes = vec![0; WATCHED];
        std::os::unix::fs::FileExt::read_exact_at(
            &std::fs::File::open(&device.backing)?,
            &mut bytes,
            0,
        )?;
        Ok(bytes)
    };
    let before = begin()?;
    let path = device.path.display();
    let words = format!(
        "run random-write-4k --size 64KiB --ios 16 --warm-up 0s --engine psync --no-save --quiet \
         --target {path} --destroy {path}"
    );
    let ended = siege.fathom.line(&words).end()?;
    let is_whole = begin()? == before;
    lines.add(
        format!("{recipe}: {found}"),
        "refused, nothing changed",
        format!(
            "{}{}",
            ended.told(),
            if is_whole { "" } else { "; CHANGED" }
        ),
        ended.is_refusal() && is_whole,
    );
    Ok(())
}
