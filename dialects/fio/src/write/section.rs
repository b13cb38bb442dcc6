//! Sections of a job file.

use std::fmt::Display;
use std::fmt::Write as _;

/// A section to be written.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) name: String,
    options: Vec<(&'static str, Option<String>)>,
}

impl Section {
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            options: Vec::new(),
        }
    }

    /// Writes `key=value`.
    pub(crate) fn put(&mut self, key: &'static str, value: impl Display) {
        self.options.push((key, Some(value.to_string())));
    }

    /// Writes a key without a value.
    pub(crate) fn flag(&mut self, key: &'static str) {
        self.options.push((key, None));
    }

    fn render(&self, text: &mut String) {
        let _ = writeln!(text, "[{}]", self.name);
        for (key, value) in &self.options {
            // Writing to a string cannot fail.
            let _ = match value {
                Some(value) => writeln!(text, "{key}={value}"),
                None => writeln!(text, "{key}"),
            };
        }
    }
}

/// The file: what all sections have in common is moved to the first, `[global]`.
pub(crate) fn render(mut global: Section, mut sections: Vec<Section>) -> String {
    if let [first, _, ..] = sections.as_slice() {
        let everywhere = |option: &&(&'static str, Option<String>)| {
            sections
                .iter()
                .all(|section| section.options.contains(option))
        };
        let common: Vec<_> = first.options.iter().filter(everywhere).cloned().collect();
        for section in &mut sections {
            section.options.retain(|option| !common.contains(option));
        }
        global.options.extend(common);
    }
    let mut text = String::new();
    global.render(&mut text);
    for section in sections {
        text.push('\n');
        section.render(&mut text);
    }
    text
}

/// Bytes as fio reads them: whole in the largest letter that fits.
pub(crate) fn size(bytes: u64) -> String {
    for (factor, letter) in [(1_u64 << 30, 'g'), (1 << 20, 'm'), (1 << 10, 'k')] {
        if bytes > 0 && bytes.is_multiple_of(factor) {
            return format!("{}{letter}", bytes / factor);
        }
    }
    bytes.to_string()
}

/// Nanoseconds as fio reads times, to the microsecond, upwards.
pub(crate) fn time(nanos: u64) -> String {
    let micros = nanos.div_ceil(1_000);
    if micros.is_multiple_of(1_000_000) {
        format!("{}s", micros / 1_000_000)
    } else if micros.is_multiple_of(1_000) {
        format!("{}ms", micros / 1_000)
    } else {
        format!("{micros}us")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_largest_unit_that_is_exact() {
        assert_eq!(
            [0, 512, 4096, 3 << 20, 1 << 40].map(size),
            ["0", "512", "4k", "3m", "1024g"]
        );
        let times = [0, 1, 1_500_000, 2_000_000, 60_000_000_000];
        assert_eq!(times.map(time), ["0s", "1us", "1500us", "2ms", "60s"]);
    }

    #[test]
    fn what_is_common_stands_once() {
        let section = |name: &str, depth: u32| {
            let mut section = Section::new(name);
            section.put("bs", "4k");
            section.put("iodepth", depth);
            section.flag("norandommap");
            section
        };
        let global = || Section::new("global");
        assert_eq!(
            render(global(), vec![section("a", 1), section("b", 2)]),
            "[global]\nbs=4k\nnorandommap\n\n[a]\niodepth=1\n\n[b]\niodepth=2\n"
        );
        assert_eq!(
            render(global(), vec![section("a", 1)]),
            "[global]\n\n[a]\nbs=4k\niodepth=1\nnorandommap\n"
        );
    }
}
