//! The defaults file: options that a user sets every time.
//!
//! No key changes what is measured, and none names a target or permits to overwrite one.

use crate::appearance::ColorChoice;
use crate::error::{Problem, system_words};
use crate::exit::Exit;
use crate::paragraph::hanging_within;
use crate::platform::CONFIG_FOLDERS;
use crate::user_folder::user_folder;
use clap::ValueEnum as _;
use fathom_core::foreign::visible;
use fathom_core::nearest::nearest;
use fathom_device::input;
use fathom_platform::unix::fs::MetadataExt as _;
use fathom_report::Format;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use toml::{Table, Value};

/// The variable that names the file; empty for none.
const VARIABLE: &str = "FATHOM_CONFIG";
/// Bytes of a file at most.
const MOST_BYTES: u64 = 1 << 20;
/// Permission bits by which somebody else than the owner may write.
const OTHERS_WRITE: u32 = 0o022;
/// What serves instead of a file that cannot be used.
const OWN: &str = "--no-config, or FATHOM_CONFIG=FILE";
/// Column of the texts in the help.
const COLUMN: usize = 24;

/// The values of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Defaults {
    pub(crate) color: Option<ColorChoice>,
    pub(crate) deliver: Vec<String>,
    pub(crate) format: Option<Format>,
    pub(crate) store: Option<PathBuf>,
}

/// A key of the file.
struct Key {
    name: &'static str,
    /// Option and variable that take precedence.
    option: &'static str,
    variable: Option<&'static str>,
    about: &'static str,
    expected: &'static str,
    /// Takes the value; none if it is invalid.
    take: fn(&mut Defaults, &Value) -> Option<()>,
}

const KEYS: [Key; 4] = [
    Key {
        name: "color",
        option: "--color",
        variable: Some("NO_COLOR"),
        about: "Colours of standard output: auto, always or never",
        expected: "auto, always or never",
        take: |all, value| {
            all.color = Some(ColorChoice::from_str(value.as_str()?, false).ok()?);
            Some(())
        },
    },
    Key {
        name: "deliver",
        option: "--deliver",
        variable: Some("FATHOM_DELIVER"),
        about: "Destinations of every result",
        expected: "a list of URLs, as in [\"ssh://host/folder/\"]",
        take: |all, value| {
            let urls = value.as_array()?.iter();
            let urls = urls.map(|url| Some(url.as_str()?.to_owned()));
            all.deliver = urls.collect::<Option<_>>()?;
            Some(())
        },
    },
    Key {
        name: "format",
        option: "--output",
        variable: None,
        about: "Format in which results are printed, as in text",
        expected: "a format that `fathom run --help` lists",
        take: |all, value| {
            all.format = Some(fathom_report::find(value.as_str()?)?);
            Some(())
        },
    },
    Key {
        name: "store",
        option: "--store",
        variable: Some("FATHOM_STORE"),
        about: "History database",
        expected: "an absolute path",
        take: |all, value| {
            let path = PathBuf::from(value.as_str()?);
            all.store = path.is_absolute().then_some(path);
            all.store.is_some().then_some(())
        },
    },
];

/// Variables of the environment without a key.
const VARIABLES: [(&str, &str); 8] = [
    ("COLUMNS", "Width of text that does not go to a terminal"),
    (
        "FATHOM_ALLOW",
        "Allow-list of devices and folders; a limit for all writes",
    ),
    (
        "FATHOM_CLOCK",
        "clock_monotonic: do not use the time stamp counter",
    ),
    (
        "FATHOM_CONFIG",
        "Defaults file; empty for none, as --no-config",
    ),
    ("FATHOM_SERVER_TOKEN", "File with the secret of servers"),
    ("NETRC", "File with user names and passwords for --deliver"),
    (
        "XDG_CONFIG_HOME",
        "Folder of fathom/config.toml [default: ~/.config]",
    ),
    (
        "XDG_DATA_HOME",
        "Folder of fathom/history.db [default: ~/.local/share]",
    ),
];

static DEFAULTS: OnceLock<Defaults> = OnceLock::new();
static IS_OFF: OnceLock<bool> = OnceLock::new();

/// Reads the file, if there is one.
pub(crate) fn load(is_off: bool) -> Result<(), Problem> {
    let _ = IS_OFF.set(is_off);
    let file = if is_off {
        None
    } else {
        file(|name| std::env::var_os(name))
    };
    let found = match file {
        Some((path, is_named)) => read(&path, is_named)?,
        None => Defaults::default(),
    };
    // It is read once.
    let _ = DEFAULTS.set(found);
    Ok(())
}

/// The values of the file; none before it is read.
pub(crate) fn defaults() -> &'static Defaults {
    DEFAULTS.get_or_init(Defaults::default)
}

