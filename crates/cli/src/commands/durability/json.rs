//! The verdict for programs.

use super::Verification;
use fathom_durability::{Broken, End, Harm, Judgement, Open, Promise, State};
use serde::Serialize;
use std::collections::BTreeMap;

/// Which acknowledged writes are there, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::commands) struct DurabilityDocument<'a> {
    /// The run that wrote, in hexadecimal.
    run: String,
    /// When it started, UTC.
    began: &'a str,
    /// What it wrote to.
    target: &'a str,
    /// What was read back.
    read_from: String,
    /// The worst verdict of a promise.
    verdict: &'static str,
    /// What the acknowledgement log has.
    log: VerificationDocument,
    note: Option<&'a str>,
    promises: Vec<Row<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct VerificationDocument {
    /// Writes that the storage acknowledged.
    acknowledged: u64,
    /// Time of the last entry, milliseconds after the start.
    last_ms: u64,
    /// How the log ended; null if it was cut.
    end: Option<End>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Row<'a> {
    promise: Promise,
    /// Verdict of this promise alone.
    verdict: &'static str,
    /// Why the verdict is unknown.
    why: Option<Open>,
    /// Writes that the storage acknowledged.
    acknowledged: u64,
    /// Writes that were read back.
    checked: u64,
    /// Acknowledged writes that are not there, by what is found instead.
    harmed: &'a BTreeMap<Harm, u64>,
    /// Writes that became durable before earlier ones.
    reordered: u64,
    /// Writes in flight at the loss of power that are there in part.
    torn_under_way: u64,
    /// Writes that are there and later than the log.
    beyond_log: u64,
    /// The first broken one.
    first: Option<Broken>,
}

pub(super) fn json(found: &Verification<'_>) -> String {
    let header = &found.log.header;
    // What decides the exit status.
    let worst = found.judged.iter().map(|one| one.state);
    let worst = worst.max_by_key(|state| match state {
        State::Kept => 0,
        State::CannotTell(_) => 1,
        State::Broken => 2,
    });
    let document = DurabilityDocument {
        run: format!("{:016x}", header.plan.run),
        began: &header.began,
        target: &header.target,
        read_from: found.target.to_string_lossy().into_owned(),
        verdict: word(worst.unwrap_or(State::Kept)),
        log: VerificationDocument {
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
