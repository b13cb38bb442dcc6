//! Three examples for each command, for its help and its manual page. A test reads them all.

use clap::Command;
use std::fmt::Write as _;

/// What somebody wants, and the line that does it.
pub(crate) type Example = (&'static str, &'static str);

/// The examples of a command, if there are some: of its words after `fathom`.
pub(crate) fn of(command: &str) -> Option<&'static [Example; 3]> {
    let found = EXAMPLES.iter().find(|(name, _)| *name == command);
    found.map(|(_, examples)| examples)
}

/// The examples as the end of a help page.
pub(super) fn section(examples: &[Example], most: usize) -> String {
    let mut text = String::from("Examples:\n");
    for (index, (wish, line)) in examples.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        let _ = writeln!(text, "{gap}  {wish}:\n{}", typed(line, most));
    }
    text.truncate(text.trim_end().len());
    text
}

/// A command line as it may be typed: where it is too long it goes on after a backslash, which
/// between quotes it could not.
fn typed(line: &str, most: usize) -> String {
    let mut text = String::from("      ");
    let mut columns = text.len();
    let mut quote = None;
    let mut begin = 0;
    let blanks = line.char_indices().filter(|(_, sign)| {
        match (quote, sign) {
            (None, '\'' | '"') => quote = Some(*sign),
            (Some(open), sign) if open == *sign => quote = None,
            _ => {}
        }
        *sign == ' ' && quote.is_none()
    });
    let mut ends: Vec<usize> = blanks.map(|(at, _)| at).collect();
    ends.push(line.len());
    for end in ends {
        let word = &line[begin..end];
        let length = word.chars().count();
        let mark = if end == line.len() { 0 } else { 2 };
        if begin > 0 && columns + 1 + length + mark > most {
            text.push_str(" \\\n          ");
            columns = 10;
        } else if begin > 0 {
            text.push(' ');
            columns += 1;
        }
        text.push_str(word);
        columns += length;
        begin = end + 1;
    }
    text
}

/// Puts them at the end of the page of each command.
pub(super) fn add(command: Command, most: usize) -> Command {
    EXAMPLES.iter().fold(command, |command, (words, examples)| {
        let words: Vec<&str> = words.split(' ').collect();
        put(command, &words, &section(examples, most))
    })
}

/// Puts a text at the end of the page of the command that the words lead to from here.
fn put(command: Command, words: &[&str], text: &str) -> Command {
    match words {
        [] => command.after_long_help(text.to_owned()),
        [next, rest @ ..] if command.find_subcommand(next).is_some() => {
            command.mut_subcommand(*next, |below| put(below, rest, text))
        }
        _ => command,
    }
}

