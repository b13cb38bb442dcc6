//! The formats for spreadsheets, tickets and other programs, whole, of made-up results.

use base64::Engine as _;
use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::result::{CpuShares, EncodedHistogram, Gauge, MachineInterval, Origin, RunResult};
use fathom_core::spec::{Arrivals, Pacing};
use fathom_core::{Histogram, Level, Op, Rate, State};
use fathom_report::{TextOptions, find, write};
use fathom_verdict::Code;
use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};

fn rendered(result: &RunResult, format: &str) -> String {
    let mut bytes = Vec::new();
    let format = find(format).expect("it is a format");
    write(result, format, TextOptions::default(), &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("text is UTF-8")
}

/// An open load of reads and writes over three seconds, with a name that every format has to quote.
fn awkward() -> RunResult {
    let job = JobPlan {
        pacing: Pacing::Open {
            rate: Rate::Iops(150.0),
            arrivals: Arrivals::Poisson,
        },
        service_ns: Some(400_000),
        lag_ns: 25_000,
        ..JobPlan::closed(
            "a \"b\", <i>|</i>",
            8,
            vec![
                Stream::random(Op::Read, 8192, series(1_000, 3)),
                Stream::random(Op::Write, 8192, vec![3, 4, 2]),
            ],
        )
    };
    let mut result = fixture::run("awkward", &[("measure", vec![job])]);
    let caveat = |subject: &str| {
        Code::RateMissed
            .caveat(Level::Qualified, "asked for 150, made 1,000")
            .about(subject)
            .remedy("fewer requests")
    };
    result.caveats = vec![caveat("measure/a"), caveat("measure/b")];
    result.state = State::Qualified;
    result
}

/// The same, with a histogram of three values in the second interval.
fn with_histogram() -> (RunResult, Histogram) {
    let mut result = awkward();
    let mut histogram = Histogram::new();
    for value in [300_000, 400_000, 2_500_000] {
        histogram.record(value);
    }
    let read = result.phases[0].intervals[1].jobs[0].ops[Op::Read].as_mut();
    let read = read.expect("the job reads");
    read.service_ns = histogram.summary();
    read.service_histogram = Some(EncodedHistogram::of(&histogram));
    (result, histogram)
}

#[test]
fn a_row_for_each_operation() {
    insta::assert_snapshot!(rendered(&awkward(), "csv"));
}

#[test]
fn a_row_for_each_operation_in_each_interval() {
    insta::assert_snapshot!(rendered(&with_histogram().0, "csv-intervals"));
}

#[test]
fn a_row_for_each_percentile() {
    insta::assert_snapshot!(rendered(&awkward(), "csv-percentiles"));
}

/// The same with two looks at the machine, the second of a model.
fn with_machine() -> RunResult {
    let mut result = awkward();
    let phase = &mut result.phases[0];
    let shares = CpuShares {
        user_percent: 10.5,
        system_percent: 20.25,
        iowait_percent: 30.0,
        steal_percent: 0.5,
        own_percent: 12.0,
    };
    let gauge = Gauge {
        name: "vol-1 I/O credits".to_owned(),
        unit: "I/Os".to_owned(),
        value: 5_400_000.0,
        full: Some(5_400_000.0),
    };
    phase.machine = vec![
        MachineInterval {
            start_ns: 5_000_000_000,
            length_ns: 500_000_000,
            devices: phase.devices.clone(),
            cpu: Some(shares),
            ..MachineInterval::default()
        },
        MachineInterval {
            start_ns: 5_500_000_000,
            length_ns: 0,
            devices: phase.devices.clone(),
            cpu: None,
            gauges: vec![gauge],
            ..MachineInterval::default()
        },
    ];
    result
}

#[test]
fn a_row_for_each_thing_of_the_machine() {
    insta::assert_snapshot!(rendered(&with_machine(), "csv-machine"));
}

#[test]
fn every_row_is_as_long_as_the_header() {
    for format in [
        "csv",
        "csv-intervals",
        "csv-percentiles",
        "csv-slowest",
        "csv-machine",
    ] {
        let (mut result, _) = with_histogram();
        result.phases[0].machine = with_machine().phases[0].machine.clone();
        let text = rendered(&result, format);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let columns = reader.headers().expect("there is a header").len();
        let lengths = reader.records().map(|row| row.expect("a row").len());
        assert_eq!(lengths.filter(|length| *length != columns).count(), 0);
    }
}

#[test]
fn a_ticket() {
    insta::assert_snapshot!(rendered(&awkward(), "markdown"));
}

#[test]
fn a_ticket_says_that_nothing_was_measured() {
    let mut result = fixture::random_read();
    result.provenance.origin = Origin::Simulated {
        model: "4x gp2:250GiB".to_owned(),
    };
    let text = rendered(&result, "markdown");
    let lines: Vec<&str> = text.lines().take(3).collect();
    let expected = [
        "**simulated 4x gp2:250GiB: 67,513 random 4 KiB read IOPS, p99 1.16 ms; trust: valid**",
        "<br>simulated: random-read; all checks that could run have passed",
        "",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn gauges_for_a_collector() {
    insta::assert_snapshot!(rendered(&awkward(), "openmetrics"));
}

#[test]
fn the_log_is_read_back_by_its_own_library() {
    let (result, histogram) = with_histogram();
    let log = rendered(&result, "hlog");
    let entries: Vec<_> = IntervalLogIterator::new(log.as_bytes())
        .map(|entry| entry.expect("the log is whole"))
        .collect();
    let [
        LogEntry::StartTime(start),
        LogEntry::BaseTime(base),
        LogEntry::Interval(interval),
    ] = entries.as_slice()
    else {
        panic!("{entries:?}");
    };
    assert_eq!(
        (start.as_secs(), base.as_secs()),
        (1_772_366_400, 1_772_366_400)
    );
    let place = interval.tag().map(|tag| tag.as_str().to_owned());
    assert_eq!(
        (
            place.as_deref(),
            interval.start_timestamp().as_millis(),
            interval.duration().as_millis(),
            interval.max().to_bits(),
        ),
        (
            Some("measure.a_\"b\"__<i>|</i>.read.service"),
            6_010,
            1_000,
            2.5_f64.to_bits()
        )
    );
    let bytes = base64::engine::general_purpose::STANDARD.decode(interval.encoded_histogram());
    let read: hdrhistogram::Histogram<u64> = Deserializer::new()
        .deserialize(&mut std::io::Cursor::new(bytes.expect("it is base64")))
        .expect("it is a histogram");
    let values: Vec<_> = read
        .iter_recorded()
        .map(|value| (value.value_iterated_to(), value.count_at_value()))
        .collect();
    assert_eq!(values, histogram.buckets().collect::<Vec<_>>());
}

#[test]
fn operations_on_files_are_named_where_a_form_has_no_place_for_them() {
    let stream = |op, rate| Stream::random(op, 4096, series(rate, 2));
    let streams = vec![
        stream(Op::Read, 100),
        stream(Op::Stat, 50),
        stream(Op::Create, 10),
    ];
    let jobs = vec![JobPlan::closed("files", 1, streams)];
    let result = fixture::run("files", &[("all", jobs)]);
    let note = "reads and writes are all that this format has a place for; left out: 20 create, \
                100 stat";
    for (format, begin) in [
        ("diskspd-text", "note: "),
        ("diskspd-xml", "  "),
        ("iometer-csv", ""),
    ] {
        let text = rendered(&result, format);
        let told = if format == "iometer-csv" {
            note.replace(',', " ")
        } else {
            note.to_owned()
        };
        let told = format!("{begin}{told}");
        assert_eq!(
            text.lines().filter(|line| *line == told).count(),
            1,
            "{format}: {text}"
        );
    }
}

#[test]
fn any_run_in_the_forms_of_diskspd() {
    insta::assert_snapshot!("diskspd-text", rendered(&awkward(), "diskspd-text"));
    insta::assert_snapshot!("diskspd-xml", rendered(&awkward(), "diskspd-xml"));
}
