//! Why slow block requests were slow: the cause in one sentence, and the tables below it.

use crate::figure::{self, count, percent, plural, time};
use crate::table::{Align, Table};
use fathom_core::Op;
use fathom_core::foreign::visible;
use fathom_core::result::blame::{
    Blame, Cause, Owner, OwnerKind, Part, PhaseBlame, Presence, Reap,
};
use std::fmt::Write as _;

/// Rows of those who were in the device.
const MOST_ROWS: usize = 8;
/// Rows of devices.
const MOST_DISKS: usize = 32;
/// Times p50 from which a percentile is worth a comparison with it.
const NOTABLE: f64 = 1.5;
/// Share of the time from which it was spent in front of the driver.
const MOST_OF: f64 = 0.5;

/// What traced requests waited for, or why it is unknown.
pub fn traced_sentence(found: &PhaseBlame) -> String {
    match (&found.blame, &found.reason) {
        (Some(blame), _) => {
            let whole = blame_sentence(blame) + &outside(blame, &found.reap);
            let left_out = left_out(blame).into_iter();
            left_out.fold(whole, |text, part| text + "; " + &part)
        }
        (None, Some(reason)) => {
            format!("cannot tell what the slowest requests waited for: {reason}")
        }
        (None, None) => "cannot tell what the slowest requests waited for".to_owned(),
    }
}

/// What traced requests waited for, in a word or two.
pub(crate) fn traced_word(found: &PhaseBlame) -> String {
    let Some(blame) = &found.blame else {
        return "unknown".to_owned();
    };
    if let Some(disk) = blame.disks.iter().find(|disk| disk.is_slow) {
        return visible(&disk.name).into_owned();
    }
    match &blame.cause {
        Cause::Throttle { .. } => "throttle".to_owned(),
        Cause::Tags { .. } => "tags".to_owned(),
        Cause::Admission { .. } => "admission".to_owned(),
        Cause::Flush { is_own: true, .. } => "own flush".to_owned(),
        Cause::Flush { owner, .. } => format!("flush of {owner}"),
        Cause::Layers { .. } => "layers".to_owned(),
        Cause::Neighbour { owner, .. } => owner.to_string(),
        Cause::Own { .. } => "own requests".to_owned(),
        Cause::None => "--".to_owned(),
    }
}

/// Requests of volumes that are in no number, as parts of a sentence.
fn left_out(blame: &Blame) -> Vec<String> {
    let reasons = blame.left_out.iter();
    let mut parts: Vec<String> = reasons
        .map(|why| format!("left out: {}", visible(why)))
        .collect();
    if blame.not_followed > 0 {
        let requests = plural(blame.not_followed, "request");
        parts.push(format!(
            "{requests} of volumes not followed to the disks, left out and perhaps the slowest"
        ));
    }
    parts
}

/// An addition where the program waited outside of the block layer for most of its time.
fn outside(blame: &Blame, reap: &[Reap]) -> String {
    let slow = reap.iter().find(|reap| reap.of == blame.slow_from);
    let most = slow.filter(|reap| reap.difference_ns() as f64 >= MOST_OF * reap.program_ns as f64);
    most.map_or_else(String::new, |reap| {
        format!(
            "; fathom saw {}, of which {} passed outside of the block layer",
            time(reap.program_ns as f64),
            time(reap.difference_ns() as f64)
        )
    })
}

/// What makes that less sure, as sentences.
pub(crate) fn phase_remarks(found: &PhaseBlame) -> Vec<String> {
    let mut remarks: Vec<String> = missing_events(&found.missing_events).into_iter().collect();
    let Some(blame) = &found.blame else {
        return remarks;
    };
    remarks.extend(blame_remarks(blame));
    if found.share_looked_at < 1.0 {
        remarks.push(format!(
            "note: {} of the requests were looked at, in spans over the whole time, to bound the \
             memory",
            part(found.share_looked_at)
        ));
    }
    remarks
}

