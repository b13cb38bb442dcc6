//! Disks and volumes as a whole: writes are refused, whatever is permitted, and reads come from
//! them. Wine shows a file as a volume, of which it knows the length; it has none of a disk.

use std::path::Path;

use anyhow::Result;

use super::{Programs, measuring};

/// Each command, with the disk that it names.
const LINES: [(&str, &str); 3] = [
    (
        r"run random-write-4k --target \\.\PhysicalDrive0 --destroy \\.\PhysicalDrive0 --no-save",
        r"\\.\PhysicalDrive0",
    ),
    (
        r"run random-mixed-8k --target \\.\C: --overwrite --no-save",
        r"\\.\C:",
    ),
    (r"diskspd -b4K -d1 -w100 p:", r"\\.\P:"),
];

/// A run that reads a volume of 4 MiB.
const READS: &str = "run random-read-4k --target \\\\.\\p: --size 4MiB --ios 500 --warm-up 0s \
                     --no-save --quiet -o json:p.json";

/// How many things are not as expected.
pub(super) fn failures(programs: &Programs, folder: &Path) -> Result<usize> {
    let volume = folder.join("Volume.img");
    std::fs::write(&volume, vec![1; 4 << 20])?;
    programs.wine.has_volume('p', &volume)?;
    let mut failed = 0;
    for (line, disk) in LINES {
        let answer = programs.on_windows(line, folder)?;
        let told = String::from_utf8_lossy(&answer.stderr).into_owned();
        let expected = format!(
            "error: cannot open {disk} for writing\n  because: it is a disk or a volume. The guard \
             that protects its contents has not been proved on this system\n  try:     a load that \
             only reads, a file on the disk, or a Linux host\n"
        );
        if !told.ends_with(&expected) {
            failed += 1;
            println!("fathom {line}\n  status {:?}\n{told}", answer.status);
        }
    }
    let answer = programs.on_windows(READS, folder)?;
    let found = measuring::facts_in(&folder.join("p.json"));
    let expected = (Some("iocp".to_owned()), "invalid".to_owned(), 1, true);
    if !found.as_ref().is_ok_and(|found| *found == expected) {
        failed += 1;
        let told = String::from_utf8_lossy(&answer.stderr);
        println!(
            "fathom {READS}\n  status {:?}, {found:?}\n{told}",
            answer.status
        );
    }
    Ok(failed)
}
