//! Advice that a person can buy by, as it is typed: what a plan got wrong once, the parts of the
//! bill, the vendors' feeds, and every recording that a plan can rest on.

use crate::command::Cli;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The first lines that a command prints, joined.
fn first(lines: usize, words: &str) -> String {
    let printed = Cli::line(words).stdout();
    let lines: Vec<&str> = printed.lines().take(lines).collect();
    lines.join("\n")
}

#[test]
fn the_first_line_is_what_to_buy() {
    let question = "plan --iops 16000 --block-size 16KiB --capacity 1TB --cloud azure \
                    --region eastus --as-of 2026-11-22";
    let of = |scope: &str| first(1, &format!("{question} {scope}"));
    let disks = "buy 6x premium-ssd-v2:156GiB on F4as_v7/nvme:";
    assert_eq!(
        [of(""), of("--disks-only"), of("--machine-only")],
        [
            format!("{disks} 274.45 USD a month (disks 75.16,"),
            format!("{disks} 75.16 USD a month for the disks"),
            "buy P40:plus on F4as_v7/nvme: 199.29 USD a month for the machine".to_owned(),
        ]
    );
    let budget = "plan --budget 500 --capacity 1TiB --cloud aws --region us-east-1 \
                  --as-of 2026-11-22";
    assert_eq!(
        first(3, budget),
        "500.00 USD a month buy 38,392 IOPS (629.0 MB/s) without end: 8x\n  gp3:128GiB:4799iops on \
         c8gb.2xlarge, 499.90 USD a month (disks 153.88, machine\n  346.02)"
    );
}

/// Disks in the host are asked for, and the first line says what they lose.
#[test]
fn the_first_line_says_that_data_may_be_lost() {
    let question = "plan --iops 40000 --block-size 8KiB --read 50 --capacity 200GiB --cloud aws \
                    --as-of 2026-11-22";
    assert_eq!(
        first(1, question),
        "buy 8x gp3:25GiB:5000iops on c8gb.2xlarge: 442.02 USD a month (disks 96.00,"
    );
    assert_eq!(
        first(3, &format!("{question} --ephemeral-ok")),
        "buy instance-store:950GB:104524iops:428MB/s on i3.xlarge, volatile (all data is\n  lost \
         when the machine stops or fails): 227.76 USD a month (disks 0.00, machine\n  227.76)"
    );
    let roles = "plan --cloud=aws --as-of=2026-11-22 \
                 '--role=data=iops:8000 block:16KiB read:70 capacity:1TiB' \
                 '--role=tempdb=iops:60000 block:8KiB read:50 capacity:300GiB ephemeral:ok'";
    let printed = Cli::line(roles).stdout();
    let lines: Vec<&str> = printed.lines().take(3).collect();
    assert_eq!(
        lines.join("\n"),
        "buy 4x gp3:256GiB for data, instance-store:323GB:120167iops:492MB/s for tempdb\n  \
         (volatile: all data is lost when the machine stops or fails), on c6gd.4xlarge:\n  530.43 \
         USD a month (disks 81.92, machine 448.51)"
    );
    Cli::line("plan --iops 100 --instance m5.large --ephemeral-ok").check(
        2,
        "",
        "error: --ephemeral-ok has no effect\n  because: m5.large has no local disks\n  try:     \
         use another --instance, or let the plan choose one\n",
    );
    let hdd = "plan --iops 100 --instance d3.xlarge --ephemeral-ok".split_whitespace();
    Cli::new(hdd).check(
        2,
        "",
        "error: --ephemeral-ok has no effect\n  because: no source of the catalogue states what \
         the local disks of d3.xlarge give to these requests\n  try:     measure them, and give \
         the figures with --volume\n",
    );
}

