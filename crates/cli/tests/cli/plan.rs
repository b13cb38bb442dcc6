//! `fathom plan`.

use crate::command::Cli;

const STUDY: &str = "plan --iops=10000 --block-size=4KiB --read=70 --random=100 \
                     --capacity=200GiB --region=eu-west-1 --as-of=2018-11-01 --volume \
                     io1:200GiB:10000iops --volume '4x gp2:50GiB'";

#[test]
fn a_load_that_grows_is_planned_for_each_year() {
    let words = "plan --iops=8000 --block-size=16KiB --read=70 --capacity=500GiB --cloud=aws \
                 --vcpus=4 --headroom=20 --growth=30/year --years=3";
    let page = Cli::line(words).stdout();
    let answer: Vec<&str> = page.lines().take(9).collect();
    let expected = [
        "buy 4x gp3:150GiB on c6gn.xlarge: 174.14 USD a month (disks 48.00, machine",
        "  126.14)",
        "after 1 year, 1.30 times as much: 5x gp3:156GiB on c6in.xlarge: 227.96 USD a",
        "  month (disks 62.40, machine 165.56), 53.82 more",
        "after 2 years, 1.69 times as much: 6x gp3:169GiB on c8gb.xlarge: 254.13 USD a",
        "  month (disks 81.12, machine 173.01), 26.17 more",
        "after 3 years, 2.20 times as much: 8x gp3:165GiB on c8gb.xlarge: 278.61 USD a",
        "  month (disks 105.60, machine 173.01), 24.48 more",
        "in 3 years: 7,874.86 USD with these changes, 9,148.68 if the layout of the last",
    ];
    assert_eq!(answer, expected);
}

#[test]
fn growth_and_years_belong_together() {
    let words = ["plan", "--iops=8000", "--growth=30", "--years=3"];
    let refused = "error: --growth and --years do not fit together\n  \
                   because: a load that grows each year is planned for a number of years\n  \
                   try:     --growth 30/year --years 3, or --growth 30 alone\n";
    Cli::new(words).check(2, "", refused);
}

#[test]
fn years_have_no_rows_in_csv() {
    let words = "plan --iops=8000 --growth=30/year --years=3 --output=csv";
    let refused = "error: --years has no rows in CSV\n  \
                   because: each row is a layout for the load of now\n  \
                   try:     use --output json, which has the years\n";
    Cli::line(words).check(2, "", refused);
}

#[test]
fn headroom_is_stated_with_what_was_asked_for() {
    let words = "plan --iops=4000 --block-size=16KiB --capacity=500GiB --cloud=aws \
                 --as-of=2026-11-22 --headroom=20";
    let page = Cli::line(words).stdout();
    let mut stated = page
        .lines()
        .skip_while(|line| !line.starts_with("4,800 IOPS"));
    let stated: Vec<&str> = stated
        .by_ref()
        .take_while(|line| !line.is_empty())
        .collect();
    assert_eq!(
        stated,
        [
            "4,800 IOPS of 16 KiB (78.6 MB/s), 70.0 % reads, 600 GiB: 4,000 IOPS and 500 GiB",
            "  with 20.0 % headroom on 2026-11-22",
        ]
    );
}

#[test]
fn given_layouts_are_compared_with_their_arithmetic() {
    let table = Cli::line(format!("{STUDY} --explain")).stdout();
    assert_eq!(table, include_str!("plan/study.txt"));
    let rows = Cli::line(format!("{STUDY} --output=csv")).stdout();
    assert_eq!(rows, include_str!("plan/study.csv"));
}

#[test]
fn the_catalogue_is_searched_and_ranked() {
    let words = "plan ms-oltp --iops=10000 --capacity=200GiB --cloud=aws --region=eu-west-1 \
                 --as-of=2026-11-01";
    assert_eq!(Cli::line(words).stdout(), include_str!("plan/search.txt"));
}

#[test]
fn a_recording_is_played_on_each_layout() {
    let words = "plan --from=day.jsonl --growth=25 --capacity=200GiB --volume=gp2:250GiB \
                 '--volume=4x gp2:100GiB' '--volume=2x gp2:100GiB' --as-of=2018-11-01 \
                 --region=eu-west-1";
    let cli = Cli::line(words).file("day.jsonl", crate::need::day());
    assert_eq!(cli.stdout(), include_str!("plan/recording.txt"));
}

