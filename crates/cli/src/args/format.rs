//! `FORMAT[:FILE]`, or a file whose ending says the format: what `--output` takes in every command.

use crate::paragraph::hanging_within;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A format by its name, and the ending of its files without the dot.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedFormat<T> {
    pub(super) name: &'static str,
    pub(super) extension: &'static str,
    pub(super) value: T,
}

/// The formats of a command that has a few.
pub(crate) trait Formats: Copy + PartialEq + 'static {
    /// Each with its name. Their files have the endings that they have for a result.
    const ALL: &'static [(&'static str, Self)];

    /// As `--output` names it.
    fn name(self) -> &'static str {
        let row = Self::ALL.iter().find(|(_, format)| *format == self);
        row.map_or("", |(name, _)| name)
    }
}

/// One `--output` in such a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormatFile<F> {
    pub(crate) format: F,
    /// None for standard output.
    pub(crate) file: Option<PathBuf>,
}

impl<F: Formats> FromStr for FormatFile<F> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let formats = F::ALL.iter().map(|&(name, value)| NamedFormat {
            name,
            extension: fathom_report::find(name).map_or("", |same| same.extension),
            value,
        });
        let (format, file) = read(text, &formats.collect::<Vec<_>>())?;
        Ok(Self { format, file })
    }
}

/// Columns by which the help of an option is moved in.
const HELP_INDENT: usize = 10;

/// Formats and what each is for, as the help of an option has room for them.
pub(super) fn listed(rows: &[(&str, &str)]) -> String {
    let most = super::widest_help() - HELP_INDENT;
    let names = rows.iter().map(|(name, _)| name.len());
    let column = names.max().unwrap_or(0) + 4;
    let rows = rows
        .iter()
        .map(|(name, about)| hanging_within(name, column, about, most));
    rows.collect::<String>().trim_end().to_owned()
}

/// The format that a word means, and its file; none for standard output.
///
/// A word that begins with no format is the name of a file, if its ending is that of one.
pub(super) fn read<T: Copy>(
    text: &str,
    formats: &[NamedFormat<T>],
) -> Result<(T, Option<PathBuf>), String> {
    let (name, file) = match text.split_once(':') {
        Some((name, file)) => (name, Some(file)),
        None => (text, None),
    };
    let named = formats.iter().find(|format| format.name == name);
    // An ending before the colon names a format: as a part of a name it would have begun a file
    // `txt:run.txt`.
    let Some(format) = named.or_else(|| by_ending(file.and(Some(name)), formats)) else {
        return of_file(text, formats);
    };
    match file {
        Some("") => Err("the file name after the colon is missing".to_owned()),
        file => Ok((
            format.value,
            file.filter(|file| *file != "-").map(PathBuf::from),
        )),
    }
}

/// The format whose files end so. In a file there is room for all there is.
fn by_ending<'f, T>(
    ending: Option<&str>,
    formats: &'f [NamedFormat<T>],
) -> Option<&'f NamedFormat<T>> {
    formats
        .iter()
        .filter(|format| format.name != "brief" && ending == Some(format.extension))
        .min_by_key(|format| format.name != format.extension)
}

fn of_file<T: Copy>(
    text: &str,
    formats: &[NamedFormat<T>],
) -> Result<(T, Option<PathBuf>), String> {
    let ending = Path::new(text)
        .extension()
        .and_then(|ending| ending.to_str());
    if let Some(format) = by_ending(ending, formats) {
        return Ok((format.value, Some(PathBuf::from(text))));
    }
    let names: Vec<&str> = formats.iter().map(|format| format.name).collect();
    let page = match ending.or(Some(text)) {
        Some("html" | "htm") => "; `fathom report RUN... -o FILE.html` writes a page of saved runs",
        _ => "",
    };
    Err(format!("the formats are {}{page}", names.join(", ")))
}

/// The file of a command that writes one format only; that format may be named before it.
pub(super) fn only(name: &'static str, text: &str) -> Result<PathBuf, String> {
    match text.strip_prefix(name) {
        Some("") => Ok(PathBuf::from("-")),
        Some(":") => Err("the file name after the colon is missing".to_owned()),
        Some(rest) if rest.starts_with(':') => Ok(PathBuf::from(&rest[1..])),
        _ => Ok(PathBuf::from(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_named_or_shown_by_the_ending() {
        let format = |name, extension| NamedFormat {
            name,
            extension,
            value: name,
        };
        let formats = [
            format("brief", "txt"),
            format("text", "txt"),
            format("csv-slowest", "csv"),
            format("csv", "csv"),
        ];
        let read = |text| {
            let (value, file) = read(text, &formats)?;
            Ok((value, file.map(|file| file.display().to_string())))
        };
        let file = |name: &str| Some(name.to_owned());
        let unknown = || Err("the formats are brief, text, csv-slowest, csv".to_owned());
        let page = "the formats are brief, text, csv-slowest, csv; `fathom report RUN... -o \
                    FILE.html` writes a page of saved runs";
        let cases = [
            ("html", Err(page.to_owned())),
            ("a/b.html", Err(page.to_owned())),
            ("brief", Ok(("brief", None))),
            ("csv:-", Ok(("csv", None))),
            ("csv:a/b.txt", Ok(("csv", file("a/b.txt")))),
            ("run.txt", Ok(("text", file("run.txt")))),
            ("./a:b/run.csv", Ok(("csv", file("./a:b/run.csv")))),
            (
                "csv:",
                Err("the file name after the colon is missing".to_owned()),
            ),
            ("txt:run", Ok(("text", file("run")))),
            ("txt", unknown()),
            ("run.html", Err(page.to_owned())),
            ("page", unknown()),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn the_only_form_need_not_be_named() {
        let cases = [
            ("html", Ok("-")),
            ("html:a.html", Ok("a.html")),
            ("a.html", Ok("a.html")),
            ("html.page", Ok("html.page")),
            ("-", Ok("-")),
            (
                "html:",
                Err("the file name after the colon is missing".to_owned()),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(only("html", text), expected.map(PathBuf::from), "{text}");
        }
    }
}
