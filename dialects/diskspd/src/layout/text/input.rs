//! The first part: what was asked for.

use super::UNKNOWN;
use crate::display_size;
use crate::profile::{Cache, Content, MapFlush, Profile, Ranges, Target, Throttle, TimeSpan};
use fathom_core::result::{Origin, ResultField};

pub(super) fn input(profile: &Profile, command_line: &[String], origin: &Origin) -> String {
    let words = if command_line.is_empty() && origin.is_imported() {
        UNKNOWN.to_owned()
    } else {
        command_line.join(" ")
    };
    let mut text = format!("\nCommand Line: {words}\n\n");
    let flags = profile.experiment_flags;
    if flags != 0 {
        text += &format!("Experiment Flags: 0x{flags:x} ({flags})\n\n");
    }
    text += "Input parameters:\n\n";
    if profile.verbose {
        text += "\tusing verbose mode\n";
    }
    for (index, time) in profile.spans.iter().enumerate() {
        if origin.knows(ResultField::Workload) {
            span(time, index + 1, origin, &mut text);
        } else {
            let number = index + 1;
            text += &format!("\ttimespan: {number:3}\n\t-------------\n\t{UNKNOWN}\n\n");
        }
    }
    text
}

fn span(span: &TimeSpan, number: usize, origin: &Origin, text: &mut String) {
    *text += &format!("\ttimespan: {number:3}\n\t-------------\n");
    *text += &format!("\tduration: {}s\n", span.duration_s);
    *text += &format!("\twarm up time: {}s\n", span.warm_up_s);
    *text += &format!("\tcool down time: {}s\n", span.cool_down_s);
    if span.no_affinity {
        *text += "\taffinity disabled\n";
    }
    if span.measure_latency {
        *text += "\tmeasuring latency\n";
    }
    if let Some(bucket) = span.iops_bucket_ms {
        *text += &format!("\tgathering IOPS at intervals of {bucket}ms\n");
    }
    let seed = if origin.knows(ResultField::Seed) {
        span.seed.to_string()
    } else {
        UNKNOWN.to_owned()
    };
    *text += &format!("\trandom seed: {seed}\n");
    if span.threads > 0 {
        *text += &format!("\tthread pool with {} threads\n", span.threads);
        *text += &format!(
            "\tnumber of outstanding I/O operations per thread: {}\n",
            span.outstanding
        );
    }
    if !span.affinity.is_empty() {
        let list = span
            .affinity
            .iter()
            .map(|(group, cpu)| format!("{group}/{cpu}"));
        let list = list.collect::<Vec<_>>().join(", ");
        *text += &format!("\tadvanced affinity round robin (group/core): {list}\n");
    }
    if span
        .targets
        .iter()
        .any(|target| target.content == Content::Random)
    {
        *text += "\tgenerating random data for each write IO\n\
                  \t  WARNING: this increases the CPU cost of issuing writes and should only\n\
                  \t           be compared to other results using the -Zr flag\n";
    }
    for one in &span.targets {
        target(span, one, text);
    }
    *text += "\n";
}

fn target(span: &TimeSpan, target: &Target, text: &mut String) {
    *text += &match target.path.strip_prefix('*') {
        Some(number) => format!("\tpath: template target '{number}'\n"),
        None => format!("\tpath: '{}'\n", target.path),
    };
    let mut lines = vec![
        format!("think time: {}ms", target.think_ms.unwrap_or(0)),
        format!("burst size: {}", target.burst.unwrap_or(0)),
    ];
    cache(target, &mut lines);
    content(&target.content, &mut lines);
    if target.parallel {
        lines.push("using parallel async I/O".to_owned());
    }
    lines.push(match target.write_percent {
        0 => "performing read test".to_owned(),
        100 => "performing write test".to_owned(),
        writes => {
            let reads = 100_u32.saturating_sub(writes);
            format!("performing mix test (read/write ratio: {reads}/{writes})")
        }
    });
    lines.push(format!("block size: {}", display_size(target.block_bytes)));
    lines.push(order(target));
    lines.push(if span.threads > 0 && span.outstanding > 0 {
        format!("relative IO weight in thread pool: {}", target.weight)
    } else {
        format!(
            "number of outstanding I/O operations per thread: {}",
            target.outstanding
        )
    });
    part(target, &mut lines);
    if span.threads == 0 {
        lines.push(format!("threads per file: {}", target.threads));
        if target.outstanding > 1 {
            lines.push(
                if span.completion_routines {
                    "using completion routines (ReadFileEx/WriteFileEx)"
                } else {
                    "using I/O Completion Ports"
                }
                .to_owned(),
            );
        }
    }
    let priority = ["very low", "low", "normal"];
    let priority = priority.get(usize::from(target.priority).saturating_sub(1));
    lines.push(format!("IO priority: {}", priority.unwrap_or(&"normal")));
    match target.throttle {
        Some(Throttle::Iops(rate)) => {
            lines.push(format!("throughput rate-limited to {rate} IOPS"));
        }
        Some(Throttle::BytesPerMs(rate)) => {
            lines.push(format!("throughput rate-limited to {rate} B/ms"));
        }
        None => {}
    }
    for line in lines {
        *text += &format!("\t\t{line}\n");
    }
    distribution(&target.order.ranges, text);
}

