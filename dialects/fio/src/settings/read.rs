//! Reads the values of options, each into its place, and keeps what was a trap.

use super::{Criterion, Directions, ENGINES, Limit, Pattern, Settings, Split};
use crate::processors::Processors;
use crate::source::Wrong;
use crate::values::{self, Amount, split_escaped};
use crate::word::Word;
use fathom_core::spec::{Distribution, HotRange, SteadyMetric};
use fathom_core::{ErrorNumbers, Nanos, Percent, Tolerated};
use fathom_tools::translation::{Note, Standing};
use std::sync::Arc;

const DIRECTIONS: &str = "read, write, trim, randread, randwrite, randtrim, rw, randrw, trimwrite, \
                          randtrimwrite";

/// The largest number of an error of Linux.
const MOST_ERROR: i32 = 4095;

/// More nodes than Linux can be built for.
const MOST_NODES: u32 = 1024;

impl Settings {
    /// A size, or a share of the target.
    pub(crate) fn amount(&mut self, word: &Word) -> Result<Amount, Wrong> {
        let read = values::size(word.text(), self.base)?;
        self.trap(word, read.trap);
        Ok(read.value)
    }

    /// A whole number between two bounds.
    pub(crate) fn number(&mut self, word: &Word, least: u64, most: u64) -> Result<u64, Wrong> {
        self.number_in(word, word.text(), least, most)
    }

    pub(crate) fn number_in(
        &mut self,
        word: &Word,
        text: &str,
        least: u64,
        most: u64,
    ) -> Result<u64, Wrong> {
        let read = values::number(text, self.base)?;
        self.trap(word, read.trap);
        if (least..=most).contains(&read.value) {
            return Ok(read.value);
        }
        let message = format!("{} is out of range", read.value);
        Err(Wrong::new(message, format!("choose {least} to {most}")))
    }

    /// A number for each direction.
    pub(crate) fn numbers(
        &mut self,
        word: &Word,
        before: [u64; 3],
        least: u64,
        most: u64,
    ) -> Result<[u64; 3], Wrong> {
        let text = values::with_commas(word.text());
        values::per_direction(&text, &before, |part| {
            self.number_in(word, part, least, most)
        })
    }

    /// A time whose bare numbers count in `bare`.
    pub(crate) fn time(&mut self, word: &Word, bare: Nanos) -> Result<Nanos, Wrong> {
        let read = values::time(word.text(), bare)?;
        self.trap(word, read.trap);
        Ok(read.value)
    }

    /// `continue_on_error=`: all kinds of errors, or one.
    pub(crate) fn goes_on(&mut self, word: &Word) -> Result<(), Wrong> {
        let known = [
            ("none", [false; 3]),
            ("0", [false; 3]),
            ("read", [true, false, false]),
            ("write", [false, true, false]),
            ("io", [true, true, false]),
            ("verify", [false, false, true]),
            ("all", [true; 3]),
            ("1", [true; 3]),
        ];
        let kinds = values::choice(word, &known)?;
        self.wishes.stop_on_error = kinds != [true; 3];
        let all = |goes_on: bool| {
            if goes_on && self.wishes.stop_on_error {
                ErrorNumbers::All
            } else {
                ErrorNumbers::default()
            }
        };
        let [reads, writes, checks] = kinds.map(all);
        self.goes_on_with = Tolerated {
            reads,
            writes,
            checks,
        };
        Ok(())
    }

    /// `ignore_error=`: the errors of reads, of writes and of checks.
    pub(crate) fn ignored_errors(&mut self, word: &Word) -> Result<(), Wrong> {
        let mut lists = word.text().split(',').map(|list| {
            let numbers = list.split(':').map(str::trim).filter(|one| !one.is_empty());
            numbers.map(error_number).collect::<Result<Vec<_>, _>>()
        });
        let mut next = || lists.next().unwrap_or_else(|| Ok(Vec::new()));
        self.ignores = Tolerated {
            reads: ErrorNumbers::These(next()?),
            writes: ErrorNumbers::These(next()?),
            checks: ErrorNumbers::These(next()?),
        };
        if lists.next().is_some() {
            let message = format!("`{}` has more than three parts", word.text());
            let remedy = "one each for reads, writes and checks, as in EIO,ENOSPC:122,84";
            return Err(Wrong::new(message, remedy));
        }
        Ok(())
    }

