//! Everything that is doubtful, the worst first, with what to do about it.

use crate::page::Page;
use crate::paint::Style;
use fathom_core::{Caveat, Level};

pub(super) fn write(page: &mut Page, caveats: &[Caveat]) {
    if caveats.is_empty() {
        return;
    }
    page.heading("caveats");
    let groups = group(caveats);
    for (index, (caveat, subjects)) in groups.iter().enumerate() {
        let place = match subjects.as_slice() {
            [] => String::new(),
            subjects => format!("{}: ", subjects.join(", ")),
        };
        let text = format!("{place}{} [{}]", caveat.message, caveat.code);
        page.styled_entry(word(caveat.level), Style::of_level(caveat.level), &text);
        let next = groups.get(index + 1).map(|(next, _)| *next);
        let said_next =
            next.is_some_and(|next| next.code == caveat.code && next.remedy == caveat.remedy);
        if !caveat.remedy.is_empty() && !said_next {
            page.entry("", &format!("try: {}", caveat.remedy));
        }
    }
}

/// Caveats that differ only in their subject, together.
fn group(caveats: &[Caveat]) -> Vec<(&Caveat, Vec<&str>)> {
    let mut groups: Vec<(&Caveat, Vec<&str>)> = Vec::new();
    for caveat in caveats {
        let same = groups.iter_mut().find(|(other, _)| {
            (&other.code, other.level, &other.message, &other.remedy)
                == (&caveat.code, caveat.level, &caveat.message, &caveat.remedy)
        });
        let subject = Some(caveat.subject.as_str()).filter(|subject| !subject.is_empty());
        match same {
            Some((_, subjects)) => subjects.extend(subject),
            None => groups.push((caveat, subject.into_iter().collect())),
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
