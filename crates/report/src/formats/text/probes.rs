//! Short runs in addition to the phases: those with more load, and probes of the storage with our
//! own writes.

use crate::figure::{count, decimal, iops, megabytes, plural, time};
use crate::page::{Entry, Page};
use crate::table::{Align, Table};
use fathom_core::result::{
    MicroProbe, OpResult, PhaseResult, Probe, ProbeKind, ProbeRound, RunResult,
};
use fathom_verdict::stats::{Middle, OfRound};

/// A table with its heading, and what is to be said below it.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) heading: &'static str,
    pub(crate) table: Table,
    pub(crate) entries: Vec<Entry>,
}

pub(super) fn write(page: &mut Page, result: &RunResult) {
    let members = super::cluster::blocks(result).into_iter();
    for block in members.chain(blocks(result)) {
        page.heading(block.heading);
        page.table(&block.table);
        for entry in block.entries {
            page.entry(&entry.label, &entry.text);
        }
    }
}

/// All there is to show of the probes of a run.
pub(crate) fn blocks(result: &RunResult) -> Vec<Block> {
    let cliff = result.cliff.as_deref().map(super::cliff::block);
    let probes = [more_load(result), single(result), data(result), cliff];
    probes.into_iter().flatten().collect()
}

/// The probes, each below its phase.
fn more_load(result: &RunResult) -> Option<Block> {
    let mut table = Table::default();
    for (name, align) in [
        ("phase", Align::Left),
        ("short run", Align::Left),
        ("threads", Align::Right),
        ("outstanding", Align::Right),
        ("IOPS", Align::Right),
        ("MB/s", Align::Right),
        ("mean service", Align::Right),
    ] {
        table.column(name, align);
    }
    let mut any = false;
    let last = |name: &str| {
        let mut phases = result.phases.iter().rev();
        phases.find(|phase| phase.name == name)
    };
    let mut names: Vec<&str> = Vec::new();
    for probe in result.probes.iter().filter(|probe| is_beside(probe)) {
        let name = probe.of_phase.as_str();
        if !names.contains(&name) {
            names.push(name);
            if let Some(phase) = last(name) {
                table.row(load_row(name, "as measured", phase));
            }
        }
        table.row(load_row("", load_words(probe.kind), &probe.phase));
        any = true;
    }
    any.then_some(Block {
        heading: "short runs of more load",
        table,
        entries: Vec::new(),
    })
}

/// Whether it is a probe of a phase; those of the whole run, which earlier versions had here, are
/// asked otherwise.
fn is_beside(probe: &Probe) -> bool {
    !probe.of_phase.is_empty()
}

const fn load_words(kind: ProbeKind) -> &'static str {
    match kind {
        ProbeKind::Same => "the same again",
        ProbeKind::DoubleDepth => "twice outstanding",
        ProbeKind::DoubleThreads => "twice the threads",
        ProbeKind::OtherBlockSize => "other size",
        ProbeKind::Reads => "reads instead",
        ProbeKind::Ceiling => "without storage",
        _ => "other",
    }
}

fn load_row(phase: &str, words: &str, of: &PhaseResult) -> Vec<String> {
    let ops = || {
        of.jobs
            .iter()
            .flat_map(|job| job.ops.present())
            .map(|(_, one)| one)
    };
    let ios: u64 = ops().map(|one| one.ios).sum();
    let sum = |each: fn(&OpResult) -> f64| ops().map(each).sum::<f64>();
    let weighed = sum(|one| one.service_ns.mean * one.ios as f64);
    vec![
        phase.to_owned(),
        words.to_owned(),
        count(of.jobs.iter().map(|job| u64::from(job.threads)).sum()),
        count(of.jobs.iter().map(|job| job.queue_depth).sum()),
        iops(sum(|one| one.iops)),
        megabytes(sum(|one| one.bytes_per_second)),
        if ios > 0 {
            time(weighed / ios as f64)
        } else {
            String::new()
        },
    ]
}

fn find(result: &RunResult, kind: ProbeKind) -> Option<&MicroProbe> {
    result.micro_probes.iter().find(|one| one.kind == kind)
}

/// A question with the number of a round that answers it, and of all requests.
type Question = (
    ProbeKind,
    &'static str,
    OfRound,
    fn(&MicroProbe) -> Option<u64>,
);

