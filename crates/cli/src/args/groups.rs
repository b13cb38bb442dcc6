//! The commands in the order in which somebody looks for them, and what bare `fathom` says.

use super::examples;
use crate::paragraph::{hanging, indented};
use clap::Command;
use std::fmt::Write as _;

/// A group of commands under a title.
pub(crate) struct Group {
    title: &'static str,
    commands: &'static [&'static str],
}

/// The group of the commands that read what is written for other tools.
const OTHERS: &str = "Other tools' commands";
const HISTORY: &str = "History";

/// Every command that is shown, once.
pub(crate) const GROUPS: [Group; 7] = [
    Group {
        title: "Measure",
        commands: &["quick", "run", "ramp", "suite", "verify", "durability"],
    },
    Group {
        title: "Compare",
        commands: &["compare", "ab", "trend", "report"],
    },
    Group {
        title: "Inspect",
        commands: &[
            "explain",
            "check",
            "watch",
            "throttled",
            "capture",
            "blame",
            "learn",
            "devices",
            "show",
        ],
    },
    Group {
        title: "Plan",
        commands: &["need", "plan", "fit", "simulate", "catalog"],
    },
    Group {
        title: OTHERS,
        commands: &[
            "fio",
            "diskspd",
            "iotest",
            "rhel-iotest",
            "dd",
            "iometer",
            "mdtest",
            "ior",
            "vdbench",
            "convert",
            "import",
        ],
    },
    Group {
        title: HISTORY,
        commands: &[
            "history", "tag", "note", "remove", "prune", "export", "deliver", "clean",
        ],
    },
    Group {
        title: "About fathom",
        commands: &[
            "profiles", "studies", "selftest", "generate", "image", "help",
        ],
    },
];

/// The questions that people come with, and the command that answers each.
pub(crate) const QUESTIONS: [(&str, &str); 5] = [
    (
        "How fast is this disk, and can I trust the number?",
        "fathom quick",
    ),
    (
        "Which load keeps p99 within 5 ms?",
        "fathom ramp ms-oltp --slo 'p99<=5ms'",
    ),
    (
        "Is B faster than A?",
        "fathom ab --a 'run random-read-4k --size 1GiB --keep' --b 'run random-read-4k --size \
         1GiB --keep --queue-depth 4'",
    ),
    ("What keeps the disks busy right now?", "fathom watch"),
    (
        "Which volume is sufficient, and what does it cost?",
        "fathom plan --iops 10000",
    ),
];

/// What each of these commands costs: its time, and what it writes.
const COSTS: [&str; 5] = [
    "42 s; writes a 1 GiB file, then for 24 s at full speed; removes it",
    "about 15 min; writes a 4 GiB file, then 30 % of the load; removes it",
    "7 to 28 min; writes 1 GiB once and keeps it in ./fathom-data.dat",
    "until q is pressed; writes nothing",
    "at once; measures nothing",
];

/// Each question, below it the line that answers it, and what that costs.
pub(crate) fn questions() -> String {
    let mut text = String::new();
    for ((question, command), cost) in QUESTIONS.iter().zip(COSTS) {
        let command = examples::typed(command, 80, 4);
        let _ = writeln!(text, "{question}\n{command}\n    # {cost}");
    }
    text
}

/// The help of the program, with its commands in groups.
pub(super) fn template(command: &Command) -> String {
    page(command, |_| true)
}

/// The same for one screen: the commands of other tools by their names alone.
pub(super) fn brief(command: &Command) -> String {
    page(command, |group| ![OTHERS, HISTORY].contains(&group.title))
}

fn page(command: &Command, is_described: impl Fn(&Group) -> bool) -> String {
    let widest = GROUPS.iter().flat_map(|group| group.commands);
    let width = widest.map(|name| name.len()).max().unwrap_or(0);
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for group in &GROUPS {
        let _ = writeln!(text, "\n{}:", group.title);
        if !is_described(group) {
            text.push_str(&indented(&group.commands.join(", ")));
            continue;
        }
        for name in group.commands {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            // clap draws its own lists so wide.
            text.push_str(&hanging(name, width + 4, &about));
        }
    }
    text + "\nOptions:\n{options}{after-help}"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory as _;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|group| group.commands)
            .copied()
            .collect();
        grouped.sort_unstable();
        let command = Cli::command();
        let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
        let mut shown: Vec<&str> = shown.map(Command::get_name).collect();
        shown.sort_unstable();
        assert_eq!(grouped, shown);
    }
}
