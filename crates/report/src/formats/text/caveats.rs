//! All findings, the worst first, with what to do about it.

use crate::page::Page;
use crate::paint::Style;
use fathom_core::result::Coverage;
use fathom_core::{Caveat, CodeWord, Level};

pub(super) fn write(page: &mut Page, caveats: &[Caveat]) {
    if caveats.is_empty() {
        return;
    }
    page.heading("caveats");
    let groups = group(caveats);
    for (index, group) in groups.iter().enumerate() {
        let caveat = group.first;
        let text = format!("{} [{}]", sentence(group), caveat.code);
        page.styled_entry(word(caveat.level), Style::of_level(caveat.level), &text);
        let next = groups.get(index + 1).map(|next| next.first);
        let said_next =
            next.is_some_and(|next| next.code == caveat.code && next.remedy == caveat.remedy);
        if !caveat.remedy.is_empty() && !said_next {
            page.entry("", &format!("try: {}", caveat.remedy));
        }
    }
}

/// Which of the checks could run, and why the others could not.
pub(super) fn coverage(page: &mut Page, coverage: Option<&Coverage>) {
    let Some(coverage) = coverage else {
        return;
    };
    page.heading("coverage");
    let text = format!(
        "{} of {} had the required evidence",
        coverage.ran, coverage.of
    );
    page.entry("checks", &text);
    for blind in &coverage.blind {
        let codes: Vec<&str> = blind.codes.iter().map(CodeWord::as_str).collect();
        page.entry("not", &format!("{}: {}", codes.join(", "), blind.reason));
    }
}

/// Caveats of one code and level.
struct Group<'a> {
    first: &'a Caveat,
    /// Subjects of which the same is said word by word.
    same: Vec<&'a str>,
    /// Subjects of which it is said with other numbers.
    alike: Vec<&'a str>,
}

fn sentence(group: &Group<'_>) -> String {
    let message = &group.first.message;
    let mut text = if group.same.is_empty() {
        message.clone()
    } else {
        format!("{}: {message}", group.same.join(", "))
    };
    if !group.alike.is_empty() {
        text += &format!("; with other numbers also {}", group.alike.join(", "));
    }
    text
}

fn group(caveats: &[Caveat]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for caveat in caveats {
        let subject = Some(caveat.subject.as_str()).filter(|subject| !subject.is_empty());
        let kin = groups.iter_mut().find(|group| {
            let first = group.first;
            let is_kin = (&first.code, first.level, &first.remedy)
                == (&caveat.code, caveat.level, &caveat.remedy);
            is_kin && (subject.is_some() || first.message == caveat.message)
        });
        match kin {
            Some(group) if group.first.message == caveat.message => group.same.extend(subject),
            Some(group) => group.alike.extend(subject),
            None => groups.push(Group {
                first: caveat,
                same: subject.into_iter().collect(),
                alike: Vec::new(),
            }),
        }
    }
    groups
}

const fn word(level: Level) -> &'static str {
    match level {
        Level::Note => "note",
        Level::Qualified => "QUALIFIED",
        Level::Suspect => "SUSPECT",
        Level::Invalid => "INVALID",
    }
}