/// One request after another.
const QUESTIONS: [Question; 6] = [
    (
        ProbeKind::Read,
        "read 4 KiB",
        ProbeRound::service,
        MicroProbe::median_ns,
    ),
    (
        ProbeKind::Write,
        "write 4 KiB",
        ProbeRound::service,
        MicroProbe::median_ns,
    ),
    (
        ProbeKind::Shifted,
        "write 4 KiB at any 512 B",
        ProbeRound::service,
        MicroProbe::median_ns,
    ),
    (
        ProbeKind::WriteFlush,
        "write 4 KiB and fdatasync",
        ProbeRound::flushed,
        MicroProbe::flushed_ns,
    ),
    (
        ProbeKind::WriteDurable,
        "write 4 KiB with O_DSYNC",
        ProbeRound::service,
        MicroProbe::median_ns,
    ),
    (
        ProbeKind::Flush,
        "fdatasync, nothing to write",
        ProbeRound::flush,
        MicroProbe::flush_median_ns,
    ),
];

fn single(result: &RunResult) -> Option<Block> {
    let mut table = Table::default();
    table.column("one at a time", Align::Left);
    table.caption("median service time");
    for name in ["all", "rounds", "×", "95 %"] {
        table.column(name, Align::Right);
    }
    let base = find(result, ProbeKind::Write);
    let mut rounds = 0;
    for (kind, words, of, all) in QUESTIONS {
        let Some(probe) = find(result, kind) else {
            continue;
        };
        rounds = rounds.max(probe.rounds.len());
        let base = base.map(|base| (base, ProbeRound::service as OfRound));
        let over = base.and_then(|base| Middle::of_ratios((probe, of), base));
        let over = over.filter(|_| kind != ProbeKind::Write);
        let [factor, factors] = over.map_or_else(Default::default, |over| {
            let from_to = format!("{}–{}", decimal(over.low, 2), decimal(over.high, 2));
            [decimal(over.estimate, 2), from_to]
        });
        table.row(vec![
            words.to_owned(),
            all(probe)
                .map(|median| time(median as f64))
                .unwrap_or_default(),
            spread(probe, of, time),
            factor,
            factors,
        ]);
    }
    (rounds > 0).then(|| Block {
        heading: "cost of a single request",
        table,
        entries: vec![Entry {
            label: "rounds".to_owned(),
            text: format!(
                "{} of each, alternating, sorted by time; ×: relative to the write of the same \
                 round, with the 95 % confidence interval of the median",
                plural(rounds as u64, "round")
            ),
        }]
        .into_iter()
        .chain(commits(result))
        .collect(),
    })
}

/// How many commits a second there can be at most, one after another.
fn commits(result: &RunResult) -> Option<Entry> {
    let flushed = find(result, ProbeKind::WriteFlush).and_then(MicroProbe::flushed_ns);
    let durable = find(result, ProbeKind::WriteDurable).and_then(MicroProbe::median_ns);
    let ways = [(flushed, "fdatasync"), (durable, "O_DSYNC")];
    let known = ways
        .into_iter()
        .filter_map(|(cost, way)| Some((cost?, way)));
    let (cost, way) = known.filter(|(cost, _)| *cost > 0).min()?;
    Some(Entry {
        label: "commits".to_owned(),
        text: format!(
            "one connection that commits 4 KiB at a time reaches {} commits per second, with {way}",
            iops(1e9 / cost as f64)
        ),
    })
}

fn data(result: &RunResult) -> Option<Block> {
    let base = find(result, ProbeKind::DataRandom)?;
    let mut table = Table::default();
    table.column("64 KiB writes, 8 outstanding", Align::Left);
    for name in ["MB/s", "rounds", "×", "95 %"] {
        table.column(name, Align::Right);
    }
    for (kind, words) in [
        (ProbeKind::DataRandom, "random data"),
        (ProbeKind::DataZeros, "zeros"),
        (ProbeKind::DataRepeated, "one repeated block"),
    ] {
        let Some(probe) = find(result, kind) else {
            continue;
        };
        let over = Middle::of_ratios((probe, ProbeRound::rate), (base, ProbeRound::rate));
        let over = over.filter(|_| kind != ProbeKind::DataRandom);
        let [factor, factors] = over.map_or_else(Default::default, |over| {
            let from_to = format!("{}–{}", decimal(over.low, 2), decimal(over.high, 2));
            [decimal(over.estimate, 2), from_to]
        });
        let middle = Middle::of_rounds(probe, ProbeRound::rate);
        table.row(vec![
            words.to_owned(),
            middle
                .map(|middle| megabytes(middle.estimate))
                .unwrap_or_default(),
            spread(probe, ProbeRound::rate, megabytes),
            factor,
            factors,
        ]);
    }
    let text = format!(
        "{} of each, alternating, sorted by speed; ×: relative to random data in the same round, \
         with the 95 % confidence interval of the median",
        plural(base.rounds.len() as u64, "round")
    );
    Some(Block {
        heading: "cost of data patterns",
        table,
        entries: vec![Entry {
            label: "rounds".to_owned(),
            text,
        }],
    })
}

