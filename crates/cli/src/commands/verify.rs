//! `fathom verify`: what an earlier run stamped, checked.

mod account;

use super::show_text;
use crate::args::VerifyArgs;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::live::{HastyStderr, Plain};
use crate::stop::Stop;
use crate::table::Table;
use account::Account;
use fathom_core::figure;
use fathom_core::spec::VERIFY_UNIT_BYTES;
use fathom_session::verify_target::{
    Proof, Subject, VerifyError, VerifyReport, Wrong, WrongKind, verify_target,
};
use fathom_session::{Observer, Silent};
use std::io::{self, Seek as _, SeekFrom};
use std::path::Path;

pub(crate) fn run(args: &VerifyArgs) -> Result<Exit, Error> {
    let path = super::place(&args.path)?;
    // Its end would be the largest number there is, and no byte of it could be read.
    if path.is_dir() {
        return Err(is_directory(&path).into());
    }
    let stop = Stop::default();
    stop.listen()?;
    let len = match args.size {
        Some(size) => size.0,
        None => rest_of(&path, args.offset.0)?,
    };
    let mut observer: Box<dyn Observer> = if args.quiet {
        Box::new(Silent)
    } else {
        Box::new(Plain::new(HastyStderr))
    };
    let account = Account::find(&path, args.store.store.as_deref())?;
    let known = match &account {
        Account::Of(_, known) => Some(known),
        Account::None(_) => None,
    };
    let subject = Subject {
        path: &path,
        opened: None,
        offset: args.offset.0,
        len,
        proof: Proof::Stamps { seed: args.seed },
        written: known.map(|known| &known.written),
    };
    let checked = verify_target(&subject, stop.control(), &mut *observer);
    let report = checked.map_err(|error| problem(&path, &error))?;
    stop.reports_to_the_end();
    show_text(&text(&report, &account))?;
    Ok(if stop.is_interrupted() {
        Exit::Interrupted
    } else if report.is_clean() {
        Exit::Ok
    } else {
        Exit::IoErrors
    })
}

/// Bytes from `offset` to the last whole block of the target.
fn rest_of(path: &Path, offset: u64) -> Result<u64, Problem> {
    let size = fathom_device::input::open(path).and_then(|mut file| file.seek(SeekFrom::End(0)));
    let size = size.map_err(|error| cannot_open(path, &error))?;
    let rest = size.saturating_sub(offset);
    if rest < VERIFY_UNIT_BYTES {
        let thing = format!("there is nothing to check in {}", path.display());
        let because = format!("it holds {} from there on", figure::size(rest));
        return Err(Problem::new(Exit::Usage, thing).because(because));
    }
    Ok(rest - rest % VERIFY_UNIT_BYTES)
}

fn is_directory(path: &Path) -> Problem {
    Problem::new(Exit::Usage, format!("cannot verify {}", path.display()))
        .because("it is a directory")
        .remedy("the file that a run with --keep has left")
}

fn cannot_open(path: &Path, error: &io::Error) -> Problem {
    Problem::new(Exit::Environment, format!("cannot open {}", path.display()))
        .because(system_words(error))
}

fn problem(path: &Path, error: &VerifyError) -> Problem {
    match error {
        VerifyError::Open { source, .. } => cannot_open(path, source),
        VerifyError::Unaligned { .. } | VerifyError::TooSmall { .. } => {
            Problem::new(Exit::Usage, error.to_string())
                .remedy("--offset and --size as multiples of 512 B that the target holds")
        }
    }
}

/// The report for a person. Blocks that are as they were written may still be old ones, which only
/// an account can tell.
fn text(report: &VerifyReport, account: &Account) -> String {
    let word = match account {
        _ if report.interrupted => "INTERRUPTED",
        _ if !report.is_clean() => "WRONG",
        Account::Of(..) => "GOOD",
        Account::None(_) => "WHOLE",
    };
    let range = format!(
        "{} from offset {} of {}",
        figure::size(report.len),
        report.offset,
        report.path.display()
    );
    let mut lines = vec![format!("{word}  {range}")];
    let note = report.note.iter().map(|note| format!("note: {note}"));
    lines.extend(note);
    lines.push(account.sentence());
    if report.newer > 0 {
        lines.push(format!(
            "note: by the clock, {} blocks are of a run after that one. If a run outside of this \
             history wrote to the target since, verify with its history (--store)",
            figure::count(report.newer)
        ));
    }
    lines.push(counts(report).to_string());
    lines.extend(report.first_wrong.iter().map(wrong_line));
    for (errno, fault) in &report.unreadable {
        let offsets = fault.first_offsets.iter().map(u64::to_string);
        lines.push(format!(
            "{} unreadable ({}), first at offset {}",
            figure::size(fault.bytes),
            system_words(&io::Error::from_raw_os_error(*errno)),
            offsets.collect::<Vec<_>>().join(", ")
        ));
    }
    lines.join("\n").trim_end().to_owned() + "\n"
}

