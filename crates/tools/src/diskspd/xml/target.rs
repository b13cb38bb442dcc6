//! The table of what targets say, in the order of the published schema.

use super::element::Element;
use super::read::Reading;
use super::row::{Row, read_all, write_all};
use crate::diskspd::options;
use crate::diskspd::profile::{Cache, Content, MapFlush, Order, Ranges, Target, Throttle};

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

/// The element of a target.
pub(super) fn write(target: &Target) -> Element {
    write_all(TARGET, "Target", target)
}

fn target(reading: &mut Reading<'_>, element: &Element) -> Target {
    let mut draft = Draft::default();
    read_all(TARGET, reading, element, &mut draft);
    if element.find("Path").is_none() {
        reading.error(element, "the target has no path", "add a `<Path>`");
    }
    let mut target = draft.target;
    target.order = Order {
        random_percent: match draft.align {
            Some(_) => draft.ratio.unwrap_or(100),
            None => 0,
        },
        stride_bytes: draft.align.or(draft.stride).unwrap_or(target.block_bytes),
        interlocked: draft.interlocked,
        ranges: draft.ranges,
    };
    target
}

static TARGET: &[Row<Draft, Target>] = &[
    Row::new(
        "Path",
        |_, element, to| to.target.path.clone_from(&element.text),
        |of, slot| slot.put(&of.path),
    ),
    Row::new(
        "BlockSize",
        |reading, element, to| to.target.block_bytes = reading.number(element),
        |of, slot| slot.put(of.block_bytes),
    ),
    Row::new(
        "BaseFileOffset",
        |reading, element, to| to.target.base_bytes = reading.number(element),
        |of, slot| slot.put(of.base_bytes),
    ),
    Row::new(
        "SequentialScan",
        |reading, element, to| to.target.sequential_scan_hint = reading.boolean(element),
        |of, slot| slot.put(of.sequential_scan_hint),
    ),
    Row::new(
        "RandomAccess",
        |reading, element, to| to.target.random_access_hint = reading.boolean(element),
        |of, slot| slot.put(of.random_access_hint),
    ),
    Row::new(
        "TemporaryFile",
        |reading, element, to| to.target.temporary_hint = reading.boolean(element),
        |of, slot| slot.put(of.temporary_hint),
    ),
    Row::new(
        "UseLargePages",
        |reading, element, to| to.target.large_pages = reading.boolean(element),
        |of, slot| slot.put(of.large_pages),
    ),
    Row::new(
        "DisableOSCache",
        |reading, element, to| {
            if reading.boolean(element) {
                to.target.cache = Cache::Uncached;
            }
        },
        |of, slot| slot.put_if(of.cache == Cache::Uncached),
    ),
    Row::new(
        "DisableLocalCache",
        |reading, element, to| {
            if reading.boolean(element) {
                to.target.cache = Cache::LocalUncached;
            }
        },
        |of, slot| slot.put_if(of.cache == Cache::LocalUncached),
    ),
    Row::new(
        "WriteThrough",
        |reading, element, to| to.target.write_through |= reading.boolean(element),
        |of, slot| slot.put_if(of.write_through),
    ),
    Row::new(
        "MemoryMappedIo",
        |reading, element, to| to.target.memory_mapped = reading.boolean(element),
        |of, slot| slot.put_if(of.memory_mapped),
    ),
    Row::new(
        "FlushType",
        |reading, element, to| to.target.flush = flush(reading, element),
        |of, slot| {
            slot.put_some(of.flush.map(|flush| match flush {
                MapFlush::View => "ViewOfFile",
                MapFlush::NonVolatile => "NonVolatileMemory",
                MapFlush::NonVolatileNoDrain => "NonVolatileMemoryNoDrain",
            }));
        },
    ),
    Row::new(
        "WriteBufferContent",
        |reading, element, to| to.target.content = content(reading, element),
        |of, slot| slot.put_all(content_elements(&of.content)),
    ),
    Row::new(
        "ParallelAsyncIO",
        |reading, element, to| to.target.parallel = reading.boolean(element),
        |of, slot| slot.put(of.parallel),
    ),
    Row::new(
        "BurstSize",
        |reading, element, to| to.target.burst = Some(reading.number(element)),
        |of, slot| slot.put_some(of.burst),
    ),
    Row::new(
        "ThinkTime",
        |reading, element, to| to.target.think_ms = Some(reading.number(element)),
        |of, slot| slot.put_some(of.think_ms),
    ),
    Row::new(
        "FileSize",
        |reading, element, to| to.target.file_bytes = above_zero(reading.number(element)),
        |of, slot| slot.put_some(of.file_bytes),
    ),
    Row::new(
        "StrideSize",
        |reading, element, to| to.stride = Some(reading.number(element)),
        |of, slot| {
            if of.order.random_percent == 0 {
                slot.put(of.order.stride_bytes);
            }
        },
    ),
    Row::new(
        "InterlockedSequential",
        |reading, element, to| to.interlocked = reading.boolean(element),
        |of, slot| {
            if of.order.random_percent == 0 {
                slot.put(of.order.interlocked);
            }
        },
    ),
    Row::new(
        "Random",
        |reading, element, to| to.align = Some(reading.number(element)),
        |of, slot| {
            if of.order.random_percent > 0 {
                slot.put(of.order.stride_bytes);
            }
        },
    ),
    Row::new(
        "RandomRatio",
        |reading, element, to| {
            let ratio: u32 = reading.number(element);
            if !(1..=100).contains(&ratio) {
                let message = format!("{ratio} is no share of random requests");
                reading.error(element, message, "choose 1 to 100");
            }
            to.ratio = Some(ratio);
        },
        |of, slot| {
            let percent = of.order.random_percent;
            slot.put_some((1..100).contains(&percent).then_some(percent));
        },
    ),
    Row::new(
        "Distribution",
        |reading, element, to| to.ranges = ranges(reading, element),
        |of, slot| {
            if of.order.random_percent > 0
                && let Some(ranges) = ranges_element(&of.order.ranges)
            {
                slot.put_all(vec![ranges]);
            }
        },
    ),
    Row::new(
        "ThreadStride",
        |reading, element, to| to.target.thread_stride_bytes = reading.number(element),
        |of, slot| slot.put(of.thread_stride_bytes),
    ),
    Row::new(
        "MaxFileSize",
        |reading, element, to| to.target.max_bytes = above_zero(reading.number(element)),
        |of, slot| slot.put(of.max_bytes.unwrap_or(0)),
    ),
    Row::new(
        "RequestCount",
        |reading, element, to| to.target.outstanding = reading.number(element),
        |of, slot| slot.put(of.outstanding),
    ),
    Row::new(
        "WriteRatio",
        |reading, element, to| to.target.write_percent = reading.number(element),
        |of, slot| slot.put(of.write_percent),
    ),
    Row::new(
        "Throughput",
        |reading, element, to| to.target.throttle = throughput(reading, element),
        |of, slot| match of.throttle {
            None => slot.put(0),
            Some(Throttle::BytesPerMs(rate)) => slot.put(rate),
            Some(Throttle::Iops(rate)) => slot.put_with(rate, "unit", "IOPS"),
        },
    ),
    Row::new(
        "ThreadsPerFile",
        |reading, element, to| to.target.threads = reading.number(element),
        |of, slot| slot.put(of.threads),
    ),
    Row::new(
        "IOPriority",
        |reading, element, to| to.target.priority = reading.number(element),
        |of, slot| slot.put(of.priority),
    ),
    Row::new(
        "Weight",
        |reading, element, to| to.target.weight = reading.number(element),
        |of, slot| slot.put(of.weight),
    ),
    Row::read_only("DisableAllCache", |reading, element, to| {
        if reading.boolean(element) {
            to.target.cache = Cache::Uncached;
            to.target.write_through = true;
        }
    }),
    Row::read_only("RandomWriteData", |reading, element, to| {
        if reading.boolean(element) {
            to.target.content = Content::Random;
        }
    }),
    Row::read_only("ThreadTargets", |reading, element, _| {
        let row = options::THREAD_TARGETS;
        reading.error(element, row.remark, row.remedy);
    }),
    // A note of VMFleet's, without meaning to DISKSPD.
    Row::read_only("Name", |_, _, _| {}),
];

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

