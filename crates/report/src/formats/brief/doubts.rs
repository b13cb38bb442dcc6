//! The findings that decide, the worst first, each with the rows that it questions.

use super::lines::BriefLines;
use crate::figure::plural;
use crate::findings::{Finding, Sentence, is_elsewhere, worst_first};
use crate::paint::Style;
use fathom_core::Level;
use fathom_core::result::RunResult;

/// Findings that have a number.
const NUMBERED: usize = 3;
/// Lines of a finding, and of what to do about it.
const LINES: usize = 3;
const REMEDY_LINES: usize = 2;

/// All findings together.
pub(super) struct Doubts<'a> {
    all: Vec<Finding<'a>>,
    phases: Vec<&'a str>,
}

impl<'a> Doubts<'a> {
    pub(super) fn of(result: &'a RunResult) -> Self {
        let all = worst_first(&result.caveats).into_iter();
        let all = all.filter(|finding| finding.level != Level::Note).collect();
        Self {
            all,
            phases: result.phases.iter().map(|one| one.name.as_str()).collect(),
        }
    }

    /// Numbers of the findings about these jobs of a phase. One that names no phase is about all of
    /// them.
    pub(super) fn about(&self, phase: &str, jobs: &[&str]) -> Vec<usize> {
        let numbered = self.all.iter().take(NUMBERED).enumerate();
        let doubts = numbered.filter(|(_, finding)| {
            let mut sentences = finding.sentences.iter();
            self.is_of_targets(finding) || sentences.any(|sentence| is_about(sentence, phase, jobs))
        });
        doubts.map(|(index, _)| index + 1).collect()
    }

    /// Whether a finding says of targets and not of phases that the numbers are not the storage's:
    /// that is so of all of them.
    fn is_of_targets(&self, finding: &Finding<'_>) -> bool {
        let subjects = finding.sentences.iter().flat_map(|one| &one.subjects);
        let names_phase = |subject: &&str| {
            let name = subject.split(['/', '#']).next().unwrap_or_default();
            self.phases.contains(&name)
        };
        is_elsewhere(finding) && !subjects.into_iter().any(names_phase)
    }

    /// The numbered findings in at most `room` lines, the first with what to do about it.
    pub(super) fn write(&self, lines: &mut BriefLines, room: usize) {
        let numbered = self.all.iter().take(NUMBERED);
        let mut left = room;
        for (index, finding) in numbered.enumerate() {
            let others = self.all.len().min(NUMBERED) - index - 1;
            // Each of those that follow has a line at least.
            let most = left.saturating_sub(others).min(LINES);
            if most == 0 {
                return;
            }
            let before = lines.count();
            let label = format!("! {}", index + 1);
            let style = Style::of_level(finding.level);
            lines.hang_in(style, &label, &words(finding), most);
            left -= lines.count() - before;
            let remedy = finding.sentences.first().map_or("", |one| one.remedy);
            let most = left.saturating_sub(others).min(REMEDY_LINES);
            if index == 0 && !remedy.is_empty() && most > 0 {
                let before = lines.count();
                lines.hang("", &format!("try: {remedy}"), most);
                left -= lines.count() - before;
            }
        }
    }
}

/// Whether a sentence is about these jobs of a phase.
fn is_about(sentence: &Sentence<'_>, phase: &str, jobs: &[&str]) -> bool {
    let of_phase = |subject: &&str| {
        let (name, job) = subject.split_once('/').unwrap_or((subject, ""));
        // Repeats have their number behind the name.
        let name = name.split_once('#').map_or(name, |(name, _)| name);
        name == phase && (job.is_empty() || jobs.contains(&job))
    };
    sentence.subjects.is_empty() || sentence.subjects.iter().any(of_phase)
}

/// The first sentence, and how many more there are of the kind.
fn words(finding: &Finding<'_>) -> String {
    let Some(first) = finding.sentences.first() else {
        return finding.code.to_string();
    };
    let mut text = format!("[{}] {}", finding.code, first.message);
    let more: usize = finding.sentences[1..]
        .iter()
        .map(|sentence| sentence.subjects.len().max(1))
        .sum();
    if more > 0 {
        text += &format!(" (and {} like this)", plural(more as u64, "finding"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_verdict::Code;

    /// What is said of a target whose bytes are not the storage's is so of all rows.
    #[test]
    fn a_target_in_memory_doubts_every_row() {
        let mut result = fathom_core::fixture::random_read();
        let caveat = |code: Code, subject: &str| {
            fathom_core::Caveat::new(code, Level::Suspect, "seen").about(subject)
        };
        result.caveats = vec![
            caveat(Code::MemoryTarget, "/dev/shm"),
            caveat(Code::Thermal, "vda"),
        ];
        let phase = result.phases[0].name.clone();
        let jobs = [result.phases[0].jobs[0].name.as_str()];
        assert_eq!(Doubts::of(&result).about(&phase, &jobs), [1]);
        result.caveats[0] = caveat(Code::CacheReads, "another");
        assert_eq!(Doubts::of(&result).about(&phase, &jobs), [1]);
        result.caveats[0] = caveat(Code::CacheReads, &format!("{phase}/other"));
        assert_eq!(Doubts::of(&result).about(&phase, &jobs), [0; 0]);
    }

    #[test]
    fn a_finding_doubts_the_rows_that_it_names() {
        let about = |subject: &str, phase: &str, job: &str| {
            let subjects = if subject.is_empty() {
                vec![]
            } else {
                vec![subject]
            };
            let sentence = Sentence {
                subjects,
                message: "",
                remedy: "",
            };
            is_about(&sentence, phase, &[job])
        };
        let cases = [
            ("", "read", "read", true),
            ("read", "read", "a", true),
            ("read#2", "read", "a", true),
            ("read/a", "read", "a", true),
            ("read/b", "read", "a", false),
            ("write", "read", "read", false),
            ("vda", "read", "read", false),
        ];
        for (subject, phase, job, expected) in cases {
            assert_eq!(about(subject, phase, job), expected, "{subject}");
        }
    }
}