/// The parts of the time by percentile, with what the program waited for outside of the block
/// layer, where that is known.
fn blame_parts(blame: &Blame, reap: &[Reap]) -> Table {
    let mut table = table(&["OF", ">MEAN TIME", ">SUBMIT", ">HELD", ">DEVICE"]);
    let has_layers = !blame.volumes.is_empty();
    if has_layers {
        table.column("LAYERS", Align::Right);
    }
    if !reap.is_empty() {
        table.column("REAP", Align::Right);
    }
    for part in &blame.parts {
        let mut cells = parts(part, has_layers);
        let reap = reap
            .iter()
            .find(|reap| part.of.strip_prefix('p') == Some(&reap.of));
        cells.extend(reap.map(|reap| time(reap.difference_ns() as f64)));
        table.row(cells);
    }
    table
}

/// The parts of the time, the share of each device where there are several, and who was in the
/// device.
pub fn blame_tables(blame: &Blame, reap: &[Reap]) -> Vec<Table> {
    let tables = [
        Some(blame_parts(blame, reap)),
        blame_disks(blame),
        blame_company(blame),
    ];
    tables.into_iter().flatten().collect()
}

/// The share of each device; none where there is only one.
fn blame_disks(blame: &Blame) -> Option<Table> {
    let mut table = table(&["DISK", ">OF ALL", ">OF SLOW", ">TIME OF SLOW", ">ALONE"]);
    for disk in blame.disks.iter().take(MOST_DISKS) {
        let shares = [disk.of_all, disk.of_slow, disk.time_of_slow, disk.alone];
        let mut cells = vec![visible(&disk.name).into_owned()];
        cells.extend(shares.map(part));
        table.row(cells);
    }
    (!blame.disks.is_empty()).then_some(table)
}

/// Who was in the device; none where nobody was.
fn blame_company(blame: &Blame) -> Option<Table> {
    if blame.company.is_empty() && blame.flush_of_slow == 0.0 {
        return None;
    }
    let mut table = table(&[
        "IN THE DEVICE",
        ">MEAN SIZE",
        ">AHEAD OF SLOW",
        ">OF USUAL",
        ">TIME OF SLOW",
        ">OF USUAL",
    ]);
    for presence in blame.company.iter().take(MOST_ROWS) {
        table.row(company(presence).into());
    }
    if blame.flush_of_slow > 0.0 {
        let shares = [blame.flush_of_slow, blame.flush_of_usual];
        let [slow, usual] = shares.map(|share| percent(share * 100.0));
        let empty = String::new;
        let cells = ["flushes".to_owned(), empty(), empty(), empty(), slow, usual];
        table.row(cells.into());
    }
    Some(table)
}

/// What makes it less sure, as sentences without a mark.
pub fn blame_remarks(blame: &Blame) -> Vec<String> {
    let mut remarks = Vec::new();
    if blame.devices > 1 && blame.disks.is_empty() {
        remarks.push(format!(
            "QUALIFIED: these requests went to {}, and the slowest of them may be the only cause. \
             Look at one device at a time.",
            plural(blame.devices as u64, "device")
        ));
    }
    if blame.without_times > 0 {
        let requests = plural(blame.without_times, "more request");
        let text = "without the time of its queueing or completion, left out";
        remarks.push(format!("note: {requests} {text}"));
    }
    let mark = if blame.left_out.is_empty() {
        "note"
    } else {
        "QUALIFIED"
    };
    remarks.extend(left_out(blame).iter().map(|part| format!("{mark}: {part}")));
    remarks
}

/// The remark that the kernel has not all events; none where it has.
pub fn missing_events(missing: &[String]) -> Option<String> {
    let names: Vec<_> = missing.iter().map(|name| visible(name)).collect();
    let text = "the kernel does not have these events, so parts are wrong";
    (!names.is_empty()).then(|| format!("QUALIFIED: {text}: {}", names.join(", ")))
}

/// Columns of these headings; one that begins with `>` stands at the right.
fn table(heads: &[&str]) -> Table {
    let mut table = Table::default();
    for head in heads {
        match head.strip_prefix('>') {
            Some(head) => table.column(head, Align::Right),
            None => table.column(*head, Align::Left),
        }
    }
    table
}

