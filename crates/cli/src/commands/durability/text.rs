//! The verdict for a person.

use super::Verification;
use crate::table::Table;
use fathom_core::figure;
use fathom_durability::{End, Harm, Judgement, Open, State};
use std::fmt::Write as _;

pub(super) fn text(found: &Verification<'_>) -> String {
    let header = &found.log.header;
    let mut text = format!(
        "run {:016x} of {} on {}: {} acknowledged in {}\n",
        header.plan.run,
        header.began,
        header.target,
        figure::count(found.log.acknowledged),
        figure::duration(found.log.last_ms * 1_000_000),
    );
    if found.target.to_string_lossy() != header.target {
        let _ = writeln!(text, "read from {}", found.target.display());
    }
    if let Some(note) = &found.note {
        let _ = writeln!(text, "note: {note}");
    }
    if found.log.end == Some(End::Failed) {
        text.push_str("note: the writer ended since a write failed\n");
    }
    let mut heads = vec!["VERDICT", "PROMISE", ">ACKNOWLEDGED", ">CHECKED"];
    let harms = Harm::ALL.map(|harm| format!(">{}", harm.word().to_uppercase()));
    let is_seen = |harm: &Harm| {
        let is_usual = matches!(harm, Harm::Lost | Harm::Torn | Harm::Stale);
        is_usual || found.judged.iter().any(|one| one.harmed.contains_key(harm))
    };
    let shown: Vec<Harm> = Harm::ALL.into_iter().filter(is_seen).collect();
    heads.extend(shown.iter().map(|harm| harms[*harm as usize].as_str()));
    heads.push(">REORDERED");
    let mut table = Table::new(&heads);
    for one in &found.judged {
        let counts = shown.iter().map(|harm| one.harmed.get(harm).copied());
        let counts = counts.map(|count| figure::count(count.unwrap_or(0)));
        let mut cells = vec![
            verdict(one.state).to_owned(),
            one.promise.to_string(),
            figure::count(one.acknowledged),
            figure::count(one.checked),
        ];
        cells.extend(counts);
        cells.push(figure::count(one.reordered));
        table.row(cells);
    }
    let _ = write!(text, "{table}");
    for one in &found.judged {
        sentences(one, &mut text);
    }
    text
}

/// The word that stands first.
pub(super) const fn verdict(state: State) -> &'static str {
    match state {
        State::Kept => "KEPT",
        State::Broken => "BROKEN",
        State::CannotTell(_) => "CANNOT TELL",
    }
}

const fn why(open: Open) -> &'static str {
    match open {
        Open::NothingAcknowledged => {
            "nothing that it promises was acknowledged before the cut; let it write for longer"
        }
        Open::EndedByItself => {
            "the writer ended by itself; if power was cut afterwards, say --power-was-cut"
        }
        Open::SameBoot => {
            "this machine is up since before the run; if the storage alone lost power, say \
             --power-was-cut"
        }
    }
}

