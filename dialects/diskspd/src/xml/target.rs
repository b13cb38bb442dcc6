//! The table of what targets say, in the order of the published schema.

use super::element::Element;
use super::read::Reading;
use super::row::{Row, read_all, write_all};
use crate::options;
use crate::profile::{Cache, Content, MapFlush, Order, Ranges, Target, ThreadTarget, Throttle};
use fathom_core::rows;

/// A target, and what of its order is said before it is put together.
#[derive(Default)]
struct Draft {
    target: Target,
    align: Option<u64>,
    ratio: Option<u32>,
    stride: Option<u64>,
    interlocked: bool,
    ranges: Ranges,
}

/// What of a target can be said in one element.
pub(super) fn read(reading: &mut Reading<'_>, element: &Element) -> Vec<Target> {
    let mut targets = Vec::new();
    for child in &element.children {
        if child.name == "Target" {
            targets.push(target(reading, child));
        } else {
            reading.unknown(child, "Targets", &["Target"]);
        }
    }
    targets
}

pub(super) fn write(target: &Target) -> Element {
    write_all(TARGET, "Target", target)
}

fn target(reading: &mut Reading<'_>, element: &Element) -> Target {
    let mut draft = Draft::default();
    read_all(TARGET, reading, element, &mut draft);
    if element.find("Path").is_none() {
        reading.error(element, "the target has no path", "add a `<Path>`");
    }
    if let (Some(_), Some(random)) = (
        element.find("StrideSize"),
        element
            .find("Random")
            .or_else(|| element.find("RandomRatio")),
    ) {
        let message = format!(
            "`<StrideSize>`, which is sequential, excludes `<{}>`",
            random.name
        );
        let remedy = "`<Random>` sets the alignment and, with `<RandomRatio>`, the stride";
        reading.error(random, message, remedy);
    }
    let mut target = draft.target;
    target.order = Order {
        // A share alone is enough: the offsets are multiples of the block then.
        random_percent: draft.ratio.or(draft.align.map(|_| 100)).unwrap_or(0),
        stride_bytes: draft.align.or(draft.stride).unwrap_or(target.block_bytes),
        interlocked: draft.interlocked,
        ranges: draft.ranges,
    };
    target
}

