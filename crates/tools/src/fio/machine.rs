//! The words for facts of the machine: `$pagesize`, `$mb_memory`, `$ncpus`.

use crate::dialects::Surroundings;
use std::path::Path;

/// What a fact is read from, and how it is found there.
type Fact = (&'static str, &'static str, fn(&str) -> Option<u64>);

const FACTS: [Fact; 3] = [
    ("$pagesize", "/proc/self/smaps", |text| {
        Some(kilobytes(text, "KernelPageSize:")? * 1024)
    }),
    ("$mb_memory", "/proc/meminfo", |text| {
        Some(kilobytes(text, "MemTotal:")? / 1024)
    }),
    ("$ncpus", "/proc/cpuinfo", |text| {
        let processors = text.lines().filter(|line| line.starts_with("processor"));
        Some(processors.count() as u64).filter(|count| *count > 0)
    }),
];

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

/// The value with the words replaced; a fact that cannot be had stays a word, which no value is.
pub(super) fn expand(value: &str, surroundings: &dyn Surroundings) -> String {
    let mut value = value.to_owned();
    for (word, path, find) in FACTS {
        if !value.contains(word) {
            continue;
        }
        let fact = surroundings.read(Path::new(path)).ok();
        if let Some(fact) = fact.and_then(|text| find(&text)) {
            value = value.replace(word, &fact.to_string());
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Machine;

    impl Surroundings for Machine {
        fn size_bytes(&self, _: &Path) -> Option<u64> {
            None
        }

        fn read(&self, path: &Path) -> std::io::Result<String> {
            Ok(match path.to_str() {
                Some("/proc/meminfo") => "MemTotal:       16384000 kB\nMemFree: 1 kB\n",
                Some("/proc/cpuinfo") => "processor\t: 0\nmodel\t: x\nprocessor\t: 1\n",
                _ => "",
            }
            .to_owned())
        }

        fn variable(&self, _: &str) -> Option<String> {
            None
        }
    }

    #[test]
    fn facts_take_the_place_of_their_words() {
        assert_eq!(expand("(2 * $ncpus)", &Machine), "(2 * 2)");
        assert_eq!(expand("$mb_memory", &Machine), "16000");
        assert_eq!(expand("$pagesize", &Machine), "$pagesize");
        assert_eq!(expand("$jobname.$jobnum", &Machine), "$jobname.$jobnum");
    }
}