#[test]
fn several_roles_are_planned_behind_one_machine() {
    let words = [
        "plan",
        "--role=data=iops:8000 block:16KiB read:70 random:100 capacity:1TiB",
        "--role=log=iops:2000 block:64KiB read:0 random:0 capacity:100GiB",
        "--role=temp=throughput:200MB/s block:256KiB read:50 random:100 capacity:500GiB",
        "--as-of=2026-11-01",
    ];
    assert_eq!(Cli::new(words).stdout(), include_str!("plan/roles.txt"));
    let cases: [(&[&str], &str); 3] = [
        (
            &["--role=data=iops:8000 blok:16KiB"],
            "error: cannot read `blok:16KiB` of the role data\n  because: there is no key \
             `blok`\n  \
             try:     the words are iops, throughput, block, read, random, capacity, latency and \
             ephemeral\n",
        ),
        (
            &["--role=data=capacity:1TiB"],
            "error: it is not said how much the role data needs\n  try:     --role \
             \"data=iops:8000\", or throughput:200MB/s\n",
        ),
        (
            &["exchange-jetstress", "--role=data=iops:4000"],
            "error: nothing is said of the role log\n  because: `exchange-jetstress` has jobs with \
             the target @log\n  try:     --role \"log=capacity:100GiB\"\n",
        ),
    ];
    for (words, stderr) in cases {
        let words = std::iter::once("plan").chain(words.iter().copied());
        Cli::new(words).check(2, "", stderr);
    }
}

/// Disks of the host do not use the machine's limit for volumes.
#[test]
fn only_attached_volumes_are_compared_with_the_limit_of_the_machine() {
    let log = "--role=log=iops:2000 block:64KiB read:0 random:0 capacity:100GiB";
    let temp = "--role=temp=iops:100000 block:4KiB read:50 random:100 capacity:100GiB ephemeral:ok";
    let work = "--role=work=iops:99000 block:4KiB read:50 random:100 capacity:100GiB ephemeral:ok";
    let cases = [
        (
            [log, temp],
            "on attached volumes (log) 2,000 IOPS (131.1 MB/s), of 5,000 (156.2 MB/s) sustained; \
             on disks of the host: temp; 4 vCPU (4 cores), 32.0 GiB, arm64, network 2.34 Gbit/s \
             [5]",
        ),
        (
            [work, temp],
            "all roles together 199,000 IOPS (815.1 MB/s), on disks of the host; 16 vCPU (8 \
             cores), 122 GiB, x86_64, network 5.00 Gbit/s [3]",
        ),
    ];
    for (roles, expected) in cases {
        let words = ["plan", "--as-of=2026-11-01", "--cloud=aws"];
        let text = Cli::new(words.into_iter().chain(roles)).stdout();
        let (_, first) = text.split_once("\n1 on ").expect("a plan");
        let lines = first.lines().take_while(|line| !line.is_empty());
        let begins = ["     all roles", "     on attached"];
        let own = lines.skip_while(|line| !begins.iter().any(|begin| line.starts_with(begin)));
        let own: Vec<&str> = own.flat_map(str::split_whitespace).collect();
        assert_eq!(own.join(" "), expected);
    }
}

/// The first lines name local disks whose price is unknown.
#[test]
fn local_disks_without_a_price_are_named() {
    let words = "plan --iops 300000 --block-size 4KiB --capacity 200GiB --cloud gcp --ephemeral-ok \
                 --as-of 2026-11-01";
    let text = Cli::line(words).stdout();
    let (first, _) = text.split_once("\n\n").expect("an answer");
    let words: Vec<&str> = first.split_whitespace().collect();
    let expected = "buy 2x hyperdisk-balanced:300GiB:150000iops:586MiB/s on \
                    c4-highcpu-192: 7,514.12 USD a month (disks 1,553.68, machine \
                    5,960.44) 1.6 % less at a higher risk: 8x \
                    hyperdisk-balanced:75GiB:37500iops:147MiB/s on c4-highcpu-192, \
                    7,390.68 USD a month (disks 1,430.24, machine 5,960.44), and all data \
                    is lost if one of its 8 volumes fails list prices in us-central1: \
                    machine Linux, on demand, as of 2025-04; disks as of 2026-09-21, 2026 \
                    at an unknown price, this load is met by \
                    gcp-local-ssd:3221GB:652173iops:2967MB/s on z3-highmem-8-highlssd, \
                    volatile (all data is lost when the machine stops or fails) a stripe \
                    (RAID 0): all data is lost if one of the 2 volumes fails. One volume: \
                    hyperdisk-extreme:250GiB:300000iops on c4-highcpu-192, 15,591.69 USD a \
                    month (disks 9,631.25, machine 5,960.44) c4-highcpu-192 has 192 vCPUs: \
                    the plan did not consider processors and memory. Set them with --vcpus \
                    and --memory the limits of a machine for Hyperdisk are known of C4D \
                    and of C4 with 192 and 288 vCPUs only (for Hyperdisk Balanced HA, of C3 \
                    and Z3). A smaller C3, C4, N4 or M may give this for less. Google \
                    states it under \"Hyperdisk performance limits\" warning: the limits \
                    of hyperdisk-balanced are in part inferred: 500 IOPS for each GiB and \
                    0.25 MiB/s for each of the IOPS are from memory; one maximum for reads \
                    and writes is inferred; its first day is from memory";
    assert_eq!(words.join(" "), expected);
}

