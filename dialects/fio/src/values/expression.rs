//! Arithmetic: a value that is one parenthesised expression, with suffixes on its numbers.

use super::size::{Base, number};
use crate::source::Wrong;

/// Deepest nesting of parentheses that is read.
const DEEPEST: usize = 32;

/// The value of what stands between the outer parentheses, as a whole number.
pub(super) fn evaluate(text: &str, base: Base) -> Result<u64, Wrong> {
    let mut reader = Reader {
        rest: text.trim(),
        base,
        depth: 0,
    };
    let value = reader.sum()?;
    if !reader.rest.is_empty() {
        return Err(wrong(text));
    }
    if !(0.0..18_446_744_073_709_551_615.0).contains(&value) {
        let message = format!("`({text})` is not a size");
        return Err(Wrong::new(message, "it must come to 0 or more"));
    }
    Ok(value as u64)
}

fn wrong(text: &str) -> Wrong {
    let remedy = "numbers with suffixes, + - * / and parentheses, as in (4k * 16)";
    Wrong::new(format!("`{text}` is not an expression"), remedy)
}

struct Reader<'a> {
    rest: &'a str,
    base: Base,
    depth: usize,
}

impl Reader<'_> {
    fn sum(&mut self) -> Result<f64, Wrong> {
        let mut value = self.product()?;
        loop {
            if self.takes('+') {
                value += self.product()?;
            } else if self.takes('-') {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, Wrong> {
        let mut value = self.term()?;
        loop {
            if self.takes('*') {
                value *= self.term()?;
            } else if self.takes('/') {
                let divisor = self.term()?;
                if divisor == 0.0 {
                    return Err(Wrong::new("a division by zero", "another divisor"));
                }
                value /= divisor;
            } else {
                return Ok(value);
            }
        }
    }

    fn term(&mut self) -> Result<f64, Wrong> {
        if self.takes('(') {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(Wrong::new("too many parentheses", "a simpler expression"));
            }
            let value = self.sum()?;
            self.depth -= 1;
            return if self.takes(')') {
                Ok(value)
            } else {
                Err(wrong(self.rest))
            };
        }
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '.'))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        if let Ok(value) = word.parse::<f64>() {
            return Ok(value);
        }
        Ok(number(word, self.base)?.value as f64)
    }

    fn takes(&mut self, sign: char) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_their_value() {
        let cases = [
            ("4k*2", Ok(8192)),
            ("4k * (2 + 1)", Ok(12288)),
            ("1g / 4 - 1m", Ok((1 << 28) - (1 << 20))),
            ("1.5 * 1k", Ok(1536)),
        ];
        for (text, value) in cases {
            assert_eq!(evaluate(text, Base::Binary), value, "{text}");
        }
        for text in ["", "4k 2", "1/0", "(1", "1-2", "k", &"(".repeat(100)] {
            assert!(evaluate(text, Base::Binary).is_err(), "{text}");
        }
    }
}
