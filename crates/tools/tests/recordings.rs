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
    if let Some(uncounted) = recording.uncounted {
        let _ = writeln!(text, "not counted: {uncounted:?}");
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
corpus!(sadf_lines, "sadf-d.txt");
corpus!(sadf_json, "sadf-j.json");
corpus!(iostat_json, "iostat-o.json");
corpus!(iostat_short_and_extended, "iostat-s-x.txt");
corpus!(iostat_short, "iostat-s.txt");
corpus!(vmstat_of_disks, "vmstat-d-t.txt");
corpus!(vmstat_of_all, "vmstat-t.txt");
corpus!(freebsd, "freebsd-x.txt");
corpus!(sar_in_german, "sar-de.txt");
corpus!(sar_in_french, "sar-fr.txt");
corpus!(sar_in_japanese, "sar-ja.txt");
corpus!(iostat_in_french, "iostat-fr.txt");
corpus!(iostat_in_german, "iostat-de.txt");
corpus!(iostat_in_japanese, "iostat-ja.txt");
corpus!(cloudwatch_json, "cloudwatch.json");
corpus!(cloudwatch_console, "cloudwatch.csv");
corpus!(azure_metrics_table, "azure-metrics.csv");
corpus!(azure_portal, "azure-portal.csv");
corpus!(perfmon, "perfmon.csv");
corpus!(perfmon_in_german, "perfmon-de.csv");
corpus!(perfmon_in_french, "perfmon-fr.csv");
corpus!(prometheus, "prometheus.json");
corpus!(grafana, "grafana.csv");
corpus!(grafana_legends, "grafana-legend.csv");
corpus!(grafana_of_two_panels, "grafana-panels.csv");
corpus!(cloudwatch_exporter, "cloudwatch-exporter.csv");
corpus!(rds_json, "rds.json");
corpus!(rds_statistics, "rds-statistics.json");
corpus!(rds_console, "rds.csv");
corpus!(azure_json, "azure.json");
corpus!(google_json, "google.json");
corpus!(google_list, "google-list.json");
corpus!(perfmon_in_spanish, "perfmon-es.csv");
corpus!(perfmon_in_russian, "perfmon-ru.csv");
corpus!(esxtop, "esxtop.csv");
corpus!(get_counter_samples, "get-counter-samples.csv");
corpus!(get_counter_csv, "get-counter.csv");
corpus!(get_counter_screen, "get-counter.txt");
corpus!(iostat_after_ts, "iostat-ts.txt");
corpus!(sar_quoted, "sar-quoted.txt");
corpus!(sar_of_all, "sar-b.txt");
corpus!(sadf_xml, "sadf-x.xml");
corpus!(sadf_xml_of_all, "sadf-b.xml");
corpus!(dstat, "dstat.csv");
corpus!(dstat_bytes_alone, "dstat-bytes.csv");
corpus!(collectl_plot, "collectl-P.txt");
corpus!(collectl_plot_of_all, "collectl-sd.txt");
corpus!(collectl_table, "collectl-table.txt");
corpus!(nmon, "linux.nmon");
corpus!(atop, "atop-P.txt");
corpus!(sql_server, "sql-server.csv");
corpus!(sqlcmd, "sqlcmd.txt");
corpus!(awr, "awr.txt");
corpus!(datadog, "datadog.csv");
corpus!(datadog_points, "datadog-long.csv");
corpus!(blkparse, "blkparse.txt");

const VMSTAT: &str =
    "       total merged sectors      ms  total merged sectors      ms    cur    sec\n";

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
        "{\"MetricDataResults\":[\n{\"Label\":\"VolumeReadOps\",\n\"Timestamps\":[\"soon\"]}]}\n"
            .to_owned(),
        "{\"sysstat\": {\n\"hosts\": [\n{\"statistics\": 5}]}}\n".to_owned(),
        "timestamp,VolumeReadOps\n2026-11-20 10:00:00,1\n2026-11-20 10:05:00,many\n".to_owned(),
        "timestamp,Data Disk Read Operations/Sec (Avg)\n2026-11-20 10:00:00,few\n".to_owned(),
        "\"(PDH-CSV 4.0)\",\"\\\\H\\Processor(_Total)\\% Processor Time\"\n".to_owned(),
        "\"(PDH-CSV 4.0)\",\"\\\\H\\PhysicalDisk(0)\\Disk Reads/sec\"\n\"now\",\"1\"\n".to_owned(),
        "# hostname;interval;timestamp;DEV;tps\nh;1;2026-11-22 13:24:54 UTC;vda\n".to_owned(),
        format!("{VMSTAT}vda 1 2 3 4 5 6 7 8 9 10\n"),
        " r  b   swpd   free   bi    bo\n 0 0 0 0 1 2\n 0 0 0 0 x 2\n".to_owned(),
    ];
    let errors = cases.map(|text| recordings::read(&text, "a.txt").unwrap_err().to_string());
    insta::assert_snapshot!(errors.join("\n\n"));
}

