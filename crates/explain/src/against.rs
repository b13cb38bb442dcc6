//! Why two results differ: their loads side by side, differences by their effect on the number, and
//! the one experiment that decides.

use crate::decide;
use crate::evidence::{Data, Evidence};
use crate::finding::whole;
use crate::measured::measured;
use crate::waiting::waiting;
use fathom_core::SmallSort as _;
use fathom_core::figure;

/// Whether a difference can be the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explains {
    /// It moves the number in this direction, and far enough.
    Can,
    /// It moves the number in this direction, but not so far.
    Partly,
    /// It moves the number in the other direction, or hardly.
    Cannot,
    /// Without two numbers nothing can be said.
    Unknown,
}

impl Explains {
    /// In words.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Can => "can explain it",
            Self::Partly => "explains a part",
            Self::Cannot => "cannot explain it",
            Self::Unknown => "not measured",
        }
    }
}

/// A difference between two loads.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Its stable code.
    pub code: &'static str,
    /// The value of the first.
    pub first: String,
    /// The value of the second.
    pub second: String,
    /// Whether it can be the reason.
    pub explains: Explains,
    /// What it does to the number.
    pub effect: &'static str,
}

/// Two results side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contrast {
    /// The answer in one sentence.
    pub headline: String,
    /// What the two measured.
    pub measured: [String; 2],
    /// The differences, by their effect.
    pub differences: Vec<Difference>,
    /// Things that both show and that are equal.
    pub equal: Vec<&'static str>,
    /// Things that only one of them shows, or none.
    pub unknown: Vec<&'static str>,
    /// Two commands of the tool that differ in one thing.
    pub experiment: Option<[String; 2]>,
    /// The same for Fathom, without the program and with PATH for the target.
    pub fathom: Option<[String; 2]>,
}

/// What a difference can do to the number of the first over that of the second.
enum Reach {
    /// The factor lies between 1 and this, or its inverse; it can be infinite.
    To(f64),
    /// A factor of this at most in either direction.
    Around(f64),
}

/// A thing in which loads differ.
struct Factor {
    code: &'static str,
    effect: &'static str,
    /// The value in words; none if it is not shown.
    value: fn(&Evidence) -> Option<String>,
    /// What the values do to rates.
    reach: fn(&Evidence, &Evidence) -> Reach,
    /// Gives the first the value of the second.
    take: fn(&mut Evidence, &Evidence),
}

/// A flag, with a rate that is higher where it is `true`.
fn faster(a: bool, b: bool) -> Reach {
    Reach::To(match (a, b) {
        (true, false) => f64::INFINITY,
        (false, true) => 0.0,
        _ => 1.0,
    })
}

fn option(evidence: &mut Evidence, name: &str, value: Option<String>) {
    match value {
        Some(value) => evidence.load.options.insert(name.to_owned(), value),
        None => evidence.load.options.remove(name),
    };
}