const EXAMPLES: &[(&str, [Example; 3])] = &[
    (
        "quick",
        [
            ("The disk under this directory", "fathom quick"),
            (
                "Another one, and whether it honours flushes",
                "fathom quick /data --probe",
            ),
            (
                "With a page to send around",
                "fathom quick -o html:quick.html",
            ),
        ],
    ),
    (
        "run",
        [
            (
                "A database's load on the file system of /data",
                "fathom run pg-oltp --target /data",
            ),
            (
                "A load in the words of fio",
                "fathom run random-read-4k --rw randread --bs 16KiB --iodepth 64 --runtime 30",
            ),
            (
                "In a pipeline: fail where a limit is missed",
                "fathom run ms-oltp --target /data --require 'p99<=5s' -o junit:run.xml",
            ),
        ],
    ),
    (
        "ramp",
        [
            (
                "Where more load brings nothing more",
                "fathom ramp random-read-4k --target /data",
            ),
            (
                "The rate that keeps an objective",
                "fathom ramp ms-oltp --slo 'p99<=2ms' --target /data",
            ),
            (
                "One request at a time, larger and larger",
                "fathom ramp random-read-4k --over block-size --target /data",
            ),
        ],
    ),
    (
        "suite",
        [
            ("What there is", "fathom suite"),
            ("What a suite would run", "fathom suite size-matrix --list"),
            (
                "All of it, to be taken up again in the same folder",
                "fathom suite size-matrix --target /data --into matrix",
            ),
        ],
    ),
    (
        "verify",
        [
            (
                "The blocks that `fathom run --verify stamp` wrote",
                "fathom verify stamped.dat",
            ),
            (
                "Only the first of them",
                "fathom verify stamped.dat --size 1MiB",
            ),
            ("Those of one run", "fathom verify stamped.dat --seed 1"),
        ],
    ),
    (
        "durability",
        [
            (
                "Write until power is cut, with another host as the witness",
                "fathom durability --target /data --promise flush --witness lab:7711",
            ),
            (
                "That witness",
                "fathom durability --keep 0.0.0.0:7711 --witness run.log",
            ),
            (
                "After the cut: which acknowledged writes are there",
                "fathom durability --verify --target /data --witness run.log",
            ),
        ],
    ),
    (
        "compare",
        [
            (
                "The last run against the one before",
                "fathom compare @latest~1 @latest",
            ),
            (
                "Several runs of each side, by their tags",
                "fathom compare tag:before tag:after",
            ),
            (
                "In a pipeline: fail where p99 got worse by 5 %",
                "fathom compare base.json new.json --metric p99 --gate 5%",
            ),
        ],
    ),
    (
        "ab",
        [
            (
                "Two engines, in turn until it is decided",
                "fathom ab --a 'run random-read-4k --engine io_uring' \
                 --b 'run random-read-4k --engine psync'",
            ),
            (
                "Two disks",
                "fathom ab --a 'run ms-oltp --target /data' --b 'run ms-oltp --target /data2'",
            ),
            (
                "In a pipeline: fail where B is slower by 5 %",
                "fathom ab --gate 5% --a 'run ms-oltp' --b 'run ms-oltp --queue-depth 16'",
            ),
        ],
    ),
    (
        "report",
        [
            (
                "The page of the last run",
                "fathom report @latest -o run.html",
            ),
            (
                "Two runs side by side",
                "fathom report @latest~1 @latest -o both.html",
            ),
            (
                "Results from files",
                "fathom report base.json new.json -o files.html",
            ),
        ],
    ),
    (
        "check",
        [
            ("What a run here would measure", "fathom check ."),
            ("Without the 3 s of looking", "fathom check /data --no-wait"),
            ("For programs", "fathom check /data --no-wait --json"),
        ],
    ),
    (
        "watch",
        [
            ("All disks, until q", "fathom watch"),
            ("Ten seconds of it as tables", "fathom watch --plain 1 10"),
            (
                "A recording for `fathom need`",
                "fathom watch --count 10 --record busy.jsonl",
            ),
        ],
    ),
    (
        "devices",
        [
            ("The disks of this machine", "fathom devices"),
            ("Also empty and removable ones", "fathom devices --all"),
            ("For programs", "fathom devices --json"),
        ],
    ),
    (
        "show",
        [
            ("The last run again, all of it", "fathom show @latest"),
            ("As CSV", "fathom show @latest -o csv"),
            ("Runs from a file", "fathom show base.json"),
        ],
    ),
    (
        "need",
        [
            ("What the recorded load needs", "fathom need day.jsonl"),
            (
                "At its peaks, with a quarter more",
                "fathom need day.jsonl --by peak --growth 25",
            ),
            (
                "And a load to try it with",
                "fathom need day.jsonl --profile need.toml",
            ),
        ],
    ),
    (
        "plan",
        [
            (
                "Volumes for so many requests",
                "fathom plan --iops 10000 --block-size 16KiB --read 70 --capacity 200GiB \
                 --cloud aws",
            ),
            (
                "For what a recording needed",
                "fathom plan --from day.jsonl --capacity 500GiB",
            ),
            (
                "What 500 USD a month buy",
                "fathom plan --budget 500 --capacity 1TiB --cloud aws",
            ),
        ],
    ),
    (
        "simulate",
        [
            (
                "A day on volumes that burst, behind an instance, as it was that day",
                "fathom simulate ms-oltp --volume '4x gp2:250GiB' --instance r5d.xlarge \
                 --as-of 2018-11-29 --for 24h",
            ),
            (
                "A job file of fio on a volume that is not there yet",
                "fathom simulate job.fio --volume gp3:1TiB:16000iops:1000MiB/s",
            ),
            (
                "Eight hosts with one volume",
                "fathom simulate pg-oltp --volume io2:1TiB:32000iops --hosts 8 --shared=common",
            ),
        ],
    ),
    (
        "catalog",
        [
            ("All that is known of a cloud", "fathom catalog aws"),
            ("One type, its history and prices", "fathom catalog gp3"),
            (
                "Instances and their limits",
                "fathom catalog aws --instances",
            ),
        ],
    ),
    (
        "fio",
        [
            ("A job file", "fathom fio job.fio"),
            (
                "A command line",
                "fathom fio --name=x --rw=randread --bs=4k --size=64m --runtime=10 \
                 --filename=x.dat",
            ),
            ("With fio's JSON", "fathom fio --output-format=json job.fio"),
        ],
    ),
    (
        "diskspd",
        [
            (
                "Random reads and writes",
                "fathom diskspd -c64M -b8K -d10 -o8 -t2 -r -w30 -Sh io.dat",
            ),
            (
                "Sequential writes with latencies",
                "fathom diskspd -c64M -b1M -d10 -w100 -L io.dat",
            ),
            (
                "With DISKSPD's XML",
                "fathom diskspd -c64M -b8K -d10 -Rxml io.dat",
            ),
        ],
    ),
    (
        "iotest",
        [
            (
                "Four streams, as the script",
                "fathom iotest -i 4 -t /data -b 1000 -s 64",
            ),
            (
                "One stream with larger blocks",
                "fathom iotest -i 1 -t /data -b 100 -s 1024",
            ),
            (
                "All there is of it",
                "fathom iotest -i 4 -t /data -b 1000 -s 64 --full",
            ),
        ],
    ),
    (
        "rhel-iotest",
        [
            (
                "SASDATA and SASWORK on one file system",
                "fathom rhel-iotest -t /data",
            ),
            ("By their roles", "fathom rhel-iotest -t saswork=/data"),
            ("All there is of it", "fathom rhel-iotest -t /data --full"),
        ],
    ),
    (
        "dd",
        [
            (
                "Write past the page cache, and flush",
                "fathom dd if=/dev/zero of=t.dat bs=1M count=50 conv=fdatasync oflag=direct",
            ),
            (
                "Read a file past it",
                "fathom dd if=base.json of=/dev/null bs=4k iflag=direct",
            ),
            (
                "As everybody does, with what it does not say",
                "fathom dd if=/dev/zero of=u.dat bs=10M count=5",
            ),
        ],
    ),
    (
        "mdtest",
        [
            (
                "Files of eight tasks, each in a directory of its own",
                "fathom mdtest --tasks 8 -n 1000 -F -u -d .",
            ),
            (
                "Small files in one directory for all, as IO500's mdtest-hard",
                "fathom mdtest --tasks 4 -n 1000 -F -w 3901 -e 3901 -N 1 -d .",
            ),
            (
                "Directories alone, in a tree, three times",
                "fathom mdtest --tasks 2 -n 300 -D -z 2 -b 3 -i 3 -d .",
            ),
        ],
    ),
    (
        "ior",
        [
            (
                "A file of each of two tasks, as IO500's ior-easy",
                "fathom ior --tasks 2 -F -e -t 2m -b 4m -o easy",
            ),
            (
                "One file for all, in turns of a block, as IO500's ior-hard",
                "fathom ior --tasks 2 -e -t 47008 -b 47008 -s 50 -o hard",
            ),
            (
                "Checked, past the page cache, three times",
                "fathom ior --tasks 2 -w -r -R -i 3 -t 64k -b 1m --posix.odirect -o checked",
            ),
        ],
    ),
    (
        "iometer",
        [
            ("A configuration file", "fathom iometer test.icf"),
            (
                "With Iometer's table",
                "fathom iometer test.icf results.csv",
            ),
            ("What it would run", "fathom iometer test.icf --print"),
        ],
    ),
    (
        "convert",
        [
            (
                "A profile as a job file of fio",
                "fathom convert ms-oltp --to fio --target /data/io.dat",
            ),
            (
                "A job file as our TOML",
                "fathom convert job.fio --to native -o job.toml",
            ),
            (
                "A command line of DISKSPD for fio",
                "fathom convert --from diskspd --to fio \
                 -- -c10G -b8K -d60 -t4 -o8 -r -w30 /data/io.dat",
            ),
        ],
    ),
    (
        "import",
        [
            ("A result of ours or of fio", "fathom import base.json"),
            ("Another history", "fathom import runs.gz"),
            ("Only show it", "fathom import base.json --no-save"),
        ],
    ),
    (
        "history",
        [
            ("The latest runs", "fathom history"),
            (
                "Doubtful runs of a week on a disk",
                "fathom history --state suspect --since 7d --target /data",
            ),
            (
                "At which run a number shifted",
                "fathom history --changes --metric p99",
            ),
        ],
    ),
    (
        "tag",
        [
            (
                "The last run is the baseline",
                "fathom tag @latest baseline",
            ),
            ("Two tags", "fathom tag @latest nightly good"),
            ("Not any more", "fathom tag @latest nightly --remove"),
        ],
    ),
    (
        "note",
        [
            (
                "What to remember",
                "fathom note @latest 'before the new firmware'",
            ),
            (
                "Of an older run",
                "fathom note @latest~1 'while a backup ran'",
            ),
            ("Nothing any more", "fathom note @latest --remove"),
        ],
    ),
    (
        "remove",
        [
            ("One run", "fathom remove @latest"),
            ("Which runs a tag has", "fathom remove tag:old"),
            ("And away with them", "fathom remove tag:old --yes"),
        ],
    ),
    (
        "prune",
        [
            ("What would go", "fathom prune --keep 1000 --before 365d"),
            ("By size", "fathom prune --max-size 2GB"),
            ("Do it", "fathom prune --keep 1000 --yes"),
        ],
    ),
    (
        "deliver",
        [
            (
                "The latest result to a collecting server, with the keys of ssh",
                "fathom deliver @latest ssh://lab.example/srv/results/",
            ),
            (
                "By mail, with the page and the JSON attached",
                "fathom deliver tag:baseline 'smtps://mail.example/?to=storage@example.com'",
            ),
            (
                "Once more what could not be delivered",
                "fathom deliver --pending",
            ),
        ],
    ),
    (
        "image",
        [
            (
                "The keys and the job of a site, for a CD or a stick",
                "fathom image fathom-live.iso --site lab",
            ),
            (
                "The same for UEFI alone: a file that is copied onto a FAT stick",
                "fathom image fathom-live.efi --site lab -o BOOTX64.EFI",
            ),
            (
                "For a start over the network",
                "fathom image fathom-live.initrd --site lab -o /srv/tftp/initrd --replace-results",
            ),
        ],
    ),
    (
        "export",
        [
            ("One run for a ticket", "fathom export @latest -o run.gz"),
            ("Two of them", "fathom export @latest~1 @latest -o two.gz"),
            ("All", "fathom export --all -o all.gz"),
        ],
    ),
    (
        "clean",
        [
            ("Here, and where runs were killed", "fathom clean"),
            ("In a directory", "fathom clean /data"),
            ("One file", "fathom clean /data/fathom-data.dat"),
        ],
    ),
    (
        "profiles",
        [
            ("What there is", "fathom profiles"),
            (
                "One, to make your own of it",
                "fathom profiles show pg-oltp",
            ),
            ("For programs", "fathom profiles --json"),
        ],
    ),
    (
        "generate",
        [
            ("The manual page", "fathom generate man"),
            ("All manual pages", "fathom generate man pages"),
            (
                "Completions that know profiles, runs and codes",
                "fathom generate completions bash",
            ),
        ],
    ),
    (
        "help",
        [
            ("What a command does", "fathom help run"),
            ("What a code in a report means", "fathom help cache_reads"),
            ("All codes", "fathom help checks"),
        ],
    ),
    (
        "generate man",
        [
            ("The page of fathom itself", "fathom generate man"),
            ("All pages, into a folder", "fathom generate man pages"),
            (
                "All pages once more, after an update",
                "fathom generate man pages --replace-results",
            ),
        ],
    ),
    (
        "generate completions",
        [
            (
                "For bash, from the next login on",
                "fathom generate completions bash",
            ),
            ("For zsh", "fathom generate completions zsh"),
            ("For fish", "fathom generate completions fish"),
        ],
    ),
    (
        "generate kubernetes",
        [
            (
                "Four pods, a volume each",
                "fathom generate kubernetes --image registry.example/fathom:0.1.0 \
                 --storage-class fast -- random-read-4k --duration 60s",
            ),
            (
                "Sixteen pods with larger volumes",
                "fathom generate kubernetes --image registry.example/fathom:0.1.0 \
                 --storage-class fast --members 16 --volume 100Gi -- random-write-4k",
            ),
            (
                "Under a name of its own, beside another measurement",
                "fathom generate kubernetes --image registry.example/fathom:0.1.0 \
                 --storage-class slow --name fathom-slow -- sequential-read-1m",
            ),
        ],
    ),
    (
        "catalog refresh",
        [
            (
                "What a price list of today would change",
                "fathom catalog refresh --from offers.json --dry-run",
            ),
            (
                "Take it over, for all commands",
                "fathom catalog refresh --from offers.json",
            ),
            (
                "An answer in several pages, of a day that it does not say",
                "fathom catalog refresh --from page1.json page2.json --read-on 2026-11-01",
            ),
        ],
    ),
    (
        "profiles show",
        [
            ("How a profile is made", "fathom profiles show pg-oltp"),
            (
                "The study's twelve are there too",
                "fathom profiles show iris-full",
            ),
            ("A mail server's files", "fathom profiles show mail-spool"),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory as _;

    /// The words of all commands below this one that a person calls.
    fn shown(command: &Command, above: &str, words: &mut Vec<String>) {
        for below in command.get_subcommands().filter(|one| !one.is_hide_set()) {
            let name = format!("{above} {}", below.get_name());
            shown(below, &name, words);
            words.push(name.trim_start().to_owned());
        }
    }

    #[test]
    fn every_command_has_examples_of_itself() {
        let mut commands = Vec::new();
        shown(&Cli::command(), "", &mut commands);
        for words in commands {
            let begin = format!("fathom {words}");
            let all = of(&words)
                .is_some_and(|lines| lines.iter().all(|(_, line)| line.starts_with(&begin)));
            assert!(all, "{begin}");
        }
        for (words, _) in EXAMPLES {
            let mut there = Cli::command();
            for word in words.split(' ') {
                let below = there.find_subcommand(word).cloned();
                there = below.unwrap_or_else(|| panic!("no command {words}"));
            }
        }
    }

    #[test]
    fn every_example_can_be_meant() {
        let lines = EXAMPLES.iter().flat_map(|(_, examples)| examples);
        for (_, line) in lines {
            let words = fathom_tools::shell_words(line).expect("a line");
            let refused = crate::args::parse(words)
                .err()
                .map(|error| error.to_string());
            assert_eq!(refused, None, "{line}");
        }
    }

    #[test]
    fn a_section_has_a_wish_above_each_line() {
        let expected = "Examples:\n  One:\n      fathom a\n\n  Two:\n      fathom b";
        assert_eq!(
            section(&[("One", "fathom a"), ("Two", "fathom b")], 80),
            expected
        );
    }

    #[test]
    fn long_lines_go_on_after_a_backslash() {
        let line = "fathom ab --a 'run one --engine psync' --b 'run two'";
        let expected = "      fathom ab --a \\\n          'run one --engine psync' \\\n          \
                        --b 'run two'";
        assert_eq!(typed(line, 36), expected);
    }
}
