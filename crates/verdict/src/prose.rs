//! Sentences about thresholds without their numbers: `over {STEAL_PERCENT.1} of the time`.
//!
//! A name in braces stands for the threshold of that name, with its unit; `.0` and `.1` are the
//! values of one that has two, and a word behind a colon says how it is written where the unit
//! would read badly:
//!
//! | word | of | is |
//! | --- | --- | --- |
//! | `bare` | 90 % | `90` |
//! | `count` | 1000 | `1,000` |
//! | `half` | 2 ms | `1 ms` |
//! | `one` | 1 s | `a second` |
//! | `part` | 50 % | `half` |
//! | `times` | 2 | `twice` |
//! | `word` | 3 | `three` |

use crate::threshold::Threshold;
use fathom_core::figure;

/// The sentence with its numbers. What names no threshold, or has no such form, is left as it is,
/// where a test finds it.
pub(crate) fn filled(text: &str, thresholds: &[Threshold]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((inside, behind)) = after.split_once('}') else {
            break;
        };
        out += before;
        match number(inside, thresholds) {
            Some(number) => out += &number,
            None => out.extend(["{", inside, "}"]),
        }
        rest = behind;
    }
    out + rest
}

fn number(place: &str, thresholds: &[Threshold]) -> Option<String> {
    let (place, form) = place.split_once(':').unwrap_or((place, ""));
    let (name, index) = place.split_once('.').unwrap_or((place, ""));
    let threshold = thresholds.iter().find(|one| one.name == name)?;
    if index.is_empty() && form.is_empty() {
        return Some(threshold.printed());
    }
    let index: usize = if index.is_empty() {
        0
    } else {
        index.parse().ok()?
    };
    let value = *threshold.values.get(index)?;
    let shown = |value| threshold.unit.shown(value);
    Some(match form {
        "" => shown(value),
        "half" => shown(value / 2.0),
        "bare" => {
            let text = shown(value);
            text.split(' ').next()?.to_owned()
        }
        "count" => figure::count(value as u64),
        "one" => {
            let text = shown(value);
            let unit = text.strip_prefix("1 ")?;
            let names = [("s", "a second"), ("ms", "a millisecond")];
            let (_, name) = names.iter().find(|(short, _)| *short == unit)?;
            (*name).to_owned()
        }
        "part" => of_table(value, &[(0.5, "half")])?,
        "times" => of_table(
            value,
            &[(1.0, "once"), (2.0, "twice"), (3.0, "three times")],
        )?,
        "word" => of_table(value, &NUMBERS)?,
        _ => return None,
    })
}

const NUMBERS: [(f64, &str); 10] = [
    (1.0, "one"),
    (2.0, "two"),
    (3.0, "three"),
    (4.0, "four"),
    (5.0, "five"),
    (6.0, "six"),
    (7.0, "seven"),
    (8.0, "eight"),
    (9.0, "nine"),
    (10.0, "ten"),
];

fn of_table(value: f64, table: &[(f64, &str)]) -> Option<String> {
    let same = |known: f64| (known - value).abs() < 1e-9;
    let found = table.iter().find(|(known, _)| same(*known));
    found.map(|(_, word)| (*word).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threshold::{Mark, Unit};

    const fn of(values: &'static [f64], unit: Unit) -> Threshold {
        Threshold {
            name: "T",
            what: "",
            values,
            unit,
            mark: Mark::Decided,
            source: "",
            calibrated: "",
        }
    }

    #[test]
    fn numbers_are_written_as_the_sentence_needs_them() {
        let two = of(&[0.01, 0.5], Unit::Share);
        let time = of(&[1e9], Unit::Nanoseconds);
        let count = of(&[3.0], Unit::Count);
        let many = of(&[1000.0], Unit::Count);
        let cases = [
            (two, "{T} and {T.1}", "1 % and 50 % and 50 %"),
            (two, "{T.0:bare} to {T.1:part}", "1 to half"),
            (
                time,
                "over {T:one}, or {T:half}",
                "over a second, or 500 ms",
            ),
            (count, "{T:word}, {T:times}", "three, three times"),
            (many, "{T} or {T:count}", "1000 or 1,000"),
            // What cannot be written so is seen.
            (many, "{T:word}, {U}, {T.1}, {", "{T:word}, {U}, {T.1}, {"),
        ];
        for (threshold, text, expected) in cases {
            assert_eq!(filled(text, &[threshold]), expected);
        }
    }
}
