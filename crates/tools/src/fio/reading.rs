//! From entries to settings: every option is looked up, judged and read.

use super::lexer::Entry;
use super::option::{Form, Word};
use super::options;
use super::settings::Settings;
use super::source::{Findings, Wrong};
use crate::translation::Standing;

/// Applies entries to settings, one after another.
pub(super) fn apply(settings: &mut Settings, entries: &[Entry], findings: &mut Findings) {
    for entry in entries {
        if findings.is_hopeless() {
            return;
        }
        let Some(option) = options::find(&entry.key) else {
            let message = format!("unknown option `{}`", entry.key);
            let remedy = "docs/dialects/fio.md lists all options";
            let is_advised = !findings.is_full();
            let close = is_advised.then(|| options::probably(&entry.key)).flatten();
            let wrong = Wrong::new(message, remedy).suggest(close);
            findings.error(&entry.key_place(), wrong);
            continue;
        };
        let word = Word {
            option,
            key: entry.key.clone(),
            value: entry.value.clone(),
            place: entry.place.clone(),
            value_place: entry.value_place.clone(),
        };
        let is_empty = word.value.as_ref().is_none_or(String::is_empty);
        if option.form == Form::Value && is_empty {
            let message = format!("`{}` needs a value", entry.key);
            let remedy = format!("as in `{}=…`", entry.key);
            findings.error(&entry.place, Wrong::new(message, remedy));
            continue;
        }
        one(settings, word, findings);
    }
}

fn one(settings: &mut Settings, word: Word, findings: &mut Findings) {
    let option = word.option;
    if option.standing == Standing::Refused && !word.is_harmless() {
        let message = format!("`{}` cannot be honoured: {}", word.key, option.remark);
        let wrong = Wrong {
            message,
            suggestion: None,
            remedy: Some("take it out, if a result without it is of use".to_owned()),
        };
        return findings.error(&word.place, wrong);
    }
    if let Some(set) = option.set
        && let Err(wrong) = set(settings, &word)
    {
        return findings.error(&word.value_place, wrong);
    }
    let is_noted = matches!(option.standing, Standing::Approximated | Standing::Ignored);
    if is_noted && !word.is_harmless() {
        findings.note(option.standing, &word.what(), option.remark);
    }
    for trap in settings.traps.drain(..) {
        findings.note(trap.standing, &trap.what, trap.message);
    }
    settings.given.push(word);
}
