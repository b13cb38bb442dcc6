//! What is planted in stamped blocks, and what `fathom verify` finds: every planted kind, where it
//! was planted and nowhere else, by its name.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use xxhash_rust::xxh3::xxh3_64;

use crate::siege::Siege;
use crate::siege::lab::contents::{KIB, MIB, noise};
use crate::siege::lab::devices::LoopDevice;
use crate::siege::line::GroupLines;
use crate::siege::random::Random;

/// A self-describing block.
const BLOCK: usize = 512;
/// A request: eight of them.
const REQUEST: usize = 4 * KIB;
const SIZE: usize = MIB;

/// Stamped files from which what is planted is taken.
struct Stamped {
    /// After all writes.
    good: Vec<u8>,
    /// The same run, ended halfway.
    halfway: Vec<u8>,
    /// A run with another seed.
    other: Vec<u8>,
}

struct Plant {
    name: &'static str,
    /// Spoils the bytes; how many blocks are wrong then.
    make: fn(&mut Vec<u8>, &Stamped, &mut Random) -> usize,
    /// Any of these words must be said.
    words: &'static [&'static str],
}

const fn plant(
    name: &'static str,
    make: fn(&mut Vec<u8>, &Stamped, &mut Random) -> usize,
    words: &'static [&'static str],
) -> Plant {
    Plant { name, make, words }
}

const PLANTS: &[Plant] = &[
    plant("nothing", |_, _, _| 0, &[]),
    plant(
        "a block of zeros",
        |bytes, _, random| {
            let at = place(random);
            bytes[at..at + BLOCK].fill(0);
            1
        },
        &["zeros", "never written", "lost"],
    ),
    plant(
        "a request of zeros",
        |bytes, _, random| {
            let at = request(random);
            bytes[at..at + REQUEST].fill(0);
            8
        },
        &["zeros", "never written", "lost"],
    ),
    plant(
        "a bit of a header",
        |bytes, _, random| {
            bytes[place(random) + random.below(32) as usize] ^= 1 << random.below(8);
            1
        },
        &[
            "damaged",
            "torn",
            "foreign",
            "misplaced",
            "stale",
            "another",
        ],
    ),
    plant(
        "a bit of the data",
        |bytes, _, random| {
            bytes[place(random) + 100 + random.below(400) as usize] ^= 1 << random.below(8);
            1
        },
        &["damaged", "torn"],
    ),
    plant(
        "a request as it was before (lost write)",
        |bytes, stamped, _| {
            let at = newer(stamped);
            bytes[at..at + REQUEST].copy_from_slice(&stamped.halfway[at..at + REQUEST]);
            8
        },
        &["stale", "lost", "older"],
    ),
    plant(
        "all requests as they were before (rolled back)",
        |bytes, stamped, _| {
            let changed = differing(stamped).count();
            bytes.copy_from_slice(&stamped.halfway);
            changed * 8
        },
        &["stale", "lost", "older"],
    ),
    plant(
        "a request as it was before, of a run whose clock was a day ahead",
        |bytes, stamped, _| {
            let at = newer(stamped);
            bytes[at..at + REQUEST].copy_from_slice(&stamped.halfway[at..at + REQUEST]);
            for block in bytes[at..at + REQUEST].chunks_exact_mut(BLOCK) {
                put_ahead(block);
            }
            8
        },
        &["stale", "lost", "older"],
    ),
    plant(
        "half a request as it was before (torn)",
        |bytes, stamped, _| {
            let (at, half) = (newer(stamped), REQUEST / 2);
            bytes[at..at + half].copy_from_slice(&stamped.halfway[at..at + half]);
            4
        },
        &["torn", "stale", "older"],
    ),
    plant(
        "half a block as it was before",
        |bytes, stamped, _| {
            let (at, half) = (newer(stamped), BLOCK / 2);
            bytes[at..at + half].copy_from_slice(&stamped.halfway[at..at + half]);
            1
        },
        &["torn", "damaged"],
    ),
    plant(
        "a block of another place",
        |bytes, stamped, _| {
            let from = 9 * REQUEST;
            bytes[..BLOCK].copy_from_slice(&stamped.good[from..from + BLOCK]);
            1
        },
        &["misplaced", "another place", "of offset", "offset"],
    ),
    plant(
        "two requests changed for each other",
        |bytes, stamped, _| {
            let (one, two) = (3 * REQUEST, 200 * REQUEST);
            bytes[one..one + REQUEST].copy_from_slice(&stamped.good[two..two + REQUEST]);
            bytes[two..two + REQUEST].copy_from_slice(&stamped.good[one..one + REQUEST]);
            16
        },
        &["misplaced", "another place", "offset"],
    ),
    plant(
        "everything moved by one block",
        |bytes, _, _| {
            bytes.rotate_right(BLOCK);
            SIZE / BLOCK
        },
        &["misplaced", "another place", "offset"],
    ),
    plant(
        "noise",
        |bytes, _, random| {
            let at = request(random);
            bytes[at..at + REQUEST].copy_from_slice(&random.bytes(REQUEST));
            8
        },
        &["foreign", "no stamp", "not stamped", "not written by"],
    ),
    plant(
        "a request of another run",
        |bytes, stamped, random| {
            let at = request(random);
            bytes[at..at + REQUEST].copy_from_slice(&stamped.other[at..at + REQUEST]);
            8
        },
        &["another seed", "another run", "foreign"],
    ),
];

