//! `fathom ramp` in virtual time.

use crate::command::Cli;
use crate::document;
use serde_json::{Value, json};

const WORKLOAD: &str = r#"
name = "small"
[[phase]]
duration = "1s"
[[phase.job]]
size = "1GiB"
block_size = "4KiB"
read = 100
random = 100
"#;

fn ramp(options: &str) -> (Option<i32>, Value) {
    let fixed = "ramp small.toml --engine sim --quiet --output json:result.json";
    let cli = Cli::line(format!("{fixed} {options}")).file("small.toml", WORKLOAD);
    let (ended, folder) = cli.end();
    assert_eq!((ended.stdout, ended.stderr), (String::new(), String::new()));
    let document = document::read(&folder.path().join("result.json"));
    (ended.status, document)
}

fn of_steps(document: &Value, field: &str) -> Vec<Value> {
    let steps = document["ramp"]["steps"].as_array().expect("steps");
    steps.iter().map(|step| step[field].clone()).collect()
}

#[test]
fn a_walk_ends_where_more_load_brings_nothing() {
    // Eight servers of 100 µs: 80,000 IOPS from depth 8 on.
    let options = "--sim-servers 8 --sim-service-time 100us --step 2s";
    let (status, document) = ramp(options);
    assert_eq!(status, Some(0));
    let depths = of_steps(&document, "value");
    assert_eq!(
        depths,
        [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 6.0, 12.0].map(Value::from)
    );
    let rates = of_steps(&document, "iops");
    let expected = [10e3, 20e3, 40e3, 80e3, 80e3, 80e3, 60e3, 80e3].map(Value::from);
    assert_eq!(rates, expected);
    let ramp = &document["ramp"];
    assert_eq!(ramp["knee"], 3);
    assert_eq!(
        ramp["law"],
        json!({"kind": "capped", "gamma": 10e3, "alpha": 0.0, "cap_iops": 80e3})
    );
    assert_eq!(ramp["least_outstanding"], 8.0);
}

#[test]
fn a_search_says_what_keeps_the_objective_and_what_does_not() {
    let options = "--sim-servers 1 --sim-service-time 100us --step 2s --searches 1 --slo p99<=1ms";
    let (status, document) = ramp(options);
    assert_eq!(status, Some(0));
    let answer = &document["ramp"]["answer"];
    let number = |field: &str| answer[field].as_f64().expect("a number");
    assert_eq!(answer["objectives"], json!(["p99<=1ms"]));
    // Poisson arrivals at one server of constant service: the 99th percentile passes 1 ms at
    // about 7,900 requests a second.
    assert!((7000.0..7900.0).contains(&number("rate")), "{answer}");
    assert!((7400.0..8300.0).contains(&number("broken_at")), "{answer}");
    let shape = of_steps(&document, "purpose");
    let curve = shape.iter().filter(|purpose| **purpose == "curve").count();
    assert_eq!(curve, 8);
}

/// A search overshoots on purpose: whatever the arrivals, that is neither doubtful nor a failure.
#[test]
fn overshooting_is_no_failure_with_any_seed() {
    for seed in ["1", "2", "3"] {
        let options = format!(
            "--sim-servers 1 --sim-service-time 100us --step 1s --seed {seed} --slo p99<=2ms"
        );
        let (status, document) = ramp(&options);
        assert_eq!(
            (status, &document["state"]),
            (Some(0), &json!("qualified")),
            "{seed}"
        );
        let overshot = of_steps(&document, "objectives");
        assert!(overshot.iter().any(|outcome| outcome == "fail"), "{seed}");
    }
}

