//! Options that are words: affinity, tracing, events, the form of the report, the profile.

use super::{Fault, Outcome, ProfileFile, Reader};
use crate::diskspd::options;
use crate::diskspd::profile::ResultFormat;

/// Classes of kernel events that `-e` knows.
const CLASSES: [&str; 8] = [
    "PROCESS",
    "THREAD",
    "IMAGE_LOAD",
    "DISK_IO",
    "MEMORY_PAGE_FAULTS",
    "MEMORY_HARD_FAULTS",
    "NETWORK",
    "REGISTRY",
];

impl Reader<'_> {
    /// Changes what stands beside a profile, if one is named.
    pub(super) fn beside(&mut self, change: impl FnOnce(&mut ProfileFile)) {
        if self.names_profile {
            change(self.file.get_or_insert_default());
        }
    }

    pub(super) fn affinity(&mut self, value: &str, index: usize) -> Outcome {
        if value.is_empty() || value == "g" {
            return Ok(());
        }
        let bad = || {
            Fault::new(
                "an affinity is a list of processors",
                "as in `-a0,2,4`, or `-ag0,0,1` with their group first",
            )
        };
        let mut group = 0;
        let mut after_group = false;
        for item in value.split(',') {
            if let Some(number) = item.strip_prefix('g') {
                if after_group {
                    return Err(bad());
                }
                group = digits(number, u64::from(u16::MAX)).ok_or_else(bad)? as u16;
                after_group = true;
            } else {
                let cpu = digits(item, u64::from(u8::MAX)).ok_or_else(bad)? as u8;
                self.span.affinity.push((group, cpu));
                after_group = false;
            }
        }
        self.again("-a", index);
        if after_group { Err(bad()) } else { Ok(()) }
    }

    pub(super) fn tracing(&mut self, value: &str) -> Outcome {
        if !["p", "q", "c", "s"].contains(&value) && !CLASSES.contains(&value) {
            return Err(Fault::new(
                format!("`{value}` is no class of events"),
                format!("the classes are p, q, c, s, {}", CLASSES.join(", ")),
            ));
        }
        self.profile.tracing.push(value.to_owned());
        Ok(())
    }

    pub(super) fn event(&mut self, value: &str) -> Outcome {
        let mut letters = value.chars();
        let kind = letters.next().filter(|kind| "sfrpe".contains(*kind));
        let name = letters.as_str();
        let (Some(kind), false) = (kind, name.is_empty()) else {
            return Err(Fault::new(
                "an event is a letter and a name",
                "s at the start, f at the finish, r wait to run, p stop, e set and end",
            ));
        };
        self.profile.events.push((kind, name.to_owned()));
        Ok(())
    }

    pub(super) fn format(&mut self, value: &str) -> Outcome {
        let form = match value.strip_prefix('p') {
            Some(form) => {
                self.profile.print_only = true;
                form
            }
            None if value.is_empty() => "nothing",
            None => value,
        };
        self.profile.format = match form {
            "" | "text" => ResultFormat::Text,
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

    pub(super) fn verbose(&mut self, value: &str) -> Outcome {
        self.profile.verbose = true;
        match value {
            "" => {}
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

    pub(super) fn completion(&mut self, value: &str, index: usize) -> Outcome {
        if matches!(value, "k" | "p") {
            self.note(&options::LINUX_ENGINE, index);
            return Ok(());
        }
        self.span.completion_routines = true;
        self.rest(index, value)
    }

    pub(super) fn profile_file(&mut self, value: &str, index: usize) -> Outcome {
        if value.is_empty() {
            return Err(Fault::new("no profile is named", "as in `-Xprofile.xml`"));
        }
        let file = self.file.get_or_insert_default();
        value.clone_into(&mut file.path);
        file.word = index;
        Ok(())
    }
}

fn digits(text: &str, most: u64) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| text.parse().ok()).flatten();
    number.filter(|number| *number <= most)
}
