//! `fathom --version --verbose`: what this build is, and what of it works on this machine. Who
//! packages it, or asks why an engine is missing, needs no more than this page.

use fathom_core::engine::EngineRow;
use std::ffi::OsString;
use std::net::ToSocketAddrs as _;

/// Whether the words after the program's name ask for it.
pub(crate) fn is_asked_for(words: &[OsString]) -> bool {
    let [_, first, second] = words else {
        return false;
    };
    let is_version = |word: &OsString| word == "--version" || word == "-V";
    let is_verbose = |word: &OsString| word == "--verbose" || word == "-v";
    (is_version(first) && is_verbose(second)) || (is_verbose(first) && is_version(second))
}

pub(crate) fn page() -> String {
    let mut page = format!(
        "fathom {}\n\
         commit      {}\n\
         built for   {}-{}, {}, {}\n\
         sqlite      {}\n\
         names       {}\n",
        env!("CARGO_PKG_VERSION"),
        option_env!("FATHOM_COMMIT").unwrap_or("not recorded in this build"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        libc(),
        profile(),
        fathom_store::sqlite_version(),
        names(),
    );
    page.extend(EngineRow::of_runs().map(|row| {
        let state = match fathom_engine::available(row.kind) {
            Ok(()) => "works here".to_owned(),
            Err(cause) => format!("not here: {cause}"),
        };
        format!("engine      {}: {state}\n", row.name)
    }));
    page
}

const fn libc() -> &'static str {
    match (
        cfg!(target_env = "gnu"),
        cfg!(target_feature = "crt-static"),
    ) {
        (true, true) => "static glibc",
        (true, false) => "glibc of the system",
        (false, true) => "static libc",
        (false, false) => "libc of the system",
    }
}

const fn profile() -> &'static str {
    if cfg!(debug_assertions) {
        "debug build: its numbers are those of slow code"
    } else {
        "optimised"
    }
}

/// Whether host names can be looked up, which a static build may have lost.
fn names() -> String {
    match ("localhost", 0).to_socket_addrs() {
        Ok(mut found) => found.next().map_or_else(
            || "localhost has no address".to_owned(),
            |address| format!("localhost is {}", address.ip()),
        ),
        Err(error) => format!("cannot be looked up: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_words_ask_for_it_in_any_order() {
        let cases = [
            (vec!["fathom", "--version", "--verbose"], true),
            (vec!["fathom", "-v", "-V"], true),
            (vec!["fathom", "--version"], false),
            (vec!["fathom", "run", "--version", "--verbose"], false),
            (vec!["fathom", "--version", "--version"], false),
            (vec![], false),
        ];
        for (words, expected) in cases {
            let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
            assert_eq!(is_asked_for(&words), expected, "{words:?}");
        }
    }
}
