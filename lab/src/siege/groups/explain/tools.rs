//! Real tools, and the files that they measure.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};
use fathom_explain::explanation::{Explanation, explain};
use tempfile::TempDir;

use crate::siege::lab::contents::MIB;
use crate::siege::lab::devices::{LoopDevice, on, system};
use crate::siege::random::Random;

const FILE_MIB: usize = 256;

/// Files and devices that were made for the tools. `FILE` is written with random bytes, `SPARSE`
/// has a size and no data, `ALLOCATED` has extents that were never written, and `NEW` does not
/// exist; `LOOP` is a loop device over random bytes and `ZRAM` a compressed device in memory.
pub(super) struct Bench {
    folder: TempDir,
    looped: LoopDevice,
    zram: Option<Zram>,
}

struct Zram(PathBuf);

impl Zram {
    fn new() -> Result<Self> {
        let path = system("zramctl", &["--find", "--size", "128M"])?;
        Ok(Self(path.trim().into()))
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        // Nothing to do about a device that does not go.
        let _ = on("zramctl --reset", &self.0);
    }
}

impl Bench {
    /// Without fio there is none.
    pub(super) fn new(seed: u64) -> Result<Option<Self>> {
        if Command::new("fio").arg("--version").output().is_err() {
            return Ok(None);
        }
        let folder = tempfile::tempdir_in("/var/tmp").context("a folder on a disk")?;
        let mut random = Random::new(seed);
        let mut file = File::create(folder.path().join("file"))?;
        for _ in 0..FILE_MIB {
            file.write_all(&random.bytes(MIB))?;
        }
        file.sync_all()?;
        let sparse = File::create(folder.path().join("sparse"))?;
        sparse.set_len((FILE_MIB * MIB) as u64)?;
        on(
            "fallocate --length 256MiB",
            &folder.path().join("allocated"),
        )?;
        let looped = LoopDevice::holding(folder.path(), &random.bytes(64 * MIB))?;
        Ok(Some(Self {
            folder,
            looped,
            zram: Zram::new().ok(),
        }))
    }

    /// The words of a call with its files; none if it needs a device that cannot be made.
    fn words(&self, call: &str) -> Option<String> {
        let inside = |name: &str| self.folder.path().join(name).display().to_string();
        let mut call = call.to_owned();
        if call.contains("ZRAM") {
            let zram = &self.zram.as_ref()?.0;
            call = call.replace("ZRAM", &zram.display().to_string());
        }
        for (word, name) in [
            ("FILE", "file"),
            ("SPARSE", "sparse"),
            ("ALLOCATED", "allocated"),
            ("NEW", "new"),
        ] {
            call = call.replace(word, &inside(name));
        }
        call = call.replace("FOLDER", &self.folder.path().display().to_string());
        Some(call.replace("LOOP", &self.looped.path.display().to_string()))
    }

    /// What a shell would show of a call: a prompt with its words, and all that it prints. None if
    /// the tool or a device is missing.
    pub(super) fn paste(&self, call: &str) -> Result<Option<String>> {
        let Some(call) = self.words(call) else {
            return Ok(None);
        };
        let mut words = call.split_whitespace();
        let program = words.next().context("a call without a program")?;
        let output = Command::new(program)
            .args(words)
            .current_dir(self.folder.path())
            .env("LC_ALL", "C")
            .output();
        let Ok(output) = output else {
            return Ok(None);
        };
        // A file that a call made is not there for the next one.
        let _ = std::fs::remove_file(self.folder.path().join("new"));
        let text = [output.stdout, output.stderr].concat();
        Ok(Some(format!(
            "$ {call}\n{}",
            String::from_utf8_lossy(&text)
        )))
    }
}

/// The codes of what is said of a paste, the faults of the measurement first.
pub(super) fn codes(explanation: &Explanation) -> Vec<&'static str> {
    let answer = &explanation.answer;
    let all = answer.findings.iter().chain(&answer.notes);
    all.map(|finding| finding.code).collect()
}

/// Faults that a result is accused of.
pub(super) fn faults(explanation: &Explanation) -> Vec<&'static str> {
    let findings = explanation.answer.findings.iter();
    let faults = findings.filter(|finding| finding.effect.is_fault());
    faults.map(|finding| finding.code).collect()
}

pub(super) fn explained(paste: &str) -> Explanation {
    explain(paste.as_bytes(), "paste", None)
}
