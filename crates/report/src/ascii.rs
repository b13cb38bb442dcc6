//! Text for terminals that know nothing but ASCII.

/// The text with a sign of ASCII for each that is none; columns stay where they are but for the few
/// signs that need two.
pub fn ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for sign in text.chars() {
        if sign.is_ascii() {
            plain.push(sign);
        } else {
            plain.push_str(instead(sign));
        }
    }
    plain
}

const fn instead(sign: char) -> &'static str {
    match sign {
        'µ' => "u",
        '×' => "x",
        '·' | '•' | '–' | '—' | '─' | '▄' => "-",
        '±' => "~",
        '…' => "..",
        '≤' => "<=",
        '≥' => ">=",
        '→' => "->",
        '│' => "|",
        'ä' => "ae",
        'ö' => "oe",
        'ü' => "ue",
        '\u{a0}' => " ",
        '▁' => "_",
        '▂' => ".",
        '▃' => ":",
        '▅' => "=",
        '▆' | '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' => "+",
        '▇' => "*",
        '█' => "#",
        _ => "?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_else_is_left() {
        let text = "fathom · 34.2 µs ×8 p99 ≤ 2 ms ± 3 % …\n▁▄█ \u{1b}[1mé";
        let expected = "fathom - 34.2 us x8 p99 <= 2 ms ~ 3 % ..\n_-# \u{1b}[1m?";
        assert_eq!(ascii(text), expected);
    }
}