/// Least and most of the rounds.
fn spread(probe: &MicroProbe, of: OfRound, words: fn(f64) -> String) -> String {
    let all = || probe.rounds.iter().filter_map(of);
    let (low, high) = (all().reduce(f64::min), all().reduce(f64::max));
    low.zip(high).map_or_else(String::new, |(low, high)| {
        format!("{}–{}", words(low), words(high))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text_options::TextOptions;
    use fathom_core::fixture::{self, JobPlan, Stream, series};
    use fathom_core::{Histogram, Op};

    /// Nine rounds with these medians, the last twice as long.
    fn asked(kind: ProbeKind, own: Option<u64>, flush: Option<u64>) -> MicroProbe {
        let all = |median: Option<u64>| {
            let mut times: Histogram = Histogram::new();
            times.record_n(median?, 100);
            Some(times.summary())
        };
        let round = |number: u32| {
            let stretch = if number == 8 { 2 } else { 1 };
            ProbeRound {
                number,
                measured_ns: 250_000_000,
                ios: 100,
                bytes_per_second: own.map_or(0.0, |own| 65_536e9 / own as f64),
                median_ns: own.map(|median| median * stretch),
                flush_median_ns: flush.map(|median| median * stretch),
            }
        };
        MicroProbe {
            kind,
            service_ns: all(own),
            flush_ns: all(flush),
            rounds: (0..9).map(round).collect(),
        }
    }

    fn probed() -> RunResult {
        let mut result = fixture::random_read();
        result.micro_probes = vec![
            asked(ProbeKind::Read, Some(100_000), None),
            asked(ProbeKind::Write, Some(20_000), None),
            asked(ProbeKind::WriteFlush, Some(20_000), Some(180_000)),
            asked(ProbeKind::Flush, None, Some(80_000)),
            asked(ProbeKind::WriteDurable, Some(50_000), None),
            asked(ProbeKind::DataRandom, Some(400_000), None),
            asked(ProbeKind::DataZeros, Some(100_000), None),
        ];
        let stream = Stream::random(Op::Read, 4096, series(70_000, 5));
        let deeper = JobPlan::closed("read", 64, vec![stream]);
        result.probes = vec![Probe {
            of_phase: "measure".to_owned(),
            kind: ProbeKind::DoubleDepth,
            phase: fixture::phase("measure-probe-depth", &[deeper]),
        }];
        result
    }

    #[test]
    fn every_number_of_the_probes_is_shown() {
        let mut page = Page::new(TextOptions::default());
        write(&mut page, &probed());
        let expected = "short runs of more load
phase    short run          threads  outstanding    \
                        IOPS   MB/s  mean service
measure  as measured              1           32  \
                        67,513  276.5        472 µs
         twice outstanding        1           \
                        64  70,224  287.6        908 µs

cost of a single request
                             \
                        median service time
one at a time                    all           rounds      \
                        ×         95 %
read 4 KiB                    100 µs    100 µs–200 µs   \
                        5.00    5.00–5.00
write 4 KiB                  20.0 µs  20.0 µs–40.0 µs
\
                        write 4 KiB and fdatasync     200 µs    200 µs–400 µs  10.00  10.00–10.00
\
                        write 4 KiB with O_DSYNC     50.0 µs   50.0 µs–100 µs   2.50    2.50–2.50
\
                        fdatasync, nothing to write  80.0 µs   80.0 µs–160 µs   4.00    4.00–4.00
\
                        rounds      9 rounds of each, alternating, sorted by time; ×: relative to \
                        the write of the same
            round, with the 95 % confidence interval of the median
\
                        commits     one connection that commits 4 KiB at a time reaches 20,000 \
                        commits per second, with
            O_DSYNC

cost of data patterns
64 KiB writes, 8 \
                        outstanding   MB/s       rounds     ×       95 %
random data                   \
                        163.8  163.8–163.8
zeros                         655.4  655.4–655.4  4.00  \
                        4.00–4.00
rounds      9 rounds of each, alternating, sorted by speed; ×: relative to \
                        random data in the same
            round, with the 95 % confidence interval of the median
";
        assert_eq!(page.finish(), expected);
    }

    #[test]
    fn a_run_without_probes_shows_none() {
        let mut page = Page::new(TextOptions::default());
        write(&mut page, &fixture::random_read());
        assert_eq!(page.finish(), "");
    }
}
