//! The targets of a time span from XML.

use super::element::Element;
use super::read::Reading;
use crate::diskspd::options;
use crate::diskspd::profile::{Cache, Content, MapFlush, Order, Ranges, Target, Throttle};

const KNOWN: [&str; 34] = [
    "Path",
    "BlockSize",
    "BaseFileOffset",
    "SequentialScan",
    "RandomAccess",
    "TemporaryFile",
    "UseLargePages",
    "DisableLocalCache",
    "DisableOSCache",
    "DisableAllCache",
    "WriteThrough",
    "MemoryMappedIo",
    "FlushType",
    "WriteBufferContent",
    "RandomWriteData",
    "ParallelAsyncIO",
    "BurstSize",
    "ThinkTime",
    "FileSize",
    "Random",
    "RandomRatio",
    "Distribution",
    "StrideSize",
    "InterlockedSequential",
    "ThreadStride",
    "MaxFileSize",
    "RequestCount",
    "WriteRatio",
    "Throughput",
    "ThreadsPerFile",
    "IOPriority",
    "Weight",
    "ThreadTargets",
    "Name",
];

pub(super) fn targets(reading: &mut Reading<'_>, element: &Element) -> Vec<Target> {
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

/// What of the order is said, before it is put together.
#[derive(Default)]
struct Said {
    align: Option<u64>,
    ratio: Option<u32>,
    stride: Option<u64>,
    interlocked: bool,
    ranges: Ranges,
}

fn target(reading: &mut Reading<'_>, element: &Element) -> Target {
    let mut target = Target::default();
    let mut said = Said::default();
    for child in &element.children {
        if !place(reading, child, &mut target)
            && !load(reading, child, &mut target)
            && !order(reading, child, &mut said)
        {
            reading.unknown(child, "Target", &KNOWN);
        }
    }
    if element.find("Path").is_none() {
        reading.error(element, "the target has no path", "add a `<Path>`");
    }
    target.order = Order {
        random_percent: match said.align {
            Some(_) => said.ratio.unwrap_or(100),
            None => 0,
        },
        stride_bytes: said.align.or(said.stride).unwrap_or(target.block_bytes),
        interlocked: said.interlocked,
        ranges: said.ranges,
    };
    target
}

/// What the target is and how it is opened.
fn place(reading: &mut Reading<'_>, child: &Element, target: &mut Target) -> bool {
    match child.name.as_str() {
        "Path" => target.path.clone_from(&child.text),
        "BlockSize" => target.block_bytes = reading.number(child),
        "BaseFileOffset" => target.base_bytes = reading.number(child),
        "SequentialScan" => target.sequential_scan_hint = reading.boolean(child),
        "RandomAccess" => target.random_access_hint = reading.boolean(child),
        "TemporaryFile" => target.temporary_hint = reading.boolean(child),
        "UseLargePages" => target.large_pages = reading.boolean(child),
        "DisableLocalCache" if reading.boolean(child) => target.cache = Cache::LocalUncached,
        "DisableOSCache" if reading.boolean(child) => target.cache = Cache::Uncached,
        "DisableAllCache" if reading.boolean(child) => {
            target.cache = Cache::Uncached;
            target.write_through = true;
        }
        "WriteThrough" => target.write_through |= reading.boolean(child),
        "MemoryMappedIo" => target.memory_mapped = reading.boolean(child),
        "FlushType" => target.flush = flush(reading, child),
        "FileSize" => target.file_bytes = Some(reading.number(child)).filter(|size| *size > 0),
        "MaxFileSize" => target.max_bytes = Some(reading.number(child)).filter(|size| *size > 0),
        // Those that are false, and a note of VMFleet's, without meaning to DISKSPD.
        "DisableLocalCache" | "DisableOSCache" | "DisableAllCache" | "Name" => {}
        _ => return false,
    }
    true
}

/// How much is asked of it, and what writes carry.
fn load(reading: &mut Reading<'_>, child: &Element, target: &mut Target) -> bool {
    match child.name.as_str() {
        "WriteBufferContent" => target.content = content(reading, child),
        "RandomWriteData" => {
            if reading.boolean(child) {
                target.content = Content::Random;
            }
        }
        "ParallelAsyncIO" => target.parallel = reading.boolean(child),
        "BurstSize" => target.burst = Some(reading.number(child)),
        "ThinkTime" => target.think_ms = Some(reading.number(child)),
        "ThreadStride" => target.thread_stride_bytes = reading.number(child),
        "RequestCount" => target.outstanding = reading.number(child),
        "WriteRatio" => target.write_percent = reading.number(child),
        "Throughput" => target.throttle = throughput(reading, child),
        "ThreadsPerFile" => target.threads = reading.number(child),
        "IOPriority" => target.priority = reading.number(child),
        "Weight" => target.weight = reading.number(child),
        "ThreadTargets" => {
            let row = options::THREAD_TARGETS;
            reading.error(child, row.remark, row.remedy);
        }
        _ => return false,
    }
    true
}

fn order(reading: &mut Reading<'_>, child: &Element, said: &mut Said) -> bool {
    match child.name.as_str() {
        "Random" => said.align = Some(reading.number(child)),
        "RandomRatio" => {
            let ratio: u32 = reading.number(child);
            if !(1..=100).contains(&ratio) {
                let message = format!("{ratio} is no share of random requests");
                reading.error(child, message, "choose 1 to 100");
            }
            said.ratio = Some(ratio);
        }
        "StrideSize" => said.stride = Some(reading.number(child)),
        "InterlockedSequential" => said.interlocked = reading.boolean(child),
        "Distribution" => said.ranges = ranges(reading, child),
        _ => return false,
    }
    true
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
