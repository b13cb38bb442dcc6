//! A profile as words of a command line.

use crate::argv;
use crate::profile::{Profile, Target};
use fathom_tools::translation::{Note, Standing};

const REMEDY: &str = "use --to diskspd-xml";

/// The words, the program's name first.
///
/// # Errors
///
/// Several time spans, or targets that are not alike.
pub(super) fn words(profile: &Profile) -> Result<Vec<String>, Note> {
    let refused = |what: &str, message: String| {
        let message = format!("{message}; {REMEDY}");
        Note::new(Standing::Refused, what, message)
    };
    let [span] = profile.spans.as_slice() else {
        let count = profile.spans.len();
        let message = format!("a command line of DISKSPD is one phase, and these are {count}");
        return Err(refused("phase", message));
    };
    let Some(first) = span.targets.first() else {
        return Err(refused("job", "the phase has no job".to_owned()));
    };
    let like_first = |target: &Target| {
        let path = first.path.clone();
        let other = Target {
            path,
            ..target.clone()
        };
        other == *first
    };
    if !span.targets.iter().all(like_first) {
        let message = "a command line of DISKSPD has targets that are all alike, and these jobs \
                       are not"
            .to_owned();
        return Err(refused("job", message));
    }
    let mut words = vec!["diskspd".to_owned()];
    words.extend(argv::words(span, first));
    for target in &span.targets {
        words.push(path(&target.path)?);
    }
    Ok(words)
}

/// The path as a word of a shell.
fn path(path: &str) -> Result<String, Note> {
    if path.contains(['"', '$', '`', '!']) {
        let message = format!("the target {path:?} cannot be quoted for every shell; rename it");
        return Err(Note::new(Standing::Refused, "targets", message));
    }
    let path = if path.starts_with('-') {
        format!("./{path}")
    } else {
        path.to_owned()
    };
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:,=@%".contains(c);
    if path.chars().all(is_plain) {
        Ok(path)
    } else {
        Ok(format!("\"{path}\""))
    }
}
