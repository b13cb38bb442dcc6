//! The commands of `exec_prerun` and `exec_postrun`.

use super::job::Built;
use super::phases::Group;
use super::source::{Findings, Wrong};
use crate::translation::{JobCommands, JobProgram, ShellCommand};
use fathom_core::spec::Phase;

/// The commands of all sections; those of each clone, where the clones are jobs of their own.
pub(super) fn commands(groups: &[Group], phases: &[Phase]) -> Vec<JobCommands> {
    let mut commands = Vec::new();
    for (group, phase) in groups.iter().zip(phases) {
        let mut names = phase.jobs.iter().map(|job| job.name.clone());
        for built in group {
            let members: Vec<String> = names.by_ref().take(built.jobs.len()).collect();
            commands.extend(of_section(built, &phase.name, &members));
        }
    }
    commands
}

fn of_section<'a>(
    built: &'a Built,
    phase: &'a str,
    members: &'a [String],
) -> impl Iterator<Item = JobCommands> + 'a {
    let settings = &built.settings;
    let program = program(built);
    let is_any = settings.before.is_some() || settings.after.is_some() || program.is_some();
    let jobs = members.chunks(built.parts).filter(move |_| is_any);
    let command = move |text: &Option<String>, option, end| {
        let text = text.clone()?;
        let file = format!("{}.{end}.txt", built.name);
        Some(ShellCommand { option, text, file })
    };
    let clones = settings.clones as usize / (members.len() / built.parts).max(1);
    jobs.map(move |jobs| JobCommands {
        phase: phase.to_owned(),
        jobs: jobs.to_vec(),
        clones: clones as u32,
        before: command(&settings.before, "exec_prerun", "prerun"),
        after: command(&settings.after, "exec_postrun", "postrun"),
        beside: program.clone(),
    })
}

/// The program of a section of `exec`, called as fio calls it: words end at blanks, `%r` is the
/// time in seconds and `%n` the name of the job.
fn program(built: &Built) -> Option<JobProgram> {
    let settings = &built.settings;
    let told = &settings.program;
    let path = told.path.as_ref().filter(|_| settings.engine.executes)?;
    let seconds = (settings.runtime.0 / 1_000_000_000).to_string();
    let with = told.arguments.replace("%r", &seconds);
    let with = with.replace("%n", &built.name);
    let text = format!("{path} {with}");
    let words: Vec<String> = text
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let file = |end: &str| {
        let name = told.redirects.then(|| format!("{}.{end}", built.name));
        name.unwrap_or_default()
    };
    Some(JobProgram {
        command: ShellCommand {
            option: "program",
            text: words.join(" "),
            file: file("stdout"),
        },
        errors: file("stderr"),
        words,
        delay: settings.start_delay,
        time: settings.runtime,
        grace: told.grace,
    })
}

/// Refuses commands where nothing is to be written: nobody knows what they do.
pub(super) fn check_read_only(built: &Built, findings: &mut Findings) {
    for option in ["exec_prerun", "exec_postrun", "program"] {
        let Some(word) = built.settings.word(option) else {
            continue;
        };
        let message = format!("`{option}` of the job `{}` may write anything", built.name);
        let remedy = "without --readonly, or run by the shell that calls fathom";
        findings.error(&word.place, Wrong::new(message, remedy));
    }
}
