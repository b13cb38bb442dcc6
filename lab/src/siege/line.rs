//! What was done, what was expected, what was seen.

/// One attack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttackRecord {
    /// Group of attacks.
    pub group: &'static str,
    /// What was done.
    pub done: String,
    /// What should come of it.
    pub expected: String,
    /// What came of it.
    pub seen: String,
    /// Whether that is the same.
    pub is_met: bool,
}

/// All attacks so far, and what could not be tried.
#[derive(Default)]
pub(crate) struct AttackLog {
    all: Vec<AttackRecord>,
    skipped: Vec<(&'static str, String)>,
}

/// The lines of one group.
pub(crate) struct GroupLines<'a> {
    group: &'static str,
    lines: &'a mut AttackLog,
}

impl AttackLog {
    /// All lines with these: of other calls.
    pub(crate) fn join(&mut self, kept: Vec<AttackRecord>, skipped: Vec<(&'static str, String)>) {
        self.all.extend(kept);
        self.skipped.extend(skipped);
    }

    pub(crate) fn of(&mut self, group: &'static str) -> GroupLines<'_> {
        GroupLines { group, lines: self }
    }

    pub(crate) fn in_group<'a>(&'a self, group: &'a str) -> impl Iterator<Item = &'a AttackRecord> {
        self.all.iter().filter(move |line| line.group == group)
    }

    /// Why attacks of a group were not made.
    pub(crate) fn skipped(&self, group: &str) -> impl Iterator<Item = &str> {
        let of_group = self.skipped.iter().filter(move |(name, _)| *name == group);
        of_group.map(|(_, why)| why.as_str())
    }

    pub(crate) fn all_met(&self) -> bool {
        self.all.iter().all(|line| line.is_met)
    }

    pub(crate) fn into_all(self) -> Vec<AttackRecord> {
        self.all
    }

    pub(crate) fn summary(&self, group: &str) -> String {
        let total = self.in_group(group).count();
        let unmet = self.in_group(group).filter(|line| !line.is_met).count();
        format!("{group}: {total} attacks, {unmet} unexpected")
    }
}

impl GroupLines<'_> {
    /// Keeps an attack; an unexpected one is printed at once.
    pub(crate) fn add(
        &mut self,
        done: impl Into<String>,
        expected: impl Into<String>,
        seen: impl Into<String>,
        is_met: bool,
    ) {
        let line = AttackRecord {
            group: self.group,
            done: done.into(),
            expected: expected.into(),
            seen: seen.into(),
            is_met,
        };
        if !line.is_met {
            eprintln!(
                "UNEXPECTED {}: {}\n    expected: {}\n    seen:     {}",
                line.group, line.done, line.expected, line.seen
            );
        }
        self.lines.all.push(line);
    }

    pub(crate) fn skip(&mut self, why: impl Into<String>) {
        let why = why.into();
        eprintln!("skipped {}: {why}", self.group);
        self.lines.skipped.push((self.group, why));
    }
}
