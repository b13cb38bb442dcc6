//! `fathom simulate`.

use crate::command::Cli;
use fathom_verdict::Group;
use serde_json::{Value, json};

const READS: &str = r#"
name = "reads"
[[phase]]
name = "p"
duration = "60s"
warm_up = "0s"
[[phase.job]]
name = "j"
size = "20GiB"
block_size = "8KiB"
random = 100
queue_depth = 64
direct = true
"#;

fn simulate(words: &str) -> Value {
    let fixed = "simulate reads.toml --quiet --no-save --output json";
    let json = Cli::line(format!("{fixed} {words}"))
        .file("reads.toml", READS)
        .stdout();
    serde_json::from_str(&json).expect("JSON")
}

/// Messages of the caveats of a code.
fn said(result: &Value, code: &str) -> Vec<String> {
    let caveats = result["caveats"].as_array().expect("a list").iter();
    caveats
        .filter(|caveat| caveat["code"] == code)
        .map(|caveat| caveat["message"].as_str().expect("a text").to_owned())
        .collect()
}

/// Reads and credit of an interval.
fn interval(result: &Value, index: usize) -> (u64, u64) {
    let phase = &result["phases"][0];
    let ios = &phase["intervals"][index]["jobs"][0]["read"]["ios"];
    let credit = &phase["machine"][index]["gauges"][0]["value"];
    (
        ios.as_u64().expect("a count"),
        credit.as_f64().expect("a level").round() as u64,
    )
}

/// Four small volumes of gp2 under an OLTP load: what holds it back is the credit, and no cache.
/// Of a disk whose throughput nobody gives, one of its class is assumed: without any, a sequential
/// load has no limit.
#[test]
fn a_disk_without_a_throughput_transfers_as_its_class_does() {
    for (volume, megabytes) in [
        ("hdd-7200:4TB", 123.5),
        ("hdd-10k:300GB", 79.0),
        ("hdd-15k:300GB", 118.0),
    ] {
        let words = format!(
            "simulate sequential-read-1m --volume {volume} --time 20s --warm-up 0s --quiet \
             --no-save --output json"
        );
        let json = Cli::line(words).stdout();
        let result: Value = serde_json::from_str(&json).expect("JSON");
        let rate = &result["phases"][0]["jobs"][0]["read"]["bytes_per_second"];
        let share = rate.as_f64().expect("a rate") / (megabytes * 1e6);
        assert!((0.99..=1.0).contains(&share), "{volume}: {rate}");
    }
}

#[test]
fn the_first_line_is_the_course_of_the_load() {
    let words = "simulate ms-oltp --volume '4x gp2:250GiB' --instance r5d.xlarge --as-of \
                 2018-11-29 --for 24h --no-save";
    let (ended, _) = Cli::line(words).end();
    let expected = "\
simulated 4x gp2:250GiB under r5d.xlarge: 12,000 IOPS for 40 min, then QUALIFIED
3,000; full again after 2 h idle
simulated: ms-oltp · 4x gp2:250GiB under r5d.xlarge · 24 h 00 min
                    IOPS       ±  MB/s
read   8 KiB  ×32  2,275  45.4 %  18.6  ! 1 2
write  8 KiB  ×32  974.8  45.4 %  7.99  ! 1 2
means   limited by gp2 IOPS without credit, according to the model
! 1     [simulated] virtual time: the numbers describe a model of storage, not a
        device
        try: measure the real storage before you rely on these numbers
! 2     [trend] the rate changed: 12,000 IOPS until 40 min 00 s, 3,000 IOPS
        afterwards. The mean of 3,249 IOPS describes none of these levels
in all 2 warnings and 3 notes · all details: --full
";
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(0), expected));
    // A day of virtual time is no reason for a line of progress each second.
    assert!(ended.stderr.lines().count() <= 4, "{}", ended.stderr);
}

/// Buffered reads for a day on a volume that was not yet there then.
#[test]
fn the_documented_examples_are_what_is_said() {
    let result = simulate("--volume gp3:100GiB --as-of 2018-11-29 --for 24h --no-direct");
    for topic in Group::Simulated.topics() {
        let example = topic.entry.example().expect("an example");
        let caveats = result["caveats"].as_array().expect("a list").iter();
        let code = topic.entry.code.name();
        let mut ours = caveats.filter(|caveat| caveat["code"] == code);
        let expected = serde_json::to_value(example).expect("JSON");
        assert_eq!(ours.next(), Some(&expected));
    }
}

