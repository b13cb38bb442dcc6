//! What stands over volumes, as written: `+ wbcache:64MiB:200MB/s + stall:100ms/10s`.

use super::error::ExpressionError;
use crate::model::VolumeModel;
use crate::models::layers::{
    Collection, CounterLayer, Fault, Faults, FlashCache, Layer, Layered, Lie, Neighbour, ReadCache,
    Scope, Stall, StallTimes, Stalls, Wobble, WriteCache,
};
use fathom_core::{Bytes, Nanos, Op, Percent, rows};

/// One layer as written.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerText {
    /// As it would be written again.
    text: String,
    spec: Spec,
}

#[derive(Clone, Debug, PartialEq)]
enum Spec {
    WriteCache {
        bytes: u64,
        rate: f64,
        ack: Nanos,
        flushes: bool,
    },
    FlashCache {
        bytes: u64,
        rates: [f64; 3],
    },
    Stalls(StallTimes, Scope),
    Collection(Nanos, u64),
    Neighbour {
        iops: f64,
        op: Op,
        bytes: u32,
    },
    ReadCache(f64, Nanos),
    Faults(Fault, u64, Scope),
    Wobble(f64, Nanos),
    Counters(Lie),
}

/// A kind of layer.
pub(super) struct Kind {
    name: &'static str,
    /// How it is written.
    form: &'static str,
    read: fn(&mut Fields<'_>) -> Option<Spec>,
}

/// All of them.
pub(super) static KINDS: &[Kind] = rows! { Kind;
    new("wbcache", "wbcache:64MiB:200MB/s, with what it takes (20us) and `noflush`", write_cache);
    new("slc", "slc:64GiB:4GB/s:500MB/s:100MB/s (fast, slow, folding at rest)", flash_cache);
    new("stall", "stall:100ms/10s or stall:200ms@30s, with `reads` or `writes`", stalls);
    new("gc", "gc:50ms/1GiB (after this many bytes written)", collection);
    new("neighbour", "neighbour:500iops:64KiB, with `reads` or `writes`", neighbour);
    new("readcache", "readcache:30%, with the time of a hit (20us)", read_cache);
    new("fail", "fail:1/1000, with EIO, ENOSPC or a number, with `reads` or `writes`", failing);
    new("short", "short:1/1000, with `reads` or `writes`", short);
    new("lost", "lost:1/1000", lost);
    new("torn", "torn:1/1000", torn);
    new("misdirected", "misdirected:1/1000", misdirected);
    new("noise", "noise:2%, with the time that each speed lasts (1s)", wobble);
    new("counters", "counters, with shares as reads=50%, writes=0% or flushes=0%", counters);
};

impl Kind {
    const fn new(
        name: &'static str,
        form: &'static str,
        read: fn(&mut Fields<'_>) -> Option<Spec>,
    ) -> Self {
        Self { name, form, read }
    }

    /// Whether a word is its name.
    pub(super) fn is(&self, word: &str) -> bool {
        word.eq_ignore_ascii_case(self.name)
    }
}

impl LayerText {
    /// Reads what is written between two `+`; none where it names no layer.
    pub(super) fn read(text: &str, place: (usize, usize)) -> Option<Result<Self, ExpressionError>> {
        let mut words = text.split(':').map(str::trim);
        let name = words.next().unwrap_or_default().to_ascii_lowercase();
        let kind = KINDS.iter().find(|kind| kind.is(&name))?;
        let mut fields = Fields {
            left: words.collect(),
        };
        let canonical = std::iter::once(name.as_str())
            .chain(fields.left.iter().copied())
            .collect::<Vec<_>>()
            .join(":");
        let spec = (kind.read)(&mut fields).filter(|_| fields.left.is_empty());
        Some(match spec {
            Some(spec) => Ok(Self {
                text: canonical,
                spec,
            }),
            None => Err(ExpressionError::new(
                format!(
                    "`{}` is not how a layer of that name is written",
                    text.trim()
                ),
                place,
            )
            .remedy(kind.form)),
        })
    }