/// All of the corpus.
const TEXTS: [&str; 65] = [
    include_str!("corpus/recordings/iostat-x-t.txt"),
    include_str!("corpus/recordings/iostat-x-m-y.txt"),
    include_str!("corpus/recordings/iostat-x-h.txt"),
    include_str!("corpus/recordings/iostat-d.txt"),
    include_str!("corpus/recordings/iostat-10-x.txt"),
    include_str!("corpus/recordings/sar-d.txt"),
    include_str!("corpus/recordings/sar-d-p.txt"),
    include_str!("corpus/recordings/sar-12h.txt"),
    include_str!("corpus/recordings/fathom.jsonl"),
    include_str!("corpus/recordings/sadf-d.txt"),
    include_str!("corpus/recordings/sadf-j.json"),
    include_str!("corpus/recordings/iostat-o.json"),
    include_str!("corpus/recordings/iostat-s-x.txt"),
    include_str!("corpus/recordings/iostat-s.txt"),
    include_str!("corpus/recordings/vmstat-d-t.txt"),
    include_str!("corpus/recordings/vmstat-t.txt"),
    include_str!("corpus/recordings/freebsd-x.txt"),
    include_str!("corpus/recordings/sar-de.txt"),
    include_str!("corpus/recordings/sar-fr.txt"),
    include_str!("corpus/recordings/sar-ja.txt"),
    include_str!("corpus/recordings/iostat-fr.txt"),
    include_str!("corpus/recordings/iostat-de.txt"),
    include_str!("corpus/recordings/iostat-ja.txt"),
    include_str!("corpus/recordings/cloudwatch.json"),
    include_str!("corpus/recordings/cloudwatch.csv"),
    include_str!("corpus/recordings/azure-metrics.csv"),
    include_str!("corpus/recordings/azure-portal.csv"),
    include_str!("corpus/recordings/perfmon.csv"),
    include_str!("corpus/recordings/perfmon-de.csv"),
    include_str!("corpus/recordings/perfmon-fr.csv"),
    include_str!("corpus/recordings/prometheus.json"),
    include_str!("corpus/recordings/grafana.csv"),
    include_str!("corpus/recordings/grafana-legend.csv"),
    include_str!("corpus/recordings/cloudwatch-exporter.csv"),
    include_str!("corpus/recordings/grafana-panels.csv"),
    include_str!("corpus/recordings/rds.json"),
    include_str!("corpus/recordings/rds-statistics.json"),
    include_str!("corpus/recordings/rds.csv"),
    include_str!("corpus/recordings/azure.json"),
    include_str!("corpus/recordings/google.json"),
    include_str!("corpus/recordings/google-list.json"),
    include_str!("corpus/recordings/perfmon-es.csv"),
    include_str!("corpus/recordings/perfmon-ru.csv"),
    include_str!("corpus/recordings/esxtop.csv"),
    include_str!("corpus/recordings/get-counter-samples.csv"),
    include_str!("corpus/recordings/get-counter.csv"),
    include_str!("corpus/recordings/get-counter.txt"),
    include_str!("corpus/recordings/iostat-ts.txt"),
    include_str!("corpus/recordings/sar-quoted.txt"),
    include_str!("corpus/recordings/sar-b.txt"),
    include_str!("corpus/recordings/sadf-x.xml"),
    include_str!("corpus/recordings/sadf-b.xml"),
    include_str!("corpus/recordings/dstat.csv"),
    include_str!("corpus/recordings/dstat-bytes.csv"),
    include_str!("corpus/recordings/collectl-P.txt"),
    include_str!("corpus/recordings/collectl-sd.txt"),
    include_str!("corpus/recordings/collectl-table.txt"),
    include_str!("corpus/recordings/linux.nmon"),
    include_str!("corpus/recordings/atop-P.txt"),
    include_str!("corpus/recordings/sql-server.csv"),
    include_str!("corpus/recordings/sqlcmd.txt"),
    include_str!("corpus/recordings/awr.txt"),
    include_str!("corpus/recordings/datadog.csv"),
    include_str!("corpus/recordings/datadog-long.csv"),
    include_str!("corpus/recordings/blkparse.txt"),
];

