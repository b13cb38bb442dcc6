//! The program under the name of DISKSPD, with a line as it is pasted from an article.

use std::os::unix::fs::symlink;
use std::path::Path;

use anyhow::Result;

use super::{Programs, ended};

/// On the drive `r:`, which is the folder of the commands.
const LINE: &str = r"-b8K -d1 -W0 -o4 -t2 -r -w25 -Sh -L -c4M r:\temp\io.dat";

/// What DISKSPD prints first of all, and some of what comes then.
const BEGIN: &str = "\nCommand Line: ";
const PARTS: [&str; 4] = [
    r"path: 'r:\temp\io.dat'",
    "software cache disabled",
    "\nTotal IO\n",
    "%-ile",
];

/// How many things are not as expected.
pub(super) fn failures(programs: &Programs, folder: &Path) -> Result<usize> {
    programs.wine.has_drive('r', folder)?;
    std::fs::create_dir_all(folder.join("temp"))?;
    let namesake = folder.join("DiskSpd.EXE");
    symlink(&programs.windows, &namesake)?;
    let answer = ended(&mut programs.wine.command(&namesake), LINE, folder)?;
    std::fs::remove_file(&namesake)?;
    let told = String::from_utf8_lossy(&answer.stdout).replace('\r', "");
    let words = String::from_utf8_lossy(&answer.stderr);
    let file = std::fs::metadata(folder.join("temp/io.dat")).map_or(0, |meta| meta.len());
    let has_all = told.starts_with(BEGIN) && PARTS.iter().all(|part| told.contains(part));
    // Its numbers are those of no disk, and it says so.
    let is_right = has_all && words.contains("[emulated]") && file == 4 << 20;
    if !is_right {
        println!(
            "DiskSpd.EXE {LINE}\n  status {:?}, a file of {file}\n{told}{words}",
            answer.status
        );
    }
    Ok(usize::from(!is_right))
}