/// Where a block begins.
fn place(random: &mut Random) -> usize {
    random.below((SIZE / BLOCK) as u64) as usize * BLOCK
}

/// Where a request begins.
fn request(random: &mut Random) -> usize {
    random.below((SIZE / REQUEST) as u64) as usize * REQUEST
}

/// Requests that the second half of the run has written again.
fn differing(stamped: &Stamped) -> impl Iterator<Item = usize> {
    let starts = (0..SIZE).step_by(REQUEST);
    starts.filter(|at| stamped.good[*at..at + REQUEST] != stamped.halfway[*at..at + REQUEST])
}

/// Makes a block one that was stamped a day later.
fn put_ahead(block: &mut [u8]) {
    let mut word = [0; 8];
    word.copy_from_slice(&block[32..40]);
    // In 512 ns; a layout has no time.
    let later = u64::from_le_bytes(word) + (86_400_000_000_000 >> 9);
    block[32..40].copy_from_slice(&later.to_le_bytes());
    let sum = xxh3_64(&block[..BLOCK - 8]);
    block[BLOCK - 8..].copy_from_slice(&sum.to_le_bytes());
}

fn newer(stamped: &Stamped) -> usize {
    differing(stamped).next().unwrap_or(0)
}

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("stamped");
    let stamped = Stamped {
        other: stamp(siege, &file, 6, 2000)?,
        halfway: stamp(siege, &file, 5, 1000)?,
        // Last, so that it is what the history knows of the file.
        good: stamp(siege, &file, 5, 2000)?,
    };
    ensure!(
        differing(&stamped).count() > 10,
        "the second half of the run wrote nothing"
    );
    let mut random = Random::new(siege.seed);
    for plant in PLANTS {
        for _ in 0..siege.attempts(5, 1) {
            siege.go_on()?;
            one(siege, &file, plant, &stamped, &mut random, lines)?;
        }
    }
    healthy(siege, lines)?;
    repeated(siege, lines)?;
    simulated(siege, lines)
}

/// What two runs write to the same offsets: options, whether the content is the same, and whether
/// the second run says so.
const REPEATED: &[(&str, bool)] = &[
    ("run random-write-4k --seed 5", false),
    ("run random-write-4k --seed 5 --salt 7", true),
    ("run pattern.toml", true),
];

const PATTERN: &str = r#"
name = "pattern"
[[job]]
block_size = "4KiB"
read = 0
random = 100
fill = "pattern:deadbeef"
"#;

fn repeated(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for (words, is_same) in REPEATED {
        siege.go_on()?;
        let folder = tempfile::tempdir()?;
        let (file, result) = (
            folder.path().join("file"),
            folder.path().join("result.json"),
        );
        fs::write(folder.path().join("pattern.toml"), PATTERN)?;
        let target = format!(
            "--target {} --keep --ios 4096 --threads 1 --queue-depth 1 --warm-up 0s",
            file.display()
        );
        let mut contents = Vec::new();
        let mut told = Vec::new();
        for _ in 0..2 {
            let _ = fs::remove_file(&result);
            let line = format!(
                "{words} {target} --engine psync --size={SIZE} --quiet --output json:{}",
                result.display()
            );
            let ended = siege.fathom.line(&line).inside(folder.path()).end()?;
            ensure!(
                ended.status == Some(0),
                "nothing was written: {}",
                ended.told()
            );
            contents.push(fs::read(&file)?);
            told.push(fs::read_to_string(&result)?.contains("\"content_held\""));
        }
        let pieces = contents[0].chunks(REQUEST).zip(contents[1].chunks(REQUEST));
        let same = pieces.filter(|(one, other)| one == other).count();
        lines.add(
            format!("twice: {words}"),
            if *is_same {
                "the same content, and `content_held` in the second run"
            } else {
                "no block as it was, and no `content_held`"
            },
            format!(
                "{same} of {} blocks the same, content_held {told:?}",
                SIZE / REQUEST
            ),
            (same == SIZE / REQUEST) == *is_same
                && (*is_same || same == 0)
                && told == [false, *is_same],
        );
    }
    Ok(())
}

/// The bytes of a file that a run has stamped and kept.
fn stamp(siege: &Siege, path: &Path, seed: u32, ios: u32) -> Result<Vec<u8>> {
    let _ = fs::remove_file(path);
    let line = format!(
        "run random-write-4k --target {} --keep --verify stamp --size 1MiB --ios {ios} --seed \
         {seed} --queue-depth 1 --warm-up 0s --engine psync --quiet --output json:/dev/null",
        path.display()
    );
    let ended = siege.fathom.line(&line).end()?;
    ensure!(
        ended.status == Some(0),
        "nothing was stamped: {}",
        ended.told()
    );
    Ok(fs::read(path)?)
}

