//! Sentences below a table, in lines of a width that terminals have.

/// Columns of a line.
const WIDTH: usize = 110;
/// How far all lines but the first are moved in.
const INDENT: &str = "  ";

/// A sentence broken at blanks, with a line end; longer words stay whole.
pub(crate) fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut columns = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if columns > 0 && columns + 1 + length > WIDTH {
            out.push('\n');
            out.push_str(INDENT);
            columns = INDENT.len();
        } else if columns > 0 {
            out.push(' ');
            columns += 1;
        }
        out.push_str(word);
        columns += length;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(wrapped("a b"), "a b\n");
        let word = "x".repeat(60);
        let text = format!("{word} {word} end");
        assert_eq!(wrapped(&text), format!("{word}\n  {word} end\n"));
    }
}