fn counts(report: &VerifyReport) -> Table {
    let mut table = Table::new(&[">BLOCKS", "OF 512 B"]);
    let mut row = |count: u64, what: String| table.row([figure::count(count), what]);
    row(report.blocks, "read".to_owned());
    for (worker, found) in &report.workers {
        let writes = format!("writes {} to {}", found.oldest, found.newest);
        row(found.blocks, format!("good, by worker {worker}: {writes}"));
    }
    if report.of_others > 0 {
        let what = "good, of another run, where that run wrote nothing";
        row(report.of_others, what.to_owned());
    }
    if report.layout_blocks > 0 {
        let what = "good, as laid out and not written since";
        row(report.layout_blocks, what.to_owned());
    }
    for (count, kind) in report.wrong.each() {
        row(count, format!("wrong: {kind}"));
    }
    if report.unwritten > 0 {
        row(
            report.unwritten,
            "not judged: the run did not write them, or nobody can tell".to_owned(),
        );
    }
    table
}

fn wrong_line(wrong: &Wrong) -> String {
    let what = match wrong.kind {
        WrongKind::Corrupt => "damaged".to_owned(),
        WrongKind::Torn => "torn: older than other parts of its request".to_owned(),
        WrongKind::Stale => "stale: an older write than the last that was acknowledged".to_owned(),
        WrongKind::Lost => "lost: as before the run, though it was written".to_owned(),
        WrongKind::Zeros => "zeros, where something was written or laid out".to_owned(),
        WrongKind::Misplaced { found_offset } => format!("belongs to offset {found_offset}"),
        WrongKind::NotStamped => "not stamped".to_owned(),
        WrongKind::ForeignSeed => "of a run with another seed".to_owned(),
    };
    format!("offset {}: {what}", wrong.offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::result::WrongBlocks;
    use fathom_session::verify_target::{ReadFault, WorkerGenerations};

    fn unknown() -> Account {
        Account::None("there is no history".to_owned())
    }

    #[test]
    fn a_good_target_is_told_in_a_few_lines() {
        let report = VerifyReport {
            path: "/data/x".into(),
            len: 1 << 20,
            blocks: 2048,
            layout_blocks: 1024,
            workers: [(
                1,
                WorkerGenerations {
                    blocks: 1024,
                    oldest: 3,
                    newest: 130,
                },
            )]
            .into(),
            ..VerifyReport::default()
        };
        let expected = "WHOLE  1 MiB from offset 0 of /data/x
note: outdated data would not be \
                        detected, because there is no history. Each block is compared only with \
                        its own stamp
BLOCKS  OF 512 B
 2,048  read
 1,024  good, by worker 1: \
                        writes 3 to 130
 1,024  good, as laid out and not written since
";
        assert_eq!(text(&report, &unknown()), expected);
    }

    #[test]
    fn what_is_wrong_is_listed_with_its_place() {
        let wrong = |offset, kind| Wrong { offset, kind };
        let report = VerifyReport {
            path: "/data/x".into(),
            offset: 4096,
            len: 8192,
            note: Some("read through the page cache".to_owned()),
            blocks: 8,
            wrong: WrongBlocks {
                damaged: 1,
                misplaced: 1,
                ..WrongBlocks::default()
            },
            first_wrong: vec![
                wrong(4096, WrongKind::Corrupt),
                wrong(4608, WrongKind::Misplaced { found_offset: 512 }),
            ],
            unreadable: [(
                5,
                ReadFault {
                    bytes: 4096,
                    first_offsets: vec![8192],
                },
            )]
            .into(),
            ..VerifyReport::default()
        };
        let expected = "WRONG  8 KiB from offset 4096 of /data/x
note: read through the page cache
\
                        note: outdated data would not be detected, because there is no history. \
                        Each block is compared only with its own stamp
BLOCKS  OF 512 B
     8  \
                        read
     1  wrong: damaged
     1  wrong: written to another place

\
                        offset 4096: damaged
offset 4608: belongs to offset 512
4 KiB unreadable \
                        (input/output error), first at offset 8192
";
        assert_eq!(text(&report, &unknown()), expected);
    }
}
