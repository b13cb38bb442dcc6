//! All that is to be said of a code, from the tables that each hold a part of it.

use super::{CATALOGUE, ELSEWHERE, Entry, FITNESS, Group};
use crate::check::{CHECKS, Check};
use crate::threshold::Threshold;
use crate::thresholds::THRESHOLDS;
use fathom_core::Caveat;

/// A code and what is known of it.
#[derive(Clone, Debug)]
pub struct Topic {
    /// The code, its level and when it is raised.
    pub entry: &'static Entry,
    /// Whether `fathom check` raises it, and no result has it.
    pub before: bool,
    /// The check of results that raises it.
    pub check: Option<&'static Check>,
    /// The numbers that it rests on.
    pub thresholds: Vec<&'static Threshold>,
    /// What was said where it was raised.
    pub examples: Vec<Caveat>,
}

impl Group {
    /// Its codes, with what is known of them.
    pub fn topics(&self) -> Vec<Topic> {
        let all = super::examples();
        let topic = |code: &&'static str| {
            let entry = self.entry(code)?;
            let key = if self.before {
                format!("check {code}")
            } else {
                (*code).to_owned()
            };
            let thresholds = THRESHOLDS.iter();
            let thresholds = thresholds.filter(|one| one.codes.contains(&key.as_str()));
            let ours = all.iter().filter(|one| one.before == self.before);
            let ours = ours.filter(|one| one.caveat.code == *code);
            Some(Topic {
                entry,
                before: self.before,
                check: self.check(code),
                thresholds: thresholds.collect(),
                examples: ours.map(|one| one.caveat.clone()).collect(),
            })
        };
        self.codes.iter().filter_map(topic).collect()
    }

    fn entry(&self, code: &str) -> Option<&'static Entry> {
        let is_meant = |entry: &&Entry| entry.code == code;
        if self.before {
            return FITNESS.iter().find(is_meant);
        }
        let mut all = CATALOGUE.iter().chain(ELSEWHERE);
        all.find(is_meant)
    }

    fn check(&self, code: &str) -> Option<&'static Check> {
        let mut checks = CHECKS.iter().filter(|_| !self.before);
        checks.find(|check| check.codes.contains(&code))
    }
}

impl Topic {
    /// The evidence that its check needs, in words; none for what needs the result alone.
    pub fn evidence(&self) -> Option<String> {
        let needs = self.check?.needs;
        let words: Vec<&str> = needs.iter().map(|need| need.words()).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}
