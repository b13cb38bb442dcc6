//! From lines to what they say.

use super::icf::{Access, At, Icf, Spec, Worker};
use super::keys::{self, ACCESS, END_OF_DISPLAY, SPEC_HEADER};
use super::lines::{IcfLine, IcfLines, key};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::faults::Faults;

/// Most workers, targets and lines that a file may have: beyond, somebody made a mistake.
const MANY: usize = 4096;

/// Reads a file.
pub(super) fn parse(lines: &mut IcfLines<'_>) -> Result<Icf, Vec<Diagnostic>> {
    let first = lines.next();
    let version = first.as_ref().and_then(|line| {
        let (word, version) = line.text.split_once(char::is_whitespace)?;
        word.eq_ignore_ascii_case("version").then(|| version.trim())
    });
    let year = version.and_then(|version| version.split('.').next()?.trim().parse().ok());
    let wrong = match (version, year) {
        (None, _) => Some((
            "this is not a configuration file of Iometer",
            "its first line is `Version` and a version, as in `Version 1.1.0`",
        )),
        (_, Some(1000..2000)) => Some((
            "files of Iometer before 2000 are not supported by Fathom",
            "save it with a later Iometer, as in `Version 1.1.0`",
        )),
        _ => None,
    };
    if let Some((message, remedy)) = wrong {
        let place = first.map_or(0..0, |line| line.place);
        return Err(vec![lines.error(place, message, remedy)]);
    }
    let mut parser = Parser {
        lines,
        icf: Icf::default(),
        errors: Faults::default(),
        display: false,
    };
    while let Some(line) = parser.lines.next() {
        if let Some(key) = key(line.text) {
            parser.key(&line, &key);
        }
    }
    if parser.errors.is_empty() {
        Ok(parser.icf)
    } else {
        Err(parser.errors.into_vec())
    }
}

/// Reads what follows the keys.
pub(super) struct Parser<'p, 'a> {
    pub(super) lines: &'p mut IcfLines<'a>,
    pub(super) icf: Icf,
    errors: Faults,
    /// Inside of the section about the window.
    pub(super) display: bool,
}

impl Parser<'_, '_> {
    fn key(&mut self, line: &IcfLine<'_>, key: &str) {
        match keys::find(key) {
            _ if self.display && key != END_OF_DISPLAY => {}
            Some(known) => (known.read)(self, key),
            None if is_frame(line.text, key) => {}
            None => self.icf.unknown.push(line.text.to_owned()),
        }
    }

    pub(super) fn description(&mut self) {
        let lines = self.lines.all_data();
        let words: Vec<&str> = lines.iter().map(|line| line.text).collect();
        self.icf.setup.description = words.join(" ");
    }

    pub(super) fn test_type(&mut self) {
        self.icf.setup.test_type = self.lines.data().map(|line| At {
            value: line.text.to_uppercase(),
            place: line.place,
        });
    }

    pub(super) fn default_workers(&mut self) {
        let line = self.lines.data();
        self.icf.setup.default_workers = match line {
            Some(line) if line.text.eq_ignore_ascii_case("number_of_cpus") => None,
            Some(line) => self.number(&line),
            None => Some(1),
        };
    }

    pub(super) fn run_time(&mut self) {
        let Some(line) = self.lines.data() else {
            return;
        };
        let parts = line.parts();
        if parts.len() != 3 {
            let message = "the run time is not hours, minutes and seconds";
            let error = self.lines.error(line.place, message, "as in `0 10 0`");
            self.errors.push(error);
            return;
        }
        let numbers: Vec<u64> = parts.iter().filter_map(|part| self.number(part)).collect();
        if let [hours, minutes, seconds] = numbers[..] {
            let total = hours
                .saturating_mul(3600)
                .saturating_add(minutes.saturating_mul(60))
                .saturating_add(seconds);
            self.icf.setup.run_seconds = Some(At {
                value: total,
                place: line.place,
            });
        }
    }

    /// Lines of an access specification.
    pub(super) fn accesses(&mut self) {
        for line in self.lines.all_data() {
            let Some(access) = self.access(&line) else {
                continue;
            };
            if let Some(spec) = self.icf.specs.last_mut() {
                spec.lines.push(access);
            } else {
                let message = "a line of an access specification without a name before it";
                let remedy = format!("put `{SPEC_HEADER}` above it");
                let error = self.lines.error(line.place, message, &remedy);
                self.errors.push(error);
            }
        }
    }

