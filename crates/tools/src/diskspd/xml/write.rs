//! A profile as XML, element by element in the order of the published schema.

use super::Element;
use crate::diskspd::profile::{
    Cache, Content, MapFlush, Profile, Ranges, ResultFormat, Target, Throttle, TimeSpan,
};

/// The element of a profile, as `-Rpxml` and results show it.
pub fn profile_element(profile: &Profile) -> Element {
    let mut element = Element::new("Profile");
    element.put("Progress", &profile.progress);
    if profile.experiment_flags != 0 {
        element.put("ExperimentFlags", &profile.experiment_flags);
    }
    element.put(
        "ResultFormat",
        match profile.format {
            ResultFormat::Text => "text",
            ResultFormat::Xml => "xml",
        },
    );
    element.put("Verbose", &profile.verbose);
    if profile.verbose_stats {
        element.put("VerboseStats", &true);
    }
    if let Some(precreate) = &profile.precreate {
        element.put("PrecreateFiles", &precreate);
    }
    let mut spans = Element::new("TimeSpans");
    spans.children = profile.spans.iter().map(span_element).collect();
    element.child(spans)
}

fn span_element(span: &TimeSpan) -> Element {
    let mut element = Element::new("TimeSpan");
    element.put("CompletionRoutines", &span.completion_routines);
    element.put("MeasureLatency", &span.measure_latency);
    element.put("CalculateIopsStdDev", &span.iops_bucket_ms.is_some());
    element.put("DisableAffinity", &span.no_affinity);
    element.put("Duration", &span.duration_s);
    element.put("Warmup", &span.warm_up_s);
    element.put("Cooldown", &span.cool_down_s);
    element.put("ThreadCount", &span.threads);
    element.put("RequestCount", &span.outstanding);
    element.put("IoBucketDuration", &span.iops_bucket_ms.unwrap_or(1000));
    element.put("RandSeed", &span.seed);
    if !span.affinity.is_empty() {
        let mut list = Element::new("Affinity");
        list.children = span
            .affinity
            .iter()
            .map(|(group, processor)| {
                Element::new("AffinityGroupAssignment")
                    .attribute("Group", group)
                    .attribute("Processor", processor)
            })
            .collect();
        element.children.push(list);
    }
    let mut targets = Element::new("Targets");
    targets.children = span.targets.iter().map(target_element).collect();
    element.child(targets)
}

fn target_element(target: &Target) -> Element {
    let mut element = Element::new("Target");
    element.put("Path", &target.path);
    element.put("BlockSize", &target.block_bytes);
    element.put("BaseFileOffset", &target.base_bytes);
    element.put("SequentialScan", &target.sequential_scan_hint);
    element.put("RandomAccess", &target.random_access_hint);
    element.put("TemporaryFile", &target.temporary_hint);
    element.put("UseLargePages", &target.large_pages);
    match target.cache {
        Cache::Cached => {}
        Cache::Uncached => element.put("DisableOSCache", &true),
        Cache::LocalUncached => element.put("DisableLocalCache", &true),
    }
    if target.write_through {
        element.put("WriteThrough", &true);
    }
    if target.memory_mapped {
        element.put("MemoryMappedIo", &true);
    }
    if let Some(flush) = target.flush {
        element.put(
            "FlushType",
            match flush {
                MapFlush::View => "ViewOfFile",
                MapFlush::NonVolatile => "NonVolatileMemory",
                MapFlush::NonVolatileNoDrain => "NonVolatileMemoryNoDrain",
            },
        );
    }
    element.children.push(content_element(&target.content));
    element.put("ParallelAsyncIO", &target.parallel);
    for (name, value) in [("BurstSize", target.burst), ("ThinkTime", target.think_ms)] {
        if let Some(value) = value {
            element.put(name, &value);
        }
    }
    if let Some(size) = target.file_bytes {
        element.put("FileSize", &size);
    }
    order(target, &mut element);
    element.put("ThreadStride", &target.thread_stride_bytes);
    element.put("MaxFileSize", &target.max_bytes.unwrap_or(0));
    element.put("RequestCount", &target.outstanding);
    element.put("WriteRatio", &target.write_percent);
    element.children.push(match target.throttle {
        None => Element::with_text("Throughput", &0),
        Some(Throttle::BytesPerMs(rate)) => Element::with_text("Throughput", &rate),
        Some(Throttle::Iops(rate)) => {
            Element::with_text("Throughput", &rate).attribute("unit", "IOPS")
        }
    });
    element.put("ThreadsPerFile", &target.threads);
    element.put("IOPriority", &target.priority);
    element.put("Weight", &target.weight);
    element
}

fn content_element(content: &Content) -> Element {
    let mut element = Element::new("WriteBufferContent");
    match content {
        Content::Counting => element.put("Pattern", "sequential"),
        Content::Zero => element.put("Pattern", "zero"),
        Content::Random => element.put("Pattern", "random"),
        Content::Buffer { bytes, file } => {
            element.put("Pattern", "random");
            let mut source = Element::new("RandomDataSource");
            source.put("SizeInBytes", &bytes);
            if let Some(file) = file {
                source.put("FilePath", &file);
            }
            element.children.push(source);
        }
    }
    element
}

fn order(target: &Target, element: &mut Element) {
    let order = &target.order;
    if order.random_percent == 0 {
        element.put("StrideSize", &order.stride_bytes);
        element.put("InterlockedSequential", &order.interlocked);
        return;
    }
    element.put("Random", &order.stride_bytes);
    if order.random_percent < 100 {
        element.put("RandomRatio", &order.random_percent);
    }
    let (form, list) = match &order.ranges {
        Ranges::Uniform => return,
        Ranges::Percent(list) => ("Percent", list),
        Ranges::Absolute(list) => ("Absolute", list),
    };
    let mut ranges = Element::new(form);
    ranges.children = with_rest(list, form == "Percent")
        .into_iter()
        .map(|(ios, of)| Element::with_text("Range", &of).attribute("IO", &ios))
        .collect();
    let distribution = Element::new("Distribution").child(ranges);
    element.children.push(distribution);
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
