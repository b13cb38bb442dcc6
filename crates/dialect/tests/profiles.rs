//! Every profile that comes with the program: valid, and what it resolves to.

use fathom_dialect::native::{parse, print};
use fathom_dialect::profiles::{PROFILES, find, nearest};

#[test]
fn every_profile_is_valid_and_resolves_to_its_snapshot() {
    for profile in PROFILES {
        let workload = profile.workload().unwrap_or_else(|found| {
            let drawn: Vec<String> = found.iter().map(ToString::to_string).collect();
            panic!("{}", drawn.join("\n\n"))
        });
        assert_eq!(workload.name, profile.name);
        let printed = print(&workload);
        assert_eq!(parse(&printed, "printed.toml").as_ref(), Ok(&workload));
        insta::assert_snapshot!(profile.name, printed);
    }
}

#[test]
fn profiles_are_found_by_their_name() {
    assert_eq!(find("quick").map(|profile| profile.name), Some("quick"));
    assert_eq!(find("quik"), None);
    assert_eq!(nearest("quik"), Some("quick"));
    assert_eq!(nearest("colour"), None);
}
