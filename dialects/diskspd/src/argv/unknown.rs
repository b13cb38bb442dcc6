//! Letters that are no option, and what was probably meant.

use super::Fault;
use super::table::SWITCHES;
use fathom_core::nearest::nearest;

/// Characters that web pages make of a hyphen.
pub(super) const DASHES: [char; 6] = [
    '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}',
];

pub(super) fn unknown(letter: char, value: &str) -> Fault {
    if letter == '-' {
        let name = value.split('=').next().unwrap_or(value);
        return Fault::new(
            format!("`--{name}` is no option of DISKSPD, which has no long ones"),
            "Fathom's own options come before all of DISKSPD's",
        );
    }
    if DASHES.contains(&letter) {
        return Fault::new(
            "two dashes begin no option",
            "begin options with one hyphen",
        );
    }
    let other_case = if letter.is_lowercase() {
        letter.to_ascii_uppercase()
    } else {
        letter.to_ascii_lowercase()
    };
    let letters: String = SWITCHES.iter().map(|switch| switch.letter).collect();
    let names: Vec<String> = letters.chars().map(String::from).collect();
    let wanted = other_case.to_string();
    let near = nearest(&wanted, names.iter().map(String::as_str))
        .filter(|near| *near == wanted)
        .map(|near| format!("did you mean `-{near}`? "));
    Fault::new(
        format!("`-{letter}` is no option of DISKSPD"),
        format!("{}the letters are {letters}", near.unwrap_or_default()),
    )
}