/// When output has colours without --color; NO_COLOR takes precedence.
pub(crate) fn color() -> ColorChoice {
    let is_set = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    defaults().color.filter(|_| !is_set).unwrap_or_default()
}

/// The variable by which commands that this one starts read no file either.
pub(crate) fn for_children() -> Option<(&'static str, &'static str)> {
    IS_OFF
        .get()
        .copied()
        .unwrap_or(false)
        .then_some((VARIABLE, ""))
}

/// The keys and variables, for the help of the program.
pub(crate) fn help(most: usize) -> String {
    let mut text =
        "Defaults file (config.toml; options and environment take precedence):\n".to_owned();
    for key in &KEYS {
        let places = [Some(key.option), key.variable];
        let places: Vec<&str> = places.into_iter().flatten().collect();
        let about = format!("{} [{}]", key.about, places.join(", "));
        text += &hanging_within(key.name, COLUMN, &about, most);
    }
    text += "\nEnvironment:\n";
    for (name, about) in VARIABLES {
        text += &hanging_within(name, COLUMN, about, most);
    }
    text
}

/// The file, and whether it was named.
fn file(of: impl Fn(&str) -> Option<OsString>) -> Option<(PathBuf, bool)> {
    if let Some(path) = of(VARIABLE) {
        return (!path.is_empty()).then(|| (path.into(), true));
    }
    let set = |name: &str| of(name).filter(|value| !value.is_empty());
    let folder = user_folder(&CONFIG_FOLDERS, set)?;
    Some((folder.join("config.toml"), false))
}

fn read(path: &Path, is_named: bool) -> Result<Defaults, Problem> {
    let thing = || format!("cannot use the defaults file {}", path.display());
    let opened = match input::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_named => {
            return Ok(Defaults::default());
        }
        opened => opened.and_then(|file| Ok((file.metadata()?, file))),
    };
    let text = opened.and_then(|(found, file)| {
        let user = fathom_platform::process::geteuid().as_raw();
        match refused(path, found.uid(), found.mode(), user) {
            Some(wrong) => Ok(Err(wrong)),
            None => text(file).map(Ok),
        }
    });
    let text = text.map_err(|error| {
        Problem::new(Exit::Environment, thing())
            .because(system_words(&error))
            .remedy(OWN)
    })?;
    let text = text.map_err(|(cause, remedy)| {
        Problem::new(Exit::Usage, thing())
            .because(cause)
            .remedy(remedy)
    })?;
    parse(&text).map_err(|(cause, remedy)| {
        Problem::new(Exit::Usage, thing())
            .because(cause)
            .remedy(remedy)
    })
}

/// Why others than the user and root may have written a file of this owner and mode, if so, and a
/// remedy. The file of another user stays that user's.
fn refused(path: &Path, owner: u32, mode: u32, user: u32) -> Option<(String, String)> {
    if owner != 0 && owner != user {
        let cause = format!("it belongs to user {owner}");
        return Some((cause, OWN.to_owned()));
    }
    let others_write = mode & OTHERS_WRITE != 0;
    others_write.then(|| {
        let cause = format!("others may write to it: its mode is {:04o}", mode & 0o7777);
        (cause, format!("chmod go-w {}", path.display()))
    })
}

fn text(file: File) -> io::Result<String> {
    let mut text = String::new();
    file.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(io::Error::other("it is longer than 1 MiB"));
    }
    Ok(text)
}