    /// `startdelay=`.
    pub(crate) fn delay(&mut self, word: &Word) -> Result<(), Wrong> {
        let (first, range) = match word.text().split_once(['-', ':']) {
            Some((first, _)) => (first, true),
            None => (word.text(), false),
        };
        self.start_delay = values::time(first, Nanos::from_secs(1))?.value;
        if range {
            let message = format!("the lower end, {}, in each run", self.start_delay);
            let note = Note::new(Standing::Approximated, word.what(), message);
            self.traps.push(note);
        }
        Ok(())
    }

    /// `rw=`.
    pub(crate) fn pattern(&mut self, word: &Word) -> Result<(), Wrong> {
        let (name, step) = match word.text().split_once(':') {
            Some((name, step)) => (name.trim(), Some(step)),
            None => (word.text().trim(), None),
        };
        let (random, directions) = match name {
            "read" => (false, Directions::Reads),
            "write" => (false, Directions::Writes),
            "trim" => (false, Directions::Trims),
            "randread" => (true, Directions::Reads),
            "randwrite" => (true, Directions::Writes),
            "randtrim" => (true, Directions::Trims),
            "rw" | "readwrite" => (false, Directions::Both),
            "randrw" => (true, Directions::Both),
            "trimwrite" => (false, Directions::TrimsAndWrites),
            "randtrimwrite" => (true, Directions::TrimsAndWrites),
            other => {
                let nearest = fathom_core::nearest::nearest(other, DIRECTIONS.split(", "));
                let message = format!("`{other}` is not a direction");
                return Err(Wrong::new(message, format!("one of {DIRECTIONS}")).suggest(nearest));
            }
        };
        self.pattern = Pattern { random, directions };
        self.pattern_step = match step {
            None => None,
            Some(text) if text.trim_start().starts_with('-') => {
                let message = format!(
                    "a step of `{}` goes backwards, which is not supported by Fathom",
                    text.trim()
                );
                return Err(Wrong::new(message, "a positive step, as in rw=read:8k"));
            }
            Some(text) => Some(self.number_in(word, text, 0, 1 << 40)?),
        };
        Ok(())
    }

    /// `bssplit=`.
    pub(crate) fn split(&mut self, word: &Word) -> Result<(), Wrong> {
        let text = word.text().to_owned();
        let before = self.block_split.clone();
        self.block_split = values::per_direction(&text, &before, |part| {
            let mut split = Split::new();
            for entry in part.split(':') {
                let (size, share) = match entry.split_once('/') {
                    Some((size, share)) if !share.trim().is_empty() => {
                        (size, Some(values::percent(share)?))
                    }
                    Some((size, _)) => (size, None),
                    None => (entry, None),
                };
                split.push((self.number_in(word, size, 1, 1 << 30)?, share));
            }
            let sum: f64 = split.iter().filter_map(|(_, share)| *share).sum();
            if sum > 100.0 {
                let message = format!("the shares come to {sum} %");
                return Err(Wrong::new(message, "make them come to 100"));
            }
            Ok(split)
        })?;
        Ok(())
    }

    /// `random_distribution=`.
    pub(crate) fn distribution(&mut self, word: &Word) -> Result<(), Wrong> {
        let text = word.text().trim().to_owned();
        let (kind, rest) = match text.split_once(':') {
            Some((kind, rest)) => (kind, Some(rest)),
            None => (text.as_str(), None),
        };
        if kind == "zoned" {
            let before = self.spots.clone();
            self.spots = values::per_direction(rest.unwrap_or_default(), &before, zones)?;
            return Ok(());
        }
        let number = |default: f64| rest.map_or(Ok(default), number_without_center);
        let distribution = match kind {
            "random" => Distribution::Uniform,
            "zipf" => Distribution::Zipf {
                theta: number(1.1)?,
            },
            "pareto" => Distribution::Pareto { h: number(0.2)? },
            "normal" | "gauss" => Distribution::Normal {
                deviation: Percent(number(0.0)?),
            },
            "zoned_abs" => {
                let message = "`zoned_abs` is not supported by Fathom";
                return Err(Wrong::new(message, "random_distribution=zoned"));
            }
            other => {
                let known = ["random", "zipf", "pareto", "normal", "zoned"];
                let nearest = fathom_core::nearest::nearest(other, known);
                let message = format!("`{other}` is not a distribution");
                let remedy = format!("one of {}", known.join(", "));
                return Err(Wrong::new(message, remedy).suggest(nearest));
            }
        };
        self.spots = [(); 3].map(|()| distribution.clone());
        Ok(())
    }