/// All of them, the one with the greatest effect first.
const FACTORS: &[Factor] = &[
    Factor {
        code: "direct",
        effect: "without direct I/O the page cache answers",
        value: |one| {
            one.load
                .direct
                .map(|direct| if direct { "direct" } else { "page cache" }.to_owned())
        },
        reach: |a, b| faster(a.load.direct == Some(false), b.load.direct == Some(false)),
        take: |one, other| {
            one.load.direct = other.load.direct;
            option(
                one,
                "direct",
                other.load.direct.map(|direct| u8::from(direct).to_string()),
            );
        },
    },
    Factor {
        code: "flush",
        effect: "a flush makes each write wait until it is durable",
        value: |one| match (one.load.flush_every, one.load.flush_at_end) {
            (Some(every), _) => Some(
                format!("every {} writes", whole(every)).replace("every 1 writes", "every write"),
            ),
            (None, Some(true)) => Some("at the end".to_owned()),
            (None, _) if one.load.is_complete => Some("none".to_owned()),
            _ => None,
        },
        reach: |a, b| {
            let cost = |one: &Evidence| {
                one.load.flush_every.map_or(
                    if one.load.flush_at_end == Some(true) {
                        1e-9
                    } else {
                        0.0
                    },
                    f64::recip,
                )
            };
            let (a, b) = (cost(a), cost(b));
            faster(a < b, b < a)
        },
        take: |one, other| {
            one.load.flush_every = other.load.flush_every;
            one.load.flush_at_end = other.load.flush_at_end;
            for name in ["fsync", "fdatasync", "sync", "end_fsync"] {
                option(one, name, other.load.options.get(name).cloned());
            }
        },
    },
    Factor {
        code: "depth",
        effect: "the rate grows with the requests in flight until the device is full",
        value: |one| {
            let depth = one.total_depth()?;
            Some(match held(one) {
                Some(held) if held < depth * 0.5 => format!(
                    "{} asked, {} reached",
                    whole(depth),
                    figure::outstanding(held)
                ),
                _ => whole(depth),
            })
        },
        reach: |a, b| {
            let depth = |one: &Evidence| {
                let asked = one.total_depth().unwrap_or(1.0);
                held(one)
                    .filter(|held| *held < asked * 0.5)
                    .unwrap_or(asked)
            };
            Reach::To(depth(a) / depth(b))
        },
        take: |one, other| {
            one.load.depth = other.load.depth;
            one.load.jobs = other.load.jobs;
            option(
                one,
                "iodepth",
                other.load.depth.map(|depth| format!("{depth}")),
            );
            let jobs = other.load.jobs.filter(|jobs| *jobs > 1.0);
            option(one, "numjobs", jobs.map(|jobs| format!("{jobs}")));
        },
    },
    Factor {
        code: "pattern",
        effect: "sequential requests are merged, read ahead, and need no seeks",
        value: |one| {
            one.load
                .random
                .map(|random| if random { "random" } else { "sequential" }.to_owned())
        },
        reach: |a, b| faster(a.load.random == Some(false), b.load.random == Some(false)),
        take: |one, other| {
            one.load.random = other.load.random;
            option(one, "rw", other.load.options.get("rw").cloned());
        },
    },
    Factor {
        code: "mix",
        effect: "reads and writes cost differently, and disturb each other",
        value: |one| {
            one.load
                .read_percent
                .map(|percent| format!("{percent:.0} % reads"))
        },
        reach: |_, _| Reach::Around(50.0),
        take: |one, other| {
            one.load.read_percent = other.load.read_percent;
            for name in ["rw", "rwmixread", "rwmixwrite"] {
                option(one, name, other.load.options.get(name).cloned());
            }
        },
    },
    Factor {
        code: "block_size",
        effect: "larger requests move more bytes, and fewer of them fit in a second",
        value: |one| one.load.block.map(|block| figure::size(block as u64)),
        reach: |a, b| Reach::To(a.load.block.unwrap_or(1.0) / b.load.block.unwrap_or(1.0)),
        take: |one, other| {
            one.load.block = other.load.block;
            option(
                one,
                "bs",
                other.load.block.map(|block| format!("{block:.0}")),
            );
        },
    },
    Factor {
        code: "size",
        effect: "a small file fits in a cache of the host, the array or the drive",
        value: |one| one.load.size.map(|size| figure::size(size as u64)),
        reach: |a, b| faster(a.load.size < b.load.size, b.load.size < a.load.size),
        take: |one, other| {
            one.load.size = other.load.size;
            option(
                one,
                "size",
                other.load.size.map(|size| format!("{size:.0}")),
            );
        },
    },
    Factor {
        code: "data",
        effect: "zeros and repeats are compressed or deduplicated away",
        value: |one| {
            one.load.data.map(|data| match data {
                Data::Zeros => "zeros".to_owned(),
                Data::Compressible => "compressible".to_owned(),
                Data::Random => "random".to_owned(),
            })
        },
        reach: |a, b| {
            faster(
                a.load.data == Some(Data::Zeros),
                b.load.data == Some(Data::Zeros),
            )
        },
        take: |one, other| {
            one.load.data = other.load.data;
            for name in [
                "zero_buffers",
                "refill_buffers",
                "buffer_compress_percentage",
            ] {
                option(one, name, other.load.options.get(name).cloned());
            }
        },
    },
    Factor {
        code: "rate_limit",
        effect: "a limit of the tool holds the rate",
        value: |one| {
            Some(
                if one.load.is_limited {
                    "limited"
                } else {
                    "none"
                }
                .to_owned(),
            )
        },
        reach: |a, b| faster(!a.load.is_limited, !b.load.is_limited),
        take: |one, other| {
            one.load.is_limited = other.load.is_limited;
            for name in ["rate", "rate_iops", "thinktime"] {
                option(one, name, other.load.options.get(name).cloned());
            }
        },
    },
    Factor {
        code: "duration",
        effect: "a short run sees burst credit and write caches",
        value: |one| {
            one.seconds()
                .map(|seconds| figure::duration((seconds * 1e9) as u64))
        },
        reach: |a, b| faster(a.seconds() < b.seconds(), b.seconds() < a.seconds()),
        take: |one, other| {
            one.runtime_s = other.runtime_s;
            option(
                one,
                "runtime",
                other.seconds().map(|seconds| format!("{seconds:.0}")),
            );
        },
    },
    Factor {
        code: "engine",
        effect: "engines differ by the processor time of a request",
        value: |one| Some(one.load.engine.clone()).filter(|engine| !engine.is_empty()),
        reach: |_, _| Reach::Around(2.0),
        take: |one, other| {
            one.load.engine.clone_from(&other.load.engine);
            option(one, "ioengine", Some(other.load.engine.clone()));
        },
    },
    Factor {
        code: "target",
        effect: "another file or device is another measurement",
        value: |one| Some(one.load.target.clone()).filter(|target| !target.is_empty()),
        reach: |_, _| Reach::Around(f64::INFINITY),
        take: |one, other| {
            one.load.target.clone_from(&other.load.target);
            option(one, "filename", Some(other.load.target.clone()));
        },
    },
    Factor {
        code: "tool",
        effect: "tools define rates, latencies and percentiles differently",
        value: |one| Some(one.tool.to_owned()),
        reach: |_, _| Reach::Around(1.2),
        take: |_, _| {},
    },
    Factor {
        code: "version",
        effect: "versions print other units and definitions",
        value: |one| Some(one.version.clone()).filter(|version| !version.is_empty()),
        reach: |_, _| Reach::Around(1.1),
        take: |_, _| {},
    },
];