/// A later phase begins with the credit that the first has left.
#[test]
fn every_phase_says_where_it_falls() {
    let phase = READS.split_once("[[phase]]").expect("a phase").1;
    let phase = phase.replace("60s", "20m");
    let (first, second) = (phase.clone(), phase.replace("\"p\"", "\"q\""));
    let two = format!("name = \"two\"\n[[phase]]{first}\n[[phase]]{second}");
    let words = "simulate two.toml --quiet --no-save --json --as-of 2018-11-29 --volume";
    let words = words.split(' ').chain(["4x gp2:50GiB"]);
    let json = Cli::new(words).file("two.toml", &two).stdout();
    let result: Value = serde_json::from_str(&json).expect("JSON");
    let told = |index: usize| {
        let bound = &result["phases"][index]["bound"];
        let falls = bound["falls"].as_array().cloned().unwrap_or_default();
        let falls = falls.into_iter().map(|fall| fall["at_s"].as_f64());
        (bound["name"].clone(), falls.collect::<Vec<_>>())
    };
    assert_eq!(told(0), (json!("gp2 IOPS while credit lasts"), vec![]));
    // 4 x 5.4 million requests of credit last 1,894.736… s in all.
    let at = Some(694.736_842_106);
    assert_eq!(told(1), (json!("gp2 IOPS without credit"), vec![at]));
    // The course of each is told.
    let caveats = result["caveats"].as_array().expect("a list").iter();
    let courses = caveats.filter(|caveat| caveat["code"] == "course");
    let mut phases: Vec<&Value> = courses.map(|caveat| &caveat["subject"]).collect();
    phases.dedup();
    assert_eq!(phases, [&json!("p"), &json!("q")]);
}

#[test]
fn a_day_on_four_small_volumes_in_closed_form() {
    let result = simulate("--volume '4x gp2:50GiB' --as-of 2018-11-29 --for 24h");
    assert_eq!(
        result["provenance"]["origin"],
        json!({"kind": "simulated", "model": "4x gp2:50GiB"})
    );
    // A minute at 12,000 a second; after 31.6 min 600.
    assert_eq!(interval(&result, 0), (720_000, 5_400_000 - 60 * 2_850));
    assert_eq!(
        interval(&result, 30),
        (720_000, 5_400_000 - 31 * 60 * 2_850)
    );
    assert_eq!(interval(&result, 1_439), (36_000, 0));
    let gauge = &result["phases"][0]["machine"][0]["gauges"][0];
    assert_eq!(
        (&gauge["name"], &gauge["unit"], &gauge["full"]),
        (
            &json!("gp2 IOPS credit, lowest of 4"),
            &json!("I/Os"),
            &json!(5_400_000.0)
        )
    );
    assert_eq!(
        said(&result, "course"),
        [
            "12,000 IOPS for 31 min 35 s, then 600.0; full again after 10 h idle",
            "the credit of gp2 IOPS ends after 31 min 35 s at 12,000 IOPS (98.3 MB/s), then 600.0 \
             IOPS (4.92 MB/s); an empty bucket is full again after 10 h 00 min without load",
            "steady state: 600.0 IOPS (4.92 MB/s), limited by gp2 IOPS without credit",
        ]
    );
    // What the closed form cannot know is not there.
    let read = &result["phases"][0]["jobs"][0]["read"];
    assert_eq!(
        (
            &read["service_ns"]["count"],
            &read["service_ns"]["percentiles"]
        ),
        (&json!(0), &json!({}))
    );
}

#[test]
fn ten_seconds_request_by_request() {
    let words = "--volume gp2:250GiB:credit=0.1% --as-of 2026-11-21 --for 10s";
    let result = simulate(words);
    // 5,400 credits lose 2,250 a second: empty after 2.4 s.
    let seconds: Vec<(u64, u64)> = (0..10).map(|index| interval(&result, index)).collect();
    assert_eq!(seconds[0], (3_000, 3_086));
    assert_eq!(seconds[9], (750, 0));
    let read = &result["phases"][0]["jobs"][0]["read"];
    let total = read["ios"].as_u64().expect("a count");
    // 3,000 a second for 2.4 s, then 750; the last queue is under way.
    assert!(total.abs_diff(7_200 + 5_700) <= 64, "{total}");
    assert_eq!(read["service_ns"]["count"], read["ios"]);
    assert_eq!(
        result["provenance"]["engine"]["reason"],
        "sim, one request at a time: about 12,900 requests"
    );
}

