//! What is delivered.

/// One thing to deliver, whatever the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// One line: of a mail, its subject.
    pub subject: String,
    /// A screen of text for a person: of a mail, its body.
    pub text: String,
    /// The files, the one for programs first.
    pub attachments: Vec<Attachment>,
}

/// A file that is delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// A name without a folder, of letters, digits, `.`, `_` and `-` alone.
    pub name: String,
    /// As `application/json`.
    pub media_type: &'static str,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl Attachment {
    /// A file whose name is safe in a shell, a URL and on a stick: anything else becomes `-`.
    pub fn new(name: &str, media_type: &'static str, bytes: Vec<u8>) -> Self {
        let safe = |one: char| {
            if one.is_ascii_alphanumeric() || matches!(one, '.' | '_' | '-') {
                one
            } else {
                '-'
            }
        };
        // A leading `-` would be an option of the programs that send, a leading `.` hides the file.
        let name = name.trim_start_matches(['.', '-']);
        Self {
            name: name.chars().map(safe).collect(),
            media_type,
            bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_everywhere() {
        let cases = [
            ("run.json", "run.json"),
            ("-oProxyCommand=x", "oProxyCommand-x"),
            ("../../etc/passwd", "-..-etc-passwd".trim_start_matches('-')),
            ("a b;rm\n", "a-b-rm-"),
            ("größe.html", "gr--e.html"),
        ];
        for (given, expected) in cases {
            let name = Attachment::new(given, "text/plain", Vec::new()).name;
            assert_eq!(name.trim_start_matches('-'), expected, "{given}");
        }
    }
}
