//! The runs of a suite: each is made once and kept in the folder.

use super::folder::Folder;
use super::remaining::Remaining;
use super::schedule::{Schedule, WallTime};
use crate::args::{
    ExplainArgs, OutputArgs, OverrideArgs, RunOptions, SafetyArgs, SaveArgs, SuiteArgs,
};
use crate::aside;
use crate::commands::outbox::AtTheEnd;
use crate::commands::{Origin, measure, verdict};
use crate::error::Error;
use crate::exit::Exit;
use crate::stop::Stop;
use fathom_core::result::RunResult;
use fathom_core::spec::Workload;
use fathom_engine::Clock;
use fathom_session::campaign::{Bench, Turn};
use fathom_session::cluster::Cluster;
use fathom_tools::suite::Suite;

/// Makes the runs, and keeps them in a folder.
pub(super) struct Runs<'a> {
    pub(super) args: &'a SuiteArgs,
    pub(super) suite: &'a Suite,
    /// What pages call the runs.
    pub(super) titles: Vec<String>,
    pub(super) workloads: &'a [Workload],
    pub(super) folder: &'a Folder,
    pub(super) origin: &'a Origin,
    pub(super) schedule: Schedule<'a, WallTime>,
    pub(super) stop: Stop,
    pub(super) worst: Exit,
    /// Whether a run was made, and not only taken from the folder.
    pub(super) has_made: bool,
    pub(super) departing: AtTheEnd,
    pub(super) remaining: Remaining,
    pub(super) clock: Clock,
    /// Those who measure every run, if it is not this process.
    pub(super) members: Option<Cluster>,
}

impl Bench for Runs<'_> {
    type Error = Error;

    fn kept(&mut self, turn: Turn) -> Result<Option<RunResult>, Error> {
        let label = &self.suite.cells[turn.cell].label;
        let place = self.folder.place(turn.pass, turn.cell, label);
        let Some(mut result) = Folder::result(&place)? else {
            return Ok(None);
        };
        // What is asked may be asked anew.
        let required = self.args.require.iter();
        result.requirements = required.map(|one| one.of(&result)).collect();
        let exit = verdict::exit_of(&result, &self.args.require);
        self.remaining.keep(turn.cell);
        self.worst = self.worst.max(exit);
        Ok(Some(result))
    }

    fn make(&mut self, turn: Turn) -> Result<Option<RunResult>, Error> {
        if self.stop.is_asked() {
            return Ok(None);
        }
        let label = &self.suite.cells[turn.cell].label;
        let place = self.folder.place(turn.pass, turn.cell, label);
        if !self.args.quiet {
            aside::say(&format!(
                "suite {}: repetition {}, run {} of {}{}: {}",
                self.suite.name,
                turn.pass,
                turn.number,
                self.suite.cells.len(),
                self.left(),
                self.titles[turn.cell]
            ));
        }
        let options = self.options(turn);
        let departing = &mut self.departing;
        let mut made = None;
        let began = self.clock.now();
        let exit = measure::each(
            std::slice::from_ref(&self.workloads[turn.cell]),
            &self.args.target,
            &options,
            self.origin,
            &mut |result| {
                departing.add(&result.run_id);
                made = Some(result.clone());
                Ok(())
            },
        )?;
        if self.stop.is_asked() {
            return Ok(None);
        }
        let took = self.clock.now().saturating_sub(began);
        self.remaining.make(turn.cell, took.0);
        self.has_made = true;
        self.worst = self.worst.max(exit);
        if let Some(result) = &made {
            self.folder.keep(&place, result)?;
        }
        Ok(made)
    }

    fn begin(&mut self, pass: u32) -> Result<bool, Error> {
        self.schedule.begin(pass)
    }
}

impl Runs<'_> {
    /// The time that is left; with --every the schedule decides when a repetition starts.
    fn left(&self) -> String {
        if self.args.every.is_some() {
            return String::new();
        }
        let words = self.remaining.words();
        match self.suite.rounds {
            // They end when the followed run is steady.
            Some(_) => words.replace(", ", ", at most "),
            None => words,
        }
    }

    /// `suite two, run 2 of 4, 9 min left: random read 4 KiB`.
    fn live_title(&self, turn: Turn) -> String {
        let (name, all) = (&self.suite.name, self.suite.cells.len());
        let (number, title) = (turn.number, &self.titles[turn.cell]);
        format!(
            "suite {name}, run {number} of {all}{}: {title}",
            self.left()
        )
    }

    /// The options of one run. Nothing of it is printed, all of it is in the suite's report; its
    /// files are lent to the next run, which would only lay them out again.
    fn options(&self, turn: Turn) -> RunOptions {
        RunOptions {
            overrides: OverrideArgs::default(),
            engine: self.args.engine.clone(),
            safety: SafetyArgs {
                lends: true,
                ..self.args.safety.clone()
            },
            explain: ExplainArgs {
                require: self.args.require.clone(),
                tracing: self.args.tracing,
                ..ExplainArgs::default()
            },
            output: OutputArgs {
                quiet: self.args.quiet,
                no_live: self.args.no_live,
                as_listed: true,
                live_title: self.live_title(turn),
                ..OutputArgs::default()
            },
            save: self.save(),
            cluster: self.args.cluster.clone(),
            simulated: None,
            members: self.members.clone(),
            stop: Some(self.stop.clone()),
        }
    }

    /// All runs of a suite have its tag.
    fn save(&self) -> SaveArgs {
        let mut save = self.args.save.clone();
        if !save.no_save {
            save.tag.push(format!("suite:{}", self.suite.name));
        }
        save.delivers_later = true;
        save
    }
}