fn sentences(one: &Judgement, text: &mut String) {
    let promise = one.promise;
    if let Some(first) = one.first {
        let _ = writeln!(
            text,
            "{promise}: the first is step {} at offset {}: {}",
            first.sequence,
            first.offset_bytes,
            first.harm.word()
        );
    }
    if let State::CannotTell(open) = one.state {
        let _ = writeln!(text, "{promise}: {}", why(open));
    }
    if one.torn_under_way > 0 {
        let places = figure::plural(one.torn_under_way, "place");
        let _ = writeln!(
            text,
            "{promise}: {places} with a part of a write that was under way, as may be"
        );
    }
    if one.beyond_log > 0 {
        let _ = writeln!(
            text,
            "{promise}: blocks of unlogged steps were found. The log is incomplete, and writes \
             missing from it were not checked"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::durability::json::json;
    use fathom_durability::{Broken, Header, Log, Plan, Promise};
    use std::path::Path;

    fn log() -> Log {
        Log {
            header: Header {
                plan: Plan {
                    run: 0x5eed,
                    promises: vec![Promise::Flush, Promise::Fua],
                    block_bytes: 4096,
                    blocks: 16,
                    flush_every: 8,
                    base_bytes: 0,
                },
                target: "/dev/sdb".to_owned(),
                folder: None,
                boot: None,
                began: "2026-11-23T02:00:00.000Z".to_owned(),
                direct: true,
            },
            acknowledged: 1234,
            last_ms: 5000,
            end: None,
        }
    }

    fn judgement(promise: Promise, state: State) -> Judgement {
        Judgement {
            promise,
            state,
            acknowledged: 68,
            checked: 16,
            harmed: [].into(),
            reordered: 0,
            torn_under_way: 0,
            beyond_log: 0,
            first: None,
        }
    }

    fn broken() -> Judgement {
        let first = Broken {
            sequence: 17,
            offset_bytes: 40960,
            harm: Harm::Lost,
        };
        Judgement {
            harmed: [(Harm::Lost, 3), (Harm::Damaged, 1)].into(),
            reordered: 2,
            torn_under_way: 1,
            beyond_log: 8,
            first: Some(first),
            ..judgement(Promise::Fua, State::Broken)
        }
    }

    #[test]
    fn a_promise_is_a_row_and_its_first_break_a_line() {
        let log = log();
        let found = Verification {
            log: &log,
            target: Path::new("copy.img"),
            judged: vec![judgement(Promise::Flush, State::Kept), broken()],
            note: Some("through the page cache".to_owned()),
        };
        let expected = "run 0000000000005eed of 2026-11-23T02:00:00.000Z on /dev/sdb: 1,234 \
                        acknowledged in 5.0 s
read from copy.img
note: through the page cache
\
                        VERDICT  PROMISE  ACKNOWLEDGED  CHECKED  LOST  TORN  STALE  DAMAGED  \
                        REORDERED
KEPT     flush              68       16     0     0      0        \
                        0          0
BROKEN   fua                68       16     3     0      0        \
                        1          2
fua: the first is step 17 at offset 40960: lost
fua: 1 place \
                        with a part of a write that was under way, as may be
fua: blocks of \
                        unlogged steps were found. The log is incomplete, and writes missing from \
                        it were not checked
";
        assert_eq!(text(&found), expected);
    }

    #[test]
    fn what_cannot_be_told_says_why() {
        let log = log();
        let told = |open| {
            let found = Verification {
                log: &log,
                target: Path::new("/dev/sdb"),
                judged: vec![judgement(Promise::Flush, State::CannotTell(open))],
                note: None,
            };
            let text = text(&found);
            text.lines().last().unwrap().to_owned()
        };
        assert_eq!(
            told(Open::SameBoot),
            "flush: this machine is up since before the run; if the storage alone lost power, say \
             --power-was-cut"
        );
        assert_eq!(
            told(Open::EndedByItself),
            "flush: the writer ended by itself; if power was cut afterwards, say --power-was-cut"
        );
        assert_eq!(
            told(Open::NothingAcknowledged),
            "flush: nothing that it promises was acknowledged before the cut; let it write for \
             longer"
        );
    }

    #[test]
    fn programs_get_the_same_as_json() {
        let log = log();
        let found = Verification {
            log: &log,
            target: Path::new("copy.img"),
            judged: vec![
                judgement(Promise::Flush, State::CannotTell(Open::SameBoot)),
                broken(),
            ],
            note: None,
        };
        let value: serde_json::Value = serde_json::from_str(&json(&found)).unwrap();
        let expected = serde_json::json!({
            "run": "0000000000005eed",
            "began": "2026-11-23T02:00:00.000Z",
            "target": "/dev/sdb",
            "read_from": "copy.img",
            "verdict": "broken",
            "log": {"acknowledged": 1234, "last_ms": 5000, "end": null},
            "note": null,
            "promises": [
                {
                    "promise": "flush",
                    "verdict": "cannot-tell",
                    "why": "same-boot",
                    "acknowledged": 68,
                    "checked": 16,
                    "harmed": {},
                    "reordered": 0,
                    "torn_under_way": 0,
                    "beyond_log": 0,
                    "first": null,
                },
                {
                    "promise": "fua",
                    "verdict": "broken",
                    "why": null,
                    "acknowledged": 68,
                    "checked": 16,
                    "harmed": {"lost": 3, "damaged": 1},
                    "reordered": 2,
                    "torn_under_way": 1,
                    "beyond_log": 8,
                    "first": {"sequence": 17, "offset_bytes": 40960, "harm": "lost"},
                },
            ],
        });
        assert_eq!(value, expected);
    }
}