    pub(super) fn begin_spec(&mut self, line: &IcfLine<'_>) {
        // A name may hold commas, the assignment does not.
        let (name, assignment) = match line.text.rsplit_once(',') {
            Some((name, assignment)) => (name.trim(), assignment.trim().to_uppercase()),
            None => (line.text, "NONE".to_owned()),
        };
        if name.is_empty() {
            let message = "an access specification without a name";
            let remedy = "name it before the comma, as in `OLTP,NONE`";
            let error = self.lines.error(line.place.clone(), message, remedy);
            self.errors.push(error);
        }
        let by_default = matches!(assignment.as_str(), "ALL" | "DISK" | "1" | "2");
        self.icf.specs.push(Spec {
            name: At {
                value: name.to_owned(),
                place: line.place.start..line.place.start + name.len(),
            },
            by_default,
            lines: Vec::new(),
        });
    }

    fn access(&mut self, line: &IcfLine<'_>) -> Option<Access> {
        let parts = line.parts();
        let wanted = ACCESS.len();
        if parts.len() != wanted {
            let message = match parts.len() {
                1 => format!("1 number instead of {wanted}"),
                count => format!("{count} numbers instead of {wanted}"),
            };
            let remedy = keys::access_names();
            let error = self.lines.error(line.place.clone(), message, &remedy);
            self.errors.push(error);
            return None;
        }
        let before = self.errors.len();
        let numbers: Vec<u64> = parts.iter().filter_map(|part| self.number(part)).collect();
        let shares = ACCESS.iter().zip(&parts);
        for (_, part) in shares.filter(|(column, _)| column.is_share) {
            if part.text.parse::<u64>().is_ok_and(|share| share > 100) {
                let message = format!("{} is not a share", part.text);
                let error = self
                    .lines
                    .error(part.place.clone(), message, "give 0 to 100");
                self.errors.push(error);
            }
        }
        if self.errors.len() > before {
            return None;
        }
        let mut access = Access {
            place: line.place.clone(),
            ..Access::default()
        };
        for (column, number) in ACCESS.iter().zip(numbers) {
            *(column.slot)(&mut access) = number;
        }
        access.burst = access.burst.max(1);
        Some(access)
    }

    pub(super) fn worker(&mut self) {
        let line = self.lines.data();
        let workers = &mut self.icf.workers;
        if workers.len() < MANY {
            workers.push(Worker {
                name: line.map_or_else(At::default, |line| text(&line)),
                ..Worker::default()
            });
        }
    }

    pub(super) fn worker_type(&mut self) {
        let line = self.lines.data();
        if let (Some(worker), Some(line)) = (self.icf.workers.last_mut(), line) {
            worker.network = !line.text.to_uppercase().starts_with("DISK");
        }
    }

    pub(super) fn target(&mut self) {
        let line = self.lines.data();
        if let (Some(worker), Some(line)) = (self.icf.workers.last_mut(), line)
            && worker.targets.len() < MANY
        {
            worker.targets.push(text(&line));
        }
    }

    pub(super) fn assigned(&mut self) {
        let specs: Vec<_> = self.lines.all_data().iter().map(text).collect();
        if let Some(worker) = self.icf.workers.last_mut() {
            worker.specs.extend(specs);
        }
    }

    pub(super) fn manager(&mut self) {
        if let Some(line) = self.lines.data() {
            let name = line.parts().into_iter().nth(1);
            self.icf.managers.push(text(&name.unwrap_or(line)));
        }
    }

    /// Columns of a key line, and their values in the next.
    pub(super) fn columns(&mut self, key: &str) {
        let Some(line) = self.lines.data() else {
            return;
        };
        for (name, part) in key.split(',').zip(line.parts()) {
            let column = keys::column(name.trim());
            let number = if column.is_some_and(|column| column.is_switch) {
                Some(u64::from(part.text.eq_ignore_ascii_case("enabled")))
            } else {
                self.number(&part)
            };
            if let (Some(worker), Some(value), Some(column)) =
                (self.icf.workers.last_mut(), number, column)
            {
                let place = part.place;
                (column.set)(worker, At { value, place });
            }
        }
    }

    pub(super) fn lone_number(&mut self) -> Option<u64> {
        let line = self.lines.data()?;
        self.number(&line)
    }

    fn number(&mut self, line: &IcfLine<'_>) -> Option<u64> {
        let number = line.text.parse();
        if number.is_err() {
            let message = format!("`{}` is not a number", line.text);
            let error = self
                .lines
                .error(line.place.clone(), message, "give a whole number");
            self.errors.push(error);
        }
        number.ok()
    }
}

/// Keys that only frame others.
fn is_frame(line: &str, key: &str) -> bool {
    line[1..].starts_with(char::is_whitespace)
        || key.starts_with("end ")
        || [
            "test setup",
            "access specifications",
            "manager list",
            "default target settings for worker",
            "target assignments",
        ]
        .contains(&key)
}

fn text(line: &IcfLine<'_>) -> At<String> {
    At {
        value: line.text.to_owned(),
        place: line.place.clone(),
    }
}
