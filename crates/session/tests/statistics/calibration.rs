//! How often a check fires without reason, and how often it misses what was planted: runs of known
//! truth, each with its seed. The whole of it writes `docs/calibration.md`:
//!
//! ```text
//! FATHOM_STATISTICS=full FATHOM_WRITE_DOCS=1 \
//!     cargo test --release -p fathom-session --test statistics calibration
//! ```

use crate::bench::is_full;
use crate::clean;
use crate::made::{MADE, Made, WITHOUT};
use crate::misfortunes::{MISFORTUNES, Misfortune, codes};
use crate::pace::{self, Plant};
use fathom_core::Level;
use fathom_core::result::{RunResult, Wait};
use fathom_verdict::{BESIDE, CHECKS, Code, Entry, Mark};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Seeds of the clean runs, of the planted changes of pace, of the planted misfortunes, and of the
/// evidence that is made.
const CLEAN: std::ops::Range<u64> = 0..400;
const PLANTED: std::ops::Range<u64> = 1_000..1_040;
const SPOILT: std::ops::Range<u64> = 2_000..2_020;
const MAKING: std::ops::Range<u64> = 3_000..3_400;
const MADE_PLANTED: std::ops::Range<u64> = 3_400..3_500;

/// What is planted, with the least share of the runs in which it has to be seen; none for a size
/// near the threshold or below.
const PLANTS: [(Plant, Option<f64>); 19] = [
    (step(1.05, 0.5), None),
    (step(1.1, 0.5), None),
    (step(1.2, 0.5), None),
    (step(1.3, 0.5), Some(0.7)),
    (step(1.5, 0.5), Some(0.85)),
    (step(2.0, 0.33), Some(0.85)),
    (step(0.5, 0.33), Some(0.85)),
    (step(31.08, 0.33), Some(1.0)),
    (step(2.0, 0.1), Some(0.8)),
    (step(300.0, 0.067), Some(1.0)),
    (Plant::Standstill { share: 0.02 }, None),
    (Plant::Standstill { share: 0.04 }, None),
    (Plant::Standstill { share: 0.08 }, Some(0.95)),
    (Plant::Standstill { share: 0.12 }, Some(0.95)),
    (Plant::Standstill { share: 0.25 }, Some(1.0)),
    (alternating(1.2, 600.0), None),
    (alternating(1.5, 600.0), Some(0.6)),
    (alternating(10.0, 600.0), Some(0.7)),
    (alternating(10.0, 250.0), None),
];

const fn step(factor: f64, share: f64) -> Plant {
    Plant::Step { factor, share }
}

const fn alternating(ratio: f64, half_ms: f64) -> Plant {
    Plant::Alternating { ratio, half_ms }
}

/// Sizes of the misfortunes: shares, or one of this number of requests.
fn sizes(misfortune: Misfortune) -> &'static [f64] {
    match misfortune {
        Misfortune::FlushesIgnored | Misfortune::FlushesUncounted => &[1.0],
        Misfortune::Errors | Misfortune::Short => &[1_000.0, 100.0, 10.0],
        _ => &[0.02, 0.05, 0.07, 0.10, 0.15, 0.5],
    }
}

/// Runs in which something was seen, of all.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    doubted: u64,
    suspect: u64,
    runs: u64,
    /// Seeds of the others.
    others: Vec<u64>,
}

fn pace_seen(plant: Plant, seeds: std::ops::Range<u64>) -> Seen {
    let mut seen = Seen::default();
    for seed in seeds {
        let found = pace::level(&pace::run(plant, seed));
        seen.doubted += u64::from(found > Some(Level::Note));
        seen.suspect += u64::from(found >= Some(Level::Suspect));
        seen.runs += 1;
        if found <= Some(Level::Note) {
            seen.others.push(seed);
        }
    }
    seen
}

