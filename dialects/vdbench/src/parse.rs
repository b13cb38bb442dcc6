//! From lines to definitions.

use crate::definitions::{Definitions, Named};
use crate::keys::{self, Key};
use crate::parameter::{Parameter, Wrong, parameters};
use crate::source::{ParameterLines, SourcePlace};
use fathom_core::nearest::nearest;
use fathom_tools::faults::Faults;
use fathom_tools::translation::{Note, Notes, Standing};
use std::collections::HashSet;

/// Which definition parameters belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    General,
    Host,
    /// A group of reports. Its parameters are not read.
    Group,
    Storage,
    Work,
    FileSystem,
    FileWork,
    Run,
}

impl Section {
    /// The section that a keyword begins after this one; it is a parameter otherwise.
    fn after(self, key: &str) -> Option<Self> {
        use Section::{FileSystem, FileWork, General, Group, Host, Run, Storage, Work};
        let next = match key {
            "hd" | "host" => Host,
            "rg" => Group,
            "sd" => Storage,
            "fsd" => FileSystem,
            "wd" => Work,
            "fwd" => FileWork,
            "rd" => Run,
            _ => return None,
        };
        let is_before = match self {
            General | Host | Group => true,
            Storage | FileSystem => next != Host && next != Group,
            Work => matches!(next, Work | FileWork | Run),
            FileWork => matches!(next, FileWork | Run),
            Run => next == Run,
        };
        is_before.then_some(next)
    }
}

/// What reading has come to.
pub(crate) struct Reading {
    pub(crate) definitions: Definitions,
    pub(crate) errors: Faults,
    pub(crate) notes: Notes,
    /// Keywords that the definition at hand has so far.
    given: HashSet<&'static str>,
}

impl Reading {
    /// Reads all lines.
    pub(crate) fn of(lines: ParameterLines<'_>) -> Self {
        let mut reading = Self {
            definitions: Definitions::default(),
            errors: lines.errors,
            notes: lines.notes,
            given: HashSet::new(),
        };
        let mut section = Section::General;
        for line in &lines.list {
            for found in parameters(line) {
                if reading.errors.is_hopeless() {
                    return reading;
                }
                match found {
                    Ok(parameter) => section = reading.take(section, &parameter),
                    Err((place, wrong)) => reading.wrong(&place, wrong),
                }
            }
        }
        reading
    }

    /// Adds what is wrong with a parameter.
    pub(crate) fn wrong(&mut self, place: &SourcePlace, wrong: Wrong) {
        self.errors.push(place.error(wrong));
    }

    fn take(&mut self, section: Section, parameter: &Parameter) -> Section {
        let definitions = &mut self.definitions;
        if let Some(next) = section.after(&parameter.key) {
            self.given.clear();
            let begun = match next {
                Section::General | Section::Group => Ok(()),
                Section::Host => definitions.hosts.begin(parameter),
                Section::Storage => definitions.storage.begin(parameter),
                Section::Work => definitions.work.begin(parameter),
                Section::FileSystem => definitions.file_systems.begin(parameter),
                Section::FileWork => definitions.file_work.begin(parameter),
                Section::Run => definitions.runs.begin(parameter),
            };
            if let Err(wrong) = begun {
                self.wrong(&parameter.place, wrong);
            }
            return next;
        }
        let Self {
            definitions,
            errors,
            notes,
            given,
        } = self;
        let mut to = Taking {
            errors,
            notes,
            given,
            parameter,
        };
        match section {
            Section::General => to.one(keys::general::GENERAL, &mut definitions.general),
            Section::Group => {}
            Section::Host => to.of(keys::general::HOST, &mut definitions.hosts),
            Section::Storage => to.of(keys::storage::STORAGE, &mut definitions.storage),
            Section::Work => to.of(keys::storage::WORK, &mut definitions.work),
            Section::FileSystem => to.of(keys::files::FILE_SYSTEM, &mut definitions.file_systems),
            Section::FileWork => to.of(keys::files::FILE_WORK, &mut definitions.file_work),
            Section::Run => to.of(keys::run::RUN, &mut definitions.runs),
        }
        section
    }
}

/// Reads a parameter into a definition.
struct Taking<'a> {
    errors: &'a mut Faults,
    notes: &'a mut Notes,
    given: &'a mut HashSet<&'static str>,
    parameter: &'a Parameter,
}

impl Taking<'_> {
    fn of<T: Clone + Default>(&mut self, table: &'static [Key<T>], to: &mut Named<T>) {
        self.one(table, to.current());
    }

    fn one<T>(&mut self, table: &'static [Key<T>], to: &mut T) {
        let Parameter { key, place, .. } = self.parameter;
        let Some(known) = keys::find(table, key) else {
            let message = format!("`{key}` is no parameter here");
            let remedy = "general, hd, sd or fsd, wd or fwd, rd, in this order";
            let mut error = place.error((message, remedy.to_owned()));
            let names = keys::names(table).filter(|_| !self.errors.is_full());
            error.suggestion = nearest(key, names).map(|name| format!("did you mean `{name}`?"));
            self.errors.push(error);
            return;
        };
        if known.set.is_some() && !self.given.insert(known.name()) {
            let message = "it is given again below, and the last one counts";
            self.notes
                .add(Note::new(Standing::Ignored, key.clone(), message));
        }
        match known.row.standing {
            Standing::Refused => {
                let message = format!("`{key}` is not possible: {}", known.row.remark);
                self.errors
                    .push(place.error((message, format!("without `{key}=`"))));
            }
            standing @ (Standing::Ignored | Standing::Approximated) => {
                self.notes
                    .add(Note::new(standing, key.clone(), known.row.remark));
            }
            Standing::Kept => {}
        }
        if let Some(set) = known.set
            && let Err(wrong) = set(to, self.parameter)
        {
            self.errors.push(place.error(wrong));
        }
    }
}
