//! The verdict for programs.

use super::Found;
use fathom_durability::{Broken, End, Harm, Judgement, Open, Promise, State};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Document<'a> {
    run: String,
    began: &'a str,
    target: &'a str,
    read_from: String,
    verdict: &'static str,
    log: Told,
    note: Option<&'a str>,
    promises: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Told {
    acknowledged: u64,
    last_ms: u64,
    end: Option<End>,
}

#[derive(Serialize)]
struct Row<'a> {
    promise: Promise,
    verdict: &'static str,
    why: Option<Open>,
    acknowledged: u64,
    checked: u64,
    harmed: &'a BTreeMap<Harm, u64>,
    reordered: u64,
    torn_under_way: u64,
    beyond_log: u64,
    first: Option<Broken>,
}

pub(super) fn json(found: &Found<'_>) -> String {
    let header = &found.log.header;
    // What decides the exit status.
    let worst = found.judged.iter().map(|one| one.state);
    let worst = worst.max_by_key(|state| match state {
        State::Kept => 0,
        State::CannotTell(_) => 1,
        State::Broken => 2,
    });
    let document = Document {
        run: format!("{:016x}", header.plan.run),
        began: &header.began,
        target: &header.target,
        read_from: found.target.to_string_lossy().into_owned(),
        verdict: word(worst.unwrap_or(State::Kept)),
        log: Told {
            acknowledged: found.log.acknowledged,
            last_ms: found.log.last_ms,
            end: found.log.end,
        },
        note: found.note.as_deref(),
        promises: found.judged.iter().map(row).collect(),
    };
    // Plain data, which cannot fail.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

fn row(one: &Judgement) -> Row<'_> {
    Row {
        promise: one.promise,
        verdict: word(one.state),
        why: match one.state {
            State::CannotTell(open) => Some(open),
            State::Kept | State::Broken => None,
        },
        acknowledged: one.acknowledged,
        checked: one.checked,
        harmed: &one.harmed,
        reordered: one.reordered,
        torn_under_way: one.torn_under_way,
        beyond_log: one.beyond_log,
        first: one.first,
    }
}

const fn word(state: State) -> &'static str {
    match state {
        State::Kept => "kept",
        State::Broken => "broken",
        State::CannotTell(_) => "cannot-tell",
    }
}
