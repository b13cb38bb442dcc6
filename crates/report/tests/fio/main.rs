//! fio's layouts: read as fio's readers read them, and compared with what fio 3.33 wrote for a
//! mixed job with flushes.

use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::result::{IntervalOp, OpResult, Origin, RunResult};
use fathom_core::{Level, Op, State};
use fathom_fio::{FioLayout, FioStyle, TerseVersion, Unified, write_fio};
use fathom_programs::read_results;
use fathom_report::find;
use fathom_tools::results::ResultFile;
use fathom_verdict::Code;
use fathom_verdict::compare::differences;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const FIO_JSON: &str = include_str!("fio-3.33.json");
const FIO_TERSE: [(TerseVersion, &str); 4] = [
    (TerseVersion::V2, include_str!("fio-3.33.terse-v2")),
    (TerseVersion::V3, include_str!("fio-3.33.terse")),
    (TerseVersion::V4, include_str!("fio-3.33.terse-v4")),
    (TerseVersion::V5, include_str!("fio-3.33.terse-v5")),
];

/// Reads and writes of 4 KiB at depth 4 for ten seconds.
fn mixed() -> RunResult {
    let streams = vec![
        Stream::random(Op::Read, 4096, series(700, 10)),
        Stream::random(Op::Write, 4096, series(300, 10)),
    ];
    fixture::run("mixed", &[("p", vec![JobPlan::closed("oltp", 4, streams)])])
}

fn layout(result: &RunResult) -> FioLayout {
    let mut layout = FioLayout::of(result);
    layout.global_options = vec![("bs".to_owned(), "4k".to_owned())];
    layout.rows[0].description = Some("hello x".to_owned());
    layout.rows[0].options = vec![("rw".to_owned(), "randrw".to_owned())];
    layout
}

fn json(result: &RunResult, layout: &FioLayout, style: FioStyle) -> Value {
    let text = write_fio(result, layout, style);
    serde_json::from_str(&text).expect("JSON")
}

/// The paths of all keys, without those that are data.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    const DATA: [&str; 4] = [".job options", ".global options", ".percentile", ".bins"];
    match value {
        Value::Object(fields) if !DATA.iter().any(|data| path.ends_with(data)) => {
            for (name, value) in fields {
                let path = format!("{path}.{name}");
                keys(value, &path, found);
                found.insert(path);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, path, found)),
        _ => {}
    }
}

fn key_tree(value: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    keys(value, "", &mut found);
    found
}

#[test]
fn the_keys_are_those_of_fio_and_one_of_ours() {
    let result = mixed();
    let ours = key_tree(&json(&result, &FioLayout::of(&result), FioStyle::Json));
    let theirs = key_tree(&serde_json::from_str(FIO_JSON).expect("a fixture"));
    // Percentiles of flushes need flushes, which the made-up run has not.
    let missing: Vec<_> = theirs.difference(&ours).collect();
    assert_eq!(missing, [".jobs.sync.lat_ns.percentile"]);
    let added: Vec<_> = ours.difference(&theirs).collect();
    let expected = [
        ".fathom",
        ".fathom.caveats",
        ".fathom.run_id",
        ".fathom.state",
        ".fathom.version",
    ];
    assert_eq!(added, expected);
}

