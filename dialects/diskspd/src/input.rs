//! An input that DISKSPD accepts: how it is read, bound to other targets and translated.

use crate::profile::{Content, Profile};
use crate::source::{PlacedNote, Source};
use crate::{argv, beside, check, translation, xml};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::{Surroundings, reason};
use fathom_tools::drives::mapped;
use fathom_tools::rebinding::{self, Kind};
use fathom_tools::translation::Translation;
use std::collections::BTreeSet;
use std::path::Path;

/// An input that DISKSPD accepts.
#[derive(Clone, Debug)]
pub struct Input {
    /// What it asks for.
    pub profile: Profile,
    source: Source,
    notes: Vec<PlacedNote>,
}

/// Whether a command line asks for help, and so for nothing else. DISKSPD takes `/` for `-`, and no
/// file of Windows can have this name.
pub fn wants_help(argv: &[String]) -> bool {
    argv.iter().skip(1).any(|word| word == "-?" || word == "/?")
}

/// Reads a command line, the program's name first, and gives DISKSPD's own verdict on it. The
/// profile that `-X` names is asked of the surroundings, and so is where drives of Windows are.
///
/// # Errors
///
/// All that DISKSPD 2.2 refuses in it.
pub fn read(argv: &[String], surroundings: &dyn Surroundings) -> Result<Input, Vec<Diagnostic>> {
    let mapped = argv.iter().map(|word| mapped(word, surroundings.drives()));
    let line = argv::read(&mapped.collect::<Vec<_>>())?;
    let Some(file) = &line.file else {
        let input = checked(line.profile, line.source, line.notes)?;
        return Ok(input.on_drives(surroundings));
    };
    let text = surroundings.read(Path::new(&file.path)).map_err(|error| {
        let message = format!(
            "the profile {} cannot be read: {}",
            file.path,
            reason(&error)
        );
        let place = line.source.word(file.word);
        vec![
            line.source
                .error(place, message, "a file as `-Rpxml` shows it"),
        ]
    })?;
    let (mut profile, source, notes) = xml::read(&text, &file.path)?;
    beside::apply(file, &line.profile, &mut profile);
    beside::substitute(file, &line.source, &mut profile)?;
    let input = checked(profile, source, [line.notes, notes].concat())?;
    Ok(input.on_drives(surroundings))
}

/// Reads an XML profile. `file` is the name by which the user knows it.
///
/// # Errors
///
/// All that DISKSPD 2.2 refuses in it.
pub fn read_profile(text: &str, file: &str) -> Result<Input, Vec<Diagnostic>> {
    let (profile, source, notes) = xml::read(text, file)?;
    checked(profile, source, notes)
}

/// The profile in a result, whatever DISKSPD would say of it: it has run.
pub(crate) fn profile_of_result(text: &str, file: &str) -> Option<Profile> {
    xml::read(text, file).ok().map(|(profile, ..)| profile)
}

fn checked(
    profile: Profile,
    source: Source,
    notes: Vec<PlacedNote>,
) -> Result<Input, Vec<Diagnostic>> {
    let found = check::check(&profile, &source);
    if found.is_empty() {
        Ok(Input {
            profile,
            source,
            notes,
        })
    } else {
        Err(found)
    }
}

impl Input {
    /// The input with its paths on drives that are somewhere here.
    fn on_drives(mut self, surroundings: &dyn Surroundings) -> Self {
        let drives = surroundings.drives();
        let targets = self
            .profile
            .spans
            .iter_mut()
            .flat_map(|span| &mut span.targets);
        for target in targets {
            target.path = mapped(&target.path, drives);
            if let Content::Buffer {
                file: Some(file), ..
            } = &mut target.content
            {
                *file = mapped(file, drives);
            }
        }
        self
    }

    /// The input with other paths for its targets.
    ///
    /// # Errors
    ///
    /// Paths of which nobody knows what they are for.
    pub(crate) fn rebound(
        mut self,
        given: &[String],
        surroundings: &dyn Surroundings,
    ) -> Result<Self, Vec<Diagnostic>> {
        let spans = self.profile.spans.iter();
        let names: BTreeSet<&str> = spans
            .flat_map(|span| &span.targets)
            .map(|target| target.path.as_str())
            .collect();
        let names: Vec<&str> = names.into_iter().collect();
        let bound = rebinding::rebind(given, &names, Kind::Files, surroundings)?;
        let spans = self.profile.spans.iter_mut();
        for target in spans.flat_map(|span| &mut span.targets) {
            if let Some(path) = bound.get(&target.path) {
                target.path.clone_from(path);
            }
        }
        Ok(self)
    }

    /// The input in Fathom's terms.
    ///
    /// # Errors
    ///
    /// What Fathom cannot honour, or what cannot be on this system.
    pub fn translate(
        &self,
        surroundings: &dyn Surroundings,
    ) -> Result<Translation, Vec<Diagnostic>> {
        let notes = self.notes.clone();
        translation::translate(&self.profile, &self.source, notes, surroundings)
    }
}

/// How sure it is, from 0 to 100, that a text is a command line or a profile of DISKSPD.
pub fn detect(_file: &str, text: &str) -> u8 {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let program = text.split_whitespace().next().unwrap_or_default();
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    if text.starts_with('<') && text.contains("<TimeSpan") {
        95
    } else if ["diskspd", "diskspd.exe"].contains(&name.to_ascii_lowercase().as_str()) {
        90
    } else {
        0
    }
}

/// Translates the words of a command line, the program's name left out.
///
/// # Errors
///
/// All that is wrong with them, and what Fathom cannot honour.
pub fn translate_words(
    words: &[String],
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let program = std::iter::once("diskspd".to_owned());
    let argv: Vec<String> = program.chain(words.iter().cloned()).collect();
    read(&argv, surroundings)?.translate(surroundings)
}

/// The words of a line: blanks part them, double quotes keep blanks together, and a backslash is
/// one, as on Windows.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None;
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_with(String::new);
            }
            blank if blank.is_whitespace() && !quoted => words.extend(word.take()),
            letter => word.get_or_insert_with(String::new).push(letter),
        }
    }
    words.extend(word);
    words
}

/// Translates a command line or a profile; see [`Dialect`](fathom_tools::Dialect).
///
/// # Errors
///
/// All that is wrong with the text, and what Fathom cannot honour.
pub fn translate(
    text: &str,
    file: &str,
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let text = text.trim_start_matches('\u{feff}');
    let input = if text.trim_start().starts_with('<') {
        read_profile(text, file)?.on_drives(surroundings)
    } else {
        read(&words(text), surroundings)?
    };
    input.translate(surroundings)
}
