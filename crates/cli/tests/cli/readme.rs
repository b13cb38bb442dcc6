//! Every example of the README, run on a small scale: its output has the shape that it has there.

use crate::command::{Cli, words};

const README: &str = include_str!("../../../../README.md");

/// What makes the example of a command short; words of the README that are replaced, and options
/// that are added.
struct Scale {
    command: &'static str,
    replaced: &'static [(&'static str, &'static str)],
    added: &'static str,
}

const SCALES: &[Scale] = &[
    Scale {
        command: "quick",
        replaced: &[],
        added: "--time 200ms --warm-up 0 --size 16MiB",
    },
    Scale {
        command: "watch",
        replaced: &[("1", "0.1")],
        added: "",
    },
];

const AS_SHOWN: Scale = Scale {
    command: "",
    replaced: &[],
    added: "",
};

/// One example: the words after `fathom`, and the lines that are printed.
struct Example {
    words: Vec<String>,
    lines: Vec<&'static str>,
}

fn examples() -> Vec<Example> {
    let blocks = README.split("```").skip(1).step_by(2);
    let shown = blocks.filter_map(|block| block.split_once("$ fathom "));
    shown
        .map(|(_, text)| {
            let (line, rest) = text.split_once('\n').expect("a command has a line");
            Example {
                words: words(line),
                lines: rest.lines().collect(),
            }
        })
        .collect()
}

/// Words that are another unit of the same number, on another machine or another day.
const UNITS: [&str; 14] = [
    "ns", "µs", "ms", "s", "min", "h", "MB", "GB", "KB", "KiB", "MiB", "GiB", "%", "…",
];
const STATES: [&str; 4] = ["VALID", "QUALIFIED", "SUSPECT", "INVALID"];
/// Begins of lines that say what this machine has, or made doubtful.
const OF_HERE: [&str; 8] = [
    "!",
    "means",
    "   ",
    "knee",
    "verified",
    "undecided",
    "…",
    "vda",
];
/// The folder that the page measures; a test has one of its own.
const FOLDER: &str = "/srv/data";
/// Parts of lines that do so.
const SAID_HERE: [&str; 6] = [
    "doubt",
    "note",
    "could not run",
    "all of it",
    "fathom show",
    // How the first sentence is wrapped depends on the width of its numbers.
    "a commit takes",
];

/// What is left of a line where its numbers are left out; none of a line that is of this machine.
fn shape(line: &str) -> Option<String> {
    let line = line.trim_end();
    let is_head = line.trim_start().starts_with("IOPS") || line.contains("p50");
    let is_of_here = OF_HERE.iter().any(|begin| line.starts_with(begin))
        || SAID_HERE.iter().any(|part| line.contains(part));
    if line.is_empty() || (is_of_here && !is_head) {
        return None;
    }
    let (line, _) = line.split_once(" !").unwrap_or((line, ""));
    if let Some((title, _)) = line.split_once(" · ") {
        return Some(title.trim().to_owned());
    }
    let mut shape: Vec<&str> = Vec::new();
    // Which of the columns between the others are there, the width of the numbers decides.
    let words = line.split_whitespace();
    let words = words.filter(|word| !["p99.9", "±"].contains(word));
    for word in words.filter(|word| !UNITS.contains(word)) {
        let digits = word.trim_start_matches(['[', '×', '+', '-']);
        let is_number = digits.is_empty() || digits.starts_with(|sign: char| sign.is_ascii_digit());
        let word = if STATES.contains(&word) {
            "STATE"
        } else if word == FOLDER {
            "DIR"
        } else if is_number {
            "#"
        } else {
            word
        };
        if word != "#" || shape.last() != Some(&"#") {
            shape.push(word);
        }
    }
    Some(shape.join(" "))
}

