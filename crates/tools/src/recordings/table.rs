//! Lines of values between commas or semicolons, each cell with its place.

use super::words::Text;
use crate::diagnostic::Diagnostic;
use std::borrow::Cow;
use std::rc::Rc;

/// A cell: where it begins in the text, and what it says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell<'a> {
    pub(super) at: usize,
    /// As it stands there, with its quotes.
    pub(super) raw: &'a str,
    pub(super) text: Cow<'a, str>,
}

/// The lines that are not empty, a byte order mark left out.
pub(super) fn lines(source: &Text) -> impl Iterator<Item = (usize, Rc<str>)> {
    source.lines().filter_map(|(at, line)| {
        let plain: Rc<str> = match line.strip_prefix('\u{feff}') {
            Some(rest) => rest.into(),
            None => Rc::clone(&line),
        };
        let at = at + line.len() - plain.len();
        (!plain.trim().is_empty()).then_some((at, plain))
    })
}

/// Those of them by which it is known what a text is.
pub(super) fn begin(source: &Text) -> impl Iterator<Item = &str> {
    let lines = source.begin.lines();
    let lines = lines.map(|line| line.strip_prefix('\u{feff}').unwrap_or(line));
    lines.filter(|line| !line.trim().is_empty())
}

/// The mark between the cells of a head: the one that it has more of.
pub(super) fn mark(head: &str) -> char {
    let count = |mark: char| head.chars().filter(|letter| *letter == mark).count();
    let marks = [',', ';', '\t'];
    marks
        .into_iter()
        .max_by_key(|mark| count(*mark))
        .unwrap_or(',')
}

/// The cells of a line that begins at `at`. A quote that is not closed goes to the end.
pub(super) fn cells(at: usize, line: &str, mark: char) -> Vec<Cell<'_>> {
    let mut found = Vec::new();
    let mut begin = 0;
    let mut quoted = false;
    let mut end_of = |begin: usize, end: usize| found.push(cell(at, line, begin, end));
    for (place, letter) in line.char_indices() {
        if letter == '"' {
            quoted = !quoted;
        } else if letter == mark && !quoted {
            end_of(begin, place);
            begin = place + letter.len_utf8();
        }
    }
    end_of(begin, line.len());
    found
}

fn cell(at: usize, line: &str, begin: usize, end: usize) -> Cell<'_> {
    let whole = &line[begin..end];
    let raw = whole.trim();
    let skipped = whole.len() - whole.trim_start().len();
    let inner = raw
        .strip_prefix('"')
        .map(|rest| rest.strip_suffix('"').unwrap_or(rest));
    let text = match inner {
        Some(inner) if inner.contains("\"\"") => Cow::Owned(inner.replace("\"\"", "\"")),
        Some(inner) => Cow::Borrowed(inner),
        None => Cow::Borrowed(raw),
    };
    Cell {
        at: at + begin + skipped,
        raw,
        text,
    }
}

/// A number with a point or, where commas do not separate cells, a comma; none for an empty cell
/// or a word for nothing, and an error for anything else.
pub(super) fn number(text: &str) -> Result<Option<f64>, ()> {
    let text = text.trim();
    if text.is_empty() || matches!(text, "-" | "null" | "NaN" | "nan" | "-1.#IND" | "N/A") {
        return Ok(None);
    }
    let plain = text.replace(',', ".");
    match plain.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(Some(number)),
        Ok(_) => Ok(None),
        Err(_) => Err(()),
    }
}

/// The number of a cell; what is none is an error there.
pub(super) fn value(source: &Text, cell: &Cell<'_>) -> Result<Option<f64>, Box<Diagnostic>> {
    number(&cell.text)
        .map_err(|()| Box::new(source.error(cell.at, cell.raw, "expected a number".to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_their_places() {
        let found = cells(10, r#""a ""b""", 1,2 ,"x,y""#, ',');
        let told: Vec<(usize, &str)> = found
            .iter()
            .map(|one| (one.at, one.text.as_ref()))
            .collect();
        assert_eq!(told, [(10, "a \"b\""), (21, "1"), (23, "2"), (26, "x,y")]);
        assert_eq!(cells(0, "", ';').len(), 1);
        assert_eq!((mark("a;b;c,d"), mark("a,b")), (';', ','));
        assert_eq!(number("1,5"), Ok(Some(1.5)));
        assert_eq!((number(" "), number("x")), (Ok(None), Err(())));
    }
}
