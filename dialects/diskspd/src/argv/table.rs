//! The table of letters: how each is read and how it is written.
#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method of a reader of one lifetime is no function for readers of any"
)]

use super::{OptionResult, Reader};
use crate::profile::{
    Cache, Content, DEFAULT_BLOCK_BYTES, MapFlush, Order, Ranges, Target, Throttle, TimeSpan,
};
use fathom_core::SmallSort as _;

/// Reads the value after a letter, in the word of this number.
type Read = fn(&mut Reader<'_>, value: &str, index: usize) -> OptionResult;

/// Writes what the letter says of a time span and its targets, which are all alike.
type Write = fn(&TimeSpan, &Target, &mut TableWords<'_>);

/// One letter of the command line.
pub(crate) struct Switch {
    pub(super) letter: char,
    /// Whether it can be combined with a profile.
    pub(super) beside: bool,
    pub(super) read: Read,
    /// Which of the words it is that are written, and how.
    write: Option<(u8, Write)>,
}

/// Words of one letter.
struct TableWords<'a> {
    letter: char,
    list: &'a mut Vec<String>,
}

impl TableWords<'_> {
    fn put(&mut self, value: impl std::fmt::Display) {
        self.list.push(format!("-{}{value}", self.letter));
    }

    fn put_if(&mut self, said: bool, value: impl std::fmt::Display) {
        if said {
            self.put(value);
        }
    }

    fn put_some(&mut self, value: Option<impl std::fmt::Display>) {
        if let Some(value) = value {
            self.put(value);
        }
    }
}

impl Switch {
    const fn read(letter: char, read: Read) -> Self {
        Self {
            letter,
            beside: false,
            read,
            write: None,
        }
    }

    const fn beside(mut self) -> Self {
        self.beside = true;
        self
    }

    const fn written(mut self, number: u8, write: Write) -> Self {
        self.write = Some((number, write));
        self
    }
}

/// All letters, in the order in which messages name them.
pub(super) static SWITCHES: &[Switch] = &[
    // Help is for the caller.
    Switch::read('?', |_, _, _| Ok(())),
    Switch::read(':', |to, value, _| to.experiment(value)).beside(),
    Switch::read('a', |to, value, _| to.affinity(value)).written(23, |span, _, words| {
        let list = span
            .affinity
            .iter()
            .map(|(_, processor)| processor.to_string());
        let list = list.collect::<Vec<_>>().join(",");
        words.put_if(!list.is_empty(), list);
    }),
    Switch::read('B', |to, value, index| to.base(value, index)).written(2, |_, target, words| {
        words.put_if(target.base_bytes > 0, size(target.base_bytes));
    }),
    // It was read before all others.
    Switch::read('b', |_, _, _| Ok(())).written(1, |_, target, words| {
        let block = target.block_bytes;
        words.put_if(block != DEFAULT_BLOCK_BYTES, size(block));
    }),
    Switch::read('c', |to, value, _| to.create(value)).written(0, |_, target, words| {
        words.put_some(target.file_bytes.map(size));
    }),
    Switch::read('C', |to, value, index| to.cool_down(value, index))
        .beside()
        .written(20, |span, _, words| {
            words.put_if(span.cool_down_s > 0, span.cool_down_s);
        }),
    Switch::read('d', |to, value, index| to.duration(value, index))
        .beside()
        .written(18, |span, _, words| words.put(span.duration_s)),
    Switch::read('D', |to, value, _| to.bucket(value)).written(24, |span, _, words| {
        words.put_some(span.iops_bucket_ms);
    }),
    Switch::read('e', |to, value, index| to.tracing(value, index)),
    Switch::read('f', |to, value, index| to.max_or_hints(value, index)).written(
        3,
        |_, target, words| {
            words.put_some(target.max_bytes.map(size));
        },
    ),
    Switch::read('F', |to, value, index| to.pool(value, index)).written(12, |span, _, words| {
        words.put_if(span.threads > 0, span.threads);
    }),
    Switch::read('g', |to, value, index| to.rate(value, index)).written(15, |_, target, words| {
        match target.throttle {
            None => {}
            Some(Throttle::BytesPerMs(rate)) => words.put(rate),
            Some(Throttle::Iops(rate)) => words.put(format_args!("{rate}i")),
        }
    }),
    Switch::read('h', |to, value, index| to.uncached_through(value, index)),
    Switch::read('i', |to, value, index| to.burst(value, index)).written(16, |_, target, words| {
        words.put_some(target.burst.filter(|_| target.think_ms.is_some()));
    }),
    Switch::read('I', |to, value, index| to.priority(value, index)).written(
        17,
        |_, target, words| {
            words.put_if(target.priority < 3, target.priority);
        },
    ),
    Switch::read('j', |to, value, index| to.think(value, index)).written(17, |_, target, words| {
        words.put_some(target.think_ms.filter(|_| target.burst.is_some()));
    }),
    Switch::read('l', |to, value, index| {
        to.target.large_pages = true;
        to.rest(index, value)
    })
    .written(10, |_, target, words| words.put_if(target.large_pages, "")),
    Switch::read('L', |to, value, index| {
        to.span.measure_latency = true;
        to.rest(index, value)
    })
    .written(25, |_, _, words| words.put("")),
    Switch::read('n', |to, value, index| {
        to.span.no_affinity = true;
        to.rest(index, value)
    })
    .written(22, |span, _, words| words.put_if(span.no_affinity, "")),
    Switch::read('N', |to, value, _| to.map_flush(value)).written(9, |_, target, words| {
        let flush = target.flush.map(|flush| match flush {
            MapFlush::View => 'v',
            MapFlush::NonVolatile => 'n',
            MapFlush::NonVolatileNoDrain => 'i',
        });
        words.put_some(flush);
    }),
    Switch::read('o', |to, value, index| to.outstanding(value, index)).written(
        14,
        |span, target, words| {
            words.put_if(span.outstanding == 0, target.outstanding);
        },
    ),
    Switch::read('O', |to, value, index| to.pool_outstanding(value, index)).written(
        13,
        |span, _, words| {
            words.put_if(span.threads > 0 && span.outstanding > 0, span.outstanding);
        },
    ),
    Switch::read('p', |to, value, index| {
        to.target.parallel = true;
        to.rest(index, value)
    }),
    Switch::read('P', |to, value, _| to.progress(value)),
    Switch::read('r', |to, value, index| to.random(value, index)).written(6, |_, target, words| {
        let order = &target.order;
        match order.random_percent {
            0 => {}
            100 => words.put(stride(target).unwrap_or_default()),
            percent => {
                words.put(format_args!("s{percent}"));
                words.put_some(stride(target));
            }
        }
        words.put_some(ranges(order));
    }),
    Switch::read('R', |to, value, _| to.format(value)).beside(),
    Switch::read('s', |to, value, _| to.sequential(value)).written(5, |_, target, words| {
        let order = &target.order;
        if order.random_percent > 0 {
            return;
        }
        let stride = stride(target);
        if order.interlocked {
            words.put(format_args!("i{}", stride.unwrap_or_default()));
        } else {
            words.put_some(stride);
        }
    }),
    Switch::read('S', |to, value, _| to.cache(value)).written(8, |_, target, words| {
        let cache = match target.cache {
            Cache::Cached => "",
            Cache::Uncached => "u",
            Cache::LocalUncached => "r",
        };
        let through = if target.write_through { "w" } else { "" };
        let mapped = if target.memory_mapped { "m" } else { "" };
        let flags = [cache, mapped, through].concat();
        words.put_if(!flags.is_empty(), flags);
    }),
    Switch::read('t', |to, value, index| to.threads(value, index)).written(
        11,
        |span, target, words| {
            words.put_if(span.threads == 0, target.threads);
        },
    ),
    Switch::read('T', |to, value, _| to.thread_stride(value)).written(7, |_, target, words| {
        let stride = target.thread_stride_bytes;
        words.put_if(stride > 0, size(stride));
    }),
    Switch::read('v', |to, value, _| to.verbose(value)).beside(),
    Switch::read('w', |to, value, index| to.writes(value, index)).written(4, |_, target, words| {
        words.put_if(target.write_percent > 0, target.write_percent);
    }),
    Switch::read('W', |to, value, index| to.warm_up(value, index))
        .beside()
        .written(19, |span, _, words| words.put(span.warm_up_s)),
    Switch::read('x', |to, value, index| to.completion(value, index)),
    Switch::read('X', |to, value, index| to.profile_file(value, index)).beside(),
    Switch::read('y', |to, value, _| to.event(value)),
    Switch::read('z', |to, value, index| to.seed(value, index))
        .beside()
        .written(21, |span, _, words| match (span.fresh_seed, span.seed) {
            (true, _) => words.put(""),
            (false, seed) => words.put_if(seed > 0, seed),
        }),
    Switch::read('Z', |to, value, index| to.content(value, index)).written(
        9,
        |_, target, words| match &target.content {
            Content::Counting => {}
            Content::Zero => words.put(""),
            Content::Random => words.put("r"),
            Content::Buffer { bytes, file } => {
                let file = file.as_ref().map(|file| format!(",{file}"));
                words.put(size(*bytes) + &file.unwrap_or_default());
            }
        },
    ),
];