mod any_text {
    use super::TEXTS;
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
        /// Nor does a recording that was cut off, or damaged in places.
        #[test]
        fn is_read_or_refused_where_it_was_damaged(
            which in 0..TEXTS.len(),
            damage in prop::collection::vec(
                (any::<prop::sample::Index>(), "\\PC|[\n,;\":{}-]"),
                0..6,
            ),
            end in any::<prop::sample::Index>(),
        ) {
            let mut letters: Vec<String> = TEXTS[which].chars().map(String::from).collect();
            for (place, letter) in damage {
                let place = place.index(letters.len());
                letters[place] = letter;
            }
            letters.truncate(end.index(letters.len()) + 1);
            let text = letters.concat();
            if let Err(error) = fathom_tools::recordings::read(&text, "a.txt") {
                prop_assert!(error.to_string().starts_with("error: "));
            }
        }

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

/// A source that counts what is taken of it.
struct Counted {
    from: std::io::Cursor<Vec<u8>>,
    taken: std::rc::Rc<std::cell::Cell<u64>>,
}

impl std::io::Read for Counted {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = std::io::Read::read(&mut self.from, into)?;
        self.taken.set(self.taken.get() + count as u64);
        Ok(count)
    }
}

/// JSON in the three forms, a wrong value after a tenth of it.
#[test]
fn json_is_read_as_it_comes_and_an_error_has_its_place() {
    let point = "\"2026-11-20T10:00:00Z\",";
    let report = "{\"timestamp\":\"2026-11-20T10:00:00Z\",\"disk\":[{\"disk_device\":\"vda\"}]},";
    let stamp = "{\"date\":\"2026-11-20\",\"time\":\"10:00:00\",\"interval\":60}";
    let sar = format!("{{\"timestamp\":{stamp},\"disk\":[{{\"disk-device\":\"vda\"}}]}},");
    let cases = [
        (
            "{\"MetricDataResults\":[{\"Label\":\"VolumeReadOps\",\"Timestamps\":[",
            point,
            "\"soon\",",
        ),
        (
            "{\"sysstat\":{\"hosts\":[{\"statistics\":[",
            report,
            "{\"disk\":7},",
        ),
        (
            "{\"sysstat\":{\"hosts\":[{\"statistics\":[",
            &sar,
            "{\"disk\":7},",
        ),
    ];
    for (head, item, wrong) in cases {
        for end in ["", "\n"] {
            let line = format!("{item}{end}");
            let count = 10_000;
            let text = [head, &line.repeat(count), wrong, &line.repeat(9 * count)].concat();
            let length = text.len() as u64;
            let taken = std::rc::Rc::default();
            let source = Counted {
                from: std::io::Cursor::new(text.into_bytes()),
                taken: std::rc::Rc::clone(&taken),
            };
            let read = recordings::read_from(std::io::BufReader::new(source), "a.json", None);
            let Err(recordings::ReadError::Text(error)) = read else {
                panic!("{head}: {read:?}");
            };
            let before = head.len() + line.len() * count;
            // The end of the wrong value.
            let last = 1 + wrong.rfind(['"', '7']).expect("a wrong value");
            let last = last.min(wrong.find('}').unwrap_or(last));
            let place = if end.is_empty() {
                (1, before + last)
            } else {
                (count + 1, last)
            };
            assert_eq!((error.line(), error.column()), place, "{head} {end:?}");
            assert!(taken.get() < length / 5, "{} of {length}", taken.get());
            assert!(error.text.len() < 10_000, "{}", error.text.len());
        }
    }
}