/// The answer, its interval and the state come first.
#[test]
fn the_first_line_is_the_answer() {
    let words = "ramp small.toml --engine sim --sim-servers 1 --sim-service-time 100us --step \
                 1s --searches 2 --slo p99<=2ms --no-save --quiet";
    let text = Cli::line(words).file("small.toml", WORKLOAD).stdout();
    let mut lines = text.lines();
    let first = lines.next().expect("a line");
    let (begin, state) = first.rsplit_once("  ").expect("a state at the right");
    let (_, answer) = begin
        .trim_end()
        .split_once(": ")
        .expect("a model before it");
    let (rate, rest) = answer
        .split_once(" IOPS meet p99 ≤ 2 ms [")
        .expect("an answer");
    let (interval, _) = rest.split_once(']').expect("an interval");
    let number = |text: &str| text.replace(',', "").parse::<f64>().expect("a number");
    let (low, high) = interval.split_once(", ").expect("two ends");
    assert!(
        number(low) <= number(rate) && number(rate) <= number(high),
        "{first}"
    );
    assert!(number(high) / number(low) < 1.2, "{first}");
    assert_eq!(
        (state.trim_start(), first.chars().count()),
        ("QUALIFIED", 80)
    );
    let second = lines.next().expect("a line");
    assert_eq!(second.split(" · ").next(), Some("simulated: ramp small"));
}

#[test]
fn an_objective_that_nothing_keeps_is_a_limit_missed() {
    let options = "--sim-service-time 2ms --step 2s --slo mean<=1ms";
    let (status, document) = ramp(options);
    assert_eq!(status, Some(1));
    let answer = &document["ramp"]["answer"];
    assert_eq!(
        (&answer["rates"], &answer["reason"]),
        (
            &json!([]),
            &json!("not even 1,600 IOPS, 5 % of the closed load's maximum, meet the objectives")
        )
    );
}

/// A step that was overloaded on the way does not turn "cannot tell" into "missed".
#[test]
fn a_search_without_an_answer_yet_ends_with_5() {
    let words = "ramp ms-oltp --slo p99.9<=8ms --engine sim --sim-service-time 1ms \
                 --sim-servers 4 --step 2s --quiet --no-save --output json:result.json";
    let (ended, folder) = Cli::line(words).end();
    let document = document::read(&folder.path().join("result.json"));
    let caveats = document["caveats"].as_array().expect("a list");
    let is_overloaded = |one: &Value| one["code"] == "overloaded" && one["level"] == "suspect";
    assert!(caveats.iter().any(is_overloaded), "{caveats:?}");
    assert_eq!(ended.status, Some(5), "{}", document["ramp"]["answer"]);
}

#[test]
fn options_that_cannot_be_meant_are_refused() {
    let refused = |options: &[&str], stderr: &str| {
        let words = ["ramp", "small.toml", "--engine", "sim"];
        let cli = Cli::new(words.iter().chain(options)).file("small.toml", WORKLOAD);
        cli.check(2, "", stderr);
    };
    refused(
        &["--slo", "p99<=1ms", "--over", "threads"],
        "error: --slo cannot be used with --over threads\n  because: an objective needs a request \
         rate\n  try:     use --over rate, or omit --slo\n",
    );
    refused(
        &["--over", "rate", "--rate", "5000 IOPS"],
        "error: --rate cannot be used with a ramp\n  because: the ramp sets the rates\n  try:     \
         without it\n",
    );
    refused(
        &["--rate", "5000 IOPS"],
        "error: --rate cannot be used with a ramp\n  because: over this axis the load is closed\n  \
         try:     use --over rate, which searches the rates itself\n",
    );
    refused(
        &["--queue-depth", "4"],
        "error: --queue-depth cannot be used with a ramp\n  because: it is what rises\n  try:     \
         --from and --to\n",
    );
    refused(
        &["--phase", "other"],
        "error: `small` has no phase `other`\n  try:     one of main\n",
    );
}

#[test]
fn sizes_show_both_limits_and_where_they_meet() {
    // 3,000 IOPS and 125 MiB/s, which meet at 43,690.67 bytes.
    let options = "--over block-size --queue-depth 64 --step 5s";
    let (status, document) = ramp(&format!("{options} --sim-volume gp3:1TiB"));
    assert_eq!(status, Some(0));
    let sizes = [4_096.0, 16_384.0, 65_536.0, 262_144.0].map(Value::from);
    assert_eq!(of_steps(&document, "value"), sizes);
    let law = &document["ramp"]["law"];
    let near = |field: &str, truth: f64| {
        let found = law[field].as_f64().expect("a number");
        (found / truth - 1.0).abs() < 0.01
    };
    assert_eq!(law["kind"], "sizes");
    assert!(near("iops", 3_000.0), "{law}");
    assert!(near("bytes_per_second", 131_072_000.0), "{law}");
    assert!(near("corner_bytes", 43_690.67), "{law}");
}
