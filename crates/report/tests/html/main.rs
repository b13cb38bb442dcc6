//! The page: its data whole, its texts, and what must not be in it.

use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::result::{
    CpuShares, DeviceUse, EncodedHistogram, Gauge, MachineInterval, Origin, RunResult,
};
use fathom_core::{Histogram, Op, State};
use fathom_report::{NamedRun, TextOptions, find, html_report, write};

/// The vendored library, which is not ours to look into.
const LIBRARY: &str = include_str!("../../assets/vendor/echarts.min.js");

fn page(result: &RunResult) -> String {
    let mut bytes = Vec::new();
    let format = find("html").expect("html is a format");
    write(result, format, TextOptions::default(), &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("a page is UTF-8")
}

/// The data that the page's script draws.
fn data(page: &str) -> serde_json::Value {
    let begin = r#"<script type="application/json" id="data">"#;
    let (_, rest) = page.split_once(begin).expect("the data are there");
    let (data, _) = rest.split_once("</script>").expect("they end");
    serde_json::from_str(data).expect("they are JSON")
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
            let Some(op) = interval.jobs[0].op_mut(op) else {
                continue;
            };
            let mut histogram = Histogram::<u64>::new();
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
        });
    }
    result
}

#[test]
fn the_data_of_a_run() {
    insta::assert_snapshot!(serde_json::to_string_pretty(&data(&page(&four_seconds()))).unwrap());
}

#[test]
fn the_data_of_a_ramp_and_of_runs_beside_each_other() {
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
    let compared = data(&page)["sections"][0].clone();
    insta::assert_snapshot!(serde_json::to_string_pretty(&compared).unwrap());
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
    let own = page.replace(LIBRARY, "");
    let count = |part: &str| own.matches(part).count();
    // The data, the library and our script; no element of a name's.
    assert_eq!(
        (count("<script"), count("</script>"), count("<img")),
        (3, 3, 0)
    );
    let drawn = data(&page);
    let caption = drawn["sections"][0]["caption"].as_str().unwrap();
    assert_eq!(caption.split(" · ").next(), Some(name));
}

#[test]
fn nothing_is_fetched() {
    let mut result = four_seconds();
    result.provenance.origin = Origin::Imported {
        tool: "fio-3.33".to_owned(),
        format: "fio-json+".to_owned(),
        unknown: Vec::new(),
    };
    let own = page(&result).replace(LIBRARY, "");
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
    unmeasured.phases[0].jobs[0].read = None;
    results.push(unmeasured);
    for result in &results {
        let page = page(result);
        let drawn = data(&page);
        let sections = drawn["sections"].as_array().map(Vec::len);
        assert_eq!(sections, Some(result.phases.len()));
        assert_eq!(
            page.matches("<figure").count(),
            page.matches("</figure>").count()
        );
    }
}
