//! The commands, and the files that they read.

use anyhow::Result;

/// How a file is written for a command.
pub(super) enum FileForm {
    /// As it is.
    Same,
    /// Lines end as Windows ends them.
    Crlf,
    /// As Windows PowerShell redirects: UTF-16, and CRLF.
    Utf16,
    /// With tabs between quoted values, as `relog -f tsv`.
    Tabs,
}

impl FileForm {
    /// The bytes of a file in this form.
    pub(super) fn of(&self, bytes: Vec<u8>) -> Result<Vec<u8>> {
        if matches!(self, Self::Same) {
            return Ok(bytes);
        }
        let text = String::from_utf8(bytes)?;
        let crlf = || text.replace('\n', "\r\n");
        Ok(match self {
            Self::Same | Self::Crlf => crlf().into_bytes(),
            Self::Tabs => {
                let tabs = crlf().replace("\",\"", "\"\t\"");
                tabs.replace("PDH-CSV", "PDH-TSV").into_bytes()
            }
            Self::Utf16 => {
                let units =
                    std::iter::once(0xFEFF).chain(crlf().encode_utf16().collect::<Vec<_>>());
                units.flat_map(u16::to_le_bytes).collect()
            }
        })
    }
}

use FileForm::{Crlf, Same, Tabs, Utf16};

/// Name of a file, the file of this repository that it is made from, and the form.
pub(super) const INPUTS: [(&str, &str, FileForm); 24] = [
    (
        "perfmon.csv",
        "crates/tools/tests/corpus/recordings/perfmon.csv",
        Same,
    ),
    (
        "perfmon-de.csv",
        "crates/tools/tests/corpus/recordings/perfmon-de.csv",
        Same,
    ),
    (
        "perfmon-fr.csv",
        "crates/tools/tests/corpus/recordings/perfmon-fr.csv",
        Same,
    ),
    (
        "relog.csv",
        "crates/tools/tests/corpus/recordings/perfmon.csv",
        Crlf,
    ),
    (
        "relog.tsv",
        "crates/tools/tests/corpus/recordings/perfmon.csv",
        Tabs,
    ),
    (
        "typeperf.csv",
        "crates/tools/tests/corpus/recordings/perfmon.csv",
        Utf16,
    ),
    (
        "Zähler vom Tag.csv",
        "crates/tools/tests/corpus/recordings/perfmon-de.csv",
        Utf16,
    ),
    (
        "sar-d.txt",
        "crates/tools/tests/corpus/recordings/sar-d.txt",
        Same,
    ),
    (
        "day.jsonl",
        "crates/tools/tests/corpus/recordings/fathom.jsonl",
        Crlf,
    ),
    (
        "job.fio",
        "crates/programs/tests/corpus/fio/mixed.fio",
        Same,
    ),
    (
        "job crlf.fio",
        "crates/programs/tests/corpus/fio/mixed.fio",
        Crlf,
    ),
    (
        "refused.fio",
        "crates/programs/tests/corpus/fio/refused-values.fio",
        Same,
    ),
    (
        "mixed.xml",
        "crates/programs/tests/corpus/diskspd/mixed.xml",
        Crlf,
    ),
    (
        "server.icf",
        "crates/programs/tests/corpus/iometer/file-server.icf",
        Crlf,
    ),
    (
        "result.json",
        "crates/programs/tests/results/runs.json",
        Same,
    ),
    (
        "diskspd.txt",
        "crates/programs/tests/results/diskspd-2.1.txt",
        Crlf,
    ),
    (
        "powershell.txt",
        "crates/programs/tests/results/diskspd-2.1.txt",
        Utf16,
    ),
    (
        "iometer.csv",
        "crates/programs/tests/results/iometer-2006.csv",
        Same,
    ),
    (
        "each_clat.1.log",
        "crates/programs/tests/results/each_clat.1.log",
        Same,
    ),
    (
        "each_iops.1.log",
        "crates/programs/tests/results/each_iops.1.log",
        Same,
    ),
    ("terse.txt", "crates/programs/tests/results/terse.txt", Same),
    (
        "golden.json",
        "crates/core/tests/golden/result-v1.json",
        Same,
    ),
    (
        "minimal.json",
        "crates/core/tests/golden/result-v1-minimal.json",
        Same,
    ),
    ("sas.toml", "suites/sas.toml", Same),
];

