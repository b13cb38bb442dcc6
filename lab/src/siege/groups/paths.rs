//! Every option of `--help` that takes a path, given a device with a file system and one without:
//! whatever the option is, not a byte changes. An option that is new is attacked the day it comes,
//! since its kind of value is not in the list of those that are no paths.

use anyhow::Result;

use crate::siege::Siege;
use crate::siege::groups::targets::{fronts, seen};
use crate::siege::lab::{Damage, Lab};
use crate::siege::line::GroupLines;

/// Kinds of value that name no file.
const NO_PATHS: &[&str] = &[
    "DURATION",
    "SIZE",
    "PERCENT",
    "N",
    "RATE",
    "HOW",
    "MODE",
    "ENGINE",
    "LIST",
    "VOLUME",
    "STATE",
    "NAME=RATE",
    "NAME",
    "WHAT",
    "OBJECTIVE",
    "METRIC",
    "WHEN",
    "COMMAND",
    "TIME",
    "GROUP",
    "DATE",
    "REGION",
    "CLOUD",
    "LINK[:LANES",
    "DIALECT",
    "FORM",
    "TEXT",
    "SHELL",
    "CURRENCY",
    "MONEY",
    "WORD",
    "CODE",
    "KEY",
    "REFERENCE",
    "UNTIL",
];

const KINDS: [&str; 2] = ["ext4 device", "blank loop device"];

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let kinds = if siege.is_quick {
        &KINDS[..1]
    } else {
        &KINDS[..]
    };
    let make = || Lab::new(&siege.fathom, |kind| kinds.contains(&kind.name));
    let mut lab = make()?;
    let mut known = Vec::new();
    for command in commands(siege)? {
        let help = siege.fathom.call([command.as_str(), "--help"]).end()?;
        for value in values(&help.stdout) {
            // A quick siege takes each option once, a full one of each command.
            if siege.is_quick && known.contains(&value) {
                continue;
            }
            known.push(value.clone());
            for index in 0..lab.exhibits.len() {
                siege.go_on()?;
                let exhibit = &lab.exhibits[index];
                let target = exhibit.target.to_string_lossy();
                let folder = tempfile::tempdir()?;
                fronts::prepare(folder.path(), "here")?;
                let words = value.call(&command, &target);
                let done = format!(
                    "{}: {}",
                    words.join(" ").replace(&*target, "DEVICE"),
                    exhibit.kind.name
                );
                let ended = siege.fathom.call(words).inside(folder.path());
                let ended = ended.patience_s(10).end()?;
                let damage = lab.damage(None)?;
                let is_whole = damage == Damage::default();
                let is_met = is_whole && ended.status != Some(101) && ended.signal.is_none();
                // What goes on until it is interrupted does so.
                let is_met = is_met || (is_whole && ended.is_hung);
                lines.add(done, "not a byte changes", seen(&ended, &damage), is_met);
                if !is_whole {
                    drop(lab);
                    lab = make()?;
                }
            }
        }
    }
    Ok(())
}

/// The commands that `--help` lists, below several headings.
fn commands(siege: &Siege) -> Result<Vec<String>> {
    let help = siege.fathom.call(["--help"]).end()?;
    let lines = help.stdout.lines().take_while(|line| *line != "Options:");
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    Ok(names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect())
}

/// Something that takes a value.
#[derive(Clone, PartialEq, Eq)]
struct Value {
    /// None for a word by its place.
    option: Option<String>,
    /// Before the path, as in `json:FILE`.
    prefix: &'static str,
}

impl Value {
    /// With the words that the command needs in addition.
    fn call(&self, command: &str, target: &str) -> Vec<String> {
        let mut words = vec![command.to_owned()];
        let own = format!("{}{target}", self.prefix);
        let given = |option: &str| self.option.as_deref() == Some(option);
        let beside = match command {
            "run" | "ramp" => "random-write-4k --time 200ms --warm-up 0s --size 1MiB --engine null",
            "quick" => "--time 200ms --warm-up 0s --size 1MiB --engine null",
            "suite" => "suite.toml --engine null --quiet",
            "fio" => "--name=x --rw=write --bs=4k --size=64k",
            "dd" => "if=/dev/zero of=here bs=4k count=1",
            "diskspd" => "-w100 -b4K -d1 -W0 here",
            "iometer" => "load.icf --time 200ms --warm-up 0s --size 1MiB --engine null",
            "convert" => "random-write-4k --to native",
            "simulate" => "random-write-4k --volume gp3:1TiB --time 1s",
            "plan" => "--iops 1000",
            "watch" => "--count 1 --interval 100ms --plain",
            "prune" => "--keep 1000",
            "tag" | "note" => "@latest word",
            "show" | "compare" | "report" | "remove" => "@latest",
            "export" => "--all",
            "need" => "load.toml",
            _ => "",
        };
        let beside = beside.split_whitespace().map(str::to_owned);
        let required = match command {
            "report" if !given("--out") => &["--out=new.html"][..],
            "export" if !given("--output") => &["--output=new.json"],
            "ab" => &[
                "--a=run random-read-4k --engine sim --time 1s",
                "--b=run random-read-4k --engine sim --time 1s",
                "--pairs-max=8",
            ],
            _ => &[],
        };
        match &self.option {
            Some(option) => words.push(format!("{option}={own}")),
            None => words.push(own),
        }
        let operands = matches!(command, "dd" | "diskspd" | "fio");
        if self.option.is_some() || operands {
            words.extend(beside);
        }
        words.extend(required.iter().map(|word| (*word).to_owned()));
        words
    }
}

/// What takes a path, from a text of help: options with a value, and words by their place.
fn values(help: &str) -> Vec<Value> {
    let mut values = Vec::new();
    let mut is_argument = false;
    for line in help.lines() {
        if !line.starts_with(' ') {
            is_argument = line == "Arguments:";
        }
        let text = line.trim();
        let starts = text.starts_with('-') || (is_argument && text.starts_with(['<', '[']));
        let (Some(open), true) = (text.find(['<', '[']), starts) else {
            continue;
        };
        let named = text[open + 1..]
            .split(['>', ']'])
            .next()
            .unwrap_or_default();
        let option = text[..open]
            .split([',', ' '])
            .rfind(|word| word.starts_with("--"));
        let is_permission = matches!(option, Some("--destroy"));
        if NO_PATHS.contains(&named) || is_permission || named.is_empty() {
            continue;
        }
        let prefixes: &[&str] = match named {
            "FORMAT[:FILE" | "FORMAT[:FILE]" => &["json:", "text:"],
            "PATH" if option == Some("--target") => &["", "log="],
            _ => &[""],
        };
        values.extend(prefixes.iter().map(|prefix| Value {
            option: option.map(str::to_owned),
            prefix,
        }));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_words_that_take_a_path_are_found() {
        let help = "\
Usage: fathom x [OPTIONS] <FILE>

Arguments:
  <FILE>  What to read

Options:
      --time <DURATION>
          Not [this] nor <that>
  -o, --output <FORMAT[:FILE]>
      --store <FILE>
      --destroy <DEVICE[=SIGNATURE]>
      --quiet
";
        let found = values(help);
        let found: Vec<(Option<&str>, &str)> = found
            .iter()
            .map(|value| (value.option.as_deref(), value.prefix))
            .collect();
        let expected = [
            (None, ""),
            (Some("--output"), "json:"),
            (Some("--output"), "text:"),
            (Some("--store"), ""),
        ];
        assert_eq!(found, expected);
    }
}
