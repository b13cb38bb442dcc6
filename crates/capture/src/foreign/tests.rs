//! Each format with a small trace of it, and what becomes of damaged ones.

use crate::{CaptureError, Flags, Request, Source, is_trace, open};
use proptest::prelude::*;
use std::io::Cursor;
use std::ops::Range;

struct Read {
    /// Each request on a line: time, service time, device, offset, bytes, flags, and who asked.
    rows: Vec<String>,
    is_whole: bool,
    remarks: Vec<String>,
    title: String,
}

fn read(bytes: impl Into<Vec<u8>>) -> Result<Read, CaptureError> {
    let mut source = open(Cursor::new(bytes.into()))?;
    let mut rows = Vec::new();
    while let Some(chunk) = source.next_chunk()? {
        rows.extend(chunk.iter().map(|one| row(one, source.as_ref())));
    }
    Ok(Read {
        rows,
        is_whole: source.tail().is_some(),
        remarks: source.remarks(),
        title: source.head().made_by.clone(),
    })
}

fn row(one: &Request, source: &dyn Source) -> String {
    let device = &source.head().devices[usize::from(one.device)].name;
    let task = &source.tasks()[one.task as usize];
    let service = one.service_ns.map_or("-".to_owned(), |ns| ns.to_string());
    let (flags, who) = (one.flags.0, format!("{} {}", task.name, task.thread));
    let (at, offset, bytes) = (one.at_ns, one.offset, one.bytes);
    format!("{at} {service} {device} {offset} {bytes} {flags} {who}")
}

/// The samples of text are those with which the readers are fuzzed.
macro_rules! sample {
    ($name:literal) => {
        include_str!(concat!("../../../../fuzz/corpus/foreign_trace/", $name))
    };
}

const BLKPARSE: &str = sample!("blkparse");
const MSR: &str = sample!("msr");

/// Records of vscsiStats, of both versions.
fn vscsi(version: u16, at_us: u64, command: u16, block: u64, bytes: u32) -> Vec<u8> {
    let mut record = Vec::new();
    let (number, parts) = (7_u32, 1_u32);
    let version_word = version << 8;
    if version == 1 {
        record.extend([number, bytes, parts].map(u32::to_le_bytes).concat());
        record.extend([command, version_word].map(u16::to_le_bytes).concat());
        record.extend([block, at_us].map(u64::to_le_bytes).concat());
    } else {
        record.extend([command, version_word].map(u16::to_le_bytes).concat());
        record.extend([number, bytes, parts].map(u32::to_le_bytes).concat());
        record.extend([block, at_us, 350].map(u64::to_le_bytes).concat());
    }
    record
}

fn oracle(at_s: u32, object: u64, bytes: u32, next: i64) -> Vec<u8> {
    let mut record = at_s.to_le_bytes().to_vec();
    record.extend(object.to_le_bytes());
    record.extend(bytes.to_le_bytes());
    record.extend(next.to_le_bytes());
    record
}

/// A trace with its title and its requests. Flags: 1 read, 2 write, 8 flush, 128 synchronous.
type Sample = (Vec<u8>, &'static str, Vec<&'static str>);

/// A trace of each format.
fn samples() -> Vec<Sample> {
    let text =
        |(text, title, rows): (&str, _, &[_])| (text.as_bytes().to_vec(), title, rows.into());
    let texts = TEXTS.map(text).into_iter();
    texts.chain(binaries()).collect()
}

const TEXTS: [(&str, &str, &[&str]); 9] = [
    (
        BLKPARSE,
        "text of blkparse",
        &[
            "0 110500 8:16 65536 4096 130 fs-writer 697",
            "8000 200000 8:16 2097152 8192 1 reader 701",
            "298000 600000 8:16 0 0 8 kworker/1:1H 702",
        ],
    ),
    (
        sample!("blkparse-queued"),
        "text of blkparse without issued requests",
        &[
            "0 - 254:0 1048576 4096 1 app 4711",
            "1500 - 254:0 32768 4096 2 app 4711",
        ],
    ),
    (
        sample!("perf-script"),
        "text of perf script",
        &[
            "0 110500 8:16 65536 4096 130 fs-writer 697",
            "198000 - 259:0 2097152 8192 1 my app:x 43",
        ],
    ),
    (
        sample!("trace-cmd"),
        "text of trace-cmd report",
        &[
            "0 110000 8:16 65536 4096 130 fs-writer 697",
            "198000 700000 8:16 0 0 8 a-b-c 43",
        ],
    ),
    (
        MSR,
        "CSV of MSR Cambridge",
        &[
            "0 123400 web.0 7340032 4096 2  0",
            "10000 5000 web.1 512 8192 1  0",
        ],
    ),
    (
        sample!("alibaba"),
        "CSV of Alibaba",
        &["0 - 419 8192 4096 2  0", "100000 - 7 4096 16384 1  0"],
    ),
    (
        sample!("tencent"),
        "CSV of Tencent",
        &[
            "0 - 1283 4096 8192 2  0",
            "2000000000 - 1283 524288 4096 1  0",
        ],
    ),
    (
        sample!("mqsim"),
        "trace of MQSim",
        &["0 - 1 1048576 8192 2  0", "13000 - 1 8192 4096 1  0"],
    ),
    (
        sample!("xperf"),
        "CSV of xperf",
        &[
            "0 250000 0 4096 8192 1 store.exe 4711",
            "300000 100000 2 65536 512 2 System 4",
            "480000 20000 2 0 0 8 System 4",
        ],
    ),
];

