//! What a foreign input comes to: a workload, the wishes that a workload cannot hold, and a note
//! for everything that is not as the input's own program would do it.

use crate::diagnostic::{ADVICE, cut};
use fathom_core::spec::Workload;
use fathom_core::{EngineKind, Tolerated};
use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;

/// How far a word of a foreign input is honoured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// As its own program does it; said where one might doubt it.
    Kept,
    /// Nearly: the note says in what it differs.
    Approximated,
    /// It has no effect on what is measured here: the note says why.
    Ignored,
    /// It cannot be honoured; the input is not run with it.
    Refused,
}

impl Standing {
    /// All of them, best first.
    pub const ALL: [Self; 4] = [Self::Kept, Self::Approximated, Self::Ignored, Self::Refused];

    /// The word that begins a note.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Approximated => "approximated",
            Self::Ignored => "ignored",
            Self::Refused => "refused",
        }
    }
}

/// How one word of an input was understood.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// How far it is honoured.
    pub standing: Standing,
    /// The word or key as the input has it.
    pub what: String,
    /// In what it differs or why it has no effect: a fragment without a full stop.
    pub message: String,
}

impl Note {
    /// A note about the word `what`.
    pub fn new(standing: Standing, what: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            standing,
            what: what.into(),
            message: message.into(),
        }
    }
}

/// Notes that are reported for one input; a line of a million words may have one for each.
const TOLD: usize = 100;

/// The first notes as lines for a screen, none of them without end; and how many more there are.
pub fn told_notes<T: fmt::Display>(notes: &[T]) -> Vec<String> {
    let first = notes.iter().take(TOLD);
    let mut lines: Vec<String> = first
        .map(|note| cut(&note.to_string(), ADVICE).into_owned())
        .collect();
    match notes.len().saturating_sub(TOLD) {
        0 => {}
        1 => lines.push("one more note is not shown".to_owned()),
        more => lines.push(format!("{more} more notes are not shown")),
    }
    lines
}

/// Notes in the order in which they are made, each once.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    list: Vec<Note>,
    /// The same, to be found at once: there may be one for every word of a long input.
    made: HashSet<Note>,
}

impl Notes {
    /// Adds one, if it was not made before.
    pub fn add(&mut self, note: Note) {
        if self.made.insert(note.clone()) {
            self.list.push(note);
        }
    }

    /// All of them.
    pub fn into_vec(self) -> Vec<Note> {
        self.list
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: `{}`: {}",
            self.standing.name(),
            self.what,
            self.message
        )
    }
}

/// Which processors threads are pinned to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Affinity {
    /// The input does not care.
    #[default]
    Free,
    /// All processors, one after another.
    RoundRobin,
    /// These, one after another.
    List(Vec<u32>),
}

/// How the members of a measurement from many hosts share what one input names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Together {
    /// Their parts of one target take turns.
    pub interleaved: bool,
    /// Targets of which each member has its own in spite of that, as those of one task.
    pub apart: Vec<String>,
    /// Jobs with files have them in one directory.
    pub one_tree: bool,
    /// Phases that only read take the part of a member this number of hosts further.
    pub shift_reads: u32,
}

impl Together {
    /// Ends the names of targets of which each member has its own with `.{rank}`.
    pub fn name_apart(&self, workload: &mut Workload) {
        let jobs = workload.phases.iter_mut().flat_map(|phase| &mut phase.jobs);
        for target in jobs.flat_map(|job| &mut job.targets) {
            if self.apart.contains(target) {
                target.push_str(".{rank}");
            }
        }
    }
}

/// What an input asks of the run and a workload cannot hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunWishes {
    /// Which processors threads are pinned to.
    pub affinity: Affinity,
    /// Buffers in huge pages.
    pub huge_pages: bool,
    /// A thread of the kernel takes the requests.
    pub submission_polling: bool,
    /// The processor of that thread, if it is to stay on one.
    pub submission_cpu: Option<u32>,
    /// Completions are polled for.
    pub completion_polling: bool,
    /// Leave files that the run makes.
    pub keep_files: bool,
    /// Directories that have to be there before the run.
    pub directories: Vec<PathBuf>,
    /// Name of the engine that comes nearest to what the input asks for; none to let Fathom
    /// choose.
    pub engine: Option<EngineKind>,
    /// End at the first I/O error.
    pub stop_on_error: bool,
    /// Errors that do not stop the run.
    pub tolerated: Tolerated,
    /// What holds with many hosts.
    pub together: Together,
}

/// A foreign input in Fathom's terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Translation {
    /// What to do. Targets are in the jobs, as paths.
    pub workload: Workload,
    /// What is not as the input's own program would do it, in the order of the input.
    pub notes: Vec<Note>,
    /// What the workload cannot hold.
    pub wishes: RunWishes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_its_word_and_its_reason() {
        let note = Note::new(
            Standing::Ignored,
            "-x",
            "Linux has no completion routines; Fathom chooses the engine",
        );
        assert_eq!(
            note.to_string(),
            "ignored: `-x`: Linux has no completion routines; Fathom chooses the engine"
        );
    }

    #[test]
    fn a_screen_of_notes_is_told_and_the_others_are_counted() {
        let notes: Vec<String> = (0..TOLD).map(|number| number.to_string()).collect();
        assert_eq!(told_notes(&notes), notes);
        let more = [notes.as_slice(), &["a".to_owned()]].concat();
        let last = |notes: &[String]| told_notes(notes).pop();
        assert_eq!(last(&more).as_deref(), Some("one more note is not shown"));
        let more = [more.as_slice(), &notes].concat();
        assert_eq!(last(&more).as_deref(), Some("101 more notes are not shown"));
        let long = Note::new(Standing::Kept, "x".repeat(1 << 20), "it is long");
        let line = told_notes(&[long]).concat();
        let (begin, end) = line.split_once(" … ").expect("it is cut");
        assert_eq!(begin, format!("kept: `{}", "x".repeat(begin.len() - 7)));
        assert_eq!(end, format!("{}`: it is long", "x".repeat(end.len() - 13)));
        assert_eq!(line.len() / 10, ADVICE / 10);
    }
}
