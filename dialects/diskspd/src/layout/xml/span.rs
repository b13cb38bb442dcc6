//! The results of a time span.

use crate::effective::Part;
use crate::layout::figures::{FigureLine, Figures, Flow, Table, flow};
use crate::layout::latency::{Chart, Side};
use crate::layout::moments::Moments;
use crate::layout::series::{Bucket, Buckets};
use crate::layout::text::tables::average;
use crate::processor_group::{GROUP, cores};
use crate::xml::Element;
use fathom_core::result::{ProcessorUse, ResultField};

pub(super) fn span(figures: &Figures<'_>) -> Element {
    let mut element = Element::new("TimeSpan");
    if let Some(seconds) = figures.seconds() {
        element.put("TestTimeSeconds", &two(seconds));
    }
    if figures.origin.knows(ResultField::Threads) {
        element.put("ThreadCount", &figures.threads());
    }
    element.put("RequestCount", &figures.span.outstanding);
    if figures.cpus > 0 || !figures.origin.is_imported() {
        element.put("ProcCount", &figures.cpus);
    }
    if figures.knows_processors() {
        element.children.push(processor_elements(figures));
    }
    let total = &figures.total;
    if figures.span.measure_latency && (total.is_known || !total.total.is_empty()) {
        element.children.push(latency(total));
    }
    if figures.span.iops_bucket_ms.is_some() && figures.knows_series() {
        element.children.push(iops(
            &figures.buckets,
            figures.stddevs,
            [figures.read, figures.write],
        ));
    }
    let same = |one: &FigureLine, next: &FigureLine| one.threads() == next.threads();
    let threads = figures.lines.chunk_by(same);
    element
        .children
        .extend(threads.map(|lines| thread(figures, lines)));
    element
}

fn two(value: f64) -> String {
    format!("{value:.2}")
}

fn three(value: f64) -> String {
    format!("{value:.3}")
}

fn processor_elements(figures: &Figures<'_>) -> Element {
    let mut element = Element::new("CpuUtilization");
    let all = &figures.phase.process.processors;
    for (one, core) in all.iter().zip(cores(all)) {
        let mut cpu = Element::new("CPU");
        cpu.put("Socket", &one.socket);
        cpu.put("Node", &one.node);
        cpu.put("Group", &(one.number / GROUP));
        cpu.put("Core", &core);
        cpu.put("EfficiencyClass", &0);
        cpu.put("Id", &(one.number % GROUP));
        shares(one, &mut cpu);
        element.children.push(cpu);
    }
    let mut mean = Element::new("Average");
    shares(&average(figures), &mut mean);
    element.child(mean)
}

fn shares(one: &ProcessorUse, element: &mut Element) {
    element.put("UsagePercent", &two(one.user_percent + one.kernel_percent));
    element.put("UserPercent", &two(one.user_percent));
    element.put("KernelPercent", &two(one.kernel_percent));
    element.put("IdlePercent", &two(one.idle_percent));
}

/// Percentiles with just the decimals they need.
fn percentiles() -> impl Iterator<Item = (String, f64)> {
    let whole = (0..100).map(|percent| (percent.to_string(), f64::from(percent) / 100.0));
    let nines = (1..=7).map(|nines| {
        let text = format!("99.{}", "9".repeat(nines));
        let share = text.parse::<f64>().unwrap_or(99.0) / 100.0;
        (text, share)
    });
    whole
        .chain(nines)
        .chain(std::iter::once(("100".to_owned(), 1.0)))
}

fn latency(chart: &Chart) -> Element {
    let mut element = Element::new("Latency")
        .attribute("ReadHistoBuckets", &chart.read.buckets())
        .attribute("WriteHistoBuckets", &chart.write.buckets())
        .attribute("TotalHistoBuckets", &chart.total.buckets());
    let sides = [
        (&chart.read, "AverageReadMilliseconds", "ReadLatencyStdev"),
        (
            &chart.write,
            "AverageWriteMilliseconds",
            "WriteLatencyStdev",
        ),
        (&chart.total, "AverageTotalMilliseconds", "LatencyStdev"),
    ];
    for (side, mean, stddev) in sides {
        means(&side.moments, mean, stddev, &mut element);
    }
    for (name, share) in percentiles() {
        let mut bucket = Element::new("Bucket");
        bucket.put("Percentile", &name);
        let mut found = false;
        let mut put = |side: &Side, name: &str| {
            let value = side.value_ms(share).filter(|_| !side.is_empty());
            if let Some(value) = value {
                found = true;
                bucket.put(name, &three(value));
            }
        };
        put(&chart.read, "ReadMilliseconds");
        put(&chart.write, "WriteMilliseconds");
        put(&chart.total, "TotalMilliseconds");
        if found || chart.total.is_empty() {
            element.children.push(bucket);
        }
    }
    element
}

