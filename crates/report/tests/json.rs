//! The JSON format is the result itself.

use fathom_core::fixture;
use fathom_core::result::RunResult;
use fathom_report::{TextOptions, find, formats, write};

#[test]
fn what_is_written_is_read_back() {
    let result = fixture::random_read();
    let mut bytes = Vec::new();
    let format = find("json").expect("json is a format");
    write(&result, format, TextOptions::default(), &mut bytes).expect("memory takes everything");
    let text = String::from_utf8(bytes).expect("JSON is UTF-8");
    assert_eq!(RunResult::from_json(&text).expect("own document"), result);
}

#[test]
fn every_format_has_a_name_and_an_ending_of_its_own() {
    let names: Vec<_> = formats()
        .map(|format| (format.name, format.extension))
        .collect();
    let expected = [
        ("brief", "txt"),
        ("text", "txt"),
        ("slowest", "txt"),
        ("json", "json"),
        ("html", "html"),
        ("markdown", "md"),
        ("junit", "xml"),
        ("csv", "csv"),
        ("csv-intervals", "csv"),
        ("csv-percentiles", "csv"),
        ("csv-slowest", "csv"),
        ("csv-machine", "csv"),
        ("hlog", "hlog"),
        ("openmetrics", "prom"),
        ("fio-json", "json"),
        ("diskspd-text", "txt"),
        ("diskspd-xml", "xml"),
        ("iotest", "txt"),
        ("rhel-iotest", "txt"),
        ("dd", "txt"),
        ("iometer-csv", "csv"),
        ("mdtest", "txt"),
        ("ior", "txt"),
        ("vdbench", "txt"),
    ];
    assert_eq!(names, expected);
    assert!(find("pdf").is_none());
}