/// The codes above a note that a clean run raises.
fn doubts(result: &RunResult) -> BTreeSet<String> {
    let caveats = result.caveats.iter();
    let doubts = caveats.filter(|one| one.level > Level::Note && !Code::Simulated.is(one));
    doubts.map(|one| one.code.as_str().to_owned()).collect()
}

/// How often each code was raised in clean runs.
fn false_alarms(seeds: std::ops::Range<u64>) -> BTreeMap<String, u64> {
    let mut alarms = BTreeMap::new();
    for seed in seeds {
        for code in doubts(&pace::run(Plant::Clean, seed)) {
            *alarms.entry(code).or_default() += 1;
        }
    }
    alarms
}

/// The codes that decide a state and rest on a threshold of ours.
fn deciding() -> Vec<&'static Entry> {
    let decides = |entry: &&Entry| {
        let level = entry.level();
        let words = ["qualified", "suspect", "invalid"];
        words.iter().any(|word| level.contains(word))
    };
    let rests = |entry: &&Entry| entry.thresholds.iter().any(|one| one.mark == Mark::Decided);
    let entries = CHECKS.iter().flat_map(|check| check.codes).chain(BESIDE);
    entries.filter(decides).filter(rests).collect()
}

/// One interval series of a run on real storage, of `real.csv`.
struct Real {
    storage: String,
    /// Share of each slice for which the generator had no processor, percent.
    held_up: Vec<u64>,
    pace: fathom_core::result::Pace,
    doubts: BTreeSet<String>,
}

fn real_runs() -> Vec<Real> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = folder.join("tests/statistics/real.csv");
    let text = std::fs::read_to_string(path).expect("real.csv");
    let rows = text
        .lines()
        .skip_while(|line| line.starts_with('#'))
        .skip(1);
    rows.map(|row| {
        let mut cells = row.split(',');
        let mut cell = || cells.next().expect("five cells").to_owned();
        let (storage, slice_ms, ios) = (cell(), cell(), cell());
        let (held_up, doubts) = (cell(), cell());
        let number = |word: &str| word.parse::<u64>().expect("a number");
        Real {
            storage,
            held_up: held_up.split(' ').map(number).collect(),
            pace: fathom_core::result::Pace {
                start_ns: 0,
                slice_ns: number(&slice_ms) * 1_000_000,
                ios: ios.split(' ').map(number).collect(),
            },
            doubts: doubts
                .split(' ')
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect(),
        }
    })
    .collect()
}

/// What the pace of a real run is called today, with or without the evidence of waits.
fn real_level(real: &Real, with_waits: bool) -> Option<Level> {
    let mut result = fathom_core::fixture::random_read();
    let phase = &mut result.phases[0];
    phase.intervals.clear();
    phase.pace = Some(real.pace.clone());
    let (begin_ns, slice_ns) = (phase.warm_up_ns, real.pace.slice_ns);
    let wait = |(slice, percent): (u64, &u64)| Wait {
        start_ns: begin_ns + slice * slice_ns,
        length_ns: slice_ns,
        waited_ns: slice_ns / 100 * percent,
    };
    let waits = (0..).zip(&real.held_up).map(wait);
    let waits = waits.filter(|_| with_waits).collect();
    phase.ledger.get_or_insert_default().generator.waits = waits;
    fathom_verdict::judge(&mut result);
    pace::level(&result)
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", part as f64 * 100.0 / whole.max(1) as f64)
}

fn page_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/calibration.md")
}

const HEAD: &str = "# Calibration of the checks\n\n\
Generated by `FATHOM_STATISTICS=full FATHOM_WRITE_DOCS=1 cargo test --release -p fathom-session \
--test statistics calibration`. Simulated runs are in virtual time, so a seed gives the same \
run everywhere. A false alarm is a caveat above a note in a run in which nothing is planted. \
A miss \
is a run in which something is planted and its check does not fire.\n";

