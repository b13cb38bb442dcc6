//! `--target PATH` and `--target ROLE=PATH`.

use fathom_session::TargetBinding;
use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

/// One path of `--target`, perhaps for one role only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TargetArg {
    pub(crate) role: Option<String>,
    pub(crate) path: PathBuf,
}

impl From<&TargetArg> for TargetBinding {
    fn from(typed: &TargetArg) -> Self {
        Self {
            role: typed.role.clone(),
            path: typed.path.clone(),
        }
    }
}

impl FromStr for TargetArg {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        // A role is one word, so a path with an equals sign is written as `./a=b`.
        let is_role = |word: &str| {
            !word.is_empty()
                && word
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
        };
        Ok(match text.split_once('=') {
            Some((role, path)) if is_role(role) => Self {
                role: Some(role.to_owned()),
                path: path.into(),
            },
            _ => Self {
                role: None,
                path: text.into(),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_word_before_the_equals_sign_is_a_role() {
        let cases = [
            ("/data", None, "/data"),
            ("wij=/data", Some("wij"), "/data"),
            ("wij=a=b", Some("wij"), "a=b"),
            ("./a=b", None, "./a=b"),
            ("/dev/disk/by-id/x=y", None, "/dev/disk/by-id/x=y"),
            ("=x", None, "=x"),
        ];
        for (text, role, path) in cases {
            let expected = TargetArg {
                role: role.map(str::to_owned),
                path: path.into(),
            };
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
    }
}