fn binaries() -> [Sample; 3] {
    let of_vscsi = |version| {
        let records = [
            vscsi(version, 1_000, 0x28, 64, 4096),
            vscsi(version, 1_200, 0x8a, 128, 8192),
            vscsi(version, 1_300, 0x35, 0, 0),
        ];
        records.concat()
    };
    [
        (
            of_vscsi(1),
            "trace of vscsiStats (version 1)",
            vec![
                "0 - disk 32768 4096 1  0",
                "200000 - disk 65536 8192 2  0",
                "300000 - disk 0 0 8  0",
            ],
        ),
        (
            of_vscsi(2),
            "trace of vscsiStats (version 2)",
            vec![
                "0 350000 disk 32768 4096 1  0",
                "200000 350000 disk 65536 8192 2  0",
                "300000 350000 disk 0 0 8  0",
            ],
        ),
        (
            [oracle(5, 8, 4096, 2), oracle(6, 8, 512, -1)].concat(),
            "trace in the format oracleGeneral",
            vec!["0 - disk 4096 4096 1  0", "1000000000 - disk 4096 512 1  0"],
        ),
    ]
}

#[test]
fn each_format_is_read() {
    for (bytes, title, expected) in samples() {
        let found = read(bytes).expect(title);
        assert_eq!((found.title.as_str(), found.is_whole), (title, true));
        assert_eq!(found.rows, expected, "{title}");
    }
}

fn lines(numbers: Range<u32>, line: impl Fn(u32) -> String) -> String {
    numbers.map(line).collect::<Vec<_>>().concat()
}

fn refusal(bytes: impl Into<Vec<u8>>) -> String {
    read(bytes)
        .err()
        .map_or_else(String::new, |error| error.to_string())
}

#[test]
fn other_units_are_refused_with_what_was_found() {
    let cases = [
        (
            "1577808000,web,0,Write,7340032,4096,1234\n",
            "line 1 of this CSV of MSR Cambridge is implausible: time 1577808000 was found, units \
             of 100 ns since 1601 such as 128166372003061629 were expected",
        ),
        (
            "419,W,8192,4096,1577808000\n",
            "line 1 of this CSV of Alibaba is implausible: time 1577808000 was found, microseconds \
             since 1970 between 631152000000000 and 4102444800000000 were expected",
        ),
        (
            "1538323200000,8,16,1,1283\n",
            "line 1 of this CSV of Tencent is implausible: time 1538323200000 was found, seconds \
             since 1970 between 631152000 and 4102444800 were expected",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(text), expected);
    }
    let fast = lines(0..32, |number| format!("{} 0 0 8 1\n", number / 16));
    let expected = "line 32 of this trace of MQSim is implausible: 32 requests in 1 ns were \
                    found, below 1e9 requests a second were expected";
    assert_eq!(refusal(fast), expected);
    assert_eq!(refusal("something else\n"), "its format is unknown");
    assert!(is_trace(MSR.as_bytes()) && !is_trace(b"{\"format\": 1}\n") && !is_trace(b""));
}

#[test]
fn what_can_be_kept_is_kept() {
    let text = "\
10 1 0 8 1
20 1 0 8 7
15 1 0 8 1
12 1 0 8 1
30 1 99999999999999999999 8 1
30 1 9000000000000000000 8 1
40 1 16 0 1
50 1 16 8 0
60 1 16 8";
    let found = read(text).expect("a trace");
    let remarks = [
        "times are taken as nanoseconds, the default unit of MQSim.",
        "left out: 4 lines without a valid request. The first is line 2: its operation is neither \
         0 nor 1.",
        "the file ends in the middle of a request. The requests before it are used.",
        "out of order: 1 request. A replay issues such a request with the one before.",
    ];
    let rows = [
        "0 - 1 0 4096 1  0",
        "5 - 1 0 4096 1  0",
        "2 - 1 0 4096 1  0",
        "40 - 1 8192 4096 2  0",
    ];
    assert_eq!(
        (found.rows, found.is_whole),
        (rows.map(str::to_owned).into(), false)
    );
    assert_eq!(found.remarks, remarks);
    let none = "this CSV of Alibaba has no request: line 2: a request of 0 bytes is invalid";
    let text = "device_id,opcode,offset,length,timestamp\n1,R,0,0,1577808000000046\n";
    assert_eq!(refusal(text), none);
    let letters = BLKPARSE.replace("D  R 4096", "D  Z 4096");
    let remarks = read(letters).expect("a trace").remarks;
    let expected = ["left out: 2 events of requests with an unknown operation."];
    assert_eq!(remarks, expected);
}