/// What KDiskMark, fio-plot and the scripts of cloud vendors take out.
#[test]
fn a_reader_of_fio_finds_its_numbers() {
    let result = mixed();
    let document = json(&result, &layout(&result), FioStyle::Json);
    let job = &document["jobs"][0];
    let read = result.phases[0].jobs[0].ops.get(Op::Read).expect("reads");
    assert_eq!(job["jobname"], "oltp");
    assert_eq!(job["error"], 0);
    assert_eq!(job["job options"]["rw"], "randrw");
    assert_eq!(document["global options"]["bs"], "4k");
    assert_eq!(job["read"]["io_bytes"], read.bytes);
    assert_eq!(job["read"]["io_kbytes"], read.bytes / 1024);
    assert_eq!(job["read"]["total_ios"], read.ios);
    assert_eq!(job["read"]["bw_bytes"], read.bytes_per_second as u64);
    assert_eq!(job["read"]["runtime"], 10_000);
    let near = |value: &Value, expected: f64| {
        let value = value.as_f64().expect("a number");
        assert!(
            (value - expected).abs() <= 1e-6 * expected.max(1.0),
            "{value} {expected}"
        );
    };
    near(&job["read"]["iops"], read.iops);
    near(&job["read"]["clat_ns"]["mean"], read.service_ns.mean);
    near(&job["read"]["lat_ns"]["stddev"], read.service_ns.stddev);
    assert_eq!(job["read"]["clat_ns"]["N"], read.ios);
    assert_eq!(job["read"]["slat_ns"]["N"], 0);
    let histogram = read.service_histogram.as_ref().expect("a histogram");
    let histogram = histogram.decode().expect("own bytes");
    let percentile = &job["read"]["clat_ns"]["percentile"]["99.000000"];
    assert_eq!(percentile, &Value::from(histogram.quantile_ns(0.99)));
    assert_eq!(job["trim"]["total_ios"], 0);
    assert_eq!(job["iodepth_level"]["4"], 100.0);
    assert_eq!(job["read"]["bw_samples"], 10);
    let steps = ["latency_ns", "latency_us", "latency_ms"];
    let shares = steps
        .iter()
        .flat_map(|name| job[*name].as_object().expect("steps").values());
    near(
        &Value::from(shares.filter_map(Value::as_f64).sum::<f64>()),
        100.0,
    );
}

#[test]
fn buckets_add_up_to_all_requests() {
    let result = mixed();
    let document = json(&result, &layout(&result), FioStyle::JsonPlus);
    let write = &document["jobs"][0]["write"];
    let bins = write["clat_ns"]["bins"].as_object().expect("bins");
    let sum: u64 = bins.values().filter_map(Value::as_u64).sum();
    assert_eq!(Some(sum), write["total_ios"].as_u64());
}

#[test]
fn directions_can_be_added_up() {
    let result = mixed();
    let mut layout = layout(&result);
    layout.rows[0].unified = Unified::Mixed;
    let document = json(&result, &layout, FioStyle::Json);
    let job = document["jobs"][0].as_object().expect("a job");
    assert!(!job.contains_key("read"));
    assert_eq!(
        job["mixed"]["total_ios"],
        result.phases[0].jobs[0].completed
    );
}

#[test]
fn clones_that_report_together_are_one_row() {
    let plan = |name: &str| {
        let stream = Stream::sequential(Op::Read, 65_536, series(100, 4));
        JobPlan::closed(name, 2, vec![stream])
    };
    let result = fixture::run("two", &[("p", vec![plan("x.0"), plan("x.1")])]);
    let mut layout = FioLayout::of(&result);
    let second = layout.rows.pop().expect("two rows");
    layout.rows[0].members.extend(second.members);
    layout.rows[0].clones = 2;
    let document = json(&result, &layout, FioStyle::Json);
    let jobs = document["jobs"].as_array().expect("jobs");
    assert_eq!(jobs.len(), 1);
    let single = result.phases[0].jobs[0].completed;
    assert_eq!(jobs[0]["read"]["total_ios"], 2 * single);
    assert_eq!(jobs[0]["read"]["clat_ns"]["N"], 2 * single);
    assert_eq!(jobs[0]["job_runtime"], 8000);
}

/// The places of fields: a number, or the letters around it.
fn shape(line: &str) -> Vec<String> {
    let letters = |field: &str| {
        let kept = field.chars().filter(|c| !c.is_ascii_digit() && *c != '.');
        kept.collect::<String>()
    };
    line.trim_end().split(';').map(letters).collect()
}

#[test]
fn the_terse_lines_have_the_fields_of_fio() {
    let result = mixed();
    for (version, theirs) in FIO_TERSE {
        let text = write_fio(&result, &layout(&result), FioStyle::Terse(version));
        let mut theirs: Vec<Vec<String>> = theirs.lines().map(shape).collect();
        let name = usize::from(version != TerseVersion::V2) + 1;
        theirs[0][name] = "oltp".to_owned();
        if version != TerseVersion::V2 {
            theirs[0][1] = "fio--fathom-".to_owned();
        }
        let ours: Vec<Vec<String>> = text.lines().map(shape).collect();
        assert_eq!(ours, theirs, "{version:?}");
    }
}

