//! `fathom studies`: the figures of published studies, and those that fathom computes.

mod computing;
mod line;

use super::{listed, print, show_text};
use crate::args::StudiesArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::{on_terminal, wrapped};
use computing::Commands;
use fathom_core::figure;
use fathom_tools::studies::{Agreement, Study, studies};
use line::{ClaimLine, Row};
use serde::Serialize;
use std::fmt::Write as _;

/// Studies with their claims, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct StudiesDocument<'a> {
    /// How many claims agree.
    headline: String,
    /// Whether the figures were computed by this command.
    computed_now: bool,
    studies: Vec<StudyLines<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct StudyLines<'a> {
    name: &'a str,
    title: &'a str,
    /// The page about it, from the root of the repository.
    page: &'a str,
    claims: Vec<Row<'a>>,
}

pub(crate) fn run(args: &StudiesArgs) -> Result<Exit, Error> {
    if let Some(target) = args.target.as_ref().filter(|target| !target.is_dir()) {
        let thing = format!("cannot measure in {}", target.display());
        return Err(Problem::new(Exit::Environment, thing)
            .because("it is not a directory")
            .remedy("--target with a directory on the disk to measure")
            .into());
    }
    let mut studies = studies();
    if let Some(name) = &args.study {
        studies.retain(|study| study.name == *name);
    }
    let mut commands = Commands::new(args.target.as_deref());
    let mut lines = Vec::new();
    for claim in studies.iter().flat_map(|study| &study.claims) {
        lines.push(match args.study {
            Some(_) => commands.compute(claim)?,
            None => ClaimLine::listed(claim),
        });
    }
    let shown = Shown {
        studies: &studies,
        lines: &lines,
        is_computed: args.study.is_some(),
    };
    if args.json {
        print(&shown.json()?)?;
    } else {
        show_text(&on_terminal(shown.text()))?;
    }
    Ok(match shown.count(ClaimLine::is_not_reproduced) {
        0 => Exit::Ok,
        _ => Exit::LimitMissed,
    })
}

/// What is printed.
struct Shown<'a> {
    studies: &'a [Study],
    /// One for each claim of all studies, in their order.
    lines: &'a [ClaimLine<'a>],
    /// Whether the commands ran now.
    is_computed: bool,
}

impl<'a> Shown<'a> {
    fn count(&self, is_counted: impl Fn(&ClaimLine<'a>) -> bool) -> usize {
        self.lines.iter().filter(|line| is_counted(line)).count()
    }

    fn headline(&self) -> String {
        let all = self.lines.len();
        let diskless =
            self.count(|line| line.claim.command.is_some() && !line.claim.needs_target());
        let disks = self.count(|line| line.claim.needs_target());
        // A figure that is not the listed one is counted as that alone.
        let of = |agreement| {
            self.count(|line| !line.is_not_reproduced() && line.agreement() == agreement)
        };
        let [agree, differ, unstated, _] = Agreement::ALL.map(of);
        let now = match self.count(ClaimLine::is_not_reproduced) {
            _ if !self.is_computed => String::new(),
            0 => " All were computed now and are the same as listed.".to_owned(),
            changed => format!(
                " {} NOT REPRODUCED.",
                figure::plural(changed as u64, "figure")
            ),
        };
        format!(
            "{diskless} of {all} claims are checked by a command that needs no disk, {disks} \
             more by one that needs a disk. {agree} figures agree with the study, {differ} differ \
             for the reason given, and the study does not state {unstated}.{now}"
        )
    }

    fn text(&self) -> String {
        let mut text = wrapped(&self.headline());
        let mut lines = self.lines.iter();
        for study in self.studies {
            let _ = writeln!(text, "\n{}: {} ({})", study.name, study.title, study.page);
            for line in lines.by_ref().take(study.claims.len()) {
                text.push('\n');
                text.push_str(&line.text());
            }
        }
        if self.is_computed {
            return text;
        }
        text + "\nfathom studies STUDY computes the figures of one study again.\n"
    }

    fn json(&self) -> Result<String, Problem> {
        let mut lines = self.lines.iter();
        let studies = self.studies.iter().map(|study| StudyLines {
            name: &study.name,
            title: &study.title,
            page: &study.page,
            claims: lines
                .by_ref()
                .take(study.claims.len())
                .map(ClaimLine::row)
                .collect(),
        });
        let document = StudiesDocument {
            studies: studies.collect(),
            headline: self.headline(),
            computed_now: self.is_computed,
        };
        listed::stamped("studies", &document)
    }
}
