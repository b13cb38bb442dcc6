//! No input makes the reader panic, and a profile survives its XML.

use crate::lines::{Lab, words};
use fathom_diskspd::xml::profile_element;
use fathom_diskspd::{self as diskspd, Input};
use fathom_tools::{Diagnostic, native};
use proptest::prelude::*;

/// Words as people write them, with numbers at the edges of what is possible.
fn word() -> impl Strategy<Value = String> {
    let letter = "[?:aBbcCdDefFghiIjlLnNoOpPrRsStTvwWxXyzZq]";
    let value = prop_oneof![
        Just(String::new()),
        "[0-9]{1,3}[KMGTbi]?",
        "[0-9]{18,21}[KMGTbi]?",
        "(s|i|d|pct|abs|g|h|u|w)?[0-9]{0,3}(/[0-9]{1,3}[KG]?)?(:[0-9]{1,3}/[0-9]{1,3}[KG]?)?",
        "\\PC{0,6}",
    ];
    prop_oneof![
        8 => (letter, value).prop_map(|(letter, value)| format!("-{letter}{value}")),
        1 => "(/data/[a-c]|\\*[0-9]|#1|C:|[0-9])",
        1 => "\\PC{0,12}",
    ]
}

/// Options that go together.
fn good_line() -> impl Strategy<Value = String> {
    let order = prop_oneof![
        Just("-r"),
        Just("-r4K"),
        Just("-s"),
        Just("-si"),
        Just("-s128K"),
        Just("-rs40 -r8K"),
        Just("-r -rdpct90/10:0/20"),
        Just("-r -rdabs60/1G"),
    ];
    let cache = prop_oneof![Just("-Sb"), Just("-Su"), Just("-Sw"), Just("-Sh")];
    let content = prop_oneof![Just(""), Just("-Z"), Just("-Zr"), Just("-Z1M")];
    let pacing = prop_oneof![Just(""), Just("-g100"), Just("-g100i"), Just("-i4 -j3")];
    let numbers = (1..9_u32, 1..33_u32, 0..101_u32, 1..100_u32, 0..9_u32);
    (order, cache, content, pacing, numbers).prop_map(|(order, cache, content, pacing, n)| {
        let (threads, depth, writes, seconds, seed) = n;
        format!(
            "diskspd -b64K {order} {cache} {content} {pacing} -t{threads} -o{depth} -w{writes} \
             -d{seconds} -z{seed} -L -D /data/a /data/b"
        )
    })
}

fn draw(found: &[Diagnostic]) {
    for error in found {
        assert_ne!(error.to_string(), "");
    }
}

fn read(line: &str) -> Input {
    diskspd::read(&words(line), &Lab).unwrap_or_else(|found| panic!("{line}: {}", found[0]))
}

proptest! {
    #[test]
    fn no_words_make_it_panic(words in prop::collection::vec(word(), 0..8)) {
        let argv: Vec<String> = std::iter::once("diskspd".to_owned()).chain(words).collect();
        match diskspd::read(&argv, &Lab) {
            Err(found) => {
                prop_assert!(!found.is_empty());
                draw(&found);
            }
            Ok(input) => {
                let xml = profile_element(&input.profile).render();
                drop(diskspd::read_profile(&xml, "profile.xml"));
                match input.translate(&Lab) {
                    Err(found) => draw(&found),
                    Ok(translation) => {
                        let text = native::print(&translation.workload);
                        let read = native::parse(&text, "line.toml");
                        prop_assert_eq!(read, Ok(translation.workload));
                    }
                }
            }
        }
    }

    #[test]
    fn no_text_makes_the_profile_reader_panic(
        pieces in prop::collection::vec(
            prop_oneof![
                "</?(Profile|TimeSpans|TimeSpan|Targets|Target|Random|BlockSize|Affinity)>",
                "<(Path|Duration|Throughput|Range) (unit|IO)=\"\\PC{0,4}\"/?>",
                "[0-9]{0,21}",
                "\\PC{0,6}",
                Just("\n".to_owned()),
                Just("&amp;".to_owned()),
            ],
            0..30,
        ),
    ) {
        if let Err(found) = diskspd::read_profile(&pieces.concat(), "profile.xml") {
            draw(&found);
        }
    }

    #[test]
    fn a_profile_survives_its_xml(line in good_line()) {
        let input = read(&line);
        let xml = profile_element(&input.profile).render();
        let again = diskspd::read_profile(&xml, "profile.xml").expect("own XML");
        // The rest of a distribution is named in XML and not on the command line.
        let twice = profile_element(&again.profile).render();
        prop_assert_eq!(&twice, &xml);
        if !line.contains("-rd") {
            prop_assert_eq!(again.profile, input.profile);
        }
    }

    #[test]
    fn lines_of_known_options_are_run(line in good_line()) {
        let input = read(&line);
        let translation = input.translate(&Lab);
        if line.contains("-g") && line.contains("-i") {
            prop_assert!(translation.is_err());
        } else {
            prop_assert!(translation.is_ok(), "{line}");
        }
    }
}