/// The cause, so that somebody who has not seen the numbers can repeat it.
pub fn blame_sentence(blame: &Blame) -> String {
    let whose = &blame.owner;
    let name = &blame.slow_from;
    let value = blame.time_ns.percentile(name).unwrap_or(0);
    let cause = match &blame.cause {
        Cause::Throttle { requests, of } => {
            return format!(
                "a throttle of control groups (blkio or io.max) delayed {} of {} requests, of the \
                 kind that {whose} makes; without that wait p{name} in the block layer is {}",
                count(*requests),
                count(*of),
                time(value as f64)
            );
        }
        Cause::None => nothing(blame, value),
        Cause::Tags { share, tags } => format!(
            ": {} of that time waiting for a free tag, while {} had one, the most of this capture",
            part(*share),
            plural(tags.round() as u64, "request")
        ),
        Cause::Admission {
            share,
            tags,
            most_tags,
        } => format!(
            ": {} of that time before it got a tag, with {} of up to {} in use: writeback \
             throttling, io.cost, io.latency or a frozen queue delay requests there",
            part(*share),
            count(tags.round() as u64),
            count(*most_tags)
        ),
        Cause::Flush {
            share,
            owner,
            is_own,
        } => {
            let other = (!*is_own).then(|| owner.to_string());
            let whose = other.as_deref().unwrap_or("its own");
            let share = part(*share);
            format!(": a flush of {whose} was in the device for {share} of that time")
        }
        Cause::Layers { share } => {
            let (share, volumes) = (part(*share), names(&blame.volumes));
            format!(
                ": {share} of that time in device mapper or md, between {volumes} and the disks"
            )
        }
        Cause::Neighbour {
            owner,
            op,
            ahead,
            is_large,
            ..
        } => {
            let requests = requests(*op, *ahead, *is_large);
            format!(": it waited for {requests} of {owner}")
        }
        Cause::Own { ahead, wait_share } => own(&blame.owner, *ahead, *wait_share),
    };
    let disk = slow_disk(blame);
    let cause = match (&blame.cause, cause.strip_prefix(": ")) {
        (Cause::None, _) if !disk.is_empty() => disk,
        (_, Some(rest)) if !disk.is_empty() => format!("{disk}; {rest}"),
        _ => cause,
    };
    let value = time(value as f64);
    format!("p{name} of {whose} is {value} in the block layer{cause}")
}

/// The device that slow requests waited for; empty where there is none.
fn slow_disk(blame: &Blame) -> String {
    let slow = blame.disks.iter().filter(|disk| disk.is_slow);
    let Some(disk) = slow.max_by(|one, two| one.of_slow.total_cmp(&two.of_slow)) else {
        return String::new();
    };
    let name = visible(&disk.name);
    if disk.alone >= MOST_OF {
        let alone = part(disk.alone);
        return format!(": {alone} of that time for {name} alone, after the other disks were done");
    }
    let (slow, all) = (part(disk.of_slow), part(disk.of_all));
    format!(": {slow} of the slow requests waited for {name}, which served {all} of all")
}

/// `dm-0 and dm-1`.
fn names(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| visible(name)).collect();
    names.join(" and ")
}

/// That requests of the owner itself were ahead.
fn own(owner: &Owner, ahead: f64, wait_share: f64) -> String {
    let (requests, own) = (requests(None, ahead, false), its_own(owner));
    if wait_share >= MOST_OF {
        let share = part(wait_share);
        return format!(": {share} of that time behind {requests} {own}");
    }
    format!(": {requests} {own} went to the device first")
}

/// `of its own`; several processes of a name have requests of each other's ahead.
fn its_own(owner: &Owner) -> &'static str {
    match (owner.kind, owner.pid) {
        (OwnerKind::Process, None) => "of processes of this name",
        _ => "of its own",
    }
}

/// What is said where nothing stands out, with somebody who was there more than usual.
fn nothing(blame: &Blame, value_ns: u64) -> String {
    let usual_ns = blame.time_ns.percentile("50").unwrap_or(0);
    let times = value_ns as f64 / usual_ns.max(1) as f64;
    let mut text = String::new();
    if times >= NOTABLE {
        let _ = write!(text, ", {} times p50", figure::significant(times));
    }
    text += ": nothing stands out";
    let guests = blame.company.iter().filter(|one| one.is_unusual);
    let most = guests.max_by(|one, two| one.share_of_slow.total_cmp(&two.share_of_slow));
    if let Some(most) = most {
        let (whose, share) = (&most.owner, part(most.share_of_slow));
        let _ = write!(
            text,
            "; requests of {whose} were in the device for {share} of that time"
        );
    }
    text
}