/// Cause and remedy of what is wrong.
fn parse(text: &str) -> Result<Defaults, (String, String)> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error
            .span()
            .map_or("", |span| text.get(..span.start).unwrap_or(""));
        let line = before.matches('\n').count() + 1;
        let cause = format!("line {line}: {}", error.message());
        (
            cause,
            "lines of TOML, as in store = \"/data/history.db\"".to_owned(),
        )
    })?;
    let mut defaults = Defaults::default();
    for (name, value) in &table {
        let Some(key) = KEYS.iter().find(|key| key.name == name) else {
            let names = KEYS.map(|key| key.name);
            let remedy = nearest(name, names).map_or_else(|| names.join(", "), str::to_owned);
            return Err((format!("there is no key `{}`", visible(name)), remedy));
        };
        (key.take)(&mut defaults, value).ok_or_else(|| {
            (
                format!("the value of `{name}` is invalid"),
                key.expected.to_owned(),
            )
        })?;
    }
    Ok(defaults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_file_is_read() {
        type Case<'a> = (&'a [(&'a str, &'a str)], Option<(&'a str, bool)>);
        let cases: [Case<'_>; 6] = [
            (&[], None),
            (
                &[("HOME", "/h")],
                Some(("/h/.config/fathom/config.toml", false)),
            ),
            (
                &[("HOME", "/h"), ("XDG_CONFIG_HOME", "/c")],
                Some(("/c/fathom/config.toml", false)),
            ),
            (
                &[("HOME", "/h"), ("XDG_CONFIG_HOME", "c")],
                Some(("/h/.config/fathom/config.toml", false)),
            ),
            (
                &[("HOME", "/h"), ("FATHOM_CONFIG", "a.toml")],
                Some(("a.toml", true)),
            ),
            (&[("HOME", "/h"), ("FATHOM_CONFIG", "")], None),
        ];
        for (variables, expected) in cases {
            let of = |name: &str| {
                let found = variables.iter().find(|(variable, _)| *variable == name);
                found.map(|(_, value)| OsString::from(value))
            };
            let expected = expected.map(|(path, is_named)| (PathBuf::from(path), is_named));
            assert_eq!(file(of), expected, "{variables:?}");
        }
    }

    /// With `FATHOM_WRITE_DOCS=1` it writes the tables.
    #[test]
    fn the_page_lists_every_key_and_variable() {
        const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/config.md");
        let keys = KEYS.iter().map(|key| {
            let variable = key.variable.unwrap_or_default();
            format!(
                "| `{}` | `{}` | {variable} | {} |\n",
                key.name, key.option, key.about
            )
        });
        let own = KEYS
            .iter()
            .filter_map(|key| Some((key.variable?, key.about)));
        let mut variables: Vec<_> = own.chain(VARIABLES).collect();
        variables.sort_unstable();
        let variables = variables
            .iter()
            .map(|(name, about)| format!("| `{name}` | {about} |\n"));
        let tables = [
            (
                "keys",
                "| key | option | variable | |\n| --- | --- | --- | --- |\n",
                keys.collect::<String>(),
            ),
            (
                "variables",
                "| variable | |\n| --- | --- |\n",
                variables.collect::<String>(),
            ),
        ];
        let page = std::fs::read_to_string(PAGE).expect("the page");
        let mut expected = page.clone();
        for (name, head, rows) in tables {
            let [begin, end] = ["begin", "end"].map(|side| format!("<!-- {name}:{side} -->\n"));
            let (before, rest) = expected.split_once(&begin).expect("a begin");
            let (_, after) = rest.split_once(&end).expect("an end");
            expected = format!("{before}{begin}{head}{rows}{end}{after}");
        }
        if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
            std::fs::write(PAGE, &expected).expect("written");
            return;
        }
        assert_eq!(page, expected, "FATHOM_WRITE_DOCS=1 writes {PAGE}");
    }

    #[test]
    fn only_the_user_and_root_may_have_written_it() {
        let cases = [
            ((1000, 0o600, 1000), None),
            ((0, 0o644, 1000), None),
            ((1001, 0o600, 1000), Some("it belongs to user 1001")),
            (
                (1000, 0o664, 1000),
                Some("others may write to it: its mode is 0664"),
            ),
            (
                (0, 0o646, 1000),
                Some("others may write to it: its mode is 0646"),
            ),
        ];
        for ((owner, mode, user), expected) in cases {
            let found = refused(Path::new("c.toml"), owner, mode, user);
            let cause = found.as_ref().map(|(cause, _)| cause.as_str());
            assert_eq!(cause, expected, "{owner} {mode:o}");
            // The file of another user stays that user's.
            let remedy = if owner == user || owner == 0 {
                "chmod go-w c.toml"
            } else {
                OWN
            };
            assert!(found.is_none_or(|(_, found)| found == remedy));
        }
    }

    #[test]
    fn values_are_checked() {
        let text = "color = \"never\"\ndeliver = [\"file:///a\", \"file:///b\"]\nformat = \
                    \"text\"\n\
                    store = \"/h.db\"\n";
        let all = parse(text).expect("valid");
        let format = all.format.map(|format| format.name);
        let found = (all.color, format, all.store, all.deliver.join(" "));
        let store = Some(PathBuf::from("/h.db"));
        let deliver = "file:///a file:///b".to_owned();
        assert_eq!(
            found,
            (Some(ColorChoice::Never), Some("text"), store, deliver)
        );
        let cases = [
            ("stor = 1", "there is no key `stor`", "store"),
            (
                "target = \"/dev/sda\"",
                "there is no key `target`",
                "color, deliver, format, store",
            ),
            (
                "color = 1",
                "the value of `color` is invalid",
                "auto, always or never",
            ),
            (
                "deliver = \"a\"",
                "the value of `deliver` is invalid",
                KEYS[1].expected,
            ),
            (
                "format = \"pdf\"",
                "the value of `format` is invalid",
                KEYS[2].expected,
            ),
            (
                "store = \"h.db\"",
                "the value of `store` is invalid",
                "an absolute path",
            ),
        ];
        for (text, cause, remedy) in cases {
            let found = parse(text).err();
            assert_eq!(found, Some((cause.to_owned(), remedy.to_owned())), "{text}");
        }
    }
}
