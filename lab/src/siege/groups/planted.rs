//! What somebody else has put where the program looks: pipes at which nobody writes, files that
//! their owner has filled in place, journals that cannot be read, and what unpacks without an end.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use anyhow::{Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::siege::Siege;
use crate::siege::lab::contents::{MIB, noise};
use crate::siege::lab::devices::{Mount, system};
use crate::siege::line::GroupLines;

/// Seconds in which each of these calls has to end by itself.
const PATIENCE_S: u32 = 60;

/// Calls in a folder with a pipe: `fathom-data.dat` in the folder, or `pipe`.
const PIPES: &[&str] = &[
    "run LOAD --no-save --quiet --output json:/dev/null --target .",
    "quick . --size 1MiB --time 100ms --warm-up 0s --no-save --quiet --output json:/dev/null",
    "verify pipe",
    "verify fathom-data.dat",
    "durability --target . --ack-log pipe --size 16MiB --time 1s",
    "durability --verify --target . --ack-log pipe",
    "run LOAD --no-save --quiet --output json:pipe --target new",
    "run LOAD --quiet --output json:/dev/null --store pipe --target new",
    "run LOAD --no-save --quiet --output json:/dev/null --target pipe",
    "run LOAD --no-save --quiet --output json:/dev/null --target pipe --read-only",
    "history --store pipe",
    "show ./pipe",
    "import pipe",
    "compare ./pipe ./pipe",
    "clean .",
];

const LOAD: &str = "random-read-4k --engine psync --size 1MiB --time 100ms --warm-up 0s";

/// Calls that read a result from `bomb.gz`.
const READERS: &[&str] = &[
    "show ./bomb.gz",
    "import bomb.gz --store new.db",
    "compare ./bomb.gz ./bomb.gz",
    "report ./bomb.gz --output page.html",
];

/// KiB of address space that are enough to refuse it.
const MEMORY_KIB: u32 = 1 << 20;

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for call in PIPES {
        siege.go_on()?;
        beside_pipe(siege, call, lines)?;
    }
    for is_time_kept in [false, true] {
        filled_in_place(siege, is_time_kept, lines)?;
    }
    bombs(siege, lines)?;
    if !siege.is_quick {
        unreadable_journal(siege, lines)?;
        full_disks(siege, lines)?;
    }
    Ok(())
}

fn beside_pipe(siege: &Siege, call: &str, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    for name in ["pipe", "fathom-data.dat"] {
        mknodat(CWD, folder.path().join(name), FileType::Fifo, Mode::RWXU, 0)?;
    }
    let line = call.replace("LOAD", LOAD);
    let call_of = siege.fathom.line(&line).inside(folder.path());
    let ended = call_of.patience_s(PATIENCE_S).end()?;
    let is_left = |name: &str| {
        let meta = fs::symlink_metadata(folder.path().join(name));
        meta.is_ok_and(|meta| FileType::from_raw_mode(mode_of(&meta)) == FileType::Fifo)
    };
    let are_left = is_left("pipe") && is_left("fathom-data.dat");
    lines.add(
        format!("a pipe that nobody writes to: {call}"),
        "done without it, or refused; the pipe stays",
        ended.told(),
        ended.is_orderly() && are_left && ended.status.is_some_and(|status| status != 101),
    );
    Ok(())
}

fn mode_of(meta: &fs::Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::mode(meta)
}

/// As `dd conv=notrunc`, and as tools that set the old time again.
fn filled_in_place(siege: &Siege, is_time_kept: bool, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("kept");
    let line = "run random-write-4k --keep --size 1MiB --ios 16 --warm-up 0s --engine psync \
                --no-save --quiet --output json:/dev/null --target kept";
    let made = siege.fathom.line(line).inside(folder.path()).end()?;
    ensure!(made.status == Some(0), "no file: {}", made.told());
    let again = siege.fathom.line(line).inside(folder.path()).end()?;
    let file = File::options().read(true).write(true).open(&path)?;
    let before = file.metadata()?.modified()?;
    let theirs = noise(51, MIB);
    file.write_all_at(&theirs, 0)?;
    if is_time_kept {
        file.set_modified(before)?;
    }
    let ended = siege.fathom.line(line).inside(folder.path()).end()?;
    let is_whole = fs::read(&path)? == theirs;
    let how = if is_time_kept {
        ", its time set again"
    } else {
        ""
    };
    lines.add(
        format!("a file of Fathom's own, filled in place{how}"),
        "used again before, refused and whole afterwards",
        format!("before {}; afterwards {}", again.told(), ended.told()),
        again.status == Some(0) && ended.is_refusal() && is_whole,
    );
    Ok(())
}