#[test]
fn requests_known_by_their_ends_come_by_their_starts() {
    let event = |end: u64, offset: u64, elapsed: u64| {
        format!("DiskRead, {end}, p ( 4), 1, 0x1, {offset:#x}, 0x200, {elapsed}, 0\n")
    };
    let found = read(event(1000, 0, 100) + &event(1010, 512, 900)).expect("a trace");
    let rows = ["0 900000 0 512 512 1 p 4", "790000 100000 0 0 512 1 p 4"];
    assert_eq!(found.rows, rows);
}

#[test]
fn the_error_of_a_completion_is_kept() {
    let text = "p 7 [000] 1.000001: block:block_rq_issue: 8,0 R 512 () 8 + 1 none,0,0 [p]\n\
                p 7 [000] 1.000009: block:block_rq_complete: 8,0 R () 8 + 1 none,0,0 [-5]\n";
    let found = read(text).expect("a trace");
    let flags = (Flags::READ | Flags::FAILED).0;
    assert_eq!(found.rows, [format!("0 8000 8:0 4096 512 {flags} p 7")]);
}

#[test]
fn a_time_before_the_first_is_out_of_order() {
    let found = read("10 1 0 8 1\n5 1 0 8 1\n20 1 0 8 1\n").expect("a trace");
    let remark = "out of order: 1 request. A replay issues such a request with the one before.";
    assert_eq!(found.remarks.last().map(String::as_str), Some(remark));
}

#[test]
fn a_line_that_is_too_long_is_counted() {
    let long = format!("{BLKPARSE}{}\n", "x".repeat(70_000));
    let remarks = read(long).expect("a trace").remarks;
    let lines = BLKPARSE.lines().count() + 1;
    let expected = format!(
        "left out: 1 line without a valid request. The first is line {lines}: it is longer than 64 \
         KiB."
    );
    assert_eq!(remarks.first(), Some(&expected));
}

#[test]
fn memory_does_not_grow_with_devices_processes_or_lines() {
    let event = |pid: u32| {
        format!(
            "p{pid} {pid} [000] {pid}.000000: block:block_rq_issue: 8,0 R 512 () {pid} + 1 [p]\n"
        )
    };
    let text = lines(1..70_000, event);
    let found = read(text).expect("a trace");
    assert_eq!(found.rows.len(), 69_999);
    let line = |pid: u32| format!("DiskRead, {pid}, p{pid} ({pid}), 1, 0x1, 0x0, 0x200, 1, 0\n");
    let text = lines(1..70_000, line);
    let mut source = open(Cursor::new(text.into_bytes())).expect("a trace");
    while source.next_chunk().expect("a trace").is_some() {}
    let last = source.tasks().last().expect("a task").name.clone();
    assert_eq!(
        (source.tasks().len(), last),
        (65_537, "(others)".to_owned())
    );
    let devices = |number: u32| format!("{number},R,0,512,1577808000000046\n");
    let text = lines(0..70_000, devices);
    let found = read(text).expect("a trace");
    let expected = "left out: 4,464 lines without a valid request. The first is line 65537: the \
                    trace has more than 65,536 devices.";
    assert_eq!(
        (found.rows.len(), found.remarks),
        (65_536, vec![expected.to_owned()])
    );
    let long = format!("{MSR}{}\n{MSR}", "1".repeat(1 << 20));
    assert_eq!(read(long).expect("a trace").rows.len(), 4);
}

proptest! {
    #[test]
    fn a_cut_keeps_what_is_before_it(sample in 0_usize..12, at in 0_usize..2000) {
        let (bytes, title, whole) = samples().swap_remove(sample);
        // Of a request whose completion is behind the cut, the service time is unknown.
        let without_service = |row: &str| {
            let mut words: Vec<_> = row.split(' ').map(str::to_owned).collect();
            words.remove(1);
            words
        };
        if let Ok(found) = read(&bytes[..at % bytes.len()]) {
            let mut rows = found.rows.iter().zip(&whole);
            let is_same = rows.all(|(one, other)| without_service(one) == without_service(other));
            prop_assert!(is_same || found.title != title, "{:?}", found.rows);
        }
    }

    #[test]
    fn damage_is_no_panic(
        sample in 0_usize..12,
        damage in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..20),
    ) {
        let mut bytes = samples().swap_remove(sample).0;
        for (at, byte) in damage {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        if let Err(error) = read(bytes) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