fn page() -> String {
    let mut text = HEAD.to_owned();
    let clean = CLEAN.end - CLEAN.start;
    let alarms = false_alarms(CLEAN);
    write!(
        text,
        "\n## Changes of pace (`standstill`, `uneven`, `trend`)\n\n\
         Seeds {} to {} for each row. Devices: 1 to 32 outstanding requests, constant, \
         exponential and log-normal service times, a speed that wanders by 0.5 to 5 %, runs of 3, \
         6 and 10 s, one in four with a flush after 16 writes.\n\n\
         | planted | runs | seen | suspect | missed |\n| --- | ---: | ---: | ---: | ---: |\n",
        PLANTED.start,
        PLANTED.end - 1
    )
    .expect("a text takes all");
    let of_pace = ["standstill", "uneven", "trend"];
    let false_of_pace: u64 = of_pace.iter().filter_map(|code| alarms.get(*code)).sum();
    writeln!(
        text,
        "| nothing, seeds {} to {} | {clean} | {false_of_pace} | | false alarms {} |",
        CLEAN.start,
        CLEAN.end - 1,
        percent(false_of_pace, clean)
    )
    .expect("a text takes all");
    for (plant, _) in PLANTS {
        let seen = pace_seen(plant, PLANTED);
        writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            plant.words(),
            seen.runs,
            seen.doubted,
            seen.suspect,
            percent(seen.runs - seen.doubted, seen.runs)
        )
        .expect("a text takes all");
    }
    text += &misfortunes();
    text += &real();
    text += &thresholds(&alarms);
    text
}

fn misfortunes() -> String {
    let mut text = format!(
        "\n## Other misfortunes\n\nSeeds {} to {} for each row.\n\n\
         | check | planted | size | runs | missed |\n| --- | --- | ---: | ---: | ---: |\n",
        SPOILT.start,
        SPOILT.end - 1
    );
    for (misfortune, code) in MISFORTUNES {
        for size in sizes(misfortune) {
            let runs = SPOILT.end - SPOILT.start;
            let seen = SPOILT
                .filter(|seed| {
                    let found = codes(misfortune, Some(*size), *seed);
                    found.iter().any(|one| *one == code)
                })
                .count() as u64;
            writeln!(
                text,
                "| `{}` | {misfortune:?} | {size} | {runs} | {} |",
                code.name(),
                percent(runs - seen, runs)
            )
            .expect("a text takes all");
        }
    }
    text + "\nThe size is the share that the cache serves, that is not counted, or that the \
            neighbour adds; of errors and short transfers it is the number of reads of which one \
            is spoilt.\n"
}

/// Codes of a generator that was held up itself, which changes the pace of a closed load.
const HELD_UP: [Code; 3] = [
    Code::GeneratorStarved,
    Code::GeneratorPaused,
    Code::TailContaminated,
];

impl Real {
    fn is_held_up(&self) -> bool {
        HELD_UP.iter().any(|code| self.doubts.contains(code.name()))
    }
}

fn real() -> String {
    let runs = real_runs();
    let mut text = format!(
        "\n## Runs on real storage\n\n{} runs of 1 to 4 s on loop and zram devices of the test's \
         own, while compilers wanted all processors of the machine (a load of 8 to 12 on two \
         processors). *Held up*: the run has `generator_starved`, `generator_paused` or \
         `tail_contaminated`, so that it is SUSPECT whatever its pace. The last columns are the \
         runs with `standstill`, `uneven` or `trend`: if the slices are not compared with the \
         waits of the generator, and as the checks are. Without a plant these are false alarms, \
         but for the kernel's limiter: of the runs that it limited to 200 IOPS, one has 130 IOPS \
         for 1.3 s, and 200 afterwards. A \
         planted \
         change that is not seen lies in time in which the generator was held up as well; limits \
         that change also make `io_limited`. The series are in \
         `crates/session/tests/statistics/real.csv`.\n\n\
         | storage | runs | held up | change of pace without waits | change of pace |\n\
         | --- | ---: | ---: | ---: | ---: |\n",
        runs.len()
    );
    let mut storages: Vec<&str> = runs.iter().map(|run| run.storage.as_str()).collect();
    storages.dedup();
    for storage in storages {
        let same = || runs.iter().filter(|run| run.storage == storage);
        let changes = |with_waits: bool| {
            let levels = same().map(|run| real_level(run, with_waits));
            levels.filter(|level| *level > Some(Level::Note)).count()
        };
        writeln!(
            text,
            "| {storage} | {} | {} | {} | {} |",
            same().count(),
            same().filter(|run| run.is_held_up()).count(),
            changes(false),
            changes(true)
        )
        .expect("a text takes all");
    }
    text
}

