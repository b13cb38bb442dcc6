//! A profile from XML and as XML, by the tables of its elements.

use super::element::Element;
use super::row::{read_all, write_all};
use super::span::PROFILE;
use crate::options::OptionForm;
use crate::profile::Profile;
use crate::source::{At, PlacedNote, Source};
use fathom_core::nearest::nearest;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::faults::Faults;
use fathom_tools::translation::Note;

/// The element of a profile, as `-Rpxml` and results show it.
pub fn profile_element(profile: &Profile) -> Element {
    write_all(PROFILE, "Profile", profile)
}

/// What is wrong, and where.
pub(super) struct Reading<'a> {
    pub(super) source: &'a Source,
    pub(super) errors: Faults,
    notes: Vec<PlacedNote>,
}

/// A profile, where its parts stand, and what DISKSPD takes without a word.
pub(crate) type ReadProfile = (Profile, Source, Vec<PlacedNote>);

/// Reads a profile, or that of a result.
///
/// # Errors
///
/// All that is not a profile in it.
pub(crate) fn read(text: &str, file: &str) -> Result<ReadProfile, Vec<Diagnostic>> {
    // Windows likes to begin a file with the mark of its encoding.
    let text = text.trim_start_matches('\u{feff}');
    let plain = Source::elements(file, text, Vec::new());
    let root = Element::parse(text).map_err(|found| {
        let line_end = text[found.at..].find(['\n', '\r']).unwrap_or(0).min(1);
        let place = found.at..found.at + line_end.min(text.len() - found.at);
        let place = if text.is_char_boundary(place.end) {
            place
        } else {
            found.at..found.at
        };
        vec![plain.error(place, found.message, "a profile as `-Rpxml` shows it")]
    })?;
    let profile = match root.name.as_str() {
        "Profile" => Some(&root),
        "Results" => root.find("Profile"),
        _ => None,
    };
    let Some(element) = profile else {
        let message = format!("`<{}>` is no profile", root.name);
        let remedy = "the root is `<Profile>`, or `<Results>` with one in it";
        return Err(vec![plain.error(root.place.clone(), message, remedy)]);
    };
    let source = Source::elements(file, text, places(element));
    let mut reading = Reading {
        source: &source,
        errors: Faults::default(),
        notes: Vec::new(),
    };
    reading.shape(element);
    let profile = reading.profile(element);
    let Reading { errors, notes, .. } = reading;
    if errors.is_empty() {
        Ok((profile, source, notes))
    } else {
        Err(errors.into_vec())
    }
}

/// The place of every element, by the part of the profile that it is in.
fn places(profile: &Element) -> Vec<(At, String, std::ops::Range<usize>)> {
    fn below(element: &Element, at: At, list: &mut Vec<(At, String, std::ops::Range<usize>)>) {
        list.push((at, element.name.clone(), element.place.clone()));
        let (mut spans, mut targets) = (0, 0);
        for child in &element.children {
            let at = match child.name.as_str() {
                "TimeSpan" => {
                    spans += 1;
                    At::span(spans - 1)
                }
                "Target" => {
                    targets += 1;
                    At::target(at.span, targets - 1)
                }
                _ => at,
            };
            below(child, at, list);
        }
    }
    let mut list = Vec::new();
    below(profile, At::default(), &mut list);
    list
}

/// The attributes that an element of this name may have.
fn attributes_of(name: &str) -> &'static [&'static str] {
    match name {
        "Throughput" => &["unit"],
        "Range" => &["IO"],
        "AffinityGroupAssignment" => &["Group", "Processor"],
        _ => &[],
    }
}

impl Reading<'_> {
    /// What the schema says of every element: its attributes, and that words and elements do not
    /// follow each other.
    fn shape(&mut self, element: &Element) {
        if self.errors.is_hopeless() {
            return;
        }
        let known = attributes_of(&element.name);
        for (name, _) in &element.attributes {
            if !known.contains(&name.as_str()) {
                let message = format!("`<{}>` has no attribute `{name}`", element.name);
                self.error(element, message, "leave it out");
            }
        }
        if !element.children.is_empty() && !element.text.is_empty() {
            let message = format!("words stand between the elements of `<{}>`", element.name);
            self.error(
                element,
                message,
                "put them into an element, or into a comment",
            );
        }
        for child in &element.children {
            self.shape(child);
        }
    }

    pub(super) fn error(&mut self, element: &Element, message: impl Into<String>, remedy: &str) {
        let error = self.source.error(element.place.clone(), message, remedy);
        self.errors.push(error);
    }

    /// The note that a row holds.
    pub(super) fn note(&mut self, element: &Element, row: &OptionForm) {
        let what = self.source.text[element.place.clone()].to_owned();
        let note = Note::new(row.standing, what, row.remark);
        self.notes.push((element.place.start, note));
    }

    pub(super) fn unknown(&mut self, element: &Element, parent: &str, known: &[&str]) {
        // Nobody reads a suggestion for those that are only counted.
        let is_told = !self.errors.is_full();
        let near = is_told.then(|| nearest(&element.name, known.iter().copied()));
        let near = near.flatten();
        let remedy = near.map_or_else(String::new, |near| format!("did you mean `<{near}>`?"));
        let message = format!("`<{}>` does not belong into `<{parent}>`", element.name);
        self.error(element, message, &remedy);
    }

    pub(super) fn boolean(&mut self, element: &Element) -> bool {
        match element.text.as_str() {
            "true" | "1" => true,
            "false" | "0" => false,
            other => {
                let message = format!("`{other}` is neither true nor false");
                self.error(element, message, "write `true` or `false`");
                false
            }
        }
    }

    pub(super) fn number<N: TryFrom<u64> + Default>(&mut self, element: &Element) -> N {
        self.number_in(element, &element.text)
    }

    pub(super) fn number_in<N: TryFrom<u64> + Default>(
        &mut self,
        element: &Element,
        text: &str,
    ) -> N {
        let number = text.parse::<u64>().ok().and_then(|n| N::try_from(n).ok());
        number.unwrap_or_else(|| {
            let message = format!("`{text}` is no number that `<{}>` can have", element.name);
            self.error(
                element,
                message,
                "write a whole number that is not too large",
            );
            N::default()
        })
    }

    fn profile(&mut self, element: &Element) -> Profile {
        let mut profile = Profile::default();
        read_all(PROFILE, self, element, &mut profile);
        if profile.spans.is_empty() {
            self.error(
                element,
                "the profile has no time span",
                "add a `<TimeSpan>`",
            );
        }
        profile
    }
}