/// The parser waives what an option requires if a given option conflicts with that.
#[test]
fn sas_heavy_is_refused_without_cores() {
    let missing = |usage: &str| {
        format!("error: the following required arguments were not provided:\n  {usage}")
    };
    let conflict =
        |option: &str| format!("error: the argument '--sas-heavy' cannot be used with '{option}'");
    let cases = [
        ("plan --sas-heavy --cloud aws", missing("--sas-cores <N>")),
        ("plan --sas-heavy --iops 100", conflict("--iops <N>")),
        (
            "plan --sas-heavy --throughput 1MB/s",
            conflict("--throughput <RATE>"),
        ),
        ("plan --sas-heavy --from x", conflict("--from <FILE|->")),
        (
            "plan --sas-heavy --role log=iops:1",
            conflict("--role <ROLE=NEED>"),
        ),
        ("need --sas-heavy x", missing("--sas-cores <N>")),
        (
            "need --sas-heavy --disks 4",
            conflict("--disks <N[x NAME]>"),
        ),
        ("check --sas-heavy x", missing("--advice <APPLICATION>")),
        (
            "plan --iops 1 --ephemeral-ok --volume gp3:1TiB",
            "error: the argument '--ephemeral-ok' cannot be used with '--volume <VOLUME>'"
                .to_owned(),
        ),
    ];
    for (words, expected) in cases {
        let (ended, _folder) = Cli::line(words).end();
        let (message, _) = ended.stderr.split_once("\n  try:").unwrap_or_default();
        assert_eq!(
            (ended.status, message),
            (Some(2), expected.as_str()),
            "{words}"
        );
    }
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let cases: [(&[&str], &str); 8] = [
        (
            &["--iops=1000", "--throughput=100MB/s", "--block-size=4KiB"],
            "error: 1,000 IOPS of 4 KiB are 4.10 MB/s, and 100.0 MB/s are asked for\n  \
             try:     two of --iops, --throughput and --block-size\n",
        ),
        (
            &["ms-oltp"],
            "error: the required load is missing\n  because: ms-oltp has no rate: it makes as many \
             requests as possible\n  try:     use --iops 10000, --throughput 500MB/s, or --volume \
             with layouts to compare\n",
        ),
        (
            &["--iops=100", "--region=eu-wset-1"],
            "error: no price is known in eu-wset-1\n  try:     eu-west-1\n",
        ),
        (
            &["--iops=100", "--instance=r5d.xlrage"],
            "error: there is no instance type `r5d.xlrage`\n  try:     r5d.xlarge\n",
        ),
        (
            &["--iops=100", "--volume=pg3:1TiB"],
            "error: there is no volume type `pg3`\n  try:     gp3\n",
        ),
        (
            &["--iops=100", "--cloud=azure", "--instance=t3.nano"],
            "error: t3.nano cannot attach volumes of azure\n  because: it is an instance of aws\n  \
             try:     --cloud aws, or an instance of azure\n",
        ),
        (
            &["--iops=100", "--by=p99"],
            "error: --by has no effect\n  because: there is no recording\n  try:     give a \
             recording with --from\n",
        ),
        (
            &["--iops=0"],
            "error: invalid value '0' for '--iops <N>': expected a number of requests a second, \
             such as 8000 or 10k\n  try:     `fathom plan --help`\n",
        ),
    ];
    for (words, stderr) in cases {
        let words = std::iter::once("plan").chain(words.iter().copied());
        Cli::new(words).check(2, "", stderr);
    }
}

/// What no source states is refused by name, with who publishes it.
#[test]
fn aurora_is_refused_with_what_is_unknown() {
    let words = "plan --cloud=aurora --iops=1000";
    let refused = "error: invalid value 'aurora' for '--cloud <CLOUD>': no source of the \
                   catalogue states how many IOPS and MB/s the storage of Aurora gives a class, \
                   and they cannot be ordered. Its prices are in the AWS Price List (AmazonRDS)\n  \
                   try:     `fathom plan --help`\n";
    Cli::line(words).check(2, "", refused);
}

/// Where a cloud has neither machines nor prices, the first lines say so.
#[test]
fn what_is_missing_of_a_cloud_comes_first() {
    let words = "plan --cloud=oci --iops=2000 --block-size=8KiB --capacity=256GiB --disks-only \
                 --as-of=2026-11-28";
    let page = Cli::line(words).stdout();
    let first: Vec<&str> = page.lines().take_while(|line| !line.is_empty()).collect();
    let expected = [
        "the catalogue has neither machines nor prices of Oracle Cloud. Look up what a",
        "  shape lets through in the documentation of its Compute service, and prices at",
        "  https://www.oracle.com/cloud/price-list/",
        "no layout with a known price gives this load; the nearest:",
    ];
    assert_eq!(first, expected);
}