#[test]
fn both_fidelities_give_the_same_rates() {
    let rate = |fidelity: &str| {
        let words =
            format!("--volume gp3:100GiB:6000iops --as-of 2026-11-21 --fidelity {fidelity}");
        let result = simulate(&words);
        let iops = &result["phases"][0]["jobs"][0]["read"]["iops"];
        iops.as_f64().expect("a rate").round() as u64
    };
    assert_eq!((rate("discrete"), rate("fluid")), (6_000, 6_000));
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let cases: [(&[&str], &str); 7] = [
        (
            &["--volume", "4x gp2:100"],
            "error: cannot read `100` in the volume `4x gp2:100`\n  because: `100` needs a unit\n  \
             try:     a size as 250GiB, IOPS as 16000iops, throughput as 1000MiB/s, `ondemand`, \
             `plus`, or credit=50%\n",
        ),
        (
            &["--volume", "gp2"],
            "error: there is no such volume\n  because: gp2 needs its size, as in `gp2:250GiB`\n",
        ),
        (
            &["--volume", "gp4:1TiB"],
            "error: there is no volume type `gp4`\n  try:     gp2\n",
        ),
        (
            &["--volume", "gp2:1TiB", "--instance", "E32s_v3"],
            "error: there is no such volume\n  because: gp2 is of aws, Standard_E32s_v3 of \
             azure\n  try:     volumes and instance of one cloud\n",
        ),
        (
            &["--volume", "gp2:5GiB"],
            "error: gp2:5GiB is too small for `reads`\n  because: it has 5 GiB, and the workload \
             uses 20 GiB\n  try:     a larger volume, or --size 5GiB\n",
        ),
        (
            &["--volume", "P30", "--for", "24h", "--output", "fio-json"],
            "error: --output fio-json cannot be written\n  because: it is made of latencies, and \
             the closed form knows none\n  try:     --fidelity discrete, or another format\n",
        ),
        (
            &["--volume", "P30", "--ios", "1000", "--fidelity", "fluid"],
            "error: `reads` cannot be followed in closed form\n  because: p: it has no duration\n  \
             try:     --fidelity discrete\n",
        ),
    ];
    for (words, stderr) in cases {
        let fixed = ["simulate", "reads.toml", "--quiet", "--no-save"];
        let words = fixed.into_iter().chain(words.iter().copied());
        Cli::new(words)
            .file("reads.toml", READS)
            .check(2, "", stderr);
    }
}

#[test]
fn a_job_file_of_fio_runs_on_a_model() {
    let job = "[j]\nfilename=/data/x\nrw=randread\nbs=4k\nsize=1g\nruntime=5\ntime_based\n\
               ioengine=libaio\niodepth=32\ndirect=1\n";
    let words = "simulate ./job.fio --volume io1:100GiB:2000iops --as-of 2026-11-21 --quiet \
                 --no-save --output json";
    let json = Cli::line(words).file("job.fio", job).stdout();
    let result: Value = serde_json::from_str(&json).expect("JSON");
    let iops = &result["phases"][0]["jobs"][0]["read"]["iops"];
    assert_eq!(iops.as_f64().expect("a rate").round() as u64, 2_000);
}

/// A data volume that is read and a log that is written, each as fast as it goes.
const ROLES: &str = r#"
name = "roles"

[[phase]]
name = "main"
duration = "20s"

[[phase.job]]
name = "data"
target = "@data"
size = "10GiB"
block_size = "4KiB"
read = 100
random = 100
queue_depth = 64

[[phase.job]]
name = "log"
target = "@log"
size = "10GiB"
block_size = "4KiB"
read = 0
random = 100
queue_depth = 16
"#;

#[test]
fn roles_have_volumes_of_their_own_behind_one_instance() {
    let words = [
        "simulate",
        "./roles.toml",
        "--role=data=2x gp3:200GiB",
        "--role=log=gp3:100GiB",
        "--instance=m5.xlarge:credit=0%",
        "--as-of=2026-11-01",
        "--quiet",
        "--no-save",
        "--output=json",
    ];
    let json = Cli::new(words).file("roles.toml", ROLES).stdout();
    let result: Value = serde_json::from_str(&json).expect("JSON");
    let targets = result["provenance"]["targets"].as_array().expect("a list");
    let paths: Vec<&str> = targets
        .iter()
        .filter_map(|one| one["path"].as_str())
        .collect();
    assert_eq!(paths, ["volumes", "volumes (log)"]);
    let jobs = result["phases"][0]["jobs"].as_array().expect("a list");
    let rate = |op: &str| -> f64 {
        let rates = jobs.iter().filter_map(|job| job[op]["iops"].as_f64());
        rates.sum()
    };
    // The two volumes of the data would give 6,000 and that of the log 3,000; an m5.xlarge lets
    // 6,000 through for good.
    let all = rate("read") + rate("write");
    assert!((all / 6_000.0 - 1.0).abs() < 0.02, "{all}");
    let cases: [(&[&str], &str); 4] = [
        (
            &["exchange-jetstress", "--role=data=gp3:100GiB"],
            "error: no volume is given for the role log\n  because: `exchange-jetstress` has jobs \
             with the target @log\n  try:     --role log=VOLUME\n",
        ),
        (
            &[
                "exchange-jetstress",
                "--role=data=gp3:100GiB",
                "--role=log=gp3:100GiB",
                "--role=temp=gp3:100GiB",
            ],
            "error: `exchange-jetstress` has no role temp\n  try:     data, log\n",
        ),
        (
            &["random-read-4k", "--role=data=gp3:100GiB"],
            "error: the job `random-read-4k` of `random-read-4k` has no role\n  because: with \
             --role each request goes to the volumes of a role\n  try:     target = \"@data\" in \
             the job, or --volume for all of them\n",
        ),
        (
            &[
                "random-read-4k",
                "--volume=gp3:1TiB",
                "--instance=m5.xlarge:credit=half",
            ],
            "error: cannot read `credit=half` of the instance m5.xlarge\n  try:     \
             m5.xlarge:credit=0% to m5.xlarge:credit=100%\n",
        ),
    ];
    for (words, stderr) in cases {
        let words = std::iter::once("simulate").chain(words.iter().copied());
        Cli::new(words).check(2, "", stderr);
    }
}

