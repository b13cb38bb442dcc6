//! `fathom need`.

use crate::command::Cli;
use std::fmt::Write as _;

const IOSTAT: &str = include_str!("../../../tools/tests/corpus/recordings/iostat-x-m-y.txt");
const SAR: &str = include_str!("../../../tools/tests/corpus/recordings/sar-d.txt");

/// A day of two disks and an array over them, in moments of ten minutes: by night a little, by
/// day more, and an hour of large reads from one disk.
pub(crate) fn day() -> String {
    let mut text =
        String::from("{\"fathom_recording\":1,\"tool\":\"fathom 0.1.0\",\"host\":\"db1\"}\n");
    for moment in 0..144 {
        let hour = moment / 6;
        let rate = if (8..16).contains(&hour) {
            450.0
        } else {
            150.0
        };
        let sizes = if hour == 2 {
            (262_144.0, 8_192.0)
        } else {
            (8_192.0, 16_384.0)
        };
        let device = |name: &str, share: f64, (read, write): (f64, f64)| {
            let (reads, writes) = (rate * share, rate * share / 4.0);
            format!(
                "{{\"device\":\"{name}\",\"sample\":{{\"ios_per_second\":{},\
                 \"reads_per_second\":{reads},\"writes_per_second\":{writes},\
                 \"read_bytes_per_second\":{},\"written_bytes_per_second\":{},\
                 \"await_ms\":0.8,\"queue_depth\":0.5}}}}",
                reads + writes,
                reads * read,
                writes * write,
            )
        };
        let devices = [
            device("sda", 1.0, (8_192.0, 16_384.0)),
            device("sdb", 1.0, sizes),
            device("md0", 2.0, sizes),
        ];
        let _ = writeln!(
            text,
            "{{\"at\":\"2026-11-20T{hour:02}:{:02}:00Z\",\"length_ns\":600000000000,\
             \"devices\":[{}]}}",
            moment % 6 * 10,
            devices.join(",")
        );
    }
    text
}

#[test]
fn a_day_of_two_disks() {
    let words = "need day.jsonl --volume=gp2:250GiB '--volume=4x gp2:100GiB' \
                 --as-of=2018-11-01 --disk-iops=180 --disk-throughput=150MB/s --link=pcie2:8 \
                 --sas-cores=4 --growth=25";
    let cli = Cli::line(words).file("day.jsonl", day());
    assert_eq!(cli.stdout(), include_str!("need/day.txt"));
    let words = ["need", "day.jsonl", "--growth=25", "--profile=-"];
    let cli = Cli::new(words).file("day.jsonl", day());
    assert_eq!(cli.stdout(), include_str!("need/day.toml"));
}

const VMSTAT: &str = include_str!("../../../tools/tests/corpus/recordings/vmstat-t.txt");
const AZURE: &str = include_str!("../../../tools/tests/corpus/recordings/azure.json");
const PLAIN: &str = include_str!("../../../tools/tests/corpus/recordings/plain.csv");

