//! Tables as CSV (RFC 4180), for spreadsheets and data frames.

use csv::Writer;
use fathom_core::foreign::is_formula;
use std::borrow::Cow;

/// A table with its header, row by row.
#[derive(Debug)]
pub struct Sheet(Writer<Vec<u8>>);

impl Sheet {
    /// A table of these columns.
    pub fn new<T: AsRef<str>>(header: impl IntoIterator<Item = T>) -> Self {
        let mut sheet = Self(Writer::from_writer(Vec::new()));
        sheet.push(header);
        sheet
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If it is not as long as the header.
    pub fn push<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) {
        for one in cells {
            let written = self.0.write_field(cell(one.as_ref()).as_bytes());
            written.expect("memory takes everything");
        }
        let ended = self.0.write_record(None::<&[u8]>);
        ended.expect("memory takes everything, and all rows are as long as the header");
    }

    /// The whole text.
    ///
    /// # Panics
    ///
    /// Never.
    pub fn finish(self) -> String {
        let bytes = self.0.into_inner().expect("memory takes everything");
        String::from_utf8(bytes).expect("all cells are text")
    }
}

/// A cell that no spreadsheet evaluates: text that would start a formula there gets an apostrophe
/// before it. Numbers stay as they are.
pub fn cell(text: &str) -> Cow<'_, str> {
    if is_formula(text) {
        return Cow::Owned(format!("'{text}"));
    }
    Cow::Borrowed(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        let mut sheet = Sheet::new(["name", "number"]);
        let names = [
            "=1+1", "@SUM(A1)", "+cmd", "-cmd|x", "\tx", "\r=x", "a=b", "", "x,\"y\"", "a\nb",
        ];
        for name in names {
            sheet.push([name, "-1.5e3"]);
        }
        let expected = "name,number\n'=1+1,-1.5e3\n'@SUM(A1),-1.5e3\n'+cmd,-1.5e3\n\
                        '-cmd|x,-1.5e3\n'\tx,-1.5e3\n\"'\r=x\",-1.5e3\na=b,-1.5e3\n,-1.5e3\n\
                        \"x,\"\"y\"\"\",-1.5e3\n\"a\nb\",-1.5e3\n";
        assert_eq!(sheet.finish(), expected);
    }
}