    /// The layer over a volume; its randomness comes from the seed.
    pub fn over(&self, below: Box<dyn VolumeModel>, seed: u64) -> Box<dyn VolumeModel> {
        Box::new(Layered::new(&self.text, self.spec.layer(seed), below))
    }
}

impl std::fmt::Display for LayerText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Spec {
    fn layer(&self, seed: u64) -> Box<dyn Layer> {
        match self {
            Self::WriteCache {
                bytes,
                rate,
                ack,
                flushes,
            } => {
                let cache = WriteCache::new(*bytes, *rate, *ack);
                Box::new(if *flushes {
                    cache
                } else {
                    cache.without_flush()
                })
            }
            Self::FlashCache {
                bytes,
                rates: [fast, slow, fold],
            } => Box::new(FlashCache::new(*bytes, *fast, *slow, *fold)),
            Self::Stalls(times, scope) => Box::new(Stalls::new(times.clone(), *scope)),
            Self::Collection(length, bytes) => Box::new(Collection::new(*length, *bytes)),
            Self::Neighbour { iops, op, bytes } => {
                Box::new(Neighbour::new(*iops, *op, *bytes, seed))
            }
            Self::ReadCache(hits, hit) => Box::new(ReadCache::new(*hits, *hit)),
            Self::Faults(fault, every, scope) => Box::new(Faults::new(*fault, *every, *scope)),
            Self::Wobble(sigma, period) => Box::new(Wobble::new(*sigma, *period, seed)),
            Self::Counters(lie) => Box::new(CounterLayer::new(*lie)),
        }
    }
}

/// What is left to read of the parts of a layer. Each is taken once, by what it looks like.
pub(super) struct Fields<'a> {
    left: Vec<&'a str>,
}

impl Fields<'_> {
    /// The first part that reads as something.
    fn take<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (index, found) = self
            .left
            .iter()
            .enumerate()
            .find_map(|(index, field)| Some((index, read(field)?)))?;
        self.left.remove(index);
        Some(found)
    }

    fn size(&mut self) -> Option<u64> {
        self.take(size)
    }

    fn rate(&mut self) -> Option<f64> {
        self.take(|field| Some(size(field.strip_suffix("/s")?)? as f64))
    }

    fn duration(&mut self) -> Option<Nanos> {
        self.take(duration)
    }

    fn share(&mut self) -> Option<f64> {
        self.take(percent)
    }

    fn word(&mut self, word: &str) -> bool {
        self.take(|field| field.eq_ignore_ascii_case(word).then_some(()))
            .is_some()
    }

    fn scope(&mut self) -> Scope {
        if self.word("reads") {
            Scope::Reads
        } else if self.word("writes") {
            Scope::Writes
        } else {
            Scope::All
        }
    }

    /// `1/1000`: one of this number.
    fn every(&mut self) -> Option<u64> {
        self.take(|field| {
            let every: u64 = field.strip_prefix("1/")?.parse().ok()?;
            (every > 0).then_some(every)
        })
    }
}

/// A size above nothing. `MB` is a million here: it is not a limit of a vendor.
fn size(field: &str) -> Option<u64> {
    let number = field.parse::<f64>().is_ok();
    let bytes: Bytes = field.parse().ok()?;
    (!number && bytes.0 > 0).then_some(bytes.0)
}

fn duration(field: &str) -> Option<Nanos> {
    let found: Nanos = field.parse().ok()?;
    (found > Nanos::ZERO).then_some(found)
}

fn percent(field: &str) -> Option<f64> {
    let found: Percent = field.strip_suffix('%').map(|_| field)?.parse().ok()?;
    Some(found.0 / 100.0)
}

/// What a write takes in a cache, and a read from one, unless it is said.
const CACHE_NS: Nanos = Nanos(20_000);

fn write_cache(fields: &mut Fields<'_>) -> Option<Spec> {
    Some(Spec::WriteCache {
        rate: fields.rate()?,
        bytes: fields.size()?,
        ack: fields.duration().unwrap_or(CACHE_NS),
        flushes: !fields.word("noflush"),
    })
}

fn flash_cache(fields: &mut Fields<'_>) -> Option<Spec> {
    Some(Spec::FlashCache {
        rates: [fields.rate()?, fields.rate()?, fields.rate().unwrap_or(0.0)],
        bytes: fields.size()?,
    })
}

