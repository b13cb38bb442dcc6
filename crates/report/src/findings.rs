//! Caveats by their code, the worst first, for formats that fold what repeats.

use crate::figure::plural;
use fathom_core::SmallSort as _;
use fathom_core::{Caveat, CodeWord, Level};
use fathom_verdict::{Code, Effect};

/// All caveats of one code and level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding<'a> {
    pub(crate) code: &'a CodeWord,
    pub(crate) level: Level,
    pub(crate) sentences: Vec<Sentence<'a>>,
}

/// What was seen, where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence<'a> {
    /// Phases, jobs or devices; none for the whole run.
    pub(crate) subjects: Vec<&'a str>,
    pub(crate) message: &'a str,
    pub(crate) remedy: &'a str,
}

/// The caveats of a result, put together.
pub(crate) fn findings(caveats: &[Caveat]) -> Vec<Finding<'_>> {
    let mut findings: Vec<Finding<'_>> = Vec::new();
    for caveat in caveats {
        let found = findings
            .iter()
            .position(|one| *one.code == caveat.code && one.level == caveat.level);
        let index = found.unwrap_or_else(|| {
            findings.push(Finding {
                code: &caveat.code,
                level: caveat.level,
                sentences: Vec::new(),
            });
            findings.len() - 1
        });
        findings[index].add(caveat);
    }
    findings.small_sort_by_key(|finding| std::cmp::Reverse(finding.level));
    findings
}

/// The same in the order of what they do to the number, notes last.
pub(crate) fn worst_first(caveats: &[Caveat]) -> Vec<Finding<'_>> {
    let mut findings = findings(caveats);
    findings.small_sort_by_key(|finding| {
        let is_note = finding.level == Level::Note;
        (is_note, !is_elsewhere(finding))
    });
    findings
}

/// How many there are in every format, those of a code and level as one: `5 warnings and 6 notes`.
pub(crate) fn counted(caveats: &[Caveat]) -> String {
    let all = findings(caveats);
    let notes = all.iter().filter(|one| one.level == Level::Note).count();
    let counts = [(all.len() - notes, "warning"), (notes, "note")];
    let words = counts.iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> = words
        .map(|(count, noun)| plural(*count as u64, noun))
        .collect();
    words.join(" and ")
}

/// Whether the number is not that of the storage: such findings come before all others, whatever
/// their level, as nothing else matters then.
pub(crate) fn is_elsewhere(finding: &Finding<'_>) -> bool {
    says_elsewhere(finding.code)
}

pub(crate) fn says_elsewhere(code: &CodeWord) -> bool {
    Code::named(code.as_str()).and_then(Code::effect) == Some(Effect::Elsewhere)
}

impl<'a> Finding<'a> {
    fn add(&mut self, caveat: &'a Caveat) {
        let subject = Some(caveat.subject.as_str()).filter(|subject| !subject.is_empty());
        let same = self
            .sentences
            .iter_mut()
            .find(|one| one.message == caveat.message && one.remedy == caveat.remedy);
        match same {
            Some(sentence) => sentence.subjects.extend(subject),
            None => self.sentences.push(Sentence {
                subjects: subject.into_iter().collect(),
                message: &caveat.message,
                remedy: &caveat.remedy,
            }),
        }
    }

    /// One word: note, qualified, suspect, invalid.
    pub(crate) const fn word(&self) -> &'static str {
        match self.level {
            Level::Note => "note",
            Level::Qualified => "qualified",
            Level::Suspect => "suspect",
            Level::Invalid => "invalid",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_is_said_once() {
        let caveat = |code: &str, level, message: &str, subject: &str| {
            Caveat::new(CodeWord::foreign(code), level, message).about(subject)
        };
        let caveats = [
            caveat("a", Level::Note, "seen", "one"),
            caveat("b", Level::Suspect, "worse", ""),
            caveat("a", Level::Note, "seen", "two"),
            caveat("a", Level::Note, "seen otherwise", "three"),
        ];
        let sentence = |subjects: &[&'static str], message| Sentence {
            subjects: subjects.to_vec(),
            message,
            remedy: "",
        };
        let expected = [
            Finding {
                code: &CodeWord::foreign("b"),
                level: Level::Suspect,
                sentences: vec![sentence(&[], "worse")],
            },
            Finding {
                code: &CodeWord::foreign("a"),
                level: Level::Note,
                sentences: vec![
                    sentence(&["one", "two"], "seen"),
                    sentence(&["three"], "seen otherwise"),
                ],
            },
        ];
        assert_eq!(findings(&caveats), expected);
    }
}