/// Commands in one folder, one after the other; `␣` stands for a blank in a word.
pub(super) const CASES: [&str; 67] = [
    "plan --iops 10000 --block-size 16KiB --read 70 --capacity 200GiB --cloud aws \
     --as-of 2026-11-01",
    "plan --budget 500 --capacity 1TiB --cloud aws --as-of 2026-11-01",
    "plan pg-oltp --iops 5000 --capacity 500GiB --cloud azure --as-of 2026-11-01",
    "plan --from perfmon.csv --capacity 500GiB --as-of 2026-11-01",
    "plan --iops 3000 --read 50 --capacity 100GiB --cloud gcp --as-of 2026-11-01 --top 5",
    "plan --iops many",
    "need perfmon.csv",
    "need perfmon-de.csv",
    "need perfmon-fr.csv",
    "need perfmon-de.csv --by peak --growth 25",
    "need perfmon.csv --profile need.toml",
    "need perfmon.csv --json",
    "need relog.csv",
    "need relog.tsv",
    "need typeperf.csv",
    "need Zähler␣vom␣Tag.csv",
    "need sar-d.txt",
    "need day.jsonl",
    "need missing.csv",
    "simulate ms-oltp --volume gp3:1TiB:16000iops:1000MiB/s --for 30s --seed 1 \
     --as-of 2026-11-01 --no-save",
    "simulate pg-oltp --volume io2:1TiB:32000iops --hosts 4 --shared=common --for 20s --seed 1 \
     --as-of 2026-11-01 --no-save",
    "simulate need.toml --volume gp2:250GiB --for 10s --seed 2 --as-of 2018-11-29 --no-save",
    "simulate random-read-4k --volume gp2:100GiB --for 10m --seed 1 \
     --as-of 2026-11-01 --no-save",
    "simulate random-read-4k --volume gp9:100GiB --no-save",
    "convert ms-oltp --to fio --target /data/io.dat",
    "convert ms-oltp --to diskspd --target io.dat",
    "convert job.fio --to native -o job.toml",
    "convert job␣crlf.fio --to native",
    "convert mixed.xml --to native",
    "convert server.icf --to native",
    "convert --from diskspd --to native -- -c10G -b8K -d60 -t4 -o8 -r -w30 r:\\temp\\io.dat",
    "convert random-read-4k --to diskspd-xml --target io.dat",
    "convert refused.fio --to native",
    "import result.json",
    "import diskspd.txt",
    "import powershell.txt",
    "import iometer.csv",
    "import each_clat.1.log each_iops.1.log",
    "import golden.json",
    "import nothing.json",
    "explain diskspd.txt",
    "explain terse.txt",
    "explain result.json -o markdown",
    "explain powershell.txt --json",
    "compare golden.json golden.json",
    "compare golden.json minimal.json --metric p99 --gate 5%",
    "report golden.json -o Bericht␣über␣alles.html",
    "report golden.json -o Bericht␣über␣alles.html",
    "report golden.json -o nowhere/x.html",
    "show golden.json",
    "show golden.json -o csv",
    "show golden.json -o json:copy.json",
    "history --each",
    "history --json",
    "show @latest",
    "report @latest -o latest.html",
    "profiles",
    "profiles show pg-oltp",
    "studies",
    "studies --json",
    "catalog aws --as-of 2026-11-01",
    "suite sas.toml --list",
    "help",
    "help run",
    "help checks",
    "generate completions powershell",
    "--version",
];

/// What needs Linux, and all that is printed.
pub(super) const REFUSED: [(&str, &str); 6] = [
    (
        "verify golden.json",
        "error: fathom verify is not available on this system\n  because: it needs Linux\n  \
         try:     verify the file on a Linux host\n",
    ),
    (
        "durability --ack-log log --target x.dat",
        "error: fathom durability is not available on this system\n  because: it needs Linux\n  \
         try:     test the same storage from a Linux host\n",
    ),
    (
        "devices",
        "error: fathom devices is not available on this system\n  because: it needs Linux\n  \
         try:     list the disks with Get-PhysicalDisk in PowerShell\n",
    ),
    (
        "watch --count 1",
        "error: cannot read the counters of Performance Monitor\n  because: \
         PdhAddEnglishCounter of \\PhysicalDisk(*)\\Disk Reads/sec answers 0xC0000BB9\n  try:     \
         rebuild them with `lodctr /r` as administrator\n",
    ),
    (
        "run random-read-4k --hosts a,b --target x.dat",
        "error: fathom run with several hosts is not available on this system\n  because: it needs \
         Linux\n  try:     start the run from a Linux host\n",
    ),
    (
        "run random-write-4k --target x.dat --no-save --engine io_uring",
        "error: io_uring is not available: it is made for Linux, and this is another system\n  \
         try:     --engine iocp or sync, or a Linux host\n",
    ),
];