    /// `log_unix_epoch=`.
    pub(crate) fn epoch(&mut self, word: &Word) -> Result<(), Wrong> {
        self.logs.epoch = values::yes(word)?;
        Ok(())
    }

    /// `ioengine=`.
    pub(crate) fn engine(&mut self, word: &Word) -> Result<(), Wrong> {
        let name = word.text().trim();
        if let Some((_, engine)) = ENGINES.iter().find(|(known, _)| *known == name) {
            self.engine = *engine;
            if name == "splice" {
                let message = "requests are read and written; fio moves their pages through a pipe";
                let note = Note::new(Standing::Approximated, word.what(), message);
                self.traps.push(note);
            }
            return Ok(());
        }
        let known = [
            "psync",
            "sync",
            "mmap",
            "libaio",
            "io_uring",
            "io_uring_cmd",
            "posixaio",
            "null",
        ];
        let nearest = fathom_core::nearest::nearest(name, known);
        let message = format!("Fathom has no engine that does what `{name}` does");
        let remedy = format!("one of {}, pvsync2", known.join(", "));
        Err(Wrong::new(message, remedy).suggest(nearest))
    }

    /// `steadystate=`.
    pub(crate) fn criterion(&mut self, word: &Word) -> Result<(), Wrong> {
        let wrong = || {
            let message = format!("`{}` is not a criterion", word.text());
            Wrong::new(
                message,
                "a metric and its limit, as in iops_slope:2.5% or iops:100",
            )
        };
        let (metric, limit) = word.text().trim().split_once(':').ok_or_else(wrong)?;
        let (metric, slope) = match metric {
            "iops" => (SteadyMetric::Iops, false),
            "iops_slope" => (SteadyMetric::Iops, true),
            "bw" => (SteadyMetric::Throughput, false),
            "bw_slope" => (SteadyMetric::Throughput, true),
            "lat" => (SteadyMetric::ServiceTime, false),
            "lat_slope" => (SteadyMetric::ServiceTime, true),
            _ => return Err(wrong()),
        };
        let limit = match (limit.strip_suffix('%'), metric) {
            (Some(percent), _) => Limit::Percent(values::percent(percent)?),
            (None, SteadyMetric::Iops) => Limit::Most(values::decimal(limit)?),
            (None, SteadyMetric::Throughput) => {
                let bytes = values::plain_bytes(limit).ok_or_else(wrong)?;
                Limit::Most(bytes as f64)
            }
            (None, SteadyMetric::ServiceTime) => {
                let message = format!("a limit of `{limit}` is not a share of the mean");
                return Err(Wrong::new(message, "give it in percent, as in lat:10%"));
            }
        };
        self.steady = Some(Criterion {
            metric,
            slope,
            limit,
        });
        Ok(())
    }

    /// `cpus_allowed=`.
    pub(crate) fn processors(&mut self, word: &Word) -> Result<(), Wrong> {
        self.processors = Some(processors(word)?);
        Ok(())
    }

    /// `numa_cpu_nodes=`: which processors these are, only the machine knows.
    pub(crate) fn nodes(&mut self, word: &Word) -> Result<(), Wrong> {
        let nodes = processors(word)?.list();
        if nodes.last().is_some_and(|last| *last >= MOST_NODES) {
            let message = format!("`{}` names nodes that no machine has", word.text());
            return Err(Wrong::new(message, format!("0 to {}", MOST_NODES - 1)));
        }
        self.nodes = nodes;
        self.processors = None;
        Ok(())
    }

    /// `cpumask=`.
    pub(crate) fn mask(&mut self, word: &Word) -> Result<(), Wrong> {
        self.processors = Some(Processors::of_mask(self.number(word, 1, u64::MAX)?));
        Ok(())
    }