static TARGET: &[Row<Draft, Target>] = rows! { Row<Draft, Target>;
    new("Path", |reading, element, to| to.target.path = path(reading, element),
        |of, slot| slot.put(&of.path));
    new("BlockSize",
        |reading, element, to| to.target.block_bytes = reading.number::<u32>(element).into(),
        |of, slot| slot.put(of.block_bytes));
    new("BaseFileOffset", |reading, element, to| to.target.base_bytes = reading.number(element),
        |of, slot| slot.put(of.base_bytes));
    new("SequentialScan",
        |reading, element, to| to.target.sequential_scan_hint = reading.boolean(element),
        |of, slot| slot.put(of.sequential_scan_hint));
    new("RandomAccess",
        |reading, element, to| to.target.random_access_hint = reading.boolean(element),
        |of, slot| slot.put(of.random_access_hint));
    new("TemporaryFile", |reading, element, to| to.target.temporary_hint = reading.boolean(element),
        |of, slot| slot.put(of.temporary_hint));
    new("UseLargePages", |reading, element, to| to.target.large_pages = reading.boolean(element),
        |of, slot| slot.put(of.large_pages));
    new("DisableOSCache",
        |reading, element, to| {
            if reading.boolean(element) {
                to.target.cache = Cache::Uncached;
            }
        }, |of, slot| slot.put_if(of.cache == Cache::Uncached));
    new("DisableLocalCache",
        |reading, element, to| {
            if reading.boolean(element) {
                to.target.cache = Cache::LocalUncached;
            }
        }, |of, slot| slot.put_if(of.cache == Cache::LocalUncached));
    new("WriteThrough", |reading, element, to| to.target.write_through |= reading.boolean(element),
        |of, slot| slot.put_if(of.write_through));
    new("MemoryMappedIo", |reading, element, to| to.target.memory_mapped = reading.boolean(element),
        |of, slot| slot.put_if(of.memory_mapped));
    new("FlushType", |reading, element, to| to.target.flush = flush(reading, element),
        |of, slot| {
            slot.put_some(of.flush.map(|flush| match flush {
                MapFlush::View => "ViewOfFile",
                MapFlush::NonVolatile => "NonVolatileMemory",
                MapFlush::NonVolatileNoDrain => "NonVolatileMemoryNoDrain",
            }));
        });
    new("WriteBufferContent", |reading, element, to| to.target.content = content(reading, element),
        |of, slot| slot.put_all(content_elements(&of.content)));
    new("ParallelAsyncIO", |reading, element, to| to.target.parallel = reading.boolean(element),
        |of, slot| slot.put(of.parallel));
    new("BurstSize", |reading, element, to| to.target.burst = Some(reading.number(element)),
        |of, slot| slot.put_some(of.burst));
    new("ThinkTime", |reading, element, to| to.target.think_ms = Some(reading.number(element)),
        |of, slot| slot.put_some(of.think_ms));
    new("FileSize", |reading, element, to| to.target.file_bytes = Some(reading.number(element)),
        |of, slot| slot.put_some(of.file_bytes));
    new("StrideSize",
        // 0 is as the block.
        |reading, element, to| to.stride = above_zero(reading.number(element)),
        |of, slot| {
            if of.order.random_percent == 0 {
                slot.put(of.order.stride_bytes);
            }
        });
    new("InterlockedSequential", |reading, element, to| to.interlocked = reading.boolean(element),
        |of, slot| {
            if of.order.random_percent == 0 {
                slot.put(of.order.interlocked);
            }
        });
    new("Random", |reading, element, to| to.align = Some(reading.number(element)),
        |of, slot| {
            if of.order.random_percent > 0 {
                slot.put(of.order.stride_bytes);
            }
        });
    new("RandomRatio",
        |reading, element, to| {
            let ratio: u32 = reading.number(element);
            if !(1..100).contains(&ratio) {
                let message = format!("{ratio} is not a valid share of random requests");
                reading.error(element, message, "choose 1 to 99; `<Random>` alone is all");
            }
            to.ratio = Some(ratio);
        },
        |of, slot| {
            let percent = of.order.random_percent;
            slot.put_some((1..100).contains(&percent).then_some(percent));
        });
    new("Distribution", |reading, element, to| to.ranges = ranges(reading, element),
        |of, slot| {
            if of.order.random_percent > 0
                && let Some(ranges) = ranges_element(&of.order.ranges)
            {
                slot.put_all(vec![ranges]);
            }
        });
    new("ThreadStride",
        |reading, element, to| to.target.thread_stride_bytes = reading.number(element),
        |of, slot| slot.put(of.thread_stride_bytes));
    new("MaxFileSize",
        |reading, element, to| to.target.max_bytes = above_zero(reading.number(element)),
        |of, slot| slot.put(of.max_bytes.unwrap_or(0)));
    new("RequestCount", |reading, element, to| to.target.outstanding = reading.number(element),
        |of, slot| slot.put(of.outstanding));
    new("WriteRatio", |reading, element, to| to.target.write_percent = reading.number(element),
        |of, slot| slot.put(of.write_percent));
    new("Throughput", |reading, element, to| to.target.throttle = throughput(reading, element),
        |of, slot| match of.throttle {
            None => slot.put(0),
            Some(Throttle::BytesPerMs(rate)) => slot.put(rate),
            Some(Throttle::Iops(rate)) => slot.put_with(rate, "unit", "IOPS"),
        });
    new("ThreadsPerFile", |reading, element, to| to.target.threads = reading.number(element),
        |of, slot| slot.put(of.threads));
    new("IOPriority", |reading, element, to| to.target.priority = reading.number(element),
        |of, slot| slot.put(of.priority));
    new("Weight", |reading, element, to| to.target.weight = reading.number(element),
        |of, slot| slot.put(of.weight));
    new("ThreadTargets",
        |reading, element, to| to.target.thread_targets = thread_targets(reading, element),
        |of, slot| {
            let chosen = of.thread_targets.iter().map(|chosen| {
                let mut element = Element::with_text("Thread", &chosen.thread);
                element = Element::new("ThreadTarget").child(element);
                if let Some(weight) = chosen.weight {
                    element.put("Weight", &weight);
                }
                element
            });
            let chosen: Vec<Element> = chosen.collect();
            if !chosen.is_empty() {
                slot.put_all(chosen);
            }
        });
    read_only("DisableAllCache", |reading, element, to| {
        if reading.boolean(element) {
            to.target.cache = Cache::Uncached;
            to.target.write_through = true;
        }
    });
};

