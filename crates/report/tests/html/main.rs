//! The page: its drawings and numbers whole, its texts, and what must not be in it.

mod compared;
mod mail;
mod outline;

use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::result::{
    CpuShares, DeviceUse, EncodedHistogram, Gauge, MachineInterval, Origin, RequirementOutcome,
    RequirementReport, RunResult, Unknown,
};
use fathom_core::{Histogram, Op, State};
use fathom_report::{NamedRun, TextOptions, find, html_report, write};

fn page(result: &RunResult) -> String {
    let mut bytes = Vec::new();
    let format = find("html").expect("html is a format");
    write(result, format, TextOptions::default(), &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("a page is UTF-8")
}

/// The charts of a page, from the first to the last.
fn charts(page: &str) -> Vec<&str> {
    let figures = page.split("<figure").skip(1);
    let figures = figures.map(|rest| rest.split_once("</figure>").map_or(rest, |(own, _)| own));
    figures.collect()
}

/// The name of a chart, and the heads and rows of the table behind it.
fn numbers(chart: &str) -> String {
    let part = |from: &str, to: &str| {
        let (_, rest) = chart.split_once(from).expect(from);
        rest.split_once(to).map_or(rest, |(own, _)| own).to_owned()
    };
    let title = part("-title\">", "</h2>");
    let table = part("<thead><tr>", "</table>");
    let table = table
        .replace("<th scope=\"col\">", " | ")
        .replace("<tbody>", "");
    let table = table.replace("<tr><th>", "  ").replace("<td>", " | ");
    format!("{title}\n{table}\n")
}

/// Reads and writes for four seconds, with a machine beside them.
fn four_seconds() -> RunResult {
    let streams = vec![
        Stream::random(Op::Read, 4096, series(2_000, 4)),
        Stream::random(Op::Write, 4096, vec![400, 0, 380, 390]),
    ];
    let job = JobPlan::closed("mixed", 8, streams);
    let mut result = fixture::run("four-seconds", &[("measure", vec![job])]);
    let phase = &mut result.phases[0];
    for (index, interval) in phase.intervals.iter_mut().enumerate() {
        for op in [Op::Read, Op::Write] {
            let Some(op) = &mut interval.jobs[0].ops[op] else {
                continue;
            };
            let mut histogram = Histogram::new();
            (0..op.ios).for_each(|number| histogram.record(100_000 + number * 1_000));
            op.service_ns = histogram.summary();
            op.service_histogram = Some(EncodedHistogram::of(&histogram));
        }
        let start_ns = interval.start_ns;
        phase.machine.push(MachineInterval {
            start_ns,
            length_ns: interval.length_ns,
            devices: vec![DeviceUse {
                device: "vda".to_owned(),
                reads: 2_000,
                read_bytes: 8_192_000,
                queue_ns: 3_500_000_000,
                ..DeviceUse::default()
            }],
            cpu: Some(CpuShares {
                user_percent: 3.5,
                system_percent: 12.25,
                own_percent: 9.0,
                ..CpuShares::default()
            }),
            gauges: vec![Gauge {
                name: "vol-1 credits".to_owned(),
                unit: "I/Os".to_owned(),
                value: 5_400_000.0 - index as f64 * 1_000.0,
                full: Some(5_400_000.0),
            }],
            ..MachineInterval::default()
        });
    }
    result
}

#[test]
fn the_numbers_behind_the_charts_of_a_run() {
    let page = page(&four_seconds());
    let numbers: String = charts(&page).into_iter().map(numbers).collect();
    insta::assert_snapshot!(numbers);
}

#[test]
fn a_run_begins_with_one_chart() {
    let mut result = four_seconds();
    result.phases[0].warm_up_ns = 1_000_000_000;
    result.phases[0].measured_ns = 3_000_000_000;
    result.requirements.push(RequirementReport {
        text: "p99<=2ms".to_owned(),
        outcome: RequirementOutcome::Met,
        checks: Vec::new(),
    });
    let page = page(&result);
    let first = charts(&page)[0].replace('>', ">\n");
    insta::assert_snapshot!(first);
}

#[test]
fn the_numbers_of_a_ramp_and_of_runs_beside_each_other() {
    let phases = |factor: u64| {
        [1, 4, 16].map(|depth: u32| {
            let series = series(u64::from(depth) * factor, 3);
            let stream = Stream::random(Op::Read, 4096, series);
            vec![JobPlan::closed("read", depth, vec![stream])]
        })
    };
    let run = |factor| {
        let [one, four, sixteen] = phases(factor);
        let phases = [("qd1", one), ("qd4", four), ("qd16", sixteen)];
        fixture::run("ramp", &phases)
    };
    let (before, after) = (run(1_000), run(1_200));
    let named = |label, result| NamedRun { label, result };
    let page = html_report(&[named("before", &before), named("after", &after)]);
    let compared = charts(&page)
        .into_iter()
        .filter(|chart| chart.contains("id=\"compared-"));
    let numbers: String = compared.map(numbers).collect();
    insta::assert_snapshot!(numbers);
}

#[test]
fn names_cannot_become_markup() {
    let name = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";
    let mut result = four_seconds();
    result.provenance.workload.name = name.to_owned();
    result.phases[0].jobs[0].name = name.to_owned();
    result.provenance.host.hostname = name.to_owned();
    let mut second = result.phases[0].jobs[0].clone();
    second.name = format!("{name} again");
    result.phases[0].jobs.push(second);
    let page = page(&result);
    let count = |part: &str| page.matches(part).count();
    // Our script; no element of a name's.
    assert_eq!(
        (count("<script"), count("</script>"), count("<img")),
        (1, 1, 0)
    );
}

#[test]
fn nothing_is_fetched() {
    let mut result = four_seconds();
    result.provenance.origin = Origin::Imported {
        tool: "fio-3.33".to_owned(),
        format: "fio-json+".to_owned(),
        unknown: Unknown::default(),
    };
    let own = page(&result);
    for forbidden in [
        "http:", "https:", "src=", "url(", "@import", "<link", "<iframe",
    ] {
        assert_eq!(own.find(forbidden), None, "{forbidden}");
    }
}

#[test]
fn every_state_and_shape_has_a_page() {
    let mut results = vec![fixture::random_read(), four_seconds()];
    for state in [State::Qualified, State::Suspect, State::Invalid] {
        let mut result = fixture::random_read();
        result.state = state;
        results.push(result);
    }
    results.push(fixture::run("nothing", &[]));
    let mut unmeasured = four_seconds();
    unmeasured.phases[0].measured_ns = 0;
    unmeasured.phases[0].intervals.clear();
    unmeasured.phases[0].jobs[0].ops[Op::Read] = None;
    results.push(unmeasured);
    for result in &results {
        let page = page(result);
        let count = |part: &str| page.matches(part).count();
        assert_eq!(count("class=\"fold phase\""), result.phases.len());
        assert_eq!(count("<figure"), count("</figure>"));
        // Without the script every table has its numbers.
        assert_eq!(count("<tbody></table>"), 0);
    }
}

/// A colour of the style for bright and dark surroundings.
fn colour(name: &str) -> [[f64; 3]; 2] {
    const STYLE: &str = include_str!("../../assets/report.css");
    let (_, rest) = STYLE
        .split_once(&format!("--{name}: light-dark("))
        .unwrap_or_else(|| panic!("a colour {name}"));
    let (both, _) = rest.split_once(')').expect("it ends");
    let both: Vec<[f64; 3]> = both.split(", ").map(linear).collect();
    [both[0], both[1]]
}

/// Shares of red, green and blue light (IEC 61966-2-1).
fn linear(hex: &str) -> [f64; 3] {
    [1, 3, 5].map(|at| {
        let share = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).expect("hex")) / 255.0;
        if share <= 0.04045 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    })
}

