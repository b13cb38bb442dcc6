//! How the files begin that fio writes: a call replaces these without an option.

/// A result in any of fio's formats: JSON, terse, or text for people.
pub(super) fn is_result(head: &[u8]) -> bool {
    let head = String::from_utf8_lossy(head);
    let terse = head.split(';').nth(1).unwrap_or_default();
    let is_terse = ["fio-", "fathom-"]
        .iter()
        .any(|name| terse.starts_with(name));
    is_terse
        || head.contains("\"fio version\"")
        || head.contains(": (g=")
        || head.contains(": (groupid=")
}

/// A log of bandwidth, latencies or requests: lines of numbers.
pub(super) fn is_log(head: &[u8]) -> bool {
    let head = String::from_utf8_lossy(head);
    let line = head.lines().next().unwrap_or_default();
    let is_number = |field: &str| {
        let field = field.trim();
        !field.is_empty()
            && field
                .chars()
                .all(|c| c.is_ascii_digit() || "-.x".contains(c))
    };
    line.contains(',') && line.split(',').all(is_number)
}

/// Whether the first bytes are those of a trace.
pub(super) fn is_trace(head: &[u8]) -> bool {
    head.starts_with(b"fio version ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_known_by_how_they_begin() {
        let cases: [(&str, [bool; 3]); 9] = [
            ("{\n  \"fio version\" : \"fio-3.36\",", [true, false, false]),
            ("3;fio-3.36;job;0;0;", [true, false, false]),
            ("a: (g=0): rw=read, bs=(R) 4096B", [true, false, false]),
            ("1, 512, 0, 4096, 0\n2, 5", [false, true, false]),
            ("fio version 3 iolog\n0 /a add", [false, false, true]),
            ("date,amount\n1,2\n", [false; 3]),
            ("my notes", [false; 3]),
            ("PK\u{3}\u{4}", [false; 3]),
            ("", [false; 3]),
        ];
        for (head, expected) in cases {
            let bytes = head.as_bytes();
            let found = [is_result(bytes), is_log(bytes), is_trace(bytes)];
            assert_eq!(found, expected, "{head}");
        }
    }
}