/// A path, or the place of a target that is given after the profile.
fn path(reading: &mut Reading<'_>, element: &Element) -> String {
    let path = &element.text;
    if let Some(number) = path.strip_prefix('*') {
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || !number.parse::<u32>().is_ok_and(|number| number > 0) {
            let message = format!("`{path}` is no place of a target");
            reading.error(element, message, "as in `*1` for the first one");
        }
    }
    path.clone()
}

fn above_zero(bytes: u64) -> Option<u64> {
    Some(bytes).filter(|bytes| *bytes > 0)
}

fn flush(reading: &mut Reading<'_>, element: &Element) -> Option<MapFlush> {
    match element.text.as_str() {
        "ViewOfFile" => Some(MapFlush::View),
        "NonVolatileMemory" => Some(MapFlush::NonVolatile),
        "NonVolatileMemoryNoDrain" => Some(MapFlush::NonVolatileNoDrain),
        other => {
            let message = format!("`{other}` is no way to flush");
            let remedy = "the ways are ViewOfFile, NonVolatileMemory, NonVolatileMemoryNoDrain";
            reading.error(element, message, remedy);
            None
        }
    }
}

fn thread_targets(reading: &mut Reading<'_>, element: &Element) -> Vec<ThreadTarget> {
    let mut list = Vec::new();
    for child in &element.children {
        if child.name != "ThreadTarget" {
            reading.unknown(child, "ThreadTargets", &["ThreadTarget"]);
            continue;
        }
        let mut chosen = ThreadTarget::default();
        read_all(THREAD_TARGET, reading, child, &mut chosen);
        if child.find("Thread").is_none() {
            reading.error(child, "no thread is named", "add a `<Thread>`");
        }
        list.push(chosen);
    }
    if element.children.is_empty() {
        reading.error(
            element,
            "no thread is chosen",
            "leave `<ThreadTargets>` out",
        );
    }
    list
}

static THREAD_TARGET: &[Row<ThreadTarget, ThreadTarget>] = &[
    Row::read_only("Thread", |reading, element, to| {
        to.thread = reading.number(element);
    }),
    Row::read_only("Weight", |reading, element, to| {
        // As without it: that of the target.
        to.weight = Some(reading.number(element)).filter(|weight| *weight > 0);
    }),
];

/// What is said of the bytes of writes.
#[derive(Default)]
struct Bytes {
    pattern: Option<String>,
    source: Option<(u64, Option<String>)>,
}

static BYTES: &[Row<Bytes, Bytes>] = &[
    Row::read_only("Pattern", |_, element, to| {
        to.pattern = Some(element.text.clone());
    }),
    Row::read_only("RandomDataSource", |reading, element, to| {
        to.source = Some(source(reading, element));
    }),
];

fn content(reading: &mut Reading<'_>, element: &Element) -> Content {
    let mut bytes = Bytes::default();
    read_all(BYTES, reading, element, &mut bytes);
    match (bytes.pattern.as_deref(), bytes.source) {
        (Some("sequential"), _) => Content::Counting,
        (Some("zero"), _) => Content::Zero,
        (Some("random"), Some((size, file))) if size > 0 => Content::Buffer { bytes: size, file },
        // DISKSPD fills no buffer then, and writes its usual bytes.
        (Some("random"), _) => {
            reading.note(element, &options::SOURCE_MISSING);
            Content::Counting
        }
        (Some(other), _) => {
            let message = format!("`{other}` is no pattern");
            let remedy = "the patterns are sequential, zero and random";
            reading.error(element, message, remedy);
            Content::Counting
        }
        (None, _) => {
            let remedy = "add a `<Pattern>`: sequential, zero or random";
            reading.error(element, "the content of writes has no pattern", remedy);
            Content::Counting
        }
    }
}

