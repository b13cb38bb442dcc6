//! Lines drawn at random, with what DISKSPD's own parser made of them.

use crate::lines::{Lab, corpus, lines};
use fathom_diskspd::xml::profile_element;
use fathom_diskspd::{self as diskspd, Profile};

/// The elements of a profile that hold no others, in their order.
fn elements(profile: &Profile) -> Vec<String> {
    let xml = profile_element(profile).render();
    let mut found = Vec::new();
    for line in xml.lines() {
        let inner = line.trim().strip_prefix('<').unwrap_or_default();
        if let Some(empty) = inner.strip_suffix("/>") {
            found.push(format!("{empty}="));
        } else if let Some((start, end)) = inner.split_once('>')
            && let Some((text, _)) = end.split_once("</")
        {
            found.push(format!("{start}={text}"));
        }
    }
    found
}

fn profile(line: &str) -> Option<Profile> {
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    Some(diskspd::read(&words, &Lab).ok()?.profile)
}

/// What a line says otherwise than one without options.
fn said(line: &str) -> String {
    let Some(profile) = profile(line) else {
        return "refused".to_owned();
    };
    let plain = self::profile("diskspd -Rpxml f1").expect("a line");
    let mut usual = elements(&plain);
    let mut told = Vec::new();
    for element in elements(&profile) {
        match usual.iter().position(|usual| *usual == element) {
            Some(place) => drop(usual.swap_remove(place)),
            None => told.push(element),
        }
    }
    told.join("; ")
}

#[test]
fn drawn_lines_are_what_the_parser_of_diskspd_makes_of_them() {
    let text = corpus("drawn.txt");
    let mut lines = lines(&text);
    let mut count = 0;
    while let (Some(line), Some(expected)) = (lines.next(), lines.next()) {
        assert_eq!(format!("= {}", said(line)), expected, "{line}");
        count += 1;
    }
    assert_eq!(count, 400);
}

#[test]
fn of_several_contents_the_one_counts_that_fills_the_buffer() {
    let content = |line: &str| {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let input = diskspd::read(&words, &Lab).expect("a line");
        let element = profile_element(&input.profile).render();
        let pattern = element.lines().find_map(|line| {
            let line = line.trim().strip_prefix("<Pattern>")?;
            Some(line.trim_end_matches("</Pattern>").to_owned())
        });
        let refilled = element.contains("<RandomWriteData>");
        (pattern.expect("a pattern"), refilled)
    };
    let cases = [
        ("diskspd -Z -Zr f1", ("zero", false)),
        ("diskspd -Zr -Z f1", ("zero", false)),
        ("diskspd -Z1M -Zr f1", ("random", false)),
        ("diskspd -Z1M -Z f1", ("random", false)),
        ("diskspd -Zr f1", ("sequential", true)),
    ];
    for (line, (pattern, refilled)) in cases {
        assert_eq!(content(line), (pattern.to_owned(), refilled), "{line}");
    }
}