/// Requests in flight by Little's law; one where submission waits for the device.
fn held(evidence: &Evidence) -> Option<f64> {
    if waiting(evidence).is_some() {
        return Some(1.0);
    }
    Some(evidence.iops()? * evidence.mean_latency()? / 1e9)
}

/// Two rates that differ by less are equal.
const EQUAL: f64 = 1.05;

/// Durations and sizes that differ by less are equal.
const SIMILAR: f64 = 1.5;

/// Why the second result differs from the first.
pub fn contrast(a: &Evidence, b: &Evidence) -> Contrast {
    let mut contrast = Contrast {
        measured: [measured(a), measured(b)],
        ..Contrast::default()
    };
    let ratio = ratio(a, b);
    let mut found: Vec<(&Factor, Explains)> = Vec::new();
    for factor in FACTORS {
        let Some((first, second)) = (factor.value)(a).zip((factor.value)(b)) else {
            contrast.unknown.push(factor.code);
            continue;
        };
        if first == second || is_similar(factor.code, a, b) {
            contrast.equal.push(factor.code);
            continue;
        }
        let explains = ratio.map_or(Explains::Unknown, |(ratio, _)| {
            explains(factor, a, b, ratio)
        });
        found.push((factor, explains));
        contrast.differences.push(Difference {
            code: factor.code,
            first,
            second,
            explains,
            effect: factor.effect,
        });
    }
    // Those that can be the reason come first; within each kind the order of the table stands.
    let rank = |explains: Explains| match explains {
        Explains::Can | Explains::Unknown => 0,
        Explains::Partly => 1,
        Explains::Cannot => 2,
    };
    contrast
        .differences
        .small_sort_by_key(|difference| rank(difference.explains));
    found.small_sort_by_key(|(_, explains)| rank(*explains));
    contrast.headline = headline(&contrast.differences, ratio);
    if let Some((factor, _)) = found
        .first()
        .filter(|(_, explains)| *explains != Explains::Cannot)
    {
        let mut changed = a.clone();
        (factor.take)(&mut changed, b);
        let commands = [decide::command(a, &[]), decide::command(&changed, &[])];
        if commands[0] != commands[1] {
            contrast.experiment = Some(commands);
        }
        let fathom = [decide::fathom(a, &[]), decide::fathom(&changed, &[])];
        if fathom[0] != fathom[1] {
            contrast.fathom = Some(fathom);
        }
    }
    contrast
}