/// The first line that is printed.
fn first_line(words: &[&str], file: &str, text: &str) -> String {
    let cli = Cli::new(words).file(file, text);
    cli.stdout().lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_need_of_guessed_sizes_is_a_range() {
    let words = ["need", "v.txt", "--by=peak"];
    assert_eq!(
        first_line(&words, "v.txt", VMSTAT),
        "all disks need up to 2.54 MB/s, 38.7 to 619.0 IOPS of 64 to 4 KiB (peak of 1.0 s"
    );
    let words = ["need", "v.txt", "--by=peak", "--block-size=16KiB"];
    assert_eq!(
        first_line(&words, "v.txt", VMSTAT),
        "all disks need up to 154.8 IOPS and 2.54 MB/s (peak of 1.0 s means)"
    );
    let words = ["plan", "--from=v.txt", "--capacity=100GiB"];
    let ended = Cli::new(words).file("v.txt", VMSTAT).end().0;
    let told = (ended.status, ended.stdout.as_str(), ended.stderr.as_str());
    let refused = "error: the size of the requests is not known\n  \
                   because: the recording of vmstat counts bytes and no requests\n  \
                   try:     state it, as in --block-size 16KiB, or record with iostat -x\n";
    assert_eq!(told, (Some(2), "", refused));
}

/// Azure Monitor with the bytes of reads and without those of writes.
#[test]
fn requests_without_bytes_have_no_size() {
    let words = ["need", "a.json", "--by=peak"];
    let cli = Cli::new(words).file("a.json", AZURE);
    assert_eq!(cli.stdout(), include_str!("need/azure.txt"));
    let words = words.into_iter().chain(["--output=json"]);
    let cli = Cli::new(words).file("a.json", AZURE);
    assert_eq!(cli.stdout(), include_str!("need/azure.json"));
}

#[test]
fn the_columns_of_a_csv_are_stated() {
    let columns = "--columns=time=1,device=2,read_iops=3,write_iops=4,read_mb=5,write_mb=6";
    assert_eq!(
        first_line(&["need", "p.csv", "--by=peak", columns], "p.csv", PLAIN),
        "data needs up to 1,300 IOPS and 13.1 MB/s (peak of 10.0 s means)"
    );
    let columns = "--columns=time=1,read_iops=3";
    assert_eq!(
        first_line(&["need", "p.csv", "--by=peak", columns], "p.csv", PLAIN),
        "disk needs up to 1,000 IOPS of unknown size (peak of 10.0 s means)"
    );
}

#[test]
fn disks_are_reckoned_without_a_recording() {
    let words = "need --disks '4x hdd-10k' --raid 10 --link sas-3g:4";
    assert_eq!(Cli::line(words).stdout(), include_str!("need/array.txt"));
    let words = ["--disks=4", "--disk-throughput=300MB/s", "--link=sas-3g:4"];
    let words = std::iter::once("need").chain(words);
    assert_eq!(Cli::new(words).stdout(), include_str!("need/link.txt"));
    let refused = [
        (
            &["--disks=5x hdd-10k", "--raid=10"][..],
            "error: raid10 is not made of 5 disks\n  try:     an even number of disks, 4 or more\n",
        ),
        (
            &["--disks=4x hdd-11k"],
            "error: how many requests a disk `hdd-11k` completes is not known\n  try:     hdd-10k, \
             or --disks N with --disk-iops\n",
        ),
        (
            &["--disks=4"],
            "error: what one disk delivers is not known\n  try:     name the disks, as in --disks \
             \"4x hdd-10k\", or give --disk-iops or --disk-throughput\n",
        ),
        (
            &["--disks=4x hdd-10k", "--growth=20"],
            "error: --disks has no use for --growth\n  because: there is no recording\n  try:     \
             use --disks with --raid, --link, --disk-iops and --disk-throughput\n",
        ),
    ];
    for (words, stderr) in refused {
        let words = std::iter::once("need").chain(words.iter().copied());
        Cli::new(words).check(2, "", stderr);
    }
}

#[test]
fn a_machine_is_weighed_by_core() {
    let words = "need --sas-cores=16 --instance=Standard_E32s_v3 --cloud=azure \
                 --as-of=2026-11-01";
    let printed = Cli::line(words).stdout();
    let lines: Vec<&str> = printed.lines().skip(2).take(2).collect();
    assert_eq!(
        lines,
        [
            "E32s_v3 lets 768 MB/s through to its disks without end: 48.0 MB/s for each core,",
            "  48.0 % of the need, enough for 7.7 cores",
        ]
    );
}

#[test]
fn what_others_recorded() {
    let words = "need x.txt --interval=2s --volume=gp3:100GiB --as-of=2026-11-01";
    let cli = Cli::line(words).file("x.txt", IOSTAT);
    assert_eq!(cli.stdout(), include_str!("need/iostat.txt"));
    let cli = Cli::new(["need", "sar.txt", "--output=json", "--by=peak"]).file("sar.txt", SAR);
    assert_eq!(cli.stdout(), include_str!("need/sar.json"));
    let words = "need --sas-cores=16 --sas-heavy --memory=128GiB --interface=nvme \
                 --network=20 --cloud=aws --region=us-east-1 --as-of=2026-11-01";
    assert_eq!(Cli::line(words).stdout(), include_str!("need/sas.txt"));
}

#[test]
fn what_cannot_be_told_is_refused() {
    let idle = "{\"fathom_recording\":1,\"tool\":\"fathom 0.1.0\"}\n";
    let cases: [(&[&str], &str); 10] = [
        (
            &["x.txt", "--device=vdb"],
            "error: x.txt has no device vdb\n  try:     vda\n",
        ),
        (
            &["x.txt", "--volume=gp3:100GiB"],
            "error: the recording cannot be played\n  because: it does not say how long its \
             moments are\n  try:     --interval 10s, or as long as its intervals were\n",
        ),
        (
            &["day.jsonl", "--interval=10s"],
            "error: --interval has no effect\n  because: day.jsonl contains the length of its \
             intervals\n  try:     no --interval\n",
        ),
        (
            &["day.jsonl", "--device=md0", "--device=sda"],
            "error: the devices cannot be added up\n  because: by their names these are layers of \
             others, and would count twice: md0\n  try:     use --device for the disks, or for the \
             layers on them\n",
        ),
        (
            &["idle.jsonl"],
            "error: idle.jsonl contains no intervals\n  because: no device data found. The first \
             iostat report covers the time since boot and is ignored, \
             and counters need two readings\n  try:     use a recording \
             of several intervals, as of `iostat -x 10 8640`\n",
        ),
        (
            &["x.txt", "--by=sustained"],
            "error: --by sustained cannot be used\n  because: the recording is shorter than half \
             an hour, or does not contain its length\n  try:     use --by p99, or --interval for \
             the length of its intervals\n",
        ),
        (
            &["x.txt", "--link=pcie9:4"],
            "error: there is no link `pcie9`\n  try:     pcie1\n",
        ),
        (
            &["x.txt", "--disk-throughput=150MB/s"],
            "error: --disk-throughput has nothing to change\n  try:     use --disk-iops for the \
             disks of an array, or --link for those of a bus\n",
        ),
        (
            &["--sas-cores=4", "--device=sda"],
            "error: --device has no effect\n  because: there is no recording\n  try:     use a \
             recording, or --sas-cores alone\n",
        ),
        (
            &["x.txt", "--profile=-", "--output=json"],
            "error: two outputs cannot both go to standard output\n  try:     --profile FILE\n",
        ),
    ];
    for (words, stderr) in cases {
        let words = std::iter::once("need").chain(words.iter().copied());
        let cli = Cli::new(words)
            .file("x.txt", IOSTAT)
            .file("day.jsonl", day());
        cli.file("idle.jsonl", idle).check(2, "", stderr);
    }
}

#[test]
fn the_need_of_a_sas_server_for_programs() {
    let words = "need --sas-cores 16 --instance Standard_E32s_v3 --json";
    let document: serde_json::Value =
        serde_json::from_str(&Cli::line(words).stdout()).expect("JSON");
    let expected = serde_json::json!({
        "name": "Standard_E32s_v3",
        "bytes_per_second": 768e6,
        "sas": { "bytes_per_second_per_core": 48e6, "share": 0.48, "cores_fed": 7.68 },
    });
    assert_eq!(document["machine"], expected);
}

/// The words that come first, and end where the next sentence begins a line.
#[test]
fn disks_are_first_said_to_be_enough_or_not() {
    let first = |words: &[&str]| {
        let words = std::iter::once("need").chain(words.iter().copied());
        let page = Cli::new(words).stdout();
        let mut lines = page.lines();
        let first = lines.next().unwrap_or_default().to_owned();
        let rest = lines.take_while(|line| line.starts_with("  "));
        rest.fold(first, |all, line| format!("{all} {}", line.trim_start()))
    };
    let four = |iops| first(&["--disks=4x hdd-10k", "--raid=10", iops]);
    assert_eq!(
        [four("--iops=300"), four("--iops=2000")],
        [
            "enough: 4 disks hdd-10k for 300 random IOPS with 70.0 % reads. As raid10 they deliver \
             about 440; 4 disks are needed",
            "not enough: 4 disks hdd-10k for 2,000 random IOPS with 70.0 % reads. As raid10 they \
             deliver about 440; 20 disks are needed",
        ]
    );
    let every = first(&["--disks=8x hdd-10k", "--iops=800"]);
    let expected = "8 disks hdd-10k for 800 random IOPS with 70.0 % reads: enough as raid0, \
                    raid10; not enough as raid5 (11 needed), raid6 (14 needed)";
    assert_eq!(every, expected);
}