#[test]
fn numbers_and_units_are_no_part_of_a_shape() {
    let cases = [
        ("! 1     [steal] a processor was away", None),
        (
            "commit  read  4 KiB ×32  9,825  40.2  711 µs   --  78.3 ms ! 1",
            Some("commit read #"),
        ),
        (
            "29,823 IOPS keep p99 ≤ 2 ms [29,400, 30,100]   VALID",
            Some("# IOPS keep p99 ≤ # STATE"),
        ),
        (
            "      IOPS  MB/s  p50  p99  p99.9  max",
            Some("IOPS MB/s p50 p99 max"),
        ),
        (
            "fathom quick · /data · 36 s     SUSPECT (1 of 7)",
            Some("fathom quick"),
        ),
        ("3 notes · fathom show @latest", None),
    ];
    for (line, expected) in cases {
        assert_eq!(shape(line).as_deref(), expected, "{line}");
    }
}

/// The lines of the blocks that are to be typed, without their comments.
fn typed() -> impl Iterator<Item = &'static str> {
    let blocks = README.split("```").skip(1).step_by(2);
    let blocks = blocks.filter_map(|block| block.strip_prefix("sh\n"));
    let lines = blocks.flat_map(str::lines);
    lines.map(|line| line.split('#').next().unwrap_or(line).trim())
}

#[test]
fn what_is_to_be_typed_runs_and_names_what_there_is() {
    let version = env!("CARGO_PKG_VERSION");
    let packages = [
        "curl -fsSL URL/install.sh | sh".to_owned(),
        format!("tar --zstd -xf fathom-{version}-x86_64.tar.zst"),
        format!("sudo dpkg -i fathom_{version}_amd64.deb"),
        "git clone URL fathom && cd fathom".to_owned(),
        "cargo run --locked --release -- quick".to_owned(),
        "cargo test --locked --workspace".to_owned(),
    ];
    let (of_fathom, others): (Vec<&str>, Vec<&str>) =
        typed().partition(|line| line.starts_with("fathom "));
    assert_eq!(others, packages);
    let small = [
        ("fathom check /data", "--no-wait"),
        (
            "fathom quick /data",
            "--time 200ms --warm-up 0 --size 16MiB",
        ),
    ];
    assert_eq!(of_fathom, small.map(|(line, _)| line));
    for (line, added) in small {
        let command = line.split_whitespace().nth(1).expect("a command");
        let words = [command, "."].into_iter().chain(added.split_whitespace());
        let (ended, _) = Cli::new(words).end();
        // Whatever this machine is fit for.
        let is_answered = matches!(ended.status, Some(0 | 7 | 8));
        assert!(is_answered, "{line}: {}", ended.stderr);
    }
}

/// Blocks of a language that no test here runs would show whatever they like.
#[test]
fn every_block_is_typed_or_an_example() {
    let blocks: Vec<&str> = README.split("```").skip(1).step_by(2).collect();
    let typed = blocks.iter().filter(|block| block.starts_with("sh\n"));
    let shown = blocks
        .iter()
        .filter(|block| block.starts_with("text\n$ fathom "));
    assert_eq!(typed.count() + shown.count(), blocks.len());
}

#[test]
fn every_example_prints_what_it_shows() {
    let examples = examples();
    assert_eq!(examples.len(), 6, "the five questions, and a simulation");
    for example in examples {
        let command = example.words[0].as_str();
        let mut scales = SCALES.iter();
        let scale = scales.find(|scale| scale.command == command);
        // What is simulated or computed is as short as it is shown.
        let scale = scale.unwrap_or(&AS_SHOWN);
        let put = |word: &String| {
            let mut replaced = scale.replaced.iter();
            let found = replaced.find(|(from, _)| from == word);
            found.map_or_else(|| word.clone(), |(_, to)| (*to).to_owned())
        };
        let words = example.words.iter().map(put);
        let added = scale.added.split_whitespace().map(str::to_owned);
        let (ended, _) = Cli::new(words.chain(added)).end();
        assert_eq!(ended.status, Some(0), "{command}: {}", ended.stderr);
        let printed: Vec<String> = ended.stdout.lines().filter_map(shape).collect();
        let shown: Vec<String> = example
            .lines
            .iter()
            .filter_map(|line| shape(line))
            .collect();
        let mut rest = printed.iter();
        for line in &shown {
            let is_there = rest.any(|one| one == line);
            assert!(
                is_there,
                "{command}: no `{line}` in order in\n{}",
                printed.join("\n")
            );
        }
    }
}
