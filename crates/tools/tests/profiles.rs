//! Every profile that comes with the program: valid, and what it resolves to.

use fathom_tools::native::{parse, print};
use fathom_tools::profiles::{PROFILES, choose, find, nearest};

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
fn every_profile_says_what_it_is_and_where_it_comes_from() {
    for profile in PROFILES {
        let workload = profile.workload().unwrap();
        assert_ne!(workload.description, "", "{}", profile.name);
        assert_ne!(workload.source, "", "{}", profile.name);
        for phase in &workload.phases {
            for job in &phase.jobs {
                let given = job.size.is_some() || job.files.is_some();
                assert!(given, "{} {}", profile.name, job.name);
            }
        }
    }
}

#[test]
fn every_file_of_the_folder_is_embedded() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../profiles");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let mut embedded: Vec<String> = PROFILES
        .iter()
        .map(|profile| format!("{}.toml", profile.name))
        .collect();
    embedded.sort();
    assert_eq!(files, embedded);
}

#[test]
fn profiles_are_found_by_their_name() {
    assert_eq!(find("quick").map(|profile| profile.name), Some("quick"));
    assert_eq!(find("quik"), None);
    assert_eq!(nearest("quik"), Some("quick"));
    assert_eq!(nearest("colour"), None);
}

#[test]
fn a_name_without_a_profile_is_answered_with_what_to_ask_for() {
    let cases = [
        (
            "exchange-server",
            "there is no profile `exchange-server`, since its source contradicts itself: 8 KiB in \
             the job file, 4 KiB in the text; Exchange had 4 KiB pages in 2003, 8 KiB in 2007 \
             and 32 KiB since 2010; choose exchange-2003, exchange-2007 or exchange-2010",
        ),
        (
            "web-file-server",
            "there is no profile `web-file-server`, since the study has it with three block sizes; \
             choose web-file-server-4k, web-file-server-8k or web-file-server-64k",
        ),
        (
            "ms-oltpp",
            "there is no profile `ms-oltpp`; did you mean `ms-oltp`?",
        ),
        (
            "nothing-like-it",
            "there is no profile `nothing-like-it`; `fathom profiles` lists them",
        ),
    ];
    for (name, message) in cases {
        let answer = choose(name).map(|profile| profile.name);
        assert_eq!(
            answer.map_err(|error| error.to_string()),
            Err(message.into())
        );
    }
    assert_eq!(choose("quick"), Ok(find("quick").unwrap()));
}