fn bombs(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut encoder = GzEncoder::new(
        File::create(folder.path().join("bomb.gz"))?,
        Compression::fast(),
    );
    let blank = vec![b' '; MIB];
    for _ in 0..3000 {
        encoder.write_all(&blank)?;
    }
    encoder.finish()?;
    for call in READERS {
        siege.go_on()?;
        let call_of = siege.fathom.line(call).inside(folder.path());
        let call_of = call_of.within(&format!("prlimit --as={}", u64::from(MEMORY_KIB) << 10));
        let ended = call_of.patience_s(PATIENCE_S).end()?;
        lines.add(
            format!("3 GB packed in 13 MB: {call}"),
            "refused within 1 GiB of memory",
            ended.told(),
            ended.is_refusal() && ended.is_orderly(),
        );
    }
    Ok(())
}

/// The journal of a run that was killed, made unreadable with `sqlite3`.
fn unreadable_journal(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let run = "run random-read-4k --engine null --time 60s --quiet --store h.db";
    let running = siege.fathom.line(run).inside(folder.path()).start()?;
    running.wait_ms(3000)?;
    running.send(rustix::process::Signal::KILL)?;
    running.end()?;
    let store = folder.path().join("h.db");
    let words = [
        store.to_string_lossy().into_owned(),
        "UPDATE journal SET body = x'1f8b'".into(),
    ];
    if let Err(error) = system("sqlite3", &words) {
        lines.skip(format!("an unreadable journal: {error}"));
        return Ok(());
    }
    let calls = [
        "run random-read-4k --engine sim --time 1s --quiet --store h.db",
        "history --store h.db",
        "show @latest --store h.db",
    ];
    let mut told = Vec::new();
    let mut is_met = true;
    for call in calls {
        let ended = siege.fathom.line(call).inside(folder.path()).end()?;
        is_met &= ended.status == Some(0);
        told.push(ended.told());
    }
    lines.add(
        "an unreadable journal of a killed run",
        "the next run is saved, listed and shown",
        told.join("; "),
        is_met,
    );
    Ok(())
}

/// A full file system: an earlier result stays, a run that is not saved says so by its status, and
/// runs can be removed.
fn full_disks(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let place = folder.path().join("small");
    let _full = Mount::new(Path::new("tmpfs"), "-t tmpfs -o size=2m", &place)?;
    for seed in 1..=4 {
        let run = format!(
            "run random-read-4k --engine sim --time 2s --quiet --seed {seed} --store h.db --output \
             json:result.json --replace-results"
        );
        let ended = siege.fathom.line(&run).inside(&place).end()?;
        ensure!(ended.status == Some(0), "no history: {}", ended.told());
    }
    let earlier = fs::read(place.join("result.json"))?;
    fs::hard_link(place.join("result.json"), place.join("link"))?;
    let room = rustix::fs::statvfs(&place)?;
    fs::write(
        place.join("filler"),
        vec![1; (room.f_bavail * room.f_bsize) as usize],
    )?;
    let run = "run random-read-4k --engine sim --time 2s --quiet --output json:result.json \
               --replace-results";
    let without = siege
        .fathom
        .line(&format!("{run} --no-save"))
        .inside(&place)
        .end()?;
    let are_left = ["result.json", "link"].map(|name| fs::read(place.join(name)).ok());
    lines.add(
        "a result is replaced on a full file system",
        "refused, the earlier one and its other name whole",
        without.told(),
        without.status == Some(4) && are_left.iter().all(|left| left.as_ref() == Some(&earlier)),
    );
    let saved =
        "run random-read-4k --engine sim --time 2s --quiet --output json:/dev/null --store h.db";
    let unsaved = siege.fathom.line(saved).inside(&place).end()?;
    lines.add(
        "a run is saved on a full file system",
        "status 9, its result in a file elsewhere",
        unsaved.told(),
        unsaved.status == Some(9) && unsaved.stderr.contains("the result is in "),
    );
    let pruned = siege
        .fathom
        .line("prune --keep 1 --yes --store h.db")
        .inside(&place)
        .end()?;
    let freed = rustix::fs::statvfs(&place)?.f_bavail;
    lines.add(
        "runs are pruned on a full file system",
        "status 0 and free space",
        format!("{}, {freed} blocks free", pruned.told()),
        pruned.status == Some(0) && freed > 0,
    );
    Ok(())
}
