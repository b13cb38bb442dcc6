//! Configuration files of Iometer as they are pasted: their targets are drives, or a file on one.

use std::path::Path;

use anyhow::{Context as _, Result};
use xtask::sources;

use super::{Programs, ended};

/// A configuration with one target, the drive `D:` with its label.
const SOURCE: &str = "crates/programs/tests/corpus/iometer/file-server.icf";

/// What of it changes: a second without a ramp, over 4 MiB.
const CHANGES: [(&str, &str); 3] = [
    ("\t0          0          30", "\t0          0          1"),
    ("'Ramp Up Time (s)\n\t5", "'Ramp Up Time (s)\n\t0"),
    ("\t2097152,0,2", "\t8192,0,2"),
];

const TARGET: &str = "D: \"Data\"";
/// The drive of the folder of the commands.
const DRIVE: char = 'q';
/// What Iometer calls its file on a drive.
const FILE: &str = "iobw.tst";

/// How many configurations are not measured as expected.
pub(super) fn failures(programs: &Programs, folder: &Path) -> Result<usize> {
    programs.wine.has_drive(DRIVE, folder)?;
    // The drive `Z:` of Wine is the root of this system.
    let own = folder.join("eigene Datei.tst").display().to_string();
    let targets = [
        (format!("{DRIVE}: \"Daten\""), FILE),
        (format!("{}:\\", DRIVE.to_ascii_uppercase()), FILE),
        (format!("Z:{}", own.replace('/', "\\")), "eigene Datei.tst"),
    ];
    let mut failed = 0;
    for (target, file) in targets {
        let text = configuration(&target)?;
        std::fs::write(folder.join("Laufwerk.icf"), text)?;
        let line = "iometer Laufwerk.icf --no-save --keep --quiet";
        let answer = ended(&mut programs.wine.command(&programs.windows), line, folder)?;
        let words = String::from_utf8_lossy(&answer.stdout);
        let made = folder.join(file);
        let bytes = std::fs::metadata(&made).map_or(0, |meta| meta.len());
        // Its numbers are those of no disk, and it says so.
        let is_right = bytes == 4 << 20 && words.contains("INVALID");
        if bytes > 0 {
            std::fs::remove_file(&made)?;
        }
        if !is_right {
            failed += 1;
            let told = String::from_utf8_lossy(&answer.stderr);
            println!(
                "fathom {line} with {target}\n  status {:?}, a file of {bytes}\n{words}{told}",
                answer.status
            );
        }
    }
    Ok(failed)
}

/// The configuration with this target, and lines that end as Windows ends them.
fn configuration(target: &str) -> Result<String> {
    let text = sources::read(SOURCE)?;
    let changes = CHANGES.into_iter().chain([(TARGET, target)]);
    let changed = changes.into_iter().try_fold(text, |text, (from, to)| {
        let at = text
            .find(from)
            .with_context(|| format!("{SOURCE} has no {from:?}"))?;
        Ok::<_, anyhow::Error>(format!("{}{to}{}", &text[..at], &text[at + from.len()..]))
    })?;
    Ok(changed.replace('\n', "\r\n"))
}
