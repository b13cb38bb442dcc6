//! Both forms as they are.

use crate::made;

#[test]
fn everything_switched_on() {
    insta::assert_snapshot!("full-text", made::full().text());
    insta::assert_snapshot!("full-xml", made::full().xml());
}

#[test]
fn nothing_switched_on() {
    insta::assert_snapshot!("plain-text", made::plain().text());
    insta::assert_snapshot!("plain-xml", made::plain().xml());
}

#[test]
fn a_pool_of_threads_and_few_requests() {
    insta::assert_snapshot!("pool-text", made::pool().text());
}

#[test]
fn two_time_spans_have_totals() {
    insta::assert_snapshot!("two-spans-text", made::two_spans().text());
}

#[test]
fn a_path_in_two_targets_is_one_distribution_of_latency() {
    let made = made::twice();
    let text = made.text();
    let (_, results) = text.split_once("\nEffective").expect("distributions");
    let titles = results
        .lines()
        .filter(|line| line.contains("atency distribution"));
    let titles: Vec<&str> = titles.collect();
    assert_eq!(titles, ["Total latency distribution:"]);
    let effective: Vec<&str> = results.lines().skip(2).take(7).collect();
    let expected = [
        "target: /data/a.dat [thread: 2 3]",
        "    33.3% of IO => [     0    -      1GiB)",
        "    66.7% of IO => [     1GiB -      2GiB)",
        "target: /data/a.dat [thread: 0 1]",
        "    10% of IO => [     0    -      1GiB)",
        "    20% of IO => [     1GiB -      2GiB)",
        "    70% of IO => [     2GiB -     64GiB)",
    ];
    assert_eq!(effective, expected);
}

#[test]
fn nothing_was_measured() {
    insta::assert_snapshot!("interrupted-text", made::interrupted().text());
    insta::assert_snapshot!("interrupted-xml", made::interrupted().xml());
}