#[test]
fn the_terse_lines_are_read_again() {
    let result = mixed();
    for (version, theirs) in &FIO_TERSE {
        let text = write_fio(&result, &layout(&result), FioStyle::Terse(*version));
        let [ours, theirs] = [text.as_str(), theirs].map(|text| {
            let files = [ResultFile { name: "a", text }];
            read_results(&files).expect("terse lines").remove(0).result
        });
        let rates = |result: &RunResult| {
            let jobs = result.phases.iter().flat_map(|phase| &phase.jobs);
            let ops = jobs.flat_map(|job| job.ops.present());
            let rate = |(op, of): (Op, &OpResult)| (op, of.iops as u64, of.bytes / 1024);
            ops.map(rate).collect::<Vec<_>>()
        };
        assert_eq!(rates(&ours), rates(&result), "{version:?}");
        // A read and a write row of fio's own, and its text about the job.
        assert_eq!(rates(&theirs).len(), 2, "{version:?}");
    }
}

#[test]
fn one_set_over_all_directions_has_one_place_in_a_terse_line() {
    let result = mixed();
    let mut layout = layout(&result);
    layout.rows[0].unified = Unified::Mixed;
    layout.rows[0].description = None;
    layout.disk_util = false;
    let line = write_fio(&result, &layout, FioStyle::Terse(TerseVersion::V4));
    // As many as fio 3.33 writes.
    assert_eq!(line.split(';').count(), 80);
}

#[test]
fn the_form_for_people_is_whole() {
    let result = mixed();
    insta::assert_snapshot!(write_fio(&result, &layout(&result), FioStyle::Normal));
}

#[test]
fn any_run_has_the_form() {
    let result = fixture::random_read();
    let mut bytes = Vec::new();
    let format = find("fio-json").expect("fio-json is a format");
    fathom_report::write(
        &result,
        format,
        fathom_report::TextOptions::default(),
        &mut bytes,
    )
    .expect("memory takes everything");
    let text = String::from_utf8(bytes).expect("JSON is UTF-8");
    assert_eq!(
        text,
        write_fio(&result, &FioLayout::of(&result), FioStyle::Json)
    );
}

#[test]
fn what_is_written_is_what_is_read_again() {
    let result = mixed();
    let layout = layout(&result);
    for (style, format) in [
        (FioStyle::Json, "fio-json"),
        (FioStyle::JsonPlus, "fio-json+"),
    ] {
        let text = write_fio(&result, &layout, style);
        let name = "a.json";
        let imports = read_results(&[ResultFile { name, text: &text }]);
        let imports = imports.expect("our own");
        let imported = &imports[0].result;
        let origin = &imported.provenance.origin;
        assert!(matches!(origin, Origin::Imported { format: found, .. } if found == format));
        let (found, source) = (&imported.phases[0].jobs[0], &result.phases[0].jobs[0]);
        assert_eq!(
            (found.completed, found.failed),
            (source.completed, source.failed)
        );
        for op in [Op::Read, Op::Write] {
            let (found, source) = (found.ops.get(op).unwrap(), source.ops.get(op).unwrap());
            let histogram = source.service_histogram.as_ref().unwrap().decode().unwrap();
            let expected: BTreeMap<String, u64> = layout.rows[0]
                .percentiles
                .iter()
                .map(|percent| (percent.to_string(), histogram.quantile_ns(percent / 100.0)))
                .collect();
            assert_eq!(found.service_ns.percentiles, expected);
            assert_eq!(
                (
                    found.ios,
                    found.bytes,
                    found.iops.round(),
                    found.service_ns.mean.round()
                ),
                (
                    source.ios,
                    source.bytes,
                    source.iops.round(),
                    source.service_ns.mean.round()
                )
            );
            let bins = found
                .service_histogram
                .as_ref()
                .map(|all| all.decode().unwrap());
            let bins = bins.map(|all| all.buckets().collect::<Vec<_>>());
            let expected = matches!(style, FioStyle::JsonPlus)
                .then(|| histogram.buckets().collect::<Vec<_>>());
            assert_eq!(bins, expected);
        }
    }
}

