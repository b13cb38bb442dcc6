//! What is delivered.

/// One thing to deliver, whatever the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// One line: of a mail, its subject.
    pub subject: String,
    /// A screen of text for a person: of a mail, its body.
    pub text: String,
    /// The same as HTML, for programs that show it: a phone folds the columns of text. Only a mail
    /// has it.
    pub html: Option<String>,
    /// The files, the one for programs first.
    pub attachments: Vec<Attachment>,
}

/// Letters of a name at most, and of its end that stays.
const LONGEST: usize = 200;
const LONGEST_ENDING: usize = 10;

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
        let name: String = name.chars().map(safe).collect();
        // A leading `-` would be an option of the programs that send, a leading `.` hides the file.
        let name = name.trim_start_matches(['.', '-']);
        // The ending stays where a name is too long for a file system.
        let ending = name.len().saturating_sub(LONGEST_ENDING);
        let name = if name.len() > LONGEST {
            format!("{}{}", &name[..LONGEST - LONGEST_ENDING], &name[ending..])
        } else {
            name.to_owned()
        };
        Self {
            name,
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
            ("../../etc/passwd", "etc-passwd"),
            ("/x", "x"),
            ("a b;rm\n", "a-b-rm-"),
            ("größe.html", "gr--e.html"),
        ];
        for (given, expected) in cases {
            let name = Attachment::new(given, "text/plain", Vec::new()).name;
            assert_eq!(name, expected, "{given}");
        }
        let long = Attachment::new(&("x".repeat(300) + ".json"), "text/plain", Vec::new()).name;
        assert_eq!(long, "x".repeat(195) + ".json");
    }
}