fn content(reading: &mut Reading<'_>, element: &Element) -> Content {
    let pattern = element.find("Pattern").map(|pattern| pattern.text.as_str());
    match pattern {
        None | Some("sequential") => Content::Counting,
        Some("zero") => Content::Zero,
        Some("random") => {
            let source = element.find("RandomDataSource");
            let Some(size) = source.and_then(|source| source.find("SizeInBytes")) else {
                return Content::Random;
            };
            let file = source.and_then(|source| source.find("FilePath"));
            Content::Buffer {
                bytes: reading.number(size),
                file: file.map(|file| file.text.clone()),
            }
        }
        Some(other) => {
            let message = format!("`{other}` is no pattern");
            reading.error(
                element,
                message,
                "the patterns are sequential, zero and random",
            );
            Content::Counting
        }
    }
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
    let Some(form) = element.children.first() else {
        return Ranges::Uniform;
    };
    let mut list = Vec::new();
    for range in &form.children {
        let ios: u32 = reading.number_in(range, range.value("IO").unwrap_or_default());
        list.push((ios, reading.number(range)));
    }
    let percent = form.name == "Percent";
    if !percent && form.name != "Absolute" {
        reading.unknown(form, "Distribution", &["Absolute", "Percent"]);
    }
    let ios: u64 = list.iter().map(|(ios, _)| u64::from(*ios)).sum();
    let of = list
        .iter()
        .fold(0, |sum: u64, (_, of)| sum.saturating_add(*of));
    if ios > 100 || percent && (of > 100 || of == 100 && ios < 100) {
        reading.error(
            form,
            format!("the ranges take {ios} % of the requests and {of} of the target"),
            "keep shares at 100 or below, and leave space for what is left",
        );
    }
    // Up to the end goes without saying.
    if !percent {
        list.pop_if(|(_, of)| *of == 0);
    }
    if list.iter().any(|(_, of)| *of == 0) {
        reading.error(form, "a range of size 0 holds nothing", "leave it out");
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
        Content::Counting => vec![pattern("sequential")],
        Content::Zero => vec![pattern("zero")],
        Content::Random => vec![pattern("random")],
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
