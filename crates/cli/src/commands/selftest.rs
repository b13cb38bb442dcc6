//! `fathom selftest`: whether fathom works on this machine, as a table that can be sent on.

mod bench;
mod commit;
mod content;
mod counters;
mod direct;
mod load_generator;
mod open_load;
mod peer;
mod perfmon;
mod step;

use super::{listed, print, show_text};
use crate::args::SelftestArgs;
use crate::aside;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::on_terminal;
use crate::stop::Stop;
use crate::table::Table;
use bench::Bench;
use fathom_core::figure;
use fathom_core::result::{HostInfo, RunResult};
use serde::Serialize;
use std::collections::BTreeMap;
use step::{Answer, Step, StepRow};

/// All steps, in their order.
const STEPS: [Step; 7] = [
    content::STEP,
    direct::STEP,
    counters::STEP,
    open_load::STEP,
    commit::STEP,
    load_generator::STEP,
    peer::STEP,
];

pub(crate) fn run(args: &SelftestArgs) -> Result<Exit, Error> {
    if !args.folder.is_dir() {
        let thing = format!("cannot test in {}", args.folder.display());
        return Err(Problem::new(Exit::Environment, thing)
            .because("it is not a directory")
            .remedy("use a directory on the disk to test with")
            .into());
    }
    let stop = Stop::default();
    stop.listen()?;
    let bench = Bench::new(&args.folder, args.short, &stop);
    bench.require_free()?;
    let mut lines = Vec::new();
    for step in &STEPS {
        aside::say(&format!("selftest: {}", step.purpose));
        let found = match step.of_a_disk.zip(fathom_platform::emulator()) {
            None => (step.run)(&bench),
            Some((test, emulator)) => {
                let seen = format!("{emulator} shows nothing of a disk");
                vec![StepRow::new(test, Answer::Skipped, seen)]
            }
        };
        // What was interrupted answers nothing.
        if stop.is_asked() {
            break;
        }
        lines.extend(found);
        let is_made = |line: &StepRow| line.answer != Answer::Skipped;
        if let Some(first) = lines.first().filter(|_| !lines.iter().any(is_made)) {
            let thing = format!("cannot test in {}", args.folder.display());
            return Err(Problem::new(Exit::Environment, thing)
                .because(first.seen.clone())
                .remedy("use another directory on the disk to test with")
                .into());
        }
    }
    let shown = Shown {
        args,
        lines: &lines,
        origin: bench.origin(),
        is_whole: !stop.is_asked(),
    };
    if args.json {
        print(&shown.json()?)?;
    } else {
        show_text(&on_terminal(shown.text()))?;
    }
    Ok(if stop.is_interrupted() {
        Exit::Interrupted
    } else if shown.count(Answer::Failed) > 0 {
        Exit::LimitMissed
    } else {
        Exit::Ok
    })
}

/// What is printed.
struct Shown<'a> {
    args: &'a SelftestArgs,
    lines: &'a [StepRow],
    /// A result of this machine; none if no step had one.
    origin: Option<RunResult>,
    is_whole: bool,
}

/// Whether fathom works on this machine, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SelftestDocument<'a> {
    /// The answer.
    headline: String,
    /// False if it was interrupted.
    complete: bool,
    /// Whether `--short` was given.
    short: bool,
    /// What the machine is, by label.
    setting: BTreeMap<String, String>,
    tests: Vec<TestRow<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TestRow<'a> {
    test: &'a str,
    answer: &'static str,
    /// What was seen.
    seen: &'a str,
}

impl Shown<'_> {
    fn count(&self, answer: Answer) -> usize {
        self.lines
            .iter()
            .filter(|line| line.answer == answer)
            .count()
    }

    fn headline(&self) -> String {
        let [passed, failed, skipped] =
            [Answer::Passed, Answer::Failed, Answer::Skipped].map(|answer| self.count(answer));
        let end = if self.is_whole { "" } else { ". Interrupted" };
        match failed {
            0 => format!(
                "fathom works here: {} passed, {skipped} skipped{end}",
                figure::plural(passed as u64, "test")
            ),
            _ => format!(
                "fathom does NOT work here as it should: {failed} of {} tests failed, {skipped} \
                 skipped{end}",
                passed + failed
            ),
        }
    }

    /// The machine and the disk, as far as a result has them.
    fn setting(&self) -> Vec<(&'static str, String)> {
        let mut rows = vec![("fathom", env!("CARGO_PKG_VERSION").to_owned())];
        let Some(result) = &self.origin else {
            return rows;
        };
        let HostInfo {
            kernel,
            emulator,
            cpu_model,
            cpus,
            ..
        } = &result.provenance.host;
        let emulator = emulator.as_ref();
        let emulator = emulator.map_or_else(String::new, |name| format!(", imitated by {name}"));
        rows.push(("system", format!("{kernel}{emulator}")));
        rows.push(("processors", format!("{cpus}x {cpu_model}")));
        for target in &result.provenance.targets {
            let models = target.devices.iter().map(|device| device.model.as_str());
            let models: Vec<&str> = models.filter(|model| !model.is_empty()).collect();
            rows.push(("file system", target.file_system.clone()));
            rows.push(("disk", models.join(", ")));
        }
        rows.retain(|(_, text)| !text.is_empty());
        rows
    }

    fn text(&self) -> String {
        let mut machine = Table::new(&["", ""]);
        for (label, text) in self.setting() {
            machine.row([label.to_owned(), text]);
        }
        let mut table = Table::new(&["test", "answer", "seen"]);
        for line in self.lines {
            table.row([
                line.test.clone(),
                line.answer.word().to_owned(),
                line.seen.clone(),
            ]);
        }
        let failed = if self.count(Answer::Failed) > 0 {
            "\nPlease send this table to the developers.\n"
        } else {
            ""
        };
        format!(
            "{}\n{}\n{}{failed}",
            self.headline(),
            machine.on_page(),
            table.on_page()
        )
    }

    fn json(&self) -> Result<String, Problem> {
        let setting = self.setting().into_iter();
        let lines = self.lines.iter().map(|line| TestRow {
            test: &line.test,
            answer: line.answer.word(),
            seen: &line.seen,
        });
        let document = SelftestDocument {
            headline: self.headline(),
            complete: self.is_whole,
            short: self.args.short,
            setting: setting
                .map(|(label, text)| (label.replace(' ', "_"), text))
                .collect(),
            tests: lines.collect(),
        };
        listed::stamped("selftest", &document)
    }
}
