//! `fathom explain`: pastes as people send them, and what is said of them.

use crate::command::Cli;

/// A run of fio from the page cache, in a mail.
const CACHED: &str = "\
> $ fio --name=t --filename=f --size=1g --rw=randread --bs=4k --iodepth=32 --ioengine=libaio
> t: (g=0): rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=32
> fio-3.28
>
> t: (groupid=0, jobs=1): err= 0: pid=2257: Fri Nov 27 02:06:36 2026
>   read: IOPS=688k, BW=2688MiB/s (2818MB/s)(157GiB/60001msec)
>     slat (nsec): min=700, max=137000, avg= 1077, stdev= 466
>      lat (nsec): min=180, max=273100, avg=120.0, stdev=56.45
>   cpu          : usr=25.50%, sys=54.20%, ctx=5, majf=0, minf=14
>   IO depths    : 1=0.1%, 2=0.1%, 4=0.1%, 8=0.1%, 16=0.1%, 32=100.0%, >=64=0.0%
>      issued rwts: total=41280000,0,0,0 short=0,0,0,0 dropped=0,0,0,0
";

#[test]
fn a_cache_is_named_in_one_sentence() {
    let expected = include_str!("explain_cached.txt");
    Cli::new(["explain", "mail.txt"])
        .file("mail.txt", CACHED)
        .check(0, expected, "");
}

#[test]
fn what_a_paste_hides_is_shown() {
    let paste = "\u{1b}]0;x\u{7}CrystalDiskMark 8.0.4\n[Read]\n\
                 \x20 SEQ <b>1MiB</b>|*a*\u{202e} (Q=  8, T= 1):  90.0 MB/s [ 85.8 IOPS] \
                 < 93240.00 us>\n\
                 \x20 RND 4KiB (Q=  1, T= 1):  40.0 MB/s [ 9765.6 IOPS] < 102.00 us>\n";
    let answers = [
        ("text", include_str!("explain_hostile.txt")),
        ("markdown", include_str!("explain_hostile.md")),
    ];
    for (format, expected) in answers {
        Cli::new(["explain", "paste.txt", "-o", format])
            .file("paste.txt", paste)
            .check(0, expected, "");
    }
}

#[test]
fn what_is_no_result_is_said() {
    let expected =
        "Nothing in this text is a result that fathom reads.\n\nignored     1 other line\n";
    Cli::new(["explain", "note.txt"])
        .file("note.txt", "My disk is slow.\n")
        .check(0, expected, "");
    let vdbench = "This is a vdbench parameter file, not a result: use `fathom convert --to native \
                   FILE` to make a\nworkload of it.\n\nignored     2 other lines\n";
    Cli::new(["explain", "load.vdb"])
        .file("load.vdb", "sd=sd1,lun=/dev/null\nwd=wd1,sd=sd1\n")
        .check(0, vdbench, "");
}

#[test]
fn what_cannot_be_read_is_refused() {
    let twice = "error: standard input is named twice\n  try:     use a file in place of one `-`\n";
    Cli::new(["explain", "-", "--against", "-"]).check(2, "", twice);
    let endless = "error: /dev/zero is too large to be a pasted output\n  because: it has more \
                   than 256 MiB\n  try:     use the part with the output\n";
    Cli::new(["explain", "/dev/zero"]).check(2, "", endless);
}

#[test]
fn a_workload_in_another_language_is_named() {
    let cases = [
        (
            "./load.vdb",
            "sd=sd1,lun=/dev/null\nwd=wd1,sd=sd1\n",
            "error: ./load.vdb is a vdbench parameter file\n  because: a workload is a TOML file \
             or a profile\n  try:     use `fathom convert --to native FILE` to make a \
             workload of it\n",
        ),
        (
            "./load.fio",
            "[global]\nrw=randread\n[a]\nsize=1g\n",
            "error: ./load.fio is a fio job file\n  because: a workload is a TOML file or a \
             profile\n  try:     use `fathom convert --to native FILE` to make a workload of it\n",
        ),
    ];
    for (name, text, expected) in cases {
        Cli::new(["run", name])
            .file(name, text)
            .check(2, "", expected);
    }
}

#[test]
fn the_logs_of_one_run_are_one_result() {
    let rates = |rate: u32| {
        let line = |second: u32| format!("{}, {rate}, 0, 0, 0\n", second * 1000);
        (1..=20).map(line).collect::<String>()
    };
    Cli::line("explain mix_iops.1.log mix_iops.2.log mix_bw.1.log mix_bw.2.log")
        .file("mix_iops.1.log", rates(3000))
        .file("mix_iops.2.log", rates(2900))
        .file("mix_bw.1.log", rates(12_000))
        .file("mix_bw.2.log", rates(11_600))
        .check(0, include_str!("explain_logs.txt"), "");
}

#[test]
fn imported_formats_are_explained() {
    let terse = include_str!("../../../report/tests/fio/fio-3.33.terse");
    let cases = [
        (
            "io_iops.1.log",
            "500, 3000, 0, 0, 0\n1000, 3010, 0, 0, 0\n1500, 2990, 0, 0, 0\n",
            include_str!("explain_log.txt"),
        ),
        ("short.terse", terse, include_str!("explain_terse.txt")),
    ];
    for (name, text, expected) in cases {
        Cli::new(["explain", name])
            .file(name, text)
            .check(0, expected, "");
    }
}

/// Applications that use the page cache by design get no advice to use direct I/O.
#[test]
fn direct_io_is_no_advice_for_kafka() {
    let lines = |purpose: &str| {
        let words = ["explain", "mail.txt", "--for", purpose];
        let said = Cli::new(words).file("mail.txt", CACHED).stdout();
        let said = said.lines().filter(|line| {
            let label = line.split_whitespace().next();
            ["try", "decide", "or"].map(Some).contains(&label)
        });
        said.map(str::to_owned).collect::<Vec<_>>()
    };
    let kafka = [
        "try         Apache Kafka uses the page cache by design, so direct I/O would be another \
         load. To",
        "decide      fathom run kafka",
    ];
    assert_eq!(lines("kafka"), kafka);
    assert_eq!(
        lines("sqlserver")[0],
        "try         Use direct I/O, or a file larger than memory."
    );
}