/// A bill of SQL Server on Windows, committed for a year, in euros.
#[test]
fn the_bill_says_what_it_includes() {
    let question = "plan --iops 8000 --block-size 8KiB --capacity 200GiB --cloud aws \
                    --volume gp3:200GiB:8000iops --instance m5.xlarge --as-of 2026-11-22";
    let arithmetic = |options: &str| -> Vec<String> {
        let asked = format!("{question} --why 1 -o json {options}");
        let printed = Cli::line(asked).stdout();
        let plan: serde_json::Value = serde_json::from_str(&printed).unwrap();
        let lines = plan["offers"][0]["arithmetic"].as_array().unwrap().iter();
        let lines = lines.map(|line| line.as_str().unwrap());
        let prices = lines.filter(|line| line.starts_with("price: "));
        // Without the source.
        let line = |line: &str| line.split(" [").next().unwrap().to_owned();
        prices.skip(2).map(line).collect()
    };
    assert_eq!(
        arithmetic(""),
        [
            "price: m5.xlarge 0.192 USD an hour × 730 h = 140.16 USD",
            "price: 181.16 USD a month in us-east-1, 30.19 USD for 1,000 sustained IOPS",
        ]
    );
    assert_eq!(
        arithmetic("--os windows --licence sql-standard --commit 1y --currency EUR=0.5"),
        [
            "price: m5.xlarge Linux, on demand: 0.096 EUR an hour",
            "price: Windows: 0.023 × 4 vCPUs = 0.092 EUR an hour",
            "price: SQL Server Standard: 0.06 × 4 vCPUs = 0.24 EUR an hour",
            "price: reserved for 1 year without upfront payment: 0.6301 of it = -0.03551 EUR an \
             hour",
            "price: m5.xlarge 0.39249 EUR an hour × 730 h = 286.52 EUR",
            "price: 307.02 EUR a month in us-east-1, 51.17 EUR for 1,000 sustained IOPS",
        ]
    );
    let unknown = "plan --iops 100 --capacity 20GiB --cloud azure --licence sql-web";
    let printed = Cli::line(unknown).stdout();
    let lines = printed.lines();
    let mut lines = lines.skip_while(|line| !line.starts_with("assumed: machines"));
    let said = "assumed: machines of azure have no price, as no source gives one for SQL Server";
    assert_eq!([lines.next(), lines.next()], [Some(said), Some("  Web")]);
    Cli::line("plan --iops 100 --os windows --arch arm64").check(
        2,
        "",
        "error: Windows is not offered on arm64\n  try:     leave out --arch\n",
    );
}

/// Threads times depth are no requests a second.
#[test]
fn the_mix_of_a_workload_comes_from_its_rates() {
    let words = "plan pg-oltp --iops 8000 --capacity 200GiB --cloud aws --disks-only \
                 --as-of 2026-11-22";
    assert_eq!(
        first(6, words),
        "buy 4x gp3:50GiB on c8gb.large: 16.00 USD a month for the disks\nlist prices in \
         us-east-1: disks as of 2026-09-21\na stripe (RAID 0): all data is lost if one of the 4 \
         volumes fails. One volume:\n  gp3:200GiB:8000iops on c8gb.large, 41.00 USD a month for \
         the disks\n\n8,000 IOPS of 8.50 KiB \
         (69.6 MB/s), 90.7 % reads, 200 GiB on 2026-11-22"
    );
}

/// What held single requests back is known where the closed form cannot follow.
#[test]
fn a_model_knows_what_held_its_roles_back() {
    let means = |words: &[&str]| {
        let asked = ["--warm-up", "0s", "--no-save", "--quiet"]
            .iter()
            .chain(words);
        let (ended, _folder) = Cli::new(["simulate"].iter().chain(asked)).end();
        let lines = ended.stdout.lines();
        let lines = lines.skip_while(|line| !line.starts_with("means"));
        let lines = lines.take_while(|line| !line.starts_with('!'));
        lines.map(str::trim).collect::<Vec<_>>().join(" ")
    };
    let layered = ["random-read-4k", "--volume", "gp3:1TiB + noise:2%"];
    let day = ["--time", "2s", "--as-of", "2026-11-22"];
    assert_eq!(
        means(&[&layered[..], &day].concat()),
        "means   limited by gp3 IOPS; 100.0 % waited for gp3 IOPS, according to the model"
    );
    let roles = [
        "iris-full",
        "--role",
        "data=5x gp3:200GiB:16000iops",
        "--role",
        "wij=gp3:100GiB",
        "--role",
        "journal=gp3:100GiB",
        "--instance",
        "c5.18xlarge",
        "--as-of",
        "2023-06-01",
        "--time",
        "5s",
    ];
    assert_eq!(
        means(&roles),
        "means   62.7 % of the requests waited for no limit; 22.7 % waited for c5.18xlarge IOPS; \
         7.5 % waited for data gp3 IOPS; 2.1 % waited for …"
    );
}

fn feeds() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../volume/tests/feeds");
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|one| one.expect("a file").path()).collect();
    files.sort();
    files
}

/// The price of a row of a plan.
fn price(folder: TempDir, words: &str) -> (String, TempDir) {
    let (ended, folder) = Cli::in_folder(folder, words.split_whitespace()).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let row = ended.stdout.lines().find(|line| line.starts_with("1  "));
    let mut row = row.expect("a row").split("  ").map(str::trim);
    let price = row.find(|cell| cell.ends_with(" USD"));
    (price.unwrap_or("unknown").to_owned(), folder)
}

