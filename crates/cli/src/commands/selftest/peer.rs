//! fio or DISKSPD with the same load on the same file, where one of them is installed.

use super::bench::{Bench, empty, op};
use super::step::{Answer, Step, StepRow};
use crate::error::system_words;
use fathom_core::{EngineKind, Op, figure};
use fathom_device::command;
use fathom_device::{removal, scratch};
use fathom_engine::is_of_this_system;
use fathom_programs::read_results;
use fathom_session::plan::MadeFiles;
use fathom_tools::results::ResultFile;
use std::io;
use std::path::Path;

const TEST: &str = "peer";

pub(super) const STEP: Step = Step {
    purpose: "fio or DISKSPD runs the same load",
    of_a_disk: Some(TEST),
    run,
};

/// Ratio of the rates up to which storage varies by itself.
const ALIKE: f64 = 1.5;

/// Another program, which only reads.
struct Peer {
    name: &'static str,
    /// Its words for random reads of 4 KiB with 8 in flight, for a number of seconds.
    words: fn(&Path, u64) -> Vec<String>,
}

const PEERS: [Peer; 2] = [
    Peer {
        name: "fio",
        words: |file, seconds| {
            let engine = if is_of_this_system(EngineKind::Libaio) {
                "libaio"
            } else {
                "windowsaio"
            };
            // A colon separates files.
            let file = file.display().to_string().replace(':', "\\:");
            let words = format!(
                "--name=selftest --readonly --rw=randread --bs=4k --direct=1 --iodepth=8 \
                 --ioengine={engine} --time_based --runtime={seconds} --output-format=json"
            );
            let words = words.split_whitespace().map(str::to_owned);
            words.chain([format!("--filename={file}")]).collect()
        },
    },
    Peer {
        name: "diskspd",
        words: |file, seconds| {
            let words = format!("-b4K -o8 -t1 -r -w0 -Sh -L -d{seconds}");
            let words = words.split_whitespace().map(str::to_owned);
            words.chain([file.display().to_string()]).collect()
        },
    },
];

fn run(bench: &Bench<'_>) -> Vec<StepRow> {
    let spec = format!(
        "warm_up = \"0s\"\nblock_size = \"4KiB\"\n\
         read = 100\nrandom = 100\nqueue_depth = 8\nduration = \"{}s\"\n",
        bench.seconds()
    );
    let result = match bench.measure_file(&spec, None, MadeFiles::Lent) {
        Ok(result) => result,
        Err(refusal) => return vec![refusal.line(TEST)],
    };
    let made = fathom_platform::identity_at(bench.file()).ok();
    let own = op(&result, Op::Read).map(|read| read.iops);
    let lines = own.map(|own| {
        PEERS
            .iter()
            .filter_map(|peer| one(bench, peer, own))
            .collect()
    });
    let removed = remove(bench.file(), made);
    let mut lines: Vec<StepRow> = lines.unwrap_or_else(|| vec![empty(TEST)]);
    if lines.is_empty() {
        lines.push(StepRow::new(
            TEST,
            Answer::Skipped,
            "fio and DISKSPD are not installed",
        ));
    }
    if let Err(error) = removed {
        let name = bench.file().file_name().unwrap_or_default().display();
        let seen = format!("cannot remove {name}: {}", system_words(&error));
        lines.push(StepRow::new("cleaning up", Answer::Failed, seen));
    }
    lines
}

/// Removes the file that was lent: by its mark, or where files have none, as long as it is the one
/// that was made.
fn remove(file: &Path, made: Option<(u64, u64)>) -> io::Result<()> {
    scratch::remove_own(file)?;
    match made {
        Some(made) if fathom_platform::identity_at(file).is_ok_and(|now| now == made) => {
            removal::remove(file, made).map(drop)
        }
        _ => Ok(()),
    }
}

/// None where the program is not installed.
fn one(bench: &Bench<'_>, peer: &Peer, own: f64) -> Option<StepRow> {
    let mut call = command(peer.name);
    call.args((peer.words)(bench.file(), bench.seconds()));
    let output = match call.output() {
        Ok(output) => output,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            return Some(StepRow::new(
                peer.name,
                Answer::Skipped,
                system_words(&error),
            ));
        }
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let file = ResultFile {
        name: peer.name,
        text: &text,
    };
    let read = read_results(&[file])
        .ok()
        .and_then(|mut imports| imports.pop());
    let Some(theirs) = read.and_then(|read| Some(op(&read.result, Op::Read)?.iops)) else {
        let seen = "its output has no result of reads";
        return Some(StepRow::new(peer.name, Answer::Skipped, seen));
    };
    let ratio = own / theirs.max(1.0);
    let seen = format!(
        "{} IOPS, and fathom {} IOPS: {ratio:.2} times as many",
        figure::iops(theirs),
        figure::iops(own)
    );
    Some(if (1.0 / ALIKE..=ALIKE).contains(&ratio) {
        StepRow::new(peer.name, Answer::Passed, seen)
    } else {
        let seen = format!("{seen}: too far apart to decide");
        StepRow::new(peer.name, Answer::Skipped, seen)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_mark_is_removed_unless_it_is_another_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("lent.dat");
        std::fs::write(&file, "made").expect("room");
        let made = fathom_platform::identity_at(&file).expect("it is there");
        let other = (made.0, made.1 + 1);
        remove(&file, Some(other)).expect("nothing to do");
        assert!(file.exists());
        remove(&file, Some(made)).expect("it is ours");
        assert!(!file.exists());
    }
}