/// IRIS on three volumes behind a machine: rates, and how long its bursts last.
fn iris(words: &[&str]) -> Vec<(String, f64)> {
    let fixed = "simulate iris-full --role data=gp3:200GiB --role wij=gp3:100GiB --role \
                 journal=gp3:100GiB --instance m5.2xlarge --quiet --no-save --output json";
    let json = Cli::new(fixed.split(' ').chain(words.iter().copied())).stdout();
    let result: Value = serde_json::from_str(&json).expect("JSON");
    let jobs = result["phases"][0]["jobs"].as_array().expect("jobs").iter();
    let figures = jobs.flat_map(|job| {
        let name = job["name"].as_str().expect("a name");
        let figure = |what: &str, value: &Value| Some((format!("{name} {what}"), value.as_f64()?));
        [
            figure("reads", &job["read"]["iops"]),
            figure("writes", &job["write"]["iops"]),
            figure("flushes", &job["flush"]["iops"]),
            figure("burst", &job["burst_ns"]["mean"]),
        ]
    });
    figures.flatten().collect()
}

#[test]
fn bursts_of_several_roles_agree_in_closed_form() {
    let discrete = iris(&["--fidelity", "discrete"]);
    let fluid = iris(&["--fidelity", "fluid"]);
    assert_eq!(discrete.len(), 8, "{discrete:?}");
    for ((name, one), (other_name, other)) in discrete.iter().zip(&fluid) {
        assert_eq!(name, other_name);
        // The arrivals of the journal are drawn: 48,000 in 240 s, half a percent more or less.
        assert!(
            (one / other - 1.0).abs() < 0.01,
            "{name}: {one} and {other}"
        );
    }
}

#[test]
fn a_day_of_bursts_is_followed_in_closed_form() {
    // 1,080 cycles, each of which reads less for as long as the writes of the database last.
    let rates = iris(&["--for", "24h"]);
    let burst = rates.iter().find(|(name, _)| name == "dbwrite burst");
    let seconds = burst.expect("bursts").1 / 1e9;
    // 65,536 writes share 3,000 a second with 10 reads: 128 of 138 parts.
    let expected = 65_536.0 / (3_000.0 * 128.0 / 138.0);
    assert!((seconds / expected - 1.0).abs() < 0.005, "{seconds}");
    let reads = rates.iter().find(|(name, _)| name == "read reads");
    let reads = reads.expect("reads").1;
    let mean = 3_000.0 * (1.0 - expected / 80.0 * 128.0 / 138.0);
    assert!((reads / mean - 1.0).abs() < 0.005, "{reads} is not {mean}");
}

/// Bursts every 10 µs over a day would take long, in either fidelity.
#[test]
fn bursts_without_number_are_refused() {
    let bursts = READS.replace(
        "queue_depth = 64\n",
        "queue_depth = 64\npacing = { cyclic = { every = \"10us\", bytes = \"8KiB\" } }\n",
    );
    for fidelity in ["auto", "fluid"] {
        let words = "simulate bursts.toml --volume=gp3:1TiB --for=24h --no-save";
        let words = words.split(' ').chain(["--fidelity", fidelity]);
        let refused = "error: `reads` would take long to follow\n  \
                       because: j: it starts more than 5,000,000 bursts\n  \
                       try:     a shorter --for, a longer `every` with as many bytes more, or \
                       --fidelity discrete\n";
        Cli::new(words)
            .file("bursts.toml", &bursts)
            .check(2, "", refused);
    }
}
