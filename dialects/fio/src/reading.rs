//! From entries to settings: every option is looked up, judged and read.

use super::lexer::Entry;
use super::option::{FioOption, OptionForm};
use super::options;
use super::settings::Settings;
use super::source::{Findings, Wrong};
use super::word::Word;
use fathom_tools::translation::Standing;
use std::sync::Arc;

/// Applies entries to settings, one after another.
pub(super) fn apply(settings: &mut Settings, entries: Vec<Entry>, findings: &mut Findings) {
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
            name: option.name,
            is_harmless: option.is_harmless(entry.value.as_deref()),
            key: entry.key,
            value: entry.value,
            place: entry.place,
            value_place: entry.value_place,
        };
        let is_empty = word.value.as_ref().is_none_or(String::is_empty);
        if option.form == OptionForm::Value && is_empty {
            let message = format!("`{}` needs a value", word.key);
            let remedy = format!("as in `{}=…`", word.key);
            findings.error(&word.place, Wrong::new(message, remedy));
            continue;
        }
        one(settings, option, word, findings);
    }
}

fn one(settings: &mut Settings, option: &FioOption, word: Word, findings: &mut Findings) {
    if option.standing == Standing::Refused && !word.is_harmless {
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
    if is_noted && !word.is_harmless {
        findings.note(option.standing, &word.what(), option.remark);
    }
    for trap in settings.traps.drain(..) {
        findings.note(trap.standing, &trap.what, trap.message);
    }
    settings.given.push(Arc::new(word));
}
