//! Colours and signs as the terminal, the locale and the user want them.

use clap::ValueEnum;
use std::ffi::OsString;
use std::sync::OnceLock;

/// When output has colours: the value of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// Use colours on a terminal that supports them, unless NO_COLOR is set
    #[default]
    Auto,
    /// Use colours always, also in files and pipes
    Always,
    /// Use no colours
    Never,
}

/// How text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Looks {
    /// Whether it has colours.
    pub(crate) color: bool,
    /// Whether it has no other signs than those of ASCII.
    pub(crate) ascii: bool,
}

static CHOICE: OnceLock<ColorChoice> = OnceLock::new();

/// Keeps what the command line says, which holds for the whole process.
pub(crate) fn choose(choice: ColorChoice) {
    // It is read once.
    let _ = CHOICE.set(choice);
}

/// How text looks on standard output.
pub(crate) fn looks(is_terminal: bool) -> Looks {
    let choice = CHOICE.get().copied().unwrap_or_default();
    of(choice, is_terminal, |name| std::env::var_os(name))
}

/// Whether the terminal can be drawn on: one that is dumb shows what moves its cursor as text.
pub(crate) fn draws() -> bool {
    !is_dumb(|name| std::env::var_os(name))
}

fn is_dumb(get: impl Fn(&str) -> Option<OsString>) -> bool {
    get("TERM").is_some_and(|term| term == "dumb")
}

fn of(choice: ColorChoice, is_terminal: bool, get: impl Fn(&str) -> Option<OsString>) -> Looks {
    let set = |name: &str| get(name).filter(|value| !value.is_empty());
    let color = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => is_terminal && !is_dumb(set) && set("NO_COLOR").is_none(),
    };
    // The first that is set decides (POSIX.1-2017, XBD 8.2). Without any it is not known what is
    // shown, and nearly everything shows UTF-8.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let ascii = locale.is_some_and(|locale| {
        let locale = locale.to_string_lossy().to_ascii_lowercase();
        !locale.contains("utf-8") && !locale.contains("utf8")
    });
    Looks { color, ascii }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_wish_decides() {
        use ColorChoice::{Always, Auto, Never};
        type Case<'a> = (ColorChoice, bool, &'a [(&'a str, &'a str)], (bool, bool));
        let cases: [Case<'_>; 10] = [
            (Auto, true, &[], (true, false)),
            (Auto, false, &[], (false, false)),
            (Auto, true, &[("TERM", "dumb")], (false, false)),
            (Auto, true, &[("NO_COLOR", "1")], (false, false)),
            (Auto, true, &[("NO_COLOR", "")], (true, false)),
            (Always, false, &[("NO_COLOR", "1")], (true, false)),
            (Never, true, &[], (false, false)),
            (Auto, true, &[("LANG", "C.UTF-8")], (true, false)),
            (Auto, true, &[("LANG", "C")], (true, true)),
            (
                Auto,
                true,
                &[("LC_ALL", "POSIX"), ("LANG", "de_DE.utf8")],
                (true, true),
            ),
        ];
        for (choice, is_terminal, variables, (color, ascii)) in cases {
            let get = |name: &str| {
                let found = variables.iter().find(|(variable, _)| *variable == name);
                found.map(|(_, value)| OsString::from(value))
            };
            let expected = Looks { color, ascii };
            assert_eq!(of(choice, is_terminal, get), expected, "{variables:?}");
        }
    }
}