/// What forbids a comparison of two documents, with both values.
fn blocked(texts: [(&str, &str); 2]) -> Vec<(&'static str, String, String)> {
    let [one, two] = texts.map(|(name, text)| {
        let mut imports = read_results(&[ResultFile { name, text }]).expect(name);
        imports.remove(0).result
    });
    let found = differences(&one, &two).into_iter();
    found
        .map(|factor| (factor.name, factor.base, factor.other))
        .collect()
}

#[test]
fn a_file_name_does_not_forbid_a_comparison_and_zeros_do() {
    let text = include_str!("fio-3.33.json");
    assert_eq!(blocked([("a.json", text), ("b.json", text)]), []);
    let write = |options: &str| {
        format!(
            r#"{{"fio version": "fio-3.36", "timestamp": 1, "jobs": [{{"jobname": "w", "error": 0,
            "elapsed": 2, "job options": {{"rw": "write"{options}}}, "write": {{"io_bytes": 4096,
            "bw_bytes": 4096, "iops": 1.0, "runtime": 1000, "total_ios": 1}}}}]}}"#
        )
    };
    let zeros = write(r#", "zero_buffers": "1""#);
    let squeezed = write(r#", "buffer_compress_percentage": "60", "dedupe_percentage": "20""#);
    let words = |fill: &str, to: u32, copies: u32| {
        format!("{fill}, compressible to {to}%, {copies}% duplicate")
    };
    let plain = words("random", 100, 0);
    assert_eq!(
        blocked([("a.json", &write("")), ("a.json", &zeros)]),
        [("data", plain.clone(), words("zero", 100, 0))]
    );
    assert_eq!(
        blocked([("a.json", &write("")), ("a.json", &squeezed)]),
        [("data", plain, words("random", 40, 20))]
    );
}

#[test]
fn a_doubtful_result_stays_doubtful_when_it_is_read_again() {
    let mut result = mixed();
    result.state = State::Suspect;
    let stolen = "the hypervisor gave 7.4 % of this machine's CPU time to others";
    result.caveats = vec![Code::Steal.caveat(Level::Suspect, stolen)];
    let text = write_fio(&result, &layout(&result), FioStyle::Json);
    let name = "a.json";
    let mut imports = read_results(&[ResultFile { name, text: &text }]).unwrap();
    let imported = &mut imports[0].result;
    fathom_verdict::judge(imported);
    let message = format!("the source itself was SUSPECT: {stolen} [steal]");
    let expected = Code::SourceState
        .caveat(Level::Suspect, message)
        .remedy("fix the cause, and measure again");
    assert_eq!(
        (imported.state, &imported.caveats[0]),
        (State::Suspect, &expected),
    );
    // The documentation shows this one.
    let documented = fathom_verdict::Code::SourceState.entry();
    assert_eq!(
        documented.and_then(fathom_verdict::Entry::example),
        Some(expected)
    );
}

#[test]
fn a_job_that_began_later_was_not_slow_before() {
    let mut result = mixed();
    let spread = |result: &RunResult| {
        let document = json(result, &layout(result), FioStyle::Json);
        let read = &document["jobs"][0]["read"];
        (read["bw_min"].clone(), read["bw_samples"].clone())
    };
    let (least, _) = spread(&result);
    for interval in &mut result.phases[0].intervals[..3] {
        let job = &mut interval.jobs[0];
        job.queue_depth_held = 0.0;
        job.ops[Op::Read] = Some(IntervalOp::default());
        job.ops[Op::Write] = None;
    }
    assert_eq!(spread(&result), (least.clone(), Value::from(7)));
    // A second without a request is slow when some are in flight.
    result.phases[0].intervals[1].jobs[0].queue_depth_held = 4.0;
    assert_eq!(spread(&result), (Value::from(0), Value::from(9)));
}
