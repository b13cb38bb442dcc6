//! A parameter: a keyword and its values.

use crate::source::{Logical, SourcePlace};
use std::ops::Range;

/// What is wrong, and what would be right.
pub(crate) type Wrong = (String, String);

/// Values that a list may have when its ranges are written out.
const MOST_VALUES: usize = 1024;

/// A keyword and its values.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// In lower case.
    pub(crate) key: String,
    /// The values, as they are written.
    values: Vec<String>,
    /// Whether they are in parentheses, where `a-b` is a range.
    is_listed: bool,
    pub(crate) place: SourcePlace,
}

pub(crate) fn parameters(line: &Logical) -> Vec<Result<Parameter, (SourcePlace, Wrong)>> {
    let parts = parts(&line.text, 0..line.text.len());
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.map(|part| parameter(line, part)).collect()
}

fn parameter(line: &Logical, part: Range<usize>) -> Result<Parameter, (SourcePlace, Wrong)> {
    let place = line.place(part.clone());
    let text = &line.text[part.clone()];
    let wrong = |message: String, remedy: &str| (place.clone(), (message, remedy.to_owned()));
    let Some((key, value)) = text.split_once('=') else {
        return Err(wrong(format!("`{text}` has no value"), "KEYWORD=VALUE"));
    };
    let key = key.to_lowercase();
    if key.chars().count() < 2 {
        let message = format!("`{key}` is no keyword");
        return Err(wrong(message, "a keyword of two letters or more"));
    }
    let (opened, closed) = (value.matches('(').count(), value.matches(')').count());
    if opened != closed {
        return Err(wrong("a parenthesis is not closed".to_owned(), "(…)"));
    }
    let list = value
        .strip_prefix('(')
        .and_then(|list| list.strip_suffix(')'));
    let values = match list {
        Some(list) => {
            let parts = parts(list, 0..list.len()).into_iter();
            parts.map(|part| list[part].to_owned()).collect()
        }
        None => vec![value.to_owned()],
    };
    Ok(Parameter {
        key,
        values,
        is_listed: list.is_some(),
        place,
    })
}