fn luminance(rgb: [f64; 3]) -> f64 {
    0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
}

/// The contrast of two colours, as WCAG 2.1 has it.
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let (a, b) = (luminance(one) + 0.05, luminance(other) + 0.05);
    a.max(b) / a.min(b)
}

/// Lightness and two opponent colours (CIE 1976 L*a*b*, white of D65).
fn lab(rgb: [f64; 3]) -> [f64; 3] {
    let x = (0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505;
    let z = (0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089;
    let root = |share: f64| {
        if share > 0.008_856 {
            share.cbrt()
        } else {
            7.787 * share + 16.0 / 116.0
        }
    };
    let (x, y, z) = (root(x), root(luminance(rgb)), root(z));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// As somebody without green cones sees it (Machado, Oliveira and Fernandes 2009, severity 1).
fn without_green(rgb: [f64; 3]) -> [f64; 3] {
    let rows = [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ];
    rows.map(|row| {
        let sum: f64 = row
            .iter()
            .zip(rgb)
            .map(|(weight, light)| weight * light)
            .sum();
        sum.clamp(0.0, 1.0)
    })
}

fn distance(one: [f64; 3], other: [f64; 3]) -> f64 {
    let squares = one.iter().zip(other).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

#[test]
fn the_colours_of_runs_differ_for_everybody() {
    let runs = [0, 1, 2, 3].map(|run| colour(&format!("run{run}")));
    let ops = ["read", "write", "trim", "flush"].map(colour);
    for theme in [0, 1] {
        for (index, run) in runs.iter().enumerate() {
            for other in &runs[..index] {
                let (one, other) = (run[theme], other[theme]);
                let seen = distance(lab(without_green(one)), lab(without_green(other)));
                assert!(
                    seen > 12.0,
                    "runs {index}, theme {theme}: {seen} without green"
                );
                let grey = (lab(one)[0] - lab(other)[0]).abs();
                assert!(grey > 6.0, "runs {index}, theme {theme}: {grey} in grey");
            }
            for op in &ops {
                let seen = distance(lab(run[theme]), lab(op[theme]));
                assert!(
                    seen > 15.0,
                    "run {index} and an operation, theme {theme}: {seen}"
                );
            }
        }
    }
}

#[test]
fn words_and_lines_stand_out_from_their_ground() {
    let words = [
        "ink",
        "soft",
        "accent",
        "valid",
        "qualified",
        "suspect",
        "invalid",
    ];
    let lines = [
        "read", "write", "trim", "flush", "queue", "own", "p50", "p99", "p999", "max", "iowait",
        "run0", "run1", "run2", "run3", "run4", "run5", "run6", "run7",
    ];
    let grounds = ["page", "card"].map(colour);
    for theme in [0, 1] {
        for ground in &grounds {
            let of = |name: &str| contrast(colour(name)[theme], ground[theme]);
            for name in words {
                assert!(of(name) >= 4.5, "{name} in theme {theme}: {}", of(name));
            }
            for name in lines {
                assert!(of(name) >= 2.9, "{name} in theme {theme}: {}", of(name));
            }
        }
    }
}

/// A run of two phases of four seconds each.
fn two_phases(ios: u64) -> RunResult {
    let phase = |name: &str| {
        let stream = Stream::random(Op::Read, 4096, series(ios, 4));
        vec![JobPlan::closed(name, 8, vec![stream])]
    };
    fixture::run(
        "two",
        &[("first", phase("first")), ("second", phase("second"))],
    )
}

#[test]
fn three_runs_are_one_table_and_lie_over_each_other() {
    let runs = [2_000, 2_200, 1_900].map(two_phases);
    let labels = ["before", "after", "again"];
    let named = runs.iter().zip(labels);
    let named: Vec<NamedRun<'_>> = named
        .map(|(result, label)| NamedRun { label, result })
        .collect();
    let page = html_report(&named);
    let heads = page.split("<table class=\"figures beside\">").nth(1);
    let heads = heads.and_then(|rest| rest.split("</thead>").next());
    let heads: Vec<&str> = heads
        .into_iter()
        .flat_map(|head| head.split("<th ").skip(1))
        .filter_map(|cell| cell.split('>').nth(1)?.split('<').next())
        .collect();
    assert_eq!(heads, ["number", "A: before", "B: after", "C: again"]);
    // What matters, and all else in a fold.
    assert_eq!(page.matches("class=\"figures beside\"").count(), 2);
    let titles: Vec<String> = charts(&page)
        .iter()
        .filter(|chart| chart.contains("id=\"compared-c"))
        .filter_map(|chart| {
            let (_, title) = chart.split_once("-title\">")?;
            let title = title.split_once("<h2").map_or(title, |(_, title)| title);
            let (_, title) = title.split_once("-title\">")?;
            Some(title.split_once('<')?.0.to_owned())
        })
        .collect();
    let expected = [
        "Throughput over time, by run",
        "Percentiles of first: read service time, by run",
        "Percentiles of second: read service time, by run",
        "IOPS",
        "Throughput",
        "Mean latency",
        "99th percentile of latency",
    ];
    assert_eq!(titles, expected);
    // Both phases of all three, each with a name at the end of its line.
    let course = charts(&page)
        .into_iter()
        .find(|chart| chart.contains("over time, by run"));
    let course = course.expect("a course");
    let marks = course.matches("class=\"phase-begin\"").count();
    let rows = course.matches("\n<tr>").count();
    assert_eq!((marks, rows), (2, 8));
}
