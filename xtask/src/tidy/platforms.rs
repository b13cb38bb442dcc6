//! Which system the code runs on is known in the platform folders alone: they ask for it, and they
//! name what one system has and another has not.

use crate::finding::{Finding, Rule};
use crate::rust_text::{inside, line_at, product_code};
use crate::sources::{Source, layered};

/// What a condition of the compiler says of the system.
const SYSTEMS: [&str; 4] = ["target_os", "target_family", "unix", "windows"];

/// What exists on one system alone.
const NAMES: [&str; 5] = [
    "std::os::",
    "rustix::",
    "libc::",
    "signal_hook::",
    "windows_sys::",
];

pub(super) fn check(source: &Source) -> Vec<Finding> {
    let is_layered = layered(&source.path).is_some();
    let is_platform = source
        .path
        .split('/')
        .skip(1)
        .any(|one| one == "platform" || one == "platform.rs");
    if !is_layered || is_platform {
        return Vec::new();
    }
    let code = product_code(&source.path, &source.text);
    let mut findings = Vec::new();
    let mut found = |at: usize, message: String| {
        let line = line_at(&code, at);
        findings.push(Finding::new(&source.path, line, Rule::Platform, message));
    };
    for condition in ["cfg(", "cfg!(", "cfg_attr("] {
        for (start, _) in code.match_indices(condition) {
            let asked = inside(&code, start + condition.len() - 1);
            for system in SYSTEMS.iter().filter(|system| has_word(asked, system)) {
                found(
                    start,
                    format!("`{system}` is asked for outside of a platform folder"),
                );
            }
        }
    }
    for name in NAMES {
        for (start, _) in code.match_indices(name) {
            if !code[..start].ends_with(is_of_a_path) {
                let name = name.trim_end_matches(':');
                found(
                    start,
                    format!("`{name}` is named outside of a platform folder"),
                );
            }
        }
    }
    findings
}

/// What can stand before a name and be part of it.
fn is_of_a_path(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == ':'
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|one| one == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    #[test]
    fn the_system_is_asked_for_and_named_in_platform_folders_alone() {
        let text = "#[cfg(target_os = \"linux\")]\nuse rustix::fs;\n\
            #[cfg_attr(all(test, unix), path = \"a.rs\")]\nfn f() { if cfg!(windows) {} }\n\
            use fathom_platform::unix::fs; // std::os::fd\n#[cfg(target_arch = \"x86_64\")]\n\
            use std::os::fd;\n#[cfg(test)]\nmod tests {\n    use std::os::unix::fs;\n}\n";
        let found = |line, message: &str| {
            Finding::new(
                "crates/a/src/x.rs",
                line,
                Rule::Platform,
                message.to_owned(),
            )
        };
        let mut expected = vec![
            found(1, "`target_os` is asked for outside of a platform folder"),
            found(2, "`rustix` is named outside of a platform folder"),
            found(3, "`unix` is asked for outside of a platform folder"),
            found(4, "`windows` is asked for outside of a platform folder"),
            found(7, "`std::os` is named outside of a platform folder"),
        ];
        let mut findings = check(&source("crates/a/src/x.rs", text));
        findings.sort();
        expected.sort();
        assert_eq!(findings, expected);
        for path in [
            "crates/a/src/platform.rs",
            "crates/a/src/platform/linux/x.rs",
            "crates/platform/src/lib.rs",
            "crates/a/tests/x.rs",
            "xtask/src/x.rs",
        ] {
            assert_eq!(check(&source(path, text)), [], "{path}");
        }
    }
}