/// Where the rates of a check come from.
enum Source {
    /// Simulated runs.
    Simulated,
    /// Evidence that was made.
    Made(&'static Made),
    /// Nowhere, and why.
    Without(&'static str),
}

fn source(entry: &Entry) -> Option<Source> {
    let of_pace = [Code::Standstill, Code::Uneven, Code::Trend].contains(&entry.code);
    if of_pace || MISFORTUNES.iter().any(|(_, code)| *code == entry.code) {
        return Some(Source::Simulated);
    }
    let made = MADE.iter().find(|made| made.code == entry.code);
    let without = || WITHOUT.iter().find(|(code, _)| *code == entry.code);
    made.map(Source::Made)
        .or_else(|| without().map(|(_, why)| Source::Without(why)))
}

/// Every threshold of ours that decides a state, with what is known of it.
fn thresholds(of_pace: &BTreeMap<String, u64>) -> String {
    let runs = CLEAN.end - CLEAN.start;
    let mut of_counters: BTreeMap<String, u64> = BTreeMap::new();
    for code in CLEAN.flat_map(clean::codes) {
        *of_counters.entry(code).or_default() += 1;
    }
    let mut text = format!(
        "\n## Thresholds of ours that decide a state\n\n\
         *Simulated*: {runs} clean runs, seeds {} to {}, of devices that count their requests \
         (of pace: of the devices above); what is planted is in the tables above. *Made*: the \
         simulator does not have this evidence, so that it is drawn from a log-normal distribution \
         with the stated median and σ of its logarithm (*none*: it stays at zero), with seeds {} \
         to {}; each planted size varies by 10 %, seeds {} to {}. These distributions are \
         assumptions about a clean machine and no measurement: the rates say where the check \
         fires, and no more. *Not calibrated* gives the reason. With no alarm in 400 runs the rate \
         is below 0.75 % with a confidence of 95 %.\n\n\
         | check | thresholds | evidence | false alarms | planted: missed |\n\
         | --- | --- | --- | ---: | --- |\n",
        CLEAN.start,
        CLEAN.end - 1,
        MAKING.start,
        MAKING.end - 1,
        MADE_PLANTED.start,
        MADE_PLANTED.end - 1
    );
    for entry in deciding() {
        let name = entry.code.name();
        let (evidence, alarms, planted) = match source(entry) {
            Some(Source::Simulated) => {
                let count = |all: &BTreeMap<String, u64>| all.get(name).copied().unwrap_or(0);
                let all = count(of_pace).max(count(&of_counters));
                (
                    "simulated".to_owned(),
                    percent(all, runs),
                    "above".to_owned(),
                )
            }
            Some(Source::Made(made)) => of_made(made),
            Some(Source::Without(why)) => (
                format!("not calibrated: {why}"),
                String::new(),
                String::new(),
            ),
            None => panic!("{name} decides a state and says nowhere how it is calibrated"),
        };
        writeln!(
            text,
            "| `{name}` | {} | {evidence} | {alarms} | {planted} |",
            values(entry)
        )
        .expect("a text takes all");
    }
    text
}

/// Evidence, false alarms, and what is missed.
fn of_made(made: &Made) -> (String, String, String) {
    let alarms = MAKING.filter(|seed| made.is_false_alarm(*seed)).count() as u64;
    let missed = made.planted.iter().map(|size| {
        let missed = MADE_PLANTED.filter(|seed| made.is_missed(*size, *seed));
        let runs = MADE_PLANTED.end - MADE_PLANTED.start;
        format!("{size}: {}", percent(missed.count() as u64, runs))
    });
    (
        format!("made: {}; clean: {}", made.size, made.clean_words()),
        percent(alarms, MAKING.end - MAKING.start),
        missed.collect::<Vec<_>>().join("; "),
    )
}

/// The values of its thresholds.
fn values(entry: &Entry) -> String {
    let ours = entry
        .thresholds
        .iter()
        .filter(|one| one.mark == Mark::Decided);
    let shown: Vec<String> = ours
        .map(|one| format!("{} {}", one.name, one.printed()))
        .collect();
    shown.join("; ")
}

#[test]
fn the_page_is_what_the_runs_give() {
    let path = page_path();
    let read = || std::fs::read_to_string(&path).expect("docs/calibration.md");
    if !is_full() {
        // A threshold that was changed without a new calibration is not in the page.
        let text = read();
        for entry in deciding() {
            let cells = format!("| `{}` | {} |", entry.code.name(), values(entry));
            let known = text.lines().any(|line| line.starts_with(&cells));
            assert!(known, "docs/calibration.md does not have: {cells}");
            assert!(
                source(entry).is_some(),
                "{} has no calibration",
                entry.code.name()
            );
        }
        return;
    }
    let page = page();
    if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
        #[expect(clippy::disallowed_methods, reason = "a page of this repository")]
        std::fs::write(&path, &page).expect("a page");
    }
    assert_eq!(read(), page);
}

#[test]
fn a_change_of_pace_is_seen_and_none_is_not() {
    let full = is_full();
    let clean = if full { CLEAN } else { 0..10 };
    let seen = pace_seen(Plant::Clean, clean);
    assert!(seen.doubted * 100 <= seen.runs, "false alarms: {seen:?}");
    for (plant, least) in PLANTS {
        let seeds = if full { PLANTED } else { 1_000..1_002 };
        let Some(least) = least.filter(|least| full || *least >= 1.0) else {
            continue;
        };
        let seen = pace_seen(plant, seeds);
        println!("{plant:?}: missed {:?}", seen.others);
        let share = seen.doubted as f64 / seen.runs as f64;
        assert!(share >= least, "{plant:?}: {seen:?}");
    }
}

/// What was made is seen where it is far above the threshold, and a clean machine raises nothing.
#[test]
fn made_evidence_is_seen_and_clean_evidence_is_not() {
    let decides = |code: Code| deciding().iter().any(|entry| entry.code == code);
    let idle = WITHOUT.iter().map(|(code, _)| *code);
    let idle: Vec<Code> = idle.filter(|code| !decides(*code)).collect();
    assert_eq!(idle, [], "they decide no state");
    for made in MADE {
        assert!(decides(made.code), "{} decides no state", made.code.name());
        let alarms = (0..20).filter(|seed| made.is_false_alarm(*seed)).count();
        let most = made.planted.last().expect("sizes");
        let missed = (0..20).filter(|seed| made.is_missed(*most, *seed)).count();
        assert!(
            alarms == 0 && missed <= 10,
            "{}: {alarms}, {missed}",
            made.code.name()
        );
    }
}

/// Of the clean runs on real storage, on a machine without a free processor.
#[test]
fn a_generator_that_is_held_up_is_no_change_of_pace() {
    let runs = real_runs();
    // The kernel's limiter does not keep its own pace on such a machine.
    let clean = runs.iter().filter(|run| !run.storage.contains("limit"));
    let alarms = |with_waits: bool| {
        let levels = clean.clone().map(|run| real_level(run, with_waits));
        levels.filter(|level| *level > Some(Level::Note)).count()
    };
    assert_eq!((alarms(true), alarms(false) > 5), (0, true));
}