fn cache(target: &Target, lines: &mut Vec<String>) {
    lines.push(
        match target.cache {
            Cache::Cached => "using software cache",
            Cache::Uncached => "software cache disabled",
            Cache::LocalUncached => "local software cache disabled, remote cache enabled",
        }
        .to_owned(),
    );
    lines.push(
        match (target.write_through, target.cache) {
            (false, _) => "using hardware write cache, writethrough off",
            (true, Cache::Uncached) => "hardware write cache disabled, writethrough on",
            (true, _) => "hardware and software write caches disabled, writethrough on",
        }
        .to_owned(),
    );
    if target.memory_mapped {
        let flush = match target.flush {
            None => "",
            Some(MapFlush::View) => ", flush mode: FlushViewOfFile",
            Some(MapFlush::NonVolatile) => ", flush mode: FlushNonVolatileMemory",
            Some(MapFlush::NonVolatileNoDrain) => {
                ", flush mode: FlushNonVolatileMemory with no drain"
            }
        };
        lines.push(format!("memory mapped I/O enabled{flush}"));
    }
}

fn content(content: &Content, lines: &mut Vec<String>) {
    match content {
        Content::Counting | Content::Random => {}
        Content::Zero => lines.push("zeroing write buffers".to_owned()),
        Content::Buffer { bytes, file } => {
            lines.push(format!("write buffer size: {}", display_size(*bytes)));
            lines.push(match file {
                Some(file) => format!("write buffer source: '{file}'"),
                None => "write buffer source: random fill".to_owned(),
            });
        }
    }
}

fn order(target: &Target) -> String {
    let order = &target.order;
    let stride = display_size(order.stride_bytes);
    match order.random_percent {
        100 => format!("using random I/O (alignment: {stride})"),
        0 if order.interlocked => format!("using interlocked sequential I/O (stride: {stride})"),
        0 => format!("using sequential I/O (stride: {stride})"),
        share => format!(
            "using mixed random/sequential I/O ({share}% random) (alignment/stride: {stride})"
        ),
    }
}

/// The used part of the target, and hints.
fn part(target: &Target, lines: &mut Vec<String>) {
    if target.base_bytes > 0 {
        lines.push(format!(
            "base file offset: {}",
            display_size(target.base_bytes)
        ));
    }
    if let Some(max) = target.max_bytes {
        lines.push(format!("max file size: {}", display_size(max)));
    }
    if target.thread_stride_bytes > 0 {
        let stride = display_size(target.thread_stride_bytes);
        lines.push(format!("thread stride size: {stride}"));
    }
    let hints = [
        (
            target.sequential_scan_hint,
            "using FILE_FLAG_SEQUENTIAL_SCAN hint",
        ),
        (
            target.random_access_hint,
            "using FILE_FLAG_RANDOM_ACCESS hint",
        ),
        (target.temporary_hint, "using FILE_ATTRIBUTE_TEMPORARY hint"),
    ];
    let given = hints.into_iter().filter(|(given, _)| *given);
    lines.extend(given.map(|(_, hint)| hint.to_owned()));
}

fn distribution(ranges: &Ranges, text: &mut String) {
    let (list, percent) = match ranges {
        Ranges::Uniform => return,
        Ranges::Percent(list) => (list, true),
        Ranges::Absolute(list) => (list, false),
    };
    *text += "\t\tIO Distribution:\n";
    let mut start = 0;
    for (ios, of) in crate::xml::with_rest(list, percent) {
        let end = start + of;
        *text += &if percent {
            format!("\t\t   {ios:3}% of IO => [{start:2}% - {end:3}%) of target\n")
        } else {
            format!(
                "\t\t   {ios:3}% of IO => {}",
                bytes(start, (of > 0).then_some(end))
            )
        };
        start = end;
    }
}

/// A part of a target in bytes, up to its end without one.
pub(super) fn bytes(start: u64, end: Option<u64>) -> String {
    let start = match start {
        0 => "     0   ".to_owned(),
        start => aligned(start),
    };
    let end = end.map_or_else(|| "      end".to_owned(), aligned);
    format!("[{start} - {end})\n")
}

/// A size with its number right-aligned to six columns and its unit after it; bytes are bare.
fn aligned(bytes: u64) -> String {
    let size = display_size(bytes);
    let number = size.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = &size[number.len()..];
    if unit.is_empty() {
        size
    } else {
        format!("{number:>6}{unit}")
    }
}
