//! What monitors wrote, and what it is read as.

use fathom_core::recording::{Recording, Sample};
use fathom_tools::recordings;
use std::fmt::Write as _;

/// A recording in few words: everything that is in it, a line a sample.
fn drawn(recording: &Recording) -> String {
    let mut text = format!("{} on {:?}\n", recording.tool, recording.host);
    for note in &recording.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for one in &recording.processors {
        let _ = writeln!(text, "{one:?}");
    }
    for series in &recording.devices {
        let _ = writeln!(text, "{}", series.device);
        for sample in &series.samples {
            let _ = writeln!(text, "  {}", line(sample));
        }
    }
    for series in &recording.groups {
        let _ = writeln!(text, "{} on {}", series.group, series.device);
        for sample in &series.samples {
            let _ = writeln!(text, "  {}", line(sample));
        }
    }
    text
}

fn line(sample: &Sample) -> String {
    let fields = format!("{sample:?}");
    let fields = fields
        .trim_start_matches("Sample { ")
        .trim_end_matches(" }");
    let known = fields
        .split(", ")
        .filter(|field| !field.ends_with(": None"));
    known
        .collect::<Vec<_>>()
        .join(", ")
        .replace("_per_second", "/s")
}

macro_rules! corpus {
    ($name:ident, $file:literal) => {
        #[test]
        fn $name() {
            let text = include_str!(concat!("corpus/recordings/", $file));
            let recording = recordings::read(text, $file).unwrap();
            insta::assert_snapshot!(drawn(&recording));
        }
    };
}

corpus!(iostat_with_times, "iostat-x-t.txt");
corpus!(iostat_without_processors_in_mebibytes, "iostat-x-m-y.txt");
corpus!(iostat_for_people, "iostat-x-h.txt");
corpus!(iostat_not_extended, "iostat-d.txt");
corpus!(iostat_of_long_ago_over_midnight, "iostat-10-x.txt");
corpus!(sar, "sar-d.txt");
corpus!(sar_with_names_last, "sar-d-p.txt");
corpus!(sar_over_midnight_and_a_restart, "sar-12h.txt");
corpus!(own, "fathom.jsonl");

#[test]
fn what_is_no_recording_is_refused_on_its_line() {
    let head = "Device            r/s     w/s     rkB/s     wkB/s   await aqu-sz  %util";
    let cases = [
        String::new(),
        "name = \"run\"\n".to_owned(),
        format!("{head}\nvda 1.0 2.0 4.0 many 1.0 0.1 1.0\n"),
        format!("{head}\nvda 1.0 2.0\n"),
        "15:08:44 DEV tps rkB/s\n15:08:45 vda 1.0\n".to_owned(),
        "15:08:44 DEV tps rkB/s\nlater vda 1.0 1.0\n".to_owned(),
        "{\"fathom_recording\":9,\"tool\":\"fathom 9\"}\n".to_owned(),
        "{\"fathom_recording\":1,\"tool\":\"fathom\"}\n{\"at\":5}\n{}\n".to_owned(),
    ];
    let errors = cases.map(|text| recordings::read(&text, "a.txt").unwrap_err().to_string());
    insta::assert_snapshot!(errors.join("\n\n"));
}

mod any_text {
    use proptest::prelude::*;

    /// A word that may stand in the text of a monitor.
    fn word() -> impl Strategy<Value = String> {
        prop_oneof![
            Just("Device".to_owned()),
            Just("DEV".to_owned()),
            Just("avg-cpu:".to_owned()),
            Just("15:08:44".to_owned()),
            Just("PM".to_owned()),
            Just("Linux".to_owned()),
            Just("r/s".to_owned()),
            Just("rkB/s".to_owned()),
            Just("%util".to_owned()),
            Just("\n".to_owned()),
            Just("\n\n".to_owned()),
            "[0-9]{1,3}[.,][0-9]{2}[kM%]?",
            "\\PC{0,6}",
        ]
    }

    proptest! {
        /// Nothing that anybody feeds it makes it fall over.
        #[test]
        fn is_read_or_refused(words in prop::collection::vec(word(), 0..60)) {
            let text = words.join(" ");
            if let Err(error) = fathom_tools::recordings::read(&text, "a.txt") {
                prop_assert!(error.to_string().starts_with("error: "));
            }
        }
    }
}

#[test]
fn a_group_of_devices_is_no_device() {
    let text = "Linux 6.1.0 (host) \t11/22/2026 \t_x86_64_\t(2 CPU)\n\n\
                Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\n\
                sda              10.00        40.00         0.00         40          0\n\
                sdb              20.00        80.00         0.00         80          0\n \
                ALL             30.00       120.00         0.00        120          0\n";
    let recording = recordings::read(text, "iostat-g.txt").unwrap();
    let devices = recording.devices.iter();
    let names: Vec<&str> = devices.map(|series| series.device.as_str()).collect();
    assert_eq!(names, ["sda", "sdb", "group ALL"]);
}