#[test]
fn feeds_of_each_kind_become_prices_of_plans() {
    let feeds = feeds();
    assert_eq!(feeds.len(), 5);
    let words = "catalog refresh --read-on 2026-11-21 --into rows --from";
    let words = words.split(' ').map(std::ffi::OsString::from);
    let all = words.chain(feeds.iter().map(|file| file.clone().into_os_string()));
    let (ended, folder) = Cli::new(all).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let written: Vec<&str> = ended
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("written: "))
        .collect();
    assert_eq!(
        written,
        [
            "rows/aws/prices.csv (10 rows, 10 new)",
            "rows/aws/machine_prices.csv (1 row, 1 new)",
            "rows/aws/instances.csv (1 row, 1 new)",
            "rows/azure/prices.csv (7 rows, 7 new)",
            "rows/azure/machine_prices.csv (1 row, 1 new)",
            "rows/azure/instances.csv (1 row, 1 new)",
            "rows/gcp/prices.csv (2 rows, 2 new)",
            "rows/gcp/machine_prices.csv (29 rows, 29 new)",
        ]
    );
    // Snapshots have a price by the feed of AWS: 500 GiB at 0.05 more.
    let plan = "plan --iops 3000 --capacity 100GiB --region us-east-2 --volume gp3:100GiB \
                --disks-only --as-of 2026-11-22";
    let (plain, folder) = price(folder, &format!("{plan} --catalog rows"));
    let (kept, folder) = price(folder, &format!("{plan} --catalog rows --snapshots 500GiB"));
    let (unknown, _folder) = price(folder, &format!("{plan} --snapshots 500GiB"));
    assert_eq!([plain, kept, unknown], ["8.00 USD", "33.00 USD", "unknown"]);
}

/// A command, a file, the first line with which it is refused as it stands, and what a person
/// then states; nothing for a file that stays refused.
type Asks = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
);

const COLUMNS: &str = "--columns=time=1,device=2,read_iops=3,write_iops=4,read_mb=5,write_mb=6";
const UNSIZED: &str = "error: the size of the requests is not known";
const UNKNOWN: &str = "error: this is no recording of devices";
const APART: &str = "error: the devices cannot be added up";
const NAMELESS: &str = "error: a series without the name of its metric, which rate() drops; query \
                        the counters: {__name__=~\"node_disk_.*\"}";
const ASKS: [Asks; 9] = [
    ("need", "plain.csv", UNKNOWN, &[COLUMNS]),
    ("need", "prometheus-rate.json", NAMELESS, &[]),
    ("plan", "azure.json", UNSIZED, &["--block-size=16KiB"]),
    ("plan", "dstat-bytes.csv", UNSIZED, &["--block-size=16KiB"]),
    ("plan", "plain.csv", UNKNOWN, &[COLUMNS]),
    ("plan", "prometheus-rate.json", NAMELESS, &[]),
    // Devices that were not looked at in the same moments.
    ("plan", "prometheus.json", APART, &["--device=nvme0n1"]),
    ("plan", "sar-12h.txt", APART, &["--device=dev8-0"]),
    ("plan", "vmstat-t.txt", UNSIZED, &["--block-size=16KiB"]),
];

/// Each kind of input that a person has, of every tool that is read.
#[test]
fn every_recording_tells_a_need_and_a_plan() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/tests/corpus/recordings");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|one| one.expect("a file").path())
        .collect();
    files.sort();
    assert!(files.len() >= 30, "{files:?}");
    for path in files {
        let name = path.display().to_string();
        let mut plan = vec!["plan", "--from", &name, "--volume", "gp3:100GiB"];
        plan.extend(["--disks-only", "--as-of", "2026-11-22"]);
        for mut words in [vec!["need", &name], plan] {
            let mut asks = ASKS.iter();
            let asked =
                asks.find(|(command, file, ..)| *command == words[0] && path.ends_with(file));
            let (mut ended, _folder) = Cli::new(&words).end();
            if let Some((_, _, line, stated)) = asked {
                let first = ended.stderr.lines().next();
                assert_eq!((ended.status, first), (Some(2), Some(*line)), "{words:?}");
                if stated.is_empty() {
                    continue;
                }
                words.extend(*stated);
                ended = Cli::new(&words).end().0;
            }
            let found = (ended.status, ended.stderr.as_str());
            assert_eq!(found, (Some(0), ""), "{words:?}");
        }
    }
}