fn one(
    siege: &Siege,
    file: &Path,
    plant: &Plant,
    stamped: &Stamped,
    random: &mut Random,
    lines: &mut GroupLines<'_>,
) -> Result<()> {
    let mut bytes = stamped.good.clone();
    let wrong = (plant.make)(&mut bytes, stamped, random);
    write_in_place(file, &bytes)?;
    let ended = siege
        .fathom
        .line(&format!("verify {} --seed 5 --quiet", file.display()))
        .end()?;
    write_in_place(file, &stamped.good)?;
    let found = found(&ended.stdout);
    let words = ended.stdout.to_lowercase();
    let is_named = plant.words.is_empty() || plant.words.iter().any(|word| words.contains(word));
    let status = if wrong == 0 { 0 } else { 3 };
    let is_met = ended.status == Some(status) && found == wrong && is_named;
    let summary: Vec<&str> = ended.stdout.lines().take(6).map(str::trim).collect();
    lines.add(
        format!("planted: {}", plant.name),
        format!("{wrong} wrong, by any of: {}", plant.words.join(", ")),
        format!("{}; {found} wrong; {}", ended.told(), summary.join("; ")),
        is_met,
    );
    Ok(())
}

fn write_in_place(file: &Path, bytes: &[u8]) -> Result<()> {
    use std::io::Write as _;
    let mut file = fs::File::options().write(true).open(file)?;
    file.write_all(bytes)?;
    Ok(file.sync_all()?)
}

/// All blocks that are counted as wrong.
fn found(stdout: &str) -> usize {
    let lines = stdout.lines().filter(|line| line.contains("wrong"));
    let numbers = lines.filter_map(|line| {
        let number = line.split_whitespace().next()?;
        number.replace(',', "").parse::<usize>().ok()
    });
    numbers.sum()
}

/// A device of which a part was written: nothing is wrong with the rest.
fn healthy(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for times in 0..siege.attempts(20, 1) {
        siege.go_on()?;
        let folder = tempfile::tempdir()?;
        let device = LoopDevice::holding(folder.path(), &old(times))?;
        let path: PathBuf = device.path.clone();
        let ios = 50 + 37 * times;
        let line = format!(
            "run random-write-4k --target {0} --destroy {0}=data --verify stamp --ios {ios} --seed \
             {times} --warm-up 0s --engine psync --quiet --output json:/dev/null",
            path.display()
        );
        let wrote = siege.fathom.line(&line).end()?;
        let verify = format!("verify {} --quiet", path.display());
        let ended = siege.fathom.line(&verify).end()?;
        let found = found(&ended.stdout);
        lines.add(
            format!("a healthy device, of which {ios} requests were written"),
            "0 wrong, status 0",
            format!("written {}; {}; {found} wrong", wrote.told(), ended.told()),
            wrote.status == Some(0) && ended.status == Some(0) && found == 0,
        );
    }
    Ok(())
}

/// What was on the device before: nothing, or somebody's bytes.
fn old(times: u32) -> Vec<u8> {
    if times.is_multiple_of(2) {
        vec![0; 4 * MIB]
    } else {
        noise(u64::from(times), 4 * MIB)
    }
}

const WRITTEN_OFTEN: &str = r#"
name = "written-often"
[[phase]]
name = "write"
warm_up = "0s"
[[phase.job]]
name = "j"
size = "4MiB"
block_size = "16KiB"
read = 0
random = 100
direct = true
verify = "read_back"
stop_ios = 4000
"#;

/// Each of 256 places is written some 16 times, and a lost write shows where it was the last one:
/// with chances that are known, at 5 standard deviations.
const SIMULATED: &[(&str, u64, u64)] = &[
    ("", 0, 0),
    (" + lost:1/10", 32 * 3, 32 * 55),
    (" + torn:1/10", 16 * 3, 32 * 55),
    (" + misdirected:1/10", 32 * 10, 32 * 110),
];

fn simulated(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for (layer, least, most) in SIMULATED {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("load.toml"), WRITTEN_OFTEN)?;
        let volume = format!("local-nvme:480GB:4000iops:500MB/s{layer}");
        let words = [
            "simulate",
            "load.toml",
            "--quiet",
            "--no-save",
            "--output=json:result.json",
        ];
        let words = words
            .map(str::to_owned)
            .into_iter()
            .chain([format!("--volume={volume}")]);
        let ended = siege.fathom.call(words).inside(folder.path()).end()?;
        let text = fs::read_to_string(folder.path().join("result.json")).unwrap_or_default();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let wrong = json["phases"][0]["jobs"][0]["verified"]["wrong"].as_u64();
        let wrong = wrong.with_context(|| format!("no account of blocks: {}", ended.told()))?;
        lines.add(
            format!("4,000 writes onto 256 places of a simulated volume{layer}"),
            format!("{least} to {most} blocks wrong"),
            format!("{wrong} wrong"),
            (*least..=*most).contains(&wrong),
        );
    }
    Ok(())
}
