//! Text on its way into markup: the one door of all templates (`askama.toml`) and drawings.
//!
//! A name from another host or file may contain markup, control characters, and the bidirectional
//! controls of Unicode, which reverse what a reader sees. Markup becomes character references, and
//! a control character is shown as its escape, as in the formats for a terminal.

use fathom_core::foreign::{visible, xml_text};
use std::borrow::Cow;
use std::fmt::{self, Write};

/// How templates escape what they are given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Markup;

impl askama::filters::Escaper for Markup {
    fn write_escaped_str<W: Write>(&self, mut dest: W, text: &str) -> fmt::Result {
        dest.write_str(&escaped(text))
    }
}

/// A text as it may stand in a page and in the value of an attribute.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    let shown = visible(text);
    if !shown.contains(is_special) {
        return shown;
    }
    let mut out = String::with_capacity(shown.len() + 16);
    shown.chars().for_each(|sign| refer(sign, &mut out));
    Cow::Owned(out)
}

/// A text as it may stand in a file of XML that a program reads: it keeps its line ends.
pub(crate) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    xml_text(text)
        .chars()
        .for_each(|sign| refer(sign, &mut out));
    out
}

/// Whether a character is markup, or none that XML has.
fn is_special(sign: char) -> bool {
    matches!(sign, '&' | '<' | '>' | '"' | '\'' | '\u{fffe}' | '\u{ffff}')
}

fn refer(sign: char, out: &mut String) {
    match sign {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
        other => out.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askama::filters::Escaper as _;

    #[test]
    fn no_text_is_markup_or_a_control() {
        let cases = [
            ("db3 µs 日本", "db3 µs 日本"),
            (
                "a<b> & \"c\" 'd'",
                "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;",
            ),
            ("\u{1b}[31mred\u{7}\0", "\\u001b[31mred\\u0007\\u0000"),
            ("\u{202e}lav\u{2069}\u{9b}", "\\u202elav\\u2069\\u009b"),
            ("a\nb\tc\u{fffe}", "a\\u000ab\\u0009c\u{fffd}"),
        ];
        for (text, expected) in cases {
            assert_eq!(escaped(text), expected);
            let mut out = String::new();
            let written = Markup.write_escaped_str(&mut out, text);
            assert_eq!((written, out.as_str()), (Ok(()), expected));
        }
    }
}