/// What was read of bytes, or why not.
fn of_bytes(bytes: &[u8], file: &str) -> String {
    match recordings::read_from(std::io::Cursor::new(bytes.to_vec()), file, None) {
        Ok(recording) => drawn(&recording),
        Err(recordings::ReadError::Text(error)) => error.to_string(),
        Err(recordings::ReadError::Io(error)) => error.to_string(),
    }
}

#[test]
fn what_is_packed_or_in_utf16_is_read_as_what_is_in_it() {
    for text in TEXTS {
        let plain = of_bytes(text.as_bytes(), "a");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, text.as_bytes()).expect("memory takes it");
        let packed = packed.finish().expect("memory takes it");
        assert_eq!(of_bytes(&packed, "a"), plain);
        if text.starts_with("{\"fathom_recording\"") {
            continue;
        }
        let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
        let wide: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
        assert_eq!(of_bytes(&wide, "a"), plain);
    }
}

#[test]
fn what_stands_before_every_line_is_left_out() {
    for text in TEXTS {
        if text.starts_with("{\"fathom_recording\"") || text.starts_with("> ") {
            continue;
        }
        let lines = text.split_inclusive('\n');
        let quoted = lines.flat_map(|line| ["> ", line]).collect::<String>();
        let plain = of_bytes(text.as_bytes(), "a");
        assert_eq!(of_bytes(quoted.as_bytes(), "a"), plain, "{quoted}");
    }
}

#[test]
fn what_is_no_text_is_refused_with_the_way_to_convert_it() {
    let cases: [(&[u8], &str); 9] = [
        (b"\x01\x02\x03", "PERF.BLG"),
        (b"\x96\xd5\x75\x21", "sa20"),
        (b"\xef\xbe\xed\xfe\0\0", "atop_20261120"),
        (b"PK\x03\x04", "a.xlsx"),
        (b"\x28\xb5\x2f\xfd", "a.zst"),
        (b"text", "host-20261120.raw"),
        (b"----total-cpu-usage---- -dsk/total-\n", "screen.txt"),
        (
            include_bytes!("corpus/recordings/prometheus-rate.json"),
            "rate.json",
        ),
        (
            b"\"(PDH-CSV 4.0)\",\"\\\\H\\Onbekend(0)\\Lezen/s\"\n",
            "a.csv",
        ),
    ];
    let errors = cases.map(|(bytes, file)| of_bytes(bytes, file));
    insta::assert_snapshot!(errors.join("\n\n"));
}

#[test]
fn the_columns_of_a_plain_csv_are_stated() {
    let text = include_bytes!("corpus/recordings/plain.csv").to_vec();
    let read = |columns: &str, text: &[u8]| {
        let columns = columns.parse().expect("they are columns");
        match recordings::read_from(std::io::Cursor::new(text.to_vec()), "a.csv", Some(&columns)) {
            Ok(recording) => drawn(&recording),
            Err(recordings::ReadError::Text(error)) => error.to_string(),
            Err(recordings::ReadError::Io(error)) => error.to_string(),
        }
    };
    let found = [
        read(
            "time=1,device=2,read_iops=3,write_iops=4,read_mb=5,write_mb=6",
            &text,
        ),
        read("time=1,read_iops=3", &text),
        read("time=2,read_iops=3", &text),
        read("time=1,read_iops=9", &text),
        read("time=1,read_iops=2", b"t,r\n1,5\nlater,6\n"),
        read("time=1,read_iops=2", b"t,r\n1,5\n2,many\n"),
        read("time=1,read_iops=2", b"t,r\n1,5\n2,-5\n"),
        read("time=1,read_iops=2", b"t,r\n1,5\n2,nan\n"),
        read("time=1,read_iops=2", b"t,r\n1,5\n2,inf\n"),
        read("time=1,read_iops=2", b"t,r\n1,5\n2,1e300\n"),
        read("time=1,idle_percent=2", b"t,r\n1,5\n2,101\n"),
    ];
    insta::assert_snapshot!(found.join("\n\n"));
}