/// What stands between the commas outside of parentheses and quotes.
fn parts(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let (mut depth, mut is_quoted, mut start) = (0_usize, false, within.start);
    let mut all = Vec::new();
    for (at, c) in text[within.clone()].char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted => depth = depth.saturating_sub(1),
            ',' if !is_quoted && depth == 0 => {
                all.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(start..within.end);
    all
}

impl Parameter {
    fn wrong(&self, message: String) -> Wrong {
        (message, format!("as in {}", example(&self.key)))
    }

    /// The one value, as it is written but for its quotes.
    pub(crate) fn text(&self) -> Result<String, Wrong> {
        match self.values.as_slice() {
            [one] if !one.is_empty() => Ok(one.replace('"', "")),
            _ => Err((format!("`{}` has one value", self.key), String::new())),
        }
    }

    /// All values, as they are written but for their quotes.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.values
            .iter()
            .map(|value| value.replace('"', ""))
            .collect()
    }

    /// Names; `sd1-sd4` are four.
    pub(crate) fn names(&self) -> Result<Vec<String>, Wrong> {
        let mut names = Vec::new();
        for value in self.values.iter().filter(|value| !value.is_empty()) {
            let is_span = self.is_listed && !value.contains('"');
            match value.split_once('-').filter(|_| is_span) {
                Some((from, to)) => names.extend(self.span(from, to)?),
                None => names.push(value.replace('"', "")),
            }
            if names.len() > MOST_VALUES {
                return Err(self.too_many());
            }
        }
        if names.is_empty() {
            return Err((format!("`{}` has no name", self.key), String::new()));
        }
        Ok(names)
    }

    /// The names from one to another that differ in their last number.
    fn span(&self, from: &str, to: &str) -> Result<Vec<String>, Wrong> {
        let (stem, first) = numbered(from);
        let (other, last) = numbered(to);
        let wrong = || self.wrong(format!("`{from}-{to}` are no names in order"));
        let (Some(first), Some(last)) = (first, last) else {
            return Err(wrong());
        };
        if stem != other || first >= last {
            return Err(wrong());
        }
        if last - first >= MOST_VALUES as u64 {
            return Err(self.too_many());
        }
        Ok((first..=last)
            .map(|number| format!("{stem}{number}"))
            .collect())
    }

    fn too_many(&self) -> Wrong {
        let message = format!("`{}` has more than {MOST_VALUES} values", self.key);
        (message, "a shorter list or a larger step".to_owned())
    }

    /// Numbers; `1-64,d` doubles from 1 to 64, and `10-50,10` goes in steps.
    pub(crate) fn numbers(&self, unit: Unit) -> Result<Vec<f64>, Wrong> {
        let mut numbers: Vec<f64> = Vec::new();
        let mut values = self.values.iter().filter(|value| !value.is_empty());
        while let Some(value) = values.next() {
            let number = |text: &str| {
                let found = number(text, unit);
                found.ok_or_else(|| self.wrong(format!("`{text}` is no number for `{}`", self.key)))
            };
            let ends = value.split_once('-').filter(|_| self.is_listed);
            match ends.filter(|(from, _)| !from.is_empty()) {
                None => numbers.push(number(value)?),
                Some((from, to)) => {
                    let (from, to) = (number(from)?, number(to)?);
                    let step = values.next().map_or("", String::as_str);
                    let next: Box<dyn Fn(f64) -> f64> = match step {
                        "d" if from <= to => Box::new(|at| at * 2.0),
                        "d" => Box::new(|at| at / 2.0),
                        _ => {
                            let step = number(step)?;
                            Box::new(move |at| at + step)
                        }
                    };
                    let (mut at, is_up) = (from, from <= to);
                    while (is_up && at <= to) || (!is_up && at >= to) {
                        numbers.push(at);
                        if numbers.len() > MOST_VALUES {
                            return Err(self.too_many());
                        }
                        at = next(at);
                    }
                }
            }
            if numbers.len() > MOST_VALUES {
                return Err(self.too_many());
            }
        }
        if numbers.is_empty() {
            return Err(self.wrong(format!("`{}` has no number", self.key)));
        }
        Ok(numbers)
    }

    /// The one number.
    pub(crate) fn number(&self, unit: Unit) -> Result<f64, Wrong> {
        match self.numbers(unit)?.as_slice() {
            [one] => Ok(*one),
            _ => Err(self.wrong(format!("`{}` has one number", self.key))),
        }
    }

    /// A whole number in this range.
    pub(crate) fn whole(&self, unit: Unit, range: Range<u64>) -> Result<u64, Wrong> {
        let number = self.number(unit)?;
        whole(number)
            .filter(|number| range.contains(number))
            .ok_or_else(|| {
                let message = format!("{number} is not possible for `{}`", self.key);
                (message, format!("{} to {}", range.start, range.end - 1))
            })
    }

    /// A share in percent.
    pub(crate) fn percent(&self) -> Result<f64, Wrong> {
        let number = self.number(Unit::Bytes)?;
        if (0.0..=100.0).contains(&number) {
            return Ok(number);
        }
        Err((
            format!("{number} is not a percentage"),
            "0 to 100".to_owned(),
        ))
    }
}

/// What a letter behind a number multiplies it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Powers of 1024.
    Bytes,
    /// `m` is minutes, and `h` hours.
    Seconds,
}

fn number(text: &str, unit: Unit) -> Option<f64> {
    let lower = text.to_lowercase();
    let short = lower
        .strip_suffix('b')
        .filter(|rest| rest.ends_with(['k', 'm', 'g', 't']));
    let lower = short.unwrap_or(&lower);
    let (digits, factor) = match (lower.chars().last()?, unit) {
        ('k', _) => (&lower[..lower.len() - 1], 1024.0),
        ('m', Unit::Bytes) => (&lower[..lower.len() - 1], 1_048_576.0),
        ('m', Unit::Seconds) => (&lower[..lower.len() - 1], 60.0),
        ('h', Unit::Seconds) => (&lower[..lower.len() - 1], 3600.0),
        ('g', _) => (&lower[..lower.len() - 1], f64::from(1 << 30)),
        ('t', _) => (&lower[..lower.len() - 1], 1_099_511_627_776.0),
        _ => (lower, 1.0),
    };
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || "-.".contains(c));
    let number = digits.parse::<f64>().ok().filter(|_| is_number)?;
    Some(number * factor).filter(|number| number.is_finite())
}

/// A number without a fraction, if it is one.
pub(crate) fn whole(number: f64) -> Option<u64> {
    let is_whole = number.fract() == 0.0 && (0.0..9e15).contains(&number);
    is_whole.then_some(number as u64)
}

/// A name and the number at its end.
fn numbered(name: &str) -> (&str, Option<u64>) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem, name[stem.len()..].parse().ok())
}

fn example(key: &str) -> String {
    let value = match key {
        "sd" | "fsd" | "wd" | "fwd" => "(sd1-sd4)",
        "elapsed" => "5m",
        _ if key.starts_with("for") => "(1-64,d) or (4k,8k)",
        _ => "8, 64k or (10-50,10)",
    };
    format!("`{key}={value}`")
}
