//! The table of `docs/dialects/diskspd.md`, from the list of options.

use super::options::ROWS;
use fathom_tools::translation::Standing;
use std::fmt::Write as _;

/// Number of forms of each standing, best first.
pub fn counts() -> [(Standing, usize); 4] {
    Standing::ALL.map(|standing| {
        let rows = ROWS.iter().filter(|row| row.standing == standing);
        (standing, rows.count())
    })
}

/// The coverage table as a Markdown document.
pub fn coverage() -> String {
    let mut text = String::from(
        "# DISKSPD\n\n`fathom diskspd ARGS…` takes the command line of DISKSPD 2.2 as it stands, \
         also as a program\ncalled `diskspd`. Before its options, `--target PATH` takes the \
         place of the path that the line\nor the profile names (a folder for several, or \
         `NAME=PATH` for each), and `--map-drive r=/mnt/r` says\nwhere a drive of Windows is \
         here. This table is made from the list in the program.\n\n",
    );
    let numbers = counts().map(|(standing, count)| format!("{count} {}", standing.name()));
    let _ = writeln!(
        text,
        "Of {} forms of options: {}.\n",
        ROWS.len(),
        numbers.join(", ")
    );
    text.push_str("| option | element | meaning | here | in what it differs |\n");
    text.push_str("| --- | --- | --- | --- | --- |\n");
    for row in ROWS {
        let element = match row.element {
            "" => String::new(),
            element => format!("`{element}`"),
        };
        let mut remark = row.remark.to_owned();
        if !row.remedy.is_empty() {
            let _ = write!(remark, "; instead: {}", row.remedy);
        }
        let cells = [
            format!("`{}`", row.form),
            element,
            row.meaning.to_owned(),
            row.standing.name().to_owned(),
            remark,
        ];
        let cells = cells.map(|cell| cell.replace('|', "\\|"));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text + STATUSES
}

/// Where both read the same and do not come to the same, and how a call ends.
const STATUSES: &str = "
## Not to the letter, on purpose

- `-g<n>i` of 4 GiB a second and more runs at that rate; DISKSPD multiplies in 32 bits, and comes to
  a lower one. `-b0`, which DISKSPD takes and cannot run, is refused.
- `-Rpxml` shows what is run: `RandomWriteData` for `-Zr`, which DISKSPD loses, and of `-Z` next to
  `-Z<size>` the buffer, which is what DISKSPD writes too. Paths are escaped as XML has it.
- `/` begins a path and no option. `--` and `--help` are Fathom's.

## Exit status

That of DISKSPD, whose sources have it: 0 after a run and after `-?`, 3 where the command line or
the profile is invalid, also without any word, 1 where the run cannot be made or requests of it
failed (\"Error generating I/O requests\"). 3 stands also for what only Fathom refuses. A signal
ends with 130 after the report, where DISKSPD has 0; open loads that fell behind with 1. `--help` of
Fathom's own options and what is wrong with these end as in all commands, with 0 and 2.
";

/// What `-?` shows: every form with its meaning.
pub fn usage() -> String {
    let mut text = String::from(
        "Usage: diskspd [options] target1 [target2 ...]\n\nOptions are one word each, a letter and \
         its value, and come before the targets.\n\n",
    );
    let rows = ROWS.iter().filter(|row| row.form.starts_with('-'));
    for row in rows.filter(|row| row.standing != Standing::Refused) {
        let _ = writeln!(text, "  {:<34} {}", row.form, row.meaning);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_there_once_and_every_difference_has_a_reason() {
        for (index, row) in ROWS.iter().enumerate() {
            let before = &ROWS[..index];
            assert!(
                before.iter().all(|other| other.form != row.form),
                "{}",
                row.form
            );
            let kept = row.standing == Standing::Kept;
            assert_eq!(row.remark.is_empty(), kept, "{}", row.form);
        }
    }
}
