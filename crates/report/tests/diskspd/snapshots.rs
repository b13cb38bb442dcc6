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
fn nothing_was_measured() {
    insta::assert_snapshot!("interrupted-text", made::interrupted().text());
    insta::assert_snapshot!("interrupted-xml", made::interrupted().xml());
}
