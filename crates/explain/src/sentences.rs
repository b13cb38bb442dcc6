//! Sentences of prose, and words that make one no statement of what is now and here.

/// Words of what is not, of what was, and of others.
const NOT: [&str; 13] = [
    "cannot",
    "disabled",
    "instead",
    "neither",
    "never",
    "no",
    "none",
    "nor",
    "not",
    "off",
    "removed",
    "unlimited",
    "without",
];
const PAST: [&str; 14] = [
    "ago",
    "another",
    "before",
    "earlier",
    "else",
    "elsewhere",
    "former",
    "formerly",
    "had",
    "old",
    "others",
    "previously",
    "was",
    "were",
];

/// The sentences of a line, each with the sign at its end.
pub(crate) fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        (!rest.is_empty()).then_some(())?;
        let is_end = |(at, sign): &(usize, char)| {
            let next = rest[at + sign.len_utf8()..].chars().next();
            ".!?;".contains(*sign) && next.is_none_or(char::is_whitespace)
        };
        let end = rest.char_indices().find(is_end);
        let (sentence, after) =
            rest.split_at(end.map_or(rest.len(), |(at, sign)| at + sign.len_utf8()));
        rest = after;
        Some(sentence)
    })
}

/// Whether a sentence goes on in the next line.
pub(crate) fn is_open(sentence: &str) -> bool {
    !sentence.is_empty() && !sentence.trim_end().ends_with(['.', '!', '?', ';'])
}

/// Whether one of the words is in a sentence.
pub(crate) fn has(sentence: &str, words: &[&str]) -> bool {
    let mut all = sentence.split(|sign: char| !sign.is_alphanumeric());
    all.any(|word| words.iter().any(|own| word.eq_ignore_ascii_case(own)))
}

/// Whether nothing in a sentence denies it, or says it of another time or thing.
pub(crate) fn is_affirmed(sentence: &str) -> bool {
    let is_short = sentence.contains("n't") || sentence.contains("n’t");
    !is_short && !has(sentence, &NOT) && !has(sentence, &PAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_sign_and_a_space_are() {
        let text = "A limit of 2.5 MB/s. And why? Queue limit 32; a quota";
        let found: Vec<&str> = sentences(text).collect();
        let expected = [
            "A limit of 2.5 MB/s.",
            "And why?",
            "Queue limit 32;",
            "a quota",
        ];
        assert_eq!(found, expected);
        let open: Vec<bool> = found.into_iter().map(is_open).collect();
        assert_eq!(open, [false, false, false, true]);
        assert_eq!(sentences("  ").count(), 0);
    }

    #[test]
    fn a_sentence_that_denies_or_is_of_the_past_affirms_nothing() {
        let texts = [
            "It isn’t on.",
            "No quota",
            "We had it.",
            "It is on now, I note.",
        ];
        assert_eq!(texts.map(is_affirmed), [false, false, false, true]);
    }
}
