//! The words for facts of the machine: `$pagesize`, `$mb_memory`, `$ncpus`.

use fathom_tools::dialects::Surroundings;
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

/// Nothing longer is calculated, which also bounds how deep parentheses are.
const LONGEST: usize = 100;

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

/// The value with the words replaced; an unknown fact stays a word, which no value is.
pub(super) fn expand(value: &str, surroundings: &dyn Surroundings) -> String {
    let mut value = value.to_owned();
    let mut is_replaced = false;
    for (word, path, find) in FACTS {
        if !value.contains(word) {
            continue;
        }
        let fact = surroundings.read(Path::new(path)).ok();
        if let Some(fact) = fact.and_then(|text| find(&text)) {
            value = value.replace(word, &fact.to_string());
            is_replaced = true;
        }
    }
    // fio has bc work out what has one of its words in it, and nothing else.
    let result = is_replaced.then(|| calculated(&value)).flatten();
    result.unwrap_or(value)
}

/// The result of a calculation with whole numbers, as bc has it: a quotient has no fraction. None
/// where there is nothing to calculate.
fn calculated(text: &str) -> Option<String> {
    if text.len() > LONGEST || !text.contains(['+', '-', '*', '/']) {
        return None;
    }
    let mut rest = text.trim();
    let result = sum(&mut rest)?;
    rest.is_empty().then(|| result.to_string())
}

fn sum(rest: &mut &str) -> Option<i128> {
    let mut value = product(rest)?;
    loop {
        value = match taken(rest, &['+', '-']) {
            Some('+') => value.checked_add(product(rest)?)?,
            Some(_) => value.checked_sub(product(rest)?)?,
            None => return Some(value),
        };
    }
}

fn product(rest: &mut &str) -> Option<i128> {
    let mut value = term(rest)?;
    loop {
        value = match taken(rest, &['*', '/']) {
            Some('*') => value.checked_mul(term(rest)?)?,
            Some(_) => value.checked_div(term(rest)?)?,
            None => return Some(value),
        };
    }
}

fn term(rest: &mut &str) -> Option<i128> {
    if taken(rest, &['(']).is_some() {
        let value = sum(rest)?;
        return taken(rest, &[')']).map(|_| value);
    }
    let end = rest.find(|letter: char| !letter.is_ascii_digit());
    let (digits, behind) = rest.split_at(end.unwrap_or(rest.len()));
    *rest = behind.trim_start();
    digits.parse().ok()
}

/// One of these signs, if it is next.
fn taken(rest: &mut &str, signs: &[char]) -> Option<char> {
    let sign = rest.chars().next().filter(|next| signs.contains(next))?;
    *rest = rest[sign.len_utf8()..].trim_start();
    Some(sign)
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
        assert_eq!(expand("$mb_memory", &Machine), "16000");
        assert_eq!(expand("$pagesize", &Machine), "$pagesize");
        assert_eq!(expand("$jobname.$jobnum", &Machine), "$jobname.$jobnum");
    }

    #[test]
    fn what_has_a_fact_in_it_is_calculated_in_whole_numbers() {
        for (value, result) in [
            ("(2 * $ncpus)", "4"),
            ("10*1000*$mb_memory", "160000000"),
            ("7*1024*$mb_memory/9 - 1", "12743110"),
            ("(1 + $ncpus) * ($ncpus + 3)", "15"),
            ("0-$ncpus", "-2"),
            ("1/2*$ncpus", "0"),
            // No calculation, or none that has a result.
            ("4k*2", "4k*2"),
            ("4k*$ncpus", "4k*2"),
            ("/dev/$ncpus", "/dev/2"),
            ("1/($ncpus-2)", "1/(2-2)"),
            ("2*($ncpus", "2*(2"),
        ] {
            assert_eq!(expand(value, &Machine), result, "{value}");
        }
    }
}