/// The rate of the first over that of the second, in requests where they have one size, else in
/// bytes, and its metric.
pub(crate) fn ratio(a: &Evidence, b: &Evidence) -> Option<(f64, &'static str)> {
    let same_block = a.load.block.is_some() && a.load.block == b.load.block;
    let by_requests = || Some((a.iops()? / b.iops()?, "IOPS"));
    let by_bytes = || Some((a.rate()? / b.rate()?, "MB/s"));
    let found = if same_block {
        by_requests().or_else(by_bytes)
    } else {
        by_bytes().or_else(by_requests)
    };
    found.filter(|(ratio, _)| ratio.is_finite() && *ratio > 0.0)
}

fn is_similar(code: &str, a: &Evidence, b: &Evidence) -> bool {
    let near = |a: Option<f64>, b: Option<f64>, most: f64| {
        a.zip(b).is_some_and(|(a, b)| a.max(b) <= a.min(b) * most)
    };
    match code {
        "duration" => near(a.seconds(), b.seconds(), SIMILAR),
        "size" => near(a.load.size, b.load.size, 1.05),
        "depth" => {
            let own = |one: &Evidence| {
                held(one).filter(|held| one.total_depth().is_some_and(|depth| *held < depth * 0.5))
            };
            own(a).is_none() == own(b).is_none() && near(a.total_depth(), b.total_depth(), 1.0)
        }
        "mix" => near(a.load.read_percent, b.load.read_percent, 1.02),
        _ => false,
    }
}

fn explains(factor: &Factor, a: &Evidence, b: &Evidence, ratio: f64) -> Explains {
    if (1.0 / EQUAL..=EQUAL).contains(&ratio) {
        return Explains::Cannot;
    }
    let (reach, ratio) = match (factor.reach)(a, b) {
        Reach::Around(most) => (most, ratio.max(1.0 / ratio)),
        // Seen from the side that should be faster.
        Reach::To(reach) if reach < 1.0 => (1.0 / reach, 1.0 / ratio),
        Reach::To(reach) => (reach, ratio),
    };
    if ratio <= 1.0 {
        Explains::Cannot
    } else if ratio <= reach * 1.25 {
        Explains::Can
    } else if reach > 1.0 + (ratio - 1.0) * 0.1 {
        Explains::Partly
    } else {
        Explains::Cannot
    }
}

fn headline(differences: &[Difference], ratio: Option<(f64, &'static str)>) -> String {
    let first = differences.first();
    let Some((ratio, of)) = ratio else {
        return match first {
            Some(one) => format!(
                "The loads differ first of all in {}: {} against {}.",
                name(one.code),
                one.first,
                one.second
            ),
            None => "The loads are the same as far as they are shown.".to_owned(),
        };
    };
    if (1.0 / EQUAL..=EQUAL).contains(&ratio) {
        return match first {
            Some(one) => format!(
                "The results agree within 5 %, although the loads differ in {}.",
                name(one.code)
            ),
            None => "The results agree within 5 %.".to_owned(),
        };
    }
    let factor = format!(
        "{}-fold difference in {of}",
        figure::significant(ratio.max(1.0 / ratio))
    );
    match first {
        Some(one) if one.explains == Explains::Can => format!(
            "The {factor} can come from {}: {} against {}; {}.",
            name(one.code),
            one.first,
            one.second,
            one.effect
        ),
        Some(one) if one.explains == Explains::Partly => format!(
            "Of the {factor} only a part can come from {} ({} against {}).",
            name(one.code),
            one.first,
            one.second
        ),
        _ => format!("Nothing that both outputs show explains the {factor}."),
    }
}

fn name(code: &str) -> String {
    match code {
        "direct" => "direct I/O".to_owned(),
        "depth" => "the queue depth".to_owned(),
        "flush" => "flushes".to_owned(),
        "mix" => "the share of reads".to_owned(),
        "size" => "the size of the file".to_owned(),
        "data" => "the data that is written".to_owned(),
        other => format!("the {}", other.replace('_', " ")),
    }
}