/// Size and file of a buffer.
fn source(reading: &mut Reading<'_>, element: &Element) -> (u64, Option<String>) {
    static SOURCE: &[Row<(u64, Option<String>), Bytes>] = &[
        Row::read_only("SizeInBytes", |reading, element, to| {
            to.0 = reading.number(element);
        }),
        Row::read_only("FilePath", |_, element, to| {
            to.1 = Some(element.text.clone()).filter(|file| !file.is_empty());
        }),
    ];
    let mut found = (0, None);
    read_all(SOURCE, reading, element, &mut found);
    if element.find("SizeInBytes").is_none() {
        let remedy = "add a `<SizeInBytes>`";
        reading.error(element, "the buffer of random bytes has no size", remedy);
    }
    found
}

fn throughput(reading: &mut Reading<'_>, element: &Element) -> Option<Throttle> {
    let number = reading.number(element);
    if number == 0 {
        return None;
    }
    match element.value("unit") {
        None | Some("BPMS") => Some(Throttle::BytesPerMs(number)),
        Some("IOPS") => Some(Throttle::Iops(number)),
        Some(other) => {
            let message = format!("`{other}` is no unit of a rate");
            reading.error(
                element,
                message,
                "the unit is IOPS, or left out for bytes a millisecond",
            );
            None
        }
    }
}

fn ranges(reading: &mut Reading<'_>, element: &Element) -> Ranges {
    let [form] = element.children.as_slice() else {
        let message = "a distribution is one list of ranges";
        reading.error(
            element,
            message,
            "`<Percent>` or `<Absolute>`, with a `<Range>` at least",
        );
        return Ranges::Uniform;
    };
    let percent = form.name == "Percent";
    if !percent && form.name != "Absolute" {
        reading.unknown(form, "Distribution", &["Absolute", "Percent"]);
        return Ranges::Uniform;
    }
    let mut list: Vec<(u32, u64)> = Vec::new();
    for range in &form.children {
        if range.name != "Range" {
            reading.unknown(range, &form.name, &["Range"]);
            continue;
        }
        let ios: u32 = reading.number_in(range, range.value("IO").unwrap_or_default());
        list.push((ios, reading.number(range)));
    }
    if list.is_empty() {
        reading.error(form, "the distribution has no ranges", "add a `<Range>`");
    }
    // Up to the end goes without saying, where it takes all that is left.
    let ios: u64 = list.iter().map(|(ios, _)| u64::from(*ios)).sum();
    if !percent && ios == 100 {
        list.pop_if(|(_, of)| *of == 0);
    }
    if percent {
        Ranges::Percent(list)
    } else {
        Ranges::Absolute(list)
    }
}

fn content_elements(content: &Content) -> Vec<Element> {
    let pattern = |name| Element::with_text("Pattern", name);
    match content {
        // Of random ones the time span says so.
        Content::Counting | Content::Random => vec![pattern("sequential")],
        Content::Zero => vec![pattern("zero")],
        Content::Buffer { bytes, file } => {
            let mut source = Element::new("RandomDataSource");
            source.put("SizeInBytes", bytes);
            if let Some(file) = file {
                source.put("FilePath", file);
            }
            vec![pattern("random"), source]
        }
    }
}

fn ranges_element(ranges: &Ranges) -> Option<Element> {
    let (form, list) = match ranges {
        Ranges::Uniform => return None,
        Ranges::Percent(list) => ("Percent", list),
        Ranges::Absolute(list) => ("Absolute", list),
    };
    let mut element = Element::new(form);
    let range = |(ios, of): (u32, u64)| Element::with_text("Range", &of).attribute("IO", &ios);
    let all = with_rest(list, form == "Percent").into_iter();
    element.children = all.map(range).collect();
    Some(element)
}

/// The ranges with the one for all that they leave: percent of the target, or for bytes 0, which
/// is up to the end.
pub fn with_rest(list: &[(u32, u64)], percent: bool) -> Vec<(u32, u64)> {
    let ios = list
        .iter()
        .fold(0, |sum: u32, (ios, _)| sum.saturating_add(*ios));
    let of = list
        .iter()
        .fold(0, |sum: u64, (_, of)| sum.saturating_add(*of));
    let mut list = list.to_vec();
    if percent && of < 100 {
        list.push((100_u32.saturating_sub(ios), 100 - of));
    } else if !percent && ios < 100 {
        list.push((100 - ios, 0));
    }
    list
}
