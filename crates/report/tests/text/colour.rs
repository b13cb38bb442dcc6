//! Colours and narrow pages change how a report looks, not what it says.

use crate::render;
use fathom_core::fixture;
use fathom_report::TextOptions;

/// `text` without its escape sequences.
fn plain(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once('m').map_or(part, |(_, text)| text));
    first + &rest.collect::<String>()
}

#[test]
fn colours_add_nothing_but_colours() {
    let mut result = fixture::random_read();
    result.phases[0].process.steal_percent = 7.0;
    fathom_verdict::judge(&mut result);
    let options = TextOptions {
        color: true,
        width: 100,
        ..TextOptions::default()
    };
    let coloured = render(&result, options);
    assert_eq!(plain(&coloured), render(&result, TextOptions::default()));
    assert_eq!(&coloured[..20], "\x1b[1;31mSUSPECT\x1b[0m  ");
}

#[test]
fn a_narrow_page_is_kept() {
    let options = TextOptions {
        color: false,
        width: 72,
        ..TextOptions::default()
    };
    let text = render(&fixture::random_read(), options);
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest.is_some_and(|widest| widest <= 72));
}