    /// `percentile_list=`.
    pub(crate) fn percentiles(&mut self, word: &Word) -> Result<(), Wrong> {
        let parts = word.text().split([':', ',']);
        let mut list = parts.map(values::percent).collect::<Result<Vec<_>, _>>()?;
        if list.len() > 20 {
            return Err(Wrong::new("more than 20 percentiles", "name 20 at most"));
        }
        let decimals = |part: &str| {
            let behind = part.split_once('.').map_or("", |(_, behind)| behind);
            behind.bytes().take_while(u8::is_ascii_digit).count()
        };
        let decimals = word.text().split([':', ',']).map(decimals).max();
        list.sort_by(f64::total_cmp);
        self.wanted.percentiles = list;
        self.wanted.percentile_decimals = decimals.unwrap_or(0);
        Ok(())
    }

    /// A list of names, whose colons are escaped.
    pub(crate) fn names(word: &Word) -> Result<Vec<String>, Wrong> {
        let names = split_escaped(word.text());
        if names.is_empty() {
            return Err(Wrong::new("a name is missing", "a path, several with `:`"));
        }
        Ok(names)
    }
}

/// Shares of the requests and of the size, of one direction.
fn zones(text: &str) -> Result<Distribution, Wrong> {
    // A list may end with a colon.
    let zones: Vec<&str> = text.split(':').collect();
    let zones = zones.strip_suffix(&[""]).unwrap_or(&zones);
    let mut hot = Vec::new();
    for zone in zones {
        let (ios, of) = zone.split_once('/').unwrap_or((zone, ""));
        let of = if of.trim().is_empty() {
            0.0
        } else {
            values::percent(of)?
        };
        hot.push((values::percent(ios)?, of));
    }
    // Those without a share of the size have what is left of it, as with fio.
    let unsaid = hot.iter().filter(|(_, of)| *of <= 0.0).count();
    let said: f64 = hot.iter().map(|(_, of)| of).sum();
    let left = ((100.0 - said) / unsaid as f64).max(0.0);
    let ranges = hot.into_iter().map(|(ios, of)| HotRange {
        ios: Percent(ios),
        of: Percent(if of > 0.0 { of } else { left }),
    });
    Ok(Distribution::Hot {
        ranges: ranges.collect(),
    })
}

fn number_without_center(text: &str) -> Result<f64, Wrong> {
    if let Some((_, center)) = text.split_once(':') {
        let message = format!("a center of `{center}` cannot be honoured");
        let remedy = "without it; Fathom scatters zipf and pareto, and centers normal";
        return Err(Wrong::new(message, remedy));
    }
    values::decimal(text)
}

/// The errors of Linux that fio has names for, which are those of the standard library of C up to
/// the first that not every system has.
const ERRORS: [&str; 34] = [
    "EPERM", "ENOENT", "ESRCH", "EINTR", "EIO", "ENXIO", "E2BIG", "ENOEXEC", "EBADF", "ECHILD",
    "EAGAIN", "ENOMEM", "EACCES", "EFAULT", "ENOTBLK", "EBUSY", "EEXIST", "EXDEV", "ENODEV",
    "ENOTDIR", "EISDIR", "EINVAL", "ENFILE", "EMFILE", "ENOTTY", "ETXTBSY", "EFBIG", "ENOSPC",
    "ESPIPE", "EROFS", "EMLINK", "EPIPE", "EDOM", "ERANGE",
];

/// The number of an error, by that or by its name.
fn error_number(text: &str) -> Result<i32, Wrong> {
    let by_name = || ERRORS.iter().position(|name| *name == text);
    let number = text
        .parse()
        .ok()
        .or_else(|| by_name().map(|place| place as i32 + 1));
    number
        .filter(|number| (1..=MOST_ERROR).contains(number))
        .ok_or_else(|| {
            let message = format!("`{text}` is no error that has a name here");
            Wrong::new(
                message,
                "its number, as in 84 for a block that is not what was written",
            )
        })
}

/// A list of numbers of processors or nodes, in order.
fn processors(word: &Word) -> Result<Arc<Processors>, Wrong> {
    let found = Processors::of(word.text()).ok_or_else(|| {
        let message = format!("`{}` is not a list of processors", word.text());
        Wrong::new(message, "numbers and ranges, as in 0-3,6")
    })?;
    Ok(Processors::together(vec![found]))
}