fn stalls(fields: &mut Fields<'_>) -> Option<Spec> {
    let times = fields.take(|field| {
        if let Some((length, period)) = field.split_once('/') {
            let (length, period) = (duration(length)?, duration(period)?);
            return (length < period).then_some(StallTimes::Every(length, period));
        }
        let (length, at) = field.split_once('@')?;
        Some(StallTimes::Listed(vec![Stall {
            at: at.parse().ok()?,
            length: duration(length)?,
        }]))
    })?;
    Some(Spec::Stalls(times, fields.scope()))
}

fn collection(fields: &mut Fields<'_>) -> Option<Spec> {
    fields.take(|field| {
        let (length, bytes) = field.split_once('/')?;
        Some(Spec::Collection(duration(length)?, size(bytes)?))
    })
}

fn neighbour(fields: &mut Fields<'_>) -> Option<Spec> {
    let iops = fields.take(|field| {
        let iops: f64 = field.strip_suffix("iops")?.trim().parse().ok()?;
        (iops > 0.0 && iops <= 1e7).then_some(iops)
    })?;
    let bytes = fields.take(|field| u32::try_from(size(field)?).ok());
    let op = match fields.scope() {
        Scope::Reads => Op::Read,
        Scope::All | Scope::Writes => Op::Write,
    };
    Some(Spec::Neighbour {
        iops,
        op,
        bytes: bytes.unwrap_or(4096),
    })
}

fn read_cache(fields: &mut Fields<'_>) -> Option<Spec> {
    let hits = fields.share().filter(|hits| *hits <= 1.0)?;
    let hit = fields.duration().unwrap_or(CACHE_NS);
    Some(Spec::ReadCache(hits, hit))
}

/// Errors that storage gives, by name.
const ERRORS: [(&str, i32); 9] = [
    ("EIO", 5),
    ("ENXIO", 6),
    ("ENODEV", 19),
    ("ENOSPC", 28),
    ("EROFS", 30),
    ("ENODATA", 61),
    ("EILSEQ", 84),
    ("ETIMEDOUT", 110),
    ("EREMOTEIO", 121),
];

fn failing(fields: &mut Fields<'_>) -> Option<Spec> {
    let every = fields.every()?;
    let number = fields.take(|field| {
        let named = ERRORS
            .iter()
            .find(|(name, _)| field.eq_ignore_ascii_case(name));
        let number = named.map_or_else(|| field.parse().ok(), |(_, number)| Some(*number));
        // The kernel has no others.
        number.filter(|number| (1..=4095).contains(number))
    });
    let fault = Fault::Error(number.unwrap_or(ERRORS[0].1));
    Some(Spec::Faults(fault, every, fields.scope()))
}

fn short(fields: &mut Fields<'_>) -> Option<Spec> {
    Some(Spec::Faults(Fault::Short, fields.every()?, fields.scope()))
}

fn lost(fields: &mut Fields<'_>) -> Option<Spec> {
    Some(Spec::Faults(Fault::Lost, fields.every()?, Scope::Writes))
}

fn torn(fields: &mut Fields<'_>) -> Option<Spec> {
    Some(Spec::Faults(Fault::Torn, fields.every()?, Scope::Writes))
}

fn misdirected(fields: &mut Fields<'_>) -> Option<Spec> {
    let fault = Fault::Misdirected;
    Some(Spec::Faults(fault, fields.every()?, Scope::Writes))
}

fn wobble(fields: &mut Fields<'_>) -> Option<Spec> {
    let sigma = fields.share().filter(|sigma| *sigma <= 0.5)?;
    let period = fields.duration().unwrap_or(Nanos::from_secs(1));
    Some(Spec::Wobble(sigma, period))
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "one type for all readers of the table"
)]
fn counters(fields: &mut Fields<'_>) -> Option<Spec> {
    let mut of = |name: &str| fields.take(|field| percent(field.strip_prefix(name)?));
    Some(Spec::Counters(Lie {
        reads: of("reads=").unwrap_or(1.0),
        writes: of("writes=").unwrap_or(1.0),
        flushes: of("flushes=").unwrap_or(1.0),
    }))
}