/// The row of a letter.
pub(super) fn find(letter: char) -> Option<&'static Switch> {
    SWITCHES.iter().find(|switch| switch.letter == letter)
}

/// What a time span and its targets, which are like this one, are in words.
pub(crate) fn words(span: &TimeSpan, target: &Target) -> Vec<String> {
    let written = SWITCHES.iter().filter_map(|switch| {
        let (number, write) = switch.write?;
        Some((number, switch.letter, write))
    });
    let mut written: Vec<_> = written.collect();
    written.small_sort_by_key(|(number, ..)| *number);
    let mut list = Vec::new();
    for (_, letter, write) in written {
        let list = &mut list;
        write(span, target, &mut TableWords { letter, list });
    }
    list
}

/// A size in the largest letter that is exact.
fn size(bytes: u64) -> String {
    for (factor, letter) in [(1_u64 << 30, 'G'), (1 << 20, 'M'), (1 << 10, 'K')] {
        if bytes > 0 && bytes.is_multiple_of(factor) {
            return format!("{}{letter}", bytes / factor);
        }
    }
    bytes.to_string()
}

/// The stride or alignment, where it is not the block.
fn stride(target: &Target) -> Option<String> {
    let stride = target.order.stride_bytes;
    (stride != target.block_bytes).then(|| size(stride))
}

/// The value of `-r` for parts of the target with shares of their own.
fn ranges(order: &Order) -> Option<String> {
    let (form, list) = match &order.ranges {
        Ranges::Uniform => return None,
        Ranges::Percent(list) => ("dpct", list),
        Ranges::Absolute(list) => ("dabs", list),
    };
    let range = |(ios, of): &(u32, u64)| format!("{ios}/{of}");
    let mut ranges: Vec<String> = list.iter().map(range).collect();
    // DISKSPD wants the whole distribution stated if all requests have one.
    let ios: u32 = list.iter().map(|(ios, _)| ios).sum();
    let of: u64 = list.iter().map(|(_, of)| of).sum();
    if form == "dpct" && ios == 100 && of < 100 {
        ranges.push(range(&(0, 100 - of)));
    }
    (!list.is_empty()).then(|| format!("{form}{}", ranges.join(":")))
}
