use super::page;
use crate::bound::BOUND;
use crate::group::{Topic, topics};
use crate::threshold::Mark;

const BEGIN: &str = "<!-- checks:begin -->";
const END: &str = "<!-- checks:end -->";

#[test]
fn the_page_shows_what_the_files_hold() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/checks.md");
    let text = std::fs::read_to_string(path).expect("the page");
    let (before, _) = text.split_once(BEGIN).expect("where it begins");
    let expected = format!("{before}{BEGIN}\n\n{}\n{END}\n", page());
    if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
        std::fs::write(path, expected).expect("it can be written");
        return;
    }
    assert_eq!(text, expected, "FATHOM_WRITE_DOCS=1 writes {path}");
}

#[test]
fn every_code_says_what_it_says() {
    let without = topics().filter(|topic| topic.entry.example().is_none());
    let without: Vec<&str> = without.map(|topic| topic.entry.code.name()).collect();
    assert_eq!(without, Vec::<&str>::new());
}

/// A number in prose is that of a threshold, and one that is none has no name.
#[test]
fn sentences_name_their_thresholds() {
    let open = |topic: &Topic| (topic.entry.level() + &topic.entry.when()).contains('{');
    let open: Vec<&str> = topics()
        .filter(open)
        .map(|topic| topic.entry.code.name())
        .collect();
    assert_eq!(open, Vec::<&str>::new());
}

#[test]
fn every_threshold_has_words_and_a_source() {
    let all = topics().flat_map(|topic| topic.entry.thresholds);
    for threshold in all.chain(BOUND) {
        let name = threshold.name;
        assert!(!threshold.what.trim().is_empty(), "{name}");
        let is_ours = threshold.mark == Mark::Decided;
        assert!(is_ours || !threshold.source.is_empty(), "{name}");
        // A number alone is a section of a text that nobody has.
        assert!(
            !threshold
                .source
                .starts_with(|sign: char| sign.is_ascii_digit()),
            "{name}"
        );
        assert!(!threshold.values.is_empty(), "{name}");
    }
}