fn means(moments: &Moments, mean: &str, stddev: &str, element: &mut Element) {
    if moments.count > 0 {
        element.put(mean, &three(moments.mean_ms()));
        element.put(stddev, &three(moments.stddev_ms()));
    }
}

fn iops(buckets: &Buckets, stddevs: [f64; 3], [read, write]: [Flow; 2]) -> Element {
    let done = [read.ios > 0, write.ios > 0];
    let mut element = Element::new("Iops");
    let [total, read, write] = stddevs.map(three);
    // DISKSPD has none where nothing was done.
    for (name, stddev, is_done) in [
        ("ReadIopsStdDev", read, done[0]),
        ("WriteIopsStdDev", write, done[1]),
        ("IopsStdDev", total, done[0] || done[1]),
    ] {
        if is_done {
            element.put(name, &stddev);
        }
    }
    for (index, bucket) in buckets.list.iter().enumerate() {
        element
            .children
            .push(bucket_element(buckets, index, bucket));
    }
    element
}

fn bucket_element(buckets: &Buckets, index: usize, bucket: &Bucket) -> Element {
    let rate = |ios: u64| format!("{:.0}", ios as f64 / buckets.seconds());
    let mut element = Element::new("Bucket")
        .attribute(
            "SampleMillisecond",
            &((index as u64 + 1) * buckets.length_ms),
        )
        .attribute("Read", &rate(bucket.reads))
        .attribute("Write", &rate(bucket.writes))
        .attribute("Total", &rate(bucket.reads + bucket.writes));
    for (side, moments) in [("Read", &bucket.read), ("Write", &bucket.write)] {
        element = element
            .attribute(
                &format!("{side}MinLatencyMilliseconds"),
                &three(moments.min / 1e6),
            )
            .attribute(
                &format!("{side}MaxLatencyMilliseconds"),
                &three(moments.max / 1e6),
            )
            .attribute(
                &format!("{side}AvgLatencyMilliseconds"),
                &three(moments.mean_ms()),
            )
            .attribute(&format!("{side}LatencyStdDev"), &three(moments.stddev_ms()));
    }
    element
}

/// A thread with its targets.
fn thread(figures: &Figures<'_>, lines: &[FigureLine]) -> Element {
    let mut element = Element::new("Thread");
    if let Some(first) = lines.first() {
        element.put("Id", &first.thread);
    }
    let targets = lines.iter().map(|line| target(figures, line));
    element.children.extend(targets);
    element
}

fn target(figures: &Figures<'_>, line: &FigureLine) -> Element {
    let all = flow(Table::Total, line.read, line.write);
    let mut target = Element::new("Target");
    target.put("Path", &line.path);
    let knows = |field: ResultField| figures.origin.knows(field);
    let has_size = line.size_bytes > 0 || !figures.origin.is_imported();
    for (name, number, is_known) in [
        ("BytesCount", all.bytes, knows(ResultField::Bytes)),
        ("FileSize", line.size_bytes, has_size),
        ("IOCount", all.ios, knows(ResultField::Ios)),
        ("ReadBytes", line.read.bytes, knows(ResultField::Bytes)),
        ("ReadCount", line.read.ios, knows(ResultField::Ios)),
        ("WriteBytes", line.write.bytes, knows(ResultField::Bytes)),
        ("WriteCount", line.write.ios, knows(ResultField::Ios)),
    ] {
        if is_known {
            target.put(name, &number);
        }
    }
    if !line.parts.is_empty() {
        target.children.push(distribution(&line.parts));
    }
    if figures.span.measure_latency {
        let sides = [
            (
                line.read.latency,
                "AverageReadLatencyMilliseconds",
                "ReadLatencyStdev",
            ),
            (
                line.write.latency,
                "AverageWriteLatencyMilliseconds",
                "WriteLatencyStdev",
            ),
            (all.latency, "AverageLatencyMilliseconds", "LatencyStdev"),
        ];
        for (moments, mean, stddev) in sides {
            means(&moments, mean, stddev, &mut target);
        }
    }
    if figures.span.iops_bucket_ms.is_some() && figures.knows_series() {
        let none = Buckets::default();
        let buckets = line.buckets.as_ref().unwrap_or(&none);
        target
            .children
            .push(iops(buckets, line.stddevs, [line.read, line.write]));
    }
    target
}

/// Where the shares of a distribution went; what lies between got none.
fn distribution(parts: &[Part]) -> Element {
    let mut absolute = Element::new("Absolute");
    let mut range = |ios: u32, length: u64| {
        let range = Element::with_text("Range", &length).attribute("IO", &ios);
        absolute.children.push(range);
    };
    let mut end = 0;
    for part in parts {
        if part.start > end {
            range(0, part.start - end);
        }
        range(part.ios, part.length);
        end = part.start + part.length;
    }
    Element::new("Distribution").child(absolute)
}