/// A mean number of requests, as `16 large writes`.
fn requests(op: Option<Op>, mean: f64, is_large: bool) -> String {
    let what = match op {
        Some(Op::Read) => "read",
        Some(Op::Write) => "write",
        Some(Op::Trim) => "discard",
        _ => "request",
    };
    let large = if is_large { "large " } else { "" };
    plural(mean.round().max(1.0) as u64, &format!("{large}{what}"))
}

fn part(share: f64) -> String {
    percent(share * 100.0)
}

fn parts(part: &Part, has_layers: bool) -> Vec<String> {
    let parts = &part.parts;
    let total = parts.total_ns().max(1) as f64;
    let share = |time_ns: u64| percent(time_ns as f64 / total * 100.0);
    let mut cells = vec![
        part.of.clone(),
        time(total / part.requests.max(1) as f64),
        share(parts.submit_ns),
        share(parts.held_ns),
        share(parts.device_ns),
    ];
    cells.extend(has_layers.then(|| share(parts.layers_ns)));
    cells
}

fn company(presence: &Presence) -> [String; 6] {
    let own = if presence.is_own {
        "its own requests"
    } else {
        ""
    };
    let who = if own.is_empty() {
        presence.owner.to_string()
    } else {
        own.to_owned()
    };
    let has_ahead = presence.ahead_of_slow > 0.0;
    let bytes = presence.mean_bytes as u64;
    [
        who,
        if has_ahead {
            figure::size(bytes)
        } else {
            String::new()
        },
        figure::decimal(presence.ahead_of_slow, 1),
        figure::decimal(presence.ahead_of_usual, 1),
        percent(presence.share_of_slow * 100.0),
        percent(presence.share_of_usual * 100.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{SuiteCell, SuiteReport};
    use fathom_core::fixture;
    use fathom_core::result::RunResult;
    use fathom_core::result::blame::{DiskShare, Parts};
    use fathom_core::summary::LatencySummary;

    fn owner(name: &str, pid: Option<i32>) -> Owner {
        Owner {
            name: name.to_owned(),
            pid,
            kind: OwnerKind::Process,
        }
    }

    fn found() -> PhaseBlame {
        let part = |of: &str, submit_ns, device_ns| Part {
            of: of.to_owned(),
            requests: 1,
            parts: Parts {
                submit_ns,
                held_ns: 0,
                device_ns,
                layers_ns: 0,
            },
        };
        let percentiles = [("50", 80_000), ("99", 4_000_000)];
        let percentiles = percentiles.map(|(name, value)| (name.to_owned(), value));
        PhaseBlame {
            blame: Some(Blame {
                owner: owner("fathom", Some(812)),
                time_ns: LatencySummary {
                    count: 2000,
                    percentiles: percentiles.into(),
                    ..LatencySummary::default()
                },
                without_times: 0,
                devices: 2,
                disks: Vec::new(),
                volumes: Vec::new(),
                not_followed: 0,
                left_out: Vec::new(),
                slow_from: "99".to_owned(),
                parts: vec![
                    part("p50", 8_000, 72_000),
                    part("p99", 0, 4_000_000),
                    part("slowest 100", 0, 3_000_000),
                ],
                company: vec![Presence {
                    owner: owner("dd", None),
                    is_own: false,
                    ahead_of_slow: 19.0,
                    ahead_of_usual: 0.0,
                    mean_bytes: 1_048_576.0,
                    share_of_slow: 0.98,
                    share_of_usual: 0.0,
                    is_unusual: true,
                }],
                flush_of_slow: 0.0,
                flush_of_usual: 0.0,
                cause: Cause::Neighbour {
                    owner: owner("dd", None),
                    op: Some(Op::Write),
                    ahead: 19.0,
                    bytes: 1_048_576.0,
                    is_large: true,
                },
            }),
            share_looked_at: 0.5,
            missing_events: vec!["block_getrq".to_owned()],
            reap: vec![Reap {
                of: "99".to_owned(),
                program_ns: 4_010_000,
                block_ns: 4_000_000,
            }],
            ..PhaseBlame::default()
        }
    }

    #[test]
    fn a_phase_has_a_sentence_remarks_and_tables() {
        let found = found();
        let sentence = "p99 of `fathom` (pid 812) is 4.00 ms in the block layer: it waited for 19 \
                        large writes of `dd`";
        assert_eq!(traced_sentence(&found), sentence);
        let remarks = [
            "QUALIFIED: the kernel does not have these events, so parts are wrong: block_getrq",
            "QUALIFIED: these requests went to 2 devices, and the slowest of them may be the only \
             cause. Look at one device at a time.",
            "note: 50.0 % of the requests were looked at, in spans over the whole time, to bound \
             the memory",
        ];
        assert_eq!(phase_remarks(&found), remarks);
        let blame = found.blame.as_ref().expect("an explanation");
        let expected = [
            "OF           MEAN TIME  SUBMIT  HELD   DEVICE     REAP",
            "p50            80.0 µs  10.0 %   0 %   90.0 %",
            "p99            4.00 ms     0 %   0 %  100.0 %  10.0 µs",
            "slowest 100    3.00 ms     0 %   0 %  100.0 %",
        ];
        assert_eq!(blame_parts(blame, &found.reap).lines(80, false), expected);
        let expected = [
            "IN THE DEVICE  MEAN SIZE  AHEAD OF SLOW  OF USUAL  TIME OF SLOW  OF USUAL",
            "`dd`               1 MiB           19.0       0.0        98.0 %       0 %",
        ];
        let company = blame_company(blame).expect("a neighbour");
        assert_eq!(company.lines(80, false), expected);
    }

    #[test]
    fn a_slow_disk_is_named_before_the_cause() {
        let mut found = found();
        let blame = found.blame.as_mut().expect("an explanation");
        let disk = |name: &str, of_all, of_slow, alone| DiskShare {
            name: name.to_owned(),
            of_all,
            of_slow,
            time_of_slow: of_slow,
            alone,
            is_slow: of_slow > 0.5,
        };
        blame.disks = vec![disk("sda", 0.5, 0.02, 0.0), disk("sdb", 0.5, 0.98, 0.0)];
        let sentence = "p99 of `fathom` (pid 812) is 4.00 ms in the block layer: 98.0 % of the \
                        slow requests waited for sdb, which served 50.0 % of all; it waited for \
                        19 large writes of `dd`";
        assert_eq!(blame_sentence(blame), sentence);
        blame.disks[1].alone = 0.9;
        blame.cause = Cause::None;
        let sentence = "p99 of `fathom` (pid 812) is 4.00 ms in the block layer: 90.0 % of that \
                        time for sdb alone, after the other disks were done";
        assert_eq!(blame_sentence(blame), sentence);
        let one = "QUALIFIED: these requests went to 2 devices, and the slowest of them may be the \
                   only cause. Look at one device at a time.";
        assert!(!blame_remarks(blame).iter().any(|remark| remark == one));
        blame.disks.clear();
        blame.volumes = vec!["dm-0".to_owned(), "md1".to_owned()];
        blame.cause = Cause::Layers { share: 0.75 };
        let sentence = "p99 of `fathom` (pid 812) is 4.00 ms in the block layer: 75.0 % of that \
                        time in device mapper or md, between dm-0 and md1 and the disks";
        assert_eq!(blame_sentence(blame), sentence);
    }

    #[test]
    fn only_some_formats_have_it() {
        let plain = fixture::random_read();
        let mut traced = plain.clone();
        traced.phases[0].blame = Some(Box::new(found()));
        let written = |result: &RunResult, format| {
            let mut bytes = Vec::new();
            crate::write(result, format, crate::TextOptions::default(), &mut bytes)
                .expect("memory");
            bytes
        };
        let names = |is_of: &dyn Fn(crate::Format) -> bool| {
            let formats = crate::formats().filter(|format| is_of(*format));
            formats.map(|format| format.name).collect::<Vec<_>>()
        };
        let differs = |format| written(&plain, format) != written(&traced, format);
        assert_eq!(names(&differs), names(&|format| format.has_blame()));
    }

    #[test]
    fn a_suite_names_it_for_each_run() {
        let plain = fixture::random_read();
        let mut traced = plain.clone();
        traced.phases[0].blame = Some(Box::new(found()));
        let cells = [("a", &plain), ("b", &traced)].map(|(label, result)| SuiteCell {
            label,
            group: 0,
            place: &[],
            results: vec![result],
        });
        let suite = SuiteReport {
            name: "both",
            description: "",
            cells: cells.into(),
            rounds: None,
        };
        let lines = crate::suite::rows(&suite).lines(200, false);
        let ends = lines.iter().map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let state = words
                .iter()
                .position(|word| ["state", "VALID"].contains(word));
            words[state.unwrap_or(0)..].join(" ")
        });
        let expected = [
            "state slowest file",
            "VALID 001-a.json",
            "VALID `dd` 002-b.json",
        ];
        assert_eq!(ends.collect::<Vec<_>>(), expected);
        let xml = crate::junit_suite("both", &[("b", &traced)]);
        let sentence = "blame: p99 of `fathom` (pid 812) is 4.00 ms in the block layer: it waited \
                        for 19 large writes of `dd`</system-out>";
        assert_eq!(xml.lines().filter(|line| *line == sentence).count(), 1);
    }

    #[test]
    fn requests_that_were_not_followed_are_counted_on_the_first_screen() {
        let mut found = found();
        let blame = found.blame.as_mut().expect("an explanation");
        blame.not_followed = 3;
        blame.left_out = vec!["the kernel does not record the disks of dm-1".to_owned()];
        let sentence = "p99 of `fathom` (pid 812) is 4.00 ms in the block layer: it waited for 19 \
                        large writes of `dd`; left out: the kernel does not record the disks of \
                        dm-1; 3 requests of volumes not followed to the disks, left out and \
                        perhaps the slowest";
        assert_eq!(traced_sentence(&found), sentence);
    }

    #[test]
    fn a_wait_outside_of_the_block_layer_is_named() {
        let mut found = found();
        found.reap[0].program_ns = 9_000_000;
        let sentence = "p99 of `fathom` (pid 812) is 4.00 ms in the block layer: it waited for 19 \
                        large writes of `dd`; fathom saw 9.00 ms, of which 5.00 ms passed outside \
                        of the block \
                        layer";
        assert_eq!(traced_sentence(&found), sentence);
    }

    #[test]
    fn what_cannot_be_told_has_its_reason() {
        let found = PhaseBlame {
            reason: Some("the kernel lost 12 events".to_owned()),
            lost_events: 12,
            ..PhaseBlame::default()
        };
        let sentence =
            "cannot tell what the slowest requests waited for: the kernel lost 12 events";
        assert_eq!(traced_sentence(&found), sentence);
        assert_eq!(phase_remarks(&found), Vec::<String>::new());
    }

    /// The lines of the first screen that begin with `blame`, and those that hang under them.
    fn first_screen(phases: usize) -> Vec<String> {
        let mut result = fixture::random_read();
        let phase = result.phases[0].clone();
        for number in 1..phases {
            let mut more = phase.clone();
            more.name = format!("phase-{number}");
            result.phases.push(more);
        }
        for phase in &mut result.phases {
            phase.blame = Some(Box::new(found()));
        }
        let options = crate::TextOptions::default();
        let text = crate::formats::brief::render(&result, options);
        let lines = text.lines().map(str::to_owned);
        let from = lines.skip_while(|line| !line.starts_with("blame"));
        from.take_while(|line| line.starts_with("blame") || line.starts_with("   "))
            .collect()
    }

    #[test]
    fn the_first_screen_has_a_sentence_for_a_phase_or_for_the_slowest() {
        let one = [
            "blame   p99 of `fathom` (pid 812) is 4.00 ms in the block layer: it waited for",
            "        19 large writes of `dd`",
        ];
        assert_eq!(first_screen(1), one);
        assert_eq!(
            first_screen(2)
                .iter()
                .filter(|line| line.starts_with("blame"))
                .count(),
            2
        );
        assert_eq!(
            first_screen(3)
                .iter()
                .filter(|line| line.starts_with("blame"))
                .count(),
            1
        );
    }
}
