//! Options that are words: affinity, tracing, events, the form of the report, the profile.

use super::{Fault, OptionResult, ProfileFile, Reader, affinity};
use crate::options;
use crate::profile::ResultFormat;
use crate::tracing::EVENT_CLASSES;

impl Reader<'_> {
    /// Changes the options next to a profile, if one is named.
    pub(super) fn beside(&mut self, change: impl FnOnce(&mut ProfileFile)) {
        if self.names_profile {
            change(self.file.get_or_insert_default());
        }
    }

    pub(super) fn affinity(&mut self, value: &str) -> OptionResult {
        if value.is_empty() || value == "g" {
            return Ok(());
        }
        match affinity::list(value) {
            Some(list) => {
                self.span.affinity.extend(list);
                Ok(())
            }
            None => Err(Fault::new(
                "an affinity is a list of processors",
                "as in `-a0,2,4`, or `-ag0,0,1` with their group first",
            )),
        }
    }

    pub(super) fn tracing(&mut self, value: &str, index: usize) -> OptionResult {
        let Some(class) = EVENT_CLASSES.iter().find(|class| class.is_said_by(value)) else {
            let words: Vec<&str> = EVENT_CLASSES.iter().map(|class| class.word).collect();
            return Err(Fault::new(
                format!("`{value}` is no class of events"),
                format!("the classes are {}", words.join(", ")),
            ));
        };
        self.profile.tracing.push(class);
        self.rest(index, &value[class.word.len()..])
    }

    pub(super) fn event(&mut self, value: &str) -> OptionResult {
        let mut letters = value.chars();
        let kind = letters.next().filter(|kind| "sfrpe".contains(*kind));
        let name = letters.as_str();
        let Some(kind) = kind else {
            return Err(Fault::new(
                "an event is a letter and a name",
                "s at the start, f at the finish, r wait to run, p stop, e set and end",
            ));
        };
        self.profile.events.push((kind, name.to_owned()));
        Ok(())
    }

    pub(super) fn format(&mut self, value: &str) -> OptionResult {
        let form = value.strip_prefix('p');
        self.profile.print_only |= form.is_some();
        self.profile.format = match form.unwrap_or(value) {
            // The profile alone, in the form that others name.
            "" if self.profile.print_only => return Ok(()),
            "text" => ResultFormat::Text,
            "xml" => ResultFormat::Xml,
            _ => {
                return Err(Fault::new(
                    format!("`-R{value}` is no form of a report"),
                    "`-Rtext` or `-Rxml`; with p, as in `-Rpxml`, the profile alone",
                ));
            }
        };
        self.beside(|file| file.has_format = true);
        Ok(())
    }

    pub(super) fn verbose(&mut self, value: &str) -> OptionResult {
        match value {
            "" => self.profile.verbose = true,
            "s" => self.profile.verbose_stats = true,
            _ => {
                return Err(Fault::new(
                    format!("`-v{value}` is unknown"),
                    "`-v` or `-vs`",
                ));
            }
        }
        Ok(())
    }

    pub(super) fn completion(&mut self, value: &str, index: usize) -> OptionResult {
        if matches!(value, "k" | "p") {
            self.note(&options::LINUX_ENGINE, index);
            return Ok(());
        }
        self.span.completion_routines = true;
        self.rest(index, value)
    }

    pub(super) fn profile_file(&mut self, value: &str, index: usize) -> OptionResult {
        if value.is_empty() {
            return Err(Fault::new("no profile is named", "as in `-Xprofile.xml`"));
        }
        let file = self.file.get_or_insert_default();
        value.clone_into(&mut file.path);
        file.word = index;
        Ok(())
    }
}
