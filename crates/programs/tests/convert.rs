//! Every profile in every form, and the inputs of other tools as TOML.

#![allow(
    clippy::disallowed_methods,
    reason = "tests read files and start programs of their own"
)]

use fathom_programs::{dialects, find, writer, writers};
use fathom_tools::profiles::PROFILES;
use fathom_tools::{RunWishes, Standing, Surroundings, Translation, Written, native};
use std::io;
use std::path::Path;

/// A machine on which every file is there that an input needs, of 1 GiB.
struct Lab;

impl Surroundings for Lab {
    fn size_bytes(&self, _: &Path) -> Option<u64> {
        Some(1 << 30)
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        match path.to_str() {
            Some("shared.inc") => Ok("size=1m\nrw=randread\n".to_owned()),
            Some("/proc/cpuinfo") => Ok("processor : 0\nprocessor : 1\n".to_owned()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn variable(&self, _: &str) -> Option<String> {
        Some("/data".to_owned())
    }
}

/// The workload that a text of a form says.
#[track_caller]
fn read(form: &str, text: &str) -> fathom_core::spec::Workload {
    if form == "native" {
        return native::parse(text, "x.toml").expect(text);
    }
    let dialect = form.split('-').next().and_then(find).expect("a dialect");
    let read = (dialect.translate)(text, "x", &Lab);
    read.unwrap_or_else(|found| panic!("{}\n{text}", found[0]))
        .workload
}

fn told(name: &str, form: &str, written: &Written) -> String {
    let refused = written
        .notes
        .iter()
        .any(|note| note.standing == Standing::Refused);
    let verdict = if refused {
        "another load"
    } else {
        "the same load"
    };
    let notes: Vec<String> = written
        .notes
        .iter()
        .map(|note| format!("  {note}\n"))
        .collect();
    format!("{name} as {form}: {verdict}\n{}", notes.concat())
}

#[test]
fn every_profile_in_every_form_reads_back() {
    let wishes = RunWishes::default();
    for writer in writers() {
        let mut all = String::new();
        for profile in PROFILES {
            let workload = profile.workload().expect(profile.name);
            match (writer.write)(&workload, &wishes) {
                Ok(written) => {
                    let found = read(writer.name, &written.text);
                    if writer.name == "native" {
                        assert_eq!(found, workload);
                    }
                    all += &told(profile.name, writer.name, &written);
                }
                Err(note) => {
                    all.push_str(
                        &[
                            profile.name,
                            " as ",
                            writer.name,
                            ": ",
                            &note.to_string(),
                            "\n",
                        ]
                        .concat(),
                    );
                }
            }
        }
        insta::assert_snapshot!(format!("profiles_as_{}", writer.name), all);
    }
}

#[test]
fn some_profiles_as_text() {
    for (profile, form) in [
        ("ms-oltp", "fio"),
        ("quick", "fio"),
        ("iris-full", "fio"),
        ("ms-oltp", "diskspd"),
        ("quick", "diskspd-xml"),
    ] {
        let workload = fathom_tools::profiles::choose(profile)
            .expect(profile)
            .workload();
        let write = writer(form).expect(form).write;
        let written = write(&workload.expect(profile), &RunWishes::default()).expect(profile);
        insta::assert_snapshot!(format!("{profile}_as_{form}"), written.text);
    }
}

/// All inputs of a dialect's corpus that are accepted: files, or the lines of files of lines.
fn accepted(dialect: &str) -> Vec<(String, Translation)> {
    let folder = format!("{}/tests/corpus/{dialect}", env!("CARGO_MANIFEST_DIR"));
    let translate = find(dialect).expect(dialect).translate;
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(&path).expect("a text");
        // Paths of Windows are put where they can be had.
        let text = text
            .replace("r:\\temp\\", "/data/")
            .replace("c:\\", "/data/");
        let lines = text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        let inputs: Vec<&str> = if path.extension().is_some_and(|extension| extension == "txt") {
            lines.collect()
        } else {
            vec![&text]
        };
        for text in inputs {
            if let Ok(translation) = translate(text, &name, &Lab) {
                found.push((format!("{name}: {text}"), translation));
            }
        }
    }
    found
}

#[test]
fn inputs_of_other_tools_as_toml_are_the_same_workload() {
    let mut counts = Vec::new();
    let own = writer("native").expect("our own form");
    for dialect in dialects() {
        let inputs = accepted(dialect.name);
        for (
            name,
            Translation {
                workload, wishes, ..
            },
        ) in &inputs
        {
            let written = (own.write)(workload, wishes).expect("all of it");
            assert_eq!(&read("native", &written.text), workload, "{name}");
            let lost = written
                .notes
                .iter()
                .find(|note| note.standing == Standing::Refused);
            assert_eq!(lost, None, "{name}");
        }
        counts.push((dialect.name, inputs.len()));
    }
    insta::assert_debug_snapshot!("inputs_as_toml", counts);
}

/// What a dialect says of its own inputs is what they said, but for what the snapshot tells of.
#[test]
fn inputs_in_their_own_dialect_are_the_same_load() {
    let mut all = String::new();
    for (dialect, form) in [
        ("fio", "fio"),
        ("diskspd", "diskspd-xml"),
        ("diskspd", "diskspd"),
    ] {
        let mut identical = 0;
        for (name, translation) in accepted(dialect) {
            let Translation {
                workload, wishes, ..
            } = translation;
            let name = name.lines().next().unwrap_or_default();
            let write = writer(form).expect(form).write;
            let written = match write(&workload, &wishes) {
                Ok(written) => written,
                Err(note) => {
                    all.push_str(&[name, " as ", form, ": ", &note.to_string(), "\n"].concat());
                    continue;
                }
            };
            let mut found = read(form, &written.text);
            found.name.clone_from(&workload.name);
            found.source.clone_from(&workload.source);
            identical += u32::from(found == workload);
            if found != workload {
                all += &told(name, form, &written);
                all += &changes(&native::print(&workload), &native::print(&found));
            }
        }
        all.push_str(
            &[
                &identical.to_string(),
                " inputs are identical as ",
                form,
                "\n",
            ]
            .concat(),
        );
    }
    insta::assert_snapshot!("inputs_in_their_own_dialect", all);
}

/// The lines that differ.
fn changes(before: &str, after: &str) -> String {
    let mut text = String::new();
    for (before, after) in before.lines().zip(after.lines()) {
        if before != after {
            text.push_str(&["  - ", before, "\n  + ", after, "\n"].concat());
        }
    }
    text
}
